//! Splitting of graphs: into results and linear part, and into what is known and what is not.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::graphs::{eval_closed, request, unnamed};
use super::{dce, jvp, linearize};
use crate::python::Step;
use crate::trace::{Array, ClosedJaxpr, Engine, Jaxpr, Staging, Trace, TraceRef, Val, Var, staging};

/// What [`linearize_jaxpr`] gives.
#[derive(Clone, Debug)]
pub struct LinearizedJaxpr {
    /// From inputs to results and those residuals that are not forwarded.
    pub primal: ClosedJaxpr,
    /// How many residuals it gives after the results.
    pub residuals: usize,
    /// Which results have a tangent.
    pub nonzero: Vec<bool>,
    /// For every residual of the linear part: the constant or input (constants counted first) that it is.
    pub forwarded: Vec<Option<usize>>,
    /// From residuals and nonzero tangents to nonzero tangents.
    pub tangent: ClosedJaxpr,
}

/// Splits a graph into results and linear part. `may_forward` has a flag for every constant and every input.
///
/// # Errors
/// What the rules raise.
pub fn linearize_jaxpr(
    cx: &Engine,
    jaxpr: &ClosedJaxpr,
    nonzero: &[bool],
    instantiate: &[bool],
    may_forward: Option<&[bool]>,
) -> Step<LinearizedJaxpr> {
    let all = vec![true; jaxpr.consts.len() + nonzero.len()];
    let may_forward = may_forward.unwrap_or(&all);
    cx.memoized(jaxpr, request("linearize", &[nonzero, instantiate, may_forward]), || {
        let parent = Staging::new(Some(cx.trace()), unnamed(jaxpr));
        let tape = Staging::new(Some(parent.clone()), unnamed(jaxpr));
        let tag = cx.fresh_tag();
        let trace = linearize::trace(cx, tag, parent.clone(), &tape);
        let mut primals = Vec::new();
        let mut inputs = Vec::new();
        for (aval, nz) in jaxpr.jaxpr.in_avals().zip(nonzero) {
            let primal = staging::argument(&parent, aval.clone());
            let tangent = nz.then(|| staging::argument(&tape, aval.tangent()));
            inputs.push(linearize::join(&trace, primal.clone(), tangent));
            primals.push(primal);
        }
        let results = cx.within(&trace, || eval_closed(cx, jaxpr, &inputs))?;
        let (mut results, tangents): (Vec<Val>, Vec<Option<Val>>) =
            results.iter().map(|v| linearize::split(tag, v)).unzip();
        let mut out = Vec::new();
        let mut flags = Vec::new();
        for ((tangent, primal), inst) in tangents.into_iter().zip(&results).zip(instantiate) {
            let tangent =
                if *inst { Some(cx.within(&trace, || jvp::instantiate(cx, tangent, primal))?) } else { tangent };
            flags.push(tangent.is_some());
            out.extend(tangent);
        }
        let tangent = dce::live(&staging::finish(&tape, &out));
        let forwarded = forwards(&tangent.consts, jaxpr.consts.iter().chain(&primals), may_forward);
        let residuals = left(&tangent.consts, &forwarded);
        let count = residuals.len();
        results.extend(residuals);
        let primal = dce::live(&staging::finish(&parent, &results));
        let (tangent, _) = tangent.separate();
        Ok(LinearizedJaxpr { primal, residuals: count, nonzero: flags, forwarded, tangent })
    })
}

/// For every residual, the known value that it is.
fn forwards<'a>(residuals: &[Val], known: impl Iterator<Item = &'a Val>, may: &[bool]) -> Vec<Option<usize>> {
    let mut places: FxHashMap<*const Array, usize> = FxHashMap::default();
    for (i, (value, may)) in known.zip(may).enumerate() {
        if *may {
            places.insert(Rc::as_ptr(value), i);
        }
    }
    residuals.iter().map(|r| places.get(&Rc::as_ptr(r)).copied()).collect()
}

