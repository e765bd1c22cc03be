//! Reproducers: a run is recorded at the border between the program and the framework, and written as a small program.
//!
//! While recording, calls of the framework from the program's code are `Statement`s, and functions of the program that the
//! framework calls are `Def`s: both alternate down the tree. Calls among functions of the program leave nothing, so neither
//! does Python's control flow. Values are told apart by identity.

mod bodies;
mod emit;
mod layout;
mod literal;
mod names;
mod normalize;
mod record;
mod tree;
mod write;

pub use emit::{Outcome, Reproducer, Tie, build};
pub use record::RecordingHooks;
pub use tree::Recorder;

/// What a reproducer is wanted of, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// A function of the program, by its `__qualname__` or the end of it; the first reported error without.
    pub function: Option<String>,
    /// So many elements an array may have that is written out.
    pub most_literal: usize,
}

impl Default for Request {
    fn default() -> Request {
        Request { function: None, most_literal: 128 }
    }
}
