//! Functions that make iterators of iterables: `enumerate`, `zip`, `map`, `filter`, `reversed`.

use std::rc::Rc;

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::define_fn;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::live::{Live, Walked};
use crate::python::{Args, Guess, Iter, Value, Why};

/// Adds them.
pub(super) fn install(it: &Rc<Interp>) {
    define_fn(it, "enumerate", enumerate);
    define_fn(it, "zip", zip);
    define_fn(it, "map", map);
    define_fn(it, "filter", filter);
    define_fn(it, "reversed", reversed);
}

fn enumerate(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [values, start] = args.bind("enumerate", ["iterable", "start"], 1)?;
    if let Some(first) = far(&start) {
        let iterator = it.iterate(&values)?;
        return Ok(numbered_from(iterator, first));
    }
    let at = if start.is_unbound() { 0 } else { it.index(&start)? };
    match it.iterate(&values) {
        Ok(iterator) => match open_enumerate(&iterator, at) {
            Some(open) => Ok(open),
            None => Ok(Iter::enumerate(iterator, at)),
        },
        Err(Halt::Unknown(why)) => Ok(numbered("enumerate", Value::unknown(why.0.clone()), why)),
        Err(halt) => Err(halt),
    }
}

fn filter(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [function, values] = args.exactly("filter")?;
    let inner = it.iterate(&values)?;
    Ok(Iter::native("filter", move |it| {
        while let Some(item) = it.next(&inner)? {
            let keep = match &function {
                Value::None => item.clone(),
                function => it.call_with(function, [item.clone()])?,
            };
            match it.truth_or_unknown(&keep)? {
                Ok(true) => return Ok(Some(item)),
                Ok(false) => {}
                Err(why) => {
                    it.may_go_on(&inner)?;
                    return Err(Halt::Unknown(why));
                }
            }
        }
        Ok(None)
    }))
}

/// Items left of an iterator, if known.
fn remaining(iterator: &Value) -> Option<usize> {
    match iterator {
        Value::Iter(iter) => iter.remaining(),
        _ => None,
    }
}

/// Notes how many items an iterator has.
fn with_remaining(iterator: Value, remaining: Option<usize>) -> Value {
    if let (Value::Iter(iter), Some(n)) = (&iterator, remaining) {
        iter.set_remaining(n);
    }
    iterator
}

/// Any number of items of a kind, with their numbers.
fn numbered(name: &'static str, item: Value, why: Why) -> Value {
    let number = Value::unknown_of(Guess::Int, why.0.clone());
    Iter::of_kind(name, Value::tuple([number, item]), why)
}

/// `enumerate` of an iterator of which it is not known how far it goes; none for any other.
fn open_enumerate(iterator: &Value, at: i64) -> Option<Value> {
    let Value::Iter(iter) = iterator else { return None };
    if let Some((items, why)) = iter.open_items() {
        let numbered = (at..).zip(items.iter()).map(|(at, item)| Value::tuple([Value::Int(at), item.clone()]));
        return Some(Iter::open("enumerate", numbered.collect(), why));
    }
    iter.sample().map(|(item, why)| numbered("enumerate", item, why))
}

/// So many items of what is known beside something that is not are told apart.
const MOST_TOLD_APART: usize = 16;

/// `zip` where some of the iterables are not known, and why; the items of the others are.
fn open_zip(it: &Rc<Interp>, iterators: &[Result<Value, Why>], why: Why) -> Step<Value> {
    let mut lists: Vec<Result<Vec<Value>, Value>> = Vec::new();
    for iterator in iterators {
        lists.push(match iterator {
            Ok(Value::Iter(iter)) => match (iter.open_items(), iter.sample()) {
                (Some((items, _)), _) => Ok(items.to_vec()),
                (None, Some((item, _))) => Err(item),
                (None, None) => {
                    iter.plain_items(it, MOST_TOLD_APART, &why).unwrap_or_else(|| Err(Value::unknown(why.0.clone())))
                }
            },
            _ => Err(Value::unknown(why.0.clone())),
        });
    }
    let nothing =
        |list: &Result<Vec<Value>, Value>| matches!(list, Err(Value::Unknown(unknown)) if unknown.guess == Guess::Any);
    if lists.iter().all(nothing) {
        return Err(Halt::Unknown(why));
    }
    let part = |list: &Result<Vec<Value>, Value>, at: usize| match list {
        Ok(items) => items[at].clone(),
        Err(item) => item.clone(),
    };
    Ok(match lists.iter().filter_map(|list| list.as_ref().ok()).map(Vec::len).min() {
        Some(rounds) => {
            let rounds = (0..rounds).map(|at| Value::tuple(lists.iter().map(|list| part(list, at))));
            Iter::open("zip", rounds.collect(), why)
        }
        None => Iter::of_kind("zip", Value::tuple(lists.iter().map(|list| part(list, 0))), why),
    })
}

