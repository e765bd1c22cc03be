//! Python's data model: values, classes, arguments, exceptions.

pub mod halt;
pub use halt::{Exception, Halt, Step, Stopped, Why};
