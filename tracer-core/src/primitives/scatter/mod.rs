//! `scatter` and its relatives: windows of an array replaced by, or combined with, updates.

mod apply;
mod derive;
mod shape;

use std::cell::OnceCell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::arithmetic::{Arithmetic, each_type, rounded};
use super::indexing::{Mode, WindowDims, check_index_dtype, words};
use super::places::Windows;
use super::rules::Class;
use super::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, repr, rules, short};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Digest, Engine, Jaxpr, Val, Vals};
use crate::transforms::{calls, eval};

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
    /// The primitive that combines two numbers, and what it accepts.
    fn operation(self) -> Option<(&'static str, &'static [Class])> {
        Some(match self {
            Combine::Set => return None,
            Combine::Add => ("add", rules::NUMBER),
            Combine::Sub => ("sub", rules::NUMBER),
            Combine::Mul => ("mul", rules::NUMBER),
            Combine::Min => ("min", rules::ANY),
            Combine::Max => ("max", rules::ANY),
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
    /// The graph of the operation that combines, once the type is known; none for [`Combine::Set`].
    pub reducer: OnceCell<Rc<Jaxpr>>,
    /// Of a `scatter_apply`: the function of what stands there and of the update.
    pub applied: Option<ClosedJaxpr>,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let combine = match params.primitive {
        "scatter" => Combine::Set,
        "scatter-add" | "scatter_add" => Combine::Add,
        "scatter-sub" | "scatter_sub" => Combine::Sub,
        "scatter-mul" | "scatter_mul" => Combine::Mul,
        "scatter-min" | "scatter_min" => Combine::Min,
        _ => Combine::Max,
    };
    let applied = match combine == Combine::Set && params.get("update_jaxpr").is_some() {
        true => Some(calls::graph(params, "update_jaxpr")?),
        false => None,
    };
    Ok(Rc::new(Scatter {
        combine,
        dims: WindowDims::from_params(params)?,
        indices_are_sorted: params.flag("indices_are_sorted")?,
        unique_indices: params.flag("unique_indices")?,
        mode: Mode::from_params(params)?,
        reducer: OnceCell::new(),
        applied,
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
        let graph = self.applied.as_ref().map(|applied| &applied.jaxpr).or(self.reducer.get());
        let reducer = graph.map_or_else(|| Param::Text("None".into()), |graph| Param::Graph(graph.clone()));
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
        if let Some((operation, classes)) = self.combine.operation() {
            if operand.dtype.is_key() {
                return Err(Halt::type_error(format!("Cannot interpret '{}' as a data type", operand.dtype)));
            }
            rules::check_positions(operation, &[classes, classes], &[operand, operand], false)?;
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

    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let Some(function) = &self.applied else { return self.eval(inputs) };
        // Its steps are nothing that the program makes.
        let observed = cx.observed.replace(false);
        let results = apply::results(cx, self, function, inputs);
        cx.observed.set(observed);
        results
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [operand, indices, updates] = inputs else { unreachable!("a scatter has three inputs") };
        let window = self.window(&operand.shape, &updates.shape);
        let clip = self.mode == Mode::Clip;
        let windows = Windows::new(&self.dims, (operand, indices), &window, &updates.shape, clip, false);
        let unit = words(operand.dtype);
        if operand.dtype.narrow().is_some() {
            // Rounded after every update.
            let round = short::rounding(operand.dtype);
            let mut values = operand.expect::<f32>()?.to_vec();
            let new = updates.expect::<f32>()?;
            if !updates.is_empty() && !values.is_empty() {
                scattered(&mut values, new, &windows, self.combine, round)?;
            }
            return Ok(smallvec![Tensor::wrapped(operand.dtype, operand.shape.clone(), values)]);
        }
        let data = each_type!(operand, T => {
            let mut values = jitlens_kernels::copy::same(operand.view::<T>().unwrap_or_default());
            let new = updates.view::<T>().unwrap_or_default();
            if !updates.is_empty() && values.len() >= unit {
                scattered(&mut values, new, &windows, self.combine, |x| x)?;
            }
            Ok(T::wrap(values))
        })?;
        let out = Tensor { dtype: operand.dtype, shape: operand.shape.clone(), data };
        Ok(smallvec![rounded(out)])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let (out, tangent) = derive::jvp(self, cx, primals, tangents)?;
        Ok((smallvec![out], smallvec![tangent]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        derive::transpose(self, cx, cotangents, inputs)
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let front = |i: usize| rules::at_front(cx, &inputs[i], dims[i], size);
        let (operand, updates) = (front(0)?, front(2)?);
        let (indices, dims) = match dims[1] {
            None => (inputs[1].clone(), self.dims.with_window_axis()),
            Some(_) => (front(1)?, self.dims.batched()),
        };
        Ok(rules::batched(cx.bind1(Scatter { dims, ..self.clone() }, &[operand, indices, updates])?, 0))
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        let applied = self.applied.as_ref().map(|applied| &applied.jaxpr);
        applied.or(self.reducer.get()).cloned().into_iter().collect()
    }

    fn digest(&self, to: &mut Digest) -> Option<()> {
        let Scatter { combine, dims, indices_are_sorted, unique_indices, mode, reducer: _, applied } = self;
        to.text(format_args!(
            "{combine:?} {dims:?} {indices_are_sorted} {unique_indices} {mode:?} {}",
            applied.is_some()
        ))?;
        applied.iter().try_for_each(|applied| to.graph(applied))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        let each = match &self.applied {
            Some(applied) => eval::cost(applied).max(1),
            None => u64::from(self.combine != Combine::Set),
        };
        each.saturating_mul(inputs[2].size().unwrap_or(0) as u64)
    }
}

fn scattered<T: Arithmetic>(
    values: &mut [T],
    new: &[T],
    windows: &Windows,
    combine: Combine,
    round: impl Fn(T) -> T,
) -> Step<()> {
    match combine {
        Combine::Set => fold(values, new, windows, |_, new| new),
        Combine::Add => fold(values, new, windows, |a, b| round(a.plus(b))),
        Combine::Sub => fold(values, new, windows, |a, b| round(a.minus(b))),
        Combine::Mul => fold(values, new, windows, |a, b| round(a.times(b))),
        Combine::Min => fold(values, new, windows, T::smaller),
        Combine::Max => fold(values, new, windows, T::larger),
    }
}

fn fold<T: Element>(values: &mut [T], new: &[T], windows: &Windows, combine: impl Fn(T, T) -> T) -> Step<()> {
    let run = windows.run;
    windows.each(|(at, from)| {
        let Some(at) = at else { return };
        for &(a, b) in &windows.runs {
            let old = &mut values[at + a..at + a + run];
            for (old, &new) in old.iter_mut().zip(&new[from + b..from + b + run]) {
                *old = combine(*old, new);
            }
        }
    })
}

impl Scatter {
    /// A scatter without promises, as rules build it.
    pub fn new(combine: Combine, dims: WindowDims, mode: Mode) -> Scatter {
        let (indices_are_sorted, unique_indices, reducer) = (false, false, OnceCell::new());
        Scatter { combine, dims, indices_are_sorted, unique_indices, mode, reducer, applied: None }
    }

    /// The size of a window along each axis of the operand.
    fn window(&self, operand: &[usize], updates: &[usize]) -> Sizes {
        let mut offset = self.dims.offset.iter();
        (0..operand.len())
            .map(|axis| if self.dims.drops(axis) { 1 } else { offset.next().map_or(1, |&d| updates[d as usize]) })
            .collect()
    }
}
