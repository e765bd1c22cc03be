//! Short ways through conditions, items of items and calls of builtin methods: one operation where all is plain, and the operations
//! behind it where not.
//!
//! A probe does all that the operations behind it would do, or changes nothing; it fails never. What it does not know is left to the
//! operations that it would have jumped over, whose operands are still in their registers. The links of a chained comparison are no probes: each goes on,
//! or does what is left of the chain.

use super::handlers::{attempt, fields};
use super::items::number_at;
use super::numbers::{Comparison, compared, holds, truth_of};
use super::op::{At, Flat, NONE, Op, Reg};
use super::places::put;
use crate::interp::function::Run;
use crate::interp::quick::{Number, item};
use crate::module::{CompareOp, Expr, ExprId};
use crate::python::Value;
use crate::python::halt::Step;

/// Where a probe leads.
#[inline(always)]
fn leads(truth: Option<bool>, (when, skip, aim): (bool, u8, At), at: At) -> At {
    match truth {
        Some(truth) if truth == when => aim,
        Some(_) => at + At::from(skip),
        None => at + 1,
    }
}

pub(super) fn quick<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Quick { when, skip, left, right, aim, .. });
    match holds::<C>(run.reg(left), run.reg(right)) {
        None => quick_any(run, flat, op, at),
        truth => leads(truth, (when, skip, aim), at),
    }
}

#[inline(never)]
pub(super) fn quick_any<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Quick { op, when, skip, left, right, aim });
    leads(compared(op, run.reg(left), run.reg(right)), (when, skip, aim), at)
}

pub(super) fn quick_int<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickInt { when, skip, left, right, aim, .. });
    match run.reg(left) {
        Value::Int(x) => leads(Some(C::holds(*x, i64::from(right))), (when, skip, aim), at),
        Value::Float(x) => leads(Some(C::holds(*x, f64::from(right))), (when, skip, aim), at),
        _ => quick_int_any(run, flat, op, at),
    }
}

#[inline(never)]
pub(super) fn quick_int_any<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickInt { op, when, skip, left, right, aim });
    leads(compared(op, run.reg(left), &Value::Int(i64::from(right))), (when, skip, aim), at)
}

pub(super) fn quick_none<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickNone { when, skip, value, aim });
    let truth = match run.reg(value) {
        Value::None => Some(true),
        value => compared(CompareOp::Is, value, &Value::None),
    };
    leads(truth, (when, skip, aim), at)
}

pub(super) fn quick_truth<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickTruth { when, skip, value, aim });
    leads(truth_of(run.reg(value)), (when, skip, aim), at)
}

pub(super) fn quick_item<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickItem { skip, dst, object, first, second });
    let (&Value::Int(first), &Value::Int(second)) = (run.reg(first), run.reg(second)) else { return at + 1 };
    match number_of_row(run.reg(object), first, second) {
        Some(number) => run.done_number(at + At::from(skip) - 1, dst, number),
        None => quick_item_any(run, flat, op, at),
    }
}

/// The number that a row of a list or tuple has at a position.
#[inline(always)]
fn number_of_row(object: &Value, first: i64, second: i64) -> Option<Number> {
    match object {
        Value::List(rows) => number_at(item(&rows.known()?.items, first)?, second),
        Value::Tuple(rows) => number_at(item(rows, first)?, second),
        _ => None,
    }
}

#[inline(never)]
fn quick_item_any<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickItem { skip, dst, object, first, second });
    let (&Value::Int(first), &Value::Int(second)) = (run.reg(first), run.reg(second)) else { return at + 1 };
    let user = run.user;
    let found = run.apart(object, dst, |object, slot| match object {
        Value::List(rows) => {
            let rows = rows.contents();
            rows.vague.is_none() && item(&rows.items, first).is_some_and(|row| put_from(row, second, slot, user))
        }
        Value::Tuple(rows) => item(rows, first).is_some_and(|row| put_from(row, second, slot, user)),
        _ => false,
    });
    at + if found { At::from(skip) } else { 1 }
}

pub(super) fn quick_method<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, QuickMethod { builtin, skip, dst, object, first, constant });
    let receiver = run.reg(object);
    if !builtin.is_of(receiver) || run.watches_writes() || first != NONE && run.needs_door(run.reg(first)) {
        return at + 1;
    }
    let value = match (first, flat.constants.get(usize::from(constant))) {
        (NONE, Some(constant)) => builtin.call_on(run.it, receiver, constant, None),
        (NONE, None) => None,
        (first, constant) => builtin.call_on(run.it, receiver, run.reg(first), constant),
    };
    match value {
        Some(value) if !run.needs_door(&value) => {
            run.done(at, dst, value);
            at + At::from(skip)
        }
        _ => at + 1,
    }
}

/// Copies the item of a row; whether it is there and needs no door.
#[inline(always)]
fn put_from(row: &Value, at: i64, slot: &mut Value, user: bool) -> bool {
    match row {
        Value::List(list) => {
            let row = list.contents();
            row.vague.is_none() && put(slot, item(&row.items, at), user)
        }
        Value::Tuple(items) => put(slot, item(items, at), user),
        _ => false,
    }
}

pub(super) fn chain<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Chain { last, dst, left, right, .. });
    match holds::<C>(run.reg(left), run.reg(right)) {
        Some(true) if !last => at + 2,
        Some(truth) => run.done_bool(at, dst, truth),
        None => chain_any(run, flat, op, at),
    }
}

#[inline(never)]
pub(super) fn chain_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Chain { op, number, last, dst, left, right, expr });
    match compared(op, run.reg(left), run.reg(right)) {
        Some(true) if !last => at + 2,
        Some(truth) => run.done_bool(at, dst, truth),
        None if flat.window.is_some() => run.bails(at),
        None => {
            let value = attempt!(run, at, run.rest_of_chain(usize::from(number), left, right, expr));
            run.done(at, dst, value)
        }
    }
}

impl Run<'_> {
    /// What a chained comparison comes to, from the one with this number on, whose operands are in registers.
    #[inline(never)]
    fn rest_of_chain(&mut self, number: usize, left: Reg, right: Reg, expr: ExprId) -> Step<Value> {
        let Expr::Compare(first, rest) = self.module.expr(expr) else { return self.eval(expr) };
        let left = self.operand(left, if number == 0 { *first } else { rest[number - 1].1 })?;
        let right = self.operand(right, rest[number].1)?;
        let result = self.marked(expr, |run| run.chained(left, right, &rest[number..]));
        self.finish(expr, result)
    }
}
