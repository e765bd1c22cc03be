//! A number that is written out is given with the type of the calls before: `f(1.0)` as `f(jnp.float32(1.0))`, `f(1)` as `f(1.0)`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, function};
use crate::module::{Const, Expr, UnaryOp};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (_, rest) =
        found.diagnostic.message.split_once("time: ").or_else(|| found.diagnostic.message.split_once("times: "))?;
    let (name, rest) = rest.split_once(": now ")?;
    let (now, rest) = rest.split_once(", before ")?;
    let before = rest.split(" (1 equation").next()?;
    let before =
        before.rsplit_once(" (").filter(|(_, price)| price.contains("equation")).map_or(before, |(before, _)| before);
    let call = call_at(found.module, found.span())?;
    let code = function(found.module, call.name).filter(|_| call.receiver.is_none())?;
    let place = code.params.names.iter().position(|param| param.name.as_str() == name)?;
    let value = call.argument_or(place, name)?;
    let text = found.text(value);
    let number = match found.module.expr(value) {
        Expr::Unary(UnaryOp::Neg, value) => *value,
        _ => value,
    };
    let text = match (found.module.expr(number), now, before) {
        (Expr::Constant(Const::Float(_)), "f32[] (weak)", "f32[]") => format!("{}.float32({text})", found.jnp()?),
        (Expr::Constant(Const::Int(_)), "i32[] (weak)", "i32[]") => format!("{}.int32({text})", found.jnp()?),
        (Expr::Constant(Const::Int(_)), "i32[] (weak)", "f32[]") => format!("{}.float32({text})", found.jnp()?),
        (Expr::Constant(Const::Int(_)), "i32[] (weak)", "f32[] (weak)") => format!("{text}.0"),
        _ => return None,
    };
    found.replace(format!("give `{name}` the type that it had before"), found.module.span(value), text)
}