fn zip(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let strict = match args.take_keyword("strict") {
        Some(strict) => it.truth(&strict)?,
        None => false,
    };
    let mut inner = Vec::new();
    let mut open = None;
    for (i, values) in args.positional.iter().enumerate() {
        let iterator = match it.iterate(values) {
            Err(Halt::Raise(mut exception)) if exception.is_native("TypeError") => {
                exception.edit_message(|_| format!("zip argument #{} must support iteration", i + 1));
                return Err(Halt::Raise(exception));
            }
            Err(Halt::Unknown(why)) => Err(why),
            iterator => Ok(iterator?),
        };
        let lacks = match &iterator {
            Ok(Value::Iter(iter)) => {
                iter.open_items().map(|(_, why)| why).or_else(|| iter.sample().map(|(_, why)| why))
            }
            Ok(_) => None,
            Err(why) => Some(why.clone()),
        };
        if let Some(why) = lacks {
            open.get_or_insert(why);
        }
        inner.push(iterator);
    }
    if let Some(why) = open {
        return open_zip(it, &inner, why);
    }
    let inner: Vec<Value> = inner.into_iter().flatten().collect();
    if !strict && !inner.is_empty() {
        return Ok(Iter::zip(inner));
    }
    let left = inner.iter().map(remaining).try_fold(usize::MAX, |least, n| n.map(|n| n.min(least)));
    let iterator = Iter::native("zip", move |it| {
        if inner.is_empty() {
            return Ok(None);
        }
        let mut items = Vec::with_capacity(inner.len());
        for (i, iterator) in inner.iter().enumerate() {
            match it.next(iterator)? {
                Some(item) => items.push(item),
                None if strict && i > 0 => {
                    let s = if i == 1 { " " } else { "s 1-" };
                    return Err(Halt::value_error(format!("zip() argument {} is shorter than argument{s}{i}", i + 1)));
                }
                None => {
                    if strict {
                        for (j, other) in inner.iter().enumerate().skip(1) {
                            if it.next(other)?.is_some() {
                                let s = if j == 1 { " " } else { "s 1-" };
                                return Err(Halt::value_error(format!(
                                    "zip() argument {} is longer than argument{s}{j}",
                                    j + 1
                                )));
                            }
                        }
                    }
                    return Ok(None);
                }
            }
        }
        Ok(Some(Value::tuple(items)))
    });
    Ok(with_remaining(iterator, left.filter(|n| *n != usize::MAX)))
}

fn map(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let mut values = args.positional.into_iter();
    let (Some(function), rest) = (values.next(), values) else {
        return Err(Halt::type_error("map() must have at least two arguments."));
    };
    let iterators = rest.map(|values| match it.iterate(&values) {
        Err(Halt::Unknown(why)) => Ok(Value::unknown(why.0)),
        iterator => iterator,
    });
    let inner: Vec<Value> = iterators.collect::<Step<_>>()?;
    if inner.is_empty() {
        return Err(Halt::type_error("map() must have at least two arguments."));
    }
    Ok(Iter::native("map", move |it| {
        let mut items: SmallVec<[Value; 2]> = SmallVec::new();
        for iterator in &inner {
            match it.next(iterator) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => return Ok(None),
                Err(halt) => {
                    // It is called as often as nobody knows.
                    if let Halt::Unknown(_) = halt {
                        it.lose_functions(std::slice::from_ref(&function));
                    }
                    return Err(halt);
                }
            }
        }
        if let Some(value) = it.made_of_plain(&function, &items) {
            return Ok(Some(value));
        }
        it.call_with(&function, items).map(Some)
    }))
}

fn reversed(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value] = args.exactly("reversed")?;
    if let Some(iterator) = it.call_special(&value, sym!("__reversed__"), [])? {
        return Ok(iterator);
    }
    if let Some(iterator) = it.iterate_view(&value, true)? {
        return Ok(iterator);
    }
    match value.base() {
        Value::Range(range) => {
            let n = range.len();
            let back = crate::python::Range {
                start: range.at(n - 1),
                stop: range.start - range.step.signum(),
                step: -range.step,
            };
            let back = if n == 0 { crate::python::Range { start: 0, stop: 0, step: 1 } } else { back };
            it.iterate(&Value::Range(Rc::new(back)))
        }
        // It may be a view of a dict.
        Value::Set(set) if let Some(why) = set.why_vague() => Err(Halt::Unknown(why)),
        Value::Iter(_) | Value::Set(_) | Value::FrozenSet(_) => {
            Err(Halt::type_error(format!("'{}' object is not reversible", it.type_name(&value))))
        }
        Value::Dict(dict) if dict.why_vague().is_none() => {
            let keys = dict.read().keys().map(|key| key.value.clone()).collect();
            Ok(Iter::live("dict_reversekeyiterator", Live::new(Walked::Keys(dict.clone()), keys, true)))
        }
        Value::List(list) if list.why_vague().is_none() => {
            let items = list.read().iter().cloned().collect();
            Ok(Iter::live("list_reverseiterator", Live::new(Walked::List(list.clone()), items, true)))
        }
        Value::Instance(_) if it.find_attr(&value, sym!("__getitem__"))?.is_some() => {
            let n = it.len(&value)?;
            let mut left = n as i64;
            let iterator = Iter::native("reversed", move |it| {
                if left == 0 {
                    return Ok(None);
                }
                left -= 1;
                match it.while_catching(|| it.getitem(&value, &Value::Int(left))) {
                    Err(Halt::Raise(e)) if it.is_exception(&e, "IndexError") => Ok(None),
                    item => item.map(Some),
                }
            });
            Ok(with_remaining(iterator, Some(n)))
        }
        _ => {
            let mut items = it.to_vec(&value)?;
            items.reverse();
            Ok(Iter::items("list_reverseiterator", items))
        }
    }
}

/// The start of a numbering that may go past the integers of a machine.
fn far(start: &Value) -> Option<BigInt> {
    match start.base() {
        Value::BigInt(first) => Some((**first).clone()),
        Value::Int(first) if *first > i64::MAX / 2 => Some(BigInt::from(*first)),
        _ => None,
    }
}

fn numbered_from(iterator: Value, mut at: BigInt) -> Value {
    Iter::native("enumerate", move |it| {
        let Some(item) = it.next(&iterator)? else { return Ok(None) };
        let number = Value::big(at.clone());
        at += 1;
        Ok(Some(Value::tuple([number, item])))
    })
}
