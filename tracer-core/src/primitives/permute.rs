//! Axes that change places or direction: `transpose`, `rev`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::reshape::inverse;
use super::rules::{self, Late, shifted, text, tuple_text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::layout::{Strides, row_major};
use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Axis `i` of the result is axis `permutation[i]` of the input.
#[derive(Clone, Debug)]
pub struct Transpose {
    /// The axes in their new order.
    pub permutation: Axes,
}

impl Transpose {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Transpose { permutation: params.axes("permutation")? }))
    }
}

impl Primitive for Transpose {
    fn name(&self) -> &'static str {
        "transpose"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("permutation", text(tuple_text(&self.permutation)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        let mut sorted = self.permutation.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..x.rank()) {
            return Err(Halt::type_error(format!(
                "transpose permutation isn't a permutation of operand dimensions, got permutation {} for operand shape {}.",
                tuple_text(&self.permutation),
                x.shape_tuple()
            )));
        }
        let shape = self.permutation.iter().map(|&i| x.shape[i]).collect();
        Ok(smallvec![Aval { shape, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(smallvec![inputs[0].permute(&self.permutation)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| build::transpose(cx, ct, &inverse(&self.permutation)))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let permutation: Axes = std::iter::once(dim).chain(self.permutation.iter().map(|&i| shifted(i, dim))).collect();
        Ok(rules::batched(build::transpose(cx, &inputs[0], &permutation)?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// Some axes in reverse.
#[derive(Clone, Debug)]
pub struct Rev {
    /// The axes to reverse.
    pub axes: Axes,
}

impl Rev {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Rev { axes: params.axes("dimensions")? }))
    }
}

impl Primitive for Rev {
    fn name(&self) -> &'static str {
        "rev"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimensions", text(tuple_text(&self.axes)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (x, axes) = (inputs[0], Late(|| tuple_text(&self.axes)));
        if (1..self.axes.len()).any(|i| self.axes[..i].contains(&self.axes[i])) {
            return Err(Halt::type_error(format!("rev dimensions must be unique, got {axes}.")));
        }
        if self.axes.iter().any(|&axis| axis >= x.rank()) {
            return Err(Halt::type_error(format!(
                "rev dimensions must all be less than operand ndim, got dimensions {axes} for operand ndim {}.",
                x.rank()
            )));
        }
        Ok(smallvec![x.clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        if x.is_empty() {
            return Ok(smallvec![x.clone()]);
        }
        let own = row_major(&x.shape);
        let offset = self.axes.iter().map(|&a| own[a] * (x.shape[a] as isize - 1)).sum();
        let strides: Strides =
            own.iter().enumerate().map(|(a, &s)| if self.axes.contains(&a) { -s } else { s }).collect();
        Ok(smallvec![x.restride(&x.shape, &strides, offset)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| build::rev(cx, ct, &self.axes))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let axes: Axes = self.axes.iter().map(|&a| shifted(a, dim)).collect();
        Ok(rules::batched(build::rev(cx, &inputs[0], &axes)?, dim))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
