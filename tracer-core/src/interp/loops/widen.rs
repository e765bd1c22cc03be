//! Loops that are widened: what their rounds do is summed up, or what changes is forgotten.

use super::endless::stays_alike;
use super::rounds::Rounds;
use super::watch::Watch;
use super::{LoopBody, LoopParts};
use crate::interp::doubt::MANY_DOUBTS;
use crate::interp::function::{Flow, Run};
use crate::interp::recorder::Tally;
use crate::interp::spans::{self, Counting, Counts};
use crate::module::{ExprId, StmtId, Target};
use crate::python::container::{are_alike, forgotten, guess_of, join_values, signature};
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::{Branch, Outcome, Trial};
use crate::python::rounds::{Counter, MOST_ROUNDS};
use crate::python::{Guess, Iter, Value};

/// Items that a widened loop looks ahead at, those for which nothing has to run, and the fuel that it may spend on them.
const MOST_LOOKED_AT: usize = 10_000;
const MOST_AT_HAND: usize = 1_000_000;
const MOST_FUEL_AHEAD: u64 = 10_000_000;
/// So deep may loops of unknown length run inside each other: each runs its body twice, and recursion over an unknown tree
/// would run it a million times.
const MOST_UNKNOWN_LOOPS: u32 = 8;
const LEAST_UNKNOWN_LOOPS: u32 = 2;
/// Kinds of items that a widened loop runs a round for.
const MOST_KINDS: usize = 8;

/// So often a widened loop tries what any of its rounds finds.
const MOST_TRIALS: usize = 3;

/// Loops are not summed up after so many branches on what is not known, and run less deep inside each other.
const MOST_DOUBTS_SUMMED: u64 = 2 * MANY_DOUBTS;

/// So few rounds are run rather than taken together, where they are no more than so much work on arrays, and fuel.
const FEW_LEFT: usize = 64;
const LITTLE_WORK: u64 = 15_000;
const LITTLE_FUEL: u64 = 3_000_000;

/// A loop is not summed up for so few rounds.
const FEW_ROUNDS: usize = 2;

/// What begins a round of a loop that is summed up.
struct Head<'m> {
    /// What is bound to an item.
    target: Option<(&'m Target, Value)>,
    /// The condition.
    test: Option<ExprId>,
    /// Whether the loop may run a round that differs for itself.
    splits: bool,
}

/// What ran in rounds of a loop that is summed up.
#[derive(Default)]
struct Runs {
    /// In those that were tried.
    tried: Tally,
    /// How many rounds the last one stands for.
    times: Option<u32>,
}

/// The rounds that were summed up.
enum Summed {
    /// All that are left.
    All,
    /// Those before this one.
    Until(usize),
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
    /// Whether these may be of other kinds.
    unseen: bool,
    /// Where they are of several kinds and all were looked at: the last one, which is left out of the others.
    tail: Option<Value>,
}

impl Ahead {
    /// All items from a round on.
    fn rest(self, round: usize) -> Value {
        self.counts.rest(round, self.tail)
    }
}

