//! Iterators that see what becomes of a container while they walk it: over dicts, their views and sets, deques, arrays of numbers, and lists from
//! behind.

use std::rc::Rc;

use super::container::{Dict, List, Set};
use super::halt::{Halt, Step, Why};
use super::key::values_equal;
use super::value::Value;
use crate::interp::Interp;

/// What is walked.
pub enum Walked {
    /// The keys of a dict.
    Keys(Dict),
    /// The values of a dict, with its keys as they were at the beginning.
    Values(Dict, Rc<[Value]>),
    /// The items of a dict.
    Items(Dict),
    /// A set, and the places of its items in the order in which they are given, where that is not the one in which they came.
    Set(Set, Option<Vec<u32>>),
    /// A list.
    List(List),
    /// A deque, by the list of its items.
    Deque(List),
    /// An array, and whether it has been written.
    Numbers(Value, Box<dyn Fn() -> bool>),
}

/// A container that is walked, and what it held at the beginning.
pub struct Live {
    of: Walked,
    /// The items as they were: what nobody has changed meanwhile is given as it is.
    held: Rc<[Value]>,
    /// How many have been given.
    at: usize,
    from_behind: bool,
    /// The container has changed its size: it is refused from then on.
    is_refused: bool,
    /// The item given last with its key, where it is not the one that was held.
    last: Option<(Value, Value)>,
}

/// What comes next where nobody has changed anything there.
enum Look {
    /// The item that was held at this place.
    Held(usize),
    /// The end.
    Over,
    /// Something has changed: see [`Live::next`].
    Changed,
}

fn in_order(order: &Option<Vec<u32>>, place: usize) -> usize {
    order.as_ref().and_then(|order| order.get(place)).map_or(place, |at| *at as usize)
}

fn equal(a: &Value, b: &Value) -> bool {
    a.is(b) || values_equal(a, b)
}

impl Live {
    /// From the front, or from behind.
    pub fn new(of: Walked, held: Rc<[Value]>, from_behind: bool) -> Live {
        Live { of, held, at: 0, from_behind, is_refused: false, last: None }
    }

    /// How many items are left, if nobody changes anything.
    pub fn remaining(&self) -> usize {
        self.held.len().saturating_sub(self.at)
    }

    /// The place of the item that is given after so many others.
    fn place(&self, at: usize) -> usize {
        if self.from_behind { self.held.len() - 1 - at } else { at }
    }

    /// The key that was at a place at the beginning.
    fn key_at(&self, place: usize) -> Option<&Value> {
        match (&self.of, self.held.get(place)?) {
            (Walked::Values(_, keys), _) => keys.get(place),
            (Walked::Items(_), Value::Tuple(pair)) => pair.first(),
            (_, item) => Some(item),
        }
    }

    #[inline]
    fn look(&self) -> Look {
        let size = self.held.len();
        let is_over = self.at >= size;
        // At their end these do not look whether anything has changed.
        let looks = match &self.of {
            Walked::List(_) | Walked::Numbers(..) => false,
            Walked::Deque(_) => !self.from_behind,
            _ => true,
        };
        if is_over && !looks {
            return Look::Over;
        }
        if self.is_refused || self.last.is_some() {
            return Look::Changed;
        }
        // At its end the item before has to be where it was.
        let Some(place) =
            (if is_over { size.checked_sub(1).map(|_| self.place(size - 1)) } else { Some(self.place(self.at)) })
        else {
            return if self.is_as_long() { Look::Over } else { Look::Changed };
        };
        let held = &self.held[place];
        let is_same = match &self.of {
            Walked::Keys(dict) => dict.known().is_some_and(|now| {
                now.items.len() == size && now.items.get_index(place).is_some_and(|(key, _)| key.value.is(held))
            }),
            Walked::Values(dict, keys) => dict.known().is_some_and(|now| {
                now.items.len() == size
                    && now
                        .items
                        .get_index(place)
                        .is_some_and(|(key, value)| (is_over || value.is(held)) && key.value.is(&keys[place]))
            }),
            Walked::Items(dict) => dict.known().is_some_and(|now| {
                now.items.len() == size
                    && now.items.get_index(place).is_some_and(|(key, value)| {
                        matches!(held, Value::Tuple(pair)
                            if matches!(&pair[..], [k, v] if key.value.is(k) && (is_over || value.is(v))))
                    })
            }),
            Walked::Set(set, order) => set.known().is_some_and(|now| {
                now.items.len() == size
                    && now.items.get_index(in_order(order, place)).is_some_and(|key| key.value.is(held))
            }),
            Walked::List(list) => {
                list.known().is_some_and(|now| now.items.get(place).is_some_and(|item| item.is(held)))
            }
            Walked::Deque(list) => list
                .known()
                .is_some_and(|now| now.items.len() == size && now.items.get(place).is_some_and(|item| item.is(held))),
            Walked::Numbers(_, is_written) => !is_written(),
        };
        match (is_same, is_over) {
            (true, true) => Look::Over,
            (true, false) => Look::Held(place),
            (false, _) => Look::Changed,
        }
    }

