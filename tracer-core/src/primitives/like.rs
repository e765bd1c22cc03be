//! Arrays that were made in the likeness of others: they count as varying along the axes of a mesh along which those do.

use smallvec::SmallVec;

use super::{Avals, Dims, Primitive, Tangents};
use crate::array::{Aval, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// The first input passed on, as an array that depends on the second one. JAX tells that by the types of arrays alone.
#[derive(Clone, Debug)]
pub struct Like;

impl Primitive for Like {
    fn name(&self) -> &'static str {
        "like"
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(inputs.iter().take(1).map(|a| (*a).clone()).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(inputs.iter().take(1).cloned().collect())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Ok((cx.bind(std::rc::Rc::new(Like), x)?, t.iter().take(1).cloned().collect()))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok((cx.bind(std::rc::Rc::new(Like), inputs)?, dims.iter().take(1).copied().collect()))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
