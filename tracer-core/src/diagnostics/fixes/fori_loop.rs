//! `for _ in range(n): x = f(x)` as `x = jax.lax.fori_loop(0, n, lambda _, x: f(x), x)`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, traced, within};
use crate::module::{BinaryOp, Expr, ExprId, Stmt, Symbol, Target};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::For { iter, .. } if module.span(*iter) == found.span()))?;
    let Stmt::For { target: Target::Name(_, index, _), iter, body, orelse, .. } = &module.stmts[at] else {
        return None;
    };
    let range = call(module, *iter).filter(|call| call.name == "range" && call.receiver.is_none())?;
    let (from, to) = match range.args.len() {
        1 => ("0", found.text(range.argument(0)?)),
        2 => (found.text(range.argument(0)?), found.text(range.argument(1)?)),
        _ => return None,
    };
    let ([only], true, true) = (&body[..], orelse.is_empty(), found.has_jax()) else { return None };
    let (carry, value, text) = match module.stmt(*only) {
        Stmt::Assign(targets, value) => match &targets[..] {
            [Target::Name(_, name, _)] => (*name, *value, found.text(*value).to_owned()),
            _ => return None,
        },
        Stmt::AugAssign { target: Target::Name(_, name, _), op, value } => {
            let op = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                _ => return None,
            };
            (*name, *value, format!("{name} {op} ({})", found.text(*value)))
        }
        _ => return None,
    };
    let reads = |name: Symbol| {
        let inside = module.exprs.iter().enumerate().map(|(i, expr)| (ExprId(i as u32), expr));
        inside.filter(move |(id, expr)| {
            matches!(expr, Expr::Name(_, own) if *own == name) && within(module.span(*id), module.span(value))
        })
    };
    // An index that is traced is no Python number any more.
    if reads(*index).next().is_some() {
        return None;
    }
    // The carry has one type from the first round on.
    let mut types = traced(found.facts, value).unwrap_or_default();
    for (id, _) in reads(carry) {
        types.extend(traced(found.facts, id)?);
    }
    let first = *types.first()?;
    if types.iter().any(|aval| *aval != first) {
        return None;
    }
    let text = format!("{carry} = jax.lax.fori_loop({from}, {to}, lambda {index}, {carry}: {text}, {carry})");
    found.replace("loop with `jax.lax.fori_loop`".into(), module.stmt_spans[at], text)
}
