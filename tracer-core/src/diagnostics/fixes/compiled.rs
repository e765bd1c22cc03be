//! Where a function is compiled: by a decorator, or by a call that is given it, `g = jax.jit(f)`, `self.step = jax.jit(self._step)`.

use super::{Found, definitions};
use crate::diagnostics::reading::{call, function};
use crate::module::{Arg, Code, CodeKind, Expr, ExprId, Stmt, Symbol, Target};

/// What compiles a function.
#[derive(Copy, Clone)]
pub(super) enum Compiled {
    /// `@jax.jit`
    Bare(ExprId),
    /// `@jax.jit(…)`, `@partial(jax.jit, …)` or `jax.jit(f, …)`.
    Call(ExprId),
}

/// Whether an expression is `jax.jit` itself.
pub(super) fn is_jit(found: &Found<'_>, expr: ExprId) -> bool {
    matches!(found.text(expr), "jax.jit" | "jit")
}

/// The one thing that compiles a function as it is, or its derivative. What maps it over an axis has no static arguments.
pub(super) fn of(found: &Found<'_>, code: &Code) -> Option<Compiled> {
    let decorators = definitions::of_function(found, code).map(|(def, _)| &def.decorators[..]).unwrap_or_default();
    for (at, decorator) in decorators.iter().enumerate() {
        let is_mapped = decorators[at + 1..].iter().any(|inner| maps(found.text(*inner)));
        match found.module.expr(*decorator) {
            Expr::Attribute(..) | Expr::Name(..) if is_jit(found, *decorator) => {
                return (!is_mapped).then_some(Compiled::Bare(*decorator));
            }
            Expr::Call(function, _) => {
                let call = call(found.module, *decorator)?;
                if is_jit(found, *function) || call.argument(0).is_some_and(|first| is_jit(found, first)) {
                    return (!is_mapped).then_some(Compiled::Call(*decorator));
                }
            }
            _ => {}
        }
    }
    if !decorators.is_empty() {
        return None;
    }
    let mut all = by_calls(found, code);
    all.next().filter(|_| all.next().is_none()).map(Compiled::Call)
}

fn maps(decorator: &str) -> bool {
    ["vmap", "pmap", "shard_map", "scan"].iter().any(|map| decorator.contains(map))
}

/// The calls of `jit` that are given the function.
fn by_calls<'f>(found: &'f Found<'_>, code: &'f Code) -> impl Iterator<Item = ExprId> + 'f {
    let module = found.module;
    module.exprs.iter().enumerate().filter_map(move |(at, expr)| {
        let Expr::Call(callee, args) = expr else { return None };
        let first = match args.first()? {
            Arg::Positional(first) => *first,
            _ => return None,
        };
        (is_jit(found, *callee) && stands_for(found, first, code)).then_some(ExprId(at as u32))
    })
}

/// Whether an expression is the function, or its derivative.
fn stands_for(found: &Found<'_>, expr: ExprId, code: &Code) -> bool {
    let module = found.module;
    match module.expr(expr) {
        Expr::Lambda(own, _) => std::ptr::eq(module.code(*own), code),
        Expr::Name(_, name) | Expr::Attribute(_, name) => {
            code.kind == CodeKind::Function
                && function(module, name.as_str()).is_some_and(|own| std::ptr::eq(own, code))
        }
        Expr::Call(..) => call(module, expr).is_some_and(|call| {
            matches!(call.name, "grad" | "value_and_grad")
                && call.argument(0).is_some_and(|first| stands_for(found, first, code))
        }),
        _ => false,
    }
}

/// The name that the compiled function is called by: that of its definition, or of what the call is bound to; none where it is
/// called at once.
pub(super) fn name(found: &Found<'_>, code: &Code, compiled: Compiled) -> Option<Symbol> {
    let module = found.module;
    let Compiled::Call(id) = compiled else { return Some(code.name) };
    let bound = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, value) if *value == id => match &targets[..] {
            [Target::Name(_, name, _) | Target::Attribute(_, name, _)] => Some(*name),
            _ => None,
        },
        _ => None,
    });
    let is_decorator = definitions::of_function(found, code).is_some_and(|(def, _)| def.decorators.contains(&id));
    if is_decorator { Some(code.name) } else { bound }
}
