//! What a compiled function logs is logged at each call: `logger.info("loss %s", x)` in a `jax.debug.callback`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, traced, within};
use crate::interp::Effect;
use crate::module::{Expr, ExprId, Stmt};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    if !found.effects().any(|effect| *effect == Effect::Log) || !found.has_jax() {
        return None;
    }
    let (statement, span) = found.statement(found.span())?;
    let Stmt::Expr(value) = module.stmt(statement) else { return None };
    call(module, *value)?;
    let mut names: Vec<&str> = Vec::new();
    for (i, expr) in module.exprs.iter().enumerate() {
        let id = ExprId(i as u32);
        if !within(module.span(id), span) {
            continue;
        }
        match expr {
            Expr::Name(_, name) if traced(found.facts, id).is_some() && !names.contains(&name.as_str()) => {
                names.push(name.as_str());
            }
            Expr::Lambda(..) | Expr::Comprehension(..) | Expr::Yield(_) | Expr::Await(_) | Expr::Walrus(..) => {
                return None;
            }
            // What is traced and no name would be made while it is called.
            Expr::Attribute(..) if traced(found.facts, id).is_some() => {
                let Expr::Attribute(of, _) = expr else { return None };
                traced(found.facts, *of)?;
            }
            _ => {}
        }
    }
    let (params, given) = match names.is_empty() {
        true => (String::new(), String::new()),
        false => (format!(" {}", names.join(", ")), format!(", {}", names.join(", "))),
    };
    let text = found.text_at(span);
    found.replace("log it in a callback".into(), span, format!("jax.debug.callback(lambda{params}: {text}{given})"))
}
