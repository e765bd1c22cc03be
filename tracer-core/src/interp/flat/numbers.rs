//! Operators, comparisons and conditions: on plain numbers in place.

use std::rc::Rc;

use super::handlers::{attempt, fields, inside, mistaken};
use super::inline::After;
use super::op::{At, Flat, Op, Reg};
use crate::interp::compare::method_of_comparison;
use crate::interp::function::Run;
use crate::interp::number::{fitting, of_big};
use crate::interp::operator::method_of;
use crate::interp::quick::{Number, Plain, arithmetic, comparison};
use crate::module::{BinaryOp, CompareOp, UnaryOp};
use crate::python::halt::{Step, Why};
use crate::python::{List, Value};

/// An operator on numbers.
pub(super) trait Operator {
    /// `x op y`, where it fits.
    fn integers(op: BinaryOp, x: i64, y: i64) -> Option<i64>;
    /// `x op y`, where nothing is raised.
    fn floats(_op: BinaryOp, _x: f64, _y: f64) -> Option<f64> {
        None
    }
    /// `x op y` of integers, where that is a float.
    fn quotient(_x: i64, _y: i64) -> Option<f64> {
        None
    }
}

/// An operator that has no type of its own.
pub(super) struct Any;

impl Operator for Any {
    #[inline(always)]
    fn integers(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
        fitting(op, x, y)
    }
}

macro_rules! operators {
    ($($name:ident $op:ident $(, $floats:expr $(, $quotient:expr)?)?;)*) => {$(
        pub(super) struct $name;

        impl Operator for $name {
            #[inline(always)]
            fn integers(_op: BinaryOp, x: i64, y: i64) -> Option<i64> {
                fitting(BinaryOp::$op, x, y)
            }
            $(
                #[inline(always)]
                fn floats(_op: BinaryOp, x: f64, y: f64) -> Option<f64> {
                    $floats(x, y)
                }
                $(
                    #[inline(always)]
                    fn quotient(x: i64, y: i64) -> Option<f64> {
                        $quotient(x, y)
                    }
                )?
            )?
        }
    )*};
}

operators! {
    Add Add, |x, y| Some(x + y);
    Sub Sub, |x, y| Some(x - y);
    Mul Mul, |x, y| Some(x * y);
    Div Div, |x: f64, y: f64| (y != 0.0).then(|| x / y),
        |x, y| (y != 0 && is_exact(x) && is_exact(y)).then(|| x as f64 / y as f64);
    Floor FloorDiv;
    Rem Mod;
    And BitAnd;
}

/// A comparison of numbers.
pub(super) trait Comparison {
    /// `x op y`
    fn holds<T: PartialOrd>(x: T, y: T) -> bool;
}

macro_rules! comparisons {
    ($($name:ident $sign:tt;)*) => {$(
        pub(super) struct $name;

        impl Comparison for $name {
            #[inline(always)]
            fn holds<T: PartialOrd>(x: T, y: T) -> bool {
                x $sign y
            }
        }
    )*};
}

comparisons! {
    Lt <;
    Le <=;
    Gt >;
    Ge >=;
    Eq ==;
    Ne !=;
}

/// A result that stays in machine registers.
enum Quick {
    Int(i64),
    Float(f64),
}

/// Whether a float holds an integer exactly.
#[inline(always)]
fn is_exact(number: i64) -> bool {
    number.unsigned_abs() < 1 << f64::MANTISSA_DIGITS
}

/// `x op y` of integers and floats.
#[inline(always)]
fn quick<O: Operator>(run: &Run<'_>, op: BinaryOp, left: Reg, right: Reg) -> Option<Quick> {
    match (run.reg(left), run.reg(right)) {
        (Value::Int(x), Value::Int(y)) => match O::integers(op, *x, *y) {
            Some(number) => Some(Quick::Int(number)),
            None => O::quotient(*x, *y).map(Quick::Float),
        },
        (Value::Float(x), Value::Float(y)) => O::floats(op, *x, *y).map(Quick::Float),
        (Value::Float(x), Value::Int(y)) => O::floats(op, *x, *y as f64).map(Quick::Float),
        (Value::Int(x), Value::Float(y)) => O::floats(op, *x as f64, *y).map(Quick::Float),
        _ => None,
    }
}

