//! What any round of a widened loop finds, and what the last one leaves.
//!
//! Two rounds show what each of them adds: a step to an integer, some items to a list. A round that starts from integers
//! within a [`Span`] and from lists of which only what it adds is seen stands for all rounds, if it leaves what the next one
//! was said to find. Then the integers and the lengths of the lists are known behind the loop.

use std::cell::Cell;
use std::rc::Rc;

use super::attrs::Attrs;
use super::container::{Dict, forgotten, guess_of, join_values, signature};
use super::halt::Why;
use super::instance::Instance;
use super::span::Span;
use super::value::{Guess, Value};
use crate::module::Symbol;

/// Values inside of each other are followed this deep.
const DEEPEST: u32 = 12;
/// A list that would become longer than this is not filled.
const MOST_ITEMS: usize = 20_000;

/// The rounds that a widened loop has still to go through.
pub struct Counter {
    /// The number of the loop.
    number: u64,
    /// How many there are; at most so many where only the loop's condition tells.
    pub count: i64,
    /// Whether it is told of rounds that differ.
    splits: bool,
    /// Whether anything was found that they count.
    pub found: Cell<bool>,
    /// Why what they change is not known meanwhile.
    pub why: Why,
}

/// A list to which each round of a loop adds items: of a vague list, what is known meanwhile.
#[derive(Clone, Debug)]
pub struct Growing {
    /// Its length before the round, where that is counted.
    pub before: Option<Span>,
    /// What the round has added.
    pub items: Vec<Value>,
    /// An item like the last one that the round before has added.
    pub last: Value,
}

impl Growing {
    /// Its length.
    pub fn len(&self, why: &Why) -> Option<Value> {
        let added = i64::try_from(self.items.len()).ok()?;
        Some(Value::within(self.before?.plus(added)?, why.0.clone()))
    }
    /// Its last item.
    pub fn last(&self) -> &Value {
        self.items.last().unwrap_or(&self.last)
    }
    /// What is known where it may be either.
    pub fn join(&self, other: &Growing) -> Option<Growing> {
        let alike = self.before == other.before && self.items.len() == other.items.len();
        alike.then(|| Growing {
            before: self.before,
            items: self.items.iter().zip(&other.items).map(|(a, b)| join_values(a, b)).collect(),
            last: join_values(&self.last, &other.last),
        })
    }
}

impl Counter {
    /// Of the loop of this number.
    pub fn new(number: u64, count: i64, splits: bool, why: Why) -> Counter {
        Counter { number, count, splits, found: Cell::new(false), why }
    }

    /// The number of the loop.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many rounds are summed up, where one is known to differ; none where it is not known how many there are.
    pub fn rounds_until(&self, split: Option<usize>) -> Option<i64> {
        match split {
            Some(round) => i64::try_from(round).ok(),
            None => self.is_counted().then_some(self.count),
        }
    }

    fn span(&self, first: i64, step: i64) -> Option<Span> {
        let span = Span::of_loop(self.number, first, step, self.count)?;
        self.found.set(true);
        Some(if self.splits { span } else { span.uncounted() })
    }

    /// The span of a value that this loop counts.
    fn counted(&self, value: &Value) -> Option<Span> {
        value.span().filter(|span| span.is_of(self.number))
    }

    /// What any round finds where the first three find these.
    pub fn any_round(&self, start: &Value, first: &Value, second: &Value) -> Value {
        self.any_below(start, first, second, 0)
    }

    fn any_below(&self, start: &Value, first: &Value, second: &Value, depth: u32) -> Value {
        let below = |a: &Value, b: &Value, c: &Value| self.any_below(a, b, c, depth + 1);
        if start.is(first) && first.is(second) {
            return start.clone();
        }
        match (start, first, second) {
            (Value::Int(a), Value::Int(b), Value::Int(c)) => {
                let step = b.checked_sub(*a).filter(|step| *step != 0 && c.checked_sub(*b) == Some(*step));
                if let Some(span) = step.and_then(|step| self.span(*a, step)) {
                    return Value::within(span, self.why.0.clone());
                }
            }
            _ if depth > DEEPEST => {}
            (Value::Tuple(a), Value::Tuple(b), Value::Tuple(c)) if a.len() == b.len() && b.len() == c.len() => {
                return Value::tuple((0..a.len()).map(|i| below(&a[i], &b[i], &c[i])));
            }
            (Value::Dict(a), Value::Dict(b), Value::Dict(c))
                if [a, b, c].iter().all(|d| !d.is_vague()) && !(a.same(b) || b.same(c)) =>
            {
                let (a, b, c) = (a.read(), b.read(), c.read());
                if a.len() == b.len() && b.len() == c.len() && a.keys().all(|k| b.contains_key(k) && c.contains_key(k))
                {
                    return Value::Dict(Dict::new(
                        a.iter().map(|(k, v)| (k.clone(), below(v, &b[k], &c[k]))).collect(),
                    ));
                }
            }
            (Value::Instance(a), Value::Instance(b), Value::Instance(c)) if !(Rc::ptr_eq(a, b) || Rc::ptr_eq(b, c)) => {
                let class = a.class();
                let alike = [b, c].iter().all(|i| Rc::ptr_eq(&class, &i.class()));
                if alike && let Some(attrs) = self.any_attrs(&a.attrs(), &b.attrs(), &c.attrs(), depth + 1) {
                    let any = Instance::new(class);
                    match (a.payload(), b.payload(), c.payload()) {
                        (Some(a), Some(b), Some(c)) => any.set_payload(below(a, b, c)),
                        (None, None, None) => {}
                        _ => return join_values(start, second),
                    }
                    *any.attrs_mut() = attrs;
                    return Value::Instance(any);
                }
            }
            _ => {}
        }
        join_values(start, second)
    }

