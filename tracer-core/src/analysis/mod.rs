//! Analyses of files: where modules come from, what is run, and the facts that come out.

mod facts;
mod loader;
mod run;

pub use facts::{ExprFact, FileFacts, FunctionFact, Problem, Shown, expr_kind, is_value_row};
pub use loader::{Disk, LoadedFile, ProjectLoader, Vfs};
pub use run::{Analysis, Entry, Limits, analyze};