/// As [`quick`], by an integer that stands in the text.
#[inline(always)]
fn by_int<O: Operator>(run: &Run<'_>, op: BinaryOp, left: Reg, right: i16) -> Option<Quick> {
    match run.reg(left) {
        Value::Int(x) => match O::integers(op, *x, i64::from(right)) {
            Some(number) => Some(Quick::Int(number)),
            None => O::quotient(*x, i64::from(right)).map(Quick::Float),
        },
        Value::Float(x) => O::floats(op, *x, f64::from(right)).map(Quick::Float),
        _ => None,
    }
}

/// `x op y` of plain numbers of any kind, integers of any size too.
fn plain(op: BinaryOp, x: &Value, y: &Value) -> Option<Value> {
    match (Plain::of(x), Plain::of(y)) {
        (Some(x), Some(y)) => arithmetic(op, x, y).map(Value::from),
        _ => of_big(op, x, y),
    }
}

pub(super) fn binary<'a, O: Operator>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Binary { op: operator, dst, left, right, .. });
    match quick::<O>(run, operator, left, right) {
        Some(Quick::Int(number)) => run.done_int(at, dst, number),
        Some(Quick::Float(number)) => run.done_float(at, dst, number),
        None => binary_other(run, flat, op, at),
    }
}

#[inline(never)]
fn binary_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    if let Value::Instance(_) = run.reg(left_of(op)) {
        fields!(op, Binary { dst, .. });
        if let Some(next) = run.enter_operator(flat, op, at, After::Operator(dst)) {
            return next;
        }
    }
    fields!(op, Binary { op, dst, left, right, expr, .. });
    let value = match (op, run.reg(left), run.reg(right)) {
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) => attempt!(run, at, run.it.concatenated(x, y)),
        (BinaryOp::Add, Value::List(x), Value::List(y)) if x.known().is_some() && y.known().is_some() => {
            let joined = attempt!(run, at, joined(run, &x.clone(), &y.clone()));
            if run.user && run.needs_door(&joined) {
                run.saw(expr, &joined);
            }
            joined
        }
        (op, x, y) => match plain(op, x, y) {
            Some(number) => number,
            None => {
                inside!(run, flat, at);
                attempt!(run, at, run.flat_binary(op, left, right, expr))
            }
        },
    };
    run.done(at, dst, value)
}

/// `left + right` of lists.
fn joined(run: &Run<'_>, left: &List, right: &List) -> Step<Value> {
    let (left, right) = (left.contents(), right.contents());
    run.it.spend_many(left.items.len() + right.items.len())?;
    let mut items = Vec::with_capacity(left.items.len() + right.items.len());
    items.extend_from_slice(&left.items);
    items.extend_from_slice(&right.items);
    Ok(Value::list(items))
}

pub(super) fn binary_int<'a, O: Operator>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, BinaryInt { op: operator, dst, left, right, .. });
    match by_int::<O>(run, operator, left, right) {
        Some(Quick::Int(number)) => return run.done_int(at, dst, number),
        Some(Quick::Float(number)) => return run.done_float(at, dst, number),
        None => {}
    }
    binary_int_other(run, flat, op, at)
}

#[inline(never)]
fn binary_int_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    if let Value::Instance(_) = run.reg(left_of(op)) {
        fields!(op, BinaryInt { dst, .. });
        if let Some(next) = run.enter_operator(flat, op, at, After::Operator(dst)) {
            return next;
        }
    }
    fields!(op, BinaryInt { op, dst, left, right, expr, .. });
    let right = i64::from(right);
    let value = match plain(op, run.reg(left), &Value::Int(right)) {
        Some(number) => number,
        None => {
            inside!(run, flat, at);
            attempt!(run, at, run.flat_binary_int(op, left, right, expr))
        }
    };
    run.done(at, dst, value)
}

