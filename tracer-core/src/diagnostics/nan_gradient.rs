//! `nan-gradient`: `jnp.where(x > 0, jnp.sqrt(x), 0)` gives the right value where `x` is not positive, and a gradient of NaN.
//!
//! The derivative of the branch that is not taken is multiplied by zero, and zero times infinity is no number.

use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::module::{Arg, BinaryOp, Expr, ExprId, Module, Place};
use crate::text::Span;

/// Functions whose derivative is infinite, or not defined, at the edge of where they are.
const UNSAFE: [&str; 12] =
    ["log", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "arcsin", "arccos", "arctanh", "arccosh", "power", "log1p"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        let Event::Differentiated { site } = event else { continue };
        let Some(file) = analysis.file_index(site.file) else { continue };
        let module = &analysis.files[file].module;
        for (i, expr) in module.exprs.iter().enumerate() {
            let id = ExprId(i as u32);
            let span = module.span(id);
            let Expr::Call(function, args) = expr else { continue };
            let [Arg::Positional(condition), Arg::Positional(a), Arg::Positional(b)] = &args[..] else { continue };
            if !within(span, site.span) || callee(module, *function) != Some("where") {
                continue;
            }
            let guarded = names(module, module.span(*condition));
            let Some((name, what)) = [a, b].into_iter().find_map(|branch| unsafe_part(module, *branch, &guarded))
            else {
                continue;
            };
            let at = Range { file, span };
            if found.iter().any(|other| other.at == at) {
                continue;
            }
            found.push(Diagnostic {
                at,
                rule: "nan-gradient",
                severity: Severity::Warning,
                message: format!(
                    "the gradient is NaN where {what} of `{name}` is not defined: both branches are differentiated, and zero times \
                     infinity is NaN"
                ),
                help: Some(format!(
                    "make `{name}` safe before: `safe = jnp.where(condition, {name}, 1.0)`, and use `safe` in the branch"
                )),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn callee(module: &Module, function: ExprId) -> Option<&str> {
    match module.expr(function) {
        Expr::Attribute(_, name) | Expr::Name(_, name) => Some(name.as_str()),
        _ => None,
    }
}

/// Variables that are read in a range.
fn names(module: &Module, span: Span) -> Vec<Place> {
    let inside = module.exprs.iter().zip(&module.expr_spans).filter(|(_, own)| within(**own, span));
    inside.filter_map(|(expr, _)| if let Expr::Name(place, _) = expr { Some(*place) } else { None }).collect()
}

/// An operation in a branch that is not defined everywhere, on a variable that the condition looks at.
fn unsafe_part<'m>(module: &'m Module, branch: ExprId, guarded: &[Place]) -> Option<(&'m str, String)> {
    let span = module.span(branch);
    let variable = |expr: ExprId| match module.expr(expr) {
        Expr::Name(place @ (Place::Local(_) | Place::Cell(_) | Place::Global(_)), name) if guarded.contains(place) => {
            Some(name.as_str())
        }
        _ => None,
    };
    let inside = module.exprs.iter().zip(&module.expr_spans).filter(|(_, own)| within(**own, span));
    inside.into_iter().find_map(|(expr, _)| match expr {
        Expr::Call(function, args) => {
            let name = callee(module, *function).filter(|name| UNSAFE.contains(name))?;
            let Some(Arg::Positional(first)) = args.first() else { return None };
            Some((variable(*first)?, format!("`{name}`")))
        }
        Expr::Binary(BinaryOp::Div, _, right) => Some((variable(*right)?, "division by the value".to_owned())),
        _ => None,
    })
}
