//! `y += v` as `y = y + v`, which says that `y` is another array from there on.

use super::Found;
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
    found.replace(format!("say that `{name}` is another array"), span, format!("{name} = {name} {sign} {text}"))
}
