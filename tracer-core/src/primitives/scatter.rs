//! `scatter` and its relatives: windows of an array replaced by, or combined with, updates.

use std::cell::OnceCell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::gather::{fits, pick};
use super::indexing::{Checks, Mode, WindowDims, Windows, check_index_dtype, same_sizes, words};
use super::arithmetic::{Arithmetic, each_type, rounded};
use super::{Avals, Param, ParamValue, Params, Primitive, repr};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::Jaxpr;

const FIELDS: [&str; 5] = [
    "update_window_dims",
    "inserted_window_dims",
    "scatter_dims_to_operand_dims",
    "operand_batching_dims",
    "scatter_indices_batching_dims",
];

/// How an update and what stands there become one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Combine {
    Set,
    Add,
    Sub,
    Mul,
    Min,
    Max,
}

impl Combine {
    /// The primitive that combines two numbers.
    fn operation(self) -> Option<&'static str> {
        Some(match self {
            Combine::Set => return None,
            Combine::Add => "add",
            Combine::Sub => "sub",
            Combine::Mul => "mul",
            Combine::Min => "min",
            Combine::Max => "max",
        })
    }
}

/// `scatter`, `scatter-add`, `scatter-sub`, `scatter-mul`, `scatter-min`, `scatter-max`
#[derive(Clone, Debug)]
pub struct Scatter {
    /// Which of them.
    pub combine: Combine,
    /// Which axis is what.
    pub dims: WindowDims,
    /// A promise about the indices.
    pub indices_are_sorted: bool,
    /// A promise about the indices.
    pub unique_indices: bool,
    /// What happens to windows that stick out.
    pub mode: Mode,
    /// The function that combines: for [`Combine::Set`] that of a `scatter_apply`, if it is one; for the others the graph
    /// of their operation, once their type is known.
    pub reducer: OnceCell<Rc<Jaxpr>>,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let combine = match params.primitive {
        "scatter" => Combine::Set,
        "scatter-add" => Combine::Add,
        "scatter-sub" => Combine::Sub,
        "scatter-mul" => Combine::Mul,
        "scatter-min" => Combine::Min,
        _ => Combine::Max,
    };
    let reducer = OnceCell::new();
    if let (Combine::Set, Some(ParamValue::Opaque(graph))) = (combine, params.get("update_jaxpr")) {
        let graph = graph.clone().downcast::<Jaxpr>().map_err(|_| Halt::unknown("an odd `update_jaxpr`"))?;
        _ = reducer.set(graph);
    }
    Ok(Rc::new(Scatter {
        combine,
        dims: WindowDims::from_params(params)?,
        indices_are_sorted: params.flag("indices_are_sorted")?,
        unique_indices: params.flag("unique_indices")?,
        mode: Mode::from_params(params)?,
        reducer,
    }))
}

