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
    let all: Vec<Value> = keyed.iter().map(|(_, item)| item.clone()).collect();
    let mut sorted = match merge_sort(it, keyed) {
        // In which order is not known: at each place is one of them.
        Err(Halt::Unknown(_)) if all.len() <= MOST_JOINED => {
            let one = all.iter().skip(1).fold(all[0].clone(), |before, item| join_values(&before, item));
            return Ok(vec![one; all.len()]);
        }
        sorted => sorted?,
    };
    if reverse {
        sorted.reverse();
    }
    Ok(sorted.into_iter().map(|(_, item)| item).collect())
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
