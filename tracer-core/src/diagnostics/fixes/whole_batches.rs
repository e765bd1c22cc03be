//! A last batch that is shorter than the others is left out: `range(0, n, size)` as `range(0, n - size + 1, size)`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, call, within};
use crate::diagnostics::retraced_because::REST;
use crate::module::{Body, Const, Expr, ExprId, Stmt, Symbol, Target};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let slice = found.diagnostic.related.iter().find(|related| related.message.starts_with(REST))?.at;
    if slice.file != found.diagnostic.at.file {
        return None;
    }
    let loops = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::For { target: Target::Name(_, index, _), iter, .. } if within(slice.span, *span) => {
            Some((*index, *iter, *span))
        }
        _ => None,
    });
    let comprehensions = module.codes.iter().filter(|code| within(slice.span, code.span)).filter_map(|code| {
        let Body::Comprehension(comprehension) = &code.body else { return None };
        let [clause] = &comprehension.clauses[..] else { return None };
        let Target::Name(_, index, _) = &clause.target else { return None };
        let iter = module.exprs.iter().find_map(|expr| match expr {
            Expr::Comprehension(own, iter) if std::ptr::eq(module.code(*own), code) => Some(*iter),
            _ => None,
        })?;
        Some((*index, iter, code.span))
    });
    let (index, iter, _) = loops.chain(comprehensions).min_by_key(|(_, _, span)| span.end - span.start)?;
    let range = call(module, iter).filter(|call| call.name == "range" && call.receiver.is_none())?;
    let (end, size) = steps(found, &range)?;
    if !is_batch(found, slice.span, index, size) {
        return None;
    }
    let text = |id: ExprId| match module.expr(id) {
        Expr::Name(..) | Expr::Constant(_) | Expr::Call(..) | Expr::Attribute(..) | Expr::Subscript(..) => {
            found.text(id).to_owned()
        }
        _ => format!("({})", found.text(id)),
    };
    let short = format!("{} - {} + 1", text(end), text(size));
    found.replace("leave out the last, shorter batch".into(), module.span(end), short)
}

/// The end and the step of `range(0, end, step)`.
fn steps(found: &Found<'_>, range: &Call<'_>) -> Option<(ExprId, ExprId)> {
    let (start, end, size) = (range.argument(0)?, range.argument(1)?, range.argument(2)?);
    matches!(found.module.expr(start), Expr::Constant(Const::Int(0))).then_some((end, size))
}

/// Whether a slice is `x[i:i + size]`.
fn is_batch(found: &Found<'_>, slice: crate::text::Span, index: Symbol, size: ExprId) -> bool {
    found.module.exprs.iter().zip(&found.module.expr_spans).any(|(expr, span)| {
        let Expr::Slice(Some(lower), Some(upper), None) = expr else { return false };
        let is_index = |id: ExprId| matches!(found.module.expr(id), Expr::Name(_, name) if *name == index);
        within(*span, slice)
            && is_index(*lower)
            && matches!(found.module.expr(*upper), Expr::Binary(crate::module::BinaryOp::Add, a, b)
                if is_index(*a) && found.text(*b) == found.text(size))
    })
}
