//! Numbers on demand: runs the deferred computations behind an array, within limits and without recursion.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::computed::WORTH_KEEPING;
use super::{Array, Effects, Engine, Node, Repr, Val};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Pruned};
use crate::python::{Halt, Step, Why};
use crate::transforms::eval;

/// So many graphs are thinned out for one number, and in one run: each time costs a walk through the graph.
const MOST_THINNED: u32 = 12;
const MOST_THINNED_IN_RUN: u32 = 96;
/// Of a computation of more results none is looked for one by one where some are not evaluated.
pub const MOST_ONE_BY_ONE: usize = 32;

/// So many computations back, a value is asked what it needs.
const MOST_STEPS_BACK: usize = 200;

/// What takes more than such a part of what is left is looked at for what it need not compute.
const DEAR: u64 = 32;

/// Bytes that the results of one demand may take.
const BYTES: u64 = 256 << 20;

/// Bytes that a compiled function may take on the way to its results.
const INSIDE: u64 = 2 << 30;

/// Scalar operations that a Python float of an array's may take.
pub const FLOAT_WORTH: u64 = 1_000_000;

/// The same where the program says that it wants to have numbers while tracing: it decides with them.
const EVALUATED_WORTH: u64 = 50_000_000;

/// The numbers of what has run.
fn read(value: &Val) -> Step<Tensor> {
    match value.node().and_then(|(node, index)| node.why(index).cloned()) {
        Some(why) => Err(Halt::Unknown(why)),
        None => value.read().cloned(),
    }
}

impl Engine {
    /// The numbers of an eager array.
    ///
    /// # Errors
    /// Unknown for tracers, for computations that cannot be evaluated and for those past the limits.
    pub fn force(&self, value: &Val) -> Step<Tensor> {
        self.force_within(value, u64::MAX)
    }

    /// As [`Engine::force`], of what takes at most so many scalar operations.
    ///
    /// # Errors
    /// As [`Engine::force`]; what takes more stays to be computed by those to whom it is worth more.
    pub fn force_within(&self, value: &Val, most: u64) -> Step<Tensor> {
        if !value.is_literal() {
            self.recorder.spoil();
        }
        if let Some(tensor) = value.tensor() {
            return Ok(tensor.clone());
        }
        let Some((node, index)) = value.node() else { return value.read().cloned() };
        if let Some(lean) = node.lean(index) {
            return self.force_within(&lean, most);
        }
        if self.idle.get() {
            return Err(Halt::unknown("numbers that nobody reads"));
        }
        if most < self.fuel.get() && self.work(node, most) > most {
            return Err(Halt::unknown("a number that takes long to compute"));
        }
        if self.work(node, WORTH_KEEPING) <= WORTH_KEEPING {
            return self.force_anew(value, node, index);
        }
        let found = |results: SmallVec<[Tensor; 1]>| {
            node.finish(Ok(results));
            read(value)
        };
        self.computed_before(node, found, || self.force_anew(value, node, index))
    }

    /// As [`Engine::force_within`], of a computation that has not run.
    fn force_anew(&self, value: &Val, node: &Rc<Node>, index: usize) -> Step<Tensor> {
        let planned = self.plan(node);
        // What it needs may be less than all that is computed on the way.
        let most = match &planned {
            Ok((_, cost)) if *cost <= self.fuel.get() / DEAR => 0,
            Ok((_, cost)) => cost / 2,
            Err(_) => u64::MAX,
        };
        if most > 0
            && let lean = self.lean(value)
            && !Rc::ptr_eq(&lean, value)
            && let Some((inner, _)) = lean.node()
            && let Ok((order, cost)) = self.plan(inner)
            && cost <= most
        {
            node.set_lean(index, lean.clone());
            self.run_all(order)?;
            return read(&lean);
        }
        let order = match planned {
            Ok((order, _)) => order,
            Err(why) => {
                // Of several results others may still be had.
                if node.avals.len() == 1 {
                    node.finish(Err(why.clone()));
                }
                return Err(Halt::Unknown(why));
            }
        };
        self.run_all(order)?;
        read(value)
    }

    /// Computes what was just bound, where enough operations are left for it.
    pub(super) fn compute_now(&self, node: &Rc<Node>) -> Step<()> {
        if self.idle.get() {
            return Ok(());
        }
        match self.plan(node) {
            Ok((order, _)) => self.run_all(order),
            Err(_) => {
                self.starved.set(true);
                Ok(())
            }
        }
    }

