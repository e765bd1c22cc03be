//! The literate suite and its runner.