    /// Whether the container, which held nothing, holds nothing.
    fn is_as_long(&self) -> bool {
        match &self.of {
            Walked::Keys(dict) | Walked::Values(dict, _) | Walked::Items(dict) => {
                dict.known().is_some_and(|now| now.items.is_empty())
            }
            Walked::Set(set, _) => set.known().is_some_and(|now| now.items.is_empty()),
            Walked::Deque(list) => list.known().is_some_and(|now| now.items.is_empty()),
            Walked::List(_) | Walked::Numbers(..) => true,
        }
    }

    /// Whether the next item, or the end, is at hand.
    #[inline]
    pub fn is_quick(&self) -> bool {
        !matches!(self.look(), Look::Changed)
    }

    /// The next item, or the end, where it is at hand.
    #[inline]
    pub fn take_at_hand<T>(&mut self, take: impl FnOnce(&Value) -> T) -> Option<Option<T>> {
        match self.look() {
            Look::Held(place) => {
                self.at += 1;
                Some(Some(take(&self.held[place])))
            }
            Look::Over => Some(None),
            Look::Changed => None,
        }
    }

    /// Binds the parts of the next item, if there are so many and they are at hand.
    #[inline]
    pub fn take_parts(&mut self, count: usize, mut bind: impl FnMut(usize, &Value)) -> bool {
        let Look::Held(place) = self.look() else { return false };
        match &self.held[place] {
            Value::Tuple(parts) if parts.len() == count => {
                parts.iter().enumerate().for_each(|(i, part)| bind(i, part));
                self.at += 1;
                true
            }
            _ => false,
        }
    }

