//! `reduce_window` with a function of the program.

use std::rc::Rc;

use jitlens_kernels::tree;
use smallvec::SmallVec;

use super::reduce_generic::{joined, one};
use super::window::{Window, Windowed};
use super::{Avals, Dims, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Engine, Jaxpr, Val, Vals};
use crate::transforms::{calls, eval, graphs};

/// `reduce_window`: operands and as many initial values.
#[derive(Clone, Debug)]
pub struct ReduceWindowBy {
    /// The function of two tuples of scalars.
    pub graph: ClosedJaxpr,
    /// The window.
    pub window: Window,
}

impl ReduceWindowBy {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(ReduceWindowBy { graph: calls::graph(params, "jaxpr")?, window: Window::from_params(params)? }))
    }
}

impl ReduceWindowBy {
    /// The numbers of the results.
    fn results(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (operands, inits) = inputs.split_at(inputs.len() / 2);
        let sizes = &operands[0].shape;
        let shape = rules::sizes(&self.window.shape(&operands[0].aval())?)?;
        let mut step = |a: &Vec<Tensor>, b: &Vec<Tensor>| {
            eval::spend(cx, 1)?;
            let both: Vec<Tensor> = a.iter().chain(b).cloned().collect();
            eval::eval_tensors(cx, &self.graph, &both)
        };
        let here = |element: usize| operands.iter().map(|operand| one(operand, element)).collect();
        let count = sizes.iter().product();
        let inits = inits.to_vec();
        let sums = match self.window.kind(sizes) {
            Windowed::Whole(axes) if operands.len() == 1 => {
                let all: Vec<Vec<Tensor>> = (0..count).map(here).collect();
                tree::reduce(&all, sizes, &axes, &inits, step)?
            }
            Windowed::Running { axis, reverse } => {
                let mut all: Vec<Vec<Tensor>> = (0..count).map(here).collect();
                let inner: usize = sizes[axis + 1..].iter().product();
                let slab = inner * sizes[axis];
                for first in (0..count).filter(|at| at % slab.max(1) < inner) {
                    let places = (0..sizes[axis]).map(|i| first + i * inner);
                    let mut line: Vec<Vec<Tensor>> = places.clone().map(|at| all[at].clone()).collect();
                    tree::scan(&mut line, reverse, &inits, &mut step)?;
                    places.zip(line).for_each(|(at, value)| all[at] = value);
                }
                all
            }
            // One step for all positions at once would need the graph batched; one scalar at a time needs nothing.
            _ => {
                let mut sums: Vec<Vec<Tensor>> = vec![inits; shape.iter().product()];
                let block = self.window.block(sizes, &shape);
                let mut steps = Vec::new();
                self.window.visit(sizes, &shape, |position, element| steps.push((position, element)));
                // Padding is left out.
                for (position, element) in steps.into_iter().filter_map(|(position, at)| Some((position, at?))) {
                    for i in 0..block {
                        sums[position + i] = step(&sums[position + i], &here(element + i))?;
                    }
                }
                sums
            }
        };
        Ok(joined(operands, &shape, &sums))
    }
}

impl Primitive for ReduceWindowBy {
    fn name(&self) -> &'static str {
        "reduce_window"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut params: Vec<_> = self.window.params().into();
        let consts = if self.graph.consts.is_empty() { "()" } else { "(...)" };
        params.push(("consts", Param::Text(consts.into())));
        params.push(("jaxpr", Param::Graph(self.graph.jaxpr.clone())));
        params.sort_by_key(|(name, _)| *name);
        params
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.graph.jaxpr.clone(), 1)
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operands, inits) = inputs.split_at(inputs.len() / 2);
        if operands.iter().zip(inits).any(|(o, i)| o.dtype != i.dtype) {
            let dtypes = |avals: &[&Aval]| repr::list(avals.iter().map(|aval| format!("dtype('{}')", aval.dtype)));
            return Err(Halt::type_error(format!(
                "reduce_window got inconsistent dtypes for operands and init_values: got operand dtypes {} and init_value \
                 dtypes {}.",
                dtypes(operands),
                dtypes(inits)
            )));
        }
        if inits.iter().any(|init| init.rank() > 0) {
            return Err(Halt::type_error(format!(
                "reduce_window expected init_values to be scalars but init_values have shapes {}.",
                repr::list(inits.iter().map(|init| init.shape_tuple()))
            )));
        }
        let shape = self.window.shape(operands[0])?;
        Ok(operands.iter().map(|operand| Aval::with_shape(operand.dtype, shape.clone())).collect())
    }

    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        // Its steps are nothing that the program makes.
        let observed = cx.observed.replace(false);
        let results = self.results(cx, inputs);
        cx.observed.set(observed);
        results
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let n = primals.len() / 2;
        if tangents[n..].iter().any(Option::is_some) {
            return Err(Halt::type_error("reduce_window jvp does not support non-zero init_value_tangent."));
        }
        let dual = graphs::jvp_jaxpr(cx, &self.graph, &vec![true; 2 * n], &vec![true; n])?;
        // Operands and tangents side by side: the function takes (x, dx, y, dy) as (x, y, dx, dy).
        let order: Vec<usize> = [0..n, 2 * n..3 * n, n..2 * n, 3 * n..4 * n].into_iter().flatten().collect();
        let mut jaxpr = (*dual.jaxpr.jaxpr).clone();
        jaxpr.invars = order.iter().map(|&i| dual.jaxpr.jaxpr.invars[i]).collect();
        let graph = ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: dual.jaxpr.consts.clone() };
        let written = |i: usize| build::instantiate(cx, &tangents[i], &primals[i].aval);
        let mut inputs = primals[..n].to_vec();
        inputs.extend((0..n).map(written).collect::<Step<Vec<_>>>()?);
        inputs.extend_from_slice(&primals[n..]);
        inputs.extend((n..2 * n).map(written).collect::<Step<Vec<_>>>()?);
        let mut out = cx.bind(Rc::new(ReduceWindowBy { graph, window: self.window.clone() }), &inputs)?;
        let tangents = out.drain(n..).map(Some).collect();
        Ok((out, tangents))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let n = inputs.len() / 2;
        if dims[n..].iter().any(Option::is_some) {
            return Err(Halt::raise(
                "NotImplementedError",
                "reduce_window batching is not implemented for initial values",
            ));
        }
        let size = rules::batch_size(inputs, dims)?;
        let mut fronted = (0..n).map(|i| rules::at_front(cx, &inputs[i], dims[i], size)).collect::<Step<Vec<_>>>()?;
        fronted.extend_from_slice(&inputs[n..]);
        let batched = ReduceWindowBy { graph: self.graph.clone(), window: self.window.with_axis(0) };
        Ok((cx.bind(Rc::new(batched), &fronted)?, Dims::from_elem(Some(0), n)))
    }

    fn cost(&self, _: &[&Aval], outputs: &[Aval]) -> u64 {
        let each = self.window.size().saturating_mul(eval::cost(&self.graph).max(1));
        (outputs[0].size().unwrap_or(0) as u64).saturating_mul(each)
    }
}
