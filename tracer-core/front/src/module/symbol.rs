//! Interned identifiers.
//!
//! The `ustr` crate, which did this before, takes and clears twelve megabytes when the first one is made: a seventh of the
//! time of a small program.

mod names;

pub use names::{Names, Numbered, numbered};

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// An interned identifier: equal texts are the same symbol. It lives as long as the process.
#[derive(Copy, Clone)]
pub struct Symbol(&'static Entry);

struct Entry {
    hash: u64,
    text: &'static str,
}

/// A text whose hash is known.
struct Hashed<'t> {
    hash: u64,
    text: &'t str,
}

impl Hash for Hashed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialEq for Hashed<'_> {
    fn eq(&self, other: &Hashed<'_>) -> bool {
        self.text == other.text
    }
}

impl Eq for Hashed<'_> {}

/// Symbols that are not among the names of the binary, by their texts.
type Shard = FxHashMap<Hashed<'static>, Symbol>;

/// Tables that are locked one by one.
const SHARDS: usize = 16;

static ALL: [Mutex<Shard>; SHARDS] = [const { Mutex::new(HashMap::with_hasher(FxBuildHasher)) }; SHARDS];

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

fn locked(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Symbol {
    fn new(text: &str) -> Symbol {
        let hash = hash(text);
        let names = names::embedded();
        if let Some(symbol) = names.and_then(|names| names.find(hash, text)) {
            return symbol;
        }
        let mut shard = locked(&ALL[(hash >> 32) as usize % SHARDS]);
        if let Some(symbol) = shard.get(&Hashed { hash, text }) {
            return *symbol;
        }
        // They may have become known since: that takes the lock as well.
        if names.is_none()
            && let Some(symbol) = names::embedded().and_then(|names| names.find(hash, text))
        {
            return symbol;
        }
        let text: &'static str = Box::leak(text.into());
        let symbol = Symbol(Box::leak(Box::new(Entry { hash, text })));
        shard.insert(Hashed { hash, text }, symbol);
        symbol
    }
    /// Its text.
    #[inline]
    pub fn as_str(&self) -> &'static str {
        self.0.text
    }
    /// A number that no other symbol of the process has: where it lies.
    #[inline]
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }
}

impl PartialEq for Symbol {
    #[inline]
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Default for Symbol {
    fn default() -> Symbol {
        Symbol::new("")
    }
}

impl Deref for Symbol {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<T: AsRef<str>> From<T> for Symbol {
    fn from(text: T) -> Symbol {
        Symbol::new(text.as_ref())
    }
}

impl PartialEq<str> for Symbol {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Symbol {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match names::number(*self) {
            Some(number) => serializer.serialize_u32(number),
            None => serializer.serialize_str(self.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Symbol, D::Error> {
        if let Some(names) = names::current() {
            let number = u32::deserialize(deserializer)?;
            return names.get(number).ok_or_else(|| D::Error::custom("no name has this number"));
        }
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Symbol;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Symbol, E> {
                Ok(Symbol::new(text))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol() {
        let (a, b) = (Symbol::from("name"), Symbol::from(String::from("name")));
        assert!(a == b && a.address() == b.address() && a == "name" && a != Symbol::from("other"));
        assert!(Symbol::from("a") < Symbol::from("b"));
    }
}
