//! Sorting by Python's `<`.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::interp::Interp;
use crate::python::Value;
use crate::python::container::join_values;
use crate::python::halt::{Halt, Step};

/// Items of unknown order that are looked at together.
const MOST_JOINED: usize = 64;

/// Sorts stably by `<` of the keys.
///
/// # Errors
/// What the key function or a comparison raises; unknown where an order is not known.
pub fn sort(it: &Rc<Interp>, mut items: Vec<Value>, key: Option<&Value>, reverse: bool) -> Step<Vec<Value>> {
    let mut ranks = match key {
        Some(key) => Some(items.iter().map(|item| it.call_with(key, [item.clone()])).collect::<Step<Vec<_>>>()?),
        None => None,
    };
    // A stable descending sort keeps equal items in order: reverse, sort ascending, reverse.
    if reverse {
        items.reverse();
        ranks.iter_mut().for_each(|ranks| ranks.reverse());
    }
    let mut sorted: Vec<Value> = match plain_order(ranks.as_deref().unwrap_or(&items)) {
        Some(order) => {
            it.spend_many(items.len())?;
            order.into_iter().map(|at| std::mem::replace(&mut items[at], Value::Unbound)).collect()
        }
        None => {
            let few = if items.len() <= MOST_JOINED { &items[..] } else { &[] };
            let all: Vec<Value> = few.to_vec();
            let keyed = match ranks {
                Some(ranks) => ranks.into_iter().zip(items).collect(),
                None => items.into_iter().map(|item| (item.clone(), item)).collect(),
            };
            match sort_by_less(it, keyed) {
                // In which order is not known: at each place is one of them.
                Err(Halt::Unknown(_)) if !all.is_empty() => {
                    let one = all.iter().skip(1).fold(all[0].clone(), |before, item| join_values(&before, item));
                    return Ok(vec![one; all.len()]);
                }
                sorted => sorted?.into_iter().map(|(_, item)| item).collect(),
            }
        }
    };
    if reverse {
        sorted.reverse();
    }
    Ok(sorted)
}

/// The stable order of items whose keys are all integers, all floats that have an order, or all text; `None` where they are
/// not.
fn plain_order(keys: &[Value]) -> Option<Vec<usize>> {
    fn order<'a, K>(
        keys: &'a [Value],
        plain: impl Fn(&'a Value) -> Option<K>,
        cmp: impl Fn(&K, &K) -> Ordering,
    ) -> Option<Vec<usize>> {
        let ranked = keys.iter().enumerate().map(|(at, key)| Some((plain(key)?, at)));
        let mut ranked: Vec<(K, usize)> = ranked.collect::<Option<_>>()?;
        // No two are equal, for no two stand at the same place.
        ranked.sort_unstable_by(|(a, i), (b, j)| cmp(a, b).then(i.cmp(j)));
        Some(ranked.into_iter().map(|(_, at)| at).collect())
    }
    let int = |key: &Value| if let Value::Int(key) = key { Some(*key) } else { None };
    let float = |key: &Value| if let Value::Float(key) = key { Some(*key).filter(|key| !key.is_nan()) } else { None };
    match keys.first()? {
        Value::Int(_) => order(keys, int, i64::cmp),
        Value::Float(_) => order(keys, float, |a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal)),
        Value::Str(_) => order(keys, Value::as_str, |a, b| a.cmp(b)),
        Value::Tuple(first) => {
            let alike = |key: &Value| matches!(key, Value::Tuple(key) if plainly_alike(first, key));
            keys.iter().all(alike).then(|| order(keys, Some, |a, b| plain_cmp(a, b)))?
        }
        _ => None,
    }
}

/// Whether two tuples have the same number of plain items, each of the same kind: integers, floats that have an order, texts.
fn plainly_alike(first: &[Value], key: &[Value]) -> bool {
    let alike = |(a, b): (&Value, &Value)| match (a, b) {
        (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)) => true,
        (Value::Float(a), Value::Float(b)) => !a.is_nan() && !b.is_nan(),
        _ => false,
    };
    first.len() == key.len() && first.iter().zip(key).all(alike)
}

/// The order of plain values that are alike.
fn plain_cmp(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.iter().zip(b.iter()).map(|(a, b)| plain_cmp(a, b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }
        _ => Ordering::Equal,
    }
}

/// Up to so many items, Python's sort looks for a run at the beginning and inserts the rest one after the other.
const MOST_INSERTED: usize = 63;

/// Sorts by `<`, which may be a function of the program's: few items with the comparisons that Python makes, in its order.
fn sort_by_less(it: &Rc<Interp>, mut items: Vec<(Value, Value)>) -> Step<Vec<(Value, Value)>> {
    if items.len() > MOST_INSERTED {
        return merge_sort(it, items);
    }
    let less = |items: &[(Value, Value)], a: usize, b: usize| {
        it.spend()?;
        it.less(&items[a].0, &items[b].0)
    };
    if items.len() < 2 {
        return Ok(items);
    }
    let descends = less(&items, 1, 0)?;
    let mut run = 2;
    while run < items.len() && less(&items, run, run - 1)? == descends {
        run += 1;
    }
    if descends {
        items[..run].reverse();
    }
    for at in run..items.len() {
        let (mut left, mut right) = (0, at);
        while left < right {
            let middle = left + (right - left) / 2;
            match less(&items, at, middle)? {
                true => right = middle,
                false => left = middle + 1,
            }
        }
        items[left..=at].rotate_right(1);
    }
    Ok(items)
}

fn merge_sort(it: &Rc<Interp>, mut items: Vec<(Value, Value)>) -> Step<Vec<(Value, Value)>> {
    if items.len() <= 1 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let (left, right) = (merge_sort(it, items)?, merge_sort(it, right)?);
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        it.spend()?;
        let take_right = it.less(&b.0, &a.0)?;
        out.extend(if take_right { right.next() } else { left.next() });
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}
