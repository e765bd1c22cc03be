//! Loops: they run; one that stops teaching anything new is widened and left.
//!
//! A loop over arrays runs until some rounds in a row bring nothing new (no new type of an expression, no new trace) and
//! enough work was done. Then one more round runs with the target and everything that the rounds change made abstract
//! (types kept, numbers forgotten), joined with not running, and the loop is over: a training loop of a million steps
//! costs what a few steps cost.

use super::function::{Flow, Run};
use super::spans::{self, Counting, Counts};
use crate::module::{ExprId, Place, StmtId, Target};
use crate::python::container::{forgotten, guess_of, join_values, signature};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Guess, Value};

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

/// So often a widened loop runs again from a round that differs from those before.
const MOST_SPLITS: u32 = 8;

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

    /// Called before each round: keeps the variables if the loop may be widened behind it.
    #[inline]
    fn before_round(&mut self, run: &Run<'_>) {
        let it = run.it;
        let may_end = if it.array_work.get() == self.work {
            self.fuel.saturating_sub(it.fuel.get()) > LEAST_FUEL
        } else {
            self.quiet + 1 >= QUIET_ROUNDS
        };
        if may_end {
            self.locals.get_or_insert_default().clone_from(&run.frame.locals);
        }
    }

    /// Called after each round: whether the loop should be widened now.
    #[inline]
    fn round(&mut self, run: &Run<'_>) -> bool {
        let it = run.it;
        self.rounds += 1;
        // Who takes the items decides how long a generator runs.
        if run.yields != self.yields {
            return false;
        }
        let novelty = it.novelty.get();
        self.quiet = if novelty == self.novelty { self.quiet + 1 } else { 0 };
        self.novelty = novelty;
        if self.locals.is_none() {
            return false;
        }
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
}

/// The size of a container that must keep it while it is iterated over.
fn size_of(iterable: &Value) -> Option<usize> {
    match iterable {
        Value::Dict(dict) if dict.why_vague().is_none() => Some(dict.read().len()),
        Value::Set(set) if set.why_vague().is_none() => Some(set.read().len()),
        _ => None,
    }
}

