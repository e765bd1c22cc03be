//! Requests: one file each.

pub mod code_action;
pub mod diagnostic;
pub mod hover;
pub mod inlay_hint;
