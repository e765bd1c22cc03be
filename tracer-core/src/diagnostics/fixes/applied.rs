//! What a call of a module's `apply` has to allow: `mutable=["batch_stats"]` for statistics that are updated, and
//! `rngs={"dropout": key}` for numbers that are drawn.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, calls, within};
use crate::module::{Arg, Expr, ExprId, Stmt, Target};
use crate::text::Span;

/// What the result of `apply` is called that holds what was updated.
const UPDATED: &str = "updated";

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let problem = found.problem?;
    // The names stand in the library's words alone.
    let quoted = |before: &str| problem.message.split_once(before)?.1.split('"').next();
    match problem.class.as_str() {
        "flax.errors.ModifyScopeVariableError" => mutable(found, quoted("because collection \"")?),
        "flax.errors.InvalidRngError" => drawn(found, quoted("needs PRNG for \"")?),
        _ => None,
    }
}

/// The one `apply` that the user's frames passed.
fn apply<'a>(found: &Found<'a>) -> Option<Call<'a>> {
    let file = found.diagnostic.at.file;
    let mut frames = found.problem?.frames.iter().filter(|(own, ..)| *own == file);
    let of_frame = |span: Span| {
        let mut inside = calls(found.module).filter(|call| within(call.span, span) && call.name == "apply");
        inside.next().filter(|_| inside.next().is_none())
    };
    let call = frames.find_map(|(_, span, _)| of_frame(*span))?;
    let starred = call.args.iter().any(|arg| matches!(arg, Arg::Star(_) | Arg::DoubleStar(_)));
    (call.receiver.is_some() && !starred).then_some(call)
}

fn keyword(call: &Call<'_>, name: &str) -> Option<ExprId> {
    call.args.iter().find_map(|arg| match arg {
        Arg::Keyword(own, value) if own.as_str() == name => Some(*value),
        _ => None,
    })
}

/// One more argument, behind the last.
fn added(found: &Found<'_>, call: &Call<'_>, text: &str) -> (crate::diagnostics::Range, String) {
    let end = call.span.end - 1;
    let before = found.text_at(Span { start: call.span.start, end }).trim_end();
    let comma = if before.ends_with(',') { " " } else { ", " };
    let at = call.span.start + before.len() as u32;
    found.edit(Span { start: at, end: at }, format!("{comma}{text}"))
}

fn mutable(found: &Found<'_>, collection: &str) -> Option<Fix> {
    let module = found.module;
    let call = apply(found).filter(|call| keyword(call, "mutable").is_none())?;
    // `apply` gives a pair then: where nobody asks for its result, or it is bound to a name.
    let bound = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Expr(value) if *value == call.id => Some(None),
        Stmt::Assign(targets, value) if *value == call.id => match &targets[..] {
            [Target::Name(_, _, span)] if !found.has_name(UPDATED) => Some(Some(*span)),
            _ => None,
        },
        _ => None,
    })?;
    let mut edits = vec![added(found, &call, &format!("mutable=[\"{collection}\"]"))];
    if let Some(name) = bound {
        edits.push(found.edit(Span { start: name.end, end: name.end }, format!(", {UPDATED}")));
    }
    Some(Fix { title: format!("let `apply` update `{collection}`"), edits })
}

fn drawn(found: &Found<'_>, stream: &str) -> Option<Fix> {
    let module = found.module;
    let call = apply(found)?;
    // In a loop or a function each call wants a key of its own.
    let is_repeated =
        definitions::around(found, call.span).is_some()
            || module
                .stmts
                .iter()
                .zip(&module.stmt_spans)
                .any(|(stmt, span)| matches!(stmt, Stmt::For { .. } | Stmt::While { .. }) && within(call.span, *span))
            || module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| {
                matches!(expr, Expr::Comprehension(..) | Expr::Lambda(..)) && within(call.span, *span)
            });
    if is_repeated || !found.has_jax() || stream == "params" {
        return None;
    }
    let key = format!("\"{stream}\": jax.random.key(0)");
    let edit = match keyword(&call, "rngs") {
        None => added(found, &call, &format!("rngs={{{key}}}")),
        Some(given) => match module.expr(given) {
            Expr::Dict(items) if !items.is_empty() => {
                let end = module.span(given).end - 1;
                let before = found.text_at(Span { start: module.span(given).start, end }).trim_end();
                let comma = if before.ends_with(',') { " " } else { ", " };
                let at = module.span(given).start + before.len() as u32;
                found.edit(Span { start: at, end: at }, format!("{comma}{key}"))
            }
            _ => return None,
        },
    };
    Some(Fix { title: format!("give `apply` a key for `{stream}`"), edits: vec![edit] })
}
