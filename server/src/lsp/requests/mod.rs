//! Requests: one file each.

pub mod code_action;
pub mod code_lens;
pub mod diagnostic;
pub mod hover;
pub mod inlay_hint;
pub mod trace_cache;
