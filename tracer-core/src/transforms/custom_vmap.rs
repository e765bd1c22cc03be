//! `custom_vmap`: a function with a batching rule of the program's.

use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::eval_closed;
use super::jit::Jit;
use super::{eval, moveaxis};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Param, Primitive, Tangents};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, Effects, Engine, Jaxpr, TraceRef, Val, Vals};

/// The rule: the size of the axis, which arguments have it (in front), and the arguments; gives results and which have it.
pub type VmapRule = Rc<dyn Fn(&Engine, usize, &[bool], &[Val]) -> Step<(Vec<Val>, Vec<bool>)>>;

/// A call of such a function.
#[derive(Clone)]
pub struct CustomVmap {
    /// The function as a graph.
    pub graph: ClosedJaxpr,
    /// How many of its inputs are captured constants.
    pub consts: usize,
    /// The rule.
    pub rule: VmapRule,
}

impl fmt::Debug for CustomVmap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("custom_vmap_call")
    }
}

impl Primitive for CustomVmap {
    fn lasts(&self) -> bool {
        false
    }
    fn calls_rules(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "custom_vmap_call"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("call", Param::Graph(self.graph.jaxpr.clone()))]
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.graph.out_avals().into_iter().collect())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        Some(eval_closed(cx, &self.graph, inputs).map(SmallVec::from_vec))
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::eval_tensors(cx, &self.graph, inputs).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Jit::closed_call(self.graph.clone()).jvp(cx, primals, tangents)
    }
    fn linearize(&self, _: &Engine, _: &TraceRef, _: &[Val], _: &[Option<Val>]) -> Option<Step<(Vals, Tangents)>> {
        Some(Err(Halt::value_error(
            "Linearization failed to produce known values for all output primals. This is typically caused by attempting to \
             differentiate a function uses an operation that does not support reverse-mode autodiff.",
        )))
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if dims[..self.consts].iter().any(Option::is_some) {
            return Err(Halt::unknown("a captured array with the axis of a custom_vmap function"));
        }
        let mut args = Vec::with_capacity(inputs.len());
        for (value, dim) in inputs.iter().zip(dims).skip(self.consts) {
            args.push(match dim {
                None | Some(0) => value.clone(),
                Some(from) => moveaxis(cx, value, *from, 0)?,
            });
        }
        let batched: Vec<bool> = dims[self.consts..].iter().map(Option::is_some).collect();
        let (results, has) = (self.rule)(cx, axis.size.get()?, &batched, &args)?;
        Ok((results.into_iter().collect(), has.into_iter().map(|b| b.then_some(0)).collect()))
    }
    fn effects(&self) -> Effects {
        self.graph.jaxpr.effects
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.graph.jaxpr.clone(), 1)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.graph)
    }
}
