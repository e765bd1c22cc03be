//! The last clause of a comprehension.

use super::handlers::{attempt, fields, mistaken};
use super::op::{At, Flat, NONE, Op, Reg};
use crate::interp::expr::Collected;
use crate::interp::function::{Flow, Run};
use crate::interp::generator::{Generator, Given};
use crate::interp::used_up::Use;
use crate::python::iterator::Put;
use crate::python::key::Asked;
use crate::python::{Value, journal};

/// A comprehension's last clause that runs.
pub struct Elements {
    /// Where the items come from.
    pub iterator: Value,
    /// Where the elements go.
    pub(in crate::interp) out: Collected,
    /// Whether it was the iterator that failed.
    pub failed: bool,
    /// The work on arrays that there had been before it.
    pub work: u64,
}

impl Elements {
    /// Of a generator expression whose iterator stands there.
    pub(in crate::interp) fn yielded(iterator: &mut Value) -> Elements {
        let iterator = std::mem::replace(iterator, Value::Unbound);
        Elements { iterator, out: Collected::Nothing, failed: false, work: 0 }
    }
}

/// The register, the cost and the end of an operation that asks for an element.
#[inline(always)]
fn element_fields(op: &Op) -> (Reg, u32, At) {
    match *op {
        Op::NextElement { dst, cost, over } | Op::NextElementParts { dst, cost, over, .. } => (dst, cost, over),
        ref op => mistaken(op),
    }
}

pub(super) fn next_element<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (dst, cost, over) = element_fields(op);
    if run.it.spends(cost)
        && let Some(elements) = &run.elements
        && let Value::Iter(iter) = &elements.iterator
    {
        let slot = &mut run.frame.locals[dst as usize];
        if !journal::speculating() && iter.put_light(slot) {
            return at + 1;
        }
        return match iter.put_next(slot) {
            Put::Done => at + 1,
            Put::Over => over,
            Put::Generator(generator) => next_of_generator(run, op, at, generator),
            Put::Away | Put::Driven => next_element_other(run, flat, op, at),
        };
    }
    next_element_any(run, flat, op, at)
}

pub(super) fn next_element_parts<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, NextElementParts { slots, cost, .. });
    if let Some(elements) = &run.elements
        && let Value::Iter(iter) = &elements.iterator
        && let Some(slots) = flat.slots.get(slots as usize)
        && !journal::speculating()
    {
        let locals = &mut run.frame.locals;
        let taken = iter.take_parts(slots.len(), |i, item| {
            if let Some(slot) = slots.get(i).and_then(|slot| locals.get_mut(*slot as usize)) {
                slot.copy_from(item);
            }
        });
        if taken {
            // Behind the operation that is done with it.
            return match run.it.spends(cost) {
                true => at + 2,
                false => spend_parts(run, at, cost),
            };
        }
    }
    next_element(run, flat, op, at)
}

#[cold]
#[inline(never)]
fn spend_parts(run: &mut Run<'_>, at: At, cost: u32) -> At {
    attempt!(run, at, run.it.spend_several(cost));
    at + 2
}

#[inline(never)]
fn next_element_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (_, cost, _) = element_fields(op);
    attempt!(run, at, run.it.spend_several(cost));
    next_element_other(run, flat, op, at)
}

#[inline(never)]
fn next_of_generator<'a>(run: &mut Run<'a>, op: &'a Op, at: At, generator: Box<Generator>) -> At {
    let (dst, _, over) = element_fields(op);
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
    let (dst, _, over) = element_fields(op);
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

pub(super) fn collect<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Collect { value, key, .. });
    if key == NONE
        && !run.rests
        && let Some(elements) = run.elements.as_deref_mut()
    {
        // Numbers are not moved as a whole: what was written in two parts would be waited for.
        match (&mut elements.out, &run.frame.locals[value as usize]) {
            (Collected::List(items), Value::Int(number)) => {
                items.push(Value::Int(*number));
                return at + 1;
            }
            (Collected::List(items), Value::Float(number)) => {
                items.push(Value::Float(*number));
                return at + 1;
            }
            (Collected::Used(Use::Sum(Value::Int(total))), Value::Int(number))
                if let Some(sum) = total.checked_add(*number)
                    && run.it.spends(1) =>
            {
                *total = sum;
                return at + 1;
            }
            (Collected::Used(Use::Sum(Value::Float(total))), Value::Float(number)) if run.it.spends(1) => {
                *total += number;
                return at + 1;
            }
            (Collected::Used(Use::Quantified { wanted, found: false, .. }), Value::Bool(truth))
                if truth != wanted && run.it.spends(1) =>
            {
                return at + 1;
            }
            _ => {}
        }
    }
    collect_any(run, flat, op, at)
}

#[inline(never)]
fn collect_any<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
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
    let work = run.elements.as_deref().map_or(0, |elements| elements.work);
    match run.elements.as_deref_mut().map(|elements| &mut elements.out) {
        Some(Collected::List(items)) => {
            items.push(value);
            let is_far = run.elements.as_deref().is_some_and(|elements| run.is_far(&elements.out, work));
            return if is_far { run.ends(Flow::Continue) } else { at + 1 };
        }
        Some(Collected::Dict(items)) if let Some(key) = key.as_ref().and_then(Asked::of) => {
            items.insert(key.key(), value);
            return at + 1;
        }
        Some(Collected::Set(items)) if let Some(key) = Asked::of(&value) => {
            items.insert(key.key());
            return at + 1;
        }
        Some(Collected::Used(Use::Items(items))) if run.it.spends(1) => {
            items.push(value);
            return at + 1;
        }
        _ => {}
    }
    let Some(mut elements) = run.elements.take() else { return at + 1 };
    let enough = run.collect(&mut elements.out, key, value);
    let is_far = run.is_far(&elements.out, work);
    run.elements = Some(elements);
    match attempt!(run, at, enough) {
        true => run.ends(Flow::Break),
        false if is_far => run.ends(Flow::Continue),
        false => at + 1,
    }
}