    /// The value by computations that give no results but those that are needed; itself where there is nothing to leave out,
    /// or too much.
    fn lean(&self, value: &Val) -> Val {
        let most = MOST_THINNED.min(MOST_THINNED_IN_RUN.saturating_sub(self.thinned.get()));
        let mut thinning = Thinning { seen: FxHashMap::default(), left: most, fuel: self.fuel.get() };
        let lean = if most > 0 { thinning.lean(value, 0) } else { Some(value.clone()) };
        self.thinned.set(self.thinned.get() + most - thinning.left);
        lean.unwrap_or_else(|| value.clone())
    }

    /// The numbers of an eager array for a program that makes Python numbers of them. An integer may become a shape; a float
    /// seldom decides what a program does, so that less is spent on it.
    ///
    /// # Errors
    /// As [`Engine::force`].
    pub fn force_for_python(&self, value: &Val) -> Step<Tensor> {
        let dtype = value.aval.dtype;
        let inexact = dtype.is_inexact();
        self.force_within(value, if inexact { self.worth(FLOAT_WORTH) } else { u64::MAX })
    }

    /// What may be spent on numbers that are usually worth so many scalar operations.
    pub fn worth(&self, usually: u64) -> u64 {
        match (self.generous.get(), self.evaluates.get()) {
            (true, _) => self.fuel.get().max(usually),
            (false, true) => EVALUATED_WORTH.max(usually),
            (false, false) => usually,
        }
    }

    fn run_all(&self, order: Vec<Rc<Node>>) -> Step<()> {
        if !self.observed.get() {
            return self.run_in_order(order);
        }
        let (source, forced) = (self.source(), self.forced.borrow().clone());
        let outcome = self.run_in_order(order);
        self.set_source(source);
        *self.forced.borrow_mut() = forced;
        outcome
    }

