//! Graphs on numbers, equation by equation.

use smallvec::SmallVec;

use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Atom, ClosedJaxpr, Engine, Eqn, Jaxpr, Schedule};

/// Why numbers are not known that take too long.
pub const TOO_LARGE: &str = "its computation is too large to run while editing";

/// What running an equation costs beside its scalar operations.
const COST_OF_EQUATION: u64 = 128;

/// Buffers of so many elements are worth keeping.
const LARGE: usize = 1 << 12;

/// The results of a graph for these inputs.
///
/// # Errors
/// Unknown where there is no evaluation, or where it would take more than is left of the engine's fuel.
pub fn eval_tensors(cx: &Engine, closed: &ClosedJaxpr, inputs: &[Tensor]) -> Step<Vec<Tensor>> {
    let jaxpr = &closed.jaxpr;
    let mut env: Vec<Option<Tensor>> = Vec::new();
    env.resize_with(jaxpr.vars.len(), || None);
    for (var, value) in jaxpr.constvars.iter().zip(closed.consts.iter()) {
        env[var.0 as usize] = Some(cx.force(value)?);
    }
    for (var, value) in jaxpr.invars.iter().zip(inputs) {
        env[var.0 as usize] = Some(value.clone());
    }
    let schedule = jaxpr.known.schedule(|| schedule(jaxpr));
    let mut last_reads = schedule.last_reads.iter();
    for (eqn, cost) in jaxpr.eqns.iter().zip(&schedule.costs) {
        cx.tick()?;
        // What nobody reads again is handed over: its buffer may be used for the result.
        let mut inputs: SmallVec<[Tensor; 4]> = SmallVec::new();
        for (atom, last) in eqn.inputs.iter().zip(&mut last_reads) {
            inputs.push(read(cx, &mut env, atom, *last)?);
        }
        if let Some(cost) = cost {
            spend(cx, *cost)?;
        }
        if cx.observed.get() {
            cx.set_source(eqn.source);
        }
        let results = cx.run(&*eqn.primitive, &inputs, eqn.outputs.iter().map(|v| jaxpr.aval(*v)))?;
        if inputs.iter().any(|input| input.len() >= LARGE) {
            inputs.into_iter().for_each(Tensor::recycle);
        }
        for (var, value) in eqn.outputs.iter().zip(results) {
            env[var.0 as usize] = Some(value);
        }
    }
    jaxpr.outvars.iter().map(|a| read(cx, &mut env, a, false)).collect()
}

/// [`eval_tensors`] of a loop's body in one of its rounds, counted from 0.
///
/// # Errors
/// As [`eval_tensors`].
pub fn eval_round(cx: &Engine, body: &ClosedJaxpr, inputs: &[Tensor], round: usize) -> Step<Vec<Tensor>> {
    if !cx.observed.get() {
        return eval_tensors(cx, body, inputs);
    }
    cx.rounds.borrow_mut().push(round);
    let results = eval_tensors(cx, body, inputs);
    cx.rounds.borrow_mut().pop();
    results
}

fn schedule(jaxpr: &Jaxpr) -> Schedule {
    let mut read_later: Vec<bool> = vec![false; jaxpr.vars.len()];
    jaxpr.outvars.iter().filter_map(Atom::var).for_each(|v| read_later[v.0 as usize] = true);
    let mut last_reads = Vec::new();
    for atom in jaxpr.eqns.iter().rev().flat_map(|eqn| eqn.inputs.iter().rev()) {
        last_reads.push(atom.var().is_some_and(|v| !std::mem::replace(&mut read_later[v.0 as usize], true)));
    }
    last_reads.reverse();
    let cost = |eqn: &Eqn| Some(cost_of(jaxpr, eqn).saturating_add(COST_OF_EQUATION));
    let costs = jaxpr.eqns.iter().map(|eqn| if eqn.primitive.graphs().is_empty() { cost(eqn) } else { None });
    Schedule { last_reads: last_reads.into(), costs: costs.collect() }
}

fn read(cx: &Engine, env: &mut [Option<Tensor>], atom: &Atom, last: bool) -> Step<Tensor> {
    match atom {
        Atom::Literal(value) => cx.force(value),
        Atom::Var(var) => {
            let slot = &mut env[var.0 as usize];
            let value = if last { slot.take() } else { slot.clone() };
            value.ok_or_else(|| Halt::unknown("a graph uses a variable before it is bound"))
        }
    }
}

/// Takes so many scalar operations from the fuel.
///
/// # Errors
/// Unknown when there is not that much.
pub fn spend(cx: &Engine, cost: u64) -> Step<()> {
    let left = cx.fuel.get();
    if cost > left {
        return Err(Halt::unknown(TOO_LARGE));
    }
    cx.fuel.set(left - cost);
    Ok(())
}

/// Scalar operations that a graph takes; loops of unknown length count once.
pub fn cost(closed: &ClosedJaxpr) -> u64 {
    let jaxpr = &closed.jaxpr;
    jaxpr.known.cost(|| jaxpr.eqns.iter().fold(0, |n, e| n.saturating_add(cost_of(jaxpr, e))))
}

fn cost_of(jaxpr: &Jaxpr, eqn: &Eqn) -> u64 {
    let inputs: SmallVec<[&Aval; 4]> = eqn.inputs.iter().map(|a| jaxpr.atom_aval(a)).collect();
    if let [output] = eqn.outputs[..] {
        return eqn.primitive.cost(&inputs, std::slice::from_ref(jaxpr.aval(output)));
    }
    let outputs: SmallVec<[Aval; 1]> = eqn.outputs.iter().map(|v| jaxpr.aval(*v).clone()).collect();
    eqn.primitive.cost(&inputs, &outputs)
}
