//! Attributes by name.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::container::join_values;
use super::journal::Join;
use super::rounds::Counter;
use super::value::Value;
use crate::module::Symbol;

/// So few names are looked through faster than one is hashed.
const FEW: usize = 8;

/// A handful needs no memory of its own.
type Entries = SmallVec<[(Symbol, Value); 4]>;

/// Attributes by name, in the order in which they were set.
///
/// Most objects have a handful: these are entries in a row and nothing else. Beyond that the positions of names are kept
/// beside them.
#[derive(Clone, Debug, Default)]
pub struct Attrs {
    entries: Entries,
    /// The position of each name, where there are more than a few.
    positions: Option<Box<FxHashMap<Symbol, u32>>>,
}

impl Attrs {
    /// None, with room for so many.
    pub fn with_capacity(count: usize) -> Attrs {
        Attrs { entries: Entries::with_capacity(count), positions: None }
    }
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// Where a name stands.
    #[inline]
    pub fn get_index_of(&self, name: &Symbol) -> Option<usize> {
        match &self.positions {
            None => self.entries.iter().position(|(key, _)| key == name),
            Some(positions) => positions.get(name).map(|at| *at as usize),
        }
    }
    /// The entry at a position.
    #[inline]
    pub fn get_index(&self, at: usize) -> Option<(&Symbol, &Value)> {
        self.entries.get(at).map(|(name, value)| (name, value))
    }
    /// The entry at a position; its value may be changed.
    #[inline]
    pub fn get_index_mut(&mut self, at: usize) -> Option<(&Symbol, &mut Value)> {
        self.entries.get_mut(at).map(|(name, value)| (&*name, value))
    }
    /// The value of a name.
    #[inline]
    pub fn get(&self, name: &Symbol) -> Option<&Value> {
        self.get_index_of(name).map(|at| &self.entries[at].1)
    }
    /// The value of a name, to be changed.
    #[inline]
    pub fn get_mut(&mut self, name: &Symbol) -> Option<&mut Value> {
        self.get_index_of(name).map(|at| &mut self.entries[at].1)
    }
    /// A name with where it stands and its value.
    #[inline]
    pub fn get_full(&self, name: &Symbol) -> Option<(usize, &Symbol, &Value)> {
        let at = self.get_index_of(name)?;
        let (name, value) = &self.entries[at];
        Some((at, name, value))
    }
    /// Whether there is a name.
    #[inline]
    pub fn contains_key(&self, name: &Symbol) -> bool {
        self.get_index_of(name).is_some()
    }
    /// Sets a name; gives what it was before.
    #[inline]
    pub fn insert(&mut self, name: Symbol, value: Value) -> Option<Value> {
        self.insert_full(name, value).1
    }
    /// Sets a name; gives where it stands and what it was before.
    #[inline]
    pub fn insert_full(&mut self, name: Symbol, value: Value) -> (usize, Option<Value>) {
        match self.get_index_of(&name) {
            Some(at) => (at, Some(std::mem::replace(&mut self.entries[at].1, value))),
            None => {
                self.push(name, value);
                (self.entries.len() - 1, None)
            }
        }
    }
    /// Adds a name that is not there, where there are a few, there is room, and nothing is called for its value; whether it did.
    #[inline(always)]
    pub fn push_light(&mut self, name: Symbol, value: &Value) -> bool {
        let entries = &mut self.entries;
        if entries.len() >= entries.capacity().min(FEW) || entries.iter().any(|(key, _)| *key == name) {
            return false;
        }
        entries.push((name, Value::None));
        let is_put = match entries.last_mut() {
            Some((_, slot)) => Value::put_light(slot, value),
            None => false,
        };
        if !is_put {
            std::mem::forget(entries.pop());
        }
        is_put
    }
    /// Adds a name that is not there.
    #[inline]
    fn push(&mut self, name: Symbol, value: Value) {
        self.entries.push((name, value));
        if self.entries.len() > FEW {
            self.note_last();
        }
    }
    #[inline(never)]
    fn note_last(&mut self) {
        match &mut self.positions {
            Some(positions) => {
                let at = self.entries.len() - 1;
                positions.insert(self.entries[at].0, at as u32);
            }
            None => self.note_all(),
        }
    }
    fn note_all(&mut self) {
        let all = || self.entries.iter().enumerate().map(|(at, (name, _))| (*name, at as u32)).collect();
        self.positions = (self.entries.len() > FEW).then(|| Box::new(all()));
    }
    /// Takes a name out; the others keep their order.
    pub fn shift_remove(&mut self, name: &Symbol) -> Option<Value> {
        let at = self.get_index_of(name)?;
        let (_, value) = self.entries.remove(at);
        self.note_all();
        Some(value)
    }
    /// Takes out what does not hold.
    pub fn retain(&mut self, mut holds: impl FnMut(&Symbol, &mut Value) -> bool) {
        self.entries.retain(|(name, value)| holds(name, value));
        self.note_all();
    }
    /// Takes out all.
    pub fn clear(&mut self) {
        *self = Attrs::default();
    }
    /// Names with values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Symbol, &Value)> + DoubleEndedIterator {
        self.entries.iter().map(|(name, value)| (name, value))
    }
    /// Names with values, which may be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Symbol, &mut Value)> {
        self.entries.iter_mut().map(|(name, value)| (&*name, value))
    }
    /// Names.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Symbol> + DoubleEndedIterator {
        self.entries.iter().map(|(name, _)| name)
    }
    /// Values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.entries.iter().map(|(_, value)| value)
    }
    /// Values, which may be changed.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Value> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

