//! What a mask chooses as what it leaves out: `x[mask].sum()` as `x.sum(where=mask)`, `x.at[mask].set(v)` as `jnp.where(mask, v, x)`.

use super::Found;
use crate::analysis::Shown;
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, calls, fact, within};
use crate::module::{Const, Expr, ExprId};
use crate::text::Span;

/// Reductions that take `where`, and give the same as of the chosen items alone.
const REDUCTIONS: [&str; 7] = ["sum", "prod", "mean", "std", "var", "any", "all"];

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    if let Some(fix) = updated(found, jnp) {
        return Some(fix);
    }
    let id = found.expr()?;
    let Expr::Subscript(array, mask) = found.module.expr(id) else { return None };
    let (aval, brackets) = (chosen(found, *array, *mask)?, brackets(found, *array, *mask)?);
    let mask = found.text_at(Span { start: brackets.start + 1, end: brackets.end - 1 }).trim();
    let call = around(found, id)?;
    let arguments = match call.name {
        name if REDUCTIONS.contains(&name) => format!("where={mask}"),
        "max" if aval.dtype.is_float() => format!("where={mask}, initial=-{jnp}.inf"),
        "min" if aval.dtype.is_float() => format!("where={mask}, initial={jnp}.inf"),
        _ => return None,
    };
    let close = call.span.end - 1;
    let given = if call.args.is_empty() { arguments } else { format!(", {arguments}") };
    Some(Fix {
        title: "leave items out with `where=`".into(),
        edits: vec![found.edit(brackets, String::new()), found.edit(Span { start: close, end: close }, given)],
    })
}

/// The reduction of all that the mask has chosen: `x[mask].sum()` or `jnp.sum(x[mask])`, with no other argument.
fn around<'a>(found: &Found<'a>, chosen: ExprId) -> Option<Call<'a>> {
    let jnp = found.jnp()?;
    calls(found.module).find(|call| match (call.receiver, call.args.len()) {
        (Some(receiver), 0) => receiver == chosen,
        (Some(receiver), 1) => call.argument(0) == Some(chosen) && found.text(receiver) == jnp,
        _ => false,
    })
}

/// The type of an array that a mask of its own shape chooses from.
fn chosen<'a>(found: &Found<'a>, array: ExprId, mask: ExprId) -> Option<&'a Aval> {
    let (array, mask) = (the_only(found, array)?, the_only(found, mask)?);
    (mask.dtype == DType::Bool && mask.shape == array.shape).then_some(array)
}

fn the_only<'a>(found: &Found<'a>, id: ExprId) -> Option<&'a Aval> {
    match &fact(found.facts, found.module.span(id))?.seen[..] {
        [Shown::Array { aval, .. }] => Some(aval),
        _ => None,
    }
}

/// The brackets behind an expression with what they hold.
fn brackets(found: &Found<'_>, array: ExprId, inside: ExprId) -> Option<Span> {
    let (array, inside) = (found.module.span(array), found.module.span(inside));
    let text = |start: u32, end: u32| found.text_at(Span { start, end });
    let start = array.end + text(array.end, inside.start).find('[')? as u32;
    let rest = found.facts.text.get(inside.end as usize..)?;
    let end = inside.end + rest.find(']')? as u32 + 1;
    let between = [text(start, inside.start), text(inside.end, end)];
    (!between.iter().any(|part| part.contains('#'))).then_some(Span { start, end })
}

/// `x.at[mask].set(v)` of one number.
fn updated(found: &Found<'_>, jnp: &str) -> Option<Fix> {
    let module = found.module;
    let call =
        calls(module).find(|call| call.span == found.span() && matches!(call.name, "set" | "add" | "multiply"))?;
    let Expr::Subscript(at, mask) = module.expr(call.receiver?) else { return None };
    let Expr::Attribute(array, name) = module.expr(*at) else { return None };
    let ([_], "at") = (call.args, name.as_str()) else { return None };
    let aval = chosen(found, *array, *mask)?;
    let value = call.argument(0)?;
    // The array keeps its type.
    let fits = match module.expr(value) {
        Expr::Constant(Const::Int(_)) => aval.dtype != DType::Bool,
        Expr::Constant(Const::Float(_)) => aval.dtype.is_float(),
        _ => the_only(found, value).is_some_and(|own| own.shape.is_empty() && own.dtype == aval.dtype),
    };
    if !fits || !matches!(module.expr(*array), Expr::Name(..)) {
        return None;
    }
    let (array, value) = (found.text(*array), found.text(value));
    let brackets = brackets(found, *at, *mask)?;
    let mask = found.text_at(Span { start: brackets.start + 1, end: brackets.end - 1 }).trim();
    let new = match call.name {
        "add" => format!("{array} + {value}"),
        "multiply" => format!("{array} * {value}"),
        _ => value.to_owned(),
    };
    debug_assert!(within(brackets, found.span()), "the mask stands in the update");
    found.replace(format!("choose with `{jnp}.where`"), found.span(), format!("{jnp}.where({mask}, {new}, {array})"))
}
