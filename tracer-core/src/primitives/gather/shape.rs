//! The shape rule of `gather`: the checks of XLA's shape inference, in its order.

use super::super::indexing::{Checks, WindowDims};
use super::super::repr;
use super::super::rules::same_shape;
use super::{Gather, fits, pick};
use crate::array::{Aval, Shape};
use crate::python::{Halt, Step};

impl Gather {
    /// The shape of the result, after all checks of the dimension numbers.
    pub(super) fn shape(&self, operand: &Aval, indices: &Aval) -> Step<Shape> {
        let check = Checks("gather");
        let WindowDims { offset, collapsed, start_map, operand_batch, indices_batch, .. } = &self.dims;
        let rank = indices.rank();
        if rank == 0 {
            return Err(Halt::type_error(
                "Gather index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 and gather index \
                 leaf dimension is -1.",
            ));
        }
        let leaf = rank - 1;
        check.sorted(offset, "offset_dims")?;
        check.distinct(offset, "offset_dims")?;
        let out_rank = offset.len() + rank - 1;
        for (i, &d) in offset.iter().enumerate() {
            if d < 0 || d >= out_rank as i64 {
                return Err(Halt::type_error(format!(
                    "Offset dimension {i} in gather op is out of bounds; got {d}, but should have been in [0, {out_rank})"
                )));
            }
        }
        if indices.shape[leaf] != start_map.len() {
            return Err(Halt::type_error(format!(
                "Gather op has {} elements in start_index_map and the bound of dimension index_vector_dim={leaf} of \
                 indices is {}. These two numbers must be equal.",
                start_map.len(),
                indices.shape[leaf]
            )));
        }
        for (i, &d) in start_map.iter().enumerate() {
            if d < 0 || d >= operand.rank() as i64 {
                return Err(Halt::type_error(format!(
                    "Invalid start_index_map; domain is [0, {}), got: {i}->{d}.",
                    operand.rank()
                )));
            }
        }
        check.distinct(start_map, "start_index_map")?;
        check.sorted(collapsed, "collapsed_slice_dims")?;
        check.sorted_in_range(collapsed, operand.rank(), "collapsed_slice_dims")?;
        check.distinct(collapsed, "collapsed_slice_dims")?;
        check.distinct(operand_batch, "operand_batching_dims")?;
        check.sorted(operand_batch, "operand_batching_dims")?;
        check.sorted_in_range(operand_batch, operand.rank(), "operand_batching_dims")?;
        check.disjoint(collapsed, operand_batch, "collapsed_slice_dims", "operand_batching_dims")?;
        check.disjoint(start_map, operand_batch, "start_index_map", "operand_batching_dims")?;
        check.distinct(indices_batch, "start_indices_batching_dims")?;
        check.in_range(indices_batch, rank, "start_indices_batching_dims")?;
        if indices_batch.contains(&(leaf as i64)) {
            return Err(Halt::type_error(format!(
                "Gather op cannot have the index vector dimension as a batching dimension; got {}.",
                repr::tuple(indices_batch)
            )));
        }
        if operand_batch.len() != indices_batch.len() {
            return Err(Halt::type_error(format!(
                "Gather op requires equal numbers of operand_batching_dims and start_indices_batching_dims, got {} and{}.",
                repr::tuple(operand_batch),
                repr::tuple(indices_batch)
            )));
        }
        let (a, b) = (pick(&operand.shape, operand_batch), pick(&indices.shape, indices_batch));
        if !same_shape(&a, &b)? {
            return Err(Halt::type_error(format!(
                "Gather op requires operand batching dimensions and indices batching dimensions to have the same shape, \
                 got {} and {}.",
                repr::tuple(a),
                repr::tuple(b)
            )));
        }
        self.check_slices(operand, indices)?;
        let mut positions = indices.shape[..leaf].iter().copied();
        let mut slices =
            self.slice_sizes.iter().enumerate().filter(|(axis, _)| !self.dims.drops(*axis)).map(|(_, size)| *size);
        (0..out_rank as i64)
            .map(|axis| if offset.contains(&axis) { slices.next() } else { positions.next() })
            .collect::<Option<Shape>>()
            .ok_or_else(|| Halt::unknown("odd dimension numbers of `gather`"))
    }

    fn check_slices(&self, operand: &Aval, indices: &Aval) -> Step<()> {
        let (slices, WindowDims { offset, collapsed, operand_batch, .. }) = (&self.slice_sizes, &self.dims);
        if operand.rank() != slices.len() {
            return Err(Halt::type_error(format!(
                "Gather op must have one slice size for every input dimension; got: len(slice_sizes)={}, \
                 input_shape.rank={}",
                slices.len(),
                operand.rank()
            )));
        }
        if slices.len() != offset.len() + collapsed.len() + operand_batch.len() {
            return Err(Halt::type_error(format!(
                "All components of the offset index in a gather op must either be a offset dimension or explicitly \
                 collapsed/batching; got len(slice_sizes)={}, output_slice_sizes={}, collapsed_slice_dims={}, \
                 operand_batching_dims={}.",
                slices.len(),
                repr::tuple(offset),
                repr::tuple(collapsed),
                repr::tuple(operand_batch)
            )));
        }
        let no_index = indices.shape.iter().any(|&size| size == 0);
        for (i, (&slice, &size)) in slices.iter().zip(&operand.shape).enumerate() {
            if !no_index && !fits(slice, size)? {
                return Err(Halt::type_error(format!(
                    "Slice size at index {i} in gather op is out of range, must be within [0, {size} + 1), got {slice}."
                )));
            }
        }
        for (i, &d) in collapsed.iter().enumerate() {
            let bound = slices[d as usize];
            if bound != 1 {
                return Err(Halt::type_error(format!(
                    "Gather op can only collapse slice dims with bound 1, but bound is {bound} for index {d} at position \
                     {i}."
                )));
            }
        }
        for (i, &d) in operand_batch.iter().enumerate() {
            let bound = slices[d as usize];
            if bound.get()? > 1 {
                return Err(Halt::type_error(format!(
                    "Gather op can only have operand batching dims with bound 0/1, but bound is {bound} for index {d} at \
                     position {i}."
                )));
            }
        }
        Ok(())
    }
}
