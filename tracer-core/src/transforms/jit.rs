//! `jit`: a graph as one equation.

use std::rc::Rc;

use smallvec::SmallVec;

use super::graphs::{JvpJaxpr, Placement, batch_jaxpr, jvp_jaxpr, transpose_jaxpr};
use super::split::{linearize_jaxpr, partial_eval_jaxpr};
use super::{calls, dce, eval};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Param, Params, Primitive, Pruned, Tangents};
use crate::python::Step;
use crate::trace::{Axis, ClosedJaxpr, Digest, Effects, Engine, Jaxpr, TraceRef, Val, Vals, staging};

/// A graph as one equation.
#[derive(Clone, Debug)]
pub struct Jit {
    /// The function's name.
    pub name: Rc<str>,
    /// The graph.
    pub jaxpr: ClosedJaxpr,
    /// Whether staging puts its equations in its place.
    pub inline: bool,
    /// Which inputs are donated.
    pub donated: SmallVec<[bool; 4]>,
    /// Further parameters, as they print.
    pub shown: Rc<[(&'static str, String)]>,
    /// Whether it is a `closed_call`: a call that no one asked for by name.
    pub closed: bool,
}

/// Makes it from keyword parameters.
///
/// # Errors
/// Unknown where they do not fit.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let jaxpr = calls::graph(params, "jaxpr")?;
    let donated = SmallVec::from_elem(false, jaxpr.jaxpr.invars.len());
    Ok(Rc::new(Jit {
        name: params.text("name")?,
        jaxpr,
        inline: params.flag("inline")?,
        donated,
        shown: Rc::from([]),
        closed: false,
    }))
}

impl Jit {
    /// A call of a graph.
    pub fn new(name: Rc<str>, jaxpr: ClosedJaxpr, inline: bool) -> Jit {
        let donated = SmallVec::from_elem(false, jaxpr.jaxpr.invars.len());
        Jit { name, jaxpr, inline, donated, shown: Rc::from([]), closed: false }
    }
    /// A `closed_call` of a graph.
    pub fn closed_call(jaxpr: ClosedJaxpr) -> Jit {
        Jit { closed: true, ..Jit::new("".into(), jaxpr, false) }
    }
    /// Whether it is the graph of a `jnp.where`, or its linear part: made once for the types of its operands, with the marks of
    /// the first such call.
    fn is_choice(&self) -> bool {
        let parts = ["select_n", "broadcast_in_dim", "convert_element_type", "reduce_sum", "reshape", "squeeze"];
        &*self.name == "_where" && self.jaxpr.jaxpr.eqns.iter().all(|eqn| parts.contains(&eqn.primitive.name()))
    }

