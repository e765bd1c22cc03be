//! Slices.

use std::rc::Rc;

use super::handlers::{attempt, fields};
use super::op::{At, Flat, Op};
use crate::interp::function::Run;
use crate::module::Expr;
use crate::python::Value;

pub(super) fn slice<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Slice { dst, object, base, expr });
    if let Some(part) = plain_part(run, run.reg(object), run.reg(base), run.reg(base + 1)) {
        return run.done(at, dst, part);
    }
    let Expr::Subscript(object_expr, _) = run.module.expr(expr) else { return at };
    let object = attempt!(run, at, run.operand(object, *object_expr));
    let index = Value::Slice(Rc::new([run.taken_from(base), run.taken_from(base + 1), Value::None]));
    run.stand_at(expr);
    let result = run.marked(expr, |run| run.it.getitem(&object, &index));
    let value = attempt!(run, at, run.finish(expr, result));
    run.done(at, dst, value)
}

pub(super) fn make<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, MakeSlice { dst, base });
    let parts = [run.taken_from(base), run.taken_from(base + 1), run.taken_from(base + 2)];
    run.done(at, dst, Value::Slice(Rc::new(parts)))
}

/// The part of a list, tuple or text between bounds that are integers, where all of it is known.
fn plain_part(run: &Run<'_>, value: &Value, lower: &Value, upper: &Value) -> Option<Value> {
    let bounds = |len: usize| -> Option<(usize, usize)> {
        let place = |bound: &Value, open: usize| match bound {
            Value::None => Some(open),
            Value::Int(at) if *at < 0 => Some(len.saturating_sub(usize::try_from(at.unsigned_abs()).ok()?)),
            Value::Int(at) => Some(len.min(usize::try_from(*at).ok()?)),
            _ => None,
        };
        let (start, end) = (place(lower, 0)?, place(upper, len)?);
        Some((start, end.max(start)))
    };
    match value {
        Value::List(list) => {
            let known = list.known()?;
            let (start, end) = bounds(known.items.len())?;
            run.it.spend_many(end - start).ok()?;
            Some(Value::list(known.items[start..end].to_vec()))
        }
        Value::Tuple(items) => {
            let (start, end) = bounds(items.len())?;
            run.it.spend_many(end - start).ok()?;
            Some(Value::Tuple(items[start..end].into()))
        }
        Value::Str(text) if run.it.long_texts.is_ascii(text) => {
            let (start, end) = bounds(text.len())?;
            run.it.spend_text(end - start).ok()?;
            Some(Value::str(&text[start..end]))
        }
        _ => None,
    }
}
