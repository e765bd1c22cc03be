//! A global that a compiled function reads is passed as an argument, at each of its calls.

use super::{Found, definitions, rounds};
use crate::diagnostics::reading::{calls, within};
use crate::diagnostics::{Fix, Range};
use crate::interp::Event;
use crate::module::{Arg, Expr, ExprId, MODULE_CODE, Place, Symbol};
use crate::text::Span;

/// So many calls are written anew.
const MOST_CALLS: usize = 8;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let Expr::Name(Place::Global(_), name) = module.expr(found.expr()?) else { return None };
    // A text or another object is no argument.
    let is_array =
        |text: &Option<String>| !text.as_ref().is_some_and(|text| text.starts_with(['\'', '"']) || text == "None");
    let all_arrays = found.events.iter().all(|event| match event {
        Event::Stale { read, before, now, .. } if found.is_at(*read) => is_array(before) && is_array(now),
        _ => true,
    });
    if !all_arrays {
        return None;
    }
    let (edits, _) = edits(found, *name)?;
    Some(Fix { title: format!("pass `{name}` as an argument"), edits })
}

/// What passes a global to the function around the diagnostic, and the `jit` that decorates that one.
pub(super) fn edits(found: &Found<'_>, name: Symbol) -> Option<(Vec<(Range, String)>, ExprId)> {
    let module = found.module;
    let code = definitions::around(found, found.span())?;
    let (def, span) = definitions::of_function(found, code)?;
    let params = &code.params;
    let is_plain = params.keyword_only == 0 && params.var_positional.is_none() && params.var_keyword.is_none();
    let has_defaults = !def.defaults.positional.is_empty();
    let is_jitted = def.decorators.len() == 1 && matches!(found.text(def.decorators[0]), "jax.jit" | "jit");
    // A function of the module, that is only called, and by what is not traced itself.
    let is_outer = definitions::around(found, Span { start: span.start, end: span.start + 1 })
        .is_none_or(|own| std::ptr::eq(own, code));
    let is_named = params.names.last()?;
    if !is_plain || has_defaults || !is_jitted || !is_outer || !matches!(def.place, Place::Global(_)) {
        return None;
    }
    let sites: Vec<_> =
        calls(module).filter(|call| call.receiver.is_none() && call.name == code.name.as_str()).collect();
    if sites.is_empty() || sites.len() > MOST_CALLS || rounds::reads(found, code.name).count() != sites.len() {
        return None;
    }
    let mut edits = vec![found.edit(Span { start: is_named.span.end, end: is_named.span.end }, format!(", {name}"))];
    if is_named.annotation.is_some() {
        return None;
    }
    for site in &sites {
        let function = definitions::around(found, site.span);
        let is_traced = function.is_some_and(|code| {
            let fact = found.facts.functions.iter().find(|fact| fact.name_span == code.name_span);
            fact.is_none_or(|fact| fact.traced != Some(0))
                || code.locals.iter().chain(&code.cells).any(|own| *own == name)
        });
        let in_lambda = module.codes.iter().skip(MODULE_CODE.index() + 1).any(|own| {
            within(site.span, own.span) && !function.is_some_and(|function| within(function.span, own.span))
        });
        let last = match site.args.last()? {
            Arg::Positional(value) | Arg::Keyword(_, value) => *value,
            _ => return None,
        };
        if is_traced || in_lambda || site.args.iter().any(|arg| matches!(arg, Arg::Star(_) | Arg::DoubleStar(_))) {
            return None;
        }
        let by_name =
            site.args.iter().any(|arg| matches!(arg, Arg::Keyword(..))) || site.args.len() != params.names.len();
        let end = module.span(last).end;
        let end = end + closing(found, end, site.span.end)?;
        let text = if by_name { format!(", {name}={name}") } else { format!(", {name}") };
        edits.push(found.edit(Span { start: end, end }, text));
    }
    Some((edits, def.decorators[0]))
}

/// How far behind the last argument its own parentheses end, where a call ends with `)` and no comma.
fn closing(found: &Found<'_>, from: u32, end: u32) -> Option<u32> {
    let rest = found.text_at(Span { start: from, end });
    (!rest.contains([',', '#', '\n'])).then(|| rest.rfind(')').map(|at| at as u32))?
}
