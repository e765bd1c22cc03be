//! Analyses of files: where modules come from, what is run, and the facts that come out.

pub mod ahead;
pub(crate) mod annotations;
mod asked;
mod cache;
mod evaluate;
mod facts;
mod graphs;
mod libraries;
mod loader;
mod lost_runs;
mod ready;
mod recorded;
mod role;
mod run;
pub(crate) mod signature;
mod sizes;
mod tests;
mod units;
mod unreached;
mod worker;

pub use crate::interp::{Contents, Printed, not_known};
pub use cache::{CacheFact, CallFact, EntryFact};
pub use evaluate::{
    BARS, EvalFact, Evaluation, FirstNonFinite, Given, Intermediate, Made, NonFinite, Numbers, OPERATIONS, Progress,
    Statistics, Summary, Tap,
};
pub use facts::{ExprFact, FileFacts, FunctionFact, Problem, Shown, expr_kind, is_value_row};
pub use graphs::{AtomFact, EquationFact, FrameFact, GraphFact, TraceFact};
pub use loader::{Disk, LoadedFile, MOST_BYTES, Names, ProjectLoader, Vfs, imports};
pub use role::starts_itself;
pub use run::{Analysis, Entry, Limits, Wanted, analyze, analyze_for};
pub use tests::is_test;
pub(crate) use worker::STACK;
