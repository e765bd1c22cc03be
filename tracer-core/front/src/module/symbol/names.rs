//! Names that stored modules share: each module has their numbers, and a name becomes a symbol when its number is first read.
//!
//! Those that are part of the binary have their hashes there, and a table that finds them: nothing but the place of a symbol
//! is made when it is first asked for, by its number or by its text.

use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{ALL, Entry, Symbol, hash, locked};

thread_local! {
    /// The numbers of names, while modules are written that share them.
    static WRITTEN: RefCell<Option<FxHashMap<Symbol, u32>>> = const { RefCell::new(None) };
    /// The names by number, while such a module is read.
    static READ: Cell<Option<&'static Names>> = const { Cell::new(None) };
}

/// The names of the binary, once somebody has needed them.
static EMBEDDED: OnceLock<&'static Names> = OnceLock::new();

/// The names that modules share, written down for [`Names::embedded`].
pub struct Numbered {
    /// The names, behind one another.
    pub text: String,
    /// How many there are; for each, in the order of the numbers, its hash and where it is in the text; then the table, with the
    /// number of each name, counted from one, at the place that its hash says or at the first free one behind that.
    pub index: Vec<u8>,
}

/// Writes modules with numbers for names: what `write` gives, and the names.
pub fn numbered<T>(write: impl FnOnce() -> T) -> (T, Numbered) {
    WRITTEN.set(Some(FxHashMap::default()));
    let result = write();
    let numbers = WRITTEN.take().unwrap_or_default();
    let mut names: Vec<(u32, Symbol)> = numbers.into_iter().map(|(name, number)| (number, name)).collect();
    names.sort_unstable_by_key(|(number, _)| *number);
    let mut text = String::new();
    let records = names.iter().map(|(_, name)| {
        let start = text.len();
        text.push_str(name);
        (name.0.hash, start, text.len())
    });
    let index = index(&records.collect::<Vec<_>>());
    (result, Numbered { text, index })
}

/// The index of names of which this is known: the hash, and where it begins and ends in the text.
fn index(names: &[(u64, usize, usize)]) -> Vec<u8> {
    let mut bytes = (names.len() as u32).to_le_bytes().to_vec();
    // At most half full.
    let mut table = vec![0_u32; (names.len() * 2).next_power_of_two()];
    for (number, (hash, start, end)) in names.iter().enumerate() {
        bytes.extend(hash.to_le_bytes());
        bytes.extend([*start as u32, *end as u32].into_iter().flat_map(u32::to_le_bytes));
        let mut at = *hash as usize & (table.len() - 1);
        while table[at] != 0 {
            at = (at + 1) & (table.len() - 1);
        }
        table[at] = number as u32 + 1;
    }
    bytes.extend(table.into_iter().flat_map(u32::to_le_bytes));
    bytes
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

/// The names of the binary, where they are known.
#[inline]
pub(super) fn embedded() -> Option<&'static Names> {
    EMBEDDED.get().copied()
}

/// Names by number.
pub struct Names {
    text: &'static str,
    records: &'static [[u8; RECORD]],
    table: &'static [[u8; 4]],
    made: Box<[OnceLock<Chunk>]>,
    /// Whether symbols are here alone, but for those that were there before; elsewhere they are in [`ALL`].
    are_here: bool,
    before: FxHashMap<u32, Symbol>,
}

/// A hash, where the name begins and where it ends.
const RECORD: usize = 16;

/// Names that stand one after the other: most programs need a few of all.
type Chunk = Box<[Made]>;

const CHUNK: usize = 16;

struct Made {
    here: Entry,
    /// The symbol that it is instead.
    elsewhere: Option<Symbol>,
}

impl Names {
    /// Makes the names of the binary known, which [`numbered`] wrote. Symbols are looked for in them before all else.
    pub fn embedded(text: &'static str, index: &'static [u8]) -> &'static Names {
        let (count, index) = index.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let (records, table) = index.split_at_checked(u32::from_le_bytes(*count) as usize * RECORD).unwrap_or_default();
        let (records, table) = (records.as_chunks().0, table.as_chunks().0);
        let made = (0..records.len().div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let mut names = Names { text, records, table, made, are_here: false, before: FxHashMap::default() };
        // Nobody makes a symbol meanwhile.
        let shards = ALL.each_ref().map(locked);
        names.are_here = EMBEDDED.get().is_none() && names.have_our_hashes();
        if names.are_here {
            let symbols = shards.iter().flat_map(|shard| shard.values());
            let before = symbols.filter_map(|symbol| Some((names.number(symbol.0.hash, symbol)?, *symbol)));
            names.before = before.collect();
        }
        let names: &'static Names = Box::leak(Box::new(names));
        if names.are_here {
            EMBEDDED.get_or_init(|| names);
        }
        names
    }

    /// Whether texts have the hashes here that they had where the names were written: a hash is made of words of the machine.
    fn have_our_hashes(&self) -> bool {
        (0..self.records.len().min(CHUNK)).all(|at| self.record(at).is_some_and(|name| name.hash == hash(name.text)))
    }

