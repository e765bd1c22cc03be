//! `dim_as_value`: a symbolic size as a number.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Avals, Param, Params, Primitive, Tangents, rules};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// The number that a size stands for. `i32~[]`.
#[derive(Clone, Debug)]
pub struct DimAsValue {
    /// The size.
    pub dim: Dim,
}

impl DimAsValue {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(DimAsValue { dim: params.dim("dim")? }))
    }
}

impl Primitive for DimAsValue {
    fn name(&self) -> &'static str {
        "dim_as_value"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dim", rules::text(self.dim.to_string()))]
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![Aval::scalar(DType::I32, true)])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let sizes = rules::sizes(&[self.dim])?;
        Ok(smallvec![Tensor::scalar(sizes[0] as i32)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
}
