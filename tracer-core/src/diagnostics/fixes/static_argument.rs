//! `@jax.jit` as `@jax.jit(static_argnames=("n",))`, for an argument that has to be a Python value.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, traced, within};
use crate::module::{Code, CodeKind, Expr, ExprId, Stmt};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (code, argument) = match found.diagnostic.rule {
        "not-an-array" => named(found)?,
        _ => among_operands(found)?,
    };
    make(found, code, &argument)
}

/// The `jit` among the decorators of a function is told that a parameter is static.
pub(super) fn make(found: &Found<'_>, code: &Code, argument: &str) -> Option<Fix> {
    let decorators = found.module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::FunctionDef(def) if std::ptr::eq(found.module.code(def.code), code) => Some(&def.decorators),
        _ => None,
    })?;
    let title = format!("make `{argument}` static");
    for decorator in decorators {
        match found.module.expr(*decorator) {
            Expr::Attribute(..) | Expr::Name(..) if is_jit(found, *decorator) => {
                let text = format!("{}(static_argnames=(\"{argument}\",))", found.text(*decorator));
                return found.replace(title, found.module.span(*decorator), text);
            }
            Expr::Call(function, _) => {
                let call = call(found.module, *decorator)?;
                let of_jit = is_jit(found, *function) || call.argument(0).is_some_and(|first| is_jit(found, first));
                if of_jit && !found.text(*decorator).contains("static_arg") {
                    let end = found.module.span(*decorator).end - 1;
                    let at = crate::text::Span { start: end, end };
                    return found.replace(title, at, format!(", static_argnames=(\"{argument}\",)"));
                }
            }
            _ => {}
        }
    }
    None
}

fn is_jit(found: &Found<'_>, expr: ExprId) -> bool {
    matches!(found.text(expr), "jax.jit" | "jit")
}

/// The parameter that a message names, and its function.
fn named<'a>(found: &Found<'a>) -> Option<(&'a Code, String)> {
    let message = &found.diagnostic.message;
    let text = ["<class 'str'>", "<class 'builtin_function_or_method'>", "<class 'function'>", "<class 'type'>"];
    if !text.iter().any(|class| message.contains(class)) {
        return None;
    }
    let function = message.split_once("<function ")?.1.split(' ').next()?.rsplit('.').next()?;
    let path = message.split_once("at path ")?.1.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    let code = crate::diagnostics::reading::function(found.module, function)?;
    code.params.names.iter().any(|param| param.name.as_str() == path).then(|| (code, path.to_owned()))
}

/// The one parameter among the operands that is a traced integer and was a Python number at the call.
fn among_operands<'a>(found: &Found<'a>) -> Option<(&'a Code, String)> {
    let span = found.span();
    let around = found.module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(span, code.span));
    let code = around.min_by_key(|code| code.span.end - code.span.start)?;
    let mut names: Vec<&str> = Vec::new();
    for (i, expr) in found.module.exprs.iter().enumerate() {
        let id = ExprId(i as u32);
        if let Expr::Name(_, name) = expr
            && within(found.module.span(id), span)
            && code.params.names.iter().any(|param| param.name == *name)
            && let Some(avals) = traced(found.facts, id)
            && avals.iter().all(|aval| aval.weak && aval.shape.is_empty() && aval.dtype.is_integer())
            && !names.contains(&name.as_str())
        {
            names.push(name.as_str());
        }
    }
    match names[..] {
        [name] => Some((code, name.to_owned())),
        _ => None,
    }
}