    /// The item that was given last.
    pub fn last(&self) -> Option<Value> {
        match &self.last {
            Some((_, item)) => Some(item.clone()),
            None => self.held.get(self.place(self.at.checked_sub(1)?)).cloned(),
        }
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// `RuntimeError` where a dict or a set has another size; unknown where it is not known what it holds.
    pub fn next(&mut self, it: &Rc<Interp>) -> Step<Option<Value>> {
        match self.look() {
            Look::Held(place) => {
                self.at += 1;
                Ok(Some(self.held[place].clone()))
            }
            Look::Over => Ok(None),
            Look::Changed => self.next_changed(it),
        }
    }

    #[cold]
    fn next_changed(&mut self, it: &Rc<Interp>) -> Step<Option<Value>> {
        let (size, kind) = match &self.of {
            Walked::List(list) => return self.next_of_list(&list.clone()),
            Walked::Deque(list) => return self.next_of_deque(&list.clone()),
            Walked::Numbers(array, _) => {
                let item = it.getitem(array, &Value::size(self.place(self.at)))?;
                self.at += 1;
                self.last = Some((Value::None, item.clone()));
                return Ok(Some(item));
            }
            Walked::Keys(dict) | Walked::Values(dict, _) | Walked::Items(dict) => match dict.why_vague() {
                Some(why) => return Ok(self.next_of_vague(&why)),
                None => (dict.read().len(), "dictionary"),
            },
            Walked::Set(set, _) => match set.why_vague() {
                Some(why) => return Ok(self.next_of_vague(&why)),
                None => (set.read().len(), "Set"),
            },
        };
        if self.is_refused || size != self.held.len() {
            self.is_refused = true;
            return Err(Halt::raise("RuntimeError", format!("{kind} changed size during iteration")));
        }
        if let Some(before) = self.at.checked_sub(1).map(|at| self.place(at)) {
            let given = self.last.as_ref().map(|(key, _)| key).or_else(|| self.key_at(before));
            let is_there = given.zip(self.entry(before)).is_some_and(|(given, (key, _))| equal(given, &key));
            if !is_there {
                return Err(Halt::unknown("keys were taken out and put in while they are walked"));
            }
        }
        if self.at >= size {
            return Ok(None);
        }
        let Some((key, value)) = self.entry(self.place(self.at)) else { return Ok(None) };
        self.at += 1;
        let item = match &self.of {
            Walked::Values(..) => value,
            Walked::Items(_) => Value::tuple([key.clone(), value]),
            _ => key.clone(),
        };
        self.last = Some((key, item.clone()));
        Ok(Some(item))
    }

    /// The key and the value at a place now.
    fn entry(&self, place: usize) -> Option<(Value, Value)> {
        match &self.of {
            Walked::Keys(dict) | Walked::Values(dict, _) | Walked::Items(dict) => {
                dict.read().get_index(place).map(|(key, value)| (key.value.clone(), value.clone()))
            }
            Walked::Set(set, order) => {
                set.read().get_index(in_order(order, place)).map(|key| (key.value.clone(), Value::None))
            }
            Walked::List(_) | Walked::Deque(_) | Walked::Numbers(..) => None,
        }
    }

    /// Of a container that is not known any more: its keys are taken to be those that it had.
    fn next_of_vague(&mut self, why: &Why) -> Option<Value> {
        if self.at >= self.held.len() {
            return None;
        }
        let place = self.place(self.at);
        self.at += 1;
        let key = self.key_at(place)?.clone();
        let unknown = Value::unknown(why.0.clone());
        let item = match &self.of {
            Walked::Values(..) => unknown,
            Walked::Items(_) => Value::tuple([key.clone(), unknown]),
            _ => key.clone(),
        };
        self.last = Some((key, item.clone()));
        Some(item)
    }

    fn next_of_list(&mut self, list: &List) -> Step<Option<Value>> {
        if let Some(why) = list.why_vague() {
            return Err(Halt::Unknown(why));
        }
        let item = list.read().get(self.place(self.at)).cloned();
        // Where it ends before, it is at its end for good.
        self.at = if item.is_some() { self.at + 1 } else { self.held.len() };
        self.last = item.clone().map(|item| (Value::None, item));
        Ok(item)
    }

    fn next_of_deque(&mut self, list: &List) -> Step<Option<Value>> {
        if let Some(why) = list.why_vague() {
            return Err(Halt::Unknown(why));
        }
        if self.is_refused || list.read().len() != self.held.len() {
            self.is_refused = true;
            return Err(Halt::raise("RuntimeError", "deque mutated during iteration"));
        }
        // Items may have moved, which is refused, or one been replaced.
        Err(Halt::unknown("a deque that is changed while it is walked"))
    }

    /// All that is left, where the container holds it yet.
    pub fn take_rest(&mut self) -> Option<Vec<Value>> {
        if self.is_refused || self.last.is_some() {
            return None;
        }
        let is_same = match &self.of {
            Walked::Keys(dict) | Walked::Values(dict, _) | Walked::Items(dict) => {
                let contents = dict.contents();
                let is_same = |(i, (key, value)): (usize, (&super::Key, &Value))| {
                    let is_value = match (&self.of, &self.held[i]) {
                        (Walked::Values(..), held) => value.is(held),
                        (Walked::Items(_), Value::Tuple(pair)) => pair.get(1).is_some_and(|held| value.is(held)),
                        _ => true,
                    };
                    is_value && self.key_at(i).is_some_and(|held| equal(held, &key.value))
                };
                contents.vague.is_none()
                    && contents.items.len() == self.held.len()
                    && contents.items.iter().enumerate().all(is_same)
            }
            Walked::Set(set, order) => {
                let contents = set.contents();
                let is_same = |(place, held): (usize, &Value)| {
                    contents.items.get_index(in_order(order, place)).is_some_and(|key| equal(&key.value, held))
                };
                contents.vague.is_none()
                    && contents.items.len() == self.held.len()
                    && self.held.iter().enumerate().all(is_same)
            }
            Walked::List(_) | Walked::Deque(_) | Walked::Numbers(..) => false,
        };
        if !is_same {
            return None;
        }
        let rest = (self.at..self.held.len()).map(|at| self.held[self.place(at)].clone()).collect();
        self.at = self.held.len();
        Some(rest)
    }
}
