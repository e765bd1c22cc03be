//! What traced code does beside computing: it happens while the function is traced, and not again when the trace is used.
//!
//! One file for what is written, for what is read, for random keys and for clocks. Each hands facts on as events; the rules
//! in `diagnostics` say what they mean.

mod clocks;
mod keys;
mod readings;
mod texts;
pub(super) mod writes;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::clocks::SinceClock;
pub use self::keys::KeyUsed;
use self::keys::{Folded, KeyUses};
pub use self::readings::Reading;
use self::readings::Variable;
use self::writes::Write;
use super::Interp;
use super::events::{Effect, Event};
use super::function::Run;
use crate::module::ExprId;
use crate::python::halt::Site;
use crate::python::halt::Step;
use crate::python::{Value, journal};
use crate::trace::{Array, Val};

/// How a function is traced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Into a graph, which is used instead of it from then on.
    Staged,
    /// Once for all elements along an axis.
    Batched,
    /// With derivatives: it runs at every call.
    Differentiated,
}

/// Loops of so many rounds are long for a graph.
const LONG_LOOP: u64 = 50;

/// What happens under the traces that are under way.
#[derive(Default)]
pub struct Effects {
    /// The age from which on objects belong to the innermost trace, and to the innermost one that is no derivative's; 0
    /// outside of all.
    since: Cell<u32>,
    since_lasting: Cell<u32>,
    lasting: Cell<Option<How>>,
    /// How many calls of the user's there are around the function that is traced.
    depth: Cell<usize>,
    /// The age of the containers that stand for those of a call: copies, which nobody else sees. 0 where there are none.
    given: Cell<u32>,
    argument_writes: RefCell<Vec<(Value, Site)>>,
    writes: RefCell<Vec<Write>>,
    /// Whether the function is traced into a graph, and whether into one or for all elements of an axis at once.
    staged: Cell<bool>,
    reads: Cell<bool>,
    readings: RefCell<Vec<Reading>>,
    /// Variables that a trace has read, and where such were bound since, by what tells them apart ([`Variable::digest`]).
    read: RefCell<FxHashSet<u64>>,
    bound: RefCell<FxHashMap<u64, (Variable, Site)>>,
    has_readings: Cell<bool>,
    /// Whether functions that were differentiated are noted, and which were.
    differentiated: Cell<bool>,
    derived: RefCell<FxHashSet<Site>>,
    /// What happened since a clock was read, once one was.
    since_clock: Cell<Option<SinceClock>>,
    /// Random keys that were used up.
    keys: RefCell<FxHashMap<*const Array, KeyUses>>,
    /// Random keys that were made of others by numbers that are known.
    folded_keys: RefCell<FxHashMap<*const Array, Folded>>,
    /// Random keys that a function which runs for all elements of an axis has read from outside.
    captured_keys: RefCell<FxHashMap<*const Array, Val>>,
}

impl Effects {
    /// Whether a function is traced.
    #[inline(always)]
    pub fn is_tracing(&self) -> bool {
        self.since.get() != 0
    }
    /// Whether what the user's code reads is kept with the trace.
    #[inline(always)]
    pub fn keeps_reads(&self) -> bool {
        self.reads.get()
    }
}

impl Interp {
    /// Runs a function that is traced: notes what it does beside computing.
    pub fn in_trace<R>(self: &Rc<Self>, how: How, body: impl FnOnce() -> R) -> R {
        let effects = &self.effects;
        let before = (effects.since.get(), effects.since_lasting.get(), effects.lasting.get());
        let depth = effects.depth.get();
        let differentiated = effects.differentiated.replace(effects.differentiated.get() || how == How::Differentiated);
        let staged = effects.staged.replace(effects.staged.get() || how == How::Staged);
        let reads = effects.reads.replace(effects.reads.get() || how != How::Differentiated);
        let since = journal::grow_older();
        effects.since.set(since);
        if how != How::Differentiated {
            effects.since_lasting.set(since);
            effects.lasting.set(Some(how));
            effects.depth.set(self.user_stack.borrow().len());
        }
        let noted = effects.writes.borrow().len();
        let result = body();
        effects.staged.set(staged);
        effects.reads.set(reads);
        effects.differentiated.set(differentiated);
        effects.since.set(before.0);
        effects.since_lasting.set(before.1);
        effects.lasting.set(before.2);
        effects.depth.set(depth);
        if effects.writes.borrow().len() > noted {
            let writes = effects.writes.borrow_mut().split_off(noted);
            self.note_writes(writes);
        }
        result
    }

