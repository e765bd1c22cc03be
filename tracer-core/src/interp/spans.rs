//! What arithmetic, comparisons and slices make of integers that a widened loop counts: see [`crate::python::span`].

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Interp;
use crate::module::{BinaryOp, CompareOp};
use crate::python::container::{forgotten, signature};
use crate::python::halt::{Step, Why};
use crate::python::iterator::{Iter, IterKind};
use crate::python::span::{Rounds, Span, Spanned, Split};
use crate::python::{List, Value};

/// The loops whose rounds are counted.
#[derive(Default)]
pub struct Counted {
    loops: Cell<u64>,
    /// Rounds that they have to run for themselves.
    splits: RefCell<Vec<Split>>,
}

/// The number of a loop that begins to count.
pub fn new_loop(it: &Rc<Interp>) -> u64 {
    let counted = it.extension::<Counted>();
    counted.loops.set(counted.loops.get() + 1);
    counted.loops.get()
}

/// The first round of a loop that it has to run for itself, if something was told of those before it only.
pub fn take_split(it: &Rc<Interp>, number: u64) -> Option<usize> {
    let counted = it.extension::<Counted>();
    let mut splits = counted.splits.borrow_mut();
    let first = splits.iter().filter(|split| split.number == number).map(|split| split.round).min();
    splits.retain(|split| split.number != number);
    first.and_then(|round| usize::try_from(round).ok())
}

/// The integers in what a loop has still to go through.
#[derive(Default)]
pub struct Counts {
    /// First number, step and count of the items themselves, or place by place where the items are tuples.
    places: Vec<Option<(i64, i64, i64)>>,
    /// The items, where they are not those of a range.
    items: Vec<Value>,
}

impl Counts {
    /// Of a range.
    pub fn of_range(first: i64, step: i64, count: i64) -> Counts {
        Counts { places: vec![Some((first, step, count))], items: Vec::new() }
    }

    /// An item whose numbers are forgotten, with the integers that the loop of this number counts. It runs rounds for itself if it
    /// `splits`.
    pub fn within(&self, number: u64, splits: bool, item: Value, why: &Why) -> Value {
        let counted = |place: usize, value: &Value| {
            let (first, step, count) = self.places.get(place).copied().flatten()?;
            let span = Span::of_loop(number, first, step, count)?;
            let span = if splits { span } else { span.uncounted() };
            matches!(value, Value::Unknown(_)).then(|| Value::within(span, why.0.clone()))
        };
        match &item {
            Value::Tuple(items) => {
                Value::tuple(items.iter().enumerate().map(|(i, v)| counted(i, v).unwrap_or_else(|| v.clone())))
            }
            _ => counted(0, &item).unwrap_or(item),
        }
    }
}

impl Counts {
    /// Whether the items from a round on are known.
    pub fn has_rest(&self) -> bool {
        !self.places.is_empty()
    }

    /// The items from a round on, and the one behind them, if there is one.
    pub fn rest(self, round: usize, behind: Option<Value>) -> Value {
        match (self.items.is_empty(), self.places.first()) {
            (true, Some(Some((first, step, count)))) => {
                let kind = IterKind::Range(first + step * round as i64, *step, count - round as i64);
                Value::Iter(Iter::new("range_iterator", kind))
            }
            _ => {
                let mut rest = self.items.get(round..).unwrap_or_default().to_vec();
                rest.extend(behind);
                Iter::items("list_iterator", rest)
            }
        }
    }
}

/// Collects [`Counts`] from items that are looked at one by one.
#[derive(Default)]
pub struct Counting {
    places: Vec<Option<(i64, i64, i64)>>,
    items: Vec<Value>,
}

impl Counting {
    /// The next item.
    pub fn saw(&mut self, item: &Value) {
        let seen = self.items.len();
        let items = match item {
            Value::Tuple(items) => items,
            item => std::slice::from_ref(item),
        };
        if seen == 0 {
            self.places = vec![None; items.len()];
        }
        for (place, value) in self.places.iter_mut().zip(items.iter()) {
            *place = match (value, *place) {
                (Value::Int(n), None) if seen == 0 => Some((*n, 0, 1)),
                (Value::Int(n), Some((first, _, 1))) => n.checked_sub(first).map(|step| (first, step, 2)),
                (Value::Int(n), Some((first, step, count))) => {
                    let next = step.checked_mul(count).and_then(|way| first.checked_add(way));
                    (next == Some(*n)).then_some((first, step, count + 1))
                }
                _ => None,
            };
        }
        self.items.push(item.clone());
    }

    /// Takes the last item back, which counts for itself.
    pub fn take_last(&mut self) -> Option<Value> {
        let last = self.items.pop()?;
        let seen = self.items.len() as i64;
        self.places.iter_mut().flatten().for_each(|(.., count)| *count = (*count).min(seen));
        Some(last)
    }

    /// What they have counted, now that there are no more.
    pub fn counts(self) -> Counts {
        Counts { places: self.places, items: self.items }
    }
}

/// What holds in the rounds that are counted; a loop that has to run one for itself is told.
fn told<T>(it: &Rc<Interp>, rounds: Rounds<T>) -> T {
    match rounds {
        Rounds::All(found) => found,
        Rounds::Before(found, split) => {
            it.extension::<Counted>().splits.borrow_mut().push(split);
            found
        }
    }
}

