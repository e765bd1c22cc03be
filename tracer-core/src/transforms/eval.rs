//! Graphs on numbers, equation by equation.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use jitlens_kernels::pool::{self, Need};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::array::{Aval, DType, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Atom, ClosedJaxpr, Engine, Eqn, Jaxpr, Schedule, Val, Var};

use super::chain::{self, Chain, Work};
use super::simplify;
use super::turned::Turned;

/// Why numbers are not known that take too long.
pub const TOO_LARGE: &str = "its computation is too large to run while editing";

/// What running an equation costs beside its scalar operations.
const COST_OF_EQUATION: u64 = 128;

/// So many bytes of a chain are made one by one to tell of them.
const MOST_AGAIN: u64 = 256 << 20;

/// So many bytes that are alive leave less room for buffers that are kept.
const WORTH: usize = 1 << 20;

/// Buffers of so many elements are worth keeping.
const LARGE: usize = 1 << 12;

/// The results of a graph for these inputs.
///
/// # Errors
/// Unknown where there is no evaluation, or where it would take more than is left of the engine's fuel.
pub fn eval_tensors(cx: &Engine, closed: &ClosedJaxpr, inputs: &[Tensor]) -> Step<Vec<Tensor>> {
    let mut env: Vec<Option<Tensor>> = Vec::new();
    let graph = as_run(cx, closed);
    env.resize_with(graph.vars.len(), || None);
    run_equations(cx, graph, &closed.consts, inputs.iter().cloned(), &mut env)?;
    graph.outvars.iter().map(|a| read(cx, &mut env, a, false)).collect()
}

/// As [`eval_tensors`], of what a framework compiles.
///
/// # Errors
/// As [`eval_tensors`].
pub fn eval_compiled(cx: &Engine, closed: &ClosedJaxpr, inputs: &[Tensor]) -> Step<Vec<Tensor>> {
    compiled(cx, || eval_tensors(cx, closed, inputs))
}

/// Does what is part of a compiled function.
pub fn compiled<T>(cx: &Engine, work: impl FnOnce() -> T) -> T {
    let outside = cx.compiled.replace(true);
    let done = work();
    cx.compiled.set(outside);
    done
}

/// Whether some graph in this one, or it itself, is run by other equations than it has where it is compiled.
pub fn is_run_otherwise(jaxpr: &Jaxpr) -> bool {
    // Graphs that hold each other twice are looked at once.
    fn any(jaxpr: &Jaxpr, seen: &mut FxHashSet<*const Jaxpr>) -> bool {
        jaxpr.known.simplified(|| simplify::simplified(jaxpr)).is_some()
            || jaxpr
                .eqns
                .iter()
                .flat_map(|eqn| eqn.primitive.graphs())
                .any(|inner| seen.insert(Rc::as_ptr(&inner)) && any(&inner, seen))
    }
    any(jaxpr, &mut FxHashSet::default())
}

/// The equations that are run. Who looks on is shown those that were written.
fn as_run<'a>(cx: &Engine, closed: &'a ClosedJaxpr) -> &'a Jaxpr {
    let jaxpr = &closed.jaxpr;
    if !cx.compiled.get() || cx.observed.get() {
        return jaxpr;
    }
    jaxpr.known.simplified(|| simplify::simplified(jaxpr)).map_or(jaxpr, |graph| graph)
}