    /// Runs a function that is traced on containers that are copies of those that it was called with: what it writes to them
    /// and does not return is lost.
    ///
    /// # Errors
    /// What either raises.
    pub fn in_call<A>(
        self: &Rc<Self>,
        how: How,
        args: impl FnOnce() -> Step<A>,
        body: impl FnOnce(A) -> Step<Value>,
    ) -> Step<Value> {
        let age = journal::grow_older();
        let args = args()?;
        let effects = &self.effects;
        let around = effects.given.replace(age);
        let noted = effects.argument_writes.borrow().len();
        let result = self.in_trace(how, || body(args));
        effects.given.set(around);
        if effects.argument_writes.borrow().len() > noted {
            let writes = effects.argument_writes.borrow_mut().split_off(noted);
            self.note_argument_writes(writes, result.as_ref().ok());
        }
        result
    }

    /// Runs what happens once for the program, whoever comes first: the body of a module.
    pub(in crate::interp) fn outside_traces<R>(&self, body: impl FnOnce() -> R) -> R {
        let effects = &self.effects;
        if !effects.is_tracing() {
            return body();
        }
        let ages = (effects.since.take(), effects.since_lasting.take(), effects.given.take());
        let hows = (effects.lasting.take(), effects.staged.take(), effects.reads.take(), effects.differentiated.take());
        let result = journal::as_old_as_the_program(body);
        effects.since.set(ages.0);
        effects.since_lasting.set(ages.1);
        effects.given.set(ages.2);
        effects.lasting.set(hows.0);
        effects.staged.set(hows.1);
        effects.reads.set(hows.2);
        effects.differentiated.set(hows.3);
        result
    }

    /// Whether a function is traced.
    pub fn effects_trace(&self) -> bool {
        self.effects.is_tracing()
    }

    /// Whether something that was made in this age is from outside of the trace.
    pub fn is_older_than_trace(&self, born: u32) -> bool {
        born < self.effects.since_lasting.get()
    }

    /// A function of the user's is entered: notes it where its derivative is taken.
    #[inline(always)]
    pub(in crate::interp) fn note_entered(&self, site: Site) {
        if self.effects.differentiated.get() && self.effects.derived.borrow_mut().insert(site) {
            self.events.note(Event::Differentiated { site });
        }
    }

    /// A loop over a range is over: notes whether it has become so many copies of its body in a graph.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn note_unrolled(&self, site: Site, rounds: u64, operations: u64) {
        if operations >= rounds && self.effects.staged.get() && !journal::speculating() {
            self.events.note(Event::Unrolled { site, rounds });
        }
    }

    /// Something that traced code asks the machine for, or does to it: noted at the user's line.
    pub fn note_effect(&self, effect: Effect) {
        if effect == Effect::Clock && !self.effects.is_tracing() {
            return self.note_clock();
        }
        let Some(site) = self.standing() else { return };
        if self.engine.is_staging() {
            self.events.note(Event::SideEffect { site, effect });
        } else if self.effects.lasting.get() == Some(How::Batched) && effect.is_for_one() {
            // Under eager `grad` and `vmap` it happens at every call.
            self.events.note(Event::SideEffect { site, effect: Effect::ForAll(Box::new(effect)) });
        }
    }
}

impl Run<'_> {
    /// Whether what this code writes is looked at.
    #[inline(always)]
    pub(in crate::interp) fn watches_writes(&self) -> bool {
        self.user && (self.it.effects.is_tracing() || self.it.effects.has_readings.get())
    }

    /// Whether what this code reads is kept.
    #[inline(always)]
    pub(in crate::interp) fn keeps_reads(&self) -> bool {
        self.user && self.it.effects.keeps_reads()
    }

    /// A loop over a range of the user's is over.
    #[inline(always)]
    pub(in crate::interp) fn range_over(&self, rounds: u64, work: u64, head: ExprId) {
        if rounds >= LONG_LOOP && self.keeps_reads() {
            let operations = self.it.array_work.get().saturating_sub(work);
            self.it.note_unrolled(self.site(self.module.span(head)), rounds, operations);
        }
    }

    /// A loop over a range of the user's is summed up: what its rounds were until now, the others will be.
    #[cold]
    pub(in crate::interp) fn range_ahead(&self, begun: u64, left: u64, work: u64, head: ExprId) {
        let operations = self.it.array_work.get().saturating_sub(work);
        if left > 0 && begun + left >= LONG_LOOP && self.keeps_reads() && operations >= begun {
            self.it.note_unrolled(self.site(self.module.span(head)), begun + left, u64::MAX);
        }
    }

    /// The text of a traced value becomes a part of another.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn formats(&self, expr: ExprId) {
        let site = self.site(self.module.span(expr));
        self.it.events.note(Event::SideEffect { site, effect: Effect::Formatted });
    }
}
