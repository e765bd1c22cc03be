//! What is known of values, and of containers, that may be either of two: what branches on unknown conditions and rounds of loops leave.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Contents, Dict, DictItems, List, Set, SetItems};
use crate::python::attrs::Attrs;
use crate::python::halt::Why;
use crate::python::instance::Instance;
use crate::python::journal::Join;
use crate::python::key::{Key, values_equal};
use crate::python::rounds::Counter;
use crate::python::value::{Guess, Unknown, Value};

thread_local! {
    static JOIN_DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    static JOINED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Objects that refer to themselves are joined this deep.
const DEEPEST_JOIN: u32 = 24;
/// Parts that one join looks at.
const LARGEST_JOIN: u32 = 20_000;

/// Of so many objects one is kept in mind to be any.
const MOST_OTHERS: usize = 64;
/// Of so many items.
const MOST_KEPT_IN_MIND: usize = 4096;

/// What is known of a value that may be either.
pub fn join_values(a: &Value, b: &Value) -> Value {
    if a.is(b) {
        return a.clone();
    }
    let depth = JOIN_DEPTH.get();
    let parts = if depth == 0 { 0 } else { JOINED.get() + 1 };
    JOINED.set(parts);
    if depth > DEEPEST_JOIN || parts > LARGEST_JOIN {
        return Value::unknown("depends on an unknown condition");
    }
    JOIN_DEPTH.set(depth + 1);
    let joined = join_different(a, b);
    JOIN_DEPTH.set(depth);
    joined
}

/// The objects that a joined one may be: either side, or those that this may be itself.
fn any_of(sides: [&Value; 2], others: [Option<Rc<[Value]>>; 2]) -> Rc<[Value]> {
    let mut all: Vec<Value> = Vec::new();
    for (side, others) in sides.into_iter().zip(&others) {
        for one in others.as_deref().unwrap_or(std::slice::from_ref(side)) {
            if all.len() < MOST_OTHERS && !all.iter().any(|known| known.is(one)) {
                all.push(one.clone());
            }
        }
    }
    all.into()
}

fn join_different(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Unbound, _) | (_, Value::Unbound) => Value::unknown("only bound on one of two branches"),
        (Value::None, other) | (other, Value::None) => {
            Value::or_none(other.clone(), "`None` or not, depending on an unknown condition")
        }
        (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) if unknown.or_none.is_some() => {
            let joined = join_values(a.unless_none().unwrap_or(a), b.unless_none().unwrap_or(b));
            Value::or_none(joined, unknown.why.0.clone())
        }
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            Value::Tuple(x.iter().zip(y.iter()).map(|(x, y)| join_values(x, y)).collect())
        }
        (Value::Array(x), Value::Array(y)) if x.aval == y.aval => match crate::trace::Array::joined(x, y) {
            Some(array) => Value::Array(array),
            None => Value::unknown("an array that depends on an unknown condition"),
        },
        (Value::List(x), Value::List(y))
            if x.why_vague().is_none() && y.why_vague().is_none() && x.read().len() == y.read().len() =>
        {
            let items = x.read().iter().zip(y.read().iter()).map(|(x, y)| join_values(x, y)).collect();
            Value::List(List::any_of(items, any_of([a, b], [x.others(), y.others()])))
        }
        (Value::Dict(x), Value::Dict(y))
            if x.why_vague().is_none()
                && y.why_vague().is_none()
                && x.read().len() == y.read().len()
                && x.read().keys().zip(y.read().keys()).all(|(x, y)| x == y) =>
        {
            let items =
                x.read().iter().zip(y.read().iter()).map(|((k, x), (_, y))| (k.clone(), join_values(x, y))).collect();
            Value::Dict(Dict::any_of(items, any_of([a, b], [x.others(), y.others()])))
        }
        (Value::Object(x), Value::Object(y)) => x.joined(&**y).unwrap_or_else(|| one_of(a, b)),
        // What says that it is of another class stands for something that has no parts (`jnp.float32` for a type).
        (Value::Instance(x), Value::Instance(y))
            if Rc::ptr_eq(&x.class(), &y.class()) && x.class_ref().lookup_defined(sym!("__class__")).is_none() =>
        {
            let joined = Instance::any_of(x.class());
            match (x.payload(), y.payload()) {
                (Some(p), Some(q)) => match join_payloads(p, q) {
                    // A text or a number of a class of its own.
                    Value::Unknown(_) => return one_of(a, b),
                    payload => joined.set_payload(payload),
                },
                (None, None) => {}
                _ => return one_of(a, b),
            }
            let attrs = x.attrs().join(&y.attrs());
            *joined.attrs_mut() = attrs;
            joined.set_others(any_of([a, b], [x.others(), y.others()]));
            Value::Instance(joined)
        }
        _ => {
            let (x, y) = (guess_of(a), guess_of(b));
            let guess = if x == y { x } else { Guess::Any };
            if values_equal(a, b) && guess != Guess::Any && !a.is_unknown() {
                return a.clone();
            }
            match guess {
                Guess::Any => one_of(a, b),
                guess => Value::unknown_of(guess, "depends on an unknown condition"),
            }
        }
    }
}

