//! The rounds of a loop that runs.

use std::rc::Rc;

use super::LoopParts;
use super::watch::Watch;
use crate::interp::Interp;
use crate::interp::frame::Frame;
use crate::interp::function::{Flow, Run};
use crate::interp::generator::{Generator, Given};
use crate::python::halt::Step;
use crate::python::{Value, journal};
use crate::repro::Noted;

/// Numbers that a loop over a range has still to bind.
#[derive(Copy, Clone)]
pub(super) struct Numbers {
    pub(super) next: i64,
    pub(super) step: i64,
    pub(super) left: i64,
    /// Whether the loop began in a branch of an unknown condition.
    pub(super) in_branch: bool,
}

/// A loop that runs.
pub(in crate::interp) struct Rounds {
    pub(super) watch: Watch,
    /// Rounds begun.
    pub(super) begun: u64,
    pub(in crate::interp) iterator: Value,
    /// The numbers of a range that have not come yet; the iterator lags behind meanwhile.
    pub(super) numbers: Option<Numbers>,
    /// The item of this round, in the user's code, where the iterator cannot say it afterwards.
    pub(super) last: Value,
    /// Loops that were open before this round.
    pub(super) open: usize,
    /// How often the body may have returned before the loop.
    pub(super) passed: u32,
    /// Where it goes on for its numbers: the eager results that were counted before the round, and what was recorded by then.
    pub(super) results: (u64, u64),
    pub(super) noted: Noted,
}

/// What a loop does next.
pub(in crate::interp) enum NextItem {
    /// A round with this item.
    Item(Value),
    /// Its `else`.
    Over,
    /// It is left.
    Left(Flow),
}

