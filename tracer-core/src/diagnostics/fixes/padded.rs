//! A last batch that is shorter than the others is filled up, and what comes of it is cut:
//! `f(jnp.pad(x, (0, size - len(x))))[:len(x)]`.
//!
//! That gives the same numbers where the rows do not depend on each other, as under `vmap`.

use super::{Found, definitions, whole_batches};
use crate::analysis::Shown;
use crate::diagnostics::Fix;
use crate::diagnostics::origins;
use crate::diagnostics::reading::{arrays, call_at, fact, function};
use crate::module::{Arg, Expr, ExprId};

/// The fix, and whether the rows are known not to depend on each other.
pub(super) fn fix(found: &Found<'_>) -> Option<(Fix, bool)> {
    let module = found.module;
    let jnp = found.jnp()?;
    let size = whole_batches::size(found)?;
    let size_text = match module.expr(size) {
        Expr::Name(..) | Expr::Constant(_) | Expr::Attribute(..) => found.text(size),
        _ => return None,
    };
    let call = call_at(module, found.span())?;
    let mut edits = Vec::new();
    let mut batch = None;
    for arg in call.args {
        let (Arg::Positional(value) | Arg::Keyword(_, value)) = arg else { return None };
        let Expr::Name(_, name) = module.expr(*value) else { continue };
        let Some((_, Some(bound))) = origins::bound(module, *name, call.span) else { continue };
        let Expr::Subscript(_, index) = module.expr(bound) else { continue };
        if !matches!(module.expr(*index), Expr::Slice(Some(_), Some(_), None)) {
            continue;
        }
        let rank = arrays(found.facts, *value)?.first()?.shape.len();
        let rest = ", (0, 0)".repeat(rank - 1);
        let widths = if rank == 1 {
            format!("(0, {size_text} - len({name}))")
        } else {
            format!("((0, {size_text} - len({name})){rest})")
        };
        edits.push(found.edit(module.span(*value), format!("{jnp}.pad({name}, {widths})")));
        batch = Some((*name, *value));
    }
    let (name, value) = batch?;
    // What comes of a batch has as many rows.
    let given = fact(found.facts, module.span(value))?;
    let made = fact(found.facts, call.span)?;
    let rows = |seen: &[Shown]| {
        let first = seen.iter().map(|seen| match seen {
            Shown::Array { aval, .. } => aval.shape.first()?.known(),
            _ => None,
        });
        first.collect::<Option<std::collections::BTreeSet<usize>>>()
    };
    if rows(&given.seen)? != rows(&made.seen)? || given.seen.len() < 2 {
        return None;
    }
    edits.push(found.edit(crate::text::Span { start: call.span.end, end: call.span.end }, format!("[:len({name})]")));
    let apart = is_mapped(found, &call);
    let title = match apart {
        true => "fill up the last, shorter batch".to_owned(),
        false => "fill up the last, shorter batch (its rows must not depend on each other)".to_owned(),
    };
    Some((Fix { title, edits }, apart))
}

/// Whether the function that is called is compiled of `jax.vmap`, of its first arguments at least.
fn is_mapped(found: &Found<'_>, call: &crate::diagnostics::reading::Call<'_>) -> bool {
    let module = found.module;
    let is_map = |id: ExprId| {
        let text: String = found.text(id).chars().filter(|c| !c.is_whitespace()).collect();
        ["vmap", "jax.vmap"].iter().any(|map| {
            text == *map || text.starts_with(&format!("{map}(")) || text.starts_with(&format!("jax.jit({map}("))
        })
    };
    if call.receiver.is_some() {
        return false;
    }
    if let Some(code) = function(module, call.name) {
        return definitions::of_function(found, code)
            .is_some_and(|(def, _)| def.decorators.iter().any(|id| is_map(*id)));
    }
    let Expr::Call(callee, _) = module.expr(call.id) else { return false };
    let Expr::Name(_, name) = module.expr(*callee) else { return false };
    origins::bound(module, *name, call.span).and_then(|(_, value)| value).is_some_and(is_map)
}
