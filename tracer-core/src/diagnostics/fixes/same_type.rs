//! A number that is written out is given with the type of the calls before: `f(1.0)` as `f(jnp.float32(1.0))`, `f(1)` as `f(1.0)`.

use super::Found;
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, function};
use crate::interp::KeyChange;
use crate::module::{Const, Expr, UnaryOp};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let Some(KeyChange::Type { name, now, before }) = found.change else { return None };
    let name = &**name;
    let call = call_at(found.module, found.span())?;
    let code = function(found.module, call.name).filter(|_| call.receiver.is_none())?;
    let place = code.params.names.iter().position(|param| param.name.as_str() == name)?;
    let value = call.argument_or(place, name)?;
    let text = found.text(value);
    let number = match found.module.expr(value) {
        Expr::Unary(UnaryOp::Neg, value) => *value,
        _ => value,
    };
    let scalar = |aval: &Aval, dtype: DType, weak: bool| *aval == Aval::scalar(dtype, weak);
    let text = match found.module.expr(number) {
        Expr::Constant(Const::Float(_)) if scalar(now, DType::F32, true) && scalar(before, DType::F32, false) => {
            format!("{}.float32({text})", found.jnp()?)
        }
        Expr::Constant(Const::Int(_)) if !scalar(now, DType::I32, true) => return None,
        Expr::Constant(Const::Int(_)) if scalar(before, DType::I32, false) => {
            format!("{}.int32({text})", found.jnp()?)
        }
        Expr::Constant(Const::Int(_)) if scalar(before, DType::F32, false) => {
            format!("{}.float32({text})", found.jnp()?)
        }
        Expr::Constant(Const::Int(_)) if scalar(before, DType::F32, true) => format!("{text}.0"),
        _ => return None,
    };
    found.replace(format!("give `{name}` the type that it had before"), found.module.span(value), text)
}