/// What instances of one class hold, of a class that is a container: one of its kind, whatever is in it.
fn join_payloads(a: &Value, b: &Value) -> Value {
    let why = || Why("depends on an unknown condition".into());
    match (a, b, join_values(a, b)) {
        (Value::List(x), Value::List(y), Value::Unknown(_)) => {
            Value::List(List::unknown_of(any_of([a, b], [x.others(), y.others()]), why()))
        }
        (Value::Dict(x), Value::Dict(y), Value::Unknown(_)) => {
            Value::Dict(Dict::unknown_of(any_of([a, b], [x.others(), y.others()]), why()))
        }
        (Value::Set(x), Value::Set(y), Value::Unknown(_)) => {
            Value::Set(Set::unknown_of(any_of([a, b], [x.others(), y.others()]), why()))
        }
        (_, _, joined) => joined,
    }
}

/// What is one of two, as an unknown value that knows which objects it may be.
fn one_of(a: &Value, b: &Value) -> Value {
    let one = Value::one_of([a, b], "depends on an unknown condition");
    match one {
        Value::Unknown(unknown) if can_change(a) || can_change(b) => {
            let others = |value: &Value| match value {
                Value::Unknown(unknown) => unknown.any_of.clone(),
                Value::List(list) => list.others(),
                Value::Dict(dict) => dict.others(),
                Value::Set(set) => set.others(),
                Value::Instance(instance) => instance.others(),
                _ => None,
            };
            let all = any_of([a, b], [others(a), others(b)]);
            let any_of = all.iter().filter(|object| can_change(object)).cloned().collect();
            let new = Unknown::new(unknown.why.clone(), unknown.guess);
            let choices = unknown.choices.clone();
            Value::Unknown(Rc::new(Unknown { choices, any_of: Some(any_of), ..new }))
        }
        one => one,
    }
}

/// One of these, nobody knows which: what of them can be changed is kept in mind. `None` where nothing can.
pub fn one_of_many<'a>(items: impl Iterator<Item = &'a Value>, why: Why) -> Option<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut keep = |value: &Value| {
        let holds = |value: &Value| matches!(value, Value::Tuple(parts) if parts.iter().any(can_change));
        if (can_change(value) || holds(value)) && all.len() < MOST_KEPT_IN_MIND && seen.insert(value.identity()) {
            all.push(value.clone());
        }
    };
    for item in items {
        match item {
            Value::Unknown(unknown) => unknown.any_of.iter().flat_map(|all| all.iter()).for_each(&mut keep),
            item => keep(item),
        }
    }
    let any_of = (!all.is_empty()).then(|| all.into())?;
    Some(Value::Unknown(Rc::new(Unknown { any_of: Some(any_of), ..Unknown::new(why, Guess::Any) })))
}

