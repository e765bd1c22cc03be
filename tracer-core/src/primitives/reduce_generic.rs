//! `reduce` with a function of the program.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Avals, Axes, Dims, Param, Params, Primitive, repr, rules};
use crate::array::{Aval, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Engine, Jaxpr, Val, Vals};
use crate::transforms::{calls, eval};

/// `reduce`: operands and as many initial values.
#[derive(Clone, Debug)]
pub struct ReduceBy {
    /// The function of two scalars for each operand.
    pub graph: ClosedJaxpr,
    /// The axes, each once.
    pub axes: Axes,
    /// The function, as it prints.
    pub computation: Rc<str>,
}

impl ReduceBy {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let graph = calls::graph(params, "jaxpr")?;
        Ok(Rc::new(ReduceBy { graph, axes: params.axes("dimensions")?, computation: params.text("computation")? }))
    }

    /// The shape of an operand without the axes.
    fn shape(&self, operand: &Aval) -> Step<Shape> {
        if let Some(axis) = self.axes.iter().find(|axis| **axis >= operand.rank()) {
            let message = format!("index {axis} is out of bounds for axis 0 with size {}", operand.rank());
            return Err(Halt::raise("IndexError", message));
        }
        let kept = operand.shape.iter().enumerate().filter(|(i, _)| !self.axes.contains(i));
        Ok(kept.map(|(_, dim)| *dim).collect())
    }
}

impl Primitive for ReduceBy {
    fn name(&self) -> &'static str {
        "reduce"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("computation", Param::Text(self.computation.to_string())),
            ("dimensions", Param::Text(repr::tuple(&self.axes))),
            ("jaxpr", Param::Graph(self.graph.jaxpr.clone())),
        ]
    }

    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.graph.jaxpr.clone(), 1)
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operands, inits) = inputs.split_at(inputs.len() / 2);
        if inits.iter().any(|init| init.rank() > 0) {
            let shapes = repr::list(inits.iter().map(|init| init.shape_tuple()));
            return Err(Halt::value_error(format!("reduce found non-scalar initial value: {shapes}")));
        }
        if operands.iter().zip(inits).any(|(operand, init)| operand.dtype != init.dtype) {
            let shown = |avals: &[&Aval]| repr::list(avals.iter().map(|aval| aval.to_string()));
            return Err(Halt::type_error(format!(
                "reduce operand dtypes should match corresponding initial value dtypes, got operands={} and initial_values={}",
                shown(operands),
                shown(inits)
            )));
        }
        let one = |(operand, init): (&&Aval, &&Aval)| {
            Ok(Aval { weak: operand.weak && init.weak, ..Aval::with_shape(operand.dtype, self.shape(operand)?) })
        };
        operands.iter().zip(inits).map(one).collect()
    }

    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (operands, inits) = inputs.split_at(inputs.len() / 2);
        let sizes = &operands[0].shape;
        if operands.iter().any(|operand| operand.shape != *sizes) {
            return Err(Halt::unknown("`reduce` of operands of several shapes"));
        }
        let shape = rules::sizes(&self.shape(&operands[0].aval())?)?;
        let total: usize = shape.iter().product();
        let mut sums: Vec<Vec<Tensor>> = vec![inits.to_vec(); total];
        for element in 0..sizes.iter().product() {
            // Where an element belongs: its index without the axes.
            let (mut rest, mut position, mut step) = (element, 0, 1);
            for (axis, size) in sizes.iter().enumerate().rev() {
                if !self.axes.contains(&axis) {
                    position += rest % size * step;
                    step *= size;
                }
                rest /= size;
            }
            let here = operands.iter().map(|operand| one(operand, element));
            let both: Vec<Tensor> = sums[position].iter().cloned().chain(here).collect();
            eval::spend(cx, 1)?;
            sums[position] = eval::eval_tensors(cx, &self.graph, &both)?;
        }
        let joined = |k: usize| {
            let mut out = Tensor::zeros(operands[k].dtype, shape.clone());
            for (position, sums) in sums.iter().enumerate() {
                let all = out.reshaped([total].as_slice());
                out = all.write_window(&sums[k].reshaped([1].as_slice()), &[position], &[1]).reshaped(shape.clone());
            }
            out
        };
        Ok((0..operands.len()).map(joined).collect())
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let n = inputs.len() / 2;
        if dims[n..].iter().any(Option::is_some) {
            return Err(Halt::unknown("`reduce` with initial values that are batched"));
        }
        let size = rules::batch_size(inputs, dims)?;
        let mut fronted = (0..n).map(|i| rules::at_front(cx, &inputs[i], dims[i], size)).collect::<Step<Vec<_>>>()?;
        fronted.extend_from_slice(&inputs[n..]);
        let batched = ReduceBy { axes: self.axes.iter().map(|axis| axis + 1).collect(), ..self.clone() };
        Ok((cx.bind(Rc::new(batched), &fronted)?, Dims::from_elem(Some(0), n)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        let each = eval::cost(&self.graph).max(1);
        (inputs[0].size().unwrap_or(0) as u64).saturating_mul(each)
    }
}

/// One element as a scalar.
fn one(tensor: &Tensor, element: usize) -> Tensor {
    tensor.restride(&[], &[], element as isize)
}
