//! The front end: Python text to a lowered [`module::Module`].
//!
//! * [`text`]: positions, line index, edits.
//! * [`syntax`]: the only place that names tree-sitter.
//! * [`module`]: the lowered program: arenas, ids, names resolved to slots.
//! * [`lower`]: syntax tree to module; never fails.
//!
//! **Invariant:** nothing here knows the interpreter, a framework, time, files or threads.

pub mod lower;
pub mod module;
pub mod syntax;
pub mod text;
