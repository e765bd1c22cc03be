//! Python values.

use std::fmt;
use std::rc::Rc;

use num_bigint::BigInt;
use num_complex::Complex64;

use super::class::Class;
use super::container::{Dict, List, Set, join_values};
use super::function::{Function, Method, NativeFn};
use super::halt::{Reason, Site, Why};
use super::instance::Instance;
use super::iterator::Iter;
use super::module::ModuleObject;
use super::object::Object;
use super::span::Span;
use crate::trace::Val;

/// A Python value.
// The tag fills a word, so that no payload starts at an odd address: copies of values stay whole words.
#[derive(Clone)]
#[repr(u64)]
pub enum Value {
    /// An empty slot: never seen by a program.
    Unbound,
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// A float.
    Float(f64),
    /// An integer that does not fit.
    BigInt(Rc<BigInt>),
    /// A complex number.
    Complex(Rc<Complex64>),
    /// A string.
    Str(Rc<str>),
    /// Bytes.
    Bytes(Rc<[u8]>),
    /// A tuple.
    Tuple(Rc<[Value]>),
    /// A list.
    List(List),
    /// A dict.
    Dict(Dict),
    /// A set.
    Set(Set),
    /// A frozenset.
    FrozenSet(Set),
    /// `range(start, stop, step)`
    Range(Rc<Range>),
    /// `slice(start, stop, step)`
    Slice(Rc<[Value; 3]>),
    /// A function of Python text.
    Function(Rc<Function>),
    /// A bound method.
    Method(Rc<Method>),
    /// A function of ours.
    Native(Rc<NativeFn>),
    /// A class, builtin or not.
    Class(Rc<Class>),
    /// An instance of a class of Python text (or of a builtin's subclass).
    Instance(Rc<Instance>),
    /// A module.
    Module(Rc<ModuleObject>),
    /// An iterator or generator.
    Iter(Rc<Iter>),
    /// An array or tracer of the tracer's own.
    Array(Val),
    /// Anything else that a framework brings.
    Object(Rc<dyn Object>),
    /// Not known.
    Unknown(Rc<Unknown>),
}

/// Replaces what others hold too, or what is the same; whether it did. Nothing dies by it.
#[inline(always)]
pub(super) fn replace_shared<T: ?Sized>(old: &mut Rc<T>, new: &Rc<T>) -> bool {
    if Rc::ptr_eq(old, new) {
        return true;
    }
    if Rc::strong_count(old) == 1 {
        return false;
    }
    let before = std::mem::replace(old, new.clone());
    // The count is looked at once more for the compiler: letting go of what others hold calls nothing.
    match Rc::strong_count(&before) {
        1 => std::mem::forget(before),
        _ => drop(before),
    }
    true
}

/// Whether a value is of the kinds that are shown where they are.
#[inline(always)]
pub fn is_shown(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_) | Value::Unknown(_))
}

/// Adds an alternative; arrays of one type are one.
fn add_choice(choices: &mut Vec<Value>, value: &Value) {
    let alike = |other: &Value| matches!((other, value), (Value::Array(a), Value::Array(b)) if a.aval == b.aval);
    let joined = choices.iter().position(alike).and_then(|at| match join_values(&choices[at], value) {
        joined @ Value::Array(_) => Some((at, joined)),
        _ => None,
    });
    match joined {
        Some((at, joined)) => choices[at] = joined,
        None => choices.push(value.clone()),
    }
}

/// `range(start, stop, step)`; the step is not zero.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

impl Range {
    /// The number of items.
    pub fn len(self) -> i64 {
        let Range { start, stop, step } = self;
        if step > 0 && start < stop {
            (stop as i128 - start as i128 - 1).div_euclid(step as i128).saturating_add(1) as i64
        } else if step < 0 && start > stop {
            (start as i128 - stop as i128 - 1).div_euclid(-(step as i128)).saturating_add(1) as i64
        } else {
            0
        }
    }
    /// Whether there are no items.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The item at a position inside.
    pub fn at(self, index: i64) -> i64 {
        self.start.wrapping_add(index.wrapping_mul(self.step))
    }
}

/// What is known of an unknown value's type.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guess {
    /// Nothing.
    Any,
    /// It is a `bool`.
    Bool,
    /// It is an `int`.
    Int,
    /// It is a `float`.
    Float,
    /// It is a `complex`.
    Complex,
    /// It is a `str`.
    Str,
}

/// Alternatives that an unknown value keeps.
const MOST_CHOICES: usize = 4;

