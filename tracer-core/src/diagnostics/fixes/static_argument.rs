//! `@jax.jit` as `@jax.jit(static_argnames=("n",))`, for an argument that has to be a Python value.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, call, traced, within};
use crate::module::{Arg, Code, CodeKind, Const, Expr, ExprId, Stmt};
use crate::python::LeafKind;

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
                if of_jit && found.text(*decorator).contains("static_arg") {
                    return also(found, code, argument, &call);
                }
                if of_jit {
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

/// One more beside those that are static already, which are written out: `static_argnums=(0,)` as `static_argnums=(0, 2)`.
fn also(found: &Found<'_>, code: &Code, argument: &str, jit: &Call<'_>) -> Option<Fix> {
    let mut given = jit.args.iter().filter_map(|arg| match arg {
        Arg::Keyword(name, value) if name.as_str().starts_with("static_arg") => Some((name.as_str(), *value)),
        _ => None,
    });
    let (name, value) = given.next().filter(|_| given.next().is_none())?;
    let place = code.params.names.iter().position(|param| param.name.as_str() == argument)?;
    let by_place = place < code.params.positional as usize;
    let own = match name {
        "static_argnames" => format!("\"{argument}\""),
        "static_argnums" if by_place => place.to_string(),
        _ => return None,
    };
    let (span, text) = (found.module.span(value), found.text(value));
    let plain = |id: &ExprId| match found.module.expr(*id) {
        Expr::Constant(Const::Int(number)) => name == "static_argnums" && number.to_string() != own,
        Expr::Constant(Const::Str(_)) => {
            name == "static_argnames" && found.text(*id).trim_matches(['"', '\'']) != argument
        }
        _ => false,
    };
    let text = match found.module.expr(value) {
        Expr::Tuple(items) | Expr::List(items) if items.iter().all(plain) => {
            let close = if text.starts_with('[') { "]" } else { ")" };
            let inner = text.get(1..text.len() - 1)?.trim_end().trim_end_matches(',');
            let open = text.get(..1).filter(|open| matches!(*open, "(" | "["))?;
            let comma = if inner.is_empty() && open == "(" { "," } else { "" };
            let inner = if inner.is_empty() { String::new() } else { format!("{inner}, ") };
            format!("{open}{inner}{own}{comma}{close}")
        }
        Expr::Constant(_) if plain(&value) => format!("({text}, {own})"),
        _ => return None,
    };
    found.replace(format!("make `{argument}` static"), span, text)
}

fn is_jit(found: &Found<'_>, expr: ExprId) -> bool {
    matches!(found.text(expr), "jax.jit" | "jit")
}

/// The parameter that was given what is no array as a whole and can be hashed, and its function.
fn named<'a>(found: &Found<'a>) -> Option<(&'a Code, String)> {
    let leaf = found.argument().filter(|leaf| leaf.whole && leaf.kind != LeafKind::Other)?;
    let name = leaf.function.rsplit('.').next()?;
    let code = crate::diagnostics::reading::function(found.module, name)?;
    let is_named = code.params.names.iter().any(|param| param.name.as_str() == leaf.parameter);
    is_named.then(|| (code, leaf.parameter.to_string()))
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
