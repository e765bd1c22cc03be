//! `outer-broadcast`: a vector and a column of the same length make a square, and all of it is added up.
//!
//! Arrays of `n` predictions and of `n` targets that differ by an axis of 1 broadcast to `n × n`: the loss is a number still, and
//! the wrong one.

use super::reading::{Call, calls, traced, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::array::Aval;
use crate::module::{Arg, BinaryOp, Expr, ExprId};

/// Functions that make one number of all elements.
const WHOLE: [&str; 7] = ["mean", "sum", "max", "min", "median", "var", "std"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for call in calls(module).filter(is_whole) {
            for (i, expr) in module.exprs.iter().enumerate() {
                let id = ExprId(i as u32);
                let Expr::Binary(BinaryOp::Sub, left, right) = expr else { continue };
                if !within(module.span(id), call.span) {
                    continue;
                }
                let Some(size) = square(facts, *left, *right) else { continue };
                let at = Range { file, span: module.span(id) };
                if found.iter().any(|other| other.at == at) {
                    continue;
                }
                let related = [left, right].map(|operand| {
                    let text = traced(facts, *operand).and_then(|avals| avals.first().map(ToString::to_string));
                    Related { at: Range { file, span: module.span(*operand) }, message: text.unwrap_or_default() }
                });
                found.push(Diagnostic {
                    at,
                    rule: "outer-broadcast",
                    severity: Severity::Warning,
                    message: format!(
                        "a vector and a column of {size} make a square of {size} by {size}, and `{}` is taken over all of it",
                        call.name
                    ),
                    help: Some("give both the same shape first: `x.squeeze(-1)` or `y[:, None]`".into()),
                    related: related.into(),
                    fixes: Vec::new(),
                });
            }
        }
    }
    found
}

/// Whether a call makes one number of all elements of its argument.
fn is_whole(call: &Call<'_>) -> bool {
    call.receiver.is_some() && WHOLE.contains(&call.name) && matches!(call.args, [] | [Arg::Positional(_)])
}

/// The size of two operands of the shapes `(n,)` and `(n, 1)` that the text calls by names alone: an axis that is added in the
/// place is meant.
fn square(facts: &FileFacts, left: ExprId, right: ExprId) -> Option<usize> {
    let module = &facts.module;
    let named = |id: ExprId| matches!(module.expr(id), Expr::Name(..) | Expr::Attribute(..));
    if !named(left) || !named(right) {
        return None;
    }
    let (left, right) = (traced(facts, left)?, traced(facts, right)?);
    let sizes = |aval: &Aval| aval.shape.iter().map(|size| size.known()).collect::<Option<Vec<_>>>();
    let (left, right) = (sizes(left.first()?)?, sizes(right.first()?)?);
    match (&left[..], &right[..]) {
        ([n], [m, 1]) | ([m, 1], [n]) if n == m && *n > 1 => Some(*n),
        _ => None,
    }
}