    /// The same call of another graph.
    fn of(&self, jaxpr: ClosedJaxpr) -> Rc<dyn Primitive> {
        let donated = SmallVec::from_elem(false, jaxpr.jaxpr.invars.len());
        Rc::new(Jit {
            name: self.name.clone(),
            jaxpr,
            inline: self.inline,
            donated,
            shown: self.shown.clone(),
            closed: self.closed,
        })
    }
    /// Binds a graph of results and residuals, passing on what is an input or occurs twice.
    fn bind_known(&self, cx: &Engine, jaxpr: &ClosedJaxpr, results: usize, inputs: &[Val]) -> Step<Vec<Val>> {
        let mut inner = jaxpr.jaxpr.clone();
        let mut from_input = inner.forwarded();
        from_input[results..].fill(None);
        let keep: Vec<bool> = from_input.iter().map(Option::is_none).collect();
        let kept_results = keep[..results].iter().filter(|k| **k).count();
        if keep.contains(&false) {
            inner = Rc::new(inner.with_outputs(&keep));
        }
        let mut from_output = vec![None; inner.outvars.len()];
        for (i, atom) in inner.outvars.iter().enumerate().skip(kept_results) {
            let Some(var) = atom.var() else { continue };
            from_output[i] = inner.outvars[..kept_results].iter().position(|a| a.var() == Some(var));
        }
        let keep: Vec<bool> = from_output.iter().map(Option::is_none).collect();
        if keep.contains(&false) {
            inner = Rc::new(inner.with_outputs(&keep));
        }
        let call = self.of(ClosedJaxpr { jaxpr: inner, consts: jaxpr.consts.clone() });
        let bound = cx.bind(call, inputs)?;
        let all = calls::substitute(&from_output, &bound, &bound);
        Ok(calls::substitute(&from_input, inputs, &all))
    }
}

impl Primitive for Jit {
    fn name(&self) -> &'static str {
        if self.closed { "closed_call" } else { "jit" }
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        if self.closed {
            return vec![("call_jaxpr", Param::Graph(self.jaxpr.jaxpr.clone()))];
        }
        let mut params = vec![("name", Param::Text(self.name.to_string()))];
        if self.donated.contains(&true) {
            let flags: Vec<&str> = self.donated.iter().map(|d| if *d { "True" } else { "False" }).collect();
            let comma = if flags.len() == 1 { "," } else { "" };
            params.push(("donated_invars", Param::Text(format!("({}{comma})", flags.join(", ")))));
        }
        params.push(("jaxpr", Param::Graph(self.jaxpr.jaxpr.clone())));
        params.extend(self.shown.iter().map(|(name, text)| (*name, Param::Text(text.clone()))));
        params[1..].sort_by_key(|(name, _)| *name);
        params
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(self.jaxpr.jaxpr.out_avals().cloned().collect())
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        // Who looks for what goes wrong is told nothing of what a compiled program leaves out, and nothing of that calls the program's functions.
        let has_host = self.jaxpr.jaxpr.effects.0 & Effects::HOST.0 != 0;
        let only_live = (has_host || cx.observed.get() && !cx.tells_all.get()).then(|| {
            let graph = &self.jaxpr;
            let (used, keep) = (vec![true; graph.jaxpr.outvars.len()], vec![true; graph.jaxpr.invars.len()]);
            ClosedJaxpr { jaxpr: dce::part(&graph.jaxpr, &used, &keep).0, consts: graph.consts.clone() }
        });
        eval::eval_compiled(cx, only_live.as_ref().unwrap_or(&self.jaxpr), inputs).map(SmallVec::from_vec)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let none = vec![false; self.jaxpr.jaxpr.outvars.len()];
        let JvpJaxpr { jaxpr, nonzero } = jvp_jaxpr(cx, &self.jaxpr, &nonzero, &none)?;
        let inputs: Vec<Val> = primals.iter().chain(tangents.iter().flatten()).cloned().collect();
        let mut results = cx.bind(self.of(jaxpr), &inputs)?;
        let tangents = results.drain(nonzero.len()..).collect::<Vec<_>>();
        Ok((results, calls::spread(&nonzero, tangents)))
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
        let linear: Vec<bool> = inputs.iter().map(Operand::is_linear).collect();
        let nonzero: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
        let transpose = || transpose_jaxpr(cx, &self.jaxpr, &linear, &nonzero, &[]);
        let transposed = match self.is_choice() {
            // Noted at this call: the graph has the marks of another one.
            true => {
                cx.note_choice();
                cx.without_noting_choices(transpose)?
            }
            false => transpose()?,
        };
        let inputs: Vec<Val> = calls::known(inputs).chain(cotangents.iter().flatten()).cloned().collect();
        let results = cx.bind(self.of(transposed.jaxpr), &inputs)?;
        Ok(calls::spread(&transposed.nonzero, results))
    }
    fn batch_in(&self, cx: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let batched = batch_jaxpr(cx, &self.jaxpr, axis, dims, Placement::Any)?;
        Ok((cx.bind(self.of(batched.jaxpr), inputs)?, batched.dims.into_iter().collect()))
    }
    fn batches_always(&self) -> bool {
        self.effects().0 & Effects::AXIS.0 != 0
    }
    fn stage(&self, cx: &Engine, trace: &TraceRef, inputs: &[Val]) -> Option<Step<Vals>> {
        self.inline.then(|| staging::inline(cx, trace, &self.jaxpr, inputs))
    }
    fn prune(&self, used: &[bool]) -> Option<Pruned> {
        let inner = &self.jaxpr.jaxpr;
        let (pruned, kept) = dce::part(inner, used, &vec![false; inner.invars.len()]);
        if !kept.contains(&true) && !used.contains(&true) && !pruned.effects.keeps() {
            return Some(Pruned { primitive: None, inputs: kept.into(), outputs: used.into() });
        }
        let donated = self.donated.iter().zip(&kept).filter(|(_, k)| **k).map(|(d, _)| *d).collect();
        let jaxpr = ClosedJaxpr { jaxpr: pruned, consts: self.jaxpr.consts.clone() };
        let call = Jit { jaxpr, donated, ..self.clone() };
        Some(Pruned { primitive: Some(Rc::new(call)), inputs: kept.into(), outputs: used.into() })
    }
    fn depends(&self, unknown: &[bool], _: usize) -> SmallVec<[bool; 4]> {
        dce::depends(&self.jaxpr.jaxpr, unknown).into()
    }
    fn effects(&self) -> Effects {
        self.jaxpr.jaxpr.effects
    }
    fn graphs(&self) -> SmallVec<[Rc<Jaxpr>; 2]> {
        SmallVec::from_elem(self.jaxpr.jaxpr.clone(), 1)
    }
    fn label(&self) -> Option<String> {
        (!self.closed).then(|| self.name.to_string())
    }
    fn names_like_call(&self) -> bool {
        !self.closed
    }
    fn digest(&self, to: &mut Digest) -> Option<()> {
        to.graph(&self.jaxpr)
    }
    fn is_cheap(&self) -> bool {
        false
    }
    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        eval::cost(&self.jaxpr)
    }
}

