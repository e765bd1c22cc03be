//! The engine of jitlens: an interpreter of Python that runs programs on stand-ins for arrays, and JAX's own core in
//! small (primitives, `bind`, a stack of traces, pytrees, graphs).
//!
//! Rooms, from the bottom up: [`mod@array`], [`python`], [`primitives`], [`trace`], [`transforms`],
//! [`interp`], [`frameworks`], [`analysis`].

/// The symbol of a literal, interned once.
#[macro_export]
macro_rules! sym {
    ($text:literal) => {{
        static SYMBOL: std::sync::LazyLock<$crate::module::Symbol> =
            std::sync::LazyLock::new(|| $crate::module::Symbol::from($text));
        *SYMBOL
    }};
}

pub mod analysis;
pub mod array;
pub mod diagnostics;
pub mod frameworks;
pub mod interp;
pub mod notebook;
pub mod primitives;
pub mod python;
pub mod repro;
pub mod trace;
pub mod transforms;

pub use jitlens_front::{lower, module, syntax, text};
