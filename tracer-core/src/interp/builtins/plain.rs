//! What builtin functions do with plain values.

use std::cmp::Ordering;
use std::rc::Rc;

use super::functions::plain_sum;
use super::make_quick;
use super::texts::character;
use crate::interp::Interp;
use crate::interp::quick::{Plain, arithmetic};
use crate::module::{BinaryOp, CompareOp};
use crate::python::Value;

/// Gives the functions their shorter ways.
pub fn install(it: &Rc<Interp>) {
    make_quick(it, "abs", |_, args| match args {
        [Value::Int(x)] => x.checked_abs().map(Value::Int),
        [Value::Float(x)] => Some(Value::Float(x.abs())),
        _ => None,
    });
    make_quick(it, "round", |_, args| match args {
        [x @ Value::Int(_)] => Some(x.clone()),
        [Value::Float(x)] if x.abs() < MOST_ROUNDED => Some(Value::Int(x.round_ties_even() as i64)),
        _ => None,
    });
    make_quick(it, "divmod", |_, args| {
        let [x @ Value::Int(_), y @ Value::Int(_)] = args else { return None };
        let (x, y) = (Plain::of(x)?, Plain::of(y)?);
        let parts = [arithmetic(BinaryOp::FloorDiv, x, y)?, arithmetic(BinaryOp::Mod, x, y)?];
        Some(Value::tuple(parts.map(Value::from)))
    });
    make_quick(it, "min", |it, args| extreme(it, args, CompareOp::Lt));
    make_quick(it, "max", |it, args| extreme(it, args, CompareOp::Gt));
    make_quick(it, "sum", |it, args| {
        let [items] = args else { return None };
        let (count, sum) = with_items(items, |items| plain_sum(&Value::Int(0), items))?;
        it.spends(count).then_some(sum)
    });
    make_quick(it, "ord", |_, args| match args {
        [Value::Str(text)] if text.len() == 1 => Some(Value::Int(i64::from(text.as_bytes()[0]))),
        _ => None,
    });
    make_quick(it, "chr", |_, args| match args {
        [Value::Int(code)] => Some(character(char::from(u8::try_from(*code).ok()?))),
        _ => None,
    });
}

/// Floats below round to integers that fit.
const MOST_ROUNDED: f64 = (1i64 << 52) as f64;

/// The least or the greatest of plain numbers of one kind: of arguments, or of the items of one.
fn extreme(it: &Rc<Interp>, args: &[Value], better: CompareOp) -> Option<Value> {
    match args {
        [items] => with_items(items, |items| extreme_of(it, items, better)),
        args => extreme_of(it, args, better),
    }
}

/// What is made of the items of a list or tuple, where all of them are known.
fn with_items<T>(value: &Value, make: impl FnOnce(&[Value]) -> Option<T>) -> Option<T> {
    match value {
        Value::List(list) => make(&list.known()?.items),
        Value::Tuple(items) => make(items),
        _ => None,
    }
}

fn extreme_of(it: &Rc<Interp>, items: &[Value], better: CompareOp) -> Option<Value> {
    let (first, rest) = items.split_first()?;
    let best = match first {
        Value::Int(first) => Value::Int(best_of(*first, rest, better, |item| match item {
            Value::Int(item) => Some(*item),
            _ => None,
        })?),
        Value::Float(first) => Value::Float(best_of(*first, rest, better, |item| match item {
            Value::Float(item) => Some(*item),
            _ => None,
        })?),
        _ => return None,
    };
    it.spends(u32::try_from(items.len()).ok()?).then_some(best)
}

fn best_of<T: PartialOrd + Copy>(
    first: T,
    rest: &[Value],
    better: CompareOp,
    of: impl Fn(&Value) -> Option<T>,
) -> Option<T> {
    let wanted = if better == CompareOp::Lt { Ordering::Less } else { Ordering::Greater };
    let mut best = first;
    for item in rest {
        let item = of(item)?;
        if item.partial_cmp(&best) == Some(wanted) {
            best = item;
        }
    }
    Some(best)
}