    /// Reads modules that have numbers of these names.
    pub fn while_reading<T>(&'static self, read: impl FnOnce() -> T) -> T {
        let outer = READ.replace(Some(self));
        let result = read();
        READ.set(outer);
        result
    }

    /// The name with a number.
    #[inline]
    pub(super) fn get(&'static self, number: u32) -> Option<Symbol> {
        let number = number as usize;
        let chunk = self.made.get(number / CHUNK)?;
        let chunk = match chunk.get() {
            Some(chunk) => chunk,
            None => self.make(number / CHUNK, chunk),
        };
        let made = chunk.get(number % CHUNK)?;
        Some(made.elsewhere.unwrap_or(Symbol(&made.here)))
    }

    #[cold]
    fn make(&self, at: usize, chunk: &'static OnceLock<Chunk>) -> &'static Chunk {
        let last = self.records.len().min((at + 1) * CHUNK);
        chunk.get_or_init(|| {
            let mut made = Vec::with_capacity(CHUNK);
            made.extend((at * CHUNK..last).map_while(|number| self.made(number)));
            made.into()
        })
    }

    fn made(&self, number: usize) -> Option<Made> {
        let here = self.record(number)?;
        let elsewhere = match self.are_here {
            true => self.before.get(&(number as u32)).copied(),
            false => Some(Symbol::new(here.text)),
        };
        Some(Made { here, elsewhere })
    }

    #[inline]
    fn record(&self, number: usize) -> Option<Entry> {
        let (hash, place) = self.records.get(number)?.split_first_chunk()?;
        let (start, end) = place.split_first_chunk()?;
        let end = u32::from_le_bytes(*end.first_chunk()?);
        let text = self.text.get(u32::from_le_bytes(*start) as usize..end as usize)?;
        Some(Entry { hash: u64::from_le_bytes(*hash), text })
    }

    /// The symbol of a text that is among them.
    #[inline]
    pub(super) fn find(&'static self, hash: u64, text: &str) -> Option<Symbol> {
        self.get(self.number(hash, text)?)
    }

    #[inline]
    fn number(&self, hash: u64, text: &str) -> Option<u32> {
        let mask = self.table.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let number = u32::from_le_bytes(*self.table.get(at)?).checked_sub(1)?;
            let own = u64::from_le_bytes(*self.records.get(number as usize)?.first_chunk()?);
            if own == hash && self.record(number as usize)?.text == text {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(names: Numbered) -> &'static Names {
        Names::embedded(names.text.leak(), names.index.leak())
    }

    #[test]
    fn names_that_are_shared_come_back() {
        let all = ["first", "second", "", "first", "dritté"].map(Symbol::from);
        let write = |names: &[Symbol]| postcard::to_stdvec(names).unwrap();
        let ((one, other), names) = numbered(|| (write(&all), write(&all[2..])));
        assert!(one.len() < write(&all).len());
        let names = embedded(names);
        let read = |bytes: &[u8]| postcard::from_bytes::<Vec<Symbol>>(bytes).ok();
        assert_eq!(names.while_reading(|| (read(&one), read(&other))), (Some(all.to_vec()), Some(all[2..].to_vec())));
        // Outside of it a name is its text.
        assert_eq!(read(&write(&all)), Some(all.to_vec()));
        assert_eq!(names.while_reading(|| read(&[1, 77])), None);
    }

    /// What a build script writes, which makes its symbols in another process.
    fn written(texts: impl Iterator<Item = String>) -> Numbered {
        let mut written = Numbered { text: String::new(), index: Vec::new() };
        let records: Vec<(u64, usize, usize)> = texts
            .map(|text| {
                let start = written.text.len();
                written.text.push_str(&text);
                (hash(&text), start, written.text.len())
            })
            .collect();
        written.index = index(&records);
        written
    }

    #[test]
    fn a_text_is_one_symbol_whoever_makes_it_first() {
        const COUNT: usize = 1000;
        let text = |number: usize| format!("a_text_is_one_symbol_{number}");
        let make = |part: usize| (0..COUNT).map(|at| Symbol::from(text((at + part * 250) % COUNT))).collect::<Vec<_>>();
        let first = Symbol::from(text(7));
        let (made, names) = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|part| scope.spawn(move || make(part))).collect();
            let names = embedded(written((0..COUNT).map(text)));
            (threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>(), names)
        });
        for number in 0..COUNT {
            let symbol = names.get(number as u32).unwrap();
            assert!(symbol == Symbol::from(text(number)) && symbol == *text(number));
            assert!((0..4).all(|part| made[part][(number + COUNT - part * 250) % COUNT] == symbol));
        }
        assert!(names.get(7) == Some(first) && names.get(COUNT as u32).is_none());
        assert!(Symbol::from(text(COUNT)).as_str() == text(COUNT));
    }
}
