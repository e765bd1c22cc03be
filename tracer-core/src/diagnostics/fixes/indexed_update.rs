//! `x[i] = v` as `x = x.at[i].set(v)`, and `x[i] += v` as `x = x.at[i].add(v)`, where the new array is read or kept.

use super::{Found, rebound};
use crate::diagnostics::Fix;
use crate::module::{BinaryOp, Stmt, Target};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (id, span) = found.statement(found.span())?;
    let (target, method, value) = match found.module.stmt(id) {
        Stmt::Assign(targets, value) => match &targets[..] {
            [target] => (target, "set", *value),
            _ => return None,
        },
        Stmt::AugAssign { target, op, value } => {
            let method = match op {
                BinaryOp::Add => "add",
                BinaryOp::Sub => "subtract",
                BinaryOp::Mul => "multiply",
                BinaryOp::Div => "divide",
                BinaryOp::Pow => "power",
                _ => return None,
            };
            (target, method, *value)
        }
        _ => return None,
    };
    let Target::Subscript(array, index, _) = target else { return None };
    let bound = rebound::targets(found, *array, span)?;
    let (array, index) = (found.text(*array), found.text(*index));
    let text = format!("{bound} = {array}.at[{index}].{method}({})", found.text(value));
    found.replace(format!("bind the changed array to `{}`", bound.split(" = ").next()?), span, text)
}
