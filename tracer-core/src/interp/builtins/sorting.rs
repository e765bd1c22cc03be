//! Sorting by Python's `<`.

use std::rc::Rc;

use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::Step;

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
    let mut sorted = merge_sort(it, keyed)?;
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
