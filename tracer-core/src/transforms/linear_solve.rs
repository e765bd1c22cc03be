//! `custom_linear_solve`: the solution of a linear system, given functions that multiply and solve.

use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{Placement, batch_jaxpr, eval_closed};
use super::{calls, eval, jvp, vmap, zeros};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Tangents, build};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Jaxpr, Val, Vals};

const NAMES: [&str; 4] = ["matvec", "vecmat", "solve", "transpose_solve"];
const MATVEC: usize = 0;
const VECMAT: usize = 1;
const SOLVE: usize = 2;
const TRANSPOSED: usize = 3;

/// The solution of a linear system.
#[derive(Clone, Debug)]
pub struct LinearSolve {
    /// `matvec`, `vecmat`, `solve`, `transpose_solve`; the second and fourth may be missing.
    pub graphs: [Option<ClosedJaxpr>; 4],
    /// How many leading inputs are constants of each.
    pub consts: [usize; 4],
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let lengths = params.axes("const_lengths")?;
    let graphs: Vec<Option<ClosedJaxpr>> = params.tuple("jaxprs")?.iter().map(calls::as_graph).collect();
    let odd = || Halt::unknown("`custom_linear_solve` is called with odd graphs");
    let consts = lengths.as_slice().try_into().map_err(|_| odd())?;
    let none = matches!(params.tuple("jaxprs")?.first(), Some(ParamValue::None));
    let graphs: [Option<ClosedJaxpr>; 4] = graphs.try_into().map_err(|_| odd())?;
    if none || graphs[SOLVE].is_none() {
        return Err(odd());
    }
    Ok(Rc::new(LinearSolve { graphs, consts }))
}

impl LinearSolve {
    fn graph(&self, which: usize) -> Step<&ClosedJaxpr> {
        self.graphs[which]
            .as_ref()
            .ok_or_else(|| Halt::unknown(format!("`custom_linear_solve` has no `{}`", NAMES[which])))
    }
    fn total(&self) -> usize {
        self.consts.iter().sum()
    }
    /// Where the constants of one of the functions are.
    fn range(&self, which: usize) -> std::ops::Range<usize> {
        let start = self.consts[..which].iter().sum::<usize>();
        start..start + self.consts[which]
    }
    /// The constants and right-hand side that solving takes.
    fn for_solve<T: Clone>(&self, inputs: &[T]) -> Vec<T> {
        [&inputs[self.range(SOLVE)], &inputs[self.total()..]].concat()
    }
}

