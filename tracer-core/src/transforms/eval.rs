//! Graphs on numbers, equation by equation.

use smallvec::SmallVec;

use crate::array::{Aval, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Atom, ClosedJaxpr, Engine};

/// What running an equation costs beside its scalar operations.
const COST_OF_EQUATION: u64 = 128;

/// The results of a graph for these inputs.
///
/// # Errors
/// Unknown where there is no evaluation, or where it would take more than is left of the engine's fuel.
pub fn eval_tensors(cx: &Engine, closed: &ClosedJaxpr, inputs: &[Tensor]) -> Step<Vec<Tensor>> {
    let jaxpr = &closed.jaxpr;
    let mut env: Vec<Option<Tensor>> = vec![None; jaxpr.vars.len()];
    for (var, value) in jaxpr.constvars.iter().zip(closed.consts.iter()) {
        env[var.0 as usize] = Some(cx.force(value)?);
    }
    for (var, value) in jaxpr.invars.iter().zip(inputs) {
        env[var.0 as usize] = Some(value.clone());
    }
    let mut last: Vec<usize> = vec![0; jaxpr.vars.len()];
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        eqn.inputs.iter().filter_map(Atom::var).for_each(|v| last[v.0 as usize] = i);
    }
    jaxpr.outvars.iter().filter_map(Atom::var).for_each(|v| last[v.0 as usize] = usize::MAX);
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        cx.tick()?;
        let inputs = eqn.inputs.iter().map(|a| read(cx, &env, a)).collect::<Step<SmallVec<[Tensor; 4]>>>()?;
        for var in eqn.inputs.iter().filter_map(Atom::var) {
            if last[var.0 as usize] == i {
                env[var.0 as usize] = None;
            }
        }
        let avals: SmallVec<[Aval; 1]> = eqn.outputs.iter().map(|v| jaxpr.aval(*v).clone()).collect();
        if eqn.primitive.graphs().is_empty() {
            let in_avals: SmallVec<[&Aval; 4]> = eqn.inputs.iter().map(|a| jaxpr.atom_aval(a)).collect();
            spend(cx, eqn.primitive.cost(&in_avals, &avals).saturating_add(COST_OF_EQUATION))?;
        }
        let results = cx.run(&*eqn.primitive, &inputs, &avals)?;
        for (var, value) in eqn.outputs.iter().zip(results) {
            env[var.0 as usize] = Some(value);
        }
    }
    jaxpr.outvars.iter().map(|a| read(cx, &env, a)).collect()
}

fn read(cx: &Engine, env: &[Option<Tensor>], atom: &Atom) -> Step<Tensor> {
    match atom {
        Atom::Literal(value) => cx.force(value),
        Atom::Var(var) => {
            env[var.0 as usize].clone().ok_or_else(|| Halt::unknown("a graph uses a variable before it is bound"))
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
        return Err(Halt::unknown("its computation is too large to run while editing"));
    }
    cx.fuel.set(left - cost);
    Ok(())
}

/// Scalar operations that a graph takes; loops of unknown length count once.
pub fn cost(closed: &ClosedJaxpr) -> u64 {
    let jaxpr = &closed.jaxpr;
    let one = |eqn: &crate::trace::Eqn| {
        let inputs: SmallVec<[&Aval; 4]> = eqn.inputs.iter().map(|a| jaxpr.atom_aval(a)).collect();
        let outputs: SmallVec<[Aval; 1]> = eqn.outputs.iter().map(|v| jaxpr.aval(*v).clone()).collect();
        eqn.primitive.cost(&inputs, &outputs)
    };
    jaxpr.known.cost(|| jaxpr.eqns.iter().fold(0, |n, e| n.saturating_add(one(e))))
}
