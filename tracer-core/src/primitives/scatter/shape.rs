//! The shape rule of the scatters: the checks of XLA's shape inference, in its order.

use super::super::gather::{fits, pick};
use super::super::indexing::{Checks, WindowDims};
use super::super::repr;
use super::super::rules::same_shape;
use super::Scatter;
use crate::array::{Aval, Dim};
use crate::python::{Halt, Step};

impl Scatter {
    pub(super) fn check(&self, operand: &Aval, indices: &Aval, updates: &Aval) -> Step<()> {
        let check = Checks("scatter");
        let WindowDims { offset, collapsed, start_map, operand_batch, indices_batch, .. } = &self.dims;
        let rank = indices.rank();
        if rank == 0 {
            return Err(Halt::type_error(
                "Scatter index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 and scatter index \
                 leaf dimension is -1.",
            ));
        }
        let leaf = rank - 1;
        if updates.rank() != leaf + offset.len() {
            return Err(Halt::type_error(format!(
                "Updates tensor must be of rank {}; got {}.",
                leaf + offset.len(),
                updates.rank()
            )));
        }
        check.sorted(offset, "update_window_dims")?;
        check.distinct(offset, "update_window_dims")?;
        check.sorted_in_range(offset, updates.rank(), "update_window_dims")?;
        check.sorted(collapsed, "inserted_window_dims")?;
        check.distinct(collapsed, "inserted_window_dims")?;
        check.sorted_in_range(collapsed, operand.rank(), "inserted_window_dims")?;
        check.sorted(operand_batch, "operand_batching_dims")?;
        check.distinct(operand_batch, "operand_batching_dims")?;
        check.sorted_in_range(operand_batch, operand.rank(), "operand_batching_dims")?;
        check.disjoint(collapsed, operand_batch, "inserted_window_dims", "operand_batching_dims")?;
        check.disjoint(start_map, operand_batch, "scatter_dims_to_operand_dims", "operand_batching_dims")?;
        check.distinct(indices_batch, "scatter_indices_batching_dims")?;
        check.in_range(indices_batch, rank, "scatter_indices_batching_dims")?;
        if indices_batch.contains(&(leaf as i64)) {
            return Err(Halt::type_error(format!(
                "Scatter op cannot have the index vector dimension as a batching dimension; got {}.",
                repr::tuple(indices_batch)
            )));
        }
        if operand_batch.len() != indices_batch.len() {
            return Err(Halt::type_error(format!(
                "Scatter op requires equal numbers of operand_batching_dims and scatter_indices_batching_dims, got {} and \
                 {}.",
                repr::tuple(operand_batch),
                repr::tuple(indices_batch)
            )));
        }
        let scattered: Vec<usize> = (0..updates.rank()).filter(|&axis| !offset.contains(&(axis as i64))).collect();
        let batch = pick(&operand.shape, operand_batch);
        let same = |what: &str, other: Vec<Dim>| {
            if same_shape(&batch, &other)? {
                return Ok(());
            }
            Err(Halt::type_error(format!(
                "Scatter op requires operand batching dimensions and {what} batching dimensions to have the same shape, \
                 got {} and {}.",
                repr::tuple(&batch),
                repr::tuple(other)
            )))
        };
        same("indices", pick(&indices.shape, indices_batch))?;
        same("updates", indices_batch.iter().map(|&d| updates.shape[scattered[d as usize]]).collect())?;
        let window = offset.len() + collapsed.len() + operand_batch.len();
        if operand.rank() != window {
            return Err(Halt::type_error(format!(
                "Scatter op has window of size {window}; doesn't match operand of rank {}.",
                operand.rank()
            )));
        }
        if indices.shape[leaf] != start_map.len() {
            return Err(Halt::type_error(format!(
                "Scatter op has {} elements in scatter_dims_to_operand_dims and the bound of dimension \
                 index_vector_dim={leaf} of indices is {}. These two numbers must be equal",
                start_map.len(),
                indices.shape[leaf]
            )));
        }
        for (i, &d) in start_map.iter().enumerate() {
            if d < 0 || d >= operand.rank() as i64 {
                return Err(Halt::type_error(format!(
                    "Invalid scatter_dims_to_operand_dims mapping; domain is [0, {}), got: {i}->{d}.",
                    operand.rank()
                )));
            }
        }
        check.distinct(start_map, "scatter_dims_to_operand_dims")?;
        let kept = (0..operand.rank()).filter(|&axis| !self.dims.drops(axis)).map(|axis| operand.shape[axis]);
        for (&d, bound) in offset.iter().zip(kept) {
            let size = updates.shape[d as usize];
            if !fits(size, bound)? {
                return Err(Halt::type_error(format!(
                    "Bounds of the window dimensions of updates must not exceed the bounds of the corresponding \
                     dimensions of operand. For dimension {d}, updates bound is {size}, operand bound is {bound}."
                )));
            }
        }
        for (&axis, &bound) in scattered.iter().zip(&indices.shape) {
            if !updates.shape[axis].same(bound)? {
                return Err(Halt::type_error(format!(
                    "Bounds of the scatter dimensions of updates must be the same as the bounds of the corresponding \
                     dimensions of scatter indices. For scatter dimension {axis}, updates bound is {}, indices bound is \
                     {bound}.",
                    updates.shape[axis]
                )));
            }
        }
        Ok(())
    }
}
