//! Where functions and classes of the program's are defined, as text.

use super::Found;
use crate::diagnostics::reading::within;
use crate::module::{ClassDef, Code, CodeKind, FunctionDef, Stmt, Target};
use crate::text::Span;

/// The definition of a function, and its range.
pub(super) fn of_function<'a>(found: &Found<'a>, code: &Code) -> Option<(&'a FunctionDef, Span)> {
    let mut all = found.module.stmts.iter().zip(&found.module.stmt_spans);
    all.find_map(|(stmt, span)| match stmt {
        Stmt::FunctionDef(def) if std::ptr::eq(found.module.code(def.code), code) => Some((&**def, *span)),
        _ => None,
    })
}

/// The one class of this name, its code, and where it is defined.
pub(super) fn of_class<'a>(found: &Found<'a>, name: &str) -> Option<(&'a ClassDef, &'a Code)> {
    let mut all = found.module.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::ClassDef(def) if def.name.as_str() == name => Some((&**def, found.module.code(def.code))),
        _ => None,
    });
    all.next().filter(|_| all.next().is_none())
}

/// The innermost function around a range.
pub(super) fn around<'a>(found: &Found<'a>, span: Span) -> Option<&'a Code> {
    let all = found.module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(span, code.span));
    all.min_by_key(|code| code.span.end - code.span.start)
}

/// Whether anything sets an attribute outside of what initializes an object.
pub(super) fn sets_attributes(found: &Found<'_>) -> bool {
    let sets = |target: &Target| matches!(target, Target::Attribute(..));
    found.module.stmts.iter().zip(&found.module.stmt_spans).any(|(stmt, span)| {
        let is_set = match stmt {
            Stmt::Assign(targets, _) => targets.iter().any(sets),
            Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } => sets(target),
            _ => false,
        };
        is_set && !around(found, *span).is_some_and(|code| matches!(code.name.as_str(), "__init__" | "__post_init__"))
    })
}

/// The whole line of a decorator, with its `@` and the end of the line.
pub(super) fn decorator_line(found: &Found<'_>, decorator: Span) -> Option<Span> {
    let at = decorator.start.checked_sub(1)?;
    let (start, _) = found.line(Span { start: at, end: decorator.end })?;
    found.facts.text.get(at as usize..)?.starts_with('@').then_some(())?;
    Some(Span { start, end: found.next_line(decorator)? })
}
