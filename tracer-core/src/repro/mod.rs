//! Reproducers: a run is recorded at the border between the program and the framework, and written as a small program.
//!
//! While recording, calls of the framework from the program's code are `Statement`s, and functions of the program that the
//! framework calls are `Def`s: both alternate down the tree. Calls among functions of the program leave nothing, so neither
//! does Python's control flow. Values are told apart by identity.

mod blame;
mod bodies;
mod emit;
mod layout;
mod literal;
mod minimal;
mod names;
mod normalize;
mod record;
mod tree;
mod verify;
mod write;

pub use emit::{Outcome, Reproducer, Tie, build};
pub use minimal::minimize;
pub use record::RecordingHooks;
pub(crate) use tree::Op;
pub use tree::Recorder;
pub use verify::{Run, Verified, first_line, reproduce};

/// What a reproducer is wanted of, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// A function of the program, by its `__qualname__` or the end of it; the first reported error without.
    pub function: Option<String>,
    /// So many elements an array may have that is written out.
    pub most_literal: usize,
    /// How much is kept.
    pub style: Style,
    /// Whether one as small as possible is wanted.
    pub minimal: bool,
}

/// How much of a program a reproducer keeps.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum Style {
    /// What leads to the error; arrays that take long to come by are given as numbers, or as ones.
    #[default]
    Given,
    /// What leads to the error, or to the result.
    Needed,
    /// Whatever has succeeded before the error: for what depends on the state of the framework.
    Whole,
    /// What leads to it; what Python itself raises is raised as it is.
    Raised,
}

impl Style {
    /// All of them, shortest programs first.
    pub const ALL: [Style; 4] = [Style::Given, Style::Needed, Style::Whole, Style::Raised];
}

impl Default for Request {
    fn default() -> Request {
        Request { function: None, most_literal: 128, style: Style::Given, minimal: false }
    }
}
