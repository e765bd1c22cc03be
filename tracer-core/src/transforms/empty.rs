//! `empty2`: a scalar of undefined value, which stands in for residuals of branches that are not taken.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::array::number::{Number, fill};
use crate::array::tensor::Sizes;
use crate::array::{Aval, DType, Tensor};
use crate::primitives::{Avals, Param, Params, Primitive};
use crate::python::Step;

/// A scalar of undefined value.
#[derive(Debug)]
pub struct Empty {
    /// Its type.
    pub dtype: DType,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(Empty { dtype: params.dtype("dtype")? }))
}

impl Primitive for Empty {
    fn name(&self) -> &'static str {
        "empty2"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dtype", Param::Text(self.dtype.to_string())), ("memory_space", Param::Text("MemorySpace.Device".into()))]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(SmallVec::from_elem(Aval::new(self.dtype, []), 1))
    }
    fn eval(&self, _: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(SmallVec::from_elem(fill(self.dtype, Sizes::new(), 1, Number::Int(0)), 1))
    }
}
