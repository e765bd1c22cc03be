//! Calls of functions that keep what calls of another one gave (`functools.lru_cache`).
//!
//! The prelude's Python says what they do; where the arguments are plain, this does the same at once.

use std::ops::Range;
use std::rc::Rc;

use super::calls::called;
use super::op::{At, Flat, Op};
use crate::interp::function::Run;
use crate::module::ExprId;
use crate::python::key::AskedItems;
use crate::python::{Function, Key, List, Memo, Value};

/// One more; whether that could be counted.
fn count(counts: &List, which: usize) -> bool {
    let counted = counts.quick_change(|counts| match counts.get_mut(which) {
        Some(Value::Int(count)) => {
            *count += 1;
            Some(())
        }
        _ => None,
    });
    counted.is_some()
}

/// The result that is kept for these arguments. `Err`: it is not known whether there is one.
fn kept(memo: &Memo, args: &[Value]) -> Result<Option<Value>, ()> {
    let asked = AskedItems::of(args).ok_or(())?;
    let known = memo.results.known().ok_or(())?;
    let Some((at, _, value)) = known.items.get_full(&asked) else { return Ok(None) };
    let value = value.clone();
    let is_last = at + 1 == known.items.len();
    drop(known);
    if !count(&memo.counts, 0) {
        return Err(());
    }
    if memo.most.is_some() && !is_last {
        let mut results = memo.results.write();
        if let Some((key, held)) = results.shift_remove_index(at) {
            results.insert(key, held);
        }
    }
    Ok(Some(value))
}

impl<'a> Run<'a> {
    /// Calls a function that keeps results with what is in these registers; `None` where its text has to say what that gives.
    #[inline(never)]
    pub(super) fn call_kept(
        &mut self,
        flat: &'a Flat,
        op: &'a Op,
        at: At,
        expr: ExprId,
        wrapper: &Rc<Function>,
        args: Range<usize>,
    ) -> Option<At> {
        let memo = wrapper.memo.get()?;
        if !self.it.is_unwatched() || !self.it.engine.is_top_level() || self.is_handed_on(wrapper, args.clone()) {
            return None;
        }
        match kept(memo, &self.frame.locals[args.clone()]) {
            Err(()) => None,
            Ok(Some(value)) => {
                for arg in &mut self.frame.locals[args] {
                    Value::clear(arg);
                }
                Some(called(self, flat, op, at, Ok(value)))
            }
            Ok(None) => {
                let function = &memo.function;
                let is_plain = function.plain_arity == Some(args.len() as u32)
                    && function.memo.get().is_none()
                    && function.short.get().is_none()
                    && !self.is_handed_on(function, args.clone())
                    && self.it.depth.get() < self.it.deep.get();
                if !is_plain {
                    return None;
                }
                let key = AskedItems::of(&self.frame.locals[args.clone()])?.key();
                self.show_window(flat);
                // The wrapper is one level of its own.
                let depth = self.it.depth.get();
                self.it.depth.set(depth + 1);
                let result = self.call_hot(expr, function, None, args);
                self.it.depth.set(depth);
                if let Ok(value) = &result {
                    self.keep(memo, key, value);
                }
                Some(called(self, flat, op, at, result))
            }
        }
    }

    /// Keeps what a call gave.
    fn keep(&self, memo: &Memo, key: Key, value: &Value) {
        count(&memo.counts, 1);
        self.it.note_cached(&Value::Dict(memo.results.clone()), value, &Value::Function(memo.function.clone()));
        let mut results = memo.results.write();
        results.insert(key, value.clone());
        if memo.most.is_some_and(|most| results.len() > most) {
            let oldest = results.shift_remove_index(0);
            drop(results);
            // What dies with it may ask for what is kept.
            drop(oldest);
        }
    }
}