impl Jit {
    fn linearized(
        &self,
        cx: &Engine,
        tape: &TraceRef,
        primals: &[Val],
        tangents: &[Option<Val>],
    ) -> Step<(Vals, Tangents)> {
        let nonzero: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let count = self.jaxpr.jaxpr.outvars.len();
        let parts = linearize_jaxpr(cx, &self.jaxpr, &nonzero, &vec![false; count], None)?;
        let mut results = self.bind_known(cx, &parts.primal, count, primals)?;
        let residuals = results.split_off(count);
        let known: Vec<Val> = self.jaxpr.consts.iter().chain(primals).cloned().collect();
        let mut inputs = calls::substitute(&parts.forwarded, &known, &residuals);
        inputs.extend(tangents.iter().flatten().cloned());
        let out = cx.bind_in(tape, self.of(parts.tangent.clone()), &inputs)?;
        Ok((results.into(), calls::spread(&parts.nonzero, out)))
    }

    fn split(&self, cx: &Engine, tape: &TraceRef, inputs: &[Val], unknown: &[bool]) -> Step<Vals> {
        let count = self.jaxpr.jaxpr.outvars.len();
        let may = vec![true; self.jaxpr.consts.len() + inputs.len()];
        let parts = partial_eval_jaxpr(cx, &self.jaxpr, unknown, &vec![false; count], Some(&may))?;
        let known: Vec<Val> = inputs.iter().zip(unknown).filter(|(_, u)| !**u).map(|(v, _)| v.clone()).collect();
        let now = parts.unknown_results.iter().filter(|u| !**u).count();
        let mut results = self.bind_known(cx, &parts.known, now, &known)?;
        let residuals = results.split_off(now);
        let sources: Vec<Val> = self.jaxpr.consts.iter().chain(&known).cloned().collect();
        let residuals = calls::substitute(&parts.forwarded, &sources, &residuals);
        // Residuals come last in the equation.
        let (moved, mut later) = calls::to_back(&parts.unknown, residuals.len());
        later.extend(inputs.iter().zip(unknown).filter(|(_, u)| **u).map(|(v, _)| v.clone()));
        later.extend(residuals);
        let out = cx.bind_in(tape, self.of(moved), &later)?;
        Ok(calls::merge(&parts.unknown_results, results, out))
    }
}
