//! Syntax tree to module.