/// `a op b` where one side is counted.
pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Spanned> {
    match (a.span(), b.span(), a, b) {
        (Some(x), Some(y), ..) => match op {
            BinaryOp::Add => x.plus_span(y),
            BinaryOp::Sub => match y.times(-1)? {
                Spanned::Within(y) => x.plus_span(y),
                Spanned::Exactly(_) => None,
            },
            _ => None,
        },
        (Some(x), None, _, Value::Int(n)) => match op {
            BinaryOp::Add => x.plus(*n).map(Spanned::Within),
            BinaryOp::Sub => x.plus(n.checked_neg()?).map(Spanned::Within),
            BinaryOp::Mul => x.times(*n),
            BinaryOp::Mod => x.modulo(*n),
            BinaryOp::FloorDiv => x.floor_div(*n).map(Spanned::Within),
            _ => None,
        },
        (None, Some(y), Value::Int(n), _) => match op {
            BinaryOp::Add => y.plus(*n).map(Spanned::Within),
            BinaryOp::Mul => y.times(*n),
            BinaryOp::Sub => match y.times(-1)? {
                Spanned::Within(y) => y.plus(*n).map(Spanned::Within),
                exactly @ Spanned::Exactly(_) => Some(exactly),
            },
            _ => None,
        },
        _ => None,
    }
}

/// `a op b` where one side is counted, if that is the same in all rounds.
pub fn compare(it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    let (span, op, number) = match (a.span(), b.span(), a, b) {
        (Some(x), None, _, Value::Int(n)) => (x, op, *n),
        (None, Some(y), Value::Int(n), _) => (y, mirrored(op), *n),
        (Some(x), Some(y), ..) => match binary(BinaryOp::Sub, a, b)? {
            Spanned::Exactly(n) => return constant(op, n),
            Spanned::Within(difference) if x != y => (difference, op, 0),
            Spanned::Within(_) => return None,
        },
        _ => return None,
    };
    span.compare(op, number).map(|rounds| told(it, rounds))
}

fn constant(op: CompareOp, difference: i64) -> Option<bool> {
    Some(match op {
        CompareOp::Lt => difference < 0,
        CompareOp::LtE => difference <= 0,
        CompareOp::Gt => difference > 0,
        CompareOp::GtE => difference >= 0,
        CompareOp::Eq => difference == 0,
        CompareOp::NotEq => difference != 0,
        _ => return None,
    })
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::LtE => CompareOp::GtE,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::GtE => CompareOp::LtE,
        op => op,
    }
}

/// `value[index]` with slices whose ends are counted and whose lengths are the same in all rounds; none where there is no such slice.
///
/// # Errors
/// What the subscript raises.
pub fn getitem(it: &Rc<Interp>, value: &Value, index: &Value) -> Step<Option<Value>> {
    let counted = |part: &Value| matches!(part, Value::Slice(parts) if parts.iter().any(|p| p.span().is_some()));
    let items = match index {
        Value::Slice(_) if counted(index) => std::slice::from_ref(index),
        Value::Tuple(items) if items.iter().any(counted) => items,
        _ => return Ok(None),
    };
    let Some(sizes) = sizes(it, value)? else { return Ok(None) };
    let (mut parts, mut axis) = (Vec::with_capacity(items.len()), 0);
    let mut why = None;
    for part in items {
        match part {
            Value::Slice(ends) if counted(part) => {
                let (Some(low), Some(high), true) = (ends[0].span(), ends[1].span(), plain_step(&ends[2])) else {
                    return Ok(None);
                };
                let Some(size) = sizes.get(axis).copied().flatten() else { return Ok(None) };
                let Some(rounds) = Span::sliced(low, high, size) else { return Ok(None) };
                let length = told(it, rounds);
                why = Some(Why("rows that differ from round to round of a long loop".into()));
                parts.push(Value::Slice(Rc::new([Value::Int(0), Value::Int(length), Value::None])));
            }
            Value::None => {
                parts.push(part.clone());
                continue;
            }
            Value::Ellipsis => {
                let left = items[parts.len() + 1..].iter().filter(|p| !p.is_none()).count();
                axis = sizes.len().saturating_sub(left);
                parts.push(part.clone());
                continue;
            }
            // Others may take more than one axis.
            Value::Slice(_) | Value::Int(_) => parts.push(part.clone()),
            Value::Unknown(unknown) if unknown.guess == crate::python::Guess::Int => parts.push(part.clone()),
            _ => return Ok(None),
        }
        axis += 1;
    }
    let Some(why) = why else { return Ok(None) };
    let index = match index {
        Value::Tuple(_) => Value::tuple(parts),
        _ => parts.swap_remove(0),
    };
    let found = it.getitem(value, &index)?;
    if let Value::List(list) = &found
        && !alike(list)
    {
        return Ok(None);
    }
    Ok(Some(forgotten(&found, &why)))
}

fn plain_step(step: &Value) -> bool {
    matches!(step, Value::None | Value::Int(1))
}

/// Whether the items of a list differ in numbers only.
fn alike(list: &List) -> bool {
    let items = list.read();
    let first = items.first().map(signature);
    items.iter().all(|item| Some(signature(item)) == first)
}

/// The sizes of the axes of an array, or the length of a list.
fn sizes(it: &Rc<Interp>, value: &Value) -> Step<Option<Vec<Option<i64>>>> {
    let size = |n: usize| Some(vec![Some(n as i64)]);
    Ok(match value {
        Value::List(list) if list.why_vague().is_none() && alike(list) => size(list.read().len()),
        Value::Array(_) | Value::Object(_) => match it.find_attr(value, sym!("shape"))? {
            Some(Value::Tuple(sizes)) => Some(
                sizes
                    .iter()
                    .map(|n| match n {
                        Value::Int(n) => Some(*n),
                        _ => None,
                    })
                    .collect(),
            ),
            _ => None,
        },
        _ => None,
    })
}
