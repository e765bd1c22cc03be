//! `@jax.jit` of a method as `@jax.jit(static_argnames=("self",))`, where the attributes of the object stay as they are.

use super::{Found, definitions, static_argument};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::function;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let leaf = found.argument()?;
    let (class, method) = leaf.function.rsplit_once('.')?;
    let code = function(found.module, method)?;
    let first = code.params.names.first().filter(|_| code.params.positional > 0)?;
    let is_object = leaf.whole && leaf.class.1 == class && leaf.parameter == first.name.as_str();
    if !is_object || definitions::sets_attributes(found) {
        return None;
    }
    // Equal objects would share a trace, and those of a class with an `__eq__` alone are not hashable.
    let (def, body) = definitions::of_class(found, class)?;
    let compares = found
        .module
        .codes
        .iter()
        .any(|code| code.name.as_str() == "__eq__" && crate::diagnostics::reading::within(code.span, body.span));
    if compares || !def.decorators.is_empty() || !def.args.is_empty() {
        return None;
    }
    static_argument::make(found, code, first.name.as_str())
}
