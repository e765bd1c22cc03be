//! A last batch that is shorter than the others is left out: `range(0, n, size)` as `range(0, n - size + 1, size)`.

use super::batches::{self, Part};
use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::origins;
use crate::diagnostics::reading::{Call, call, calls, within};
use crate::module::{Arg, BinaryOp, Body, Const, Expr, ExprId, Stmt, Symbol, Target, UnaryOp};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let part = batches::part(found)?;
    let (slice, index, range) = loop_of(found, &part)?;
    if counts(found, &part) {
        return None;
    }
    if let Some((at, whole)) = numbered(found, &range, slice, index) {
        return found.replace("leave out the last, shorter batch".into(), at, whole);
    }
    let (end, size) = steps(found, &range)?;
    if !is_batch(found, slice, index, size) {
        return None;
    }
    let short = format!("{} - {} + 1", grouped(found, end), grouped(found, size));
    found.replace("leave out the last, shorter batch".into(), module.span(end), short)
}

/// Whether what goes through the batches counts or gathers something that every batch is a part of, or what it has of the last one is
/// read behind it.
fn counts(found: &Found<'_>, part: &Part) -> bool {
    let module = found.module;
    let slice = part.slice;
    let loops = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::For { target, iter, .. } if within(slice, *span) => Some((target, module.span(*iter), *span)),
        _ => None,
    });
    // A comprehension gathers.
    let Some(own) = loops.min_by_key(|(.., span)| span.end - span.start) else { return true };
    let Some(generator) = part.yielded else { return gathers(found, own, slice, false) };
    match batches::consumers(found, generator) {
        Some(all) => all.into_iter().any(|own| gathers(found, own, slice, false)) || gathers(found, own, slice, true),
        None => true,
    }
}

/// Whether a loop adds up, appends, asks how long its batches are, or leaves the last one to who reads it.
fn gathers(found: &Found<'_>, (target, rounds, around): (&Target, Span, Span), slice: Span, yields: bool) -> bool {
    let module = found.module;
    let inside = || module.stmts.iter().zip(&module.stmt_spans).filter(|(_, span)| within(**span, around));
    let gathers = inside().any(|(stmt, _)| match stmt {
        Stmt::AugAssign { .. } => true,
        Stmt::Assign(targets, value) => targets.iter().any(|target| match target {
            Target::Name(..) => adds_up(found, target, *value),
            // What an object has of the last batch alone may be read anywhere.
            Target::Attribute(_, _, span) => {
                adds_up(found, target, *value) || !found.text(*value).contains(found.text_at(*span))
            }
            Target::Tuple(..) => false,
            _ => true,
        }),
        Stmt::Expr(value) => !yields && matches!(module.expr(*value), Expr::Yield(_) | Expr::YieldFrom(_)),
        _ => false,
    });
    let asks = calls(module).filter(|call| within(call.span, around) && !within(call.span, rounds)).any(|call| {
        match call.receiver {
            // `tx.update(grads, state)` that gives something changes nothing.
            Some(_) => {
                matches!(call.name, "append" | "extend" | "add" | "update" | "insert")
                    && inside().any(|(stmt, _)| matches!(stmt, Stmt::Expr(value) if *value == call.id))
            }
            None => call.name == "len",
        }
    });
    // Names of one batch: the index, and what is cut out by it.
    let mut of_batch = Vec::new();
    names(target, &mut of_batch);
    of_batch.extend(
        inside()
            .filter_map(|(stmt, _)| match stmt {
                Stmt::Assign(targets, value) if within(slice, module.span(*value)) => {
                    let mut all = Vec::new();
                    targets.iter().for_each(|target| names(target, &mut all));
                    Some(all)
                }
                _ => None,
            })
            .flatten(),
    );
    let scope = definitions::around(found, around).map(|code| code.span);
    let is_read = module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| {
        matches!(expr, Expr::Name(_, name) if of_batch.contains(name))
            && span.start >= around.end
            && scope.is_none_or(|scope| within(*span, scope))
    });
    gathers || asks || is_read
}

/// `total = total + f(x)`
fn adds_up(found: &Found<'_>, target: &Target, value: ExprId) -> bool {
    let (Target::Name(_, _, span) | Target::Attribute(_, _, span)) = target else { return false };
    let name = found.text_at(*span);
    match found.module.expr(value) {
        Expr::Binary(_, a, b) => found.text(*a) == name || found.text(*b) == name,
        _ => false,
    }
}

fn names(target: &Target, all: &mut Vec<Symbol>) {
    match target {
        Target::Name(_, name, _) => all.push(*name),
        Target::Tuple(items, _) => items.iter().for_each(|item| names(item, all)),
        _ => {}
    }
}

