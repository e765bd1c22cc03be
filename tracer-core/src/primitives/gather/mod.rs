//! `gather`: windows of an array, at positions given by an array of indices.

mod shape;

use std::ops::Range;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::arithmetic::each_type;
use super::indexing::{Ints, Mode, WindowDims, check_index_dtype, words};
use super::places::Windows;
use super::scatter::{Combine, Scatter};
use super::{Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Tangents, build, repr, rules};
use crate::array::convert::int_range;
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, DType, Dim, Kind, Number, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

const FIELDS: [&str; 5] =
    ["offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "start_indices_batching_dims"];

/// `gather`
#[derive(Clone, Debug)]
pub struct Gather {
    /// Which axis is what.
    pub dims: WindowDims,
    /// The size of a window along each axis of the operand.
    pub slice_sizes: Shape,
    /// A promise about the indices.
    pub indices_are_sorted: bool,
    /// A promise about the indices.
    pub unique_indices: bool,
    /// What happens to windows that stick out.
    pub mode: Mode,
    /// What they are filled with.
    pub fill_value: ParamValue,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(Gather {
        dims: WindowDims::from_params(params)?,
        slice_sizes: params.shape("slice_sizes")?,
        indices_are_sorted: params.flag("indices_are_sorted")?,
        unique_indices: params.flag("unique_indices")?,
        mode: Mode::from_params(params)?,
        fill_value: params.get("fill_value").cloned().unwrap_or(ParamValue::None),
    }))
}

