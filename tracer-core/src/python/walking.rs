//! Iterators that walk others: side by side, and each item with the one behind it.

use std::rc::Rc;

use smallvec::SmallVec;

use super::halt::Step;
use super::iterator::quick::quick;
use super::iterator::{Iter, IterKind};
use super::value::Value;
use crate::interp::Interp;

/// Each item of an iterator with the one behind it.
pub struct Pairs {
    pub(super) items: Value,
    /// The pair that was given last; its second part alone at first, and nothing before.
    pub(super) last: [Value; 2],
}

impl Pairs {
    /// Puts the next item behind the last one.
    #[inline]
    pub(super) fn push(&mut self, item: Value) {
        self.last[0] = std::mem::replace(&mut self.last[1], item);
    }
    /// Goes on to the next pair, where the items are at hand: whether there is one.
    pub(super) fn advance(&mut self) -> Option<bool> {
        while let Some(item) = quick(&self.items)?.next_quickly()? {
            self.push(item);
            if !self.last[0].is_unbound() {
                return Some(true);
            }
        }
        Some(false)
    }
    pub(super) fn pair(&self) -> Value {
        Value::tuple(self.last.iter().cloned())
    }
}

/// See [`Iter::take_parts`].
#[inline]
pub(super) fn zip_parts(kind: &mut IterKind, count: usize, mut bind: impl FnMut(usize, &Value)) -> bool {
    let IterKind::Zip(inner) = kind else { return false };
    if inner.len() != count || !inner.iter().all(|inner| quick(inner).is_some()) {
        return false;
    }
    let mut items: SmallVec<[Value; 4]> = SmallVec::new();
    for inner in inner.iter() {
        match quick(inner).and_then(Iter::next_quickly) {
            Some(Some(item)) => items.push(item),
            _ => {
                *kind = IterKind::Done;
                return false;
            }
        }
    }
    for (i, item) in items.iter().enumerate() {
        bind(i, item);
    }
    true
}

/// The next items of iterators side by side.
pub(super) fn next_of_all(it: &Rc<Interp>, inner: &[Value]) -> Step<Option<Value>> {
    let mut items: SmallVec<[Value; 4]> = SmallVec::new();
    for iterator in inner {
        match it.next(iterator)? {
            Some(item) => items.push(item),
            None => return Ok(None),
        }
    }
    Ok(Some(Value::Tuple(items.into_iter().collect())))
}

/// The next pair of items.
pub(super) fn next_pair(it: &Rc<Interp>, pairs: &mut Pairs) -> Step<Option<Value>> {
    while let Some(item) = it.next(&pairs.items)? {
        pairs.push(item);
        if !pairs.last[0].is_unbound() {
            return Ok(Some(pairs.pair()));
        }
    }
    Ok(None)
}
