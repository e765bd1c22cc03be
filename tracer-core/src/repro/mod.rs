//! Reproducers: a run is recorded at the border between the program and the framework, and written as a small program.
//!
//! While recording, calls of the framework from the program's code are `Statement`s, and functions of the program that the
//! framework calls are `Def`s: both alternate down the tree. Calls among functions of the program leave nothing, so neither
//! does Python's control flow. Values are told apart by identity.

mod data;
mod eager;
mod emit;
mod filed;
mod hierarchy;
mod idle;
mod layout;
mod literal;
mod log;
mod minimal;
mod names;
mod normalize;
mod own_text;
mod primitives;
mod print;
mod record;
mod spaces;
mod tidy;
mod ties;
mod tree;
mod verify;
mod write;

use std::path::{Path, PathBuf};

use crate::analysis::Analysis;
use crate::module::Stmt;
use crate::python::FileId;
use crate::text::Span;
pub use data::Datum;
pub use eager::{Told, Way};
pub use emit::{Outcome, Reproducer, Tie, build};
pub use hierarchy::{Call, Party, calls};
pub use log::Logged;
pub use minimal::minimize;
pub use record::{Noted, RecordingHooks};
pub(crate) use tree::Op;
pub use tree::Recorder;
pub use verify::{Run, Verified, first_line, reproduce};
pub(crate) use write::verbatim::is_short;

/// What a reproducer is wanted of, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// What of the program.
    pub target: Target,
    /// The file that a wanted function stands in; any of this name will do without.
    pub within: Option<PathBuf>,
    /// So many elements an array may have that is written out.
    pub most_literal: usize,
    /// What stands for larger arrays.
    pub data: Data,
    /// How much is kept.
    pub style: Style,
    /// The part of a function that is wanted: it gives what is computed there.
    pub part: Option<Place>,
    /// Whether a function is reproduced with the whole call of the program's top level that it is called in.
    pub around: bool,
    /// Whether one as small as possible is wanted.
    pub minimal: bool,
    /// What stands for the calls of the program.
    pub level: Level,
    /// Whether it is told what was recorded, and why it was left out.
    pub log: bool,
    /// Whether it is the calls that are wanted, and no reproducer.
    pub hierarchy: bool,
    /// The ways to numbers that are wanted, of a run that compiles nothing, and no reproducer.
    pub ask: Vec<Way>,
    /// So many calls of the program's top level are compiled even then.
    pub compiled: usize,
    /// Numbers that a run which compiles nothing has told.
    pub told: Vec<Told>,
    /// Scalar operations that a run may take for exact data; none where loops are not to be run for their numbers.
    pub operations: u64,
    /// Primitives of the program's own, by name, in whose stead the functions are called that they are compiled from.
    pub inlined: Vec<String>,
    /// Whether maps over trees are written as such.
    pub maps: Maps,
    /// How trees of the program's own stand in it.
    pub trees: TreeForm,
    /// Whether functions that are transformed at once are decorated: what takes a text apart has it easier without.
    pub decorates: bool,
    /// Whether statements that nothing needs are left out where all are kept.
    pub drops_idle: bool,
}

/// What a tree of the program's own (a dataclass, a module, an `OrderedDict`) is where its fields do not come in the order of their names, which is
/// that of a dictionary's leaves.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum TreeForm {
    /// A dictionary all the same, which is easier to read.
    #[default]
    Named,
    /// A tuple, whose leaves come as the tree's.
    Ordered,
}

/// What becomes of the program's maps over trees (`jax.tree.map`).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Maps {
    /// They are written as such where their functions do the same with all leaves, and as what is done with each of them elsewhere.
    #[default]
    Alike,
    /// As such, but for those of functions that stand at some places.
    Whole(Vec<(FileId, Span)>),
    /// As what is done with each of the leaves.
    Leaves,
}

/// Scalar operations that a run may take for exact data, where nobody says otherwise.
pub const OPERATIONS: u64 = crate::analysis::OPERATIONS;

