//! `outer-broadcast`: a vector and a column of the same length make a square, and all of it is added up.
//!
//! Arrays of `n` predictions and of `n` targets that differ by an axis of 1 broadcast to `n × n`: the loss is a number still, and
//! the wrong one.

use super::origins::{bindings, scope_of};
use super::reading::{Call, arrays, call, calls, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::array::Aval;
use crate::module::{Arg, BinaryOp, Const, Expr, ExprId, Module};

/// Functions that make one number of all elements.
const WHOLE: [&str; 11] = ["mean", "sum", "max", "min", "median", "var", "std", "average", "nanmean", "nansum", "norm"];
/// Functions that give an array an axis of 1 where it is wanted.
const WIDEN: [&str; 6] = ["expand_dims", "reshape", "atleast_2d", "broadcast_to", "column_stack", "meshgrid"];
/// So many names are followed to where they are bound.
const MOST_FOLLOWED: usize = 6;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for call in calls(module) {
            let Some(whole) = whole(module, &call) else { continue };
            let Some(size) = shape(facts, whole).and_then(|shape| match shape[..] {
                [n, m] if n == m && n > 1 => Some(n),
                _ => None,
            }) else {
                continue;
            };
            for (id, left, right) in squares(facts, whole, size, MOST_FOLLOWED) {
                let at = Range { file, span: module.span(id) };
                if found.iter().any(|other| other.at == at) {
                    continue;
                }
                let related = [left, right].map(|operand| {
                    let text = arrays(facts, operand).and_then(|avals| avals.first().map(ToString::to_string));
                    Related { at: Range { file, span: module.span(operand) }, message: text.unwrap_or_default() }
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

/// What a call makes one number of.
fn whole(module: &Module, call: &Call<'_>) -> Option<ExprId> {
    let receiver = call.receiver.filter(|_| WHOLE.contains(&call.name))?;
    match call.args {
        [] => Some(receiver),
        [Arg::Positional(value)] if matches!(module.expr(receiver), Expr::Name(..) | Expr::Attribute(..)) => {
            Some(*value)
        }
        _ => None,
    }
}

/// The shape of an expression that was an array of this shape each time.
fn shape(facts: &FileFacts, expr: ExprId) -> Option<Vec<usize>> {
    let sizes = |aval: &Aval| aval.shape.iter().map(|size| size.known()).collect::<Option<Vec<_>>>();
    let avals = arrays(facts, expr)?;
    let first = sizes(avals.first()?)?;
    avals.iter().all(|aval| sizes(aval).is_some_and(|other| other == first)).then_some(first)
}

/// What in an expression, or in what the names in it are bound to, makes a square of a vector and a column: the operation and its
/// operands.
fn squares(facts: &FileFacts, root: ExprId, size: usize, depth: usize) -> Vec<(ExprId, ExprId, ExprId)> {
    let module = &*facts.module;
    let mut found = Vec::new();
    for i in 0..module.exprs.len() {
        let id = ExprId(i as u32);
        if !within(module.span(id), module.span(root)) {
            continue;
        }
        let (left, right) = match module.expr(id) {
            Expr::Binary(BinaryOp::Sub | BinaryOp::Mul, left, right) => (*left, *right),
            Expr::Compare(left, rest) if rest.len() == 1 => (*left, rest[0].1),
            Expr::Name(..) if depth > 0 => {
                // What is a square itself may have become one where it is bound.
                if shape(facts, id).is_some_and(|shape| shape == [size, size])
                    && let Some(value) = bound_to(module, id)
                {
                    found.extend(squares(facts, value, size, depth - 1));
                }
                continue;
            }
            _ => continue,
        };
        let fits = match (shape(facts, left).as_deref(), shape(facts, right).as_deref()) {
            (Some([n]), Some([m, 1])) | (Some([m, 1]), Some([n])) => *n == size && *m == size,
            _ => false,
        };
        if fits && !is_meant(module, left, MOST_FOLLOWED) && !is_meant(module, right, MOST_FOLLOWED) {
            found.push((id, left, right));
        }
    }
    found
}

/// The one value that a name is bound to.
fn bound_to(module: &Module, id: ExprId) -> Option<ExprId> {
    let Expr::Name(_, name) = module.expr(id) else { return None };
    let scope = scope_of(module, *name, module.span(id))?;
    let mut values = Vec::new();
    bindings(module, scope, *name, &mut |_, value| values.push(value));
    match values[..] {
        [Some(value)] => Some(value),
        _ => None,
    }
}

/// Whether an operand has an axis added in the place: then the square is meant.
fn is_meant(module: &Module, id: ExprId, depth: usize) -> bool {
    if depth == 0 {
        return true;
    }
    match module.expr(id) {
        Expr::Name(..) => bound_to(module, id).is_some_and(|value| is_meant(module, value, depth - 1)),
        Expr::Subscript(_, index) => match module.expr(*index) {
            Expr::Tuple(items) => items.iter().any(|item| is_new_axis(module, *item)),
            _ => is_new_axis(module, *index),
        },
        Expr::Attribute(value, _) | Expr::Unary(_, value) => is_meant(module, *value, depth - 1),
        Expr::Binary(_, left, right) => is_meant(module, *left, depth - 1) || is_meant(module, *right, depth - 1),
        Expr::Call(..) => call(module, id).is_some_and(|call| {
            WIDEN.contains(&call.name)
                || call.args.iter().any(|arg| matches!(arg, Arg::Keyword(name, _) if name.as_str() == "keepdims"))
        }),
        _ => false,
    }
}

fn is_new_axis(module: &Module, id: ExprId) -> bool {
    match module.expr(id) {
        Expr::Constant(Const::None) => true,
        Expr::Attribute(_, name) => name.as_str() == "newaxis",
        _ => false,
    }
}