    /// As [`Counter::any_round`], of attributes; none where their names differ.
    pub fn any_attrs(&self, start: &Attrs, first: &Attrs, second: &Attrs, depth: u32) -> Option<Attrs> {
        if start.len() != first.len() || first.len() != second.len() {
            return None;
        }
        let any =
            |(name, a): (&Symbol, &Value)| Some((*name, self.any_below(a, first.get(name)?, second.get(name)?, depth)));
        start.iter().map(any).collect()
    }

    /// As [`Counter::any_round`], of the items of a list: it may grow.
    pub fn any_items(&self, start: &[Value], first: &[Value], second: &[Value]) -> Option<Growing> {
        let begins = |long: &[Value], short: &[Value]| long.iter().zip(short).all(|(a, b)| a.is(b));
        let (a, b, c) = (start.len(), first.len(), second.len());
        if !(a < b && b - a == c.checked_sub(b)? && begins(first, start) && begins(second, first)) {
            return None;
        }
        if (b - a).checked_mul(usize::try_from(self.count).ok()?).is_none_or(|all| all > MOST_ITEMS)
            && self.is_counted()
        {
            return None;
        }
        let last = match (first.last(), second.last()) {
            (Some(x), Some(y)) if start.last().is_none_or(|z| signature(z) == signature(x)) => {
                forgotten(&join_values(x, y), &self.why)
            }
            _ => Value::unknown(self.why.0.clone()),
        };
        let before = Some(self.span(a as i64, (b - a) as i64)?);
        Some(Growing { before, items: Vec::new(), last })
    }

    /// Whether a round has added as much to a list as was said, and of the same kind.
    pub fn grows_on(&self, any: &Growing, after: &Growing) -> bool {
        let added = i64::try_from(after.items.len()).ok();
        let length = any.before.is_none_or(|before| added.and_then(|added| before.plus(added)) == before.next());
        length && (any.last.is_unknown() || signature(&any.last) == signature(after.last()))
    }

    /// Whether it is known how many rounds there are.
    fn is_counted(&self) -> bool {
        self.count < MOST_ROUNDS
    }

    /// Whether what a round has left of this is what the next round was said to find.
    pub fn goes_on(&self, any: &Value, after: &Value) -> bool {
        self.goes_on_below(any, after, 0)
    }

