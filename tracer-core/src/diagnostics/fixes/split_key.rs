//! A key that is used for a second time, or at each round of a loop, is split before it is used first.

use super::free::Changed;
use super::hoisted::innermost_loop;
use super::{Found, definitions, rebound};
use crate::array::{Aval, DType};
use crate::diagnostics::reading::{Call, arrays, call_at, traced, within};
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
    // `key = split(key)` binds the key anew already.
    if call.name == "split" {
        return None;
    }
    let (key, same) = (key_of(found, &call)?, key_of(found, &again)?);
    let text = found.text(key);
    let scope = |span: Span| {
        let around = found.module.codes.iter().skip(1).filter(|code| within(span, code.span));
        around.min_by_key(|code| code.span.end - code.span.start).map(|code| code.span)
    };
    if text != found.text(same) || scope(call.span) != scope(again.span) {
        return None;
    }
    let (statement, span) = found.statement(call.span)?;
    if !matches!(
        found.module.stmt(statement),
        Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::Expr(_) | Stmt::Return(_)
    ) {
        return None;
    }
    let is_round = first == found.diagnostic.at;
    if !is_settable(found, key, span) || is_round && !is_kept(found, key, span) {
        return None;
    }
    let (start, indent) = found.line(span)?;
    let random = random(found, &call)?;
    let part =
        ["subkey", "subkey2", "subkey3", "subkey4"].into_iter().find(|part| !found.facts.text.contains(*part))?;
    let split = format!("{indent}{text}, {part} = {random}.split({text})\n");
    Some(Fix {
        title: format!("split `{text}` before it is used"),
        edits: vec![found.edit(Span { start, end: start }, split), found.edit(found.module.span(key), part.to_owned())],
    })
}

/// What the program calls `jax.random`.
fn random<'a>(found: &Found<'a>, call: &Call<'_>) -> Option<&'a str> {
    // A layer of a library is given a key as well, and a function of the program's.
    match call.receiver.map(|receiver| found.text(receiver)) {
        Some(random) if random.ends_with("random") || random == "jr" || random == "jrandom" => Some(random),
        _ => found.has_jax().then_some("jax.random"),
    }
}

/// The one key that a call is given: by place, by name, or in a container that is written there, as `rngs={"dropout": key}`.
fn key_of(found: &Found<'_>, call: &Call<'_>) -> Option<ExprId> {
    let module = found.module;
    let mut given: Vec<ExprId> = Vec::new();
    for arg in call.args {
        if let Arg::Positional(value) | Arg::Keyword(_, value) = arg {
            given.push(*value);
        }
    }
    let mut keys: Vec<ExprId> = Vec::new();
    while let Some(value) = given.pop() {
        match module.expr(value) {
            Expr::Name(..) | Expr::Attribute(..) if is_key(found, value) => keys.push(value),
            Expr::Tuple(items) | Expr::List(items) => given.extend(items.iter().copied()),
            Expr::Dict(..) => {
                module.expr(value).parts(&mut |part| {
                    if let crate::module::Part::Expr(inner) = part {
                        given.push(inner);
                    }
                });
            }
            _ => {}
        }
    }
    match keys[..] {
        [key] => Some(key),
        _ => None,
    }
}

/// Whether an expression was a key each time.
fn is_key(found: &Found<'_>, id: ExprId) -> bool {
    // The words of an old key are two integers.
    let is_raw = |aval: &Aval| aval.dtype == DType::U32 && aval.shape.len() == 1 && aval.shape[0].known() == Some(2);
    let is_one = |aval: &&Aval| aval.dtype.is_key() && aval.shape.is_empty() || is_raw(aval);
    arrays(found.facts, id).is_some_and(|avals| avals.iter().all(is_one))
}

/// Whether the key can be bound anew where a statement stands: a local name, a global of the module's own body, or an attribute of an
/// object that can be changed, by code that is not traced.
fn is_settable(found: &Found<'_>, key: ExprId, statement: Span) -> bool {
    let own = found.module.codes.iter().skip(1).filter(|code| within(statement, code.span));
    let inner = own.min_by_key(|code| code.span.end - code.span.start);
    match (found.module.expr(key), inner) {
        (Expr::Name(Place::Local(_), _), Some(code)) => {
            code.kind == CodeKind::Function
                && within(found.module.span(key), code.span)
                && scope_is(found, key, code.span)
        }
        (Expr::Name(Place::Global(_), _), None) => scope_is_module(found, key),
        (Expr::Attribute(..), _) => {
            let is_traced = definitions::around(found, statement).is_some_and(|code| {
                let fact = found.facts.functions.iter().find(|fact| fact.name_span == code.name_span);
                fact.is_none_or(|fact| fact.traced != Some(0))
            });
            !is_traced
                && traced(found.facts, key).is_none()
                && inner.is_none_or(|code| code.kind == CodeKind::Function && scope_is(found, key, code.span))
                && rebound::is_settable(found, key, statement)
        }
        _ => false,
    }
}

/// Whether an expression stands in a function itself, and not in a lambda or a comprehension in it.
fn scope_is(found: &Found<'_>, key: ExprId, function: Span) -> bool {
    let around = found.module.codes.iter().skip(1).filter(|code| within(found.module.span(key), code.span));
    around.min_by_key(|code| code.span.end - code.span.start).is_some_and(|code| code.span == function)
}

fn scope_is_module(found: &Found<'_>, key: ExprId) -> bool {
    !found.module.codes.iter().skip(1).any(|code| within(found.module.span(key), code.span))
}

/// Whether the loop around leaves the key as it is: what it splits would be the same in each round otherwise.
fn is_kept(found: &Found<'_>, key: ExprId, statement: Span) -> bool {
    let Some((own_loop, span)) = innermost_loop(found, statement) else { return false };
    !Changed::by(found, own_loop, span, &[]).touches(found, found.module.span(key))
}
