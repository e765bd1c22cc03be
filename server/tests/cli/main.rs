//! The command line as a program, in folders of its own.

mod baseline;
mod counts;
mod environment;
mod eval;
mod fix;
mod formats;
mod kept;
mod manual;
mod notebook;
mod repro;
mod rule;
mod settings;
mod support;
mod tests;
