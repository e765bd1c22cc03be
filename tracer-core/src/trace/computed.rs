//! Numbers that took long to compute are kept: the same computations on the same numbers give them at once.
//!
//! A helper that finds a constant by sampling, tabulating or searching is called for every layer of a model, each time with
//! arrays of its own; and what runs after an edit computes most of what ran before it. A computation is known by a digest of the
//! primitives that it waits for, with their parameters and graphs, and of the numbers at the bottom: computations with the
//! same digest give the same numbers, in this run and in those that follow it on its thread. The first time that a run asks for them, they take as
//! many operations from what is left for it as computing them did, so that no run knows more for what another one has done.

use std::cell::RefCell;
use std::fmt::{self, Write};
use std::hash::Hasher;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use siphasher::sip128::{Hasher128, SipHasher13};
use smallvec::SmallVec;

use super::{Atom, ClosedJaxpr, Effects, Engine, Jaxpr, Node, Val, Var};
use crate::array::Tensor;
use crate::for_buffer;
use crate::primitives::Primitive;
use crate::python::{Halt, Step, Why};

/// What takes fewer scalar operations is computed again.
pub(super) const WORTH_KEEPING: u64 = 20_000;

/// Computations and equations that are gone through for one digest.
const MOST_STEPS: usize = 400;
const MOST_EQUATIONS: usize = 20_000;

/// So deep do constants of graphs wait for graphs with constants that wait.
const MOST_DEPTH: u32 = 8;

/// Bytes of the arrays at the bottom of a computation, of the results of one that is kept, and of all that are.
const MOST_GIVEN: usize = 4 << 20;
const MOST_KEPT: usize = 256 << 10;
const MOST_IN_ALL: usize = 16 << 20;

/// So many runs later, what none of them has asked for goes; where there is little room, after one.
const MOST_RUNS: u64 = 8;

type Results = SmallVec<[Tensor; 1]>;

/// The results of a computation, or why there are none.
type Outcome = Result<Results, Why>;

/// What computations have given, by their digests. Runs that follow each other share it.
#[derive(Clone, Default)]
pub struct Computed(Rc<RefCell<Entries>>);

#[derive(Default)]
struct Entries {
    all: FxHashMap<u128, Entry>,
    bytes: usize,
    run: u64,
}

struct Entry {
    outcome: Outcome,
    bytes: usize,
    /// Scalar operations that were left for it, and those that it took.
    left: u64,
    fuel: u64,
    /// The run that asked for it last.
    run: u64,
}

impl Computed {
    /// A run has ended: what the last ones have not asked for goes.
    pub fn next_run(&self) {
        let entries = &mut *self.0.borrow_mut();
        let most = if entries.bytes > MOST_IN_ALL / 2 { 1 } else { MOST_RUNS };
        entries.run += 1;
        let run = entries.run;
        entries.all.retain(|_, entry| run - entry.run <= most);
        entries.bytes = entries.all.values().map(|entry| entry.bytes).sum();
    }

    /// What the computation with this digest came to where so much was left, and what that takes: in a run that has asked before, nothing.
    fn find(&self, digest: u128, left: u64) -> Option<(Outcome, u64)> {
        let entries = &mut *self.0.borrow_mut();
        let entry = entries.all.get_mut(&digest)?;
        // What came to no end may come to one where more is left, and what came to one to none where less is.
        let is_as_before = entry.outcome.is_ok() || entry.left == left;
        if !is_as_before || entry.run != entries.run && entry.fuel > left {
            return None;
        }
        let before = std::mem::replace(&mut entry.run, entries.run);
        let fuel = if before == entries.run { 0 } else { entry.fuel };
        Some((entry.outcome.clone(), fuel))
    }

    fn keep(&self, digest: u128, outcome: &Outcome, left: u64, fuel: u64) {
        let entries = &mut *self.0.borrow_mut();
        let bytes = 128 + outcome.iter().flatten().map(bytes).sum::<usize>();
        if bytes <= MOST_KEPT && entries.bytes + bytes <= MOST_IN_ALL {
            let entry = Entry { outcome: outcome.clone(), bytes, left, fuel, run: entries.run };
            let before = entries.all.insert(digest, entry).map_or(0, |entry| entry.bytes);
            entries.bytes = entries.bytes + bytes - before;
        }
    }
}

/// Bytes that the numbers of an array take.
fn bytes(tensor: &Tensor) -> usize {
    for_buffer!(&tensor.data, values => std::mem::size_of_val(&values[..]), none => 0)
}