/// Runs the equations of a graph for these inputs in an environment that may hold what an earlier run has left.
fn run_equations(
    cx: &Engine,
    jaxpr: &Jaxpr,
    consts: &[Val],
    inputs: impl Iterator<Item = Tensor>,
    env: &mut [Option<Tensor>],
) -> Step<()> {
    for (var, value) in jaxpr.constvars.iter().zip(consts) {
        env[var.0 as usize] = Some(cx.force(value)?);
    }
    for (var, value) in jaxpr.invars.iter().zip(inputs) {
        env[var.0 as usize] = Some(value);
    }
    let schedule = jaxpr.known.schedule(|| schedule(jaxpr));
    let mut last_reads = &schedule.last_reads[..];
    let outside = pool::need();
    // Buffers are kept for later as far as what is alive leaves room for them.
    let hold = |unit: usize| {
        if let Some(held) = schedule.held.as_ref().filter(|_| outside.most != usize::MAX) {
            pool::set_need(Need { live: outside.live.saturating_add(held[unit]), ..outside });
        }
    };
    let outcome = match &schedule.work {
        None => (0..jaxpr.eqns.len()).try_for_each(|at| {
            hold(at);
            one(cx, jaxpr, schedule, at, env, &mut last_reads)
        }),
        Some(all) => all.iter().enumerate().try_for_each(|(unit, work)| {
            hold(unit);
            match work {
                Work::One(at) => one(cx, jaxpr, schedule, *at, env, &mut last_reads),
                Work::Chain(chain) => several(cx, jaxpr, schedule, chain, env, &mut last_reads),
                Work::Turned(pair) => turn(cx, jaxpr, schedule, pair, env, &mut last_reads),
            }
        }),
    };
    if schedule.held.is_some() {
        pool::set_need(outside);
    }
    outcome
}

/// Runs an equation. `last_reads` is what is left of the schedule's.
#[inline]
fn one(
    cx: &Engine,
    jaxpr: &Jaxpr,
    schedule: &Schedule,
    at: usize,
    env: &mut [Option<Tensor>],
    last_reads: &mut &[bool],
) -> Step<()> {
    cx.tick()?;
    let eqn = &jaxpr.eqns[at];
    let (own, rest) = last_reads.split_at(eqn.inputs.len());
    *last_reads = rest;
    // What nobody reads again is handed over: its buffer may be used for the result.
    let mut inputs: SmallVec<[Tensor; 4]> = SmallVec::new();
    for (atom, last) in eqn.inputs.iter().zip(own) {
        inputs.push(read(cx, env, atom, *last)?);
    }
    if let Some(cost) = schedule.costs[at] {
        spend(cx, cost)?;
    }
    if cx.observed.get() {
        cx.set_source(eqn.source);
        cx.closes.set(jaxpr.known.closing(|| closing(jaxpr))[at]);
    }
    let results = cx.run(&*eqn.primitive, &inputs, eqn.outputs.iter().map(|v| jaxpr.aval(*v)))?;
    if inputs.iter().any(|input| input.len() >= LARGE) {
        inputs.into_iter().for_each(Tensor::recycle);
    }
    // Work that was stopped is not done, however small what it reads.
    cx.stop_if_cancelled()?;
    for (var, value) in eqn.outputs.iter().zip(results) {
        env[var.0 as usize] = Some(value);
    }
    Ok(())
}

/// Runs the equations of a chain.
fn several(
    cx: &Engine,
    jaxpr: &Jaxpr,
    schedule: &Schedule,
    chain: &Chain,
    env: &mut [Option<Tensor>],
    last_reads: &mut &[bool],
) -> Step<()> {
    cx.tick()?;
    let reads = chain.reads.iter().map(|atom| read(cx, env, atom, false)).collect::<Step<Vec<Tensor>>>()?;
    // Who is told of every array has them made one by one.
    let outcome = match cx.observed.get() && cx.tells_all.get() {
        true => None,
        false => chain.run(jaxpr, &reads, cx.observed.get()),
    };
    cx.stop_if_cancelled()?;
    // Where there is room for all of them, so is what is told of whole arrays.
    let whole = chain.equations.iter().flat_map(|at| &jaxpr.eqns[*at].outputs).map(|var| bytes(jaxpr.aval(*var)));
    let fits = whole.fold(0, u64::saturating_add) <= MOST_AGAIN;
    let Some(outcome) = outcome.filter(|outcome| outcome.spoiled.is_none() || !fits) else {
        drop(reads);
        for at in &chain.equations {
            one(cx, jaxpr, schedule, *at, env, last_reads)?;
        }
        return Ok(());
    };
    if let Some(spoiled) = &outcome.spoiled {
        let eqn = &jaxpr.eqns[spoiled.at];
        cx.set_source(eqn.source);
        cx.tell(&*eqn.primitive, &spoiled.inputs, std::slice::from_ref(&spoiled.output));
    }
    for at in &chain.equations {
        spend(cx, schedule.costs[*at].unwrap_or(0))?;
        let inputs = &jaxpr.eqns[*at].inputs;
        let (own, rest) = last_reads.split_at(inputs.len());
        *last_reads = rest;
        for (atom, _) in inputs.iter().zip(own).filter(|(_, last)| **last) {
            if let Some(var) = atom.var() {
                env[var.0 as usize] = None;
            }
        }
    }
    reads.into_iter().for_each(Tensor::recycle);
    for (var, value) in outcome.results {
        env[var.0 as usize] = Some(value);
    }
    Ok(())
}

