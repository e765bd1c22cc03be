//! `jnp.where(x > 0, jnp.log(x), 0)` with a value in the branch that is safe where it is not taken: `jnp.log(jnp.where(x > 0, x, 1.0))`.

use super::Found;
use crate::diagnostics::reading::{call, call_at, within};
use crate::diagnostics::{Fix, nan_gradient};
use crate::module::{Arg, BinaryOp, Expr, ExprId};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let choice = call_at(module, found.span()).filter(|call| call.name == "where")?;
    let [Arg::Positional(condition), Arg::Positional(a), Arg::Positional(b)] = choice.args[..] else { return None };
    let name = nan_gradient::guarded_name(found.facts, choice.id)?;
    let name = name.as_str();
    let is_operand = |id: ExprId| matches!(module.expr(id), Expr::Name(_, own) if own.as_str() == name);
    let mut operands = Vec::new();
    for i in 0..module.exprs.len() {
        let id = ExprId(i as u32);
        let (operand, safe) = match module.expr(id) {
            Expr::Call(..) => {
                let Some(call) = call(module, id) else { continue };
                let safe = match call.name {
                    "log" | "log2" | "log10" | "log1p" | "sqrt" | "rsqrt" | "reciprocal" => "1.0",
                    "arcsin" | "arccos" | "arctanh" => "0.5",
                    "arccosh" => "2.0",
                    _ => continue,
                };
                (call.argument(0)?, safe)
            }
            Expr::Binary(BinaryOp::Div, _, right) => (*right, "1.0"),
            Expr::Binary(BinaryOp::Pow, base, _) => (*base, "1.0"),
            _ => continue,
        };
        if is_operand(operand) {
            operands.push((operand, safe));
        }
    }
    let asks = found.text(condition);
    let function = found.text(match module.expr(choice.id) {
        Expr::Call(function, _) => *function,
        _ => return None,
    });
    let mut edits = Vec::new();
    for (branch, is_first) in [(a, true), (b, false)] {
        for (operand, safe) in operands.iter().filter(|(id, _)| within(module.span(*id), module.span(branch))) {
            let (yes, no) = if is_first { (name, *safe) } else { (*safe, name) };
            edits.push(found.edit(module.span(*operand), format!("{function}({asks}, {yes}, {no})")));
        }
    }
    (!edits.is_empty()).then(|| Fix { title: format!("make `{name}` safe where the branch is not taken"), edits })
}
