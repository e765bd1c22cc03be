//! A dataclass of arrays that a compiled function is given is registered: `@jax.tree_util.register_dataclass`.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::module::{Body, Stmt};
use crate::text::Span;

/// What is no array, by its annotation.
const STATIC: [&str; 6] = ["str", "bool", "int", "Callable", "object", "ClassVar"];

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (def, code) = definitions::of_class(found, &found.argument()?.class.1)?;
    let decorator = def.decorators.first()?;
    let name = found.text(*decorator).split('(').next()?;
    if !matches!(name, "dataclass" | "dataclasses.dataclass") || !found.has_jax() {
        return None;
    }
    let Body::Block(body) = &code.body else { return None };
    let are_arrays = body.iter().all(|id| match found.module.stmt(*id) {
        Stmt::AnnAssign { annotation, .. } => {
            let text = found.text(*annotation);
            !text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| STATIC.contains(&word))
        }
        _ => true,
    });
    if !are_arrays {
        return None;
    }
    let line = definitions::decorator_line(found, found.module.span(*decorator))?;
    let (_, indent) = found.line(Span { start: found.module.span(*decorator).start - 1, end: line.end })?;
    let at = Span { start: line.start, end: line.start };
    found.replace(format!("register `{}`", def.name), at, format!("{indent}@jax.tree_util.register_dataclass\n"))
}
