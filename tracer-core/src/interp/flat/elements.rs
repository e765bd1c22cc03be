//! The last clause of a comprehension.

use super::handlers::{attempt, fields};
use super::op::{At, Flat, NONE, Op};
use crate::interp::expr::Collected;
use crate::interp::function::{Flow, Run};
use crate::interp::generator::{Generator, Given};
use crate::interp::used_up::Use;
use crate::python::Value;
use crate::python::iterator::Put;

/// A comprehension's last clause that runs.
pub struct Elements {
    /// Where the items come from.
    pub iterator: Value,
    /// Where the elements go.
    pub(in crate::interp) out: Collected,
    /// Whether it was the iterator that failed.
    pub failed: bool,
}

impl Elements {
    /// Of a generator expression whose iterator stands there.
    pub(in crate::interp) fn yielded(iterator: &mut Value) -> Elements {
        let iterator = std::mem::replace(iterator, Value::Unbound);
        Elements { iterator, out: Collected::Nothing, failed: false }
    }
}

pub(super) fn next_element<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElement { dst, cost, over });
    if run.it.spends(cost)
        && let Some(elements) = &run.elements
        && let Value::Iter(iter) = &elements.iterator
    {
        return match iter.put_next(&mut run.frame.locals[dst as usize]) {
            Put::Done => at + 1,
            Put::Over => over,
            Put::Generator(generator) => next_of_generator(run, op, at, generator),
            Put::Away | Put::Driven => next_element_other(run, flat, op, at),
        };
    }
    next_element_any(run, flat, op, at)
}

#[inline(never)]
fn next_element_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElement { cost, .. });
    attempt!(run, at, run.it.spend_several(cost));
    next_element_other(run, flat, op, at)
}

#[inline(never)]
fn next_of_generator<'a>(run: &mut Run<'a>, op: &'a Op, at: At, generator: Box<Generator>) -> At {
    fields!(op, NextElement { dst, over, .. });
    let next = match &run.elements {
        Some(elements) if let Value::Iter(iter) = &elements.iterator => {
            iter.resumed_into(run.it, generator, &mut run.frame.locals[dst as usize])
        }
        _ => return over,
    };
    match next {
        Given::Item => at + 1,
        Given::Over => over,
        Given::Failed(halt) => {
            if let Some(elements) = &mut run.elements {
                elements.failed = true;
            }
            run.fails(at, *halt)
        }
    }
}

#[inline(never)]
fn next_element_other<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElement { dst, over, .. });
    let Some(mut elements) = run.elements.take() else { return over };
    let next = run.it.next(&elements.iterator);
    elements.failed = next.is_err();
    run.elements = Some(elements);
    match next {
        Ok(Some(Value::Int(number))) => run.done_int(at, dst, number),
        Ok(Some(item)) => run.done(at, dst, item),
        Ok(None) => over,
        Err(halt) => run.fails(at, halt),
    }
}

pub(super) fn collect<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Collect { value, key, expr });
    let value = match run.needs_door(run.reg(value)) || usize::from(value) >= run.code.locals.len() {
        true => attempt!(run, at, run.operand(value, expr)),
        false => run.reg(value).clone(),
    };
    let key = (key != NONE).then(|| run.taken_from(key));
    if run.rests {
        return match run.rest(at, value) {
            Ok(rest) => rest,
            Err(value) => {
                attempt!(run, at, run.yield_value(value));
                at + 1
            }
        };
    }
    match run.elements.as_deref_mut().map(|elements| &mut elements.out) {
        Some(Collected::List(items)) => {
            items.push(value);
            return at + 1;
        }
        Some(Collected::Used(Use::Sum(Value::Int(total))))
            if let Value::Int(number) = value
                && let Some(sum) = total.checked_add(number)
                && run.it.spends(1) =>
        {
            *total = sum;
            return at + 1;
        }
        _ => {}
    }
    let Some(mut elements) = run.elements.take() else { return at + 1 };
    let enough = run.collect(&mut elements.out, key, value);
    run.elements = Some(elements);
    match attempt!(run, at, enough) {
        true => run.ends(Flow::Break),
        false => at + 1,
    }
}
