//! A module of NNX that a function of `jax.jit` captures and changes: `nnx.jit`, which takes it as an argument and gives back what
//! has changed.

use super::{Found, passed};
use crate::diagnostics::Fix;
use crate::module::{Expr, Place};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    if found.problem?.class != "flax.errors.TraceContextError" {
        return None;
    }
    let nnx = ["nnx", "flax.nnx"].into_iter().find(|name| {
        let first = name.split('.').next().unwrap_or(name);
        module.globals.iter().any(|own| own.as_str() == first)
    })?;
    // What is changed begins with the name of the module.
    let start = found.span().start;
    let name = module.exprs.iter().zip(&module.expr_spans).find_map(|(expr, span)| match expr {
        Expr::Name(Place::Global(_), name) if span.start == start => Some(*name),
        _ => None,
    })?;
    let (mut edits, jit) = passed::edits(found, name)?;
    edits.push(found.edit(module.span(jit), format!("{nnx}.jit")));
    Some(Fix { title: format!("pass `{name}` as an argument of `{nnx}.jit`"), edits })
}