/// A value that is not known.
#[derive(Debug)]
pub struct Unknown {
    /// Why.
    pub why: Why,
    /// Its type, as far as known.
    pub guess: Guess,
    /// Where knowledge was lost.
    pub site: Option<Site>,
    /// The few numbers or arrays that it may be, where those are known: operators work on each.
    pub choices: Option<Rc<[Value]>>,
    /// What is known of an integer that a widened loop counts.
    pub span: Option<Span>,
    /// What it is where it is not `None`.
    pub or_none: Option<Value>,
    /// What its items are, as far as known, where it can be walked.
    pub items: Guess,
    /// The object that it was made of and that can be had from it again: it is the bytes of one.
    pub held: Option<Value>,
    /// The objects that it may be, where they can be changed: what is done to it may be done to any of them.
    pub any_of: Option<Rc<[Value]>>,
    /// What gave it is known to have ended without an exception.
    pub is_sure: bool,
}

impl Unknown {
    /// Of a type.
    pub fn new(why: Why, guess: Guess) -> Unknown {
        Unknown {
            why,
            guess,
            site: None,
            choices: None,
            span: None,
            or_none: None,
            items: Guess::Any,
            held: None,
            any_of: None,
            is_sure: false,
        }
    }
}

impl Value {
    /// An unknown value.
    pub fn unknown(why: impl Into<Reason>) -> Value {
        Value::unknown_of(Guess::Any, why)
    }
    /// An unknown value of a known type.
    pub fn unknown_of(guess: Guess, why: impl Into<Reason>) -> Value {
        Value::Unknown(Rc::new(Unknown::new(Why(why.into()), guess)))
    }
    /// An unknown value of a known type from what is known to have ended without an exception.
    pub fn unknown_surely_of(guess: Guess, why: impl Into<Reason>) -> Value {
        Value::Unknown(Rc::new(Unknown { is_sure: true, ..Unknown::new(Why(why.into()), guess) }))
    }
    /// An integer that is not known but within a span.
    pub fn within(span: Span, why: impl Into<Reason>) -> Value {
        let counted = Unknown::new(Why(why.into()), Guess::Int);
        Value::Unknown(Rc::new(Unknown { span: Some(span), ..counted }))
    }
    /// `None` or this value; what is not known at all is as unknown with `None`.
    pub fn or_none(value: Value, why: impl Into<Reason>) -> Value {
        match &value {
            Value::None => value,
            Value::Unknown(unknown) if unknown.or_none.is_some() => value,
            Value::Unbound => Value::unknown(why),
            Value::Unknown(unknown)
                if unknown.guess == Guess::Any && unknown.choices.is_none() && unknown.any_of.is_none() =>
            {
                Value::unknown(why)
            }
            _ => {
                let unknown = Unknown::new(Why(why.into()), Guess::Any);
                Value::Unknown(Rc::new(Unknown { or_none: Some(value), ..unknown }))
            }
        }
    }
    /// What a value is on the way that an operation leaves which `None` has not: itself, if it may be `None`.
    pub fn unless_none(&self) -> Option<&Value> {
        match self {
            Value::Unknown(unknown) => unknown.or_none.as_ref(),
            _ => None,
        }
    }
    /// The value as one of which nothing is known, if it may be `None`.
    pub fn without_or_none(&self) -> Value {
        match self {
            Value::Unknown(unknown) if unknown.or_none.is_some() => Value::unknown(unknown.why.0.clone()),
            _ => self.clone(),
        }
    }
    /// The span of an integer that is not known.
    pub fn span(&self) -> Option<Span> {
        match self {
            Value::Unknown(unknown) => unknown.span,
            _ => None,
        }
    }
    /// One of these, as far as they are numbers or arrays and few; else an unknown value.
    pub fn one_of(values: [&Value; 2], why: &str) -> Value {
        let mut choices: Vec<Value> = Vec::new();
        for value in values {
            match value {
                Value::Unknown(unknown) if unknown.choices.is_some() => {
                    let all = unknown.choices.iter().flat_map(|choices| choices.iter());
                    all.for_each(|value| add_choice(&mut choices, value));
                }
                Value::Array(_) => add_choice(&mut choices, value),
                Value::Unknown(unknown) if !matches!(unknown.guess, Guess::Any | Guess::Str) => {
                    choices.push(value.clone())
                }
                Value::Object(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => choices.push(value.clone()),
                _ => return Value::unknown(why),
            }
        }
        if choices.len() > MOST_CHOICES {
            return Value::unknown(why);
        }
        if let [only] = &choices[..] {
            return only.clone();
        }
        let unknown = Unknown::new(Why(why.into()), Guess::Any);
        Value::Unknown(Rc::new(Unknown { choices: Some(choices.into()), ..unknown }))
    }
    /// A string.
    pub fn str(text: impl AsRef<str>) -> Value {
        Value::Str(Rc::from(text.as_ref()))
    }
    /// A tuple.
    pub fn tuple(items: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(items.into_iter().collect())
    }
    /// A new list.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(List::new(items))
    }
    /// An integer of any size.
    pub fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::BigInt(Rc::new(value)),
        }
    }
    /// A size.
    pub fn size(value: usize) -> Value {
        Value::Int(value as i64)
    }
    /// Whether it holds nothing that has to be let go of.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        // The first ones of the list: one comparison.
        matches!(
            self,
            Value::Unbound
                | Value::None
                | Value::Ellipsis
                | Value::NotImplemented
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
        )
    }
    /// Puts a value into a slot; letting go of a plain one costs nothing.
    #[inline(always)]
    pub fn put(slot: &mut Value, value: Value) {
        match slot.is_plain() {
            // Nothing of the old value is read.
            true => std::mem::forget(std::mem::replace(slot, value)),
            false => *slot = value,
        }
    }
    /// Copies a value into a slot: mostly, numbers.
    #[inline(always)]
    pub fn copy_from(&mut self, value: &Value) {
        match (self, value) {
            (Value::Int(old), Value::Int(number)) => *old = *number,
            (Value::Float(old), Value::Float(number)) => *old = *number,
            (slot, Value::Int(number)) => Value::put(slot, Value::Int(*number)),
            (slot, value) => slot.copy_other(value),
        }
    }
    /// Copies what calls nothing to be copied into a slot whose value is let go of without a call; whether it did: that is so where a
    /// plain value stands there, the same object, or one of its kind that others hold too. What is shown where it is, or not there, is
    /// not copied.
    #[inline(always)]
    pub fn put_light(slot: &mut Value, value: &Value) -> bool {
        macro_rules! light {
            ($($number:ident)*; $($kind:ident)*; $($container:ident)*) => {
                match value {
                    $(Value::$number(number) => match slot {
                        Value::$number(old) => *old = *number,
                        slot if slot.is_plain() => Value::put_plainly(slot, Value::$number(*number)),
                        _ => return false,
                    },)*
                    $(Value::$kind(held) => match slot {
                        Value::$kind(old) => return replace_shared(old, held),
                        slot if slot.is_plain() => Value::put_plainly(slot, Value::$kind(held.clone())),
                        _ => return false,
                    },)*
                    $(Value::$container(held) => match slot {
                        Value::$container(old) => return old.replace_shared(held),
                        slot if slot.is_plain() => Value::put_plainly(slot, Value::$container(held.clone())),
                        _ => return false,
                    },)*
                    Value::None if slot.is_plain() => Value::put_plainly(slot, Value::None),
                    _ => return false,
                }
            };
        }
        light!(Int Float Bool; Function Native Class Instance Str Tuple Iter; List Dict Set);
        true
    }
    /// Puts a value where a plain one stands, of which nothing is read.
    #[inline(always)]
    fn put_plainly(slot: &mut Value, value: Value) {
        std::mem::forget(std::mem::replace(slot, value));
    }
    /// As [`Value::copy_from`]. What is made elsewhere is written in two parts and read as one, and that waits for memory: the
    /// commonest kinds are made where they stay.
    #[inline(never)]
    fn copy_other(&mut self, value: &Value) {
        macro_rules! by_kind {
            ($($kind:ident)*) => {
                match value {
                    $(Value::$kind(held) => {
                        let held = held.clone();
                        match self {
                            // What is let go of is known to be of this kind.
                            Value::$kind(old) => *old = held,
                            slot => Value::put(slot, Value::$kind(held)),
                        }
                    })*
                    value => Value::put(self, value.clone()),
                }
            };
        }
        by_kind!(Bool Float Str Tuple List Dict Set Instance Function Native Class Iter);
    }
    /// Moves a value into a slot and leaves a plain one. Numbers are not moved as a whole: what was written in two parts
    /// would be waited for.
    #[inline(always)]
    pub fn move_to(&mut self, slot: &mut Value) {
        match (&mut *self, &mut *slot) {
            (Value::Int(number), Value::Int(old)) => *old = *number,
            (Value::Float(number), Value::Float(old)) => *old = *number,
            (Value::Int(number), slot) => Value::put(slot, Value::Int(*number)),
            (Value::Float(number), slot) => Value::put(slot, Value::Float(*number)),
            (value, slot) => Value::put(slot, std::mem::replace(value, Value::Unbound)),
        }
    }
    /// Whether both are one object that stands in memory of its own.
    #[inline(always)]
    pub fn is_same_object(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Function(one), Value::Function(other)) => Rc::ptr_eq(one, other),
            (Value::List(one), Value::List(other)) => one.same(other),
            (Value::Dict(one), Value::Dict(other)) => one.same(other),
            (Value::Instance(one), Value::Instance(other)) => Rc::ptr_eq(one, other),
            (Value::Native(one), Value::Native(other)) => Rc::ptr_eq(one, other),
            (Value::Class(one), Value::Class(other)) => Rc::ptr_eq(one, other),
            (Value::Str(one), Value::Str(other)) => Rc::ptr_eq(one, other),
            (Value::Tuple(one), Value::Tuple(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
    /// Whether both are one function, builtin or class.
    #[inline(always)]
    pub fn is_same_callable(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Function(one), Value::Function(other)) => Rc::ptr_eq(one, other),
            (Value::Native(one), Value::Native(other)) => Rc::ptr_eq(one, other),
            (Value::Class(one), Value::Class(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
    /// Lets go of what is in a slot; a plain value may stay.
    #[inline(always)]
    pub fn clear(slot: &mut Value) {
        if !slot.is_plain() {
            *slot = Value::Unbound;
        }
    }
    /// Whether it may hold other values.
    #[inline(always)]
    pub fn refers(&self) -> bool {
        !self.is_plain() && !matches!(self, Value::Str(_) | Value::BigInt(_) | Value::Complex(_) | Value::Bytes(_))
    }
    /// Whether it is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown(_))
    }
    /// Whether it is `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }
    /// Whether it is an empty slot.
    #[inline(always)]
    pub fn is_unbound(&self) -> bool {
        matches!(self, Value::Unbound)
    }
    /// The text, if it is a string (or an instance of a subclass of `str`).
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            Value::Instance(instance) => instance.payload().and_then(Value::as_str),
            _ => None,
        }
    }
    /// The integer, if it is one that fits (`bool` included).
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(*value as i64),
            Value::Instance(instance) => instance.payload().and_then(Value::as_int),
            _ => None,
        }
    }
    /// The value that a builtin's methods work on: an instance of a builtin's subclass gives the builtin value inside.
    pub fn base(&self) -> &Value {
        match self {
            Value::Instance(instance) => instance.payload().unwrap_or(self),
            _ => self,
        }
    }
    /// Whether both are the same object (`is`).
    pub fn is(&self, other: &Value) -> bool {
        use Value::*;
        match (self, other) {
            (None, None) | (Ellipsis, Ellipsis) | (NotImplemented, NotImplemented) | (Unbound, Unbound) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            (BigInt(a), BigInt(b)) => Rc::ptr_eq(a, b),
            (Complex(a), Complex(b)) => Rc::ptr_eq(a, b),
            (Str(a), Str(b)) => Rc::ptr_eq(a, b) || a == b,
            (Bytes(a), Bytes(b)) => Rc::ptr_eq(a, b),
            (Tuple(a), Tuple(b)) => Rc::ptr_eq(a, b) || (a.is_empty() && b.is_empty()),
            (List(a), List(b)) => a.same(b),
            (Dict(a), Dict(b)) => a.same(b),
            (Set(a), Set(b)) | (FrozenSet(a), FrozenSet(b)) => a.same(b),
            (Range(a), Range(b)) => Rc::ptr_eq(a, b),
            (Slice(a), Slice(b)) => Rc::ptr_eq(a, b),
            (Function(a), Function(b)) => Rc::ptr_eq(a, b),
            (Method(a), Method(b)) => Rc::ptr_eq(a, b),
            (Native(a), Native(b)) => Rc::ptr_eq(a, b),
            (Class(a), Class(b)) => Rc::ptr_eq(a, b),
            // `type(map(f, xs)) is map`: the class of such an iterator, and the function that makes one.
            (Class(class), Native(native)) | (Native(native), Class(class)) => {
                class.root == super::class::Root::Iterator && class.is_builtin() && class.name == native.name
            }
            (Instance(a), Instance(b)) => Rc::ptr_eq(a, b),
            (Module(a), Module(b)) => Rc::ptr_eq(a, b),
            (Iter(a), Iter(b)) => Rc::ptr_eq(a, b),
            (Array(a), Array(b)) => Rc::ptr_eq(a, b),
            (Object(a), Object(b)) => a.identity(b.as_ref()),
            (Unknown(a), Unknown(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
    /// A number that tells objects apart while both live: what `id()` gives.
    pub fn identity(&self) -> usize {
        fn at<T: ?Sized>(rc: &Rc<T>) -> usize {
            Rc::as_ptr(rc).cast::<()>() as usize
        }
        use Value::*;
        match self {
            Unbound | None => 1,
            Ellipsis => 2,
            NotImplemented => 3,
            Bool(value) => 4 + *value as usize,
            Int(value) => (*value as usize).wrapping_mul(16) | 8,
            Float(value) => (value.to_bits() as usize) | 8,
            BigInt(rc) => at(rc),
            Complex(rc) => at(rc),
            Str(rc) => at(rc),
            Bytes(rc) => at(rc),
            Tuple(rc) => at(rc),
            List(list) => list.address(),
            Dict(dict) => dict.address(),
            Set(set) | FrozenSet(set) => set.address(),
            Range(rc) => at(rc),
            Slice(rc) => at(rc),
            Function(rc) => at(rc),
            Method(rc) => at(rc),
            Native(rc) => at(rc),
            Class(rc) => at(rc),
            Instance(rc) => at(rc),
            Module(rc) => at(rc),
            Iter(rc) => at(rc),
            Array(rc) => at(rc),
            Object(rc) => at(rc),
            Unknown(rc) => at(rc),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::str(value)
    }
}
impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Str(value.into())
    }
}
impl From<Val> for Value {
    fn from(value: Val) -> Value {
        Value::Array(value)
    }
}

/// For debugging: short, never recursive without bound.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Value::*;
        match self {
            Unbound => f.write_str("<unbound>"),
            None => f.write_str("None"),
            Ellipsis => f.write_str("Ellipsis"),
            NotImplemented => f.write_str("NotImplemented"),
            Bool(value) => write!(f, "{value}"),
            Int(value) => write!(f, "{value}"),
            BigInt(value) => write!(f, "{value}"),
            Float(value) => write!(f, "{value:?}"),
            Complex(value) => write!(f, "{value}"),
            Str(value) => write!(f, "{value:?}"),
            Bytes(value) => write!(f, "b{value:?}"),
            Tuple(items) => write!(f, "<tuple of {}>", items.len()),
            List(_) => f.write_str("<list>"),
            Dict(_) => f.write_str("<dict>"),
            Set(_) | FrozenSet(_) => f.write_str("<set>"),
            Range(range) => write!(f, "{range:?}"),
            Slice(_) => f.write_str("<slice>"),
            Function(function) => write!(f, "<function {}>", function.name()),
            Method(_) => f.write_str("<method>"),
            Native(function) => write!(f, "<native {}>", function.name),
            Class(class) => write!(f, "<class {}>", class.name),
            Instance(instance) => write!(f, "<{} object>", instance.class().name),
            Module(module) => write!(f, "<module {}>", module.name),
            Iter(_) => f.write_str("<iterator>"),
            Array(array) => write!(f, "<array {:?}>", array.aval),
            Object(object) => write!(f, "<{}>", object.type_name()),
            Unknown(unknown) => write!(f, "<unknown: {}>", unknown.why.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::halt::Step;

    #[test]
    fn values_and_steps_stay_small() {
        assert_eq!(size_of::<Value>(), 24);
        assert_eq!(size_of::<Option<Value>>(), 24);
        assert_eq!(size_of::<Step<Value>>(), 24);
    }

    #[test]
    fn what_is_copied_without_a_call_lets_nothing_die() {
        let (one, other) = (Value::str("one"), Value::str("other"));
        let mut slot = Value::Int(1);
        assert!(Value::put_light(&mut slot, &one) && slot.is_same_object(&one));
        // Others hold it: `one` does.
        assert!(Value::put_light(&mut slot, &other) && slot.is_same_object(&other));
        // The last one that holds its text stays, and so does what is of another kind.
        let mut last = Value::str("last");
        assert!(!Value::put_light(&mut last, &one) && last.as_str() == Some("last"));
        assert!(!Value::put_light(&mut last, &Value::Int(2)) && last.as_str() == Some("last"));
        // What is shown where it is, or not there, is not copied.
        let mut plain = Value::None;
        assert!(
            !Value::put_light(&mut plain, &Value::Unbound) && !Value::put_light(&mut plain, &Value::unknown("why"))
        );
        assert!(plain.is_none());
        let Value::Str(text) = &one else { panic!() };
        assert_eq!(Rc::strong_count(text), 1);
    }
}
