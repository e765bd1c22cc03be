//! Keys of traces: what a traced function is looked up by, and why a lookup missed.
//!
//! The key of a trace is the function itself, the structure of its arguments (static ones among it, by hash and
//! equality), the types of the others with their weak types, and the settings. The same rule keys calls of `jit`, bodies of
//! loops and branches: all of them are traces of a function.

mod explain;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub use explain::{Cause, Miss};
use rustc_hash::{FxHashMap, FxHasher};

use crate::array::Aval;
use crate::python::Step;
use crate::trace::Config;

/// What a call of a traced function is looked up by, beside the function. `S` is the structure of the arguments with the
/// static ones: the caller compares it.
#[derive(Clone, Debug)]
pub struct Key<S> {
    /// The structure of the arguments and the static ones.
    pub structure: S,
    /// `hash` of the structure.
    pub structure_hash: u64,
    /// The types of the arguments that are not static.
    pub avals: Rc<[Aval]>,
    /// The names of these arguments, for explanations: `x['a']`.
    pub names: Rc<[Rc<str>]>,
    /// The settings.
    pub config: Rc<Config>,
}

impl<S> Key<S> {
    fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.structure_hash.hash(&mut hasher);
        self.avals.hash(&mut hasher);
        hasher.finish()
    }
}

/// Compares structures: they may call the program's own `__eq__`.
pub trait Compare<S> {
    /// Whether two structures are equal.
    ///
    /// # Errors
    /// What comparing raises.
    fn equal(&self, a: &S, b: &S) -> Step<bool>;
    /// How two structures differ, one text for each difference.
    ///
    /// # Errors
    /// What printing raises.
    fn differences(&self, now: &S, before: &S) -> Step<Vec<String>>;
}

/// Traces by function and key. `F` is a function's identity.
#[derive(Debug)]
pub struct Cache<F, S, V> {
    functions: FxHashMap<F, Vec<Entry<S, V>>>,
    places: FxHashMap<u64, usize>,
}

#[derive(Debug)]
struct Entry<S, V> {
    digest: u64,
    key: Key<S>,
    value: V,
}

impl<F, S, V> Default for Cache<F, S, V> {
    fn default() -> Cache<F, S, V> {
        Cache { functions: FxHashMap::default(), places: FxHashMap::default() }
    }
}

impl<F: Eq + Hash + Clone, S: Clone, V: Clone> Cache<F, S, V> {
    /// What is kept for a function under a key.
    ///
    /// # Errors
    /// What comparing structures raises.
    pub fn get(&self, function: &F, key: &Key<S>, compare: &dyn Compare<S>) -> Step<Option<V>> {
        let Some(entries) = self.functions.get(function) else { return Ok(None) };
        let digest = key.digest();
        for entry in entries.iter().filter(|e| e.digest == digest) {
            let same = entry.key.avals == key.avals && entry.key.config.same_context(&key.config);
            if same && compare.equal(&entry.key.structure, &key.structure)? {
                return Ok(Some(entry.value.clone()));
            }
        }
        Ok(None)
    }

    /// Why nothing is kept for a function under a key. `place` says where in the program the call is.
    ///
    /// # Errors
    /// What comparing structures raises.
    pub fn explain(&mut self, function: &F, key: &Key<S>, place: u64, compare: &dyn Compare<S>) -> Step<Miss> {
        let Some(entries) = self.functions.get(function).filter(|e| !e.is_empty()) else {
            let seen = self.places.entry(place).or_default();
            *seen += 1;
            return Ok(Miss::NewFunction { same_place: *seen > 1 });
        };
        let mut nearest: Option<Cause> = None;
        for entry in entries {
            let cause = explain::cause(key, &entry.key, compare)?;
            if nearest.as_ref().is_none_or(|n| cause < *n) {
                nearest = Some(cause);
            }
        }
        Ok(Miss::Differs { nearest: nearest.unwrap_or(Cause::Unknown), earlier: entries.len() })
    }

    /// Keeps a value for a function under a key.
    pub fn insert(&mut self, function: F, key: Key<S>, value: V) {
        let digest = key.digest();
        self.functions.entry(function).or_default().push(Entry { digest, key, value });
    }

    /// How many values are kept for a function.
    pub fn count(&self, function: &F) -> usize {
        self.functions.get(function).map_or(0, Vec::len)
    }

    /// Lets go of everything, as `jax.clear_caches` does.
    pub fn clear(&mut self) {
        self.functions.clear();
        self.places.clear();
    }
}

#[cfg(test)]
mod tests;
