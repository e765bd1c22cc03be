//! Loops: they run; one that stops teaching anything new is widened and left.
//!
//! A loop over arrays runs until some rounds in a row bring nothing new (no new type of an expression, no new trace) and
//! enough work was done. Then one more round runs with the target and everything that the rounds change made abstract
//! (types kept, numbers forgotten), joined with not running, and the loop is over: a training loop of a million steps
//! costs what a few steps cost.

use super::Interp;
use super::frame::Frame;
use super::function::{Flow, Run};
use super::spans::{self, Counting, Counts};
use crate::module::{ExprId, Place, Stmt, StmtId, Target};
use crate::python::container::{forgotten, guess_of, join_values, signature};
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::{Branch, Outcome, Trial};
use crate::python::rounds::{Counter, MOST_ROUNDS};
use crate::python::{Guess, Value, journal};

/// Rounds without news after which a loop over arrays is widened.
const QUIET_ROUNDS: u32 = 3;
/// A loop does at least this much work on arrays before it is widened.
const LEAST_WORK: u64 = 1_500;
/// A loop spends at least this much fuel before it is widened without work on arrays.
const LEAST_FUEL: u64 = 120_000_000;

/// Items that a widened loop looks ahead at, and the fuel that it may spend on them.
const MOST_LOOKED_AT: usize = 2_000;
const MOST_FUEL_AHEAD: u64 = 4_000_000;
/// Kinds of items that a widened loop runs a round for.
const MOST_KINDS: usize = 8;

/// So often a widened loop tries what any of its rounds finds.
const MOST_TRIALS: usize = 3;

/// So often a widened loop runs again from a round that differs from those before: at least, and while that is little work.
const SPLITS: u32 = 8;
const MOST_SPLITS: u32 = 128;
const MOST_WORK: u64 = 60 * LEAST_WORK;

/// What begins a round of a loop that is summed up.
struct Head<'m> {
    /// What is bound to an item.
    target: Option<(&'m Target, Value)>,
    /// The condition.
    test: Option<ExprId>,
    /// Whether the loop may run a round that differs for itself.
    splits: bool,
}

/// The rounds that were summed up.
enum Summed {
    /// All that are left.
    All,
    /// Those before this one.
    Until(usize),
}

/// A loop is not summed up for so few rounds.
const FEW_ROUNDS: usize = 2;

/// What a loop watches.
struct Watch {
    work: u64,
    fuel: u64,
    novelty: u64,
    quiet: u32,
    rounds: u64,
    yields: u64,
    /// Local variables before the round, where the loop may be widened behind it.
    locals: Option<Vec<Value>>,
    /// How often it was widened until a round that differs.
    splits: u32,
}

impl Watch {
    fn new(run: &Run<'_>) -> Watch {
        let it = run.it;
        Watch {
            work: it.array_work.get(),
            fuel: it.fuel.get(),
            novelty: it.novelty.get(),
            quiet: 0,
            rounds: 0,
            yields: run.yields,
            locals: None,
            splits: 0,
        }
    }

    /// From a round on that differs from those before.
    fn again(&self, run: &Run<'_>) -> Watch {
        let Watch { work, fuel, .. } = *self;
        Watch { splits: self.splits + 1, work, fuel, quiet: 1, rounds: self.rounds, ..Watch::new(run) }
    }

    /// Whether the loop may run another round that differs for itself.
    fn may_split(&self, run: &Run<'_>) -> bool {
        let work = run.it.array_work.get() - self.work;
        self.splits < SPLITS || self.splits < MOST_SPLITS && work < MOST_WORK
    }

    /// Called before each round: keeps the variables if the loop may be widened behind it.
    #[inline]
    fn before_round(&mut self, it: &Interp, locals: &[Value]) {
        let may_end = if it.array_work.get() == self.work {
            self.fuel.saturating_sub(it.fuel.get()) > LEAST_FUEL
        } else {
            self.quiet + 1 >= QUIET_ROUNDS
        };
        if may_end {
            self.keep(locals);
        }
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, locals: &[Value]) {
        locals.clone_into(self.locals.get_or_insert_default());
    }