impl Extend<(Symbol, Value)> for Attrs {
    fn extend<T: IntoIterator<Item = (Symbol, Value)>>(&mut self, entries: T) {
        for (name, value) in entries {
            self.insert(name, value);
        }
    }
}

impl FromIterator<(Symbol, Value)> for Attrs {
    fn from_iter<T: IntoIterator<Item = (Symbol, Value)>>(entries: T) -> Attrs {
        let mut attrs = Attrs::default();
        attrs.extend(entries);
        attrs
    }
}

impl<const N: usize> From<[(Symbol, Value); N]> for Attrs {
    fn from(entries: [(Symbol, Value); N]) -> Attrs {
        entries.into_iter().collect()
    }
}

impl IntoIterator for Attrs {
    type Item = (Symbol, Value);
    type IntoIter = smallvec::IntoIter<[(Symbol, Value); 4]>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a> IntoIterator for &'a Attrs {
    type Item = (&'a Symbol, &'a Value);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (Symbol, Value)>, fn(&'a (Symbol, Value)) -> Self::Item>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(name, value)| (name, value))
    }
}

impl Join for Attrs {
    fn join(&self, other: &Self) -> Self {
        let mut joined = Attrs::default();
        for (name, a) in self {
            let b = other.get(name).unwrap_or(&Value::Unbound);
            joined.insert(*name, join_values(a, b));
        }
        for name in other.keys() {
            if !self.contains_key(name) {
                joined.insert(*name, Value::unknown("only set on one of two branches"));
            }
        }
        joined
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        counter.any_attrs(self, first, second, 0).unwrap_or_else(|| self.join(second))
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        counter.attrs_go_on(self, after, 0)
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        counter.attrs_after(any, after, count, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(i: usize) -> Symbol {
        Symbol::from(format!("name{i}").as_str())
    }

    #[test]
    fn many_names_are_found_as_few_are() {
        let mut attrs = Attrs::default();
        for i in 0..3 * FEW {
            assert_eq!(attrs.insert_full(named(i), Value::size(i)).0, i);
            assert!((0..=i).all(|j| attrs.get_index_of(&named(j)) == Some(j)));
            assert!(!attrs.contains_key(&named(i + 1)));
        }
        assert!(attrs.insert(named(2), Value::None).is_some());
        assert_eq!(attrs.len(), 3 * FEW);
    }

    #[test]
    fn what_is_taken_out_moves_what_follows() {
        let mut attrs: Attrs = (0..2 * FEW).map(|i| (named(i), Value::size(i))).collect();
        assert!(matches!(attrs.shift_remove(&named(1)), Some(Value::Int(1))));
        assert_eq!(attrs.get_index_of(&named(1)), None);
        assert_eq!(attrs.get_index_of(&named(2 * FEW - 1)), Some(2 * FEW - 2));
        attrs.retain(|_, value| matches!(value, Value::Int(i) if *i % 2 == 0));
        let left: Vec<_> = attrs.keys().map(|name| name.as_str().to_owned()).collect();
        assert_eq!(left, (0..FEW).map(|i| format!("name{}", 2 * i)).collect::<Vec<_>>());
        assert!((0..FEW).all(|i| attrs.get_index_of(&named(2 * i)) == Some(i)));
    }

    #[test]
    fn names_are_added_without_a_call_where_there_is_room() {
        let mut attrs = Attrs::default();
        for i in 0..4 {
            assert!(attrs.push_light(named(i), &Value::size(i)));
        }
        assert!(!attrs.push_light(named(4), &Value::size(4)));
        let mut attrs = Attrs::with_capacity(2 * FEW);
        assert!((0..FEW).all(|i| attrs.push_light(named(i), &Value::size(i))));
        assert!(!attrs.push_light(named(FEW), &Value::size(FEW)));
        // Neither a second time, nor what is not copied.
        let mut attrs = Attrs::default();
        assert!(attrs.push_light(named(0), &Value::None) && !attrs.push_light(named(0), &Value::None));
        assert!(!attrs.push_light(named(1), &Value::unknown("why")) && attrs.len() == 1);
    }
}
