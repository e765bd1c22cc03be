//! What loops do with a container where all of it is plain: at once, without the journal's or a key's code.

use std::rc::Rc;

use super::{Dict, List, Set};
use crate::interp::Interp;
use crate::python::Value;
use crate::python::key::Asked;

/// So many items of a list are moved for the budget of one expression.
pub const ITEMS_MOVED: usize = 16;

impl List {
    /// Moves an item behind the others, where all of them are known; whether it did.
    #[inline]
    pub fn quick_push(&self, item: &mut Value) -> bool {
        let mut contents = self.0.write();
        let known = contents.vague.is_none() && contents.of.is_none();
        if known {
            contents.items.push(std::mem::replace(item, Value::Unbound));
        }
        known
    }
    /// Moves items about, where all of them are known. What is in the list stays alive meanwhile: nothing of it is dropped by `change`.
    #[inline]
    pub fn quick_change<T>(&self, change: impl FnOnce(&mut Vec<Value>) -> Option<T>) -> Option<T> {
        self.known()?;
        change(&mut self.0.write().items)
    }
    /// Takes the last item off, where all of them are known and there is one.
    #[inline]
    pub fn quick_pop(&self) -> Option<Value> {
        self.known()?.items.last()?;
        self.0.write().items.pop()
    }
    /// Takes the item at a position off, where all of them are known and there is one.
    #[inline]
    pub fn quick_remove(&self, it: &Interp, at: usize) -> Option<Value> {
        let behind = self.known()?.items.len().checked_sub(at + 1)?;
        it.spend_many(behind / ITEMS_MOVED).ok()?;
        Some(self.0.write().items.remove(at))
    }
    /// Moves an item to a position or behind all others, where all of them are known; whether it did.
    #[inline]
    pub fn quick_insert(&self, it: &Interp, at: usize, item: &mut Value) -> bool {
        let Some(count) = self.known().map(|known| known.items.len()) else { return false };
        let at = at.min(count);
        let goes = it.spend_many((count - at) / ITEMS_MOVED).is_ok();
        if goes {
            self.0.write().items.insert(at, std::mem::replace(item, Value::Unbound));
        }
        goes
    }
    /// Copies items behind the others, where all of these are known; whether it did.
    pub fn quick_extend(&self, it: &Interp, items: &[Value]) -> bool {
        let goes = self.known().is_some() && it.spend_many(items.len()).is_ok();
        if goes {
            self.0.write().items.extend_from_slice(items);
        }
        goes
    }
    /// Replaces the item at a position, which may count from the end, where all items are known and nothing is called for it; whether it
    /// did.
    #[inline(always)]
    pub fn quick_set_light(&self, at: i64, new: &Value) -> bool {
        let Some(mut contents) = self.0.write_outside() else { return false };
        if contents.vague.is_some() || contents.of.is_some() {
            return false;
        }
        let at = if at < 0 { at + contents.items.len() as i64 } else { at };
        match usize::try_from(at).ok().and_then(|at| contents.items.get_mut(at)) {
            Some(slot) => Value::put_light(slot, new),
            None => false,
        }
    }
    /// Replaces the item at a position, which may count from the end, where all of them are known; whether it did.
    #[inline]
    pub fn quick_set(&self, at: i64, new: &Value) -> bool {
        let mut contents = self.0.write();
        if contents.vague.is_some() || contents.of.is_some() {
            return false;
        }
        let at = if at < 0 { at + contents.items.len() as i64 } else { at };
        let Some(slot) = usize::try_from(at).ok().and_then(|at| contents.items.get_mut(at)) else { return false };
        match (slot, new) {
            (Value::Int(slot), Value::Int(new)) => *slot = *new,
            (Value::Float(slot), Value::Float(new)) => *slot = *new,
            (slot, new) => {
                let old = std::mem::replace(slot, new.clone());
                // What dies with it may look at the list.
                drop(contents);
                drop(old);
            }
        }
        true
    }
}

impl List {
    /// Replaces the items of a slice by as many others, where all items are known; whether it did.
    pub fn quick_set_parts(&self, it: &Rc<Interp>, parts: &[Value; 3], new: &[Value]) -> bool {
        let Some(count) = self.known().map(|known| known.items.len()) else { return false };
        let Ok(slicing) = it.slicing(parts, count) else { return false };
        if slicing.count != new.len() || it.spend_many(new.len()).is_err() {
            return false;
        }
        let mut old = Vec::new();
        let mut contents = self.0.write();
        for (at, new) in slicing.positions().zip(new) {
            let slot = &mut contents.items[at];
            match slot.is_plain() {
                true => slot.copy_from(new),
                false => old.push(std::mem::replace(slot, new.clone())),
            }
        }
        // What dies with them may look at the list.
        drop(contents);
        drop(old);
        true
    }
}

impl Set {
    /// Whether an item that hashes without running code is among the items, where all are known.
    #[inline]
    pub fn quick_has(&self, item: &Value) -> Option<bool> {
        let asked = Asked::of(item)?;
        Some(self.known()?.items.contains(&asked))
    }
}

impl Dict {
    /// The value under a key that hashes without running code, where all items are known: `None` where this has to be found out otherwise.
    #[inline]
    pub fn quick_find(&self, key: &Value) -> Option<Option<Value>> {
        let asked = Asked::of(key)?;
        let contents = self.contents();
        contents.vague.is_none().then(|| contents.items.get(&asked).cloned())
    }
    /// Shows the value under a key that hashes without running code, where all items are known and there is one.
    #[inline(always)]
    pub fn quick_show<T>(&self, key: &Value, show: impl FnOnce(&Value) -> T) -> Option<T> {
        let asked = Asked::of(key)?;
        let contents = self.contents();
        match contents.vague {
            None => contents.items.get(&asked).map(show),
            Some(_) => None,
        }
    }
    /// Whether a key that hashes without running code is among the keys, where all items are known.
    #[inline]
    pub fn quick_has(&self, key: &Value) -> Option<bool> {
        let asked = Asked::of(key)?;
        let contents = self.contents();
        contents.vague.is_none().then(|| contents.items.contains_key(&asked))
    }
    /// Puts a value under a key that hashes without running code, where all items are known; whether it did.
    #[inline]
    pub fn quick_put(&self, key: &Value, value: &Value) -> bool {
        let Some(asked) = Asked::of(key) else { return false };
        if self.known().is_none() {
            return false;
        }
        let mut contents = self.0.write();
        let old = match contents.items.get_mut(&asked) {
            Some(slot) => std::mem::replace(slot, value.clone()),
            None => {
                contents.items.insert(asked.key(), value.clone());
                return true;
            }
        };
        drop(contents);
        drop(old);
        true
    }
}
