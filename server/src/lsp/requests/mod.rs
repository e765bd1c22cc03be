//! Requests: one file each.

pub mod diagnostic;
pub mod hover;
pub mod inlay_hint;
