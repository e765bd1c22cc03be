//! Writing: from the tree of calls to the lines of a program.

mod access;
mod body;
mod callables;
mod callers;
mod constructed;
mod data;
mod decorated;
mod derived;
mod expression;
mod found;
mod functions;
mod graphs;
mod hints;
mod kinds;
mod known;
mod leaks;
mod lines;
mod methods;
mod operations;
mod parameters;
pub mod pieces;
mod rebind;
mod scope;
mod sets;
mod values;
pub mod verbatim;
mod whole;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Data;
use super::data::Datum;
use super::eager::Told;
use super::names::Imports;
use super::tree::{Key, Raised, State};
use crate::analysis::Analysis;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::{FileId, Value};
use crate::text::Span;
pub use callables::with_arguments;
pub use callers::Callers;
pub use decorated::decorated;
use derived::Derived;
pub use found::made_with;
use known::Known;
pub use pieces::tokens;
pub use rebind::words;
pub use scope::{Line, Scope};
pub use whole::Goal;

/// What writes a reproducer.
pub struct Writer<'a> {
    pub it: &'a Rc<Interp>,
    /// Of bodies whose `*rest` begins with what the callable was made with (a receiver, arguments of a `partial`): how many of its items are that.
    pub into_rest: FxHashMap<usize, usize>,
    /// What is known of the run.
    pub analysis: &'a Analysis,
    pub state: &'a State,
    pub callers: Callers,
    pub most_literal: usize,
    /// What stands for larger arrays, and those whose numbers stand in a file, by their names there.
    pub data: Vec<Datum>,
    pub mode: Data,
    /// The variable that the file is read into.
    pub data_name: String,
    /// Numbers that tracers stand for, by the tracers' identities.
    pub known: Known,
    /// Whether they may be others than those that the function was called with.
    pub is_unsure: bool,
    /// Numbers that a run without compilation has told, and tracers whose numbers are not known.
    pub told: &'a [Told],
    pub lacks: Vec<Value>,
    /// Arrays for whose numbers ones stand where their own are wanted, by their identities: their names and types.
    pub stand_ins: Vec<(usize, String)>,
    /// Arrays that stand at the top for the functions that close over them: their names, by their identities.
    pub tops: FxHashMap<usize, String>,
    /// Arrays of NumPy that stand there: their names, by their texts.
    pub constants: FxHashMap<String, String>,
    /// How often arrays that take more than a line are asked for, by their texts, and how often they were in the first writing.
    pub literals: FxHashMap<String, usize>,
    pub seen_literals: FxHashMap<String, usize>,
    /// So many random arrays there are.
    pub randoms: usize,
    /// The error that is wanted.
    pub wanted: Option<Raised>,
    pub imports: Imports,
    pub scopes: Vec<Scope>,
    /// Calls that may be asked for again and again (deep inside, or of functions that call themselves), with which of their parameters are left
    /// out: the functions that stand for them.
    pub repeated: FxHashMap<(usize, Vec<bool>), String>,
    /// Parts of parameters that stand for their numbers in the body that is written next.
    pub ways: Vec<(usize, Vec<Key>)>,
    /// How numbers that it computes from these may be written.
    pub derived: Option<&'static Derived>,
    /// Statements that are being written.
    pub calls: Vec<usize>,
    /// Those that were written since the line began that they stand in.
    pub pieces: Vec<pieces::Piece>,
    /// Statements that change what other statements gave (`f.defvjp`).
    pub effects: FxHashMap<usize, Vec<usize>>,
    pub uses: FxHashMap<(usize, usize, usize), usize>,
    /// Uses as the first writing counted them.
    pub seen_uses: Option<FxHashMap<(usize, usize, usize), usize>>,
    /// Functions that need nothing of what is around them.
    pub alone: FxHashSet<usize>,
    pub seen_alone: FxHashSet<usize>,
    /// Names of the program's functions, and those that were given.
    pub functions: BTreeSet<String>,
    pub given: BTreeSet<String>,
    /// Which parameters were asked for as a whole, and by which of their keys the parts of others; and what the first writing found.
    pub reads: FxHashSet<(usize, usize, Option<Symbol>)>,
    pub seen_reads: FxHashSet<(usize, usize, Option<Symbol>)>,
    /// All names of functions that were ever written.
    pub spoken: BTreeSet<String>,
    /// Of functions that are written: parameters whose names were taken, with those that they have instead.
    pub renamed: FxHashMap<String, Vec<(String, String)>>,
    /// Whether a function is called on its own: what is around it is not written.
    pub is_function: bool,
    /// Whether it is called with what leads to its arguments: unless their numbers are wanted, or it only has to fail.
    pub computes: bool,
    /// Tracers that leave the bodies that made them, and those that the first writing found.
    pub leaks: Vec<(usize, Value)>,
    pub seen_leaks: Vec<(usize, Value)>,
    /// Arrays of the top level that take long to come by, and those that do not, by their statements.
    pub long: FxHashMap<usize, bool>,
    /// Statements of the top level whose results are asked for.
    pub direct: FxHashSet<usize>,
    /// Whether something could not be written as it was.
    pub approximate: bool,
    /// Functions that are mapped over a tree and do not do the same with all of its leaves.
    pub unalike: Vec<(FileId, Span)>,
    /// Whether something stands for the numbers of an array.
    pub made_up: bool,
    /// The error that the text ends in, also where it is for a function.
    pub failing: Option<Raised>,
    /// Whether something that is not known of the program stands in the text.
    pub vague: bool,
    /// Whether something stood for the numbers of an array when the text was written before.
    pub seen_made_up: bool,
    /// Whether the function that is called is compiled.
    pub compiles: bool,
    /// Statements and functions that were written, and statements whose results were written as numbers.
    pub emitted: FxHashSet<usize>,
    pub bodies: FxHashSet<usize>,
    pub numbered: FxHashSet<usize>,
    /// Levels of bodies that something was asked of.
    pub reached: BTreeSet<usize>,
}