/// Whether something may be done to a value that changes it, and is kept in mind for it.
fn can_change(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Instance(_) | Value::Iter(_) | Value::Object(_) => {
            true
        }
        Value::Unknown(unknown) => unknown.any_of.is_some(),
        _ => false,
    }
}

/// The same value with its numbers forgotten: arrays keep their types, containers their structure.
pub fn forgotten(value: &Value, why: &Why) -> Value {
    Forgetting { why, made: FxHashMap::default(), parts: 0 }.value(value, 0)
}

/// A walk through a value whose numbers are forgotten. What refers to each other (children that know their parent) would be walked on
/// every way that leads there: each object is made anew once.
struct Forgetting<'a> {
    why: &'a Why,
    made: FxHashMap<usize, Value>,
    parts: u32,
}

impl Forgetting<'_> {
    fn value(&mut self, value: &Value, depth: u32) -> Value {
        self.parts += 1;
        if depth > DEEPEST_JOIN || self.parts > LARGEST_JOIN {
            return Value::unknown(self.why.0.clone());
        }
        let id = match value {
            Value::List(_) | Value::Dict(_) | Value::Instance(_) => value.identity(),
            _ => return self.plain(value, depth),
        };
        if let Some(made) = self.made.get(&id) {
            return made.clone();
        }
        if let Value::Instance(instance) = value {
            let new = Instance::any_of(instance.class());
            self.made.insert(id, Value::Instance(new.clone()));
            match instance.payload().map(|payload| self.value(payload, depth + 1)) {
                Some(Value::Unknown(unknown)) => return Value::Unknown(unknown),
                Some(payload) => new.set_payload(payload),
                None => {}
            }
            let attrs: Attrs = instance.attrs().iter().map(|(k, v)| (*k, self.named(v, depth))).collect();
            *new.attrs_mut() = attrs;
            return Value::Instance(new);
        }
        let new = self.plain(value, depth);
        self.made.insert(id, new.clone());
        new
    }

    /// Scalars under a name are more often settings than what differs from item to item.
    fn named(&mut self, value: &Value, depth: u32) -> Value {
        match guess_of(value) {
            Guess::Any => self.value(value, depth + 1),
            _ => value.clone(),
        }
    }

    fn plain(&mut self, value: &Value, depth: u32) -> Value {
        let why = self.why;
        match value {
            Value::Tuple(items) => Value::Tuple(items.iter().map(|item| self.value(item, depth + 1)).collect()),
            Value::List(list) if list.why_vague().is_none() => {
                Value::list(list.read().iter().map(|item| self.value(item, depth + 1)).collect())
            }
            Value::Dict(dict) if dict.why_vague().is_none() => {
                let items = dict.read().iter().map(|(k, v)| (k.clone(), self.named(v, depth))).collect();
                Value::Dict(Dict::new(items))
            }
            Value::Array(array) => match crate::trace::Array::forgotten(array, why) {
                Some(array) => Value::Array(array),
                None => value.clone(),
            },
            Value::Object(object) => object.forgotten(why).unwrap_or_else(|| value.clone()),
            Value::None | Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => value.clone(),
            Value::Unknown(unknown) if let Some(held) = &unknown.or_none => {
                Value::or_none(self.value(held, depth + 1), why.0.clone())
            }
            other => match guess_of(other) {
                Guess::Any => Value::unknown(why.0.clone()),
                guess => Value::unknown_of(guess, why.0.clone()),
            },
        }
    }
}

/// Whether two values are seen at a glance to differ in numbers only: their [`signature`] is the same.
pub fn are_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_), Value::Int(_)) | (Value::Float(_), Value::Float(_)) | (Value::Str(_), Value::Str(_)) => true,
        (Value::Array(x), Value::Array(y)) => x.aval == y.aval,
        (Value::Tuple(x), Value::Tuple(y)) => x.len() == y.len() && x.iter().zip(&**y).all(|(x, y)| are_alike(x, y)),
        _ => false,
    }
}

/// A text that is equal for values which differ in numbers only.
pub fn signature(value: &Value) -> String {
    let mut text = String::new();
    write_signature(value, &mut text, 0);
    text
}