pub(super) fn augment<'a, O: Operator>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Augment { op: operator, dst, value });
    match quick::<O>(run, operator, dst, value) {
        Some(Quick::Int(number)) => run.done_int(at, dst, number),
        Some(Quick::Float(number)) => run.done_float(at, dst, number),
        None => augment_other(run, flat, op, at),
    }
}

#[inline(never)]
fn augment_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Augment { op, dst, value });
    let value = match (op, run.reg(dst), run.reg(value)) {
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) => attempt!(run, at, run.it.concatenated(x, y)),
        (op, x, y) if let Some(number) = plain(op, x, y) => number,
        _ => {
            inside!(run, flat, at);
            attempt!(run, at, run.flat_augment(flat, at, op, dst, value))
        }
    };
    run.done(at, dst, value)
}

pub(super) fn augment_int<'a, O: Operator>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AugmentInt { op: operator, dst, value });
    match by_int::<O>(run, operator, dst, value) {
        Some(Quick::Int(number)) => return run.done_int(at, dst, number),
        Some(Quick::Float(number)) => return run.done_float(at, dst, number),
        None => {}
    }
    augment_int_other(run, flat, op, at)
}

#[inline(never)]
fn augment_int_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AugmentInt { op, dst, value });
    let right = Value::Int(i64::from(value));
    let value = match plain(op, run.reg(dst), &right) {
        Some(number) => number,
        None => {
            inside!(run, flat, at);
            attempt!(run, at, run.flat_augment_by(flat, at, op, dst, right))
        }
    };
    run.done(at, dst, value)
}

pub(super) fn unary<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Unary { op, dst, value, expr });
    let known = match (op, run.reg(value)) {
        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!*value)),
        (UnaryOp::Not, Value::None) => Some(Value::Bool(true)),
        (UnaryOp::Neg, Value::Int(value)) => value.checked_neg().map(Value::Int),
        (UnaryOp::Neg, Value::Float(value)) => Some(Value::Float(-value)),
        _ => None,
    };
    let value = match known {
        Some(value) => value,
        None => {
            inside!(run, flat, at);
            attempt!(run, at, run.flat_unary(op, value, expr))
        }
    };
    run.done(at, dst, value)
}

/// The register of an operator's left side.
fn left_of(op: &Op) -> Reg {
    match *op {
        Op::Binary { left, .. } | Op::BinaryInt { left, .. } | Op::Compare { left, .. } | Op::Branch { left, .. } => {
            left
        }
        ref op => mistaken(op),
    }
}

/// Whether an integer or text is one of a few items that are such.
fn plainly_among(item: &Value, items: &[Value]) -> Option<bool> {
    const FEW: usize = 16;
    if items.len() > FEW {
        return None;
    }
    let mut found = false;
    for other in items {
        found |= match (item, other) {
            (Value::Int(item), Value::Int(other)) => item == other,
            (Value::Str(item), Value::Str(other)) => item == other,
            (Value::Int(_), Value::Str(_)) | (Value::Str(_), Value::Int(_)) => false,
            _ => return None,
        };
    }
    Some(found)
}

/// Whether a text stands in another one.
#[inline]
fn stands_in(piece: &str, text: &str) -> bool {
    match piece.as_bytes() {
        [byte] => text.as_bytes().contains(byte),
        _ => text.contains(piece),
    }
}

