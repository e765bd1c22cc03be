//! `y += v` behind `y = x` as `x = x + v`: the new array goes to the name that is read. One that a caller reads is out of reach.

use super::{Found, rebound};
use crate::diagnostics::Fix;
use crate::module::{BinaryOp, Expr, Stmt, Target};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (id, span) = found.statement(found.span())?;
    let Stmt::AugAssign { target: Target::Name(_, name, _), op, value } = found.module.stmt(id) else { return None };
    let sign = match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        _ => return None,
    };
    let text = found.text(*value);
    let text = match found.module.expr(*value) {
        Expr::Name(..) | Expr::Constant(_) | Expr::Call(..) | Expr::Attribute(..) | Expr::Subscript(..) => {
            text.to_owned()
        }
        _ => format!("({text})"),
    };
    let read = found.module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, read) => match &targets[..] {
            [Target::Name(_, alias, _)] if alias == name => Some(*read),
            _ => None,
        }
        .filter(|read| found.diagnostic.related.iter().any(|related| related.at.span == found.module.span(*read))),
        _ => None,
    })?;
    let read = rebound::targets(found, read, span)?;
    found.replace(format!("give the new array to `{read}`"), span, format!("{read} = {read} {sign} {text}"))
}