impl Primitive for LinearSolve {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        "custom_linear_solve"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let tuple = |items: Vec<String>| {
            let fields: Vec<String> = NAMES.iter().zip(items).map(|(name, item)| format!("{name}={item}")).collect();
            Param::Text(format!("_LinearSolveTuple({})", fields.join(", ")))
        };
        let graphs = self.graphs.iter().map(|g| g.as_ref().map_or_else(|| "None".to_owned(), ToString::to_string));
        vec![
            ("const_lengths", tuple(self.consts.iter().map(ToString::to_string).collect())),
            ("jaxprs", tuple(graphs.collect())),
        ]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let more = self.graph(SOLVE)?.out_avals().split_off(self.graph(MATVEC)?.jaxpr.outvars.len());
        Ok(inputs[self.total()..].iter().map(|a| (*a).clone()).chain(more).collect())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        let run = || eval_closed(cx, self.graph(SOLVE)?, &self.for_solve(inputs)).map(Vals::from_vec);
        Some(run())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        eval::eval_tensors(cx, self.graph(SOLVE)?, &self.for_solve(inputs)).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let x = cx.bind(Rc::new(self.clone()), primals)?;
        let mut right: Vec<Option<Val>> = tangents[self.total()..].to_vec();
        let leaves = right.len();
        let dots = &tangents[self.range(MATVEC)];
        if dots.iter().any(Option::is_some) {
            let matvec = self.graph(MATVEC)?;
            let values: Vec<Val> = primals[self.range(MATVEC)].iter().chain(&x[..leaves]).cloned().collect();
            let mut all = dots.to_vec();
            all.resize(values.len(), None);
            let (results, moved) = jvp::jvp(cx, &|a| eval_closed(cx, matvec, a), &values, &all)?;
            for ((right, tangent), result) in right.iter_mut().zip(moved).zip(&results) {
                let moved = build::neg(cx, &jvp::instantiate(cx, tangent, result)?)?;
                *right = build::add_tangents(cx, right.take(), Some(moved))?;
            }
        }
        let mut inputs = primals[..self.total()].to_vec();
        for (right, b) in right.into_iter().zip(&primals[self.total()..]) {
            inputs.push(jvp::instantiate(cx, right, b)?);
        }
        let found = cx.bind(Rc::new(self.clone()), &inputs)?;
        let dots = found.into_iter().enumerate().map(|(i, t)| (i < leaves).then_some(t)).collect();
        Ok((x, dots))
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        if self.graphs[TRANSPOSED].is_none() {
            return Err(Halt::type_error(
                "transpose_solve required for backwards mode automatic differentiation of custom_linear_solve",
            ));
        }
        let total = self.total();
        let params: Vec<Val> = calls::known(&inputs[..total]).cloned().collect();
        if params.len() < total {
            return Err(Halt::raise("NotImplementedError", "open an issue at https://github.com/google/jax !!"));
        }
        let order = [VECMAT, MATVEC, TRANSPOSED, SOLVE];
        let flipped =
            LinearSolve { graphs: order.map(|i| self.graphs[i].clone()), consts: order.map(|i| self.consts[i]) };
        let mut args: Vec<Val> = order.iter().flat_map(|i| params[self.range(*i)].to_vec()).collect();
        let rights = &inputs[total..];
        for (ct, b) in cotangents.iter().zip(rights) {
            args.push(match ct {
                Some(ct) => ct.clone(),
                None => zeros(cx, b.aval())?,
            });
        }
        let found = cx.bind(Rc::new(flipped), &args)?;
        let mut result = Tangents::from_elem(None, total);
        result.extend(found.into_iter().take(rights.len()).map(Some));
        Ok(result)
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let total = self.total();
        let batched: Vec<bool> = dims.iter().map(Option::is_some).collect();
        let mut b: Vec<bool> = batched[total..].to_vec();
        let operators = self.graph(MATVEC)?.jaxpr.outvars.len();
        let mut x = vec![false; self.graph(SOLVE)?.jaxpr.outvars.len()];
        let run = |which: usize, rest: &[bool], force: &[bool]| -> Step<Option<(ClosedJaxpr, Vec<bool>)>> {
            let Some(graph) = &self.graphs[which] else { return Ok(None) };
            let front: Vec<Option<usize>> =
                batched[self.range(which)].iter().chain(rest).map(|b| b.then_some(0)).collect();
            let found = batch_jaxpr(cx, graph, axis, &front, Placement::Front(force))?;
            let flags = found.dims.iter().map(Option::is_some).collect();
            Ok(Some((found.jaxpr, flags)))
        };
        let join = |a: &mut Vec<bool>, b: &[bool]| a.iter_mut().zip(b).for_each(|(a, b)| *a |= *b);
        let (graphs, flags) = loop {
            let solve = run(SOLVE, &b, &x)?;
            let vecmat = run(VECMAT, &b, &b)?;
            let flags = solve.as_ref().map(|(_, f)| f.clone()).unwrap_or_default();
            let mut new_x = flags.clone();
            if let Some((_, found)) = &vecmat {
                join(&mut new_x, found);
                new_x[operators..].fill(true);
            }
            let matvec = run(MATVEC, &new_x[..operators], &b)?;
            let transposed = run(TRANSPOSED, &new_x[..operators], &new_x)?;
            let mut new_b = batched[total..].to_vec();
            for (_, found) in matvec.iter().chain(&transposed) {
                join(&mut new_b, &found[..found.len().min(b.len())]);
            }
            if new_x == x && new_b == b {
                break ([matvec, vecmat, solve, transposed].map(|g| g.map(|(g, _)| g)), flags);
            }
            (x, b) = (new_x, new_b);
        };
        let mut args = Vec::new();
        for (i, (value, dim)) in inputs.iter().zip(dims).enumerate() {
            args.push(match dim {
                Some(dim) => build::move_axis(cx, value, *dim, 0)?,
                None if i >= total && b[i - total] => vmap::insert(cx, value, axis.size, 0)?,
                None => value.clone(),
            });
        }
        let out = cx.bind(Rc::new(LinearSolve { graphs, consts: self.consts }), &args)?;
        Ok((out, flags.iter().map(|f| f.then_some(0)).collect()))
    }
    fn effects(&self) -> Effects {
        self.graphs[SOLVE].as_ref().map_or(Effects::NONE, |g| g.jaxpr.effects)
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        self.graphs.iter().flatten().map(|g| g.jaxpr.clone()).collect()
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.text(format_args!("{:?} {:?}", self.consts, self.graphs.each_ref().map(Option::is_some)))?;
        self.graphs.iter().flatten().try_for_each(|graph| to.graph(graph))
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        self.graphs[SOLVE].as_ref().map_or(0, eval::cost)
    }
}
