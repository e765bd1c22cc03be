//! `jax.jit` of a function that is given a model of Equinox as `eqx.filter_jit`.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, function};
use crate::module::{Expr, ExprId, Stmt};
use crate::python::{LeafKind, Subject};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    // A part of an argument, and not one that is a function itself.
    if !found.problem?.subject.as_ref().is_some_and(is_part_of_model) {
        return None;
    }
    let equinox = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Import(aliases) => aliases.iter().find_map(|alias| {
            (alias.name.as_str() == "equinox").then(|| alias.asname.map_or("equinox", |own| own.as_str()))
        }),
        _ => None,
    })?;
    let jit = |id: ExprId| matches!(found.text(id), "jax.jit" | "jit");
    let Expr::Call(callee, _) = module.expr(found.expr()?) else { return None };
    let at = match module.expr(*callee) {
        // `jax.jit(f)(model, x)`: alone, or with options that Equinox does not have.
        Expr::Call(function, args) => (jit(*function) && args.len() == 1).then_some(*function)?,
        Expr::Name(_, name) => match function(module, name.as_str()) {
            Some(code) => *definitions::of_function(found, code)?.0.decorators.iter().find(|id| jit(**id))?,
            None => {
                let bound = crate::diagnostics::origins::bound(module, *name, found.span())?.1?;
                let made = call(module, bound).filter(|made| made.args.len() == 1)?;
                let Expr::Call(function, _) = module.expr(made.id) else { return None };
                jit(*function).then_some(*function)?
            }
        },
        _ => return None,
    };
    found.replace(format!("compile it with `{equinox}.filter_jit`"), module.span(at), format!("{equinox}.filter_jit"))
}

fn is_part_of_model(subject: &Subject) -> bool {
    matches!(subject, Subject::Argument(leaf) if !leaf.whole && leaf.kind == LeafKind::Function)
}
