//! Batching of windows whose starts differ: they become `gather` and `scatter`.

use crate::array::Shape;
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

use super::Dims;

/// `dynamic_slice` with batched starts.
pub fn dynamic_slice(_cx: &Engine, _sizes: &Shape, _inputs: &[Val], _dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
    Err(Halt::unknown("no batching rule of `dynamic_slice` with batched starts yet"))
}

/// `dynamic_update_slice`
pub fn dynamic_update_slice(_cx: &Engine, _inputs: &[Val], _dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
    Err(Halt::unknown("no batching rule of `dynamic_update_slice` yet"))
}