/// A comparison of plain values.
#[inline]
pub(super) fn compared(op: CompareOp, left: &Value, right: &Value) -> Option<bool> {
    match (op, left, right) {
        (CompareOp::Is | CompareOp::IsNot, Value::Unknown(_) | Value::Unbound, _)
        | (CompareOp::Is | CompareOp::IsNot, _, Value::Unknown(_) | Value::Unbound) => None,
        (CompareOp::Is, Value::Array(_) | Value::Object(_), _)
        | (CompareOp::IsNot, Value::Array(_) | Value::Object(_), _) => None,
        (CompareOp::Is, left, right) => Some(left.is(right)),
        (CompareOp::IsNot, left, right) => Some(!left.is(right)),
        (CompareOp::In, key, Value::Dict(dict)) => dict.quick_has(key),
        (CompareOp::NotIn, key, Value::Dict(dict)) => dict.quick_has(key).map(|has| !has),
        (CompareOp::In, Value::Str(piece), Value::Str(text)) => Some(stands_in(piece, text)),
        (CompareOp::NotIn, Value::Str(piece), Value::Str(text)) => Some(!stands_in(piece, text)),
        (CompareOp::In, item, Value::Set(set) | Value::FrozenSet(set)) => set.quick_has(item),
        (CompareOp::NotIn, item, Value::Set(set) | Value::FrozenSet(set)) => set.quick_has(item).map(|has| !has),
        (CompareOp::In, item, Value::Tuple(items)) => plainly_among(item, items),
        (CompareOp::NotIn, item, Value::Tuple(items)) => plainly_among(item, items).map(|has| !has),
        (CompareOp::In | CompareOp::NotIn, ..) => None,
        (CompareOp::Eq, Value::Str(x), Value::Str(y)) => Some(x == y),
        (CompareOp::NotEq, Value::Str(x), Value::Str(y)) => Some(x != y),
        (op, left, right) => comparison(op, Plain::of(left)?, Plain::of(right)?),
    }
}

/// A comparison of integers and floats.
#[inline(always)]
pub(super) fn holds<C: Comparison>(x: &Value, y: &Value) -> Option<bool> {
    match (x, y) {
        (Value::Int(x), Value::Int(y)) => Some(C::holds(*x, *y)),
        (Value::Float(x), Value::Float(y)) => Some(C::holds(*x, *y)),
        (Value::Float(x), Value::Int(y)) if is_exact(*y) => Some(C::holds(*x, *y as f64)),
        (Value::Int(x), Value::Float(y)) if is_exact(*x) => Some(C::holds(*x as f64, *y)),
        _ => None,
    }
}

pub(super) fn compare<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Compare { dst, left, right, .. });
    match holds::<C>(run.reg(left), run.reg(right)) {
        Some(truth) => run.done_bool(at, dst, truth),
        None => compare_any(run, flat, op, at),
    }
}

#[inline(never)]
pub(super) fn compare_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    if let Value::Instance(_) = run.reg(left_of(op)) {
        fields!(op, Compare { dst, .. });
        if let Some(next) = run.enter_operator(flat, op, at, After::Operator(dst)) {
            return next;
        }
    }
    fields!(op, Compare { op, dst, left, right, expr, .. });
    let value = match compared(op, run.reg(left), run.reg(right)) {
        Some(truth) => Value::Bool(truth),
        None => {
            inside!(run, flat, at);
            attempt!(run, at, run.flat_compare(op, left, Err(right), expr))
        }
    };
    run.done(at, dst, value)
}

pub(super) fn branch<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Branch { left, right, otherwise, .. });
    match holds::<C>(run.reg(left), run.reg(right)) {
        Some(true) => at + 1,
        Some(false) => otherwise,
        None => branch_any(run, flat, op, at),
    }
}

#[inline(never)]
pub(super) fn branch_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    // In a copy nothing can be done where the condition is not known.
    if flat.window.is_none()
        && let Value::Instance(_) = run.reg(left_of(op))
    {
        fields!(op, Branch { otherwise, .. });
        if let Some(next) = run.enter_operator(flat, op, at, After::Condition(otherwise)) {
            return next;
        }
    }
    fields!(op, Branch { op, left, right, expr, otherwise, .. });
    match compared(op, run.reg(left), run.reg(right)) {
        Some(true) => at + 1,
        Some(false) => otherwise,
        None => {
            inside!(run, flat, at);
            let value = attempt!(run, at, run.flat_compare(op, left, Err(right), expr));
            let truth = run.flat_truth(flat, at, &value);
            run.decides(flat, at, otherwise, truth)
        }
    }
}

pub(super) fn branch_int<'a, C: Comparison>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, BranchInt { left, right, otherwise, .. });
    match run.reg(left) {
        Value::Int(x) => match C::holds(*x, i64::from(right)) {
            true => at + 1,
            false => otherwise,
        },
        Value::Float(x) => match C::holds(*x, f64::from(right)) {
            true => at + 1,
            false => otherwise,
        },
        _ => branch_int_any(run, flat, op, at),
    }
}

