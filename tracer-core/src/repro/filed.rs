//! Which bodies have a value: asked of every call that is recorded, so all bodies are not looked through for it.

use rustc_hash::FxHashMap;

use super::tree::{Access, Source, State};

/// The bodies that have filed a value, in their order, by its identity. One that has forgotten it since may still be among them.
#[derive(Default)]
pub(super) struct Filed(FxHashMap<usize, Vec<usize>>);

impl Filed {
    /// Notes that a body files a value.
    pub fn note(&mut self, id: usize, def: usize) {
        let bodies = self.0.entry(id).or_default();
        if let Err(at) = bodies.binary_search(&def) {
            bodies.insert(at, def);
        }
    }
}

impl State {
    /// The bodies that have a value, with how they come by it.
    pub fn holders(&self, id: usize) -> impl Iterator<Item = (usize, &Access)> {
        let bodies = self.filed.0.get(&id).map_or(&[][..], Vec::as_slice);
        bodies.iter().filter_map(move |def| Some((*def, self.defs[*def].bound.get(&id)?)))
    }
    /// Whether a call of the framework has given a value.
    pub fn is_given_by_a_call(&self, id: usize) -> bool {
        self.holders(id).any(|(_, access)| matches!(access.from, Source::Statement(_)))
    }
}
