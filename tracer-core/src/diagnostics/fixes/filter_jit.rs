//! `jax.jit` of a function that is given a model of Equinox as `eqx.filter_jit`.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, function};
use crate::module::{Expr, ExprId, Stmt};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let message = &found.diagnostic.message;
    let functions = ["custom_jvp'>", "<class 'function'>", "PjitFunction'>", "<class 'jax._src.pjit"];
    if !functions.iter().any(|class| message.contains(class)) || !message.contains("at path ") {
        return None;
    }
    let equinox = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Import(aliases) => aliases.iter().find_map(|alias| {
            (alias.name.as_str() == "equinox").then(|| alias.asname.map_or("equinox", |own| own.as_str()))
        }),
        _ => None,
    })?;
    // A part of an argument, and not one that is a function itself.
    let path = message.split_once("at path ")?.1;
    if !path.contains(['.', '[']) {
        return None;
    }
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
