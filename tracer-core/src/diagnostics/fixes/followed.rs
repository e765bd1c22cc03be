//! Functions of the program's that can be followed in the text: they assign to names, and return one value.

use super::Found;
use crate::diagnostics::{origins, reading};
use crate::module::{Body, Code, Const, Expr, ExprId, MODULE_CODE, Stmt, StmtId};

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
