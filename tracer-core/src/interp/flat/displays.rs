//! Displays: tuples, lists, dicts and sets of what stands in registers.

use smallvec::SmallVec;

use super::handlers::{attempt, fields};
use super::op::{At, Flat, Op, Reg};
use crate::interp::function::Run;
use crate::module::ExprId;
use crate::python::halt::Step;
use crate::python::key::Asked;
use crate::python::{Dict, DictItems, List, Set, SetItems, Value};

pub(super) fn tuple<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Tuple { dst, base, count });
    let items = run.taken(base, count).collect();
    run.done(at, dst, Value::Tuple(items))
}

pub(super) fn list<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, List { dst, base, count });
    let items = run.taken(base, count).collect();
    run.done(at, dst, Value::List(List::new(items)))
}

pub(super) fn dict<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Dict { dst, base, count, expr });
    if flat.window.is_some() && !run.taken_keys(base, 2 * count, 2) {
        return run.bails(at);
    }
    let dict = attempt!(run, at, run.flat_dict(base, count, expr));
    run.done(at, dst, dict)
}

pub(super) fn set<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Set { dst, base, count, expr });
    if flat.window.is_some() && !run.taken_keys(base, count, 1) {
        return run.bails(at);
    }
    let set = attempt!(run, at, run.flat_set(base, count, expr));
    run.done(at, dst, set)
}

impl Run<'_> {
    /// Moves temporaries out.
    fn taken(&mut self, base: Reg, count: u16) -> impl Iterator<Item = Value> {
        let base = base as usize;
        self.frame.locals[base..base + count as usize].iter_mut().map(|value| std::mem::replace(value, Value::Unbound))
    }

    /// Whether every so manieth of these registers holds a plain key.
    fn taken_keys(&self, base: Reg, count: u16, step: usize) -> bool {
        let base = base as usize;
        self.frame.locals[base..base + count as usize].iter().step_by(step).all(|key| Asked::of(key).is_some())
    }

    /// A dict of keys and values by turns; the registers are emptied.
    fn flat_dict(&mut self, base: Reg, count: u16, expr: ExprId) -> Step<Value> {
        let mut items = DictItems::with_capacity_and_hasher(usize::from(count), Default::default());
        let plain = self.taken_keys(base, 2 * count, 2);
        let registers: SmallVec<[Value; 8]> = self.taken(base, 2 * count).collect();
        let mut registers = registers.into_iter();
        if plain {
            while let (Some(key), Some(value)) = (registers.next(), registers.next()) {
                if let Some(key) = Asked::of(&key) {
                    items.insert(key.key(), value);
                }
            }
            return Ok(Value::Dict(Dict::new(items)));
        }
        let dict = Dict::new(items);
        while let (Some(key), Some(value)) = (registers.next(), registers.next()) {
            if let Value::Unknown(unknown) = &key {
                dict.forget(unknown.why.clone());
                continue;
            }
            match self.marked(expr, |run| run.it.key(&key)) {
                Ok(key) => drop(dict.write().insert(key, value)),
                Err(halt) => return self.halted(expr, halt),
            }
        }
        Ok(Value::Dict(dict))
    }

    /// A set of registers, which are emptied.
    fn flat_set(&mut self, base: Reg, count: u16, expr: ExprId) -> Step<Value> {
        let mut items = SetItems::default();
        let plain = self.taken_keys(base, count, 1);
        let registers: SmallVec<[Value; 8]> = self.taken(base, count).collect();
        for value in &registers {
            let key = match Asked::of(value) {
                Some(key) if plain => Ok(key.key()),
                _ => self.marked(expr, |run| run.it.key(value)),
            };
            match key {
                Ok(key) => drop(items.insert(key)),
                Err(halt) => return self.halted(expr, halt),
            }
        }
        Ok(Value::Set(Set::new(items)))
    }
}