#[inline(never)]
pub(super) fn branch_int_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, BranchInt { op, left, right, expr, otherwise });
    match compared(op, run.reg(left), &Value::Int(i64::from(right))) {
        Some(true) => at + 1,
        Some(false) => otherwise,
        None => {
            inside!(run, flat, at);
            let value = attempt!(run, at, run.flat_compare(op, left, Ok(i64::from(right)), expr));
            let truth = run.flat_truth(flat, at, &value);
            run.decides(flat, at, otherwise, truth)
        }
    }
}

pub(super) fn test<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Test { value, otherwise, .. });
    match truth_of(run.reg(value)) {
        Some(true) => at + 1,
        Some(false) => otherwise,
        None => test_other(run, flat, op, at),
    }
}

#[inline(never)]
fn test_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Test { value, expr, otherwise });
    if !run.keeps_reads()
        && let Some(truth) = truth_of_container(run, run.reg(value))
    {
        return if truth { at + 1 } else { otherwise };
    }
    inside!(run, flat, at);
    let value = attempt!(run, at, run.operand(value, expr));
    let truth = run.flat_truth(flat, at, &value);
    run.decides(flat, at, otherwise, truth)
}

pub(super) fn choose<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Choose { is_and, value, at: operand, expr, end });
    let goes_on = match truth_of(run.reg(value)) {
        Some(truth) => truth == is_and,
        None if flat.window.is_some() => return run.bails(at),
        None => attempt!(run, at, run.flat_choose(is_and, value, operand as usize, expr)),
    };
    if goes_on { at + 1 } else { end }
}

impl<'a> Run<'a> {
    /// Where a condition leads that came to this value.
    pub(super) fn leads_to(&mut self, flat: &'a Flat, at: At, otherwise: At, value: &Value) -> At {
        match truth_of(value) {
            Some(true) => at + 1,
            Some(false) => otherwise,
            None => {
                let truth = self.flat_truth(flat, at, value);
                self.decides(flat, at, otherwise, truth)
            }
        }
    }

    /// Goes on in the copy of the method of the left side's class that stands for an operator, where that side is asked first.
    #[inline(never)]
    fn enter_operator(&mut self, flat: &'a Flat, op: &'a Op, at: At, after: After) -> Option<At> {
        let (left, right, site) = match *op {
            Op::Binary { left, right, site, .. }
            | Op::Compare { left, right, site, .. }
            | Op::Branch { left, right, site, .. } => (left, self.reg(right).clone(), site),
            Op::BinaryInt { left, right, site, .. } => (left, Value::Int(i64::from(right)), site),
            _ => return None,
        };
        let left = self.reg(left).clone();
        match (&left, &right) {
            (Value::Instance(left), Value::Instance(right)) if !Rc::ptr_eq(&left.class_ref(), &right.class_ref()) => {
                return None;
            }
            // Metaclasses and values inside of instances may come first.
            (Value::Instance(_), Value::Class(_)) => return None,
            (Value::Instance(_), _) => {}
            _ => return None,
        }
        let name = match *op {
            Op::Binary { op, .. } | Op::BinaryInt { op, .. } => method_of(op),
            Op::Compare { op, .. } | Op::Branch { op, .. } => method_of_comparison(op)?,
            _ => return None,
        };
        self.enter_special(flat, op, (at, site), [left, right], after, |it, instance| {
            it.special_of(&instance.class_ref(), name)
        })
    }

    /// Where a condition leads that may not be known.
    fn decides(&mut self, flat: &'a Flat, at: At, otherwise: At, truth: Step<Result<bool, Why>>) -> At {
        match attempt!(self, at, truth) {
            Ok(true) => at + 1,
            Ok(false) => otherwise,
            Err(why) => match attempt!(self, at, self.fork(flat, at, why)) {
                Ok(next) => next,
                Err(flow) => self.leaves(flat, at, flow),
            },
        }
    }

