//! Variables of activations, and the slots that they stand in.

use std::cell::RefCell;
use std::rc::Rc;

use super::Interp;
use super::doubt::{Doubt, Side};
use crate::module::Code;
use crate::python::container::join_values;
use crate::python::{Attrs, CellRef, Mutable, Value};

/// Slots come in sizes: this, twice this, and so on.
const LEAST_SLOTS: usize = 8;
/// How many sizes of slots are kept for later runs, and how many slots of each size.
const SIZES: usize = 8;
const MOST_SPARE: usize = 256 * 64;

/// A size of slots: the exponent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotSize(u8);

impl SlotSize {
    /// The smallest size that holds so many slots.
    #[inline]
    pub fn of(count: usize) -> SlotSize {
        match count <= LEAST_SLOTS {
            true => SlotSize(0),
            false => SlotSize((count.next_power_of_two() / LEAST_SLOTS).trailing_zeros() as u8),
        }
    }
    /// The number of slots.
    pub(super) fn slots(self) -> usize {
        LEAST_SLOTS << self.0
    }
}

/// Slots of calls that ended, for the next ones: all hold plain values.
#[derive(Default)]
pub struct SpareSlots([RefCell<Vec<Vec<Value>>>; SIZES]);

/// Variables of one activation.
pub struct Frame {
    /// Local slots.
    pub locals: Vec<Value>,
    /// The slots from here on hold plain values.
    pub reach: usize,
    /// Own cells.
    pub cells: Option<Box<[CellRef]>>,
    /// Names of a class body.
    pub names: Option<Rc<Mutable<Attrs>>>,
    /// What branches of unknown conditions may have done, where there were any.
    pub doubts: Option<Box<Doubts>>,
}

/// What branches of unknown conditions may have done.
#[derive(Default)]
pub struct Doubts {
    /// A value that the body may have returned.
    pub maybe_returned: Option<Value>,
    /// Loops that a `break` may have left: the innermost loop takes it.
    pub open_loops: OpenLoops,
    /// How often the body may have returned before it came here.
    passed: Passed,
}

/// Reasons why loops may have been left.
#[derive(Default)]
pub struct OpenLoops {
    reasons: Vec<crate::python::Why>,
    /// [`super::recorder::Recorder::doubt`], once there is one.
    doubt: Option<Rc<Doubt>>,
}

impl OpenLoops {
    /// One more may have been left.
    pub fn push(&mut self, why: crate::python::Why, doubt: &Rc<Doubt>) {
        self.doubt.get_or_insert_with(|| doubt.clone()).change_loops(1, 0);
        self.reasons.push(why);
    }
    /// The reason for one of them.
    pub fn get(&self, at: usize) -> Option<&crate::python::Why> {
        self.reasons.get(at)
    }
    fn truncate(&mut self, but: usize) {
        if let Some(doubt) = &self.doubt {
            doubt.change_loops(0, self.reasons.len().saturating_sub(but));
        }
        self.reasons.truncate(but);
    }
}

