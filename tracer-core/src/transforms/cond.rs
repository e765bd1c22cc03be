//! `cond`: one of several graphs.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::graphs::{Placement, batch_jaxpr, eval_closed, jvp_jaxpr, transpose_jaxpr, unnamed};
use super::split::{linearize_jaxpr, partial_eval_jaxpr};
use super::{calls, dce, eval, trace_to_jaxpr, vmap};
use crate::array::{Aval, Tensor};
use crate::primitives::{
    Avals, Dims, Operand, Param, ParamValue, Params, Primitive, Pruned, Tangents, build, from_params,
};
use crate::python::{Halt, Step};
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Jaxpr, TraceRef, Val, Vals, Var};

/// One of several graphs, by the number of the first input.
#[derive(Clone, Debug)]
pub struct Cond {
    /// The graphs; for a truth value first that of false.
    pub branches: Rc<[ClosedJaxpr]>,
    /// The platforms that each branch is for, where the index is that of a platform; `None` otherwise.
    pub platforms: ParamValue,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let platforms = params.get("branches_platforms").cloned().unwrap_or(ParamValue::None);
    Ok(Rc::new(Cond { branches: calls::graphs(params, "branches")?.into(), platforms }))
}

fn any(of: impl Iterator<Item = Vec<bool>>) -> Vec<bool> {
    of.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| *a || *b).collect()).unwrap_or_default()
}

impl Cond {
    /// A choice by the same index between other graphs.
    fn of(&self, branches: Vec<ClosedJaxpr>) -> Rc<dyn Primitive> {
        Rc::new(Cond { branches: branches.into(), platforms: self.platforms.clone() })
    }
    fn first(&self) -> Step<&ClosedJaxpr> {
        self.branches.first().ok_or_else(|| Halt::unknown("a `cond` without branches"))
    }
    /// Finds flags of results, all branches together, then transforms all branches by them.
    fn agree<T>(
        &self,
        outs: usize,
        one: impl Fn(&ClosedJaxpr, &[bool]) -> Step<T>,
        flags: impl Fn(&T) -> Vec<bool>,
    ) -> Step<(Vec<bool>, Vec<T>)> {
        let none = vec![false; outs];
        let found = self.branches.iter().map(|b| one(b, &none)).collect::<Step<Vec<T>>>()?;
        let all = any(found.iter().map(flags));
        let done = self.branches.iter().map(|b| one(b, &all)).collect::<Step<Vec<T>>>()?;
        Ok((all, done))
    }
}

impl Primitive for Cond {
    fn name(&self) -> &'static str {
        "cond"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let branches = self.branches.iter().map(|b| b.jaxpr.clone()).collect();
        let mut params = vec![("branches", Param::Graphs(branches))];
        if !matches!(self.platforms, ParamValue::None) {
            params.push(("branches_platforms", Param::Text(crate::primitives::repr::quoted(&self.platforms))));
        }
        params
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.first()?.jaxpr.out_avals().cloned().collect())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let index = inputs[0].view::<i32>().and_then(|v| v.first().copied()).unwrap_or(0);
        let index = (index.max(0) as usize).min(self.branches.len() - 1);
        eval::eval_compiled(cx, &self.branches[index], &inputs[1..]).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents[1..].iter().map(Option::is_some).collect();
        let outs = self.first()?.jaxpr.outvars.len();
        let (flags, done) = self.agree(outs, |b, inst| jvp_jaxpr(cx, b, &nonzero, inst), |f| f.nonzero.clone())?;
        let inputs: Vec<Val> = primals.iter().chain(tangents.iter().flatten()).cloned().collect();
        let mut out = cx.bind(self.of(done.into_iter().map(|d| d.jaxpr).collect()), &inputs)?;
        let tangents: Vec<Val> = out.drain(outs..).collect();
        Ok((out, calls::spread(&flags, tangents)))
    }
    fn linearize(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Option<Step<(Vals, Tangents)>> {
        Some(self.linearized(cx, tape, primals, tangents))
    }
    fn partial_eval(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Option<Step<Vals>> {
        Some(self.split(cx, tape, inputs, unknown))
    }
    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let linear: Vec<bool> = inputs[1..].iter().map(Operand::is_linear).collect();
        let nonzero: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let none = vec![false; linear.len()];
        let found =
            self.branches.iter().map(|b| transpose_jaxpr(cx, b, &linear, &nonzero, &none)).collect::<Step<Vec<_>>>()?;
        let flags = any(found.iter().map(|f| f.nonzero.clone()));
        let done = self.branches.iter().map(|b| Ok(transpose_jaxpr(cx, b, &linear, &nonzero, &flags)?.jaxpr));
        let branches = done.collect::<Step<Vec<_>>>()?;
        let args: Vec<Val> = calls::known(inputs).chain(cotangents.iter().flatten()).cloned().collect();
        let results = cx.bind(self.of(branches), &args)?;
        let mut all = calls::spread(&flags, results);
        all.insert(0, None);
        Ok(all)
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let outs = self.first()?.jaxpr.outvars.len();
        if dims[0].is_some() {
            return self.select(cx, axis, inputs, dims);
        }
        let mut moved = vec![inputs[0].clone()];
        let mut front = Vec::new();
        for (value, dim) in inputs[1..].iter().zip(&dims[1..]) {
            moved.push(dim.map_or_else(|| Ok(value.clone()), |d| build::move_axis(cx, value, d, 0))?);
            front.push(dim.map(|_| 0));
        }
        let one = |b: &ClosedJaxpr, inst: &[bool]| batch_jaxpr(cx, b, axis, &front, Placement::Front(inst));
        let (flags, done) = self.agree(outs, one, |f| f.dims.iter().map(Option::is_some).collect())?;
        let out = cx.bind(self.of(done.into_iter().map(|d| d.jaxpr).collect()), &moved)?;
        Ok((out, flags.iter().map(|b| b.then_some(0)).collect()))
    }
    fn batches_always(&self) -> bool {
        self.effects().0 & Effects::AXIS.0 != 0
    }
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let inputs = self.branches.first()?.jaxpr.invars.len();
        let none = vec![false; inputs];
        let kept = any(self.branches.iter().map(|b| dce::part(&b.jaxpr, used, &none).1));
        let branches = self
            .branches
            .iter()
            .map(|b| ClosedJaxpr { jaxpr: dce::part(&b.jaxpr, used, &kept).0, consts: b.consts.clone() });
        let primitive = Some(self.of(branches.collect()));
        let inputs = std::iter::once(true).chain(kept).collect();
        Some(Pruned { primitive, inputs, outputs: used.into() })
    }
    fn depends(&self, unknown: &[bool], results: usize) -> SmallVec<[bool; 4]> {
        if unknown[0] {
            return SmallVec::from_elem(true, results);
        }
        any(self.branches.iter().map(|b| dce::depends(&b.jaxpr, &unknown[1..]))).into()
    }
    fn effects(&self) -> Effects {
        self.branches.iter().fold(Effects::NONE, |e, b| e.and(b.jaxpr.effects))
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        self.branches.iter().map(|b| b.jaxpr.clone()).collect()
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.text(format_args!("{}", self.branches.len()))?;
        self.branches.iter().try_for_each(|branch| to.graph(branch))
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        self.branches.iter().map(eval::cost).max().unwrap_or(0)
    }
}

