//! What builtin types make of plain values, without running code.

use std::rc::Rc;

use super::Interp;
use super::flat::truth_of;
use crate::python::value::Range;
use crate::python::{Class, Dict, Key, Set, SetItems, Value};

/// Integers below are floats exactly.
const EXACT: f64 = (1i64 << 53) as f64;

impl Interp {
    /// What a function of ours or a builtin type makes of plain values, where that is all there is to do.
    #[inline]
    pub(super) fn made_of_plain(self: &Rc<Self>, callee: &Value, args: &[Value]) -> Option<Value> {
        match callee {
            Value::Native(native) if self.is_unwatched() => native.quick.get()?(self, args),
            Value::Class(class) if class.is_builtin() && self.is_unwatched() => self.plainly_made(class, args),
            _ => None,
        }
    }

    /// What a builtin type makes of arguments, where these are plain values or known containers and that runs no code.
    #[inline(never)]
    pub(super) fn plainly_made(&self, class: &Rc<Class>, args: &[Value]) -> Option<Value> {
        let t = &self.types;
        let is = |other: &Rc<Class>| Rc::ptr_eq(class, other);
        match args {
            [] if is(&t.list) => Some(Value::list(Vec::new())),
            [] if is(&t.dict) => Some(Value::Dict(Dict::new(Default::default()))),
            [] if is(&t.set) => Some(Value::Set(Set::new(Default::default()))),
            [Value::Int(stop)] if is(&t.range) => Some(range(0, *stop, 1)),
            [Value::Int(start), Value::Int(stop)] if is(&t.range) => Some(range(*start, *stop, 1)),
            [Value::Int(start), Value::Int(stop), Value::Int(step)] if *step != 0 && is(&t.range) => {
                Some(range(*start, *stop, *step))
            }
            [Value::Tuple(items)] if is(&t.list) => {
                self.spend_many(items.len()).ok()?;
                Some(Value::list(items.to_vec()))
            }
            [items @ Value::Tuple(_)] if is(&t.tuple) => Some(items.clone()),
            [Value::List(items)] if is(&t.list) || is(&t.tuple) => {
                let known = items.known()?;
                self.spend_many(known.items.len()).ok()?;
                Some(match is(&t.list) {
                    true => Value::list(known.items.clone()),
                    false => Value::Tuple(known.items[..].into()),
                })
            }
            [Value::Str(text)] if is(&t.set) || is(&t.list) => {
                self.spend_many(text.len()).ok()?;
                let letters = text.chars().map(|letter| Value::str(letter.encode_utf8(&mut [0; 4])));
                match is(&t.set) {
                    true => set_of(letters),
                    false => Some(Value::list(letters.collect())),
                }
            }
            [Value::Tuple(items)] if is(&t.set) => {
                self.spend_many(items.len()).ok()?;
                set_of(items.iter().cloned())
            }
            [Value::List(items)] if is(&t.set) => {
                let known = items.known()?;
                self.spend_many(known.items.len()).ok()?;
                set_of(known.items.iter().cloned())
            }
            [value] => self.converted(class, value),
            _ => None,
        }
    }

    /// `int(x)`, `float(x)`, `bool(x)` and `str(x)` of plain values.
    pub(super) fn converted(&self, class: &Rc<Class>, value: &Value) -> Option<Value> {
        let t = &self.types;
        if !class.is_builtin() {
            return None;
        }
        match value {
            value if Rc::ptr_eq(class, &t.bool_) => truth_of(value).map(Value::Bool),
            Value::Int(_) if Rc::ptr_eq(class, &t.int) => Some(value.clone()),
            Value::Float(number) if Rc::ptr_eq(class, &t.int) && number.abs() < EXACT => {
                Some(Value::Int(*number as i64))
            }
            Value::Float(_) if Rc::ptr_eq(class, &t.float) => Some(value.clone()),
            Value::Int(number) if Rc::ptr_eq(class, &t.float) && (*number as f64).abs() < EXACT => {
                Some(Value::Float(*number as f64))
            }
            Value::Str(_) if Rc::ptr_eq(class, &t.str_) => Some(value.clone()),
            Value::Str(text) if Rc::ptr_eq(class, &t.int) => plain_integer(text).map(Value::Int),
            Value::Int(number) if Rc::ptr_eq(class, &t.str_) => Some(super::builtins::texts::decimal(*number)),
            _ => None,
        }
    }
}

/// A set of numbers and texts; `None` where something else is among them.
fn set_of(items: impl Iterator<Item = Value>) -> Option<Value> {
    let mut set = SetItems::default();
    for item in items {
        match item {
            Value::Int(_) | Value::Str(_) => set.insert(Key::of(&item)?),
            _ => return None,
        };
    }
    Some(Value::Set(Set::new(set)))
}

/// The integer that a text of few digits is, with or without a sign and spaces around.
fn plain_integer(text: &str) -> Option<i64> {
    /// So many digits fit.
    const MOST_DIGITS: usize = 18;
    let text = text.trim_matches(' ');
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    Some(if is_negative { -number } else { number })
}

fn range(start: i64, stop: i64, step: i64) -> Value {
    Value::Range(Rc::new(Range { start, stop, step }))
}
