//! A carry that the body gives back wider than it came in: its first value is made of the wide type.

use super::{Found, types};
use crate::array::promotion::Typed;
use crate::array::{Aval, DType};
use crate::diagnostics::reading::{call, call_at, fact};
use crate::diagnostics::{Fix, origins, parts};
use crate::module::{Const, Expr, ExprId};
use crate::python::{CarryKey, CarryPart, Subject};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    let call = call_at(found.module, found.span())?;
    let mut edits = Vec::new();
    let Subject::Carry(differing) = found.problem?.subject.as_ref()? else { return None };
    for CarryPart { path, before: given, behind: wanted, .. } in differing {
        let (first, path) = parts::first_carry(&call, path)?;
        let value = component(found, first, path)?;
        let text = widened(found, jnp, value, given, wanted)?;
        edits.push(found.edit(found.module.span(value), text));
    }
    Some(Fix { title: "start with the type that the body gives".into(), edits })
}

/// The part of the first carry at a path such as `1`, `'w'`, where it is written out.
fn component(found: &Found<'_>, from: ExprId, path: &[CarryKey]) -> Option<ExprId> {
    let module = found.module;
    let Some((key, rest)) = path.split_first() else { return Some(from) };
    let inner = match module.expr(from) {
        Expr::Tuple(items) | Expr::List(items) => match key {
            CarryKey::Index(at) => *items.get(*at)?,
            _ => return None,
        },
        Expr::Dict(items) => items.iter().find_map(|(own, value)| match module.expr((*own)?) {
            Expr::Constant(Const::Str(name)) if matches!(key, CarryKey::Name(own) if own == name) => Some(*value),
            _ => None,
        })?,
        Expr::Name(_, name) => {
            let (_, value) = origins::bound(module, *name, module.span(from))?;
            return component(found, value.filter(|value| !matches!(module.expr(*value), Expr::Name(..)))?, path);
        }
        _ => return None,
    };
    component(found, inner, rest)
}

/// A first value of a type that holds all that it held.
fn widened(found: &Found<'_>, jnp: &str, value: ExprId, given: &Aval, wanted: &Aval) -> Option<String> {
    let typed = |aval: &Aval| -> Typed { (aval.dtype, false) };
    let holds = types::promote(typed(given), typed(wanted))?.0 == wanted.dtype;
    // A shape that changes may change in each round.
    if !holds || given.shape != wanted.shape {
        return None;
    }
    let (text, name) = (found.text(value), wanted.dtype.name());
    let is_array = fact(found.facts, found.module.span(value)).is_some();
    Some(if let Some(made) = made(found, jnp, value, given.dtype, name) {
        made
    } else if is_array && !matches!(found.module.expr(value), Expr::Binary(..) | Expr::Unary(..)) {
        format!("{text}.astype({jnp}.{name})")
    } else {
        format!("{jnp}.asarray({text}, {jnp}.{name})")
    })
}

/// `jnp.int32(0)` as `jnp.float32(0)`, `jnp.zeros(3, jnp.int32)` as `jnp.zeros(3, jnp.float32)`.
fn made(found: &Found<'_>, jnp: &str, value: ExprId, given: DType, name: &str) -> Option<String> {
    let call = call(found.module, value)?;
    if found.text(call.receiver?) != jnp {
        return None;
    }
    let old = format!("{jnp}.{}", given.name());
    let constant = matches!(found.module.expr(call.argument(0)?), Expr::Constant(Const::Int(_) | Const::Float(_)));
    let is_made = match call.name {
        own if own == given.name() => constant,
        "zeros" | "ones" | "full" | "array" | "asarray" => true,
        _ => return None,
    };
    let text = found.text(value);
    (is_made && text.matches(&old).count() == 1).then(|| text.replacen(&old, &format!("{jnp}.{name}"), 1))
}