fn write_signature(value: &Value, text: &mut String, depth: u32) {
    use std::fmt::Write;
    if depth > DEEPEST_JOIN || text.len() > 4_000 {
        return;
    }
    match value {
        Value::Tuple(items) => {
            text.push('(');
            items.iter().for_each(|i| write_signature(i, text, depth + 1));
            text.push(')');
        }
        Value::List(list) => {
            text.push('[');
            list.read().iter().for_each(|i| write_signature(i, text, depth + 1));
            text.push(']');
        }
        Value::Dict(dict) => {
            text.push('{');
            for (key, value) in dict.read().iter() {
                let _ = write!(text, "{:?}:", key.value);
                write_signature(value, text, depth + 1);
            }
            text.push('}');
        }
        Value::Array(array) => {
            let _ = write!(text, "{};", array.aval.long());
        }
        Value::Object(object) => {
            let _ = write!(text, "{};", object.signature());
        }
        Value::Instance(instance) => {
            let _ = write!(text, "{}<", instance.class().name);
            if let Some(payload) = instance.payload() {
                write_signature(payload, text, depth + 1);
            }
            for (name, value) in instance.attrs().iter() {
                let _ = write!(text, "{name}=");
                write_signature(value, text, depth + 1);
            }
            text.push('>');
        }
        Value::Unknown(unknown) if let Some(held) = &unknown.or_none => {
            text.push('?');
            write_signature(held, text, depth + 1);
        }
        other => {
            let _ = write!(text, "{:?};", std::mem::discriminant(other));
        }
    }
}

/// The type of a scalar, for unknown values.
pub fn guess_of(value: &Value) -> Guess {
    match value {
        Value::Bool(_) => Guess::Bool,
        Value::Int(_) | Value::BigInt(_) => Guess::Int,
        Value::Float(_) => Guess::Float,
        Value::Complex(_) => Guess::Complex,
        Value::Str(_) => Guess::Str,
        Value::Unknown(unknown) => unknown.guess,
        _ => Guess::Any,
    }
}

fn differ() -> Option<Why> {
    Some(Why("changed on one of two branches of an unknown condition".into()))
}

impl Join for Contents<Vec<Value>> {
    fn join(&self, other: &Self) -> Self {
        if self.vague.is_some() || other.vague.is_some() || self.items.len() != other.items.len() {
            let vague = self.vague.clone().or(other.vague.clone()).or_else(differ);
            let growing = match (&self.growing, &other.growing) {
                (Some(a), Some(b)) => a.join(b).map(Box::new),
                _ => None,
            };
            return Contents { items: Vec::new(), vague, of: None, growing };
        }
        let items = self.items.iter().zip(&other.items).map(|(a, b)| join_values(a, b)).collect();
        Contents { items, vague: None, of: None, growing: None }
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        let of = |contents: &Self| match &contents.growing {
            Some(growing) => Some(growing.items.clone()),
            None => contents.vague.is_none().then(|| contents.items.clone()),
        };
        if let (Some(a), Some(b), Some(c)) = (of(self), of(first), of(second)) {
            if let Some(mut growing) = counter.any_items(&a, &b, &c) {
                // What an outer loop adds to has a length that it counts itself.
                growing.before = growing.before.filter(|_| self.vague.is_none());
                let vague = Some(counter.why.clone());
                return Contents { items: Vec::new(), vague, of: None, growing: Some(Box::new(growing)) };
            }
            if self.vague.is_none() && a.len() == b.len() && b.len() == c.len() {
                let items = (0..a.len()).map(|i| counter.any_round(&a[i], &b[i], &c[i])).collect();
                return Contents { items, vague: None, of: None, growing: None };
            }
        }
        self.join(second)
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        match (&self.growing, &after.growing) {
            (Some(any), Some(after)) => counter.grows_on(any, after),
            (Some(_), None) => false,
            (None, _) => {
                after.items.len() == self.items.len()
                    && self.items.iter().zip(&after.items).all(|(any, after)| counter.goes_on(any, after))
                    || !self.items.iter().any(|item| counter.counts_in(item))
            }
        }
    }
    fn after_rounds(start: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if let (Some(_), Some(grown)) = (&any.growing, &after.growing)
            && let Some(added) = counter.added(&grown.items, count)
        {
            let mut left = start.clone();
            match &mut left.growing {
                Some(growing) => growing.items.extend(added),
                None => left.items.extend(added),
            }
            return left;
        }
        if any.vague.is_none() && after.vague.is_none() && any.items.len() == after.items.len() {
            let pairs = any.items.iter().zip(&after.items);
            let items = pairs.map(|(any, after)| counter.after_rounds(any, after, count)).collect();
            return Contents { items, vague: None, of: None, growing: None };
        }
        let left = any.join(after);
        Contents { growing: None, ..left }
    }
}

