//! Requests: one file each.

pub mod call_hierarchy;
pub mod code_action;
pub mod code_lens;
pub mod definition;
pub mod diagnostic;
pub mod document_link;
pub mod evaluate_actions;
pub mod graphs;
pub mod hover;
pub mod inlay_hint;
pub mod reproducer_actions;
pub mod semantic_tokens;
pub mod trace_cache;
