//! Names that stored modules share: each module has their numbers, and a name becomes a symbol when its number is first read.

use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::Symbol;

thread_local! {
    /// The numbers of names, while modules are written that share them.
    static WRITTEN: RefCell<Option<FxHashMap<Symbol, u32>>> = const { RefCell::new(None) };
    /// The names by number, while such a module is read.
    static READ: Cell<Option<&'static Names>> = const { Cell::new(None) };
}

/// Writes modules with numbers for names: what `write` gives, and the bytes for [`Names::new`].
pub fn numbered<T>(write: impl FnOnce() -> T) -> (T, Vec<u8>) {
    WRITTEN.set(Some(FxHashMap::default()));
    let result = write();
    let numbers = WRITTEN.take().unwrap_or_default();
    let mut names: Vec<(u32, Symbol)> = numbers.into_iter().map(|(name, number)| (number, name)).collect();
    names.sort_unstable_by_key(|(number, _)| *number);
    let mut bytes = (names.len() as u32).to_le_bytes().to_vec();
    let mut end = 0;
    for (_, name) in &names {
        end += name.len() as u32;
        bytes.extend(end.to_le_bytes());
    }
    names.iter().for_each(|(_, name)| bytes.extend(name.as_bytes()));
    (result, bytes)
}

/// The number of a name, where modules are being written that share names.
pub(super) fn number(name: Symbol) -> Option<u32> {
    WRITTEN.with_borrow_mut(|numbers| {
        let numbers = numbers.as_mut()?;
        let next = numbers.len() as u32;
        Some(*numbers.entry(name).or_insert(next))
    })
}

/// The names of the module that is being read, where it has numbers.
#[inline]
pub(super) fn current() -> Option<&'static Names> {
    READ.get()
}

/// Names by number.
pub struct Names {
    /// Where each name ends in the text.
    ends: &'static [u8],
    text: &'static [u8],
    made: Box<[OnceLock<Box<Made>>]>,
}

/// Symbols of names that stand one after the other: most programs need a few of all.
type Made = [OnceLock<Symbol>; CHUNK];

const CHUNK: usize = 32;

impl Names {
    /// The names that [`numbered`] wrote; none where it did not write these bytes.
    pub fn new(bytes: &'static [u8]) -> Names {
        let (count, rest) = bytes.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
        let count = u32::from_le_bytes(*count) as usize;
        let (ends, text) = rest.split_at_checked(count * 4).unwrap_or_default();
        let chunks = (ends.len() / 4).div_ceil(CHUNK);
        Names { ends, text, made: (0..chunks).map(|_| OnceLock::new()).collect() }
    }

    /// Reads modules that have numbers of these names.
    pub fn while_reading<T>(&'static self, read: impl FnOnce() -> T) -> T {
        let outer = READ.replace(Some(self));
        let result = read();
        READ.set(outer);
        result
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<Symbol> {
        let number = number as usize;
        let chunk = self.made.get(number / CHUNK)?.get_or_init(|| Box::new([const { OnceLock::new() }; CHUNK]));
        let made = &chunk[number % CHUNK];
        match made.get() {
            Some(symbol) => Some(*symbol),
            None => self.make(number, made),
        }
    }

    #[cold]
    fn make(&self, number: usize, made: &OnceLock<Symbol>) -> Option<Symbol> {
        let end = |number: usize| {
            let bytes = self.ends.get(number * 4..number * 4 + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
        };
        let start = number.checked_sub(1).map_or(Some(0), end)?;
        let text = std::str::from_utf8(self.text.get(start..end(number)?)?).ok()?;
        Some(*made.get_or_init(|| Symbol::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_shared_come_back() {
        let all = ["first", "second", "", "first", "dritté"].map(Symbol::from);
        let write = |names: &[Symbol]| postcard::to_stdvec(names).unwrap();
        let ((one, other), names) = numbered(|| (write(&all), write(&all[2..])));
        assert!(one.len() < write(&all).len());
        let names: &'static Names = Box::leak(Box::new(Names::new(names.leak())));
        let read = |bytes: &[u8]| postcard::from_bytes::<Vec<Symbol>>(bytes).ok();
        assert_eq!(names.while_reading(|| (read(&one), read(&other))), (Some(all.to_vec()), Some(all[2..].to_vec())));
        // Outside of it a name is its text.
        assert_eq!(read(&write(&all)), Some(all.to_vec()));
        assert_eq!(names.while_reading(|| read(&[1, 77])), None);
    }
}
