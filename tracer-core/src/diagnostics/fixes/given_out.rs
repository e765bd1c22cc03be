//! A function returns more than it did: its `return`, and the statements that call it.

use super::moved_out::Site;
use super::{Found, rounds};
use crate::diagnostics::Range;
use crate::diagnostics::reading::statements;
use crate::module::{Code, Expr, ExprId, MODULE_CODE, Stmt, Symbol, Target};
use crate::text::Span;

/// The one value that a function returns, in its last statement.
fn value(found: &Found<'_>, code: &Code) -> Option<ExprId> {
    match found.module.stmt(*statements(found.module, code).last()?) {
        Stmt::Return(value) => *value,
        _ => None,
    }
}

/// `return z` as `return z, y`.
pub(super) fn returned(found: &Found<'_>, code: &Code, names: &[Symbol]) -> Option<(Range, String)> {
    let value = value(found, code)?;
    let span = found.module.span(value);
    let more: String = names.iter().map(|name| format!(", {name}")).collect();
    let at = match found.module.expr(value) {
        Expr::Tuple(items) if !items.is_empty() => found.module.span(*items.last()?).end,
        // A value over several lines has parentheses of its own, or is none.
        _ if found.text(value).contains('\n') || found.text(value).starts_with("yield") => return None,
        _ => match found.facts.text.get(span.end as usize..)?.starts_with(')') {
            true => return None,
            false => span.end,
        },
    };
    Some(found.edit(Span { start: at, end: at }, more))
}

/// What a name of the function is called where it is called: a new name there.
pub(super) fn name_at(found: &Found<'_>, site: &Site<'_>, name: Symbol) -> Option<String> {
    let module = found.module;
    let scope = rounds::scope(found, site.span).unwrap_or(module.code(MODULE_CODE));
    let frees = scope.frees.iter().map(|(own, _)| own);
    let is_bound = scope.locals.iter().chain(&scope.cells).chain(frees).chain(&module.globals).any(|own| *own == name);
    let other = format!("new_{name}");
    if !is_bound {
        return Some(name.to_string());
    }
    (!found.facts.text.contains(&other)).then_some(other)
}

/// `z = f(x)` as `z, y = f(x)`.
pub(super) fn taken(found: &Found<'_>, code: &Code, site: &Site<'_>, names: &[Symbol]) -> Option<(Range, String)> {
    let module = found.module;
    let names = names.iter().map(|name| name_at(found, site, *name)).collect::<Option<Vec<String>>>()?.join(", ");
    let value = value(found, code)?;
    let is_tuple = matches!(module.expr(value), Expr::Tuple(_));
    let behind = |at: u32| Some(found.edit(Span { start: at, end: at }, format!(", {names}")));
    match site.targets {
        [] => {
            let before = match module.expr(value) {
                Expr::Tuple(items) => "_, ".repeat(items.len()),
                _ => "_, ".to_owned(),
            };
            let call = module.span(site.call);
            Some(found.edit(call, format!("{before}{names} = {}", found.text_at(call))))
        }
        [Target::Tuple(items, span)] if is_tuple && !items.iter().any(|item| matches!(item, Target::Starred(..))) => {
            match items.last()? {
                Target::Name(_, _, last) | Target::Attribute(_, _, last) | Target::Subscript(_, _, last) => {
                    behind(last.end)
                }
                _ => behind(span.end),
            }
        }
        [Target::Name(_, _, span) | Target::Attribute(_, _, span) | Target::Subscript(_, _, span)] if !is_tuple => {
            behind(span.end)
        }
        _ => None,
    }
}
