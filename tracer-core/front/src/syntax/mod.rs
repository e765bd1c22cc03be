//! Tree-sitter stays in here.
