//! `composite`: a call of a graph under a name that compilers know.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{calls, eval};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Param, Params, Primitive, Tangents};
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Digest, Engine, Jaxpr, Val, Vals};

/// A call of a graph under a name.
#[derive(Clone, Debug)]
pub struct Composite {
    /// What it is made of.
    pub graph: ClosedJaxpr,
    /// Its name.
    pub name: Rc<str>,
    /// Its version.
    pub version: i64,
    /// Its attributes, as they print.
    pub attributes: Rc<str>,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(Composite {
        graph: calls::graph(params, "jaxpr")?,
        name: params.text("name")?,
        version: params.int("version")?,
        attributes: params.text("attributes")?,
    }))
}

impl Primitive for Composite {
    fn name(&self) -> &'static str {
        "composite"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("attributes", Param::Text(self.attributes.to_string())),
            ("jaxpr", Param::Graph(self.graph.jaxpr.clone())),
            ("name", Param::Text(self.name.to_string())),
            ("version", Param::Text(self.version.to_string())),
        ]
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.graph.jaxpr.clone(), 1)
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.graph.jaxpr.out_avals().cloned().collect())
    }

    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(eval::eval_tensors(cx, &self.graph, inputs)?.into_iter().collect())
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(Halt::value_error(
            "JVP rule for composite not implemented. You can use `jax.custom_jvp` to add support. See \
             https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.html",
        ))
    }

    fn batch(&self, _: &Engine, _: &[Val], _: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Err(Halt::raise("NotImplementedError", "Batching rule for 'composite' not implemented"))
    }

    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.graph(&self.graph)
    }

    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.graph)
    }
}
