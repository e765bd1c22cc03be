//! `jnp.log(jnp.sum(jnp.exp(x)))` as `jax.nn.logsumexp(x)`, and the like.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, call, call_at};
use crate::module::{Arg, Expr};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let log = call_at(found.module, found.span())?;
    let inner = call(found.module, log.argument(0)?)?;
    let text = match inner.name {
        "exp" => {
            let value = inner.argument(0)?;
            match found.module.expr(value) {
                Expr::Name(..) | Expr::Call(..) | Expr::Attribute(..) | Expr::Subscript(..) => {
                    found.text(value).to_owned()
                }
                _ => format!("({})", found.text(value)),
            }
        }
        name @ ("softmax" | "sigmoid") if found.has_jax() => {
            format!("jax.nn.log_{name}({})", arguments(found, &inner)?)
        }
        "sum" if found.has_jax() => {
            let exp = call(found.module, inner.argument(0)?)?;
            let value = found.text(exp.argument(0)?);
            match &inner.args[1..] {
                [] => format!("jax.nn.logsumexp({value})"),
                rest => {
                    // `axis=` and `keepdims=` mean the same there.
                    let named = |arg: &Arg| matches!(arg, Arg::Keyword(name, _) if matches!(name.as_str(), "axis" | "keepdims"));
                    if !rest.iter().all(named) {
                        return None;
                    }
                    let all = arguments(found, &inner)?;
                    let rest = all.strip_prefix(found.text(exp.id))?;
                    format!("jax.nn.logsumexp({value}{rest})")
                }
            }
        }
        _ => return None,
    };
    found.replace("compute it in one".into(), found.span(), text)
}

/// The text between the parentheses of a call.
fn arguments(found: &Found<'_>, call: &Call<'_>) -> Option<String> {
    let Expr::Call(function, _) = found.module.expr(call.id) else { return None };
    let behind = Span { start: found.module.span(*function).end, end: call.span.end };
    let text = found.text_at(behind).trim();
    Some(text.strip_prefix('(')?.strip_suffix(')')?.trim().to_owned())
}