    /// Called after each round: whether the loop should be widened now.
    #[inline]
    fn round(&mut self, it: &Interp, yields: u64) -> bool {
        self.rounds += 1;
        // Who takes the items decides how long a generator runs.
        if yields != self.yields {
            return false;
        }
        let novelty = it.novelty.get();
        self.quiet = if novelty == self.novelty { self.quiet + 1 } else { 0 };
        self.novelty = novelty;
        self.locals.is_some() && self.is_enough(it)
    }

    /// Whether a loop that may be widened has done enough.
    #[cold]
    #[inline(never)]
    fn is_enough(&self, it: &Interp) -> bool {
        let work = it.array_work.get() - self.work;
        if work == 0 {
            // Python alone runs as long as the budget lasts.
            return self.fuel.saturating_sub(it.fuel.get()) > LEAST_FUEL;
        }
        self.quiet >= QUIET_ROUNDS && (work > LEAST_WORK || self.fuel.saturating_sub(it.fuel.get()) > LEAST_FUEL / 40)
    }
}

/// What a widened loop has still to see.
struct Ahead {
    /// Its items, one of each kind.
    kinds: Vec<Value>,
    /// The integers in them.
    counts: Counts,
    /// How many items there are, where all were looked at.
    count: Option<usize>,
    /// Whether there may be more items than were looked at.
    cut: bool,
}

/// The size of a container that must keep it while it is iterated over.
fn size_of(iterable: &Value) -> Option<usize> {
    match iterable {
        Value::Dict(dict) if dict.why_vague().is_none() => Some(dict.read().len()),
        Value::Set(set) if set.why_vague().is_none() => Some(set.read().len()),
        _ => None,
    }
}

/// The parts of a loop statement.
#[derive(Copy, Clone)]
pub(super) struct LoopParts<'m> {
    /// What a `for` loop binds.
    target: Option<&'m Target>,
    /// What a `for` loop walks, or the condition of a `while` loop.
    head: ExprId,
    body: &'m [StmtId],
    orelse: &'m [StmtId],
}

