//! What runs only if a condition holds that is not known, and how deep such runs lie inside each other.
//!
//! A function that calls itself behind such a condition would go on for ever, and one that does so in several places would take
//! twice as long with each level. It goes so deep as its own branches on what is not known allow; what it gives further down
//! is not known.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::{DEEP, Interp};
use crate::module::Code;
use crate::python::halt::{Halt, Step};

/// So many activations of one function may wait behind unknown conditions of their own.
const MOST_ACTIVATIONS: usize = 40;
/// So many branches on unknown conditions may one function run inside of its own activations.
const MOST_BRANCHES: u32 = 200;
/// What has been ended goes half as deep each time, down to this: that it teaches nothing further down is known by then. So many branches of
/// the run on what is not known count like one end more of each.
const LEAST_ACTIVATIONS: usize = 1;
const LEAST_BRANCHES: u32 = 2;
pub(in crate::interp) const MANY_DOUBTS: u64 = 8_192;

/// Side of a branch on an unknown condition, or what follows a doubtful exit: whose it is, and how deep its activation lies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Side {
    code: usize,
    depth: u32,
}

impl Side {
    /// In an activation of this code that lies so deep.
    pub fn of(code: &Code, depth: u32) -> Side {
        Side { code: std::ptr::from_ref(code).addr(), depth }
    }
}

/// What is under way that need not happen.
#[derive(Debug, Default)]
pub struct Doubt {
    level: Cell<u32>,
    /// Loops that may have been left, or gone on to their next round, in activations that still run.
    open_loops: Cell<usize>,
    sides: RefCell<Vec<Side>>,
    /// Branches inside of own activations, by code.
    branches: RefCell<FxHashMap<usize, u32>>,
    /// Code that has gone deep enough into itself.
    ended: RefCell<Vec<usize>>,
    /// How often code has been ended in this run.
    times_ended: RefCell<FxHashMap<usize, u32>>,
}

impl Doubt {
    /// How many unknown conditions decide on what runs now.
    #[inline]
    pub fn level(&self) -> u32 {
        self.level.get()
    }

    /// Whether the program may not come to what runs now: it is behind an unknown condition, or behind an exit of one.
    pub(super) fn is_any(&self) -> bool {
        self.level.get() > 0 || self.open_loops.get() > 0
    }

    /// More and fewer loops may have been left.
    pub(super) fn change_loops(&self, more: usize, fewer: usize) {
        self.open_loops.set((self.open_loops.get() + more).saturating_sub(fewer));
    }

    /// More and fewer conditions decide.
    pub(super) fn change(&self, more: u32, fewer: u32) {
        self.level.set((self.level.get() + more).saturating_sub(fewer));
    }

    /// Such a side begins.
    pub(super) fn enter(&self, side: Side) {
        self.sides.borrow_mut().push(side);
    }

    /// It ends; those of generators need not be the last.
    pub(super) fn leave(&self, side: Side) {
        let mut sides = self.sides.borrow_mut();
        if let Some(at) = sides.iter().rposition(|other| *other == side) {
            sides.remove(at);
        }
    }

    /// How many other activations of the function wait behind unknown conditions of their own.
    fn around(&self, side: Side) -> usize {
        let mut around = 0;
        let mut last = None;
        for other in self.sides.borrow().iter().filter(|other| other.code == side.code && other.depth != side.depth) {
            around += usize::from(last.replace(other.depth) != Some(other.depth));
        }
        around
    }

    /// Whether the function was called by itself behind an unknown condition.
    pub(super) fn is_recursion(&self, side: Side) -> bool {
        self.level.get() > 0 && self.around(side) > 0
    }

    /// Before a branch on an unknown condition, where the run had so many before: whether the function goes no deeper into itself.
    fn ends(&self, side: Side, before: u64) -> bool {
        let around = self.around(side);
        let mut branches = self.branches.borrow_mut();
        if around == 0 {
            branches.remove(&side.code);
            return false;
        }
        let count = branches.entry(side.code).or_default();
        *count += 1;
        let tired = u32::try_from(before / MANY_DOUBTS).unwrap_or(u32::MAX);
        let times = self.times_ended.borrow().get(&side.code).map_or(0, |times| *times).saturating_add(tired).min(31);
        let ends = around >= (MOST_ACTIVATIONS >> times).max(LEAST_ACTIVATIONS)
            || *count > (MOST_BRANCHES >> times).max(LEAST_BRANCHES);
        if ends && !self.ended.borrow().contains(&side.code) {
            self.ended.borrow_mut().push(side.code);
            *self.times_ended.borrow_mut().entry(side.code).or_default() += 1;
        }
        ends
    }

    /// Whether no activation waits any more of the functions that go no deeper; forgets those of which none does.
    fn is_over(&self) -> bool {
        let sides = self.sides.borrow();
        let mut ended = self.ended.borrow_mut();
        ended.retain(|code| sides.iter().any(|side| side.code == *code));
        ended.is_empty()
    }
}

impl Interp {
    /// A branch on an unknown condition begins.
    pub(super) fn note_branch(&self, side: Side) {
        if self.recorder.doubt.ends(side, self.doubts.get()) {
            self.deep.set(0);
        }
    }

    /// Before a call while no function is entered without being asked for.
    ///
    /// # Errors
    /// Unknown for one that has gone deep enough into itself.
    #[cold]
    pub(super) fn may_enter(&self, code: &Code) -> Step<()> {
        let doubt = &self.recorder.doubt;
        if doubt.is_over() {
            self.deep.set(DEEP);
            return Ok(());
        }
        match doubt.ended.borrow().contains(&std::ptr::from_ref(code).addr()) {
            true => Err(Halt::unknown("recursion that nobody knows the end of")),
            false => Ok(()),
        }
    }
}