/// The residuals that are not forwarded.
fn left(residuals: &[Val], forwarded: &[Option<usize>]) -> Vec<Val> {
    residuals.iter().zip(forwarded).filter(|(_, f)| f.is_none()).map(|(r, _)| r.clone()).collect()
}

/// What [`partial_eval_jaxpr`] gives.
#[derive(Clone, Debug)]
pub struct PartialJaxpr {
    /// From known inputs to known results and those residuals that are not forwarded.
    pub known: ClosedJaxpr,
    /// From residuals and unknown inputs to unknown results.
    pub unknown: ClosedJaxpr,
    /// Which results are unknown.
    pub unknown_results: Vec<bool>,
    /// How many residuals the known part gives after its results.
    pub residuals: usize,
    /// For every residual: the constant or known input (constants counted first) that it is.
    pub forwarded: Vec<Option<usize>>,
}

/// Splits a graph into what depends on unknown inputs and what does not. `may_forward` has a flag for every constant and
/// every known input; none: nothing is forwarded.
///
/// # Errors
/// What the rules raise.
pub fn partial_eval_jaxpr(
    cx: &Engine,
    jaxpr: &ClosedJaxpr,
    unknown: &[bool],
    instantiate: &[bool],
    may_forward: Option<&[bool]>,
) -> Step<PartialJaxpr> {
    let nowhere = vec![false; jaxpr.consts.len() + unknown.len()];
    let may_forward = may_forward.unwrap_or(&nowhere);
    cx.memoized(jaxpr, request("partial", &[unknown, instantiate, may_forward]), || {
        let parent = Staging::new(Some(cx.trace()), unnamed(jaxpr));
        let tape = Staging::new(Some(parent.clone()), unnamed(jaxpr));
        let trace = Rc::new(Trace::Partial { parent: parent.clone(), tape: tape.clone() });
        let mut known = Vec::new();
        let mut inputs = Vec::new();
        for (aval, unknown) in jaxpr.jaxpr.in_avals().zip(unknown) {
            let value = staging::argument(if *unknown { &tape } else { &parent }, aval.clone());
            if !*unknown {
                known.push(value.clone());
            }
            inputs.push(value);
        }
        let results = cx.within(&trace, || eval_closed(cx, jaxpr, &inputs))?;
        let flags: Vec<bool> =
            results.iter().zip(instantiate).map(|(v, inst)| *inst || linearize::on_tape(&tape, v)).collect();
        let (later, mut now): (Vec<_>, Vec<_>) = results.into_iter().zip(&flags).partition(|(_, unknown)| **unknown);
        let later: Vec<Val> = later.into_iter().map(|(v, _)| v).collect();
        let unknown = ordered(dce::live(&staging::finish(&tape, &later)));
        let forwarded = forwards(&unknown.consts, jaxpr.consts.iter().chain(&known), may_forward);
        let residuals = left(&unknown.consts, &forwarded);
        let count = residuals.len();
        let mut now: Vec<Val> = now.drain(..).map(|(v, _)| v).collect();
        now.extend(residuals);
        let known = staging::finish(&parent, &now);
        let (unknown, _) = unknown.separate();
        Ok(PartialJaxpr { known, unknown, unknown_results: flags, residuals: count, forwarded })
    })
}

/// What [`hoist`] gives.
pub struct Hoisted {
    /// The graph without what depends on constants alone; its constants come first.
    pub jaxpr: ClosedJaxpr,
    /// The constants.
    pub consts: Vec<Val>,
    /// For every one of the last results: its value if it depends on constants alone.
    pub residuals: Vec<Option<Val>>,
}

