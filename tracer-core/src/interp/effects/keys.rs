//! Random keys that are used.

use std::rc::Rc;

use smallvec::SmallVec;

use super::How;
use crate::array::DType;
use crate::interp::Interp;
use crate::interp::events::Event;
use crate::module::Symbol;
use crate::python::halt::Site;
use crate::python::journal;
use crate::trace::{TraceRef, Val};

/// Of so many calls it is remembered that they led to a use of a random key.
const MOST_CALLS: usize = 16;

/// So many numbers are folded into a key one after the other before it is one of its own.
const MOST_FOLDS: usize = 16;

/// The numbers that were folded into a key, one after the other: the same numbers give the same key again.
pub type Folds = SmallVec<[u64; 2]>;

/// Where a function uses a random key up.
#[derive(Clone)]
pub struct KeyUsed {
    /// What is folded into the key first.
    pub folds: Folds,
    /// The call in the user's program.
    pub site: Site,
    /// The function of `jax.random`.
    pub function: Symbol,
}

/// How a random key was used up.
pub(super) struct KeyUse {
    folds: Folds,
    trace: TraceRef,
    /// The calls that led there, innermost first, and the function.
    calls: Vec<Site>,
    function: Symbol,
}

/// The uses of a key, and of what numbers that are known make of it.
pub(super) struct KeyUses {
    /// The key: its address stays taken.
    _key: Val,
    uses: Vec<KeyUse>,
}

/// A key that `fold_in` has made of another one.
pub(super) struct Folded {
    /// The key itself: its address stays taken.
    _key: Val,
    from: Val,
    folds: Folds,
}

/// So many keys are remembered.
const MOST: usize = 10_000;

/// And of each so many uses, by what is folded into it.
const MOST_USES: usize = 64;

impl Interp {
    /// A function reads an array from outside of its trace.
    pub fn captures(&self, array: &Val) {
        let aval = &array.aval;
        let is_key =
            aval.dtype.is_key() || aval.dtype == DType::U32 && aval.shape.last().and_then(|s| s.known()) == Some(2);
        if is_key && self.effects.lasting.get() == Some(How::Batched) {
            let mut keys = self.effects.captured_keys.borrow_mut();
            if keys.len() < MOST {
                keys.insert(Rc::as_ptr(array), array.clone());
            }
        }
    }

    /// A random key is used up: notes where that happens for a second time.
    pub fn note_key_use(&self, key: &Val, function: Symbol) {
        let calls = self.calls_under_way();
        let Some(site) = calls.first().copied() else { return };
        if !journal::speculating()
            && self.effects.lasting.get() == Some(How::Batched)
            && self.effects.captured_keys.borrow().contains_key(&Rc::as_ptr(key))
        {
            self.events.note(Event::CapturedKey { site, function });
        }
        self.use_key(key, &[], function, calls, 0);
    }

    /// A random key is made of another one by a number that is known.
    pub fn note_key_folded(&self, key: &Val, number: u64, made: &Val) {
        let (from, mut folds) = self.origin(key);
        folds.push(number);
        let mut folded = self.effects.folded_keys.borrow_mut();
        if folded.len() < MOST && folds.len() <= MOST_FOLDS {
            folded.insert(Rc::as_ptr(made), Folded { _key: made.clone(), from, folds });
        }
    }

    /// The key that a key was made of by numbers, and those.
    fn origin(&self, key: &Val) -> (Val, Folds) {
        match self.effects.folded_keys.borrow().get(&Rc::as_ptr(key)) {
            Some(folded) => (folded.from.clone(), folded.folds.clone()),
            None => (key.clone(), Folds::new()),
        }
    }

    /// Where a trace has used up a random key that it was given, or one that numbers make of it.
    pub fn key_used_in_trace(&self, key: &Val) -> Vec<KeyUsed> {
        let keys = self.effects.keys.borrow();
        let uses = keys.get(&Rc::as_ptr(key)).into_iter().flat_map(|of| &of.uses);
        uses.map(|used| KeyUsed { folds: used.folds.clone(), site: used.calls[0], function: used.function }).collect()
    }

    /// A compiled function is given a random key that its trace uses up there.
    pub fn note_key_given(&self, key: &Val, used: &KeyUsed) {
        let mut calls = self.calls_under_way();
        if !calls.is_empty() {
            calls.insert(0, used.site);
            self.use_key(key, &used.folds, used.function, calls, 1);
        }
    }

    /// The user's calls, innermost first.
    fn calls_under_way(&self) -> Vec<Site> {
        self.user_stack.borrow().iter().rev().take(MOST_CALLS).map(|(site, _)| *site).collect()
    }

    /// A key, with these numbers folded into it, is used up at the end of such calls; the one at `held` has been given the key
    /// itself.
    fn use_key(&self, key: &Val, more: &[u64], function: Symbol, calls: Vec<Site>, held: usize) {
        if journal::speculating() {
            return;
        }
        let site = calls[0];
        let trace = self.engine.trace();
        let (key, mut folds) = self.origin(key);
        folds.extend_from_slice(more);
        let mut keys = self.effects.keys.borrow_mut();
        let address = Rc::as_ptr(&key);
        let has_room = keys.len() < MOST;
        match keys.get_mut(&address).and_then(|of| of.uses.iter_mut().find(|used| used.folds == folds)) {
            // Two branches may use the same key.
            Some(before) if !Rc::ptr_eq(&before.trace, &trace) => {}
            Some(before) if before.calls[0] != site || before.calls == calls => {
                let first_function = std::mem::replace(&mut before.function, function);
                let before = std::mem::replace(&mut before.calls, calls.clone());
                let (first, stack) = (before[0], std::sync::Arc::from(&calls[held..]));
                let calls = apart(&before, &calls).unwrap_or([calls[held]; 2]);
                self.events.note(Event::KeyReuse { first, first_function, site, function, calls, stack });
            }
            // Who calls a function twice with a key may mean to; but not at each round.
            Some(before) => before.calls = calls,
            None if has_room => {
                let of = keys.entry(address).or_insert_with(|| KeyUses { _key: key, uses: Vec::new() });
                if of.uses.len() < MOST_USES {
                    of.uses.push(KeyUse { folds, trace, calls, function });
                }
            }
            None => {}
        }
    }
}

/// The outermost calls, innermost first in their lists, that are not the same.
fn apart(first: &[Site], now: &[Site]) -> Option<[Site; 2]> {
    let same = first.iter().rev().zip(now.iter().rev()).take_while(|(a, b)| a == b).count();
    Some([*first.get((first.len() - same).checked_sub(1)?)?, *now.get((now.len() - same).checked_sub(1)?)?])
}