impl Primitive for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension_numbers", Param::Text(self.dims.show("GatherDimensionNumbers", FIELDS))),
            ("fill_value", Param::Text(repr::value(&self.fill_value))),
            ("indices_are_sorted", Param::Text(repr::flag(self.indices_are_sorted).into())),
            ("mode", Param::Text(self.mode.show().into())),
            ("slice_sizes", Param::Text(repr::tuple(&self.slice_sizes))),
            ("unique_indices", Param::Text(repr::flag(self.unique_indices).into())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operand, indices) = (inputs[0], inputs[1]);
        let shape = self.shape(operand, indices)?;
        check_index_dtype(indices)?;
        Ok(smallvec![Aval { dtype: operand.dtype, shape, weak: operand.weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [operand, indices] = inputs else { unreachable!("gather has two inputs") };
        let shape = &self.abstract_eval(&[&operand.aval(), &indices.aval()])?[0].known_shape();
        let shape: Sizes = shape.clone().ok_or_else(|| Halt::unknown("the size of an axis is symbolic"))?;
        let fill = self.mode == Mode::FillOrDrop;
        if self.mode == Mode::OneHot {
            return Err(Halt::unknown("no evaluation of gathers as one-hot products"));
        }
        let window: Sizes = self.slice_sizes.iter().map(|d| d.get()).collect::<Step<_>>()?;
        // As JAX does: the indices are compared as 32-bit integers.
        let narrow = fill && operand.shape.iter().all(|&size| i32::try_from(size).is_ok());
        let windows = Windows::new(&self.dims, (operand, indices), &window, &shape, !fill, narrow);
        let size = shape.iter().product::<usize>() * words(operand.dtype);
        let data = each_type!(operand, T => {
            let fill = Tensor::scalar_of(operand.dtype, fill_value(operand.dtype, &self.fill_value)?);
            let fill = fill.expect::<T>()?.first().copied().unwrap_or_default();
            let values = operand.view::<T>().unwrap_or_default();
            Ok(if size == 0 { T::wrap(Vec::new()) } else { T::wrap(gathered(values, &windows, fill, size)?) })
        })?;
        Ok(smallvec![Tensor { dtype: operand.dtype, shape, data }])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind(Rc::new(self.clone()), primals)?;
        let tangent = match &tangents[0] {
            Some(tangent) => Some(cx.bind1(self.zero_filled(), &[tangent.clone(), primals[1].clone()])?),
            None => None,
        };
        Ok((out, smallvec![tangent]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let (Some(cotangent), Operand::Linear(aval), Operand::Known(indices)) =
            (&cotangents[0], &inputs[0], &inputs[1])
        else {
            return Ok(smallvec![None, None]);
        };
        let zeros = build::full(cx, cotangent.aval.dtype, &aval.shape, 0i64)?;
        let scatter = Scatter {
            indices_are_sorted: self.indices_are_sorted,
            unique_indices: self.unique_indices,
            ..Scatter::new(Combine::Add, self.dims.clone(), self.mode)
        };
        Ok(smallvec![Some(cx.bind1(scatter, &[zeros, indices.clone(), cotangent.clone()])?), None])
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let mut gather = self.clone();
        let front = |i: usize| rules::at_front(cx, &inputs[i], dims[i], Dim::from(1usize));
        let (operand, indices) = match (dims[0], dims[1]) {
            (Some(_), None) => {
                let operand = front(0)?;
                gather.dims = self.dims.with_window_axis();
                gather.slice_sizes.insert(0, operand.aval.shape[0]);
                (operand, inputs[1].clone())
            }
            (None, Some(_)) => {
                gather.dims = self.dims.with_indices_axis();
                gather.unique_indices = false;
                gather.indices_are_sorted = false;
                (inputs[0].clone(), front(1)?)
            }
            _ => {
                let operand = front(0)?;
                gather.dims = self.dims.batched();
                let none = operand.aval.shape[0] == 0;
                gather.slice_sizes.insert(0, usize::from(!none).into());
                (operand, front(1)?)
            }
        };
        Ok(rules::batched(cx.bind1(gather, &[operand, indices])?, 0))
    }

    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        0
    }
}

fn gathered<T: Element>(values: &[T], windows: &Windows, fill: T, size: usize) -> Step<Vec<T>> {
    let run = windows.run;
    if values.is_empty() {
        return Ok(jitlens_kernels::vector::full(fill, size));
    }
    // Places outside of the table are filled, odd indices have been refused before.
    if windows.are_rows() && windows.count * run == size {
        windows.places(0..0)?;
        let starts = |some: Range<usize>| windows.places(some).into_iter().flatten().map(|(from, _)| from).collect();
        return Ok(jitlens_kernels::copy::rows(values, run, starts, windows.count, fill));
    }
    let mut out = jitlens_kernels::vector::full(fill, size);
    windows.each(|(from, to)| {
        let Some(from) = from else { return };
        for &(a, b) in &windows.runs {
            out[to + b..to + b + run].copy_from_slice(&values[from + a..from + a + run]);
        }
    })?;
    Ok(out)
}

/// What windows that stick out are filled with: by default NaN, the smallest signed and the largest unsigned number.
fn fill_value(dtype: DType, value: &ParamValue) -> Step<Number> {
    Ok(match (value, dtype.kind()) {
        (ParamValue::None, Kind::Signed) => Number::Int(int_range(dtype).0),
        (ParamValue::None, Kind::Unsigned | Kind::Bool) => Number::Int(int_range(dtype).1),
        (ParamValue::None, Kind::Key) => Number::Int(u32::MAX.into()),
        (ParamValue::None, _) => Number::Float(f64::NAN),
        (ParamValue::Float(x), _) => Number::Float(*x),
        (value, _) => value.as_int().map(Number::from).ok_or_else(|| Halt::unknown("an odd fill value"))?,
    })
}

impl Gather {
    /// A gather without promises, as rules build it.
    pub fn new(dims: WindowDims, slice_sizes: Shape, mode: Mode) -> Gather {
        let (indices_are_sorted, unique_indices) = (false, false);
        Gather { dims, slice_sizes, indices_are_sorted, unique_indices, mode, fill_value: ParamValue::None }
    }

    /// The same with zeros for windows that stick out: what is linear in the operand.
    #[must_use]
    pub fn zero_filled(&self) -> Gather {
        let fill_value = if self.mode == Mode::FillOrDrop { ParamValue::Int(0) } else { ParamValue::None };
        Gather { fill_value, ..self.clone() }
    }
}

/// Whether a window of this size fits an axis.
pub(super) fn fits(window: Dim, size: Dim) -> Step<bool> {
    size.at_least(window)
        .ok_or_else(|| Halt::unknown(format!("whether `{window}` elements fit `{size}` depends on symbols")))
}

/// The sizes of these axes, already in range.
pub(super) fn pick(shape: &[Dim], axes: &Ints) -> Vec<Dim> {
    axes.iter().map(|&axis| shape[axis as usize]).collect()
}