/// Runs a product and the transposition of its result.
fn turn(
    cx: &Engine,
    jaxpr: &Jaxpr,
    schedule: &Schedule,
    pair: &Turned,
    env: &mut [Option<Tensor>],
    last_reads: &mut &[bool],
) -> Step<()> {
    cx.tick()?;
    let (product, transpose) = (&jaxpr.eqns[pair.product], &jaxpr.eqns[pair.transpose]);
    let (own, rest) = last_reads.split_at(product.inputs.len());
    *last_reads = &rest[transpose.inputs.len()..];
    let read = |(atom, last): (&Atom, &bool)| read(cx, env, atom, *last);
    let inputs = product.inputs.iter().zip(own).map(read).collect::<Step<SmallVec<[Tensor; 4]>>>()?;
    for at in [pair.product, pair.transpose] {
        spend(cx, schedule.costs[at].unwrap_or(0))?;
    }
    let result = pair.eval(&inputs)?;
    cx.stop_if_cancelled()?;
    if cx.observed.get() {
        let closes = jaxpr.known.closing(|| closing(jaxpr));
        let back = [pair.back(&result)];
        cx.set_source(product.source);
        cx.closes.set(closes[pair.product]);
        cx.tell(&*product.primitive, &inputs, &back);
        cx.set_source(transpose.source);
        cx.closes.set(closes[pair.transpose]);
        cx.tell(&*transpose.primitive, &back, std::slice::from_ref(&result));
    }
    inputs.into_iter().for_each(Tensor::recycle);
    env[transpose.outputs[0].0 as usize] = Some(result);
    Ok(())
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

/// The rounds of a loop: they run in one environment.
pub struct Rounds<'a> {
    body: &'a ClosedJaxpr,
    graph: &'a Jaxpr,
    env: Vec<Option<Tensor>>,
}