impl Primitive for Scatter {
    fn name(&self) -> &'static str {
        match self.combine {
            Combine::Set => "scatter",
            Combine::Add => "scatter-add",
            Combine::Sub => "scatter-sub",
            Combine::Mul => "scatter-mul",
            Combine::Min => "scatter-min",
            Combine::Max => "scatter-max",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let reducer = self.reducer.get().map_or_else(|| Param::Text("None".into()), |graph| Param::Graph(graph.clone()));
        vec![
            ("dimension_numbers", Param::Text(self.dims.show("ScatterDimensionNumbers", FIELDS))),
            ("indices_are_sorted", Param::Text(repr::flag(self.indices_are_sorted).into())),
            ("mode", Param::Text(self.mode.show().into())),
            ("unique_indices", Param::Text(repr::flag(self.unique_indices).into())),
            ("update_consts", Param::Text("()".into())),
            ("update_jaxpr", reducer),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operand, indices, updates) = (inputs[0], inputs[1], inputs[2]);
        if let Some(operation) = self.combine.operation() {
            self.check_operation(operation, operand.dtype)?;
            if let Some(graph) = super::reducer::graph(operation, operand.dtype) {
                _ = self.reducer.set(graph);
            }
        }
        self.check(operand, indices, updates)?;
        check_index_dtype(indices)?;
        if operand.dtype != updates.dtype && !operand.dtype.is_key() && !updates.dtype.is_key() {
            return Err(Halt::type_error(format!(
                "lax.scatter requires arguments to have the same dtypes, got {}, {}.",
                operand.dtype, updates.dtype
            )));
        }
        Ok(smallvec![operand.clone()])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [operand, indices, updates] = inputs else { unreachable!("a scatter has three inputs") };
        if self.combine == Combine::Set && self.reducer.get().is_some() {
            return Err(Halt::unknown("no evaluation of `scatter` with a function"));
        }
        let window = self.window(&operand.shape, &updates.shape);
        let clip = self.mode == Mode::Clip;
        let windows = Windows::new(&self.dims, operand, indices, &window, &updates.shape, clip)?;
        let unit = words(operand.dtype);
        let data = each_type!(operand, T => {
            let mut values = operand.view::<T>().unwrap_or_default().to_vec();
            let new = updates.view::<T>().unwrap_or_default();
            if !updates.is_empty() && values.len() >= unit {
                scattered(&mut values, new, &windows, self.combine);
            }
            Ok(T::wrap(values))
        })?;
        let out = Tensor { dtype: operand.dtype, shape: operand.shape.clone(), data };
        Ok(smallvec![rounded(out)])
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        self.reducer.get().cloned().into_iter().collect()
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        if self.combine == Combine::Set { 0 } else { inputs[2].size().unwrap_or(0) as u64 }
    }
}

fn scattered<T: Arithmetic>(values: &mut [T], new: &[T], windows: &Windows, combine: Combine) {
    match combine {
        Combine::Set => {
            for &(at, from) in &windows.places {
                let Some(at) = at else { continue };
                for &(a, b) in &windows.runs {
                    values[at + a..at + a + windows.run].copy_from_slice(&new[from + b..from + b + windows.run]);
                }
            }
        }
        Combine::Add => fold(values, new, windows, T::plus),
        Combine::Sub => fold(values, new, windows, T::minus),
        Combine::Mul => fold(values, new, windows, T::times),
        Combine::Min => fold(values, new, windows, T::smaller),
        Combine::Max => fold(values, new, windows, T::larger),
    }
}

fn fold<T: Element>(values: &mut [T], new: &[T], windows: &Windows, combine: impl Fn(T, T) -> T) {
    for &(at, from) in &windows.places {
        let Some(at) = at else { continue };
        for &(a, b) in &windows.runs {
            let old = &mut values[at + a..at + a + windows.run];
            for (old, &new) in old.iter_mut().zip(&new[from + b..from + b + windows.run]) {
                *old = combine(*old, new);
            }
        }
    }
}

impl Scatter {
    /// The size of a window along each axis of the operand.
    fn window(&self, operand: &[usize], updates: &[usize]) -> Sizes {
        let mut offset = self.dims.offset.iter();
        (0..operand.len())
            .map(|axis| if self.dims.drops(axis) { 1 } else { offset.next().map_or(1, |&d| updates[d as usize]) })
            .collect()
    }

    /// The operation is traced for scalars of the operand's type first.
    fn check_operation(&self, name: &str, dtype: DType) -> Step<()> {
        if dtype.is_key() {
            return Err(Halt::type_error(format!("Cannot interpret '{dtype}' as a data type")));
        }
        if dtype == DType::Bool && matches!(self.combine, Combine::Add | Combine::Sub | Combine::Mul) {
            return Err(Halt::type_error(format!(
                "{name} does not accept dtype bool at position 0. Accepted dtypes at position 0 are subtypes of integer, \
                 floating, complexfloating."
            )));
        }
        Ok(())
    }

    fn check(&self, operand: &Aval, indices: &Aval, updates: &Aval) -> Step<()> {
        let check = Checks("scatter");
        let WindowDims { offset, collapsed, start_map, operand_batch, indices_batch } = &self.dims;
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
            if same_sizes(&batch, &other)? {
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
