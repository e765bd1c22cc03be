//! `Counter`: tallies of numbers, texts and tuples of these, counted with integers.

use std::rc::Rc;

use crate::interp::Interp;
use crate::interp::builtins::texts::character;
use crate::python::container::List;
use crate::python::key::Asked;
use crate::python::{Dict, DictItems, Instance, Value};

/// The tallies of a counter, where nothing of its class stands between them and who counts under these names.
fn tallies<'c>(it: &Interp, counter: &'c Instance, names: [crate::module::Symbol; 2]) -> Option<&'c Dict> {
    let [first, second] = names;
    it.dict_inside(counter, second)?;
    it.dict_inside(counter, first).filter(|dict| dict.known().is_some())
}

/// How often each item is among those of a container, in the order of their first places.
fn tally(it: &Interp, items: &Value) -> Option<DictItems> {
    let mut counts = DictItems::default();
    let mut count = |item: &Value| {
        let asked = Asked::of(item)?;
        match counts.get_mut(&asked) {
            Some(Value::Int(count)) => *count += 1,
            _ => drop(counts.insert(asked.key(), Value::Int(1))),
        }
        Some(())
    };
    match items {
        Value::List(list) => {
            let known = list.known()?;
            it.spend_many(known.items.len()).ok()?;
            known.items.iter().try_for_each(&mut count)?;
        }
        Value::Tuple(items) => {
            it.spend_many(items.len()).ok()?;
            items.iter().try_for_each(&mut count)?;
        }
        Value::Str(text) => {
            it.spend_many(text.len()).ok()?;
            text.chars().try_for_each(|c| count(&character(c)))?;
        }
        _ => return None,
    }
    Some(counts)
}

/// `Counter()`, `Counter(items)`
pub(super) fn made(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let (class, counts) = match args {
        [Value::Class(class)] => (class, DictItems::default()),
        [Value::Class(class), items] => (class, tally(it, items)?),
        _ => return None,
    };
    Some(Value::Instance(Instance::with_payload(class.clone(), Value::Dict(Dict::new(counts)))))
}

/// `counter.update(items)`
pub(super) fn update(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let [Value::Instance(counter), items] = args else { return None };
    let dict = tallies(it, counter, [sym!("__setitem__"), sym!("get")])?;
    let new = tally(it, items)?;
    {
        // What cannot be counted is found before anything is.
        let known = dict.known()?;
        let fits = |key, more: &Value| match (known.items.get(key), more) {
            (None, _) => true,
            (Some(Value::Int(count)), Value::Int(more)) => count.checked_add(*more).is_some(),
            _ => false,
        };
        if !new.iter().all(|(key, more)| fits(key, more)) {
            return None;
        }
    }
    let mut counts = dict.write();
    for (key, more) in new {
        match (counts.get_mut(&key), &more) {
            (Some(Value::Int(count)), Value::Int(more)) => *count += more,
            _ => drop(counts.insert(key, more)),
        }
    }
    Some(Value::None)
}

/// `counter.most_common()`, `counter.most_common(n)`
pub(super) fn most_common(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let (counter, most) = match args {
        [Value::Instance(counter)] | [Value::Instance(counter), Value::None] => (counter, usize::MAX),
        [Value::Instance(counter), Value::Int(most)] => (counter, usize::try_from(*most).unwrap_or(0)),
        _ => return None,
    };
    let known = tallies(it, counter, [sym!("items"), sym!("items")])?.known()?;
    it.spend_many(known.items.len()).ok()?;
    let mut ranked = Vec::with_capacity(known.items.len());
    for (key, count) in &known.items {
        let Value::Int(count) = count else { return None };
        ranked.push((*count, key));
    }
    match most {
        // The first of those that are counted most often.
        1 => {
            let best = ranked.iter().rev().max_by_key(|(count, _)| *count).copied();
            ranked.clear();
            ranked.extend(best);
        }
        most => {
            ranked.sort_by(|(one, _), (other, _)| other.cmp(one));
            ranked.truncate(most);
        }
    }
    let pairs = ranked.into_iter().map(|(count, key)| Value::tuple([key.value.clone(), Value::Int(count)]));
    Some(Value::List(List::new(pairs.collect())))
}

/// `counter[key]` of a key that was not counted.
pub(super) fn missing(_: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    match args {
        [Value::Instance(_), _] => Some(Value::Int(0)),
        _ => None,
    }
}
