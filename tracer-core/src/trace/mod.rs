//! Traces: arrays and tracers, the stack of traces, `bind`, graphs.

mod array;
mod engine;

pub use array::{Array, Val, Vals};
pub use engine::Engine;