/// Computes what depends on constants alone, under the current trace. The last `residuals` results may vanish that way.
///
/// # Errors
/// What the rules raise.
pub fn hoist(cx: &Engine, jaxpr: &ClosedJaxpr, consts: &[Val], residuals: usize) -> Step<Hoisted> {
    let parent = cx.trace();
    let tape = Staging::new(Some(parent.clone()), unnamed(jaxpr));
    let trace: TraceRef = Rc::new(Trace::Partial { parent, tape: tape.clone() });
    let mut inputs = consts.to_vec();
    inputs.extend(jaxpr.jaxpr.in_avals().skip(consts.len()).map(|a| staging::argument(&tape, a.clone())));
    let mut results = cx.within(&trace, || eval_closed(cx, jaxpr, &inputs))?;
    let last = results.split_off(results.len() - residuals);
    let mut hoisted = Vec::new();
    for value in last {
        if linearize::on_tape(&tape, &value) {
            hoisted.push(None);
            results.push(value);
        } else {
            hoisted.push(Some(value));
        }
    }
    let (jaxpr, consts) = ordered(dce::live(&staging::finish(&tape, &results))).separate();
    Ok(Hoisted { jaxpr, consts, residuals: hoisted })
}

/// Brings constants into the order in which a walk from the results meets them.
fn ordered(closed: ClosedJaxpr) -> ClosedJaxpr {
    if closed.consts.len() < 2 {
        return closed;
    }
    let order = met(&closed.jaxpr);
    let mut pairs: Vec<(Var, Val)> =
        closed.jaxpr.constvars.iter().copied().zip(closed.consts.iter().cloned()).collect();
    pairs.sort_by_key(|(var, _)| order.get(var).copied().unwrap_or(usize::MAX));
    let mut jaxpr = (*closed.jaxpr).clone();
    jaxpr.constvars = pairs.iter().map(|(v, _)| *v).collect();
    ClosedJaxpr::new(jaxpr, pairs.into_iter().map(|(_, c)| c).collect())
}

/// The order in which constants are first met when the values of a graph are sorted topologically from inputs and results,
/// every use of a constant being a value of its own.
fn met(jaxpr: &Jaxpr) -> FxHashMap<Var, usize> {
    let constants: rustc_hash::FxHashSet<Var> = jaxpr.constvars.iter().copied().collect();
    let mut maker: FxHashMap<Var, usize> = FxHashMap::default();
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        for var in &eqn.outputs {
            maker.insert(*var, i);
        }
    }
    // A node is a variable, or the use of a constant: equation (or none for a result) and position.
    type Node = (Var, Option<(usize, usize)>);
    let parents = |node: &Node| -> Vec<Node> {
        let Some(eqn) = maker.get(&node.0).filter(|_| node.1.is_none()) else { return Vec::new() };
        let inputs = jaxpr.eqns[*eqn].inputs.iter().enumerate();
        inputs.filter_map(|(at, a)| a.var().map(|v| (v, constants.contains(&v).then_some((*eqn, at))))).collect()
    };
    let mut ends: Vec<Node> = Vec::new();
    let results = jaxpr
        .outvars
        .iter()
        .enumerate()
        .filter_map(|(at, a)| a.var().map(|v| (v, constants.contains(&v).then_some((usize::MAX, at)))));
    for node in jaxpr.invars.iter().map(|v| (*v, None)).chain(results) {
        if !ends.contains(&node) {
            ends.push(node);
        }
    }
    let mut children: FxHashMap<Node, usize> = FxHashMap::default();
    let mut stack = ends.clone();
    while let Some(node) = stack.pop() {
        let count = children.entry(node).or_insert(0);
        *count += 1;
        if *count == 1 {
            stack.extend(parents(&node));
        }
    }
    ends.iter().for_each(|n| *children.entry(*n).or_insert(1) -= 1);
    let mut free: Vec<Node> = ends.iter().filter(|n| children[*n] == 0).copied().collect();
    let mut sorted = Vec::new();
    while let Some(node) = free.pop() {
        sorted.push(node);
        for parent in parents(&node) {
            if let Some(count) = children.get_mut(&parent) {
                if *count == 1 {
                    free.push(parent);
                }
                *count = count.saturating_sub(1);
            }
        }
    }
    let mut order = FxHashMap::default();
    for (at, (var, _)) in sorted.iter().rev().filter(|(v, _)| constants.contains(v)).enumerate() {
        order.entry(*var).or_insert(at);
    }
    order
}