impl Join for Contents<DictItems> {
    fn join(&self, other: &Self) -> Self {
        // Keys that both have are still known; a vague dict answers unknown for the rest.
        let mut vague = self.vague.clone().or(other.vague.clone());
        let mut items = DictItems::default();
        for (key, a) in &self.items {
            match other.items.get(key) {
                Some(b) => {
                    items.insert(key.clone(), join_values(a, b));
                }
                None => vague = vague.or_else(differ),
            }
        }
        if other.items.len() != items.len() {
            vague = vague.or_else(differ);
        }
        Contents { items, vague, of: self.of.clone(), growing: None }
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        if !self.has_keys_of(first) || !self.has_keys_of(second) {
            return self.join(second);
        }
        let any = |(key, a): (&Key, &Value)| (key.clone(), counter.any_round(a, &first.items[key], &second.items[key]));
        let items = self.items.iter().map(any).collect();
        Contents { items, vague: None, of: self.of.clone(), growing: None }
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        let left = |key| after.items.get(key).unwrap_or(&Value::Unbound);
        self.items.iter().all(|(key, any)| counter.goes_on(any, left(key)))
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if !any.has_keys_of(after) {
            return any.join(after);
        }
        let left = |(key, a): (&Key, &Value)| (key.clone(), counter.after_rounds(a, &after.items[key], count));
        Contents { items: any.items.iter().map(left).collect(), vague: None, of: any.of.clone(), growing: None }
    }
}

impl Contents<DictItems> {
    /// Whether the keys are known and those of another dict.
    fn has_keys_of(&self, other: &Self) -> bool {
        let known = self.vague.is_none() && other.vague.is_none();
        known && self.items.len() == other.items.len() && self.items.keys().all(|key| other.items.contains_key(key))
    }
}

impl Join for Contents<SetItems> {
    fn join(&self, other: &Self) -> Self {
        let vague = self.vague.clone().or(other.vague.clone());
        if vague.is_none() && self.items == other.items {
            return self.clone();
        }
        Contents { items: SetItems::default(), vague: vague.or_else(differ), of: None, growing: None }
    }
}

impl Join for Value {
    fn join(&self, other: &Self) -> Self {
        join_values(self, other)
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        counter.any_round(self, first, second)
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        counter.goes_on(self, after)
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        counter.after_rounds(any, after, count)
    }
}

impl Join for Vec<Value> {
    fn join(&self, other: &Self) -> Self {
        let none = Value::Unbound;
        (0..self.len().max(other.len()))
            .map(|i| join_values(self.get(i).unwrap_or(&none), other.get(i).unwrap_or(&none)))
            .collect()
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        if self.len() != first.len() || self.len() != second.len() {
            return self.join(second);
        }
        (0..self.len()).map(|i| counter.any_round(&self[i], &first[i], &second[i])).collect()
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        let left = after.iter().chain(std::iter::repeat(&Value::Unbound));
        self.iter().zip(left).all(|(any, after)| counter.goes_on(any, after))
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if any.len() != after.len() {
            return any.join(after);
        }
        any.iter().zip(after).map(|(any, after)| counter.after_rounds(any, after, count)).collect()
    }
}
