//! `reduce_window_sum`, `reduce_window_max`, `reduce_window_min`: what pooling is made of.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::arithmetic::{Arithmetic, each_type, rounded};
use super::select_window::SelectWindow;
use super::window::{Padding, Window, Windowed, dilated};
use super::{
    Avals, Cumulative, Dims, Operand, Param, Params, Primitive, Tangents, build, cumulative, reduce, rules, short,
};
use crate::array::tensor::{Element, Sizes};
use crate::array::{Aval, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// How the elements of a window become one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Fold {
    Sum,
    Max,
    Min,
}

/// `reduce_window_sum`, `reduce_window_max`, `reduce_window_min`
#[derive(Clone, Debug)]
pub struct ReduceWindow {
    /// Which of them.
    pub fold: Fold,
    /// The window.
    pub window: Window,
}

impl ReduceWindow {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let fold = match params.primitive {
            "reduce_window_sum" => Fold::Sum,
            "reduce_window_max" => Fold::Max,
            _ => Fold::Min,
        };
        Ok(Rc::new(ReduceWindow { fold, window: Window::from_params(params)? }))
    }
}

impl Primitive for ReduceWindow {
    fn name(&self) -> &'static str {
        match self.fold {
            Fold::Sum => "reduce_window_sum",
            Fold::Max => "reduce_window_max",
            Fold::Min => "reduce_window_min",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        self.window.params().into()
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let operand = inputs[0];
        if self.fold == Fold::Sum && !operand.dtype.is_integer() && !operand.dtype.is_inexact() {
            return Err(Halt::type_error(format!(
                "operand to reduce_window_sum must have a number dtype, got {}",
                operand.dtype
            )));
        }
        Ok(smallvec![Aval { shape: self.window.shape(operand)?, ..operand.clone() }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let operand = &inputs[0];
        let out = self.abstract_eval(&[&operand.aval()])?.swap_remove(0);
        let shape = rules::sizes(&out.shape)?;
        if let Some(result) = self.besides(operand, &shape)? {
            return Ok(smallvec![result]);
        }
        if operand.dtype.lacks_zero() {
            return Ok(smallvec![Tensor::full(operand.dtype, shape, f64::NAN)]);
        }
        if self.fold == Fold::Sum && short::is_short(operand.dtype) {
            let values = short::widened(operand).ok_or_else(|| Halt::unknown("no short float"))?;
            let round = short::rounding(operand.dtype);
            let sums = self.window.windows(&operand.shape, &shape).fold(&values, 0.0, |a: f32, b| round(a + b));
            return Ok(smallvec![Tensor::with_data(out.dtype, shape, short::narrowed(sums, operand.dtype))]);
        }
        let data = each_type!(operand, T => {
            let values = operand.expect::<T>()?;
            let windows = self.window.windows(&operand.shape, &shape);
            let out = match self.fold {
                Fold::Sum => windows.fold(values, T::ZERO, T::plus),
                Fold::Max => windows.fold(values, T::LOWEST, T::larger),
                Fold::Min => windows.fold(values, T::HIGHEST, T::smaller),
            };
            Ok(T::wrap(out))
        })?;
        Ok(smallvec![rounded(Tensor { dtype: out.dtype, shape, data })])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        if self.fold == Fold::Sum {
            return rules::linear_jvp(cx, self, primals, tangents);
        }
        let out = cx.bind(Rc::new(self.clone()), primals)?;
        let Some(tangent) = &tangents[0] else { return Ok((out, smallvec![None])) };
        let select = SelectWindow { gather: true, largest: self.fold == Fold::Max, window: self.window.clone() };
        let tangent = cx.bind1(select, &[tangent.clone(), primals[0].clone()])?;
        Ok((out, smallvec![Some(tangent)]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        if self.fold != Fold::Sum {
            return Err(Halt::unknown(format!("no transpose rule of `{}`", self.name())));
        }
        rules::transpose_one(cotangents, inputs, |ct, aval| self.spread(cx, ct, aval))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let batched = ReduceWindow { fold: self.fold, window: self.window.with_axis(dim) };
        Ok(rules::batched(cx.bind1(batched, inputs)?, dim))
    }

    fn cost(&self, _: &[&Aval], outputs: &[Aval]) -> u64 {
        (outputs[0].size().unwrap_or(0) as u64).saturating_mul(self.window.size())
    }
}

impl ReduceWindow {
    /// The result as that of a reduction or a running one, where the windows are that.
    fn besides(&self, operand: &Tensor, shape: &Sizes) -> Step<Option<Tensor>> {
        match self.window.kind(&operand.shape) {
            Windowed::Whole(axes) => {
                let kind = match self.fold {
                    Fold::Sum => reduce::Kind::Sum,
                    Fold::Max => reduce::Kind::Max,
                    Fold::Min => reduce::Kind::Min,
                };
                Ok(Some(reduce::evaluate(kind, operand, &axes)?.swap_remove(0).reshaped(shape.clone())))
            }
            Windowed::Running { axis, reverse } if operand.dtype.is_integer() || operand.dtype.is_float() => {
                let kind = match self.fold {
                    Fold::Sum => cumulative::Kind::Sum,
                    Fold::Max => cumulative::Kind::Max,
                    Fold::Min => cumulative::Kind::Min,
                };
                let running = Cumulative { kind, axis: axis as i64, reverse, one_by_one: false };
                Ok(Some(running.eval(std::slice::from_ref(operand))?.swap_remove(0)))
            }
            _ => Ok(None),
        }
    }

    /// The cotangent of the operand of a sum: the result's, each spread over its window.
    fn spread(&self, cx: &Engine, ct: &Val, aval: &Aval) -> Step<Val> {
        let Window { dimensions, strides, padding, base_dilation, window_dilation } = &self.window;
        let known = |size: Dim| size.get().map(|n| n as i64);
        let mut config = Vec::new();
        for i in 0..aval.rank() {
            let image = known(dilated(aval.shape[i], base_dilation[i]))?;
            let window = known(dilated(Dim::from(dimensions[i]), window_dilation[i]))?;
            let result = known(dilated(ct.aval.shape[i], strides[i]))?;
            let before = window - padding[i].0 - 1;
            config.push((before, image + window - 1 - result - before, strides[i] - 1));
        }
        let padded = build::pad(cx, ct, &build::unit_like(cx, &ct.aval, 0i64), &config)?;
        let window = Window {
            dimensions: dimensions.clone(),
            strides: base_dilation.clone(),
            padding: Padding::from_iter(std::iter::repeat_n((0, 0), aval.rank())),
            base_dilation: std::iter::repeat_n(1, aval.rank()).collect(),
            window_dilation: window_dilation.clone(),
        };
        cx.bind1(ReduceWindow { fold: Fold::Sum, window }, &[padded])
    }
}