impl<'a> Rounds<'a> {
    /// Rounds of this body.
    pub fn new(cx: &Engine, body: &'a ClosedJaxpr) -> Rounds<'a> {
        let (mut env, graph) = (Vec::new(), as_run(cx, body));
        env.resize_with(graph.vars.len(), || None);
        Rounds { body, graph, env }
    }

    /// Runs the round of this number, counted from 0, and hands out its results with their places. The inputs are used up.
    ///
    /// # Errors
    /// As [`eval_tensors`], and those of `give`.
    pub fn run(
        &mut self,
        cx: &Engine,
        inputs: &mut Vec<Tensor>,
        round: usize,
        mut give: impl FnMut(usize, Tensor) -> Step<()>,
    ) -> Step<()> {
        let observed = cx.observed.get();
        if observed {
            cx.rounds.borrow_mut().push(round);
        }
        let outcome = run_equations(cx, self.graph, &self.body.consts, inputs.drain(..), &mut self.env);
        if observed {
            cx.rounds.borrow_mut().pop();
        }
        outcome?;
        let outvars = &self.graph.outvars;
        for (i, atom) in outvars.iter().enumerate() {
            // What is given once is given away.
            let last = atom.var().is_some() && !outvars[i + 1..].iter().any(|other| other.var() == atom.var());
            give(i, read(cx, &mut self.env, atom, last)?)?;
        }
        Ok(())
    }
}

fn schedule(jaxpr: &Jaxpr) -> Schedule {
    let mut read_later: Vec<bool> = vec![false; jaxpr.vars.len()];
    jaxpr.outvars.iter().filter_map(Atom::var).for_each(|v| read_later[v.0 as usize] = true);
    let mut last_reads = Vec::new();
    let mut look = |eqn: &Eqn| {
        for atom in eqn.inputs.iter().rev() {
            last_reads.push(atom.var().is_some_and(|v| !std::mem::replace(&mut read_later[v.0 as usize], true)));
        }
    };
    let work = chain::find(jaxpr);
    match &work {
        None => jaxpr.eqns.iter().rev().for_each(look),
        Some(all) => {
            for work in all.iter().rev() {
                match work {
                    Work::One(at) => look(&jaxpr.eqns[*at]),
                    Work::Chain(chain) => chain.equations.iter().rev().for_each(|at| look(&jaxpr.eqns[*at])),
                    Work::Turned(pair) => [pair.transpose, pair.product].iter().for_each(|at| look(&jaxpr.eqns[*at])),
                }
            }
        }
    }
    last_reads.reverse();
    let cost = |eqn: &Eqn| Some(cost_of(jaxpr, eqn).saturating_add(COST_OF_EQUATION));
    let costs = jaxpr.eqns.iter().map(|eqn| if eqn.primitive.graphs().is_empty() { cost(eqn) } else { None });
    let mut schedule = Schedule { last_reads: last_reads.into(), costs: costs.collect(), work, held: None };
    let mut held = Vec::new();
    live(jaxpr, &schedule, |unit, alive, eqn| {
        // What a graph inside gives counts there.
        let inside = !eqn.primitive.graphs().is_empty();
        let own = eqn.outputs.iter().filter(|_| inside).map(|v| self::bytes(jaxpr.aval(*v)));
        let own = own.fold(0, u64::saturating_add);
        held.resize(unit + 1, 0);
        held[unit] = usize::try_from(alive.saturating_sub(own)).unwrap_or(usize::MAX).max(held[unit]);
    });
    schedule.held = held.iter().any(|bytes| *bytes >= WORTH).then(|| held.into());
    schedule
}

/// Whether each equation is the last one that its expression wrote.
fn closing(jaxpr: &Jaxpr) -> Box<[bool]> {
    let mut seen = FxHashSet::default();
    let mut all: Vec<bool> = jaxpr.eqns.iter().rev().map(|eqn| seen.insert(eqn.source)).collect();
    all.reverse();
    all.into()
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
    if let Some(done) = &*cx.done.borrow() {
        done.fetch_add(cost, Ordering::Relaxed);
    }
    Ok(())
}

/// Bytes that the arrays of a graph take at most at a time, its inputs and constants among them: what is read for the last time
/// is let go of.
pub fn memory(closed: &ClosedJaxpr) -> u64 {
    let inputs: u64 = closed.jaxpr.in_avals().map(bytes).fold(0, u64::saturating_add);
    let constants: u64 = closed.consts.iter().map(|value| bytes(&value.aval)).fold(0, u64::saturating_add);
    most_held(&closed.jaxpr).saturating_add(inputs).saturating_add(constants)
}

/// Bytes as `12 GiB`.
pub fn binary(bytes: u64) -> String {
    let (size, unit) = match bytes {
        b if b >= 1 << 30 => (b as f64 / f64::from(1 << 30), "GiB"),
        b if b >= 1 << 20 => (b as f64 / f64::from(1 << 20), "MiB"),
        b => (b as f64 / 1024.0, "KiB"),
    };
    let digits = usize::from(size < 10.0 && size.fract() >= 0.05);
    format!("{size:.digits$} {unit}")
}

/// Bytes that what graphs inside of a primitive make takes at most at a time.
pub fn inside(primitive: &dyn crate::primitives::Primitive) -> u64 {
    primitive.graphs().iter().map(|graph| most_held(graph)).max().unwrap_or(0)
}

/// Bytes that what a graph makes takes at most at a time.
pub fn made(closed: &ClosedJaxpr) -> usize {
    usize::try_from(most_held(&closed.jaxpr)).unwrap_or(usize::MAX)
}

/// Bytes that the equations of a graph hold at most, beside its inputs.
fn most_held(jaxpr: &Jaxpr) -> u64 {
    jaxpr.known.memory(|| {
        let mut most = 0;
        live(jaxpr, jaxpr.known.schedule(|| schedule(jaxpr)), |_, held, eqn| {
            let outputs: u64 = eqn.outputs.iter().map(|v| bytes(jaxpr.aval(*v))).fold(0, u64::saturating_add);
            // What a graph inside gives is not held twice.
            let beside = |graph: &Rc<Jaxpr>| {
                let given = graph.out_avals().map(bytes).fold(0, u64::saturating_add);
                most_held(graph).saturating_sub(given.min(outputs))
            };
            let inside = eqn.primitive.graphs().iter().map(beside).max().unwrap_or(0);
            most = most.max(held.saturating_add(inside));
        });
        most
    })
}

/// Tells for each equation, as they run, the number of what is done with it at a time, and the bytes that are alive of what the
/// graph has made.
fn live(jaxpr: &Jaxpr, schedule: &Schedule, mut visit: impl FnMut(usize, u64, &Eqn)) {
    let mut last_reads = schedule.last_reads.iter();
    let mut own = vec![false; jaxpr.vars.len()];
    let mut held = 0u64;
    // What a chain makes on the way is never there as a whole.
    let kept = |chain: &Chain, at: &usize| jaxpr.eqns[*at].outputs.iter().any(|var| chain.gives(*var));
    let order: Vec<(usize, usize, bool)> = match &schedule.work {
        None => (0..jaxpr.eqns.len()).map(|at| (at, at, true)).collect(),
        Some(all) => all
            .iter()
            .enumerate()
            .flat_map(|(unit, work)| match work {
                Work::One(at) => vec![(unit, *at, true)],
                Work::Chain(chain) => chain.equations.iter().map(|at| (unit, *at, kept(chain, at))).collect(),
                Work::Turned(pair) => vec![(unit, pair.product, false), (unit, pair.transpose, true)],
            })
            .collect(),
    };
    for (unit, eqn, kept) in order.iter().map(|(unit, at, kept)| (*unit, &jaxpr.eqns[*at], *kept)) {
        let held_by = |v: &Var| if kept { bytes(jaxpr.aval(*v)) } else { 0 };
        held = held.saturating_add(eqn.outputs.iter().map(held_by).fold(0, u64::saturating_add));
        visit(unit, held, eqn);
        eqn.outputs.iter().for_each(|v| own[v.0 as usize] = kept);
        for (atom, last) in eqn.inputs.iter().zip(&mut last_reads) {
            if let Some(var) = atom.var().filter(|var| *last && own[var.0 as usize]) {
                held = held.saturating_sub(bytes(jaxpr.aval(var)));
            }
        }
    }
}

/// Bytes that an array takes; those of unknown sizes take none.
fn bytes(aval: &Aval) -> u64 {
    let each = match aval.dtype {
        DType::Key(key) => 4 * key.words() as u64,
        DType::Narrow(_) => 4,
        dtype => u64::from(dtype.bits().div_ceil(8)),
    };
    aval.size().map_or(0, |size| each.saturating_mul(size as u64))
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
