//! A key that is used for a second time is split before it is used first.

use super::Found;
use crate::diagnostics::reading::{Call, call_at, within};
use crate::diagnostics::{Fix, Severity};
use crate::module::{Arg, CodeKind, Expr, ExprId, Place, Stmt};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    if found.diagnostic.severity == Severity::Error {
        return None;
    }
    // The second use takes what the split leaves of the key.
    let again = call_at(found.module, found.span())?;
    let first = found.diagnostic.related.first().map_or(found.diagnostic.at, |related| related.at);
    if first.file != found.diagnostic.at.file {
        return None;
    }
    let call = call_at(found.module, first.span)?;
    let Expr::Name(same, _) = found.module.expr(key_of(&again)?) else { return None };
    // A layer of a library is given a key as well.
    let random = match found.text(call.receiver?) {
        random if random.contains("random") || random == "jr" || random == "jrandom" => random,
        _ => found.has_jax().then_some("jax.random")?,
    };
    let key = key_of(&call)?;
    let Expr::Name(place, name) = found.module.expr(key) else { return None };
    let scope = |span: Span| {
        let around = found.module.codes.iter().skip(1).filter(|code| within(span, code.span));
        around.min_by_key(|code| code.span.end - code.span.start).map(|code| code.span)
    };
    if place != same || scope(call.span) != scope(again.span) {
        return None;
    }
    let (statement, span) = found.statement(call.span)?;
    if !matches!(
        found.module.stmt(statement),
        Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::Expr(_) | Stmt::Return(_)
    ) {
        return None;
    }
    // The name has to be bound where the statement stands.
    let own = |code: &&crate::module::Code| within(call.span, code.span) && code.kind != CodeKind::Module;
    let inner = found.module.codes.iter().skip(1).filter(own).min_by_key(|code| code.span.end - code.span.start);
    match (place, inner) {
        (Place::Local(_), Some(code)) if code.kind == CodeKind::Function && within(span, code.span) => {}
        (Place::Global(_), None) => {}
        _ => return None,
    }
    // `key = split(key)` binds the key anew already.
    if call.name == "split" {
        return None;
    }
    let (start, indent) = found.line(span)?;
    let part =
        ["subkey", "subkey2", "subkey3", "subkey4"].into_iter().find(|part| !found.facts.text.contains(*part))?;
    let key_text = name.as_str();
    let split = format!("{indent}{key_text}, {part} = {random}.split({key_text})\n");
    Some(Fix {
        title: format!("split `{key_text}` before it is used"),
        edits: vec![found.edit(Span { start, end: start }, split), found.edit(found.module.span(key), part.to_owned())],
    })
}

/// The key that a call is given: by its name, or before everything else.
fn key_of(call: &Call<'_>) -> Option<ExprId> {
    let named = call.args.iter().find_map(|arg| match arg {
        Arg::Keyword(name, value) if name.as_str() == "key" => Some(*value),
        _ => None,
    });
    named.or_else(|| call.argument(0))
}
