//! `reduce` with a function of the program.

use std::rc::Rc;

use jitlens_kernels::tree;
use smallvec::SmallVec;

use super::{Avals, Axes, Dims, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::array::tensor::Sizes;
use crate::array::{Aval, Dim, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, Engine, Jaxpr, Val, Vals};
use crate::transforms::{calls, eval, graphs, jvp, vmap};

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

impl ReduceBy {
    /// The numbers of the results.
    fn results(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (operands, inits) = inputs.split_at(inputs.len() / 2);
        let sizes = &operands[0].shape;
        if operands.iter().any(|operand| operand.shape != *sizes) {
            return Err(Halt::unknown("`reduce` of operands of several shapes"));
        }
        let shape = rules::sizes(&self.shape(&operands[0].aval())?)?;
        let sums = if let ([operand], [init]) = (operands, inits) {
            let step = |a: &Tensor, b: &Tensor| {
                eval::spend(cx, 1)?;
                Ok(eval::eval_tensors(cx, &self.graph, &[a.clone(), b.clone()])?.swap_remove(0))
            };
            let sums = tree::reduce(&elements(operand), sizes, &self.axes, init, step)?;
            sums.into_iter().map(|sum| vec![sum]).collect()
        } else {
            // Several operands are reduced one element after the other.
            let mut sums: Vec<Vec<Tensor>> = vec![inits.to_vec(); shape.iter().product()];
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
            sums
        };
        Ok(joined(operands, &shape, &sums))
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
        // Its steps are nothing that the program makes.
        let observed = cx.observed.replace(false);
        let results = self.results(cx, inputs);
        cx.observed.set(observed);
        results
    }
    /// As JAX does it: the operands are halved until one element is left, and that is differentiated.
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let (n, axes) = (primals.len() / 2, &self.axes);
        if let Some(axis) = axes.iter().find(|axis| **axis >= primals[0].aval.rank()) {
            let rank = primals[0].aval.rank();
            return Err(Halt::raise(
                "IndexError",
                format!("index {axis} is out of bounds for axis 0 with size {rank}"),
            ));
        }
        if tangents[n..].iter().any(Option::is_some) {
            return Err(Halt::raise(
                "NotImplementedError",
                "Gradient of general lax.reduce with non-zero tangents for initial values to reduction not implemented",
            ));
        }
        let aval = &primals[0].aval;
        let kept = (0..aval.rank()).filter(|axis| !axes.contains(axis));
        let order: Vec<usize> = axes.iter().copied().chain(kept).collect();
        let sizes = rules::sizes(&aval.shape)?;
        let length: usize = axes.iter().map(|axis| sizes[*axis]).product();
        let shape: Shape = std::iter::once(Dim::from(length)).chain(self.shape(aval)?).collect();
        let flat = |x: &Val| build::reshape(cx, &build::transpose(cx, x, &order)?, &shape);
        let operands = primals[..n].iter().map(flat).collect::<Step<Vec<Val>>>()?;
        let dots = tangents[..n].iter().map(|t| t.as_ref().map(flat).transpose()).collect::<Step<Vec<_>>>()?;
        let halved = |given: &[Val]| self.halved(cx, given, &primals[n..]);
        let (results, tangents) = jvp::jvp(cx, &halved, &operands, &dots)?;
        Ok((results.into(), tangents.into()))
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

impl ReduceBy {
    /// The reduction along the first axis, all elements of the others at once: the first half with the second one, until one is left.
    fn halved(&self, cx: &Engine, operands: &[Val], inits: &[Val]) -> Step<Vec<Val>> {
        let mut operands = operands.to_vec();
        loop {
            let shape = rules::sizes(&operands[0].aval.shape)?;
            let (length, rest) = (shape[0], &operands[0].aval.shape[1..]);
            if length == 0 {
                let full = |init: &Val| build::broadcast_in_dim(cx, init, rest, &[]);
                return inits.iter().map(full).collect();
            }
            if length == 1 {
                return operands.iter().map(|x| build::squeeze(cx, x, &[0])).collect();
            }
            let first = length.div_ceil(2);
            let mut both = operands
                .iter()
                .map(|x| build::slice_in_dim(cx, x, 0, first.into(), 1, 0))
                .collect::<Step<Vec<Val>>>()?;
            for (x, init) in operands.iter().zip(inits) {
                let second = build::slice_in_dim(cx, x, first, length.into(), 1, 0)?;
                let mut config = vec![(0, 0, 0); shape.len()];
                config[0].1 = i64::from(length % 2 == 1);
                both.push(if length % 2 == 1 { build::pad(cx, &second, init, &config)? } else { second });
            }
            let sizes: Vec<usize> = std::iter::once(first).chain(shape[1..].iter().copied()).collect();
            operands = self.mapped(cx, &both, &sizes)?;
        }
    }

    /// The function on arrays, element by element.
    fn mapped(&self, cx: &Engine, inputs: &[Val], sizes: &[usize]) -> Step<Vec<Val>> {
        let Some((&size, inner)) = sizes.split_first() else { return graphs::eval_closed(cx, &self.graph, inputs) };
        let axis = Axis { name: None, size: size.into(), of_devices: false };
        let function = |given: &[Val]| self.mapped(cx, given, inner);
        let (results, dims) = vmap::batch(cx, &axis, &function, inputs, &vec![Some(0); inputs.len()])?;
        let front = |(x, dim): (&Val, &Option<usize>)| vmap::place(cx, &axis, x, *dim, Some(0));
        Ok(results.iter().zip(&dims).map(front).collect::<Step<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

/// All elements as scalars.
pub fn elements(tensor: &Tensor) -> Vec<Tensor> {
    (0..tensor.len()).map(|element| one(tensor, element)).collect()
}

/// Results of a shape, of the types of the operands: the results of one position after the other.
pub fn joined(operands: &[Tensor], shape: &Sizes, all: &[Vec<Tensor>]) -> SmallVec<[Tensor; 1]> {
    let join = |k: usize| {
        let mut out = Tensor::zeros(operands[k].dtype, [all.len()].as_slice());
        for (position, here) in all.iter().enumerate() {
            out = out.write_window(&here[k].reshaped([1].as_slice()), &[position], &[1]);
        }
        out.reshaped(shape.clone())
    };
    (0..operands.len()).map(join).collect()
}

/// One element as a scalar.
pub fn one(tensor: &Tensor, element: usize) -> Tensor {
    tensor.restride(&[], &[], element as isize)
}
