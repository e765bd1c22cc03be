//! Clauses of comprehensions and generator expressions.
//!
//! Where items or conditions are not known, what is collected is not known either, but what making the elements changes is as
//! well as in a loop: an element whose condition is not known is made and joined with not having been made, and items that are
//! not known are taken for any number of rounds. A generator that hands its elements on one by one ends there: who asks it
//! for the next one is told.

use super::expr::Collected;
use super::flat::{Gone, NoElement};
use super::function::{Flow, Run};
use super::loops::item_of;
use super::used_up::Use;
use crate::module::{Body, Clause, Collect, Comprehension, ExprId, Place, Target};
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::Branch;
use crate::python::{Guess, List, Value};

/// Once an element is lost, or may have been enough, so many further items are looked at one by one.
pub(super) const MOST_BEHIND: usize = 64;
/// What is left of a list comprehension is gone through as a loop once its elements have taken so much work on arrays.
const MOST_ELEMENTS_WORK: u64 = 60_000;
/// So many items that are at hand are gone through, where each of them is wanted.
const MOST_AT_HAND: usize = 16_000_000;

impl Run<'_> {
    /// The iterator of a first clause; an unknown value stands for that of something unknown.
    ///
    /// # Errors
    /// What making it raises.
    pub(super) fn first_iterator(&mut self, iterable: ExprId) -> Step<Value> {
        let iterable = self.eval(iterable)?;
        self.iterator_over(iterable)
    }

    /// As [`Run::first_iterator`], of what its expression has come to.
    ///
    /// # Errors
    /// What making it raises.
    #[inline]
    pub(super) fn iterator_over(&mut self, iterable: Value) -> Step<Value> {
        match self.it.iterate(&iterable) {
            Err(Halt::Unknown(_)) if self.user && matches!(&iterable, Value::Unknown(u) if u.items != Guess::Any) => {
                Ok(iterable)
            }
            Err(Halt::Unknown(why)) if self.user => Ok(Value::unknown(why.0)),
            iterator => iterator,
        }
    }

    /// Runs a clause and those inside: whether who takes the elements has enough.
    ///
    /// # Errors
    /// What items, conditions and elements raise; that it is not known which elements there are, once all that could be run has been.
    pub(super) fn clause(
        &mut self,
        whole: &Comprehension,
        at: usize,
        iterator: Value,
        out: &mut Collected,
    ) -> Step<bool> {
        let clause: &Clause = &whole.clauses[at];
        let is_last = at + 1 == whole.clauses.len();
        let goes_on = self.user && !matches!(out, Collected::Nothing);
        if let Some(why) = past_budget(&iterator, out) {
            // The first item is one for sure: what it raises is raised.
            if let Ok(Some(item)) = self.it.next(&iterator) {
                self.assign(&clause.target, item)?;
                known(self.clause_body(whole, at, &mut Collected::Lost))?;
            }
            self.unknown_clause(whole, at, &iterator, &why)?;
            return Err(Halt::Unknown(why));
        }
        let mut lost: Option<Why> = None;
        let work = self.it.array_work.get();
        // Whoever takes the elements may have had enough before these.
        let in_doubt = out.why_enough().cloned();
        let mut behind = 0;
        loop {
            self.it.spend()?;
            let flat = (is_last && lost.is_none() && in_doubt.is_none())
                .then(|| self.flat_elements(whole, &iterator, out))
                .flatten();
            let unknown = match flat {
                Some(Ok(Gone::Enough)) => return self.enough(whole, at, iterator, out),
                Some(Ok(Gone::Through)) => return Ok(false),
                Some(Ok(Gone::Far)) => return self.rest_as_loop(whole, iterator, out),
                Some(Err(NoElement { halt: Halt::Unknown(why), of_iterator: false })) if goes_on => {
                    // The item stands in its place.
                    known(self.clause_body(whole, at, &mut Collected::Lost))?;
                    Some(why)
                }
                Some(Err(NoElement { halt, of_iterator: false })) => return Err(halt),
                flat => {
                    let next = match flat {
                        Some(Err(stopped)) => Err(stopped.halt),
                        _ => self.it.next(&iterator),
                    };
                    let item = match next {
                        Ok(Some(item)) => item,
                        Ok(None) => return lost.map_or(Ok(false), |why| Err(Halt::Unknown(why))),
                        Err(Halt::Unknown(why)) => {
                            if !matches!(out, Collected::Nothing) {
                                self.unknown_clause(whole, at, &iterator, &why)?;
                            }
                            return Err(Halt::Unknown(lost.unwrap_or(why)));
                        }
                        Err(halt) => return Err(halt),
                    };
                    match &clause.target {
                        Target::Name(Place::Local(slot), ..) => {
                            Value::put(&mut self.frame.locals[*slot as usize], item);
                        }
                        target => self.assign(target, item)?,
                    }
                    match self.clause_body(whole, at, out) {
                        Ok(true) => return self.enough(whole, at, iterator, out),
                        Ok(false) if is_last && self.is_far(out, work) => {
                            return self.rest_as_loop(whole, iterator, out);
                        }
                        Ok(false) => None,
                        Err(Halt::Unknown(why)) if goes_on => Some(why),
                        Err(Halt::Unknown(why)) if self.user => {
                            self.perhaps_left(whole, at, iterator, &mut Collected::Perhaps(why.clone()), &why)?;
                            return Err(Halt::Unknown(why));
                        }
                        Err(halt) => return Err(halt),
                    }
                }
            };
            if let Some(why) = unknown {
                match out.take_unknown(&why) {
                    Some(true) => return self.enough(whole, at, iterator, out),
                    Some(false) => {}
                    None => {
                        lost.get_or_insert(why);
                        *out = Collected::Lost;
                    }
                }
            }
            if let Some(why) = lost.as_ref().or(in_doubt.as_ref()) {
                behind += 1;
                if behind > MOST_BEHIND {
                    self.unknown_clause(whole, at, &iterator, &why.clone())?;
                    return lost.map_or(Ok(false), |why| Err(Halt::Unknown(why)));
                }
            }
        }
    }

    /// Whether elements of a list have taken so much work on arrays since there was this much that what is left is gone through as a loop.
    pub(super) fn is_far(&self, out: &Collected, work: u64) -> bool {
        self.user
            && matches!(out, Collected::List(_) | Collected::Into(_))
            && self.it.array_work.get().wrapping_sub(work) > MOST_ELEMENTS_WORK
    }

    /// Goes through the items that are left of a list comprehension's last clause as a loop does, which may take them together.
    fn rest_as_loop(&mut self, whole: &Comprehension, iterator: Value, out: &mut Collected) -> Step<bool> {
        let list = match std::mem::replace(out, Collected::Lost) {
            Collected::List(items) => List::new(items),
            Collected::Into(list) => list,
            other => {
                *out = other;
                return Ok(false);
            }
        };
        *out = Collected::Into(self.long_elements(whole, iterator, list)?);
        Ok(false)
    }

    /// Who takes the elements has enough. Where that is not known, the items that are left are gone through, or are not.
    fn enough(&mut self, whole: &Comprehension, at: usize, iterator: Value, out: &mut Collected) -> Step<bool> {
        if let Some(why) = out.why_enough().cloned() {
            self.perhaps_left(whole, at, iterator, out, &why)?;
        }
        Ok(true)
    }

    /// The items of a clause that are left are gone through, or are not.
    fn perhaps_left(
        &mut self,
        whole: &Comprehension,
        at: usize,
        iterator: Value,
        out: &mut Collected,
        why: &Why,
    ) -> Step<()> {
        let rest = |run: &mut Self| {
            if let Value::Iter(iter) = &iterator {
                iter.goes_on_here();
            }
            known(run.clause(whole, at, iterator, out))?;
            Ok(Flow::Next)
        };
        self.either(why, rest, |_| Ok(Flow::Next)).map(drop)
    }

    /// What is left of a generator expression that could not say whether an element is its next one: whoever asked may go on.
    ///
    /// # Errors
    /// What ends the whole run.
    pub(super) fn rest_of_generator(&mut self, iterator: Value, why: &Why) -> Step<()> {
        match &self.code.body {
            Body::Comprehension(whole) if self.user => {
                self.perhaps_left(whole, 0, iterator, &mut Collected::Perhaps(why.clone()), why)
            }
            _ => Ok(()),
        }
    }

    /// What is done with an item of a clause, which is bound.
    pub(super) fn clause_body(&mut self, whole: &Comprehension, at: usize, out: &mut Collected) -> Step<bool> {
        self.behind_conditions(whole, at, 0, out)
    }

    /// The same from one of the clause's conditions on.
    fn behind_conditions(&mut self, whole: &Comprehension, at: usize, first: usize, out: &mut Collected) -> Step<bool> {
        for (i, condition) in whole.clauses[at].conditions.iter().enumerate().skip(first) {
            let value = self.eval(*condition)?;
            match self.it.truth_or_unknown(&value)? {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(why) => {
                    if self.user && !matches!(out, Collected::Nothing) {
                        // An element that may be one makes a list that is gathered in a loop longer, or does not.
                        let gathered = matches!(out, Collected::Into(_));
                        let rest = |run: &mut Self| {
                            let out = if gathered { &mut *out } else { &mut Collected::Lost };
                            known(run.behind_conditions(whole, at, i + 1, out))?;
                            Ok(Flow::Next)
                        };
                        self.either(&why, rest, |_| Ok(Flow::Next))?;
                        if gathered {
                            return Ok(false);
                        }
                    }
                    return Err(Halt::Unknown(why));
                }
            }
        }
        if let Some(next) = whole.clauses.get(at + 1) {
            let iterator = self.first_iterator(next.iter.expect("only the first clause lacks its iterable"))?;
            return self.clause(whole, at + 1, iterator, out);
        }
        let (key, value) = match whole.collect {
            Collect::List(value) | Collect::Set(value) | Collect::Generator(value) => (None, value),
            Collect::Dict(key, value) => (Some(self.eval(key)?), value),
        };
        let value = self.eval(value)?;
        self.collect(out, key, value)
    }

    /// Runs a clause for any number of items that are not known.
    fn unknown_clause(&mut self, whole: &Comprehension, at: usize, iterator: &Value, why: &Why) -> Step<()> {
        let (open, sample) = match iterator {
            Value::Iter(iter) => (iter.open_items(), iter.sample().map(|(item, _)| item)),
            _ => (None, None),
        };
        let item = sample.unwrap_or_else(|| item_of(iterator, why));
        // The second one starts from what the first may have left.
        let items = open.map_or_else(|| vec![item.clone(), item.clone()], |(items, _)| items.to_vec());
        let round = |run: &mut Self, item: &Value| {
            run.assign(&whole.clauses[at].target, item.clone())?;
            known(run.clause_body(whole, at, &mut Collected::Lost))?;
            Ok(Flow::Next)
        };
        if self.user {
            return self.any_rounds(|run| {
                for item in &items {
                    run.either(why, |run| round(run, item), |_| Ok(Flow::Next))?;
                }
                Ok(())
            });
        }
        // What a library does there is seen, and taken back.
        let branch = Branch::start();
        let result = round(self, &item);
        let _ = branch.undo();
        match result {
            Err(halt) if halt.is_final() => Err(halt),
            _ => Ok(()),
        }
    }
}

/// Why the items of a clause are not gone through, where they are too many.
fn past_budget(iterator: &Value, out: &Collected) -> Option<Why> {
    let made = match out {
        Collected::List(items) | Collected::Used(Use::Items(items)) => items.len(),
        Collected::Into(list) => list.read().len(),
        Collected::Set(items) => items.len(),
        Collected::Dict(items) => items.len(),
        _ => 0,
    };
    if made > MOST_AT_HAND {
        return Some(Why(format!("a comprehension of more than {MOST_AT_HAND} items is past the budget").into()));
    }
    let Value::Iter(iter) = iterator else { return None };
    let items = iter.remaining().filter(|items| *items > MOST_AT_HAND)?;
    // Who asks for elements one by one, or looks for one of them, may have enough before.
    let is_wanted = !matches!(out, Collected::Nothing | Collected::Lost | Collected::Used(Use::Quantified { .. }));
    is_wanted.then(|| Why(format!("a comprehension over {items} items is past the budget").into()))
}

/// Something that may end because it is not known how it goes on.
fn known(result: Step<bool>) -> Step<()> {
    match result {
        Ok(_) | Err(Halt::Unknown(_)) => Ok(()),
        Err(halt) => Err(halt),
    }
}
