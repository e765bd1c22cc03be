//! `pallas_call`: a kernel that runs for each point of a grid on blocks of arrays.
//!
//! What it does stands as one graph: the rounds of the grid, which cut blocks out of the arrays, apply the kernel to what its references hold,
//! and put the blocks back that it has written.

use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{JvpJaxpr, Placement, batch_jaxpr, jvp_jaxpr};
use super::{calls, eval};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Param, Params, Primitive, Tangents};
use crate::python::Step;
use crate::trace::{Axis, ClosedJaxpr, Effects, Engine, Jaxpr, Val, Vals};

/// A kernel over a grid.
#[derive(Clone, Debug)]
pub struct PallasCall {
    /// All rounds of the grid.
    pub graph: ClosedJaxpr,
    /// The kernel's own graph: from its point of the grid, and what its references hold, to what the written ones hold afterwards.
    pub kernel: ClosedJaxpr,
    /// The grid and its blocks, as they print.
    pub grid_mapping: Rc<str>,
    /// Which inputs become which outputs, as it prints.
    pub aliases: Rc<str>,
    /// Whether it is interpreted, as it prints.
    pub interpret: Rc<str>,
    /// Its name, as it prints.
    pub name: Rc<str>,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(PallasCall {
        graph: calls::graph(params, "graph")?,
        kernel: calls::graph(params, "jaxpr")?,
        grid_mapping: params.text("grid_mapping")?,
        aliases: params.text("input_output_aliases")?,
        interpret: params.text("interpret")?,
        name: params.text("name")?,
    }))
}

impl PallasCall {
    /// The same call of another graph.
    fn of(&self, graph: ClosedJaxpr) -> Rc<dyn Primitive> {
        Rc::new(PallasCall { graph, ..self.clone() })
    }
}

impl Primitive for PallasCall {
    fn name(&self) -> &'static str {
        "pallas_call"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let text = |text: &str| Param::Text(text.to_owned());
        let avals: Vec<String> =
            self.graph.jaxpr.out_avals().map(|aval| format!("ShapedArray({})", aval.long())).collect();
        let comma = if avals.len() == 1 { "," } else { "" };
        vec![
            ("compiler_params", text("None")),
            ("cost_estimate", text("None")),
            ("debug", text("False")),
            ("grid_mapping", text(&self.grid_mapping)),
            ("input_output_aliases", text(&self.aliases)),
            ("interpret", text(&self.interpret)),
            ("jaxpr", Param::Graph(self.kernel.jaxpr.clone())),
            ("mesh", text("None")),
            ("metadata", text("None")),
            ("name", text(&self.name)),
            ("out_avals", Param::Text(format!("({}{comma})", avals.join(", ")))),
        ]
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.graph.jaxpr.clone(), 1)
    }

    fn effects(&self) -> Effects {
        self.graph.jaxpr.effects
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.graph.jaxpr.out_avals().cloned().collect())
    }

    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(eval::eval_tensors(cx, &self.graph, inputs)?.into_iter().collect())
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let none = vec![false; self.graph.jaxpr.outvars.len()];
        let JvpJaxpr { jaxpr, nonzero } = jvp_jaxpr(cx, &self.graph, &nonzero, &none)?;
        let inputs: Vec<Val> = primals.iter().chain(tangents.iter().flatten()).cloned().collect();
        let mut results = cx.bind(self.of(jaxpr), &inputs)?;
        let tangents = results.drain(nonzero.len()..).collect::<Vec<_>>();
        Ok((results, calls::spread(&nonzero, tangents)))
    }

    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let batched = batch_jaxpr(cx, &self.graph, axis, dims, Placement::Any)?;
        Ok((cx.bind(self.of(batched.jaxpr), inputs)?, batched.dims.into_iter().collect()))
    }

    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.graph)
    }
}
