//! Functions of the program's that can be followed in the text: they assign to names, and return one value. What calls nothing but
//! them and JAX does the same however often it runs.

use super::rounds::Step;
use super::{Found, call_types};
use crate::diagnostics::{origins, reading};
use crate::module::{Body, Code, Const, Expr, ExprId, MODULE_CODE, Module, Stmt, StmtId};
use crate::text::Span;

/// So deep are functions followed that call functions.
pub(super) const DEEPEST: usize = 4;

/// The one function of this name, its assignments and what it returns.
pub(super) fn function<'a>(found: &Found<'a>, name: &str) -> Option<(&'a Code, &'a [StmtId], ExprId)> {
    let module = found.module;
    let code = reading::function(module, name).filter(|code| !code.is_generator && !code.is_async)?;
    let mut bound = false;
    origins::bindings(module, module.code(MODULE_CODE), code.name, &mut |_, _| bound = true);
    let plain = module.stmts.iter().any(|stmt| match stmt {
        Stmt::FunctionDef(def) => {
            std::ptr::eq(module.code(def.code), code)
                && def.decorators.iter().all(|decorator| matches!(found.text(*decorator), "jax.jit" | "jit"))
        }
        _ => false,
    });
    let Body::Block(body) = &code.body else { return None };
    let body = match body.first().map(|id| module.stmt(*id)) {
        Some(Stmt::Expr(text)) if matches!(module.expr(*text), Expr::Constant(Const::Str(_))) => &body[1..],
        _ => body,
    };
    let (last, body) = body.split_last()?;
    let Stmt::Return(Some(value)) = module.stmt(*last) else { return None };
    (plain && !bound).then_some((code, body, *value))
}

/// Whether nothing in a range does more than to compute.
pub(super) fn only_computes(found: &Found<'_>, span: Span, depth: usize) -> bool {
    let module = found.module;
    let all = module.exprs.iter().zip(&module.expr_spans).enumerate();
    all.filter(|(_, (_, own))| reading::within(**own, span)).all(|(at, (expr, _))| match expr {
        Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_) | Expr::Walrus(..) => false,
        Expr::Call(..) => is_pure(found, ExprId(at as u32), depth),
        _ => true,
    })
}

fn is_pure(found: &Found<'_>, id: ExprId, depth: usize) -> bool {
    let module = found.module;
    let Some(call) = reading::call(module, id) else { return false };
    match call.receiver {
        Some(receiver) => {
            is_jax(module, receiver)
                || reading::arrays(found.facts, receiver).is_some()
                // Of what has not run: who makes a fix of it knows that it is an array.
                || call_types::GATHER.contains(&call.name)
                || matches!(call.name, "reshape" | "ravel" | "dot" | "clip" | "argmax" | "argmin")
                // `x.at[i].set(v)`
                || matches!(module.expr(receiver), Expr::Subscript(at, _)
                    if matches!(module.expr(*at), Expr::Attribute(_, name) if name.as_str() == "at"))
        }
        None if matches!(call.name, "abs" | "len" | "float" | "int" | "min" | "max" | "sum" | "range") => true,
        None => {
            depth > 0
                && function(found, call.name).is_some_and(|(code, body, value)| {
                    let mut steps = body.iter().map(|id| Step::of(found, *id));
                    let spans = body.iter().map(|id| module.stmt_spans[id.index()]).chain([module.span(value)]);
                    let is_own = code.frees.is_empty();
                    is_own
                        && steps.all(|step| step.is_some())
                        && spans.into_iter().all(|span| only_computes(found, span, depth - 1))
                })
        }
    }
}

/// Whether an expression is a module of JAX's: `jnp`, `jax.nn`, `random` of `from jax import random`.
fn is_jax(module: &Module, receiver: ExprId) -> bool {
    match module.expr(receiver) {
        Expr::Attribute(inner, _) => is_jax(module, *inner),
        Expr::Name(_, name) => module.stmts.iter().any(|stmt| match stmt {
            Stmt::Import(aliases) => aliases.iter().any(|alias| {
                let module = alias.name.as_str();
                let bound = alias.asname.map_or(module.split('.').next().unwrap_or_default(), |own| own.as_str());
                bound == name.as_str() && (module == "jax" || module.starts_with("jax."))
            }),
            Stmt::ImportFrom { module: from, names, .. } => {
                let from = from.as_str();
                (from == "jax" || from.starts_with("jax."))
                    && names.iter().any(|alias| alias.asname.unwrap_or(alias.name).as_str() == name.as_str())
            }
            _ => false,
        }),
        _ => false,
    }
}