/// What a reproducer calls.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Functions of the public API.
    #[default]
    Api,
    /// Primitives, as functions of `jax.lax`, where the call is made of nothing else.
    Primitive,
}

/// What of a program is reproduced.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Target {
    /// The first reported error.
    #[default]
    Error,
    /// A function of the program, by its `__qualname__` or the end of it.
    Function(String),
    /// What is in a part of a file.
    Place(Place),
}

impl Target {
    /// A function by its name, or the first error.
    pub fn of_function(name: Option<&str>) -> Target {
        name.map_or(Target::Error, |name| Target::Function(name.to_owned()))
    }
    /// The function that is looked out for.
    pub fn function(&self) -> Option<&str> {
        match self {
            Target::Function(name) => Some(name),
            Target::Place(_) | Target::Error => None,
        }
    }
}

/// A part of a file: an error that is reported there is reproduced, or else the calls of the program's top level in it, or else what the
/// function around it computes there.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file; the program's own without.
    pub path: Option<PathBuf>,
    /// The part.
    pub span: Span,
}

impl Place {
    /// The statement of the program that only begins, or goes on, in it: all of it; `None` where it holds one as a whole.
    fn widened(&self, analysis: &Analysis, script: &Path) -> Option<Place> {
        let path = self.path.as_deref().unwrap_or(script);
        let module = &analysis.files.iter().find(|file| file.path == path)?.module;
        let is_simple = |statement: &Stmt| {
            matches!(statement, Stmt::Expr(_) | Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::AnnAssign { .. })
        };
        let (_, span) = module.stmts.iter().zip(&module.stmt_spans).find(|(statement, span)| {
            let is_part = span.start < self.span.start || self.span.end < span.end;
            is_simple(statement) && is_part && span.start < self.span.end && self.span.start < span.end
        })?;
        let span = Span { start: span.start.min(self.span.start), end: span.end.max(self.span.end) };
        Some(Place { path: self.path.clone(), span })
    }
    /// Whether a function gives its result there.
    fn returns(&self, analysis: &Analysis, script: &Path) -> bool {
        let path = self.path.as_deref().unwrap_or(script);
        let Some(file) = analysis.files.iter().find(|file| file.path == path) else { return false };
        let returns = file.module.stmts.iter().zip(&file.module.stmt_spans);
        returns.into_iter().any(|(statement, span)| {
            matches!(statement, Stmt::Return(Some(_))) && span.start < self.span.end && self.span.start < span.end
        })
    }

    /// The innermost function around it, by its `__qualname__`, and whether the whole of it is meant.
    fn function(&self, analysis: &Analysis, script: &Path) -> Option<(String, bool)> {
        let path = self.path.as_deref().unwrap_or(script);
        let file = analysis.files.iter().find(|file| file.path == path)?;
        let codes = file.functions.iter().filter_map(|function| {
            let code = file.module.codes.iter().find(|code| code.name_span == function.name_span)?;
            // A line with the first words of a function is meant to be the whole of it.
            let is_head = self.span.start <= code.name_span.start && code.name_span.end <= self.span.end;
            let is_around = code.span.start <= self.span.start && self.span.end <= code.span.end + 1;
            (is_head || is_around).then_some((code, is_head))
        });
        let (code, is_whole) = codes.min_by_key(|(code, _)| code.span.end - code.span.start)?;
        Some((code.qualname.to_string(), is_whole))
    }
}

/// What stands for arrays that are too large to be written out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Data {
    /// Ones.
    #[default]
    Ones,
    /// Random numbers of the same range.
    Random,
    /// Their own numbers, in a file beside the reproducer.
    Exact,
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
        Request {
            target: Target::Error,
            within: None,
            most_literal: 128,
            data: Data::Ones,
            style: Style::Given,
            part: None,
            around: false,
            minimal: false,
            level: Level::Api,
            log: false,
            hierarchy: false,
            ask: Vec::new(),
            compiled: 0,
            told: Vec::new(),
            operations: OPERATIONS,
            inlined: Vec::new(),
            maps: Maps::Alike,
            trees: TreeForm::Named,
            decorates: true,
            drops_idle: false,
        }
    }
}
