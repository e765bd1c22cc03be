//! The last clause of a comprehension.

use super::handlers::{attempt, fields};
use super::op::{At, Flat, NONE, Op};
use crate::interp::expr::Collected;
use crate::interp::function::{Flow, Run};
use crate::python::Value;

/// A comprehension's last clause that runs.
pub struct Elements {
    /// Where the items come from.
    pub iterator: Value,
    /// Where the elements go.
    pub(in crate::interp) out: Collected,
    /// Whether it was the iterator that failed.
    pub failed: bool,
}

pub(super) fn next_element<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElement { dst, cost, over });
    attempt!(run, at, run.it.spend_several(cost));
    let Some(elements) = &run.elements else { return over };
    if let Value::Iter(iter) = &elements.iterator {
        if let Some(number) = iter.next_of_range() {
            return match number {
                Some(number) => run.done_int(at, dst, number),
                None => over,
            };
        }
        if let Some(item) = iter.next_at_hand() {
            return match item {
                Some(item) => run.done(at, dst, item),
                None => over,
            };
        }
    }
    next_element_other(run, flat, op, at)
}

#[inline(never)]
fn next_element_other<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElement { dst, over, .. });
    let Some(iterator) = run.elements.as_ref().map(|elements| elements.iterator.clone()) else { return over };
    match run.it.next(&iterator) {
        Ok(Some(item)) => run.done(at, dst, item),
        Ok(None) => over,
        Err(halt) => {
            if let Some(elements) = &mut run.elements {
                elements.failed = true;
            }
            run.fails(at, halt)
        }
    }
}

pub(super) fn collect<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Collect { value, key, expr });
    let value = match run.needs_door(run.reg(value)) || usize::from(value) >= run.code.locals.len() {
        true => attempt!(run, at, run.operand(value, expr)),
        false => run.reg(value).clone(),
    };
    let key = (key != NONE).then(|| run.taken_from(key));
    let Some(mut elements) = run.elements.take() else { return at + 1 };
    let enough = run.collect(&mut elements.out, key, value);
    run.elements = Some(elements);
    match attempt!(run, at, enough) {
        true => run.ends(Flow::Break),
        false => at + 1,
    }
}
