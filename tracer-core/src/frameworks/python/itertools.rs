//! Iterators of `itertools` that programs have in their loops. The prelude checks the arguments.

use std::rc::Rc;

use super::Members;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::tuples::{Again, Tuples};
use crate::python::{Args, Iter, Value};

pub(super) fn members(members: &mut Members) {
    // `chained(iterables)`: the items of the iterables that an iterable gives, each asked for when its turn comes.
    members.function("chained", |it, args| {
        let [iterables] = args.exactly("chained")?;
        let outer = it.iterate(&iterables)?;
        let mut inner: Option<Value> = None;
        Ok(Iter::native("chain", move |it| {
            loop {
                if inner.is_none() {
                    let Some(next) = it.next(&outer)? else { return Ok(None) };
                    inner = Some(it.iterate(&next)?);
                }
                if let Some(iterator) = &inner
                    && let Some(item) = it.next(iterator)?
                {
                    return Ok(Some(item));
                }
                it.spend()?;
                inner = None;
            }
        }))
    });
    // `paired(iterator)`: each item with the one behind it.
    members.function("paired", |it, args| {
        let [iterable] = args.exactly("paired")?;
        Ok(Iter::pairs(it.iterate(&iterable)?))
    });
    // `sliced(iterator, start, stop, step)`: every `step`-th item from `start` on, to before `stop` (-1: to the end).
    members.function("sliced", |it, args| {
        let [iterable, start, stop, step] = args.exactly("sliced")?;
        let iterator = it.iterate(&iterable)?;
        let (start, stop, step) = (it.index(&start)?, it.index(&stop)?, it.index(&step)?);
        let stop = if stop < 0 { i64::MAX } else { stop };
        let (mut at, mut want) = (0, start);
        Ok(Iter::native("islice", move |it| {
            while at < want {
                it.spend()?;
                if it.next(&iterator)?.is_none() {
                    return Ok(None);
                }
                at += 1;
            }
            if at >= stop {
                return Ok(None);
            }
            at += 1;
            want = want.saturating_add(step).min(stop);
            it.next(&iterator)
        }))
    });
    // `products(pools)`: one item of each of the tuples, the last one first.
    members.function("products", |it, args| {
        let [pools] = args.exactly("products")?;
        let pools: Vec<Rc<[Value]>> = it.to_vec(&pools)?.iter().map(tuple_of).collect::<Step<_>>()?;
        Ok(Iter::tuples("product", Tuples::products(pools)))
    });
    members.function("combined", |it, args| chosen(it, args, "combinations", Again::Never));
    members.function("combined_again", |it, args| chosen(it, args, "combinations_with_replacement", Again::Same));
    members.function("permuted", |it, args| chosen(it, args, "permutations", Again::Earlier));
    // `repeated(object, times)`: the same object (-1: without an end).
    members.function("repeated", |it, args| {
        let [object, times] = args.exactly("repeated")?;
        let times = it.index(&times)?;
        let mut left = if times < 0 { u64::MAX } else { times as u64 };
        Ok(Iter::native("repeat", move |_| {
            let next = left.checked_sub(1);
            left = next.unwrap_or(0);
            Ok(next.map(|_| object.clone()))
        }))
    });
}

fn tuple_of(value: &Value) -> Step<Rc<[Value]>> {
    match value {
        Value::Tuple(items) => Ok(items.clone()),
        _ => Err(Halt::type_error("a tuple is needed")),
    }
}

/// `(pool, r)`: the choices of `r` positions of a tuple, in the order of their positions.
fn chosen(it: &Rc<Interp>, args: Args, name: &'static str, again: Again) -> Step<Value> {
    let [pool, r] = args.exactly(name)?;
    let pool = tuple_of(&pool)?;
    let r = usize::try_from(it.index(&r)?).unwrap_or(0);
    Ok(Iter::tuples(name, Tuples::choices(pool, r, again)))
}