    fn run_in_order(&self, order: Vec<Rc<Node>>) -> Step<()> {
        for node in order {
            self.tick()?;
            // What was planned may have run since, for a part of another one (`lean`): it has let go of its inputs.
            if node.is_done() {
                continue;
            }
            if self.observed.get() {
                self.set_source(node.source);
                *self.forced.borrow_mut() = Some(node.clone());
            }
            let inputs = node.inputs();
            let outcome = match inputs.iter().map(|v| v.read().cloned()).collect::<Step<SmallVec<[Tensor; 4]>>>() {
                Ok(tensors) => {
                    if node.primitive.graphs().is_empty() {
                        self.fuel.set(self.fuel.get().saturating_sub(node.cost()));
                    }
                    self.run_kept(&node.primitive, &tensors, || self.run(&*node.primitive, &tensors, &node.avals))
                }
                Err(halt) => Err(halt),
            };
            match outcome {
                Ok(results) => node.finish(Ok(results)),
                Err(Halt::Unknown(why)) => {
                    let had = self.one_by_one(&node)?;
                    node.finish_partly(why, had);
                }
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// The results that a computation gives without those that are not evaluated, each computed for itself; none where nothing can be left out.
    fn one_by_one(&self, node: &Node) -> Step<SmallVec<[Option<Tensor>; 2]>> {
        let count = node.avals.len();
        if !(2..=MOST_ONE_BY_ONE).contains(&count) || node.primitive.graphs().is_empty() || self.observed.get() {
            return Ok(SmallVec::new());
        }
        let (inputs, effects) = (node.inputs(), node.primitive.effects());
        if effects != Effects::NONE {
            return Ok(SmallVec::new());
        }
        let mut all: SmallVec<[Option<Tensor>; 2]> = SmallVec::from_elem(None, count);
        for (index, found) in all.iter_mut().enumerate() {
            let used: SmallVec<[bool; 8]> = (0..count).map(|i| i == index).collect();
            let Some(Pruned { primitive: Some(rest), inputs: kept, outputs }) = node.primitive.prune(&used) else {
                continue;
            };
            let tensors: Step<SmallVec<[Tensor; 4]>> =
                inputs.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(v, _)| v.read().cloned()).collect();
            let Ok(tensors) = tensors else { continue };
            let avals: Avals =
                node.avals.iter().zip(&outputs).filter(|(_, kept)| **kept).map(|(a, _)| a.clone()).collect();
            let place = outputs.iter().take(index).filter(|kept| **kept).count();
            match self.run(&*rest, &tensors, &avals) {
                Ok(mut results) if place < results.len() => *found = Some(results.swap_remove(place)),
                Ok(_) | Err(Halt::Unknown(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(all)
    }

    /// Scalar operations that stand between a computation and its numbers; counted no further than past `most`.
    fn work(&self, root: &Rc<Node>, most: u64) -> u64 {
        let mut work = 0u64;
        let mut seen: FxHashSet<*const Node> = FxHashSet::default();
        let mut stack = vec![root.clone()];
        while let Some(node) = stack.pop() {
            if node.is_done() || !seen.insert(Rc::as_ptr(&node)) {
                continue;
            }
            work = work.saturating_add(node.cost().max(1));
            if work > most {
                break;
            }
            stack.extend(node.inputs().iter().filter_map(|input| input.node().map(|(inner, _)| inner.clone())));
        }
        work
    }

    /// The computations to run, inputs first, and what they take; an error when that is more than is left.
    fn plan(&self, root: &Rc<Node>) -> Result<(Vec<Rc<Node>>, u64), Why> {
        let (mut cost, mut bytes) = (0u64, 0u64);
        let mut seen: FxHashSet<*const Node> = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, expanded)) = stack.pop() {
            if node.is_done() {
                continue;
            }
            if expanded {
                order.push(node);
                continue;
            }
            if !seen.insert(Rc::as_ptr(&node)) {
                continue;
            }
            cost = cost.saturating_add(node.cost());
            let size = |a: &Aval| a.size().unwrap_or(usize::MAX) as u64;
            bytes = node.avals.iter().fold(bytes, |n, a| n.saturating_add(size(a).saturating_mul(4)));
            let inside = eval::inside(&*node.primitive);
            if inside > INSIDE {
                return Err(Why(format!("needs {}, limit {}", eval::binary(inside), eval::binary(INSIDE)).into()));
            }
            if cost > self.fuel.get() || bytes > BYTES {
                return Err(Why("its computation is too large to run while editing".into()));
            }
            stack.push((node.clone(), true));
            for input in node.inputs() {
                if let Some((inner, _)) = input.node() {
                    if !inner.is_done() {
                        stack.push((inner.clone(), false));
                    }
                }
            }
        }
        Ok((order, cost))
    }
}

/// Thinning out what a value needs.
struct Thinning {
    /// What has been looked at.
    seen: FxHashMap<(*const Node, usize), Val>,
    /// Graphs that may still be thinned out.
    left: u32,
    /// Scalar operations that may still be computed: what takes more is not computed, thinned out or not.
    fuel: u64,
}

impl Thinning {
    /// The value by computations that give no results but those that are needed; itself where there is nothing to leave out,
    /// `None` where there is too much.
    fn lean(&mut self, value: &Val, depth: usize) -> Option<Val> {
        let Some((node, index)) = value.node() else { return Some(value.clone()) };
        if node.is_done() || depth > MOST_STEPS_BACK {
            return Some(value.clone());
        }
        if let Some(lean) = node.lean(index).or_else(|| self.seen.get(&(Rc::as_ptr(node), index)).cloned()) {
            return Some(lean);
        }
        let (mut primitive, mut inputs, mut avals, mut place) =
            (node.primitive.clone(), node.inputs(), node.avals.clone(), index);
        if avals.len() > 1 {
            self.left = self.left.checked_sub(1)?;
            let used: SmallVec<[bool; 8]> = (0..avals.len()).map(|i| i == index).collect();
            if let Some(Pruned { primitive: Some(rest), inputs: kept_inputs, outputs }) = primitive.prune(&used) {
                let (mut kept, mut given) = (kept_inputs.iter(), outputs.iter());
                inputs.retain(|_| kept.next().copied().unwrap_or(true));
                avals.retain(|_| given.next().copied().unwrap_or(true));
                place = outputs.iter().take(index).filter(|kept| **kept).count();
                primitive = rest;
            }
        }
        let changed = !Rc::ptr_eq(&primitive, &node.primitive);
        if changed {
            let in_avals: SmallVec<[&Aval; 4]> = inputs.iter().map(|v| &v.aval).collect();
            self.fuel = self.fuel.checked_sub(primitive.cost(&in_avals, &avals))?;
        }
        let leaner: SmallVec<[Val; 2]> =
            inputs.iter().map(|input| self.lean(input, depth + 1)).collect::<Option<_>>()?;
        let found = if !changed && leaner.iter().zip(&inputs).all(|(a, b)| Rc::ptr_eq(a, b)) {
            value.clone()
        } else {
            let inner = node.beside(primitive, &leaner, avals);
            let lean = Rc::new(Array { aval: value.aval.clone(), repr: Repr::Deferred(inner, place) });
            if depth > 0 {
                node.set_lean(index, lean.clone());
            }
            lean
        };
        self.seen.insert((Rc::as_ptr(node), index), found.clone());
        Some(found)
    }
}
