//! A function that is made in a loop keeps the variable of its round: `lambda x: x * i` as `lambda x, i=i: x * i`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::within;
use crate::module::{CodeKind, Expr};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let Expr::Name(_, name) = module.expr(found.expr()?) else { return None };
    let around = module
        .codes
        .iter()
        .filter(|code| matches!(code.kind, CodeKind::Function | CodeKind::Lambda) && within(found.span(), code.span));
    let code = around.min_by_key(|code| code.span.end - code.span.start)?;
    let params = &code.params;
    if params.keyword_only != 0 || params.var_positional.is_some() || params.var_keyword.is_some() {
        return None;
    }
    // What is behind the last parameter: its annotation and its default value.
    let from = params.names.last().map_or(code.name_span.end, |param| param.span.end);
    let (from, close) = match code.kind {
        CodeKind::Lambda => (params.names.last().map_or(code.span.start + 6, |param| param.span.end), ':'),
        _ => (from, ')'),
    };
    let rest = found.text_at(Span { start: from, end: code.span.end });
    let end = rest.find(close)?;
    let has_more = rest[..end].contains(['(', '[', '{', '"', '\'', ':', '#', '\n']);
    let is_plain = params.names.is_empty() || !has_more;
    if !is_plain {
        return None;
    }
    let at = from + end as u32;
    let text = match (params.names.is_empty(), code.kind) {
        (false, _) => format!(", {name}={name}"),
        (true, CodeKind::Lambda) => format!(" {name}={name}"),
        (true, _) => format!("{name}={name}"),
    };
    let is_closed = !matches!(rest[..end].trim_end().chars().last(), Some(','));
    is_closed.then(|| found.replace(format!("keep the `{name}` of each round"), Span { start: at, end: at }, text))?
}