impl Cond {
    fn linearized(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents[1..].iter().map(Option::is_some).collect();
        let outs = self.first()?.jaxpr.outvars.len();
        let nowhere = |b: &ClosedJaxpr| vec![false; b.consts.len() + nonzero.len()];
        let one = |b: &ClosedJaxpr, inst: &[bool]| linearize_jaxpr(cx, b, &nonzero, inst, Some(&nowhere(b)));
        let (flags, parts) = self.agree(outs, one, |p| p.nonzero.clone())?;
        let residuals: Vec<Vec<Aval>> =
            parts.iter().map(|p| p.primal.out_avals().split_off(p.primal.jaxpr.outvars.len() - p.residuals)).collect();
        let merged = Merged::of(&residuals);
        let primal = merged.join_outputs(cx, parts.iter().map(|p| &p.primal), outs)?;
        let tangent = merged.join_inputs(parts.iter().map(|p| &p.tangent));
        let mut results = cx.bind(self.of(primal), primals)?;
        let residuals: Vec<Val> = results.drain(outs..).collect();
        let mut inputs = vec![primals[0].clone()];
        inputs.extend(residuals);
        inputs.extend(tangents.iter().flatten().cloned());
        let out = cx.bind_in(tape, self.of(tangent), &inputs)?;
        Ok((results, calls::spread(&flags, out)))
    }