impl Run<'_> {
    /// Widens a loop that teaches nothing new any more: how it was left, unless it goes on.
    #[cold]
    pub(in crate::interp) fn widen(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<Option<Flow>> {
        if self.goes_on(rounds) {
            return Ok(None);
        }
        let why = Why("a number that differs from round to round of a long loop".into());
        let Some(target) = parts.target else {
            self.it.widened.set(self.it.widened.get() + 1);
            let head = Head { target: None, test: parts.test(), splits: rounds.watch.may_split(self) };
            if let Some(Summed::Until(_)) = self.sum_up(parts, head, None, &rounds.watch, &why)? {
                rounds.watch = rounds.watch.again(self);
                return Ok(None);
            }
            self.forget_changing(rounds.watch.locals.as_deref().unwrap_or_default(), &why);
            let left = self.unknown_loop(&why, None, parts.test(), parts.body, parts.orelse)?;
            // Nothing but a `return` ends `while True` without a `break`.
            return Ok(Some(match (left, parts.is_endless(self.module)) {
                (Flow::Next, true) => match self.frame.take_maybe_returned() {
                    Some(returned) => Flow::Return(returned),
                    // Whatever ends it is not known: nothing of the function comes behind.
                    None if self.function.is_some() && !self.code.is_generator => {
                        Flow::Return(Value::unknown("a loop that nothing known ends"))
                    }
                    None => Flow::Next,
                },
                (left, _) => left,
            }));
        };
        self.range_ahead(rounds.begun, rounds.left(), rounds.watch.work, parts.head);
        rounds.catch_up();
        if !iterator_is_long(&rounds.iterator) || self.is_little_left(rounds) {
            return Ok(None);
        }
        self.it.widened.set(self.it.widened.get() + 1);
        let count = match &rounds.iterator {
            Value::Iter(iter) => iter.remaining(),
            _ => None,
        };
        // `reversed(range(n))`
        if rounds.left() == 0
            && let Some(left) = count
            && super::counts(self.module, parts.head, super::MOST_AROUND)
        {
            self.range_ahead(rounds.begun, left as u64, rounds.watch.work, parts.head);
        }
        let mut ahead = self.kinds_left(&rounds.iterator, &rounds.last)?;
        if ahead.unseen {
            ahead.kinds.push(Value::unknown("an item of a long loop that was not looked at"));
        }
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
                Some(Summed::All) => return self.tail(parts, rounds, ahead.tail),
                Some(Summed::Until(round)) => {
                    rounds.iterator = ahead.rest(round);
                    rounds.watch = rounds.watch.again(self);
                    return Ok(None);
                }
                None => {}
            }
        }
        self.forget_changing(rounds.watch.locals.as_deref().unwrap_or_default(), &why);
        if parts.body.breaks(self.module) {
            ahead.kinds.extend(ahead.tail.take());
        }
        for item in &ahead.kinds {
            let item = ahead.counts.within(number, splits, forgotten(item, &why), &why);
            if let left @ Flow::Return(_) = self.unknown_loop(&why, Some((target, item)), None, parts.body, &[])? {
                return Ok(Some(left));
            }
        }
        let Some(round) = spans::take_split(self.it, number) else { return self.tail(parts, rounds, ahead.tail) };
        // Something differs from that round on: it runs again from there.
        rounds.iterator = ahead.rest(round);
        rounds.watch = rounds.watch.again(self);
        Ok(None)
    }

    /// Whether what is left of a loop is little work, if its rounds go on as they did: it is run to its end, which may come soon.
    fn is_little_left(&self, rounds: &Rounds) -> bool {
        let Value::Iter(iter) = &rounds.iterator else { return false };
        let Some(left) = iter.remaining().filter(|left| *left <= FEW_LEFT) else { return false };
        let each = |done: u64| done / rounds.begun.max(1) * left as u64;
        let work = self.it.array_work.get() - rounds.watch.work;
        let fuel = rounds.watch.fuel.saturating_sub(self.it.fuel.get());
        each(work) <= LITTLE_WORK && each(fuel) <= LITTLE_FUEL
    }

    /// Behind the rounds that were taken together: the one that is left, or else the end of the loop.
    fn tail(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds, tail: Option<Value>) -> Step<Option<Flow>> {
        let Some(tail) = tail else { return self.block(parts.orelse).map(Some) };
        rounds.iterator = Iter::items("list_iterator", vec![tail]);
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
        // The rounds that this takes cost more than they tell, where most of what runs is not known.
        if self.it.doubts.get() > MOST_DOUBTS_SUMMED {
            return Ok(None);
        }
        let start = self.frame.all_locals();
        self.it.recorder.begin_tally();
        let mut runs = Runs::default();
        let counter = Counter::new(number, count, head.splits, why.clone());
        let result = self.summed(parts, &head, counter, watch, &mut runs);
        let last = self.it.recorder.take_tally();
        let (tally, times) = match &result {
            Ok(Some(Summed::Until(0))) => (Tally::default(), Some(0)),
            Ok(Some(_)) => (last, runs.times),
            _ => (runs.tried.into_iter().chain(last).collect(), None),
        };
        self.it.recorder.end_tally(tally, times, self.it.stands_for_rounds());
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
        runs: &mut Runs,
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
        runs.tried = self.it.recorder.take_tally();
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
            if !counter.found.get() && runs.tried.is_empty() {
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
            // Of a `while` loop it is known only where a round ends it, or differs.
            let is_counted = split.is_some() || head.target.is_some();
            runs.times = if is_counted { u32::try_from(count).ok() } else { None };
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
        // What a cache keeps is made in this round as often as in any other, where the whole loop is part of what is kept.
        let outer_cached = self.it.cached_runs.take();
        self.branches += 1;
        let outer = self.round_at.replace(self.branches);
        let flow = self.body_of(parts, head);
        self.round_at = outer;
        self.branches -= 1;
        self.it.in_widened_loop.set(outer_widened);
        self.it.cached_runs.set(outer_cached);
        let stays = self.frame.open_loops() == open && self.frame.take_maybe_returned().is_none();
        self.frame.close_loops(open);
        self.frame.set_maybe_returned(maybe);
        match flow {
            Ok(Some(Flow::Next | Flow::Continue)) => Ok(stays),
            Err(halt) if halt.is_final() => Err(halt),
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
        self.loop_body(parts.body).map(Some)
    }

    /// The kinds of items that a widened loop has still to see, each once: that of the last round, and those of further
    /// items that differ in more than numbers (the smaller batch at the end), in the order in which they come.
    fn kinds_left(&self, iterator: &Value, last: &Value) -> Step<Ahead> {
        let mut kinds = vec![last.clone()];
        if let Value::Iter(iter) = iterator
            && let Some((first, step, count)) = iter.range_left()
        {
            return Ok(Ahead {
                kinds,
                counts: Counts::of_range(first, step, count),
                count: None,
                cut: false,
                unseen: false,
                tail: None,
            });
        }
        let mut counting = Counting::default();
        let mut seen = vec![signature(last)];
        let fuel = self.it.fuel.get();
        let mut cut = true;
        let mut before = last.clone();
        // How many items had come with the newest kind.
        let mut newest = 0;
        let most = match iterator {
            Value::Iter(iter) if iter.is_quick() => MOST_AT_HAND,
            _ => MOST_LOOKED_AT,
        };
        for count in 0..most {
            if fuel.saturating_sub(self.it.fuel.get()) > MOST_FUEL_AHEAD {
                break;
            }
            match self.it.next(iterator) {
                Ok(Some(item)) => {
                    counting.saw(&item);
                    if are_alike(&before, &item) {
                        continue;
                    }
                    before = item.clone();
                    let kind = signature(&item);
                    if seen.len() < MOST_KINDS && !seen.contains(&kind) {
                        seen.push(kind);
                        kinds.push(item);
                        newest = count + 1;
                    }
                }
                Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
                Ok(None) => {
                    // The smaller batch at the end runs for itself.
                    let tail = if kinds.len() > 1 { counting.take_last() } else { None };
                    if tail.is_some() && newest == count {
                        kinds.pop();
                    }
                    let counts = if kinds.len() == 1 { counting.counts() } else { Counts::default() };
                    let count = Some(count - usize::from(tail.is_some()));
                    return Ok(Ahead { kinds, counts, count, cut: false, unseen: false, tail });
                }
                Err(_) => {
                    cut = false;
                    break;
                }
            }
        }
        let unseen = cut && !stays_alike(iterator);
        Ok(Ahead { kinds, counts: Counts::default(), count: None, cut, unseen, tail: None })
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
    pub(super) fn unknown_loop(
        &mut self,
        why: &Why,
        target: Option<(&Target, Value)>,
        test: Option<ExprId>,
        body: LoopBody<'_>,
        orelse: &[StmtId],
    ) -> Step<Flow> {
        // Two rounds: the second starts from what the first may have left.
        let left = self.any_rounds(|run| match &target {
            Some((target, item)) => {
                let rounds = [(*target, item), (*target, item)];
                run.unknown_rounds(why, rounds.into_iter().map(Some), test, body)
            }
            None => run.unknown_rounds(why, [None, None].into_iter(), test, body),
        })?;
        self.behind_unknown(why, left, orelse)
    }

    /// A loop over these items, any of which may be one too many.
    pub(super) fn open_loop(
        &mut self,
        why: &Why,
        target: &Target,
        items: &[Value],
        body: LoopBody<'_>,
        orelse: &[StmtId],
    ) -> Step<Flow> {
        let rounds = items.iter().map(|item| Some((target, item)));
        let left = self.any_rounds(|run| run.unknown_rounds(why, rounds, None, body))?;
        self.behind_unknown(why, left, orelse)
    }

    /// What is behind a loop whose rounds cannot be counted.
    fn behind_unknown(&mut self, why: &Why, left: Flow, orelse: &[StmtId]) -> Step<Flow> {
        match left {
            Flow::Return(value) => {
                // It may return from inside: the rest runs as well.
                self.frame.may_return(value);
            }
            Flow::Break if !orelse.is_empty() => {
                return self.either(why, |run| run.block(orelse), |_| Ok(Flow::Next));
            }
            Flow::Next | Flow::Break | Flow::Continue => {}
        }
        self.block(orelse)
    }

    /// Runs rounds that stand for any number of them.
    pub(in crate::interp) fn any_rounds<T>(&mut self, rounds: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        let depth = self.it.unknown_loops.get();
        // Where much that is not known has run, the next levels are the ones that cost twice as much each.
        let tired = u32::try_from(self.it.doubts.get() / MOST_DOUBTS_SUMMED).unwrap_or(u32::MAX);
        if depth >= MOST_UNKNOWN_LOOPS.saturating_sub(tired).max(LEAST_UNKNOWN_LOOPS) {
            return Err(Halt::unknown("loops of unknown length, deep inside each other"));
        }
        self.it.unknown_loops.set(depth + 1);
        let outer_widened = self.it.in_widened_loop.replace(true);
        // What a cache keeps is made in this round as often as in any other, where the whole loop is part of what is kept.
        let outer_cached = self.it.cached_runs.take();
        self.it.recorder.begin_tally();
        let result = rounds(self);
        self.it.in_widened_loop.set(outer_widened);
        self.it.cached_runs.set(outer_cached);
        let tally = self.it.recorder.take_tally();
        self.it.recorder.end_tally(tally, None, self.it.stands_for_rounds());
        self.it.unknown_loops.set(depth);
        result
    }

    /// How such a loop is left: by a `break` where there may have been one.
    fn unknown_rounds<'v>(
        &mut self,
        why: &Why,
        rounds: impl Iterator<Item = Option<(&'v Target, &'v Value)>>,
        test: Option<ExprId>,
        body: LoopBody<'_>,
    ) -> Step<Flow> {
        let mut left = Flow::Next;
        let mut may_break = false;
        for target in rounds {
            let open = self.frame.open_loops();
            let flow = self.either(
                why,
                |run| {
                    if let Some(test) = test {
                        run.eval(test)?;
                    }
                    if let Some((target, item)) = target {
                        run.assign(target, item.clone())?;
                    }
                    let outer = run.round_at.replace(run.branches);
                    let flow = run.loop_body(body);
                    run.round_at = outer;
                    match flow? {
                        Flow::Return(value) => Ok(Flow::Return(value)),
                        Flow::Break => Ok(Flow::Break),
                        _ => Ok(Flow::Next),
                    }
                },
                |_| Ok(Flow::Next),
            );
            may_break |= self.frame.open_loops() > open || matches!(flow, Ok(Flow::Break));
            self.frame.close_loops(open);
            match flow? {
                Flow::Return(value) => {
                    left = Flow::Return(value);
                    break;
                }
                _ => left = Flow::Next,
            }
        }
        Ok(if may_break && matches!(left, Flow::Next) { Flow::Break } else { left })
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