impl<'m> LoopParts<'m> {
    /// Of a loop statement.
    pub(super) fn of(statement: &'m Stmt) -> Option<LoopParts<'m>> {
        match statement {
            Stmt::For { target, iter, body, orelse, .. } => {
                Some(LoopParts { target: Some(target), head: *iter, body, orelse })
            }
            Stmt::While { test, body, orelse } => Some(LoopParts { target: None, head: *test, body, orelse }),
            _ => None,
        }
    }
    fn test(&self) -> Option<ExprId> {
        self.target.is_none().then_some(self.head)
    }
}

/// Numbers that a loop over a range has still to bind.
#[derive(Copy, Clone)]
struct Numbers {
    next: i64,
    step: i64,
    left: i64,
    /// Whether the loop began in a branch of an unknown condition.
    in_branch: bool,
}

/// A loop that runs.
pub(super) struct Rounds {
    watch: Watch,
    /// Rounds begun.
    begun: u64,
    iterator: Value,
    /// The numbers of a range that have not come yet; the iterator lags behind meanwhile.
    numbers: Option<Numbers>,
    /// A container that must keep its size meanwhile, and that size.
    sized: Option<(Value, usize)>,
    /// The item of this round, in the user's code, where the iterator cannot say it afterwards.
    last: Value,
    /// Loops that were open before this round.
    open: usize,
}

/// What a loop does next.
pub(super) enum NextItem {
    /// A round with this item.
    Item(Value),
    /// Its `else`.
    Over,
    /// It is left.
    Left(Flow),
}

impl Rounds {
    /// Of a `while` loop.
    pub(super) fn new(run: &Run<'_>) -> Rounds {
        Rounds {
            watch: Watch::new(run),
            begun: 0,
            iterator: Value::Unbound,
            numbers: None,
            sized: None,
            last: Value::Unbound,
            open: 0,
        }
    }
    /// Whether so many rounds have begun that its flat form is worth making.
    #[inline]
    fn is_hot(&self, run: &Run<'_>) -> bool {
        self.begun == run.it.translate.get().rounds
    }
    /// Whether a `break` on an unknown condition may have left the round.
    #[inline]
    pub(super) fn is_open(&self, run: &Run<'_>) -> bool {
        self.is_open_in(&run.frame)
    }
    /// As [`Rounds::is_open`], of its frame.
    #[inline(always)]
    pub(super) fn is_open_in(&self, frame: &Frame) -> bool {
        frame.open_loops() > self.open
    }
    /// Whether a container has to keep its size meanwhile.
    #[inline]
    pub(super) fn is_sized(&self) -> bool {
        self.sized.is_some()
    }
    /// Called after each round: whether the loop should be widened now.
    #[inline]
    pub(super) fn is_over(&mut self, it: &Interp, yields: u64) -> bool {
        self.watch.round(it, yields)
    }
    /// Begins a round.
    #[inline]
    pub(super) fn begin(&mut self, run: &Run<'_>) {
        self.begin_in(run.it, run.user, &run.frame);
    }
    /// Begins a round of a frame.
    #[inline(always)]
    pub(super) fn begin_in(&mut self, it: &Interp, user: bool, frame: &Frame) {
        self.before_item(it, user, frame);
        self.begin_round(frame);
    }
    /// Looks at the variables before a round's item is bound.
    #[inline(always)]
    pub(super) fn before_item(&mut self, it: &Interp, user: bool, frame: &Frame) {
        if user {
            self.watch.before_round(it, &frame.locals);
        }
    }
    /// Counts a round that begins.
    #[inline(always)]
    pub(super) fn begin_round(&mut self, frame: &Frame) {
        self.begun += 1;
        self.open = frame.open_loops();
    }
    /// Begins a round, if there is one.
    pub(super) fn begin_if(&mut self, next: &Step<NextItem>, run: &Run<'_>) {
        if let Ok(NextItem::Item(_)) = next {
            self.begin(run);
        }
    }
    /// Whether its items are the numbers of a range that was made for it.
    #[inline]
    pub(super) fn has_numbers(&self) -> bool {
        self.numbers.is_some()
    }
    /// The next number of a range, where nothing else has to be seen to; `Some(None)` at its end.
    #[inline]
    pub(super) fn next_number(&mut self) -> Option<Option<i64>> {
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
    fn last(&self) -> Value {
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
    fn catch_up(&mut self) {
        self.last = self.last();
        let Some(numbers) = self.numbers.take() else { return };
        if let Value::Iter(iter) = &self.iterator {
            iter.set_range(numbers.next, numbers.left);
        }
    }
    /// What `take` makes of the next item of a container, where nothing else has to be seen to; `Some(None)` at its end.
    #[inline(always)]
    pub(super) fn take_at_hand<T>(&mut self, take: impl FnOnce(&Value) -> T) -> Option<Option<T>> {
        match &self.iterator {
            Value::Iter(iter) => iter.take_at_hand(take),
            _ => None,
        }
    }
}

impl Run<'_> {
    /// `for target in iter: body else: orelse`
    pub fn for_statement(&mut self, id: StmtId) -> Step<Flow> {
        let Some(parts @ LoopParts { target: Some(target), .. }) = LoopParts::of(self.module.stmt(id)) else {
            return Ok(Flow::Next);
        };
        let iterable = self.eval(parts.head)?;
        let mut rounds = match self.start_for(parts, iterable)? {
            Ok(rounds) => rounds,
            Err(flow) => return Ok(flow),
        };
        loop {
            if rounds.is_hot(self)
                && let Some(result) = self.flat_rounds(id, &mut rounds)
            {
                return result;
            }
            self.it.spend()?;
            let item = match self.next_item(parts, &mut rounds)? {
                NextItem::Item(item) => item,
                NextItem::Over => return self.block(parts.orelse),
                NextItem::Left(flow) => return Ok(flow),
            };
            rounds.begin(self);
            match target {
                Target::Name(Place::Local(slot), ..) => Value::put(&mut self.frame.locals[*slot as usize], item),
                target => self.assign(target, item)?,
            }
            let flow = self.block(parts.body)?;
            if rounds.is_open(self) {
                return self.leave_open(parts, &rounds);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(flow) = self.round_ended(parts, &mut rounds)? {
                return Ok(flow);
            }
        }
    }

    /// Begins a `for` loop; where its items are not known it is over at once.
    pub(super) fn start_for(&mut self, parts: LoopParts<'_>, iterable: Value) -> Step<Result<Rounds, Flow>> {
        let LoopParts { target, head, body, orelse } = parts;
        let unknown = |run: &mut Self, why: &Why, item: Value| {
            run.unknown_loop(why, target.map(|target| (target, item)), None, body, orelse).map(Err)
        };
        let iterator = match self.it.iterate(&iterable) {
            Ok(iterator) => iterator,
            Err(Halt::Unknown(why)) if self.user => return unknown(self, &why, Value::unknown(why.0.clone())),
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(head));
                return Err(Halt::Raise(exception));
            }
            Err(halt) => return Err(halt),
        };
        if self.user
            && let Value::Iter(iter) = &iterator
            && let Some((item, why)) = iter.sample()
        {
            return unknown(self, &why, item);
        }
        // Only the iterator of a range that is made here is this loop's own.
        let numbers = match &iterable {
            Value::Range(range) => Some(Numbers {
                next: range.start,
                step: range.step,
                left: range.len(),
                in_branch: journal::speculating(),
            }),
            _ => None,
        };
        let sized = size_of(&iterable).map(|size| (iterable, size));
        Ok(Ok(Rounds { iterator, numbers, sized, ..Rounds::new(self) }))
    }