impl Run<'_> {
    /// `for target in iter: body else: orelse`
    pub fn for_statement(&mut self, target: &Target, iter: ExprId, body: &[StmtId], orelse: &[StmtId]) -> Step<Flow> {
        let iterable = self.eval(iter)?;
        let mut iterator = match self.it.iterate(&iterable) {
            Ok(iterator) => iterator,
            Err(Halt::Unknown(why)) if self.user => {
                return self.unknown_loop(&why, Some((target, Value::unknown(why.0.clone()))), None, body, orelse);
            }
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(iter));
                return Err(Halt::Raise(exception));
            }
            Err(halt) => return Err(halt),
        };
        if self.user
            && let Value::Iter(iter) = &iterator
            && let Some((item, why)) = iter.sample()
        {
            return self.unknown_loop(&why, Some((target, item)), None, body, orelse);
        }
        let mut watch = Watch::new(self);
        let size = size_of(&iterable);
        loop {
            self.it.spend()?;
            if self.is_lost() && watch.rounds > 0 {
                return Ok(Flow::Next);
            }
            if size.is_some() && size_of(&iterable).is_some_and(|now| Some(now) != size) {
                let kind = if let Value::Dict(_) = iterable { "dictionary" } else { "Set" };
                let halt = Halt::raise("RuntimeError", format!("{kind} changed size during iteration"));
                let Halt::Raise(mut exception) = halt else { return Err(halt) };
                self.place(&mut exception, self.module.span(iter));
                return Err(Halt::Raise(exception));
            }
            let number = match &iterator {
                Value::Iter(iter) => iter.next_of_range(),
                _ => None,
            };
            let (item, last_item) = match number {
                Some(Some(number)) => (Value::Int(number), Value::Int(number)),
                Some(None) => break,
                None => match self.it.next(&iterator) {
                    Ok(Some(item)) => (item.clone(), item),
                    Ok(None) => break,
                    Err(Halt::Unknown(why)) if self.user => {
                        let item = Value::unknown(why.0.clone());
                        return self.unknown_loop(&why, Some((target, item)), None, body, orelse);
                    }
                    Err(Halt::Raise(mut exception)) if self.user => {
                        self.place(&mut exception, self.module.span(iter));
                        return Err(Halt::Raise(exception));
                    }
                    Err(halt) => return Err(halt),
                },
            };
            if self.user {
                watch.before_round(self);
            }
            match target {
                Target::Name(Place::Local(slot), ..) => Value::put(&mut self.frame.locals[*slot as usize], item),
                target => self.assign(target, item)?,
            }
            let open = self.open_loops.len();
            let flow = self.block(body)?;
            if self.open_loops.len() > open {
                // It may have ended here: what later rounds would do is joined with having stopped.
                let why = self.open_loops[open].clone();
                self.open_loops.truncate(open);
                let item = forgotten(&last_item, &why);
                return self.unknown_loop(&why, Some((target, item)), None, body, &[]);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            if self.user && watch.round(self) && iterator_is_long(&iterator) {
                self.it.widened.set(self.it.widened.get() + 1);
                let why = Why("a number that differs from round to round of a long loop".into());
                let ahead = self.kinds_left(&iterator, &last_item)?;
                self.forget_changing(watch.locals.as_deref().unwrap_or_default(), &why);
                let number = spans::new_loop(self.it);
                let splits = watch.splits < MOST_SPLITS;
                for item in &ahead.kinds {
                    let item = ahead.counts.within(number, splits, forgotten(item, &why), &why);
                    if let left @ Flow::Return(_) = self.unknown_loop(&why, Some((target, item)), None, body, &[])? {
                        return Ok(left);
                    }
                }
                let Some(round) = spans::take_split(self.it, number) else { return self.block(orelse) };
                // Something differs from that round on: it runs again from there.
                iterator = ahead.counts.rest(round);
                watch = Watch { splits: watch.splits + 1, ..Watch::new(self) };
            }
        }
        self.block(orelse)
    }

    /// `while test: body else: orelse`
    pub fn while_statement(&mut self, test: ExprId, body: &[StmtId], orelse: &[StmtId]) -> Step<Flow> {
        let mut watch = Watch::new(self);
        loop {
            self.it.spend()?;
            if self.is_lost() && watch.rounds > 0 {
                return Ok(Flow::Next);
            }
            let truth = match self.quick(test) {
                Some(number) => Ok(number.truth()),
                None => {
                    let condition = self.eval(test)?;
                    self.it.truth_or_unknown(&condition)?
                }
            };
            match truth {
                Ok(true) => {}
                Ok(false) => return self.block(orelse),
                Err(why) if self.user => return self.unknown_loop(&why, None, Some(test), body, orelse),
                Err(why) => return Err(Halt::Unknown(why)),
            }
            if self.user {
                watch.before_round(self);
            }
            let open = self.open_loops.len();
            let flow = self.block(body)?;
            if self.open_loops.len() > open {
                let why = self.open_loops[open].clone();
                self.open_loops.truncate(open);
                return self.unknown_loop(&why, None, Some(test), body, &[]);
            }
            match flow {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            if self.user && watch.round(self) {
                self.it.widened.set(self.it.widened.get() + 1);
                let why = Why("a number that differs from round to round of a long loop".into());
                self.forget_changing(watch.locals.as_deref().unwrap_or_default(), &why);
                return self.unknown_loop(&why, None, Some(test), body, orelse);
            }
        }
    }

    /// The kinds of items that a widened loop has still to see, each once: that of the last round, and those of further
    /// items that differ in more than numbers (the smaller batch at the end), in the order in which they come.
    fn kinds_left(&self, iterator: &Value, last: &Value) -> Step<Ahead> {
        let mut kinds = vec![last.clone()];
        if let Value::Iter(iter) = iterator
            && let Some((first, step, count)) = iter.range_left()
        {
            return Ok(Ahead { kinds, counts: Counts::of_range(first, step, count) });
        }
        if matches!(last, Value::Int(_) | Value::None) {
            return Ok(Ahead { kinds, counts: Counts::default() });
        }
        let mut counting = Counting::default();
        let mut seen = vec![signature(last)];
        let fuel = self.it.fuel.get();
        for _ in 0..MOST_LOOKED_AT {
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
                    return Ok(Ahead { kinds, counts });
                }
                Err(_) => break,
            }
        }
        Ok(Ahead { kinds, counts: Counts::default() })
    }

    /// Local variables that the last round changed: their types stay, their numbers are forgotten.
    fn forget_changing(&mut self, before: &[Value], why: &Why) {
        for (now, before) in self.frame.locals.iter_mut().zip(before) {
            if now.is(before) || before.is_unbound() {
                continue;
            }
            *now = forget(now, before, why);
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
                self.frame.maybe_returned = Some(match self.frame.maybe_returned.take() {
                    Some(other) => join_values(&other, &value),
                    None => value,
                });
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
            let open = self.open_loops.len();
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
            self.open_loops.truncate(open);
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

/// What is left of a value that a loop changes at each round.
fn forget(now: &Value, before: &Value, why: &Why) -> Value {
    match (now, before) {
        (Value::Array(a), Value::Array(b)) if a.aval == b.aval => match crate::trace::Array::forgotten(a, why) {
            Some(array) => Value::Array(array),
            None => now.clone(),
        },
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => Value::Tuple(
            a.iter().zip(b.iter()).map(|(a, b)| if a.is(b) { a.clone() } else { forget(a, b, why) }).collect(),
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