    /// Puts a result where it belongs; the next operation follows.
    #[inline(always)]
    pub(super) fn done(&mut self, at: At, dst: Reg, value: Value) -> At {
        let slot = &mut self.frame.locals[dst as usize];
        if slot.is_plain() {
            // Nothing of the old value is read.
            std::mem::forget(std::mem::replace(slot, value));
            return at + 1;
        }
        replaced(slot, value, at)
    }

    /// Puts an integer where it belongs: mostly, one was there.
    #[inline(always)]
    pub(super) fn done_int(&mut self, at: At, dst: Reg, number: i64) -> At {
        match &mut self.frame.locals[dst as usize] {
            Value::Int(slot) => *slot = number,
            slot if slot.is_plain() => std::mem::forget(std::mem::replace(slot, Value::Int(number))),
            slot => return replaced_by_int(slot, number, at),
        }
        at + 1
    }

    /// Puts a float where it belongs: mostly, one was there.
    #[inline(always)]
    pub(super) fn done_float(&mut self, at: At, dst: Reg, number: f64) -> At {
        match &mut self.frame.locals[dst as usize] {
            Value::Float(slot) => *slot = number,
            slot if slot.is_plain() => std::mem::forget(std::mem::replace(slot, Value::Float(number))),
            slot => return replaced_by_float(slot, number, at),
        }
        at + 1
    }

    /// Puts a number where it belongs.
    #[inline(always)]
    pub(super) fn done_number(&mut self, at: At, dst: Reg, number: Number) -> At {
        match number {
            Number::Int(number) => self.done_int(at, dst, number),
            Number::Float(number) => self.done_float(at, dst, number),
            Number::Bool(truth) => self.done_bool(at, dst, truth),
        }
    }

    /// Puts `None` where it belongs.
    #[inline(always)]
    pub(super) fn done_none(&mut self, at: At, dst: Reg) -> At {
        match &mut self.frame.locals[dst as usize] {
            slot if slot.is_plain() => std::mem::forget(std::mem::replace(slot, Value::None)),
            slot => return replaced_by_none(slot, at),
        }
        at + 1
    }

    /// Puts a truth where it belongs.
    #[inline(always)]
    pub(super) fn done_bool(&mut self, at: At, dst: Reg, truth: bool) -> At {
        match &mut self.frame.locals[dst as usize] {
            Value::Bool(slot) => *slot = truth,
            slot if slot.is_plain() => std::mem::forget(std::mem::replace(slot, Value::Bool(truth))),
            slot => return replaced(slot, Value::Bool(truth), at),
        }
        at + 1
    }
}

#[inline(never)]
fn replaced(slot: &mut Value, value: Value, at: At) -> At {
    *slot = value;
    at + 1
}

#[inline(never)]
fn replaced_by_int(slot: &mut Value, number: i64, at: At) -> At {
    *slot = Value::Int(number);
    at + 1
}

#[inline(never)]
fn replaced_by_none(slot: &mut Value, at: At) -> At {
    *slot = Value::None;
    at + 1
}

#[inline(never)]
fn replaced_by_float(slot: &mut Value, number: f64, at: At) -> At {
    *slot = Value::Float(number);
    at + 1
}

/// The truth of a container that is known.
fn truth_of_container(run: &Run<'_>, value: &Value) -> Option<bool> {
    match value {
        Value::List(list) => Some(!list.known()?.items.is_empty()),
        Value::Dict(dict) => Some(!dict.known()?.items.is_empty()),
        Value::Set(set) => Some(!set.known()?.items.is_empty()),
        Value::Instance(instance) => run.it.short_truth(instance),
        _ => None,
    }
}

/// The truth of a plain value.
#[inline(always)]
pub(in crate::interp) fn truth_of(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::None => Some(false),
        Value::Int(value) => Some(*value != 0),
        Value::Float(value) => Some(*value != 0.0),
        Value::Str(text) => Some(!text.is_empty()),
        Value::Tuple(items) => Some(!items.is_empty()),
        _ => None,
    }
}
