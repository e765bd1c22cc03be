//! Shapes that grow: `broadcast_in_dim`, `tile`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, Late, sizes, text, tuple_text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::{Aval, Dim, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Input axis `i` becomes axis `axes[i]` of the result; axes of size 1 and new axes are repeated.
#[derive(Clone, Debug)]
pub struct BroadcastInDim {
    /// The shape of the result.
    pub shape: Shape,
    /// The axes of the result that the input's become.
    pub axes: Axes,
}

impl BroadcastInDim {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(BroadcastInDim { shape: params.shape("shape")?, axes: params.axes("broadcast_dimensions")? }))
    }
}

impl Primitive for BroadcastInDim {
    fn name(&self) -> &'static str {
        "broadcast_in_dim"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        // The shape is seen in the type of the result.
        if self.axes.is_empty() { Vec::new() } else { vec![("broadcast_dimensions", text(tuple_text(&self.axes)))] }
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let [x] = inputs else { return Err(Halt::unknown("broadcast_in_dim takes one array")) };
        let (axes, shape) = (Late(|| tuple_text(&self.axes)), Late(|| shape_tuple(&self.shape)));
        let rank = x.rank();
        if rank != self.axes.len() {
            return Err(Halt::type_error(format!(
                "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got broadcast_dimensions {axes} \
                 for operand ndim {rank}."
            )));
        }
        if self.shape.len() < rank {
            return Err(Halt::type_error(format!(
                "broadcast_in_dim target broadcast shape must have equal or higher rank to the operand shape; got operand ndim \
                 {rank} and target broadcast ndim {}.",
                self.shape.len()
            )));
        }
        if self.axes.iter().any(|&axis| axis >= self.shape.len()) {
            return Err(Halt::type_error(format!(
                "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got {axes} for operand ndim \
                 {rank} and shape {shape}."
            )));
        }
        for (i, &axis) in self.axes.iter().enumerate() {
            let (from, to) = (x.shape[i], self.shape[axis]);
            if from == to || from == 1 {
                continue;
            }
            if from.equal(to) == Some(false) && from.equal(Dim::from(1usize)).is_some() {
                return Err(Halt::type_error(format!(
                    "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions \
                     in the target broadcast shape; got operand of shape {}, target broadcast shape {shape}, \
                     broadcast_dimensions {axes} ",
                    x.shape_tuple()
                )));
            }
            from.same(to)?;
        }
        if (1..self.axes.len()).any(|i| self.axes[..i].contains(&self.axes[i])) {
            return Err(Halt::type_error(format!(
                "broadcast_in_dim broadcast_dimensions must not contain duplicates, got broadcast_dimensions {axes}"
            )));
        }
        Ok(smallvec![Aval { shape: self.shape.clone(), ..(*x).clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(smallvec![inputs[0].broadcast_in_dim(&sizes(&self.shape)?, &self.axes)])
    }
    fn forwards(&self, inputs: &[&Aval], _outputs: &[Aval]) -> Option<usize> {
        (inputs[0].shape == self.shape).then_some(0)
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, aval| {
            let units: Axes = (0..aval.rank()).filter(|&i| aval.shape[i] == 1).collect();
            let kept: Axes = (0..aval.rank()).filter(|i| !units.contains(i)).map(|i| self.axes[i]).collect();
            let summed: Axes = (0..self.shape.len()).filter(|i| !kept.contains(i)).collect();
            let sum = build::reduce_sum(cx, ct, &summed)?;
            build::expand_dims(cx, &sum, &units)
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let x = rules::move_to_front(cx, &inputs[0], dim)?;
        let shape: Shape = std::iter::once(inputs[0].aval.shape[dim]).chain(self.shape.iter().copied()).collect();
        let axes: Axes = std::iter::once(0).chain(self.axes.iter().map(|a| a + 1)).collect();
        Ok(rules::batched(build::broadcast_in_dim(cx, &x, &shape, &axes)?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// The array repeated `reps[i]` times along axis `i`.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Repetitions of each axis.
    pub reps: Axes,
}

impl Tile {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Tile { reps: params.axes("reps")? }))
    }
}

impl Primitive for Tile {
    fn name(&self) -> &'static str {
        "tile"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("reps", text(tuple_text(&self.reps)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if x.rank() != self.reps.len() {
            return Err(Halt::type_error(format!(
                "reps length must be equal to the ndim of x, got len(reps)={} and x.ndim={}.",
                self.reps.len(),
                x.rank()
            )));
        }
        let shape = x.shape.iter().zip(&self.reps).map(|(&d, &n)| d * n).collect();
        Ok(smallvec![Aval { shape, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let apart: Axes = x.shape.iter().flat_map(|&n| [1, n]).collect();
        let repeated: Axes = x.shape.iter().zip(&self.reps).flat_map(|(&n, &r)| [r, n]).collect();
        let whole: Axes = x.shape.iter().zip(&self.reps).map(|(&n, &r)| n * r).collect();
        Ok(smallvec![x.reshaped(apart).broadcast_to(&repeated).reshaped(whole)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, aval| {
            let apart: Shape = aval.shape.iter().zip(&self.reps).flat_map(|(&d, &r)| [Dim::from(r), d]).collect();
            let axes: Axes = (0..aval.rank()).map(|i| 2 * i).collect();
            build::reduce_sum(cx, &build::reshape(cx, ct, &apart)?, &axes)
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let mut reps = self.reps.clone();
        reps.insert(dim.min(reps.len()), 1);
        Ok(rules::batched(cx.bind1(Tile { reps }, inputs)?, dim))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
