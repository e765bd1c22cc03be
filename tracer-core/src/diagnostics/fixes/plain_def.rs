//! `async def` of a function that waits for nothing as `def`.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{function, within};
use crate::module::{Expr, Stmt};
use crate::python::Subject;
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let Subject::Returned { function: name, class } = found.problem?.subject.as_ref()? else { return None };
    let name = (class == "coroutine").then_some(name.as_str())?;
    let module = found.module;
    let code = function(module, name).filter(|code| code.is_async)?;
    definitions::of_function(found, code)?;
    let waits = module
        .exprs
        .iter()
        .zip(&module.expr_spans)
        .any(|(expr, span)| matches!(expr, Expr::Await(_)) && within(*span, code.span));
    let waits = waits
        || module.stmts.iter().zip(&module.stmt_spans).any(|(stmt, span)| {
            matches!(stmt, Stmt::For { is_async: true, .. } | Stmt::With { is_async: true, .. })
                && within(*span, code.span)
        });
    let head = found.text_at(Span { start: code.span.start, end: code.name_span.start });
    if waits || code.is_generator || !head.starts_with("async") {
        return None;
    }
    let rest = head["async".len()..].trim_start();
    let end = code.span.start + (head.len() - rest.len()) as u32;
    found.replace(format!("make `{name}` a plain function"), Span { start: code.span.start, end }, String::new())
}
