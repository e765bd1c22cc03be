//! `itertools`: iterators over containers that are known.

use std::rc::Rc;

use crate::interp::Interp;
use crate::interp::builtins::texts::character;
use crate::python::tuples::{Again, Tuples};
use crate::python::{Iter, Value};

/// The items of a container, as a tuple has them.
fn pool(it: &Interp, value: &Value) -> Option<Rc<[Value]>> {
    match value {
        Value::Tuple(items) => Some(items.clone()),
        Value::List(list) => {
            let known = list.known()?;
            it.spend_many(known.items.len()).ok()?;
            Some(known.items[..].into())
        }
        Value::Range(range) => {
            it.spend_many(range.len() as usize).ok()?;
            Some((0..range.len()).map(|at| Value::Int(range.at(at))).collect())
        }
        Value::Str(text) => {
            it.spend_many(text.len()).ok()?;
            Some(text.chars().map(character).collect())
        }
        _ => None,
    }
}

/// `product(*iterables)`
pub(super) fn product(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let pools: Vec<_> = args.iter().map(|arg| pool(it, arg)).collect::<Option<_>>()?;
    Some(Iter::tuples("product", Tuples::products(pools)))
}

/// `combinations(iterable, r)` and the like
pub(super) fn choices(it: &Rc<Interp>, args: &mut [Value], name: &'static str, again: Again) -> Option<Value> {
    let [items, Value::Int(count)] = args else { return None };
    let count = usize::try_from(*count).ok()?;
    Some(Iter::tuples(name, Tuples::choices(pool(it, items)?, count, again)))
}

/// `pairwise(iterable)`
pub(super) fn pairwise(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    match args {
        [items @ (Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Str(_))] => {
            Some(Iter::pairs(it.iterate(items).ok()?))
        }
        _ => None,
    }
}