    /// The next item of a `for` loop.
    pub(super) fn next_item(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<NextItem> {
        if self.is_lost() && rounds.watch.rounds > 0 {
            return Ok(NextItem::Left(Flow::Next));
        }
        if let Some((iterable, size)) = &rounds.sized
            && size_of(iterable).is_some_and(|now| now != *size)
        {
            let kind = if let Value::Dict(_) = iterable { "dictionary" } else { "Set" };
            let halt = Halt::raise("RuntimeError", format!("{kind} changed size during iteration"));
            let Halt::Raise(mut exception) = halt else { return Err(halt) };
            self.place(&mut exception, self.module.span(parts.head));
            return Err(Halt::Raise(exception));
        }
        match rounds.next_number() {
            Some(Some(number)) => return Ok(NextItem::Item(Value::Int(number))),
            Some(None) => return Ok(NextItem::Over),
            None => {}
        }
        match rounds.take_at_hand(Value::clone) {
            Some(Some(item)) => return Ok(NextItem::Item(item)),
            Some(None) => return Ok(NextItem::Over),
            None => {}
        }
        match self.it.next(&rounds.iterator) {
            Ok(Some(item)) => {
                if self.user {
                    Value::put(&mut rounds.last, item.clone());
                }
                Ok(NextItem::Item(item))
            }
            Ok(None) => Ok(NextItem::Over),
            Err(Halt::Unknown(why)) if self.user => {
                let target = parts.target.map(|target| (target, Value::unknown(why.0.clone())));
                Ok(NextItem::Left(self.unknown_loop(&why, target, None, parts.body, parts.orelse)?))
            }
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(parts.head));
                Err(Halt::Raise(exception))
            }
            Err(halt) => Err(halt),
        }
    }

    /// A round may have been left by a `break` on an unknown condition: what later rounds would do is joined with having
    /// stopped.
    pub(super) fn leave_open(&mut self, parts: LoopParts<'_>, rounds: &Rounds) -> Step<Flow> {
        let open = self.frame.doubts.as_ref().and_then(|doubts| doubts.open_loops.get(rounds.open).cloned());
        let Some(why) = open else { return Ok(Flow::Next) };
        self.frame.close_loops(rounds.open);
        let target = parts.target.map(|target| (target, forgotten(&rounds.last(), &why)));
        self.unknown_loop(&why, target, parts.test(), parts.body, &[])
    }

