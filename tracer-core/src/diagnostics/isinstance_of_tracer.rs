//! `isinstance-of-tracer`: a Python number is a traced array inside of a traced function, and no `float` or `int`.

use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, Shown};
use crate::module::{Arg, Expr, ExprId, Module};

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        for (expr, span) in module.exprs.iter().zip(&module.expr_spans) {
            let Expr::Call(function, args) = expr else { continue };
            let [Arg::Positional(value), Arg::Positional(classes)] = &args[..] else { continue };
            if !is_named(module, *function, "isinstance") {
                continue;
            }
            let of = module.span(*value);
            let Some(fact) = facts.exprs.iter().find(|fact| fact.span == of) else { continue };
            // What Python's numbers become has a weak type.
            let asked = fact.seen.iter().find_map(|seen| match seen {
                Shown::Array { aval, tracer: true } if aval.weak && aval.shape.is_empty() => {
                    let class = if aval.dtype.is_integer() { "int" } else { "float" };
                    asks_for(module, *classes, class).then_some(class)
                }
                _ => None,
            });
            let Some(class) = asked else { continue };
            found.push(Diagnostic {
                at: Range { file, span: *span },
                rule: "isinstance-of-tracer",
                severity: Severity::Warning,
                message: format!(
                    "the `{class}` that the function was called with is a traced array here: this is false"
                ),
                help: Some(
                    "ask for the dtype (`jnp.issubdtype(x.dtype, jnp.floating)`), or make the argument static".into(),
                ),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

fn is_named(module: &Module, expr: ExprId, name: &str) -> bool {
    matches!(module.expr(expr), Expr::Name(_, own) if own.as_str() == name)
}

/// Whether a class is among those that are asked for, and no array is.
fn asks_for(module: &Module, classes: ExprId, name: &str) -> bool {
    match module.expr(classes) {
        Expr::Tuple(items) => {
            items.iter().any(|item| is_named(module, *item, name))
                && !items.iter().any(|item| matches!(module.expr(*item), Expr::Attribute(..)))
        }
        _ => is_named(module, classes, name),
    }
}