impl Engine {
    /// What the computation of this digest came to, where it would come to that now.
    fn find_computed(&self, digest: u128) -> Option<Outcome> {
        let left = self.fuel.get();
        let (outcome, fuel) = self.computed.borrow().find(digest, left)?;
        self.fuel.set(left - fuel);
        Some(outcome)
    }

    /// The results of a computation that waits for others, as [`Engine::run_kept`] has them.
    ///
    /// # Errors
    /// Those of `compute`.
    pub(super) fn computed_before<T>(
        &self,
        node: &Rc<Node>,
        found: impl FnOnce(Results) -> Step<T>,
        compute: impl FnOnce() -> Step<T>,
    ) -> Step<T> {
        let Some(digest) = self.digest(|digest| digest.waiting(node)) else { return compute() };
        if let Some(Ok(results)) = self.find_computed(digest) {
            return found(results);
        }
        let (before, calls) = (self.fuel.get(), self.host_calls.get());
        let done = compute()?;
        let results: Option<Results> = (0..node.avals.len()).map(|index| node.result(index).cloned()).collect();
        if let Some(results) = results.filter(|_| self.host_calls.get() == calls) {
            self.computed.borrow().keep(digest, &Ok(results), before, before.saturating_sub(self.fuel.get()));
        }
        Ok(done)
    }

    /// The results of a primitive for these inputs, from an earlier application where there is one. `run` computes them.
    ///
    /// # Errors
    /// Those of `run`.
    pub(super) fn run_kept(
        &self,
        primitive: &Rc<dyn Primitive>,
        inputs: &[Tensor],
        run: impl FnOnce() -> Step<Results>,
    ) -> Step<Results> {
        // What graphs take is known when they have run.
        if primitive.graphs().is_empty() {
            return run();
        }
        let Some(digest) = self.digest(|digest| {
            digest.primitive(&**primitive)?;
            inputs.iter().try_for_each(|input| digest.numbers(input))
        }) else {
            return run();
        };
        if let Some(outcome) = self.find_computed(digest) {
            return outcome.map_err(Halt::Unknown);
        }
        let (before, calls) = (self.fuel.get(), self.host_calls.get());
        let outcome = run();
        let took = before.saturating_sub(self.fuel.get());
        let outcome = match outcome {
            Err(Halt::Unknown(why)) => Err(why),
            other => Ok(other?),
        };
        if took >= WORTH_KEEPING && self.host_calls.get() == calls {
            self.computed.borrow().keep(digest, &outcome, before, took);
        }
        outcome.map_err(Halt::Unknown)
    }

    /// A digest of what is written into it, and of what all computations depend on; `None` where that is too much or not all of it.
    fn digest(&self, write: impl FnOnce(&mut Digest) -> Option<()>) -> Option<u128> {
        if self.observed.get() {
            return None;
        }
        let mut digest = Digest { host: self.on_host.get(), ..Digest::default() };
        digest.mark(&[self.config().numpy_promotion, self.compiled.get(), digest.host].map(u8::from));
        write(&mut digest)?;
        Some(digest.end())
    }
}

/// A computation as it is written out, in little. `None` of its methods says that it is not known by that.
pub struct Digest {
    hasher: SipHasher13,
    /// Bytes of arrays and equations that may still be gone through.
    bytes: usize,
    equations: usize,
    /// The number of each computation that is written.
    seen: FxHashMap<*const Node, usize>,
    /// Constants of graphs that wait for computations of graphs with such constants.
    depth: u32,
    /// Whether graphs may call functions of the program's: what came to an end without that is known by where it might have.
    host: bool,
}

impl Default for Digest {
    fn default() -> Digest {
        Digest {
            hasher: SipHasher13::new(),
            bytes: MOST_GIVEN,
            equations: MOST_EQUATIONS,
            seen: FxHashMap::default(),
            depth: 0,
            host: false,
        }
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.hasher.write(text.as_bytes());
        Ok(())
    }
}

impl Digest {
    fn end(&self) -> u128 {
        self.hasher.finish128().as_u128()
    }

    fn mark(&mut self, marks: &[u8]) {
        self.hasher.write(marks);
    }

    /// What is not part of a graph.
    pub fn text(&mut self, text: fmt::Arguments<'_>) -> Option<()> {
        self.write_fmt(text).ok()?;
        self.mark(&[0xff]);
        Some(())
    }

