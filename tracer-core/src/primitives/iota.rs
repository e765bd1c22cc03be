//! Arrays from nothing: `iota`, `empty`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, sizes, text};
use super::{Avals, Dims, Param, Params, Primitive, Tangents};
use crate::array::layout::row_major;
use crate::array::{Aval, DType, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// 0, 1, 2 … along an axis.
#[derive(Clone, Debug)]
pub struct Iota {
    /// The element type.
    pub dtype: DType,
    /// The shape.
    pub shape: Shape,
    /// The axis along which it counts.
    pub axis: usize,
}

impl Iota {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let shape = params.shape("shape")?;
        let axis = params.int("dimension")?;
        let dtype = params.dtype("dtype")?;
        check(dtype, &shape, axis)?;
        Ok(Rc::new(Iota { dtype, shape, axis: axis as usize }))
    }
}

fn check(dtype: DType, shape: &Shape, axis: i64) -> Step<()> {
    if !(dtype.is_integer() || dtype.is_inexact()) {
        return Err(Halt::type_error(format!(
            "iota does not accept dtype {dtype}. Accepted dtypes are subtypes of integer, floating, complexfloating."
        )));
    }
    if axis < 0 || axis as usize >= shape.len() {
        let shape = shape_tuple(shape);
        return Err(Halt::value_error(format!(
            "iota dimension must be between 0 and len(shape), got dimension={axis} for shape={shape}"
        )));
    }
    Ok(())
}

impl Primitive for Iota {
    fn name(&self) -> &'static str {
        "iota"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension", text(self.axis.to_string())),
            ("dtype", text(self.dtype.name())),
            ("shape", text(shape_tuple(&self.shape))),
            ("sharding", text("None")),
        ]
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        check(self.dtype, &self.shape, self.axis as i64)?;
        Ok(smallvec![Aval::with_shape(self.dtype, self.shape.clone())])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = sizes(&self.shape)?;
        // Integers of 64 bits, rounded or wrapped.
        let count = shape[self.axis];
        let line = Tensor::with_data(self.dtype, &[count][..], crate::array::convert::counted(self.dtype, count));
        if shape.len() == 1 {
            return Ok(smallvec![line]);
        }
        let mut strides = row_major(&shape);
        strides.iter_mut().enumerate().for_each(|(axis, step)| *step = isize::from(axis == self.axis));
        Ok(smallvec![line.restride(&shape, &strides, 0)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
}

/// An array whose elements are not defined; zeros here.
#[derive(Clone, Debug)]
pub struct Empty {
    /// The element type.
    pub dtype: DType,
    /// The shape.
    pub shape: Shape,
}

impl Empty {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Empty { dtype: params.dtype("dtype")?, shape: params.shape("shape")? }))
    }
}

impl Primitive for Empty {
    fn name(&self) -> &'static str {
        "empty"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dtype", text(self.dtype.name())),
            ("out_sharding", text("None")),
            ("shape", text(shape_tuple(&self.shape))),
        ]
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![Aval::with_shape(self.dtype, self.shape.clone())])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(smallvec![Tensor::zeros(self.dtype, sizes(&self.shape)?)])
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], _dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok((cx.bind(Rc::new(self.clone()), inputs)?, smallvec![None]))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
