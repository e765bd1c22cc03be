//! Shapes that change without moving elements: `reshape`, `squeeze`.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, Late, sizes, text, tuple_text};
use super::{Avals, Axes, ByElement, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::{Aval, Dim, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// The elements in the same order under another shape.
#[derive(Clone, Debug)]
pub struct Reshape {
    /// The new shape.
    pub shape: Shape,
    /// The axes are permuted to this order first.
    pub dimensions: Option<Axes>,
}

impl Reshape {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        if let Some(sizes) = params.get("new_sizes").and_then(|v| v.as_tuple()) {
            if sizes.iter().any(|v| v.as_int().is_some_and(|n| n < 0)) {
                let shape = tuple_text(sizes.iter().map(|v| v.as_int().unwrap_or(0)));
                return Err(Halt::type_error(format!("reshape new_sizes must all be positive, got {shape}.")));
            }
        }
        let dimensions = params.get("dimensions").map(|_| params.axes("dimensions")).transpose()?;
        Ok(Rc::new(Reshape { shape: params.shape("new_sizes")?, dimensions }))
    }
}

/// The same elements.
fn same() -> ByElement {
    Arc::new(|inputs| inputs.first().cloned())
}

impl Primitive for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let dimensions = self.dimensions.as_ref().map_or("None".into(), tuple_text);
        vec![
            ("dimensions", text(dimensions)),
            ("new_sizes", text(shape_tuple(&self.shape))),
            ("sharding", text("None")),
        ]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if let Some(dimensions) = &self.dimensions {
            let mut sorted = dimensions.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..x.rank()) {
                return Err(Halt::type_error(format!(
                    "reshape dimensions must be a permutation of operand dimensions, got dimensions {} for shape {}.",
                    tuple_text(dimensions),
                    x.shape_tuple()
                )));
            }
        }
        // A wrong size is not noticed here: JAX learns of it from the compiler.
        Ok(smallvec![Aval { shape: self.shape.clone(), ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = sizes(&self.shape)?;
        if shape.iter().product::<usize>() != inputs[0].len() {
            return Err(Halt::unknown("a reshape to another size"));
        }
        let moved = self.dimensions.as_ref().map(|order| inputs[0].permute(order));
        Ok(smallvec![moved.as_ref().unwrap_or(&inputs[0]).reshaped(shape)])
    }
    fn by_element(&self) -> Option<ByElement> {
        // The order of the elements stays.
        self.dimensions.is_none().then(same)
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, aval| match &self.dimensions {
            None => build::reshape(cx, ct, &aval.shape),
            Some(order) => {
                let shape: Shape = order.iter().map(|&i| aval.shape[i]).collect();
                build::transpose(cx, &build::reshape(cx, ct, &shape)?, &inverse(order))
            }
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let x = rules::move_to_front(cx, &inputs[0], rules::only_dim(dims)?)?;
        let shape: Shape = std::iter::once(x.aval.shape[0]).chain(self.shape.iter().copied()).collect();
        let Some(order) = &self.dimensions else {
            return Ok(rules::batched(build::reshape(cx, &x, &shape)?, 0));
        };
        let dimensions = Some(std::iter::once(0).chain(order.iter().map(|i| i + 1)).collect());
        Ok(rules::batched(cx.bind1(Reshape { shape, dimensions }, &[x])?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// The permutation that undoes this one.
pub fn inverse(permutation: &[usize]) -> Axes {
    let mut inverse: Axes = permutation.into();
    for (i, &axis) in permutation.iter().enumerate() {
        inverse[axis] = i;
    }
    inverse
}

/// Drops axes of size 1.
#[derive(Clone, Debug)]
pub struct Squeeze {
    /// The axes to drop.
    pub axes: Axes,
}

impl Squeeze {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Squeeze { axes: params.axes("dimensions")? }))
    }
}

impl Primitive for Squeeze {
    fn name(&self) -> &'static str {
        "squeeze"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimensions", text(tuple_text(&self.axes)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (x, axes) = (inputs[0], Late(|| tuple_text(&self.axes)));
        if (1..self.axes.len()).any(|i| self.axes[..i].contains(&self.axes[i])) {
            return Err(Halt::value_error(format!("dimensions are not unique: {axes}")));
        }
        if self.axes.iter().any(|&axis| axis >= x.rank()) {
            return Err(Halt::value_error(format!("dimensions outside range [0, ndim): {axes}")));
        }
        for &axis in &self.axes {
            if !x.shape[axis].same(Dim::from(1usize))? {
                return Err(Halt::value_error(format!(
                    "cannot select an axis to squeeze out which has size not equal to one, got shape={} and dimensions={axes}",
                    x.shape_tuple()
                )));
            }
        }
        let shape = (0..x.rank()).filter(|i| !self.axes.contains(i)).map(|i| x.shape[i]).collect();
        Ok(smallvec![Aval { shape, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape: Axes =
            (0..inputs[0].shape.len()).filter(|i| !self.axes.contains(i)).map(|i| inputs[0].shape[i]).collect();
        Ok(smallvec![inputs[0].reshaped(shape)])
    }
    fn by_element(&self) -> Option<ByElement> {
        Some(same())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| build::expand_dims(cx, ct, &self.axes))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let x = rules::move_to_front(cx, &inputs[0], rules::only_dim(dims)?)?;
        let axes: Axes = self.axes.iter().map(|a| a + 1).collect();
        Ok(rules::batched(build::squeeze(cx, &x, &axes)?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