impl Rounds {
    /// How many numbers of a range have not come yet.
    pub(super) fn left(&self) -> u64 {
        self.numbers.map_or(0, |numbers| numbers.left.max(0) as u64)
    }
    /// Of a `while` loop.
    pub(in crate::interp) fn of_while(run: &Run<'_>, parts: LoopParts<'_>) -> Rounds {
        let mut rounds = Rounds::new(run);
        if run.user && parts.never_ends(run.module) {
            rounds.watch.is_endless();
        }
        rounds
    }
    /// Of a loop that knows nothing of its items.
    pub(in crate::interp) fn new(run: &Run<'_>) -> Rounds {
        Rounds {
            watch: Watch::new(run),
            begun: 0,
            iterator: Value::Unbound,
            numbers: None,
            last: Value::Unbound,
            open: 0,
            passed: run.frame.passed(),
            results: run.it.engine.eager_results.get(),
            noted: Noted::default(),
        }
    }
    /// Whether a round that ends, or one before it, may have returned: what the next ones raise need not be raised.
    pub(in crate::interp) fn may_have_returned(&mut self, frame: &Frame) -> bool {
        let rounds = frame.passed().saturating_sub(self.passed);
        self.watch.may_have_returned(rounds);
        rounds > 0
    }
    /// Whether so many rounds have begun that its flat form is worth making.
    #[inline]
    pub(super) fn is_hot(&self, run: &Run<'_>) -> bool {
        self.begun == run.it.translate.get().rounds
    }
    /// How many rounds have begun, and the work that was done before them.
    pub(in crate::interp) fn done(&self) -> (u64, u64) {
        (self.begun, self.watch.work)
    }
    /// Whether a `break` on an unknown condition may have left the round.
    #[inline]
    pub(in crate::interp) fn is_open(&self, run: &Run<'_>) -> bool {
        self.is_open_in(&run.frame)
    }
    /// As [`Rounds::is_open`], of its frame.
    #[inline(always)]
    pub(in crate::interp) fn is_open_in(&self, frame: &Frame) -> bool {
        frame.open_loops() > self.open
    }
    /// Called after each round: whether the loop may be over ([`Rounds::is_over`]).
    #[inline(always)]
    pub(in crate::interp) fn may_be_over(&mut self, it: &Interp, yields: u64) -> bool {
        self.watch.round(it, yields)
    }
    /// Counts a round that has ended and brought nothing that has to be looked at; others are left to [`Rounds::may_be_over`].
    #[inline(always)]
    pub(in crate::interp) fn passes(&mut self, it: &Interp, yields: u64) -> bool {
        self.watch.passes(it, yields)
    }
    /// Whether the loop, which may be over, should be widened now.
    pub(in crate::interp) fn is_over(&self, it: &Interp) -> bool {
        self.watch.is_enough(it)
    }
    /// Begins a round.
    #[inline]
    pub(in crate::interp) fn begin(&mut self, run: &Run<'_>) {
        self.begin_in(run.it, run.user, &run.frame);
    }
    /// Begins a round of a frame.
    #[inline(always)]
    pub(in crate::interp) fn begin_in(&mut self, it: &Interp, user: bool, frame: &Frame) {
        self.before_item(it, user, frame);
        self.begin_round(frame);
    }
    /// Looks at the variables before a round's item is bound.
    #[inline(always)]
    pub(in crate::interp) fn before_item(&mut self, it: &Interp, user: bool, frame: &Frame) {
        if user {
            self.watch.before_round(it, &frame.locals);
        }
    }
    /// Whether nothing has to be kept of the variables before the next round.
    #[inline(always)]
    pub(in crate::interp) fn is_calm(&self, it: &Interp) -> bool {
        !self.watch.may_end(it)
    }
    /// Counts a round that begins.
    #[inline(always)]
    pub(in crate::interp) fn begin_round(&mut self, frame: &Frame) {
        self.begun += 1;
        self.open = frame.open_loops();
    }
    /// Begins a round, if there is one.
    pub(in crate::interp) fn begin_if(&mut self, next: &Step<NextItem>, run: &Run<'_>) {
        if let Ok(NextItem::Item(_)) = next {
            self.begin(run);
        }
    }
    /// Whether its items are the numbers of a range that was made for it.
    #[inline]
    pub(in crate::interp) fn has_numbers(&self) -> bool {
        self.numbers.is_some()
    }
    /// Whether the next round binds a number of its range and nothing else has to be seen to.
    #[inline(always)]
    pub(in crate::interp) fn is_next_number_plain(&self, it: &Interp, user: bool) -> bool {
        self.numbers.as_ref().is_some_and(|numbers| numbers.left > 0 && (numbers.in_branch || !journal::speculating()))
            && !(user && self.watch.may_end(it))
    }
    /// The number of a round that begins: see [`Rounds::is_next_number_plain`].
    #[inline(always)]
    pub(in crate::interp) fn take_number(&mut self, frame: &Frame) -> Option<i64> {
        let numbers = self.numbers.as_mut()?;
        numbers.left -= 1;
        let number = numbers.next;
        numbers.next = number.wrapping_add(numbers.step);
        self.begin_round(frame);
        Some(number)
    }
    /// The next number of a range, where nothing else has to be seen to; `Some(None)` at its end.
    #[inline]
    pub(in crate::interp) fn next_number(&mut self) -> Option<Option<i64>> {
        let Some(numbers) = &mut self.numbers else { return self.next_of_iterator() };
        if journal::speculating() && !numbers.in_branch {
            // It may not come to this: the iterator knows what becomes of its position.
            self.catch_up();
            return None;
        }
        if numbers.left == 0 {
            return Some(None);
        }
        numbers.left -= 1;
        let number = numbers.next;
        numbers.next = number.wrapping_add(numbers.step);
        Some(Some(number))
    }
    #[cold]
    #[inline(never)]
    fn next_of_iterator(&mut self) -> Option<Option<i64>> {
        let Value::Iter(iter) = &self.iterator else { return None };
        let number = iter.next_of_range()?;
        if let Some(number) = number {
            Value::put(&mut self.last, Value::Int(number));
        }
        Some(number)
    }
    /// The item of this round.
    pub(super) fn last(&self) -> Value {
        match self.numbers {
            Some(numbers) if self.begun > 0 => Value::Int(numbers.next.wrapping_sub(numbers.step)),
            _ => match &self.iterator {
                Value::Iter(iter) => iter.last_at_hand().unwrap_or_else(|| self.last.clone()),
                _ => self.last.clone(),
            },
        }
    }
    /// Brings the iterator and the item of this round up to date.
    #[cold]
    pub(super) fn catch_up(&mut self) {
        self.last = self.last();
        let Some(numbers) = self.numbers.take() else { return };
        if let Value::Iter(iter) = &self.iterator {
            iter.set_range(numbers.next, numbers.left);
        }
    }
    /// Takes the generator out whose items it binds: [`Rounds::resumed`] puts it back.
    #[inline]
    pub(in crate::interp) fn take_generator(&self) -> Option<Box<Generator>> {
        match &self.iterator {
            Value::Iter(iter) => iter.take_generator(),
            _ => None,
        }
    }
    /// Puts the next item of the generator that was taken out into a slot.
    #[inline(always)]
    pub(in crate::interp) fn resumed(&self, it: &Rc<Interp>, generator: Box<Generator>, slot: &mut Value) -> Given {
        match &self.iterator {
            Value::Iter(iter) => iter.resumed_into(it, generator, slot),
            _ => Given::Over,
        }
    }
    /// The next item of an iterator that a function of ours drives.
    #[inline(always)]
    pub(in crate::interp) fn next_driven(&self, it: &Rc<Interp>) -> Step<Option<Value>> {
        it.next(&self.iterator)
    }
    /// Begins a round with an item that a generator gave; the variables have been looked at.
    #[inline(always)]
    pub(in crate::interp) fn begin_with(&mut self, user: bool, item: &Value, frame: &Frame) {
        if user {
            self.last.copy_from(item);
        }
        self.begin_round(frame);
    }
    /// Whether the next round binds an item and nothing else has to be seen to.
    #[inline(always)]
    pub(in crate::interp) fn is_next_item_plain(&self, it: &Interp, user: bool) -> bool {
        self.numbers.is_none() && !(user && self.watch.may_end(it)) && !journal::speculating()
    }
    /// Binds the parts of the next item, if that is a tuple of so many and at hand: see [`Rounds::is_next_item_plain`].
    #[inline(always)]
    pub(in crate::interp) fn take_parts(&mut self, count: usize, bind: impl FnMut(usize, &Value)) -> bool {
        match &self.iterator {
            Value::Iter(iter) => iter.take_parts(count, bind),
            _ => false,
        }
    }
    /// What `take` makes of the next item of a container, where nothing else has to be seen to; `Some(None)` at its end.
    #[inline(always)]
    pub(in crate::interp) fn take_at_hand<T>(&mut self, take: impl FnOnce(&Value) -> T) -> Option<Option<T>> {
        match &self.iterator {
            Value::Iter(iter) => iter.take_at_hand(take),
            _ => None,
        }
    }
}
