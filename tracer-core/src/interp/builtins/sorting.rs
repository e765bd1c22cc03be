//! Sorting by Python's `<`.

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
pub fn sort(it: &Rc<Interp>, items: Vec<Value>, key: Option<&Value>, reverse: bool) -> Step<Vec<Value>> {
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let rank = match key {
            Some(key) => it.call_with(key, [item.clone()])?,
            None => item.clone(),
        };
        keyed.push((rank, item));
    }
    // A stable descending sort keeps equal items in order: reverse, sort ascending, reverse.
    if reverse {
        keyed.reverse();
    }
    let mut sorted = if plain_order(&mut keyed) {
        it.spend_many(keyed.len())?;
        keyed
    } else {
        let few = if keyed.len() <= MOST_JOINED { &keyed[..] } else { &[] };
        let all: Vec<Value> = few.iter().map(|(_, item)| item.clone()).collect();
        match merge_sort(it, keyed) {
            // In which order is not known: at each place is one of them.
            Err(Halt::Unknown(_)) if !all.is_empty() => {
                let one = all.iter().skip(1).fold(all[0].clone(), |before, item| join_values(&before, item));
                return Ok(vec![one; all.len()]);
            }
            sorted => sorted?,
        }
    };
    if reverse {
        sorted.reverse();
    }
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
}

/// Sorts items whose keys are all integers, all floats that have an order, or all text; false where they are not.
fn plain_order(keyed: &mut [(Value, Value)]) -> bool {
    if keyed.iter().all(|(key, _)| matches!(key, Value::Int(_))) {
        keyed.sort_by_key(|(key, _)| if let Value::Int(key) = key { *key } else { 0 });
    } else if keyed.iter().all(|(key, _)| matches!(key, Value::Float(key) if !key.is_nan())) {
        let float = |key: &Value| if let Value::Float(key) = key { *key } else { 0.0 };
        keyed.sort_by(|(a, _), (b, _)| float(a).partial_cmp(&float(b)).unwrap_or(std::cmp::Ordering::Equal));
    } else if keyed.iter().all(|(key, _)| matches!(key, Value::Str(_))) {
        keyed.sort_by(|(a, _), (b, _)| a.as_str().cmp(&b.as_str()));
    } else {
        return false;
    }
    true
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
