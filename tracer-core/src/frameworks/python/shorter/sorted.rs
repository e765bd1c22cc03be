//! `heapq` and `bisect` on lists of plain values: numbers, texts, and tuples of these.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::interp::Interp;
use crate::python::Value;

/// Integers up to this are floats without loss.
const EXACT: i64 = 1 << 53;

/// Where a new value goes among those that equal it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Equal {
    Before,
    Behind,
}

/// How two plain values follow each other; `None` where that is not plain, or there is no order (NaN).
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) if a.abs_diff(0) <= EXACT as u64 => (*a as f64).partial_cmp(b),
        (Value::Float(a), Value::Int(b)) if b.abs_diff(0) <= EXACT as u64 => a.partial_cmp(&(*b as f64)),
        (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
        (Value::Tuple(a), Value::Tuple(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match order(a, b)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        _ => None,
    }
}

fn less(a: &Value, b: &Value) -> Option<bool> {
    Some(order(a, b)? == Ordering::Less)
}

/// `heappush(heap, item)`
pub(super) fn push(_: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let [Value::List(heap), item] = args else { return None };
    heap.quick_change(|items| {
        let mut at = items.len();
        // Where the item goes is known before anything is moved.
        while at > 0 && less(item, &items[(at - 1) >> 1])? {
            at = (at - 1) >> 1;
        }
        let goes_to = at;
        let mut at = items.len();
        items.push(std::mem::replace(item, Value::Unbound));
        while at > goes_to {
            items.swap(at, (at - 1) >> 1);
            at = (at - 1) >> 1;
        }
        Some(Value::None)
    })
}

/// `heappop(heap)`
pub(super) fn pop(_: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let [Value::List(heap)] = args else { return None };
    heap.quick_change(|items| {
        let end = items.len().checked_sub(1)?;
        let last = &items[end];
        // The way of the smaller children down to a leaf, and back up to where the last item goes.
        let mut at = 0;
        while 2 * at + 1 < end {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            at = if right < end && !less(&items[left], &items[right])? { right } else { left };
        }
        while at > 0 && less(last, &items[at])? {
            at = (at - 1) >> 1;
        }
        let mut moved = items.pop()?;
        if items.is_empty() {
            return Some(moved);
        }
        loop {
            std::mem::swap(&mut moved, &mut items[at]);
            if at == 0 {
                return Some(moved);
            }
            at = (at - 1) >> 1;
        }
    })
}

/// `bisect_left(items, x)`, `bisect_right(items, x)`
pub(super) fn search(_: &Rc<Interp>, args: &mut [Value], equal: Equal) -> Option<Value> {
    let [Value::List(items), x] = args else { return None };
    let known = items.known()?;
    let (mut low, mut high) = (0, known.items.len());
    while low < high {
        let middle = (low + high) / 2;
        let goes_behind = match equal {
            Equal::Before => less(&known.items[middle], x)?,
            Equal::Behind => !less(x, &known.items[middle])?,
        };
        if goes_behind { low = middle + 1 } else { high = middle }
    }
    Some(Value::size(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_plain_order_is_left_alone() {
        let tuple = |a: Value, b: Value| Value::tuple([a, b]);
        let (one, half, word) = (Value::Int(1), Value::Float(0.5), Value::str("a"));
        assert_eq!(order(&half, &one), Some(Ordering::Less));
        assert_eq!(
            order(&tuple(one.clone(), word.clone()), &tuple(one.clone(), Value::str("b"))),
            Some(Ordering::Less)
        );
        assert_eq!(order(&tuple(one.clone(), half.clone()), &Value::tuple([one.clone()])), Some(Ordering::Greater));
        assert_eq!(order(&one, &word), None);
        assert_eq!(order(&Value::Float(f64::NAN), &one), None);
        assert_eq!(order(&Value::Int(EXACT + 1), &half), None);
    }
}
