//! Items that are at hand: what gives them calls nothing.

use super::{Iter, IterKind, Put};
use crate::interp::Generator;
use crate::python::walking::zip_parts;
use crate::python::{Value, journal};

impl Iter {
    /// Puts the next item of a list, a tuple or a range into a slot, where nothing is called for it; whether it did. Whoever asks
    /// is not in a branch.
    #[inline(always)]
    pub fn put_light(&self, slot: &mut Value) -> bool {
        match &mut *self.kind.borrow_mut() {
            IterKind::List(list, at) => match list.known() {
                Some(known) => Iter::put_light_of(&known.items, at, slot),
                None => false,
            },
            IterKind::Items(items, at) => Iter::put_light_of(items, at, slot),
            IterKind::Range(next, step, left @ 1..) => match slot {
                Value::Int(old) => {
                    *old = *next;
                    *left -= 1;
                    *next = next.wrapping_add(*step);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }
    #[inline(always)]
    fn put_light_of(items: &[Value], at: &mut usize, slot: &mut Value) -> bool {
        match items.get(*at) {
            Some(item) if Value::put_light(slot, item) => {
                *at += 1;
                true
            }
            _ => false,
        }
    }
    /// Puts the next item into a slot, where nothing has to run for it.
    #[inline]
    pub fn put_next(&self, slot: &mut Value) -> Put {
        if journal::speculating() {
            return Put::Away;
        }
        match &mut *self.kind.borrow_mut() {
            IterKind::Range(_, _, 0) => Put::Over,
            IterKind::Range(next, step, left) => {
                *left -= 1;
                let item = *next;
                *next = item.wrapping_add(*step);
                slot.copy_from(&Value::Int(item));
                Put::Done
            }
            IterKind::List(list, at) => match list.known().as_ref().and_then(|known| known.items.get(*at)) {
                Some(item) => {
                    *at += 1;
                    slot.copy_from(item);
                    Put::Done
                }
                // At its end it is done for good.
                None => Put::Away,
            },
            IterKind::Items(items, at) => match items.get(*at) {
                Some(item) => {
                    *at += 1;
                    slot.copy_from(item);
                    Put::Done
                }
                None => Put::Away,
            },
            IterKind::Live(live) => match live.take_at_hand(|item| slot.copy_from(item)) {
                Some(Some(())) => Put::Done,
                _ => Put::Away,
            },
            IterKind::Generator => self.generator.take().map_or(Put::Away, Put::Generator),
            kind @ (IterKind::Zip(_)
            | IterKind::Columns(_)
            | IterKind::Enumerate(..)
            | IterKind::Pairs(_)
            | IterKind::Tuples(_)) => match next_quickly(kind) {
                Some(Some(item)) => {
                    Value::put(slot, item);
                    Put::Done
                }
                Some(None) => Put::Away,
                None => Put::Driven,
            },
            IterKind::Native(_) => Put::Driven,
            _ => Put::Away,
        }
    }
    /// The next item, or the end, of an iterator over containers; `None` for any other, which is left where it is. Whoever
    /// asks is not in a branch.
    pub(in crate::python) fn next_quickly(&self) -> Option<Option<Value>> {
        next_quickly(&mut *self.kind.try_borrow_mut().ok()?)
    }
    /// Whether nothing has to run for its items.
    pub fn is_quick(&self) -> bool {
        self.kind.try_borrow().is_ok_and(|kind| match &*kind {
            IterKind::List(list, _) => list.known().is_some(),
            IterKind::Live(live) => live.is_quick(),
            IterKind::Items(..) | IterKind::Range(..) | IterKind::Done => true,
            IterKind::Enumerate(inner, _) => quick(inner).is_some(),
            IterKind::Pairs(pairs) => quick(&pairs.items).is_some(),
            IterKind::Tuples(_) => true,
            IterKind::Zip(inner) => inner.iter().all(|inner| quick(inner).is_some()),
            IterKind::Columns(columns) => columns.remaining().is_some(),
            _ => false,
        })
    }
    /// All that is left of a container that nobody has changed meanwhile, where its position would not have to be taken back.
    pub fn take_rest(&self) -> Option<Vec<Value>> {
        if journal::speculating() && self.is_older_than_branch() {
            return None;
        }
        match &mut *self.kind.try_borrow_mut().ok()? {
            IterKind::Live(live) => live.take_rest(),
            _ => None,
        }
    }
    /// Takes a generator out that can be resumed at once: [`Iter::resumed`] puts it back.
    #[inline]
    pub fn take_generator(&self) -> Option<Box<Generator>> {
        if journal::speculating() {
            return None;
        }
        self.generator.take()
    }
    /// The next item of a range, as a number: as [`Iter::take_at_hand`].
    #[inline]
    pub fn next_of_range(&self) -> Option<Option<i64>> {
        if journal::speculating() {
            return None;
        }
        match &mut *self.kind.borrow_mut() {
            IterKind::Range(_, _, 0) => Some(None),
            IterKind::Range(next, step, left) => {
                *left -= 1;
                let item = *next;
                *next = item.wrapping_add(*step);
                Some(Some(item))
            }
            _ => None,
        }
    }
    /// What `take` makes of the next item of a container: `Some(None)` at its end, `None` where it is another iterator or
    /// its position would have to be taken back.
    #[inline(always)]
    pub fn take_at_hand<T>(&self, take: impl FnOnce(&Value) -> T) -> Option<Option<T>> {
        if journal::speculating() {
            return None;
        }
        match &mut *self.kind.borrow_mut() {
            IterKind::List(list, at) => {
                let contents = list.contents();
                if contents.vague.is_some() {
                    return None;
                }
                // At its end it is done for good.
                let item = take(contents.items.get(*at)?);
                *at += 1;
                Some(Some(item))
            }
            IterKind::Items(items, at) => {
                let item = take(items.get(*at)?);
                *at += 1;
                Some(Some(item))
            }
            IterKind::Live(live) => Some(Some(live.take_at_hand(take)??)),
            kind @ (IterKind::Zip(_)
            | IterKind::Columns(_)
            | IterKind::Enumerate(..)
            | IterKind::Pairs(_)
            | IterKind::Tuples(_)) => Some(Some(take(&next_quickly(kind)??))),
            _ => None,
        }
    }
    /// Binds the parts of the next item, by their number, if there are so many and they are at hand. Whoever asks is not in a
    /// branch.
    #[inline(always)]
    pub fn take_parts(&self, count: usize, mut bind: impl FnMut(usize, &Value)) -> bool {
        let Ok(mut kind) = self.kind.try_borrow_mut() else { return false };
        let contents;
        let (items, at) = match &mut *kind {
            IterKind::Columns(columns) => {
                return columns.width() == count && columns.advance(bind) == Some(true);
            }
            IterKind::List(list, at) => {
                let Some(known) = list.known() else { return false };
                contents = known;
                (&contents.items[..], at)
            }
            IterKind::Items(items, at) => (&items[..], at),
            IterKind::Live(live) => return live.take_parts(count, bind),
            IterKind::Enumerate(inner, at) if count == 2 => {
                let Some(Some(item)) = quick(inner).and_then(Iter::next_quickly) else { return false };
                bind(0, &Value::Int(*at));
                bind(1, &item);
                *at += 1;
                return true;
            }
            kind @ IterKind::Zip(_) => return zip_parts(kind, count, bind),
            IterKind::Tuples(tuples) if tuples.width() == count => {
                let goes_on = tuples.advance();
                if goes_on {
                    (0..count).for_each(|i| bind(i, tuples.part(i)));
                }
                return goes_on;
            }
            IterKind::Pairs(pairs) if count == 2 => {
                let goes_on = pairs.advance() == Some(true);
                if goes_on {
                    pairs.last.iter().enumerate().for_each(|(i, part)| bind(i, part));
                }
                return goes_on;
            }
            _ => return false,
        };
        match items.get(*at) {
            Some(Value::Tuple(items)) if items.len() == count => {
                for (i, item) in items.iter().enumerate() {
                    bind(i, item);
                }
                *at += 1;
                true
            }
            _ => false,
        }
    }
    /// The item of a container that was given last, if the container still has it.
    pub fn last_at_hand(&self) -> Option<Value> {
        match &*self.kind.borrow() {
            IterKind::List(list, at) => list.contents().items.get(at.checked_sub(1)?).cloned(),
            IterKind::Items(items, at) => items.get(at.checked_sub(1)?).cloned(),
            IterKind::Live(live) => live.last(),
            IterKind::Range(next, step, _) => Some(Value::Int(next.wrapping_sub(*step))),
            IterKind::Enumerate(Value::Iter(inner), at) => {
                Some(Value::tuple([Value::Int(at - 1), inner.last_at_hand()?]))
            }
            IterKind::Pairs(pairs) if !pairs.last[0].is_unbound() => Some(pairs.pair()),
            IterKind::Tuples(tuples) if tuples.is_at_one() => Some(tuples.tuple()),
            IterKind::Columns(columns) => columns.last(),
            IterKind::Zip(inner) => {
                let last = |inner: &Value| match inner {
                    Value::Iter(inner) => inner.last_at_hand(),
                    _ => None,
                };
                Some(Value::Tuple(inner.iter().map(last).collect::<Option<_>>()?))
            }
            _ => None,
        }
    }
}

/// The iterator, where its next item is at hand.
#[inline]
pub(in crate::python) fn quick(iterator: &Value) -> Option<&Iter> {
    match iterator {
        Value::Iter(iter) if iter.is_quick() => Some(iter),
        _ => None,
    }
}

/// See [`Iter::next_quickly`].
fn next_quickly(kind: &mut IterKind) -> Option<Option<Value>> {
    let item = match kind {
        IterKind::List(list, at) => {
            let item = list.known()?.items.get(*at).cloned();
            *at += 1;
            item
        }
        IterKind::Items(items, at) => {
            let item = items.get(*at).cloned();
            *at += 1;
            item
        }
        IterKind::Live(live) => live.take_at_hand(Value::clone)?,
        IterKind::Range(_, _, 0) => None,
        IterKind::Range(next, step, left) => {
            *left -= 1;
            let item = *next;
            *next = item.wrapping_add(*step);
            Some(Value::Int(item))
        }
        IterKind::Enumerate(inner, at) => quick(inner)?.next_quickly()?.map(|item| {
            *at += 1;
            Value::tuple([Value::Int(*at - 1), item])
        }),
        IterKind::Pairs(pairs) => pairs.advance()?.then(|| pairs.pair()),
        IterKind::Tuples(tuples) => tuples.advance().then(|| tuples.tuple()),
        IterKind::Columns(columns) => columns.row()?,
        IterKind::Zip(inner) => {
            if !inner.iter().all(|inner| quick(inner).is_some()) {
                return None;
            }
            inner.iter().map(|inner| quick(inner)?.next_quickly()?).collect::<Option<_>>().map(Value::Tuple)
        }
        IterKind::Done => None,
        _ => return None,
    };
    if item.is_none() {
        *kind = IterKind::Done;
    }
    Some(item)
}