impl Drop for OpenLoops {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

/// Exits that the body may have taken: what it shows is doubtful as long as it runs.
#[derive(Default)]
struct Passed {
    count: u32,
    /// [`super::recorder::Recorder::doubt`], once there is one, and whose activation it is.
    doubt: Option<(Rc<Doubt>, Side)>,
}

impl Passed {
    fn set(&mut self, count: u32, doubt: &Rc<Doubt>, side: Side) {
        let (doubt, side) = self.doubt.get_or_insert_with(|| (doubt.clone(), side));
        doubt.change(count, self.count);
        match (self.count, count) {
            (1.., 0) => doubt.leave(*side),
            (0, 1..) => doubt.enter(*side),
            _ => {}
        }
        self.count = count;
    }
}

impl Drop for Passed {
    fn drop(&mut self) {
        if let Some((doubt, side)) = &self.doubt {
            doubt.change(0, self.count);
            if self.count > 0 {
                doubt.leave(*side);
            }
        }
    }
}

impl Frame {
    /// These slots, the first ones of them in use, and nothing else.
    #[inline(always)]
    pub fn with(locals: Vec<Value>, reach: usize) -> Frame {
        Frame { locals, reach, cells: None, names: None, doubts: None }
    }
    /// A copy of all slots, to be put back: what is made of it may fill each of them.
    pub fn all_locals(&mut self) -> Vec<Value> {
        self.reach = self.locals.len();
        self.locals.clone()
    }
    /// The value that the body may have returned; it is taken out.
    #[inline]
    pub fn take_maybe_returned(&mut self) -> Option<Value> {
        self.doubts.as_mut().and_then(|doubts| doubts.maybe_returned.take())
    }
    /// Sets the value that the body may have returned.
    pub fn set_maybe_returned(&mut self, value: Option<Value>) {
        if value.is_some() || self.doubts.is_some() {
            self.doubts.get_or_insert_default().maybe_returned = value;
        }
    }
    /// The body may have returned this.
    pub fn may_return(&mut self, value: Value) {
        let maybe = &mut self.doubts.get_or_insert_default().maybe_returned;
        *maybe = Some(match maybe.take() {
            Some(other) => join_values(&other, &value),
            None => value,
        });
    }
    /// Whether the body may have returned, or a loop of it been left, before it came here.
    pub fn may_have_left(&self) -> bool {
        self.doubts
            .as_ref()
            .is_some_and(|doubts| doubts.maybe_returned.is_some() || !doubts.open_loops.reasons.is_empty())
    }
    /// How often the body may have returned before it came here.
    #[inline]
    pub fn passed(&self) -> u32 {
        self.doubts.as_ref().map_or(0, |doubts| doubts.passed.count)
    }
    /// The body may have returned so often before it comes to what follows.
    pub fn set_passed(&mut self, count: u32, code: &Code, it: &Interp) {
        if count > 0 || self.doubts.is_some() {
            let side = Side::of(code, it.depth.get());
            self.doubts.get_or_insert_default().passed.set(count, &it.recorder.doubt, side);
        }
    }
    /// Forgets the loops that may have been left, but for the first ones.
    pub fn close_loops(&mut self, but: usize) {
        if let Some(doubts) = &mut self.doubts {
            doubts.open_loops.truncate(but);
        }
    }
    /// How many loops may have been left.
    #[inline]
    pub fn open_loops(&self) -> usize {
        self.doubts.as_ref().map_or(0, |doubts| doubts.open_loops.reasons.len())
    }
}

#[cold]
#[inline(never)]
fn new_slots(size: SlotSize) -> Vec<Value> {
    vec![Value::Unbound; size.slots()]
}

#[cold]
#[inline(never)]
fn drop_slots(slots: Vec<Value>) {
    drop(slots);
}

impl Interp {
    /// Slots with plain values of earlier runs in them.
    #[inline(always)]
    pub(super) fn slots(&self, size: SlotSize) -> Vec<Value> {
        match self.spare_slots.0.get(usize::from(size.0)).and_then(|spare| spare.borrow_mut().pop()) {
            Some(slots) => slots,
            None => new_slots(size),
        }
    }

    /// As [`Interp::slots`]: the first ones are empty.
    #[inline]
    pub(super) fn empty_slots(&self, size: SlotSize, count: usize) -> Vec<Value> {
        let mut slots = self.slots(size);
        // All of them hold plain values: nothing is let go of.
        for slot in &mut slots[..count] {
            std::mem::forget(std::mem::replace(slot, Value::Unbound));
        }
        slots
    }

    /// Keeps the slots of a frame for a later run.
    #[inline]
    pub fn recycle(&self, frame: &mut Frame) {
        let mut slots = std::mem::take(&mut frame.locals);
        let reach = frame.reach.min(slots.len());
        // What dies with the variables may run code of ours, but none that asks for slots.
        for slot in &mut slots[..reach] {
            Value::clear(slot);
        }
        if slots.len() >= LEAST_SLOTS
            && let Some(spare) = self.spare_slots.0.get((slots.len() / LEAST_SLOTS).trailing_zeros() as usize)
            && let Ok(mut spare) = spare.try_borrow_mut()
            && spare.len() < MOST_SPARE / slots.len()
        {
            spare.push(slots);
        } else {
            drop_slots(slots);
        }
    }
}