/// The size of the batches: `size` of `range(0, n, size)` and slices `x[i:i + size]`, or of `x[i * size:(i + 1) * size]`.
pub(super) fn size(found: &Found<'_>) -> Option<ExprId> {
    let part = batches::part(found).filter(|part| part.yielded.is_none())?;
    let (slice, index, range) = loop_of(found, &part)?;
    if let Some((_, size)) = steps(found, &range) {
        return is_batch(found, slice, index, size).then_some(size);
    }
    numbered(found, &range, slice, index)?;
    let mut inside = found.module.exprs.iter().zip(&found.module.expr_spans).filter(|(_, span)| within(**span, slice));
    inside.find_map(|(expr, _)| match expr {
        Expr::Slice(Some(lower), Some(_), None) => match found.module.expr(*lower) {
            Expr::Binary(BinaryOp::Mul, a, b) => {
                let is_index = |id: ExprId| matches!(found.module.expr(id), Expr::Name(_, name) if *name == index);
                Some(if is_index(*a) { *b } else { *a })
            }
            _ => None,
        },
        _ => None,
    })
}

/// The slice that gives the batches, the number that it depends on, and the range that gives that.
fn loop_of<'a>(found: &Found<'a>, part: &Part) -> Option<(Span, Symbol, Call<'a>)> {
    let (module, slice) = (found.module, part.slice);
    let loops = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::For { target: Target::Name(_, index, _), iter, .. } if within(slice, *span) => {
            Some((*index, *iter, *span))
        }
        _ => None,
    });
    let comprehensions = module.codes.iter().filter(|code| within(slice, code.span)).filter_map(|code| {
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
    Some((slice, index, range))
}

/// `range(math.ceil(n / size))` of slices `x[i * size:(i + 1) * size]`: where the number of batches stands, and that of the whole ones.
fn numbered(found: &Found<'_>, range: &Call<'_>, slice: Span, index: Symbol) -> Option<(Span, String)> {
    let module = found.module;
    let &[Arg::Positional(mut many)] = range.args else { return None };
    if let Expr::Name(_, name) = module.expr(many) {
        let reads = module.exprs.iter().filter(|expr| matches!(expr, Expr::Name(_, own) if own == name)).count();
        many = origins::bound(module, *name, range.span).filter(|_| reads == 1)?.1?;
    }
    let (all, size) = rounded_up(found, many)?;
    let is_index = |id: ExprId| matches!(module.expr(id), Expr::Name(_, name) if *name == index);
    let is_times = |id: ExprId, of: &dyn Fn(ExprId) -> bool| match module.expr(id) {
        Expr::Binary(BinaryOp::Mul, a, b) => {
            of(*a) && found.text(*b) == found.text(size) || of(*b) && found.text(*a) == found.text(size)
        }
        _ => false,
    };
    let is_next = |id: ExprId| match module.expr(id) {
        Expr::Binary(BinaryOp::Add, a, b) => is_index(*a) && matches!(module.expr(*b), Expr::Constant(Const::Int(1))),
        _ => false,
    };
    let is_batch = module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| match expr {
        Expr::Slice(Some(lower), Some(upper), None) => {
            within(*span, slice) && is_times(*lower, &is_index) && is_times(*upper, &is_next)
        }
        _ => false,
    });
    is_batch.then(|| (module.span(many), format!("{} // {}", grouped(found, all), grouped(found, size))))
}

/// `n` and `size` of `math.ceil(n / size)`, `-(-n // size)` and `(n + size - 1) // size`.
fn rounded_up(found: &Found<'_>, many: ExprId) -> Option<(ExprId, ExprId)> {
    let module = found.module;
    match module.expr(many) {
        Expr::Call(..) => {
            let call = call(module, many)?;
            let inner = call.argument(0).filter(|_| call.args.len() == 1)?;
            match (call.name, module.expr(inner)) {
                ("ceil", Expr::Binary(BinaryOp::Div, all, size)) => Some((*all, *size)),
                ("int", Expr::Call(..)) => rounded_up(found, inner),
                _ => None,
            }
        }
        Expr::Unary(UnaryOp::Neg, floor) => match module.expr(*floor) {
            Expr::Binary(BinaryOp::FloorDiv, less, size) => match module.expr(*less) {
                Expr::Unary(UnaryOp::Neg, all) => Some((*all, *size)),
                _ => None,
            },
            _ => None,
        },
        Expr::Binary(BinaryOp::FloorDiv, more, size) => {
            let Expr::Binary(BinaryOp::Sub, sum, one) = module.expr(*more) else { return None };
            let Expr::Binary(BinaryOp::Add, all, other) = module.expr(*sum) else { return None };
            let is_one = matches!(module.expr(*one), Expr::Constant(Const::Int(1)));
            (is_one && found.text(*other) == found.text(*size)).then_some((*all, *size))
        }
        _ => None,
    }
}

/// An operand, in parentheses where it needs them.
fn grouped(found: &Found<'_>, id: ExprId) -> String {
    match found.module.expr(id) {
        Expr::Name(..) | Expr::Constant(_) | Expr::Call(..) | Expr::Attribute(..) | Expr::Subscript(..) => {
            found.text(id).to_owned()
        }
        _ => format!("({})", found.text(id)),
    }
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
