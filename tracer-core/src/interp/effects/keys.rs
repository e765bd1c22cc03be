//! Random keys that are used.

use std::rc::Rc;

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

/// How a random key was used up.
pub(super) struct KeyUse {
    /// The key: its address stays taken.
    _key: Val,
    trace: TraceRef,
    /// The calls that led there, innermost first, and the function.
    calls: Vec<Site>,
    function: Symbol,
}

/// So many keys are remembered.
const MOST: usize = 10_000;

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
        self.use_key(key, function, calls, 0);
    }

    /// Where a trace has used up a random key, and by which function, if it has.
    pub fn key_used_in_trace(&self, key: &Val) -> Option<(Site, Symbol)> {
        let keys = self.effects.keys.borrow();
        keys.get(&Rc::as_ptr(key)).map(|used| (used.calls[0], used.function))
    }

    /// A compiled function is given a random key that its trace uses up there.
    pub fn note_key_given(&self, key: &Val, (site, function): (Site, Symbol)) {
        let mut calls = self.calls_under_way();
        if !calls.is_empty() {
            calls.insert(0, site);
            self.use_key(key, function, calls, 1);
        }
    }

    /// The user's calls, innermost first.
    fn calls_under_way(&self) -> Vec<Site> {
        self.user_stack.borrow().iter().rev().take(MOST_CALLS).map(|(site, _)| *site).collect()
    }

    /// A key is used up at the end of such calls; the one at `held` has been given the key itself.
    fn use_key(&self, key: &Val, function: Symbol, calls: Vec<Site>, held: usize) {
        if journal::speculating() {
            return;
        }
        let site = calls[0];
        let trace = self.engine.trace();
        let mut keys = self.effects.keys.borrow_mut();
        match keys.get(&Rc::as_ptr(key)) {
            // Two branches may use the same key; and who calls a function twice with a key may mean to.
            Some(before) if Rc::ptr_eq(&before.trace, &trace) => {
                let first = before.calls[0];
                if first != site || before.calls == calls {
                    let stack = std::sync::Arc::from(&calls[held..]);
                    let calls = apart(&before.calls, &calls).unwrap_or([calls[held]; 2]);
                    let first_function = before.function;
                    self.events.note(Event::KeyReuse { first, first_function, site, function, calls, stack });
                }
            }
            Some(_) => {}
            None if keys.len() < MOST => {
                keys.insert(Rc::as_ptr(key), KeyUse { _key: key.clone(), trace, calls, function });
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
