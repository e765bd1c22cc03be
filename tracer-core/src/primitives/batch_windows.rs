//! Batching of windows whose starts differ: they become `gather` and `scatter`.

use super::gather::Gather;
use super::indexing::{Ints, Mode, WindowDims};
use super::scatter::{Combine, Scatter};
use super::{Dims, Primitive, build, rules};
use crate::array::tensor::Sizes;
use crate::array::{Dim, Shape, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// `dynamic_slice` with batched starts.
pub fn dynamic_slice(cx: &Engine, sizes: &Shape, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
    let gather = Gather {
        indices_are_sorted: true,
        unique_indices: true,
        ..Gather::new(whole(sizes.len()), sizes.clone(), Mode::Clip)
    };
    let (indices, dim) = starts(cx, &inputs[1..], &dims[1..])?;
    gather.batch(cx, &[inputs[0].clone(), indices], &[dims[0], dim])
}

/// `dynamic_update_slice`
pub fn dynamic_update_slice(cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
    rules::has_operands(inputs, 2)?;
    let rank = inputs[1].aval.rank() - usize::from(dims[1].is_some());
    let scatter = Scatter {
        indices_are_sorted: true,
        unique_indices: true,
        ..Scatter::new(Combine::Set, whole(rank), Mode::Clip)
    };
    let (indices, dim) = starts(cx, &inputs[2..], &dims[2..])?;
    scatter.batch(cx, &[inputs[0].clone(), indices, inputs[1].clone()], &[dims[0], dim, dims[1]])
}

/// Windows with all axes of the operand.
fn whole(rank: usize) -> WindowDims {
    let all: Ints = (0..rank as i64).collect();
    WindowDims { offset: all.clone(), start_map: all, ..WindowDims::default() }
}

/// Starts as one array of index vectors, with their batch axis.
fn starts(cx: &Engine, starts: &[Val], dims: &[Option<usize>]) -> Step<(Val, Option<usize>)> {
    if starts.is_empty() {
        return Ok((cx.constant(Tensor::new::<i32>(Sizes::from_elem(0, 1), Vec::new())), None));
    }
    let one = Dim::from(1usize);
    if dims.iter().all(Option::is_none) {
        let starts = starts.iter().map(|start| build::broadcast(cx, start, &[one])).collect::<Step<Vec<_>>>()?;
        return Ok((build::concatenate(cx, &starts, 0)?, None));
    }
    let size = rules::batch_size(starts, dims)?;
    let column = |(start, dim): (&Val, &Option<usize>)| {
        let axes: &[usize] = if dim.is_some() { &[0] } else { &[] };
        build::broadcast_in_dim(cx, start, &[size, one], axes)
    };
    let columns = starts.iter().zip(dims).map(column).collect::<Step<Vec<_>>>()?;
    Ok((build::concatenate(cx, &columns, 1)?, Some(0)))
}