    fn split(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Step<Vals> {
        if unknown[0] {
            return cx.bind_in(tape, Rc::new(self.clone()), inputs);
        }
        let outs = self.first()?.jaxpr.outvars.len();
        let one = |b: &ClosedJaxpr, inst: &[bool]| partial_eval_jaxpr(cx, b, &unknown[1..], inst, None);
        let (flags, parts) = self.agree(outs, one, |p| p.unknown_results.clone())?;
        let now = flags.iter().filter(|u| !**u).count();
        let residuals: Vec<Vec<Aval>> = parts.iter().map(|p| p.known.out_avals().split_off(now)).collect();
        let merged = Merged::of(&residuals);
        let known = merged.join_outputs(cx, parts.iter().map(|p| &p.known), now)?;
        let later = merged.join_inputs(parts.iter().map(|p| &p.unknown));
        let (known_in, unknown_in) = calls::partition(unknown, inputs);
        let mut results = cx.bind(self.of(known), &known_in)?;
        let residuals: Vec<Val> = results.drain(now..).collect();
        let all = [vec![inputs[0].clone()], residuals, unknown_in].concat();
        let out = cx.bind_in(tape, self.of(later), &all)?;
        Ok(calls::merge(&flags, results, out))
    }

    /// With a choice per element, all branches run and their results are selected.
    fn select(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if self.effects().keeps() {
            return Err(Halt::raise("NotImplementedError", "IO effect not supported in vmap-of-cond."));
        }
        let all = vmap::all_in_front(cx, axis.size, inputs, dims)?;
        let (index, operands) = (&all[0], &all[1..]);
        let front = vec![Some(0); operands.len()];
        let mut results: Vec<Vec<Val>> = Vec::new();
        for (i, branch) in self.branches.iter().enumerate() {
            let every = vec![true; branch.jaxpr.outvars.len()];
            let batched = batch_jaxpr(cx, branch, axis, &front, Placement::Front(&every))?;
            // A select on the inputs keeps derivatives of the branch that is not taken from giving NaN.
            let number = build::scalar_like(cx, index, i as i64);
            let chosen = build::eq(cx, index, &number)?;
            let mut safe = Vec::new();
            for operand in operands {
                let stopped = cx.bind(from_params("stop_gradient", [])?, std::slice::from_ref(operand))?.swap_remove(0);
                safe.push(select_n(cx, &chosen, &[stopped, operand.clone()])?);
            }
            results.push(eval_closed(cx, &batched.jaxpr, &safe)?);
        }
        let count = results.first().map_or(0, Vec::len);
        let mut out = Vals::new();
        for at in 0..count {
            let cases: Vec<Val> = results.iter().map(|r| r[at].clone()).collect();
            out.push(select_n(cx, index, &cases)?);
        }
        Ok(vmap::in_front(out))
    }
}

/// `select_n` by a predicate of fewer axes.
fn select_n(cx: &Engine, which: &Val, cases: &[Val]) -> Step<Val> {
    let Some(first) = cases.first() else { return Err(Halt::unknown("a selection among nothing")) };
    let mut which = which.clone();
    if which.aval.rank() != first.aval.rank() {
        let axes: Vec<usize> = (0..which.aval.rank()).collect();
        which = build::broadcast_in_dim(cx, &which, &first.aval.shape, &axes)?;
    }
    build::select_n(cx, &which, cases)
}

/// Residuals of all branches brought into one format.
struct Merged {
    avals: Vec<Aval>,
    places: Vec<Vec<usize>>,
}

impl Merged {
    fn of(residuals: &[Vec<Aval>]) -> Merged {
        let mut index: FxHashMap<(Aval, usize), usize> = FxHashMap::default();
        let mut avals = Vec::new();
        let mut places = Vec::new();
        for branch in residuals {
            let mut counts: FxHashMap<&Aval, usize> = FxHashMap::default();
            let mut own = Vec::new();
            for aval in branch {
                let count = counts.entry(aval).or_default();
                own.push(*index.entry((aval.clone(), *count)).or_insert_with(|| {
                    avals.push(aval.clone());
                    avals.len() - 1
                }));
                *count += 1;
            }
            places.push(own);
        }
        Merged { avals, places }
    }

    /// Branches that give all residuals, empty ones for those that they do not have.
    fn join_outputs<'a>(
        &self,
        cx: &Engine,
        branches: impl Iterator<Item = &'a ClosedJaxpr>,
        outs: usize,
    ) -> Step<Vec<ClosedJaxpr>> {
        branches
            .zip(&self.places)
            .map(|(branch, places)| {
                let body = |args: &[Val]| {
                    let mut results = eval_closed(cx, branch, args)?;
                    let own = results.split_off(outs);
                    let mut all = self.avals.iter().map(|a| empty(cx, a)).collect::<Step<Vec<Val>>>()?;
                    for (place, value) in places.iter().zip(own) {
                        all[*place] = value;
                    }
                    results.extend(all);
                    Ok(results)
                };
                trace_to_jaxpr(cx, &body, &branch.in_avals(), unnamed(branch))
            })
            .collect()
    }

    /// Branches that take all residuals.
    fn join_inputs<'a>(&self, branches: impl Iterator<Item = &'a ClosedJaxpr>) -> Vec<ClosedJaxpr> {
        branches
            .zip(&self.places)
            .map(|(branch, places)| {
                let mut jaxpr: Jaxpr = (*branch.jaxpr).clone();
                let rest = jaxpr.invars.split_off(places.len());
                let own = std::mem::take(&mut jaxpr.invars);
                for aval in &self.avals {
                    jaxpr.invars.push(Var(jaxpr.vars.len() as u32));
                    jaxpr.vars.push(aval.clone());
                }
                for (place, var) in places.iter().zip(own) {
                    jaxpr.invars[*place] = var;
                }
                jaxpr.invars.extend(rest);
                jaxpr.debug.arguments = Rc::from([]);
                ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: branch.consts.clone() }
            })
            .collect()
    }
}

/// An array of undefined numbers, as residuals of branches not taken are.
fn empty(cx: &Engine, aval: &Aval) -> Step<Val> {
    let scalar = cx.bind(Rc::new(super::empty::Empty { dtype: aval.dtype }), &[])?.swap_remove(0);
    if aval.rank() == 0 {
        return Ok(scalar);
    }
    build::broadcast_in_dim(cx, &scalar, &aval.shape, &[])
}