    fn goes_on_below(&self, any: &Value, after: &Value, depth: u32) -> bool {
        if let Some(span) = self.counted(any) {
            return after.span() == span.next();
        }
        if depth > DEEPEST {
            return true;
        }
        match (any, after) {
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b.iter()).all(|(a, b)| self.goes_on_below(a, b, depth + 1))
            }
            // What counts in a container that is itself changed is looked at with that.
            (Value::Dict(a), Value::Dict(b)) if !a.same(b) => {
                let (a, b) = (a.read(), b.read());
                a.iter().all(|(k, a)| self.goes_on_below(a, b.get(k).unwrap_or(&Value::Unbound), depth + 1))
            }
            (Value::Instance(a), Value::Instance(b)) if !Rc::ptr_eq(a, b) => {
                let inside = match (a.payload(), b.payload()) {
                    (Some(a), Some(b)) => self.goes_on_below(a, b, depth + 1),
                    _ => true,
                };
                inside && self.attrs_go_on(&a.attrs(), &b.attrs(), depth + 1)
            }
            (Value::Tuple(_) | Value::Dict(_) | Value::Instance(_), _) => {
                any.is(after) || !self.counts_below(any, depth)
            }
            _ => true,
        }
    }

    /// As [`Counter::goes_on`], of attributes.
    pub fn attrs_go_on(&self, any: &Attrs, after: &Attrs, depth: u32) -> bool {
        any.iter().all(|(name, a)| self.goes_on_below(a, after.get(name).unwrap_or(&Value::Unbound), depth))
    }

    /// Whether something in a value is counted.
    pub fn counts_in(&self, value: &Value) -> bool {
        self.counts_below(value, 0)
    }

    fn counts_below(&self, value: &Value, depth: u32) -> bool {
        let below = |value: &Value| self.counts_below(value, depth + 1);
        depth <= DEEPEST
            && match value {
                Value::Unknown(_) => self.counted(value).is_some(),
                Value::Tuple(items) => items.iter().any(below),
                Value::List(list) => list.growing().is_some() || list.read().iter().any(below),
                Value::Dict(dict) => dict.read().values().any(below),
                Value::Instance(instance) => {
                    instance.payload().is_some_and(below) || instance.attrs().values().any(below)
                }
                _ => false,
            }
    }

    /// What the last of so many rounds leaves, where any round finds `any` and leaves `after`.
    pub fn after_rounds(&self, any: &Value, after: &Value, count: i64) -> Value {
        self.after_below(any, after, count, 0)
    }

    fn after_below(&self, any: &Value, after: &Value, count: i64, depth: u32) -> Value {
        if let Some(span) = self.counted(after) {
            return span.at(count - 1).map_or_else(|| Value::unknown_of(Guess::Int, self.why.0.clone()), Value::Int);
        }
        if any.is(after) || depth > DEEPEST {
            return join_values(any, after);
        }
        let below = |any: &Value, after: &Value| self.after_below(any, after, count, depth + 1);
        match (any, after) {
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => {
                Value::tuple(a.iter().zip(b.iter()).map(|(a, b)| below(a, b)))
            }
            (Value::Instance(a), Value::Instance(b)) if Rc::ptr_eq(&a.class(), &b.class()) => {
                let left = Instance::new(b.class());
                match (a.payload(), b.payload()) {
                    (Some(a), Some(b)) => left.set_payload(below(a, b)),
                    (None, None) => {}
                    _ => return join_values(any, after),
                }
                *left.attrs_mut() = self.attrs_after(&a.attrs(), &b.attrs(), count, depth + 1);
                Value::Instance(left)
            }
            (Value::Dict(a), Value::Dict(b)) if !a.is_vague() && !b.is_vague() => {
                let (x, y) = (a.read(), b.read());
                if x.len() != y.len() || x.keys().any(|key| !y.contains_key(key)) {
                    return join_values(any, after);
                }
                Value::Dict(Dict::new(x.iter().map(|(key, a)| (key.clone(), below(a, &y[key]))).collect()))
            }
            _ => join_values(any, after),
        }
    }

    /// As [`Counter::after_rounds`], of attributes.
    pub fn attrs_after(&self, any: &Attrs, after: &Attrs, count: i64, depth: u32) -> Attrs {
        let unset = Value::Unbound;
        let mut left: Attrs = any
            .iter()
            .map(|(name, a)| (*name, self.after_below(a, after.get(name).unwrap_or(&unset), count, depth)))
            .collect();
        for name in after.keys() {
            if !left.contains_key(name) {
                left.insert(*name, Value::unknown("only set in some rounds of a long loop"));
            }
        }
        left
    }

    /// What so many rounds add to a list to which any of them adds these; none where that is too much.
    pub fn added(&self, items: &[Value], count: i64) -> Option<Vec<Value>> {
        let rounds = usize::try_from(count).ok()?;
        let all = items.len().checked_mul(rounds).filter(|all| *all <= MOST_ITEMS)?;
        let mut added = Vec::with_capacity(all);
        for round in 0..count {
            added.extend(items.iter().map(|item| self.in_round(item, round)));
        }
        Some(added)
    }

    /// What a value of any round is in one of them.
    fn in_round(&self, value: &Value, round: i64) -> Value {
        if let Some(span) = self.counted(value) {
            return span.at(round).map_or_else(|| Value::unknown_of(Guess::Int, self.why.0.clone()), Value::Int);
        }
        match value {
            Value::Tuple(items) => Value::tuple(items.iter().map(|item| self.in_round(item, round))),
            Value::Unknown(unknown) if unknown.span.is_some() => {
                Value::unknown_of(guess_of(value), unknown.why.0.clone())
            }
            // Each round has made its own.
            Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Instance(_) => forgotten(value, &self.why),
            Value::Iter(_) => Value::unknown(self.why.0.clone()),
            other => other.clone(),
        }
    }
}

/// As many rounds as a loop may have of which only its condition tells.
pub const MOST_ROUNDS: i64 = 1 << 40;