    /// A computation behind all that it waits for.
    fn waiting(&mut self, root: &Rc<Node>) -> Option<()> {
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, ready)) = stack.pop() {
            if self.seen.contains_key(&Rc::as_ptr(&node)) {
                continue;
            }
            let inputs = node.inputs();
            if !ready {
                stack.push((node, true));
                for (inner, _) in inputs.iter().rev().filter_map(|input| input.node()) {
                    if !inner.is_done() {
                        stack.push((inner.clone(), false));
                    }
                }
                if stack.len() > 2 * MOST_STEPS {
                    return None;
                }
                continue;
            }
            if self.seen.len() == MOST_STEPS {
                return None;
            }
            self.primitive(&*node.primitive)?;
            for input in &inputs {
                match input.node() {
                    Some((inner, index)) if !inner.is_done() => self.result(inner, index)?,
                    _ => self.given(input)?,
                }
            }
            self.text(format_args!("{:?}", node.avals))?;
            self.seen.insert(Rc::as_ptr(&node), self.seen.len());
        }
        Some(())
    }

    /// A result of a computation that is written.
    fn result(&mut self, node: &Rc<Node>, index: usize) -> Option<()> {
        let number = *self.seen.get(&Rc::as_ptr(node))?;
        self.text(format_args!("%{number}.{index}"))
    }

    /// A constant of a graph: an array at the bottom, or one that waits as well.
    fn constant(&mut self, value: &Val) -> Option<()> {
        let Some((node, index)) = value.node().filter(|(node, _)| !node.is_done()) else { return self.given(value) };
        if self.depth == MOST_DEPTH {
            return None;
        }
        self.depth += 1;
        self.waiting(node)?;
        self.depth -= 1;
        self.result(node, index)
    }

    /// An array at the bottom.
    fn given(&mut self, value: &Val) -> Option<()> {
        self.mark(&[u8::from(value.aval.weak)]);
        self.numbers(value.tensor()?)
    }

    /// The numbers of an array, with its type.
    fn numbers(&mut self, tensor: &Tensor) -> Option<()> {
        self.bytes = self.bytes.checked_sub(bytes(tensor))?;
        self.text(format_args!("{}{:?}", tensor.dtype.short(), tensor.shape))?;
        for_buffer!(&tensor.data, values => self.hasher.write(bytemuck::cast_slice(&values[..])), none => {});
        Some(())
    }

    /// What may happen in what is written.
    fn allowed(&self) -> Effects {
        if self.host { Effects::HOST.and(Effects::IO).and(Effects::ORDERED_IO) } else { Effects::NONE }
    }

    /// A primitive with its parameters.
    fn primitive(&mut self, primitive: &dyn Primitive) -> Option<()> {
        let allowed = self.allowed();
        if primitive.effects().and(allowed) != allowed || primitive.own().is_some() {
            return None;
        }
        self.text(format_args!("{}", primitive.name()))?;
        primitive.digest(self)
    }

    /// A graph with its constants.
    pub fn graph(&mut self, graph: &ClosedJaxpr) -> Option<()> {
        graph.consts.iter().try_for_each(|value| self.constant(value))?;
        let allowed = self.allowed();
        if graph.jaxpr.effects.and(allowed) != allowed {
            return None;
        }
        let own = graph.jaxpr.known.digest(|| {
            let mut inner = Digest { host: true, ..Digest::default() };
            inner.equations(&graph.jaxpr)?;
            Some(inner.end())
        })?;
        self.mark(&own.to_le_bytes());
        Some(())
    }

    fn equations(&mut self, jaxpr: &Jaxpr) -> Option<()> {
        self.equations = self.equations.checked_sub(jaxpr.eqns.len())?;
        for bound in [&jaxpr.constvars, &jaxpr.invars] {
            bound.iter().try_for_each(|var| self.variable(*var, jaxpr))?;
            self.mark(b";");
        }
        for eqn in &jaxpr.eqns {
            self.primitive(&*eqn.primitive)?;
            eqn.inputs.iter().try_for_each(|input| self.atom(input))?;
            self.mark(b">");
            eqn.outputs.iter().try_for_each(|output| self.variable(*output, jaxpr))?;
            self.mark(b";");
        }
        jaxpr.outvars.iter().try_for_each(|atom| self.atom(atom))
    }

    fn variable(&mut self, var: Var, jaxpr: &Jaxpr) -> Option<()> {
        self.text(format_args!("{}:{:?}", var.0, jaxpr.aval(var)))
    }

    fn atom(&mut self, atom: &Atom) -> Option<()> {
        match atom {
            Atom::Var(var) => {
                self.mark(b"v");
                self.mark(&var.0.to_le_bytes());
                Some(())
            }
            Atom::Literal(value) => {
                self.mark(b"l");
                self.constant(value)
            }
        }
    }
}
