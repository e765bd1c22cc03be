//! A condition in Python's words as one of `jax.numpy`: `a and b` as `jnp.logical_and(a, b)`, `a < b < c` likewise.

use super::Found;
use crate::diagnostics::reading::{call, within};
use crate::module::{CompareOp, Expr, ExprId, UnaryOp};

/// The text of the condition of an `if` or `while` that the diagnostic is about, whole or in part.
pub(super) fn asked(found: &Found<'_>, jnp: &str, test: ExprId) -> Option<String> {
    let new = text(found, jnp, test)?;
    let whole = found.module.span(test) == found.span();
    let joins = found.module.exprs.iter().zip(&found.module.expr_spans).any(|(expr, span)| {
        *span == found.span()
            && matches!(expr, Expr::And(_) | Expr::Or(_) | Expr::Unary(UnaryOp::Not, _) | Expr::Compare(..))
    });
    (whole || joins && new != found.text(test)).then_some(new)
}

/// The text of a condition on arrays; none where it asks what only Python can answer.
pub(super) fn text(found: &Found<'_>, jnp: &str, id: ExprId) -> Option<String> {
    let joined = |name: &str, mut parts: Box<dyn Iterator<Item = Option<String>> + '_>| {
        let first = parts.next()??;
        parts.try_fold(first, |all, part| Some(format!("{jnp}.{name}({all}, {})", part?)))
    };
    match found.module.expr(id) {
        Expr::And(parts) => joined("logical_and", Box::new(parts.iter().map(|part| text(found, jnp, *part)))),
        Expr::Or(parts) => joined("logical_or", Box::new(parts.iter().map(|part| text(found, jnp, *part)))),
        Expr::Unary(UnaryOp::Not, value) => Some(format!("{jnp}.logical_not({})", text(found, jnp, *value)?)),
        Expr::Compare(first, rest) => {
            let signs = rest.iter().map(|(op, _)| sign(*op)).collect::<Option<Vec<&str>>>()?;
            if signs.len() == 1 {
                return plain(found, id);
            }
            let sides: Vec<ExprId> = std::iter::once(*first).chain(rest.iter().map(|(_, side)| *side)).collect();
            for side in &sides {
                plain(found, *side)?;
            }
            let pair =
                move |at: usize| format!("{} {} {}", found.text(sides[at]), signs[at], found.text(sides[at + 1]));
            joined("logical_and", Box::new((0..rest.len()).map(move |at| Some(pair(at)))))
        }
        Expr::Call(..) => match call(found.module, id) {
            Some(asked) if asked.name == "bool" && asked.receiver.is_none() && asked.args.len() == 1 => {
                text(found, jnp, asked.argument(0)?)
            }
            _ => plain(found, id),
        },
        _ => plain(found, id),
    }
}

/// The text of an expression in which nothing else asks a value for its truth.
pub(super) fn plain<'a>(found: &Found<'a>, id: ExprId) -> Option<String> {
    let module = found.module;
    let around = module.span(id);
    let asks = module.exprs.iter().zip(&module.expr_spans).enumerate().any(|(at, (expr, span))| {
        within(*span, around)
            && match expr {
                Expr::And(_) | Expr::Or(_) | Expr::IfExp { .. } | Expr::Unary(UnaryOp::Not, _) => true,
                Expr::Compare(_, rest) => rest.len() > 1 || matches!(rest[..], [(CompareOp::In | CompareOp::NotIn, _)]),
                Expr::Call(..) => call(module, ExprId(at as u32))
                    .is_some_and(|call| call.receiver.is_none() && ASKING.contains(&call.name)),
                _ => false,
            }
    });
    (!asks).then(|| found.text(id).to_owned())
}

/// Builtins that ask what they are given for its truth, or for a number.
const ASKING: [&str; 11] = ["all", "any", "bool", "filter", "float", "int", "max", "min", "range", "round", "sorted"];

/// How a comparison of numbers is written.
pub(super) fn sign(op: CompareOp) -> Option<&'static str> {
    Some(match op {
        CompareOp::Lt => "<",
        CompareOp::LtE => "<=",
        CompareOp::Gt => ">",
        CompareOp::GtE => ">=",
        CompareOp::Eq => "==",
        CompareOp::NotEq => "!=",
        _ => return None,
    })
}