    /// The end of a round: how the loop was left, where it is widened.
    #[inline]
    fn round_ended(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<Option<Flow>> {
        match self.user && rounds.is_over(self.it, self.yields) {
            true => self.widen(parts, rounds),
            false => Ok(None),
        }
    }

    /// Widens a loop that teaches nothing new any more: how it was left, unless it goes on.
    #[cold]
    pub(super) fn widen(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<Option<Flow>> {
        let why = Why("a number that differs from round to round of a long loop".into());
        let Some(target) = parts.target else {
            self.it.widened.set(self.it.widened.get() + 1);
            let head = Head { target: None, test: parts.test(), splits: rounds.watch.may_split(self) };
            if let Some(Summed::Until(_)) = self.sum_up(parts, head, None, &rounds.watch, &why)? {
                rounds.watch = rounds.watch.again(self);
                return Ok(None);
            }
            self.forget_changing(rounds.watch.locals.as_deref().unwrap_or_default(), &why);
            return self.unknown_loop(&why, None, parts.test(), parts.body, parts.orelse).map(Some);
        };
        rounds.catch_up();
        if !iterator_is_long(&rounds.iterator) {
            return Ok(None);
        }
        self.it.widened.set(self.it.widened.get() + 1);
        let count = match &rounds.iterator {
            Value::Iter(iter) => iter.remaining(),
            _ => None,
        };
        let ahead = self.kinds_left(&rounds.iterator, &rounds.last)?;
        if ahead.cut {
            // What making the others changes (a generator of random numbers) is not known.
            let iterator = rounds.iterator.clone();
            let one_more = |run: &mut Self| match run.it.next(&iterator) {
                Err(Halt::Stop(stop)) => Err(Halt::Stop(stop)),
                _ => Ok(Flow::Next),
            };
            self.either(&why, one_more, |_| Ok(Flow::Next))?;
        }
        let number = spans::new_loop(self.it);
        let splits = rounds.watch.may_split(self);
        if let ([item], Some(count)) = (&*ahead.kinds, ahead.count.or(count)) {
            let item = ahead.counts.within(number, splits, forgotten(item, &why), &why);
            // Where not all items were looked at, those of a round that differs are gone.
            let splits = splits && ahead.counts.has_rest();
            let head = Head { target: Some((target, item)), test: None, splits };
            let count = i64::try_from(count).ok().map(|count| (number, count));
            match self.sum_up(parts, head, count, &rounds.watch, &why)? {
                Some(Summed::All) => return self.block(parts.orelse).map(Some),
                Some(Summed::Until(round)) => {
                    rounds.iterator = ahead.counts.rest(round);
                    rounds.watch = rounds.watch.again(self);
                    return Ok(None);
                }
                None => {}
            }
        }
        self.forget_changing(rounds.watch.locals.as_deref().unwrap_or_default(), &why);
        for item in &ahead.kinds {
            let item = ahead.counts.within(number, splits, forgotten(item, &why), &why);
            if let left @ Flow::Return(_) = self.unknown_loop(&why, Some((target, item)), None, parts.body, &[])? {
                return Ok(Some(left));
            }
        }
        let Some(round) = spans::take_split(self.it, number) else { return self.block(parts.orelse).map(Some) };
        // Something differs from that round on: it runs again from there.
        rounds.iterator = ahead.counts.rest(round);
        rounds.watch = rounds.watch.again(self);
        Ok(None)
    }

    /// Sums up the rounds that are left, where what two of them have added to integers and lists is what any of them adds;
    /// none where nothing is counted, or where a round may end the loop. Of a `while` loop it is not known how many they are.
    fn sum_up(
        &mut self,
        parts: LoopParts<'_>,
        head: Head<'_>,
        count: Option<(u64, i64)>,
        watch: &Watch,
        why: &Why,
    ) -> Step<Option<Summed>> {
        let (number, count) = count.unwrap_or_else(|| (spans::new_loop(self.it), MOST_ROUNDS));
        let start = self.frame.all_locals();
        let result = self.summed(parts, &head, Counter::new(number, count, head.splits, why.clone()), watch);
        if !matches!(result, Ok(Some(Summed::All | Summed::Until(1..)))) {
            self.frame.locals = start;
            spans::take_split(self.it, number);
        }
        result
    }

    fn summed(
        &mut self,
        parts: LoopParts<'_>,
        head: &Head<'_>,
        counter: Counter,
        watch: &Watch,
    ) -> Step<Option<Summed>> {
        let before = watch.locals.as_deref().unwrap_or_default();
        for (now, before) in self.frame.locals.iter_mut().zip(before) {
            if !(now.is(before) || before.is_unbound()) {
                *now = forget(now, before, &counter.why, true);
            }
        }
        let start = self.frame.all_locals();
        let branch = Branch::start();
        let first = self.round_of(parts, head);
        let first_left = self.frame.locals.clone();
        let inner = Branch::start();
        let second = match first {
            Ok(true) => self.round_of(parts, head),
            other => other,
        };
        let second_left = std::mem::replace(&mut self.frame.locals, start.clone());
        let second_outcome = inner.undo();
        let mut trial = Trial::new(branch.undo(), second_outcome);
        if !second? {
            return Ok(None);
        }
        let mut failed = vec![false; start.len()];
        for _ in 0..MOST_TRIALS {
            counter.found.set(false);
            let entered = trial.enter(&counter);
            let any: Vec<Value> = (0..start.len())
                .map(|i| match failed[i] {
                    true => join_values(&join_values(&start[i], &first_left[i]), &second_left[i]),
                    false => counter.any_round(&start[i], &first_left[i], &second_left[i]),
                })
                .collect();
            if !counter.found.get() {
                let _ = entered.undo();
                return Ok(None);
            }
            spans::take_split(self.it, counter.number());
            // What a round shows counts only once it is known to be one.
            let beside = self.it.recorder.is_beside.replace(true);
            let tried = self.round_from(&any, parts, head);
            self.it.recorder.is_beside.set(beside);
            let goes_on = |trial: &mut Trial, failed: &mut [bool], round: &Outcome, left: &[Value]| {
                let mut all = trial.goes_on(round, &counter);
                for (i, failed) in failed.iter_mut().enumerate().filter(|(_, failed)| !**failed) {
                    *failed = !counter.goes_on(&any[i], &left[i]);
                    all &= !*failed;
                }
                all
            };
            match tried {
                Ok(Some((round, left))) => {
                    if !goes_on(&mut trial, &mut failed, &round, &left) {
                        let _ = entered.undo();
                        continue;
                    }
                }
                other => {
                    let _ = entered.undo();
                    return other.map(|_| None);
                }
            }
            let split = spans::take_split(self.it, counter.number());
            if split.is_some_and(|round| round <= FEW_ROUNDS) {
                let _ = entered.undo();
                return Ok(Some(Summed::Until(0)));
            }
            let round = self.round_from(&any, parts, head);
            let found = entered.undo();
            let Some((round, left)) = round? else { return Ok(None) };
            let split = spans::take_split(self.it, counter.number());
            let Some(count) = counter.rounds_until(split) else { return Ok(None) };
            Trial::leave(found, round, &counter, count);
            let left = any.iter().zip(&left).map(|(any, left)| counter.after_rounds(any, left, count));
            self.frame.locals = left.collect();
            return Ok(Some(split.map_or(Summed::All, Summed::Until)));
        }
        Ok(None)
    }

    /// Runs a round from these variables and takes it back: what it had changed, where it does not end the loop.
    fn round_from(
        &mut self,
        any: &[Value],
        parts: LoopParts<'_>,
        head: &Head<'_>,
    ) -> Step<Option<(Outcome, Vec<Value>)>> {
        self.frame.locals = any.to_vec();
        let branch = Branch::start();
        let result = self.round_of(parts, head);
        let outcome = branch.undo();
        let left = std::mem::take(&mut self.frame.locals);
        Ok(result?.then_some((outcome, left)))
    }

    /// Runs a round: whether it ended as any round but the last one does.
    fn round_of(&mut self, parts: LoopParts<'_>, head: &Head<'_>) -> Step<bool> {
        let open = self.frame.open_loops();
        let maybe = self.frame.take_maybe_returned();
        let outer_widened = self.it.in_widened_loop.replace(true);
        self.branches += 1;
        let outer = self.round_at.replace(self.branches);
        let flow = self.body_of(parts, head);
        self.round_at = outer;
        self.branches -= 1;
        self.it.in_widened_loop.set(outer_widened);
        let stays = self.frame.open_loops() == open && self.frame.take_maybe_returned().is_none();
        self.frame.close_loops(open);
        self.frame.set_maybe_returned(maybe);
        match flow {
            Ok(Some(Flow::Next | Flow::Continue)) => Ok(stays),
            Err(Halt::Stop(stop)) => Err(Halt::Stop(stop)),
            _ => Ok(false),
        }
    }

    fn body_of(&mut self, parts: LoopParts<'_>, head: &Head<'_>) -> Step<Option<Flow>> {
        if let Some(test) = head.test {
            let condition = self.eval(test)?;
            if self.it.truth_or_unknown(&condition)?.ok() != Some(true) {
                return Ok(None);
            }
        }
        if let Some((target, item)) = &head.target {
            self.assign(target, item.clone())?;
        }
        self.block(parts.body).map(Some)
    }

    /// `while test: body else: orelse`
    pub fn while_statement(&mut self, id: StmtId) -> Step<Flow> {
        let Some(parts) = LoopParts::of(self.module.stmt(id)) else { return Ok(Flow::Next) };
        let mut rounds = Rounds::new(self);
        loop {
            if rounds.is_hot(self)
                && let Some(result) = self.flat_rounds(id, &mut rounds)
            {
                return result;
            }
            self.it.spend()?;
            if self.is_left_lost(&rounds) {
                return Ok(Flow::Next);
            }
            let truth = match self.quick(parts.head) {
                Some(number) => Ok(number.truth()),
                None => {
                    let condition = self.eval(parts.head)?;
                    self.it.truth_or_unknown(&condition)?
                }
            };
            match truth {
                Ok(true) => {}
                Ok(false) => return self.block(parts.orelse),
                Err(why) => return self.while_unknown(parts, why),
            }
            rounds.begin(self);
            let flow = self.block(parts.body)?;
            if rounds.is_open(self) {
                return self.leave_open(parts, &rounds);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(flow) = self.round_ended(parts, &mut rounds)? {
                return Ok(flow);
            }
        }
    }

    /// Whether it is in a generator that cannot say any more what it gives.
    #[inline]
    pub(super) fn is_left_lost(&self, rounds: &Rounds) -> bool {
        self.is_lost() && rounds.watch.rounds > 0
    }

    /// A `while` loop whose condition is not known.
    pub(super) fn while_unknown(&mut self, parts: LoopParts<'_>, why: Why) -> Step<Flow> {
        match self.user {
            true => self.unknown_loop(&why, None, parts.test(), parts.body, parts.orelse),
            false => Err(Halt::Unknown(why)),
        }
    }

    /// The kinds of items that a widened loop has still to see, each once: that of the last round, and those of further
    /// items that differ in more than numbers (the smaller batch at the end), in the order in which they come.
    fn kinds_left(&self, iterator: &Value, last: &Value) -> Step<Ahead> {
        let mut kinds = vec![last.clone()];
        if let Value::Iter(iter) = iterator
            && let Some((first, step, count)) = iter.range_left()
        {
            return Ok(Ahead { kinds, counts: Counts::of_range(first, step, count), count: None, cut: false });
        }
        let mut counting = Counting::default();
        let mut seen = vec![signature(last)];
        let fuel = self.it.fuel.get();
        let mut cut = true;
        for count in 0..MOST_LOOKED_AT {
            if fuel.saturating_sub(self.it.fuel.get()) > MOST_FUEL_AHEAD {
                break;
            }
            match self.it.next(iterator) {
                Ok(Some(item)) => {
                    counting.saw(&item);
                    let kind = signature(&item);
                    if seen.len() < MOST_KINDS && !seen.contains(&kind) {
                        seen.push(kind);
                        kinds.push(item);
                    }
                }
                Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
                Ok(None) => {
                    // The smaller batch at the end has a kind of its own, and no span.
                    let counts = if kinds.len() == 1 { counting.counts() } else { Counts::default() };
                    return Ok(Ahead { kinds, counts, count: Some(count), cut: false });
                }
                Err(_) => {
                    cut = false;
                    break;
                }
            }
        }
        Ok(Ahead { kinds, counts: Counts::default(), count: None, cut })
    }

    /// Local variables that the last round changed: their types stay, their numbers are forgotten.
    fn forget_changing(&mut self, before: &[Value], why: &Why) {
        for (now, before) in self.frame.locals.iter_mut().zip(before) {
            if now.is(before) || before.is_unbound() {
                continue;
            }
            *now = forget(now, before, why, false);
        }
    }

    /// A loop whose rounds cannot be counted: some rounds run from an abstract state, joined with running none.
    fn unknown_loop(
        &mut self,
        why: &Why,
        target: Option<(&Target, Value)>,
        test: Option<ExprId>,
        body: &[StmtId],
        orelse: &[StmtId],
    ) -> Step<Flow> {
        let outer_widened = self.it.in_widened_loop.replace(true);
        let result = self.unknown_rounds(why, target, test, body);
        self.it.in_widened_loop.set(outer_widened);
        match result? {
            Flow::Return(value) => {
                // It may return from inside: the rest runs as well.
                self.frame.may_return(value);
            }
            Flow::Next | Flow::Break | Flow::Continue => {}
        }
        self.block(orelse)
    }

    fn unknown_rounds(
        &mut self,
        why: &Why,
        target: Option<(&Target, Value)>,
        test: Option<ExprId>,
        body: &[StmtId],
    ) -> Step<Flow> {
        let mut left = Flow::Next;
        // Two rounds: the second starts from what the first may have left.
        for _ in 0..2 {
            let open = self.frame.open_loops();
            let target = target.clone();
            let flow = self.either(
                why,
                |run| {
                    if let Some(test) = test {
                        run.eval(test)?;
                    }
                    if let Some((target, item)) = target {
                        run.assign(target, item)?;
                    }
                    let outer = run.round_at.replace(run.branches);
                    let flow = run.block(body);
                    run.round_at = outer;
                    match flow? {
                        Flow::Return(value) => Ok(Flow::Return(value)),
                        _ => Ok(Flow::Next),
                    }
                },
                |_| Ok(Flow::Next),
            );
            self.frame.close_loops(open);
            match flow? {
                Flow::Return(value) => {
                    left = Flow::Return(value);
                    break;
                }
                _ => left = Flow::Next,
            }
        }
        Ok(left)
    }
}

/// What is left of a value that a loop changes at each round; its integers may be left to be counted.
fn forget(now: &Value, before: &Value, why: &Why, keep_integers: bool) -> Value {
    match (now, before) {
        (Value::Int(_), Value::Int(_)) if keep_integers => now.clone(),
        (Value::Array(a), Value::Array(b)) if a.aval == b.aval => match crate::trace::Array::forgotten(a, why) {
            Some(array) => Value::Array(array),
            None => now.clone(),
        },
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => Value::Tuple(
            a.iter()
                .zip(b.iter())
                .map(|(a, b)| if a.is(b) { a.clone() } else { forget(a, b, why, keep_integers) })
                .collect(),
        ),
        _ => match (guess_of(now), guess_of(before)) {
            (a, b) if a == b && a != Guess::Any => Value::unknown_of(a, why.0.clone()),
            _ => now.clone(),
        },
    }
}

/// Whether more than a few rounds are left: a short rest is simply run.
fn iterator_is_long(iterator: &Value) -> bool {
    match iterator {
        Value::Iter(iter) => iter.remaining().is_none_or(|left| left > 3),
        _ => true,
    }
}
