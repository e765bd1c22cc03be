//! Generators whose bodies are flat: they rest between two operations, and go on from there.

use super::handlers::{attempt, fields};
use super::op::{At, Flat, Instruction, Op, REST, RETURN, Reg};
use super::run::Way;
use crate::interp::function::{Flow, Run};
use crate::interp::generator::{End, Given, Sent, received};
use crate::module::Expr;
use crate::python::Value;
use crate::python::halt::{Halt, Step};

pub(super) fn yields<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Yield { dst, value, expr });
    let value = match run.reg(value) {
        Value::Int(number) if run.may_rest() => {
            let number = *number;
            return run.rests_with(at, Value::Int(number));
        }
        Value::Float(number) if run.may_rest() => {
            let number = *number;
            return run.rests_with(at, Value::Float(number));
        }
        _ if usize::from(value) >= run.code.locals.len() => run.taken_from(value),
        shown if run.needs_door(shown) => {
            let Expr::Yield(Some(value)) = run.module.expr(expr) else { return at };
            attempt!(run, at, run.eval(*value))
        }
        value => value.clone(),
    };
    if run.rests {
        return match run.rest(at, value) {
            Ok(rest) => rest,
            Err(value) => sent_in(run, op, at, Err(value)),
        };
    }
    match run.suspend(value) {
        // Mostly, nobody reads it.
        Ok(None) => run.done(at, dst, Value::None),
        Ok(Some(sent)) => sent_in(run, op, at, Ok(sent)),
        Err(value) => sent_in(run, op, at, Err(value)),
    }
}

#[inline(never)]
fn sent_in<'a>(run: &mut Run<'a>, op: &'a Op, at: At, sent: Result<Box<Sent>, Value>) -> At {
    fields!(op, Yield { dst, expr, .. });
    let sent = match sent {
        Ok(sent) => received(*sent),
        Err(value) => run.yield_value(value),
    };
    let sent = match sent {
        Ok(sent) => sent,
        Err(halt) => attempt!(run, at, run.halted(expr, halt)),
    };
    if run.user && run.needs_door(&sent) {
        run.saw(expr, &sent);
    }
    run.done(at, dst, sent)
}

pub(super) fn delegates<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Delegate { dst, iterator, value, expr });
    let Expr::YieldFrom(value_expr) = run.module.expr(expr) else { return at };
    let iterable = attempt!(run, at, run.operand(value, *value_expr));
    if !run.rests {
        let result = run.yield_from(&iterable);
        let value = attempt!(run, at, run.finish(expr, result));
        return run.done(at, dst, value);
    }
    match run.it.iterate(&iterable) {
        Ok(started) => {
            run.done(at, iterator, started);
            delegate(run, op, at, None)
        }
        Err(halt) => {
            let value = attempt!(run, at, run.halted(expr, halt));
            run.done(at, dst, value)
        }
    }
}

/// Hands the next item of the iterator on that stands for the generator.
fn delegate<'a>(run: &mut Run<'a>, op: &'a Op, at: At, mut sent: Option<Sent>) -> At {
    fields!(op, Delegate { iterator, .. });
    let inner = run.reg(iterator).clone();
    let result = loop {
        let item = match run.it.advance(&inner, sent.take()) {
            Ok(Ok(item)) => item,
            Ok(Err(result)) => break Ok(result),
            Err(halt) => break Err(halt),
        };
        if let Err(halt) = run.it.spend() {
            break Err(halt);
        }
        match run.rest(at, item) {
            Ok(rest) => return rest,
            // It goes on to its end here.
            Err(item) => match run.yield_value(item) {
                Ok(_) => {}
                Err(halt) => break Err(halt),
            },
        }
    };
    delegated(run, op, at, result)
}

/// The iterator that stands for the generator has ended so.
#[inline(never)]
fn delegated<'a>(run: &mut Run<'a>, op: &'a Op, at: At, result: Step<Value>) -> At {
    fields!(op, Delegate { dst, iterator, expr, .. });
    run.done(at, iterator, Value::Unbound);
    let value = attempt!(run, at, run.finish(expr, result));
    run.done(at, dst, value)
}

impl<'a> Run<'a> {
    /// Hands an item on and rests at this operation; the item comes back where it cannot be handed on.
    #[inline(always)]
    pub(super) fn rest(&mut self, at: At, item: Value) -> Result<At, Value> {
        match self.branches > 0 || self.is_lost() {
            true => Err(item),
            false => Ok(self.rests_with(at, item)),
        }
    }

    /// Whether it may hand an item on and rest.
    #[inline(always)]
    fn may_rest(&self) -> bool {
        self.rests && self.branches == 0 && !self.is_lost()
    }

    /// Rests at this operation with an item.
    #[inline(always)]
    fn rests_with(&mut self, at: At, item: Value) -> At {
        self.yields += 1;
        self.bailed = at;
        // What was there before has been taken.
        std::mem::forget(std::mem::replace(&mut self.result, item));
        REST
    }

    /// Goes on from where it rests to its next item, which goes into the slot; how its body ended, where there is none.
    #[inline]
    pub(in crate::interp) fn go_on_resting(&mut self, flat: &'a Flat, started: bool, slot: &mut Value) -> End {
        let next = match self.it.sent.take() {
            None if started => match self.rests_at(flat) {
                Some(Instruction { op: Op::Yield { dst, .. }, .. }) => self.done_none(self.bailed, *dst),
                Some(Instruction { op: op @ Op::Delegate { iterator, .. }, .. }) => {
                    match self.hands_on(*iterator, slot) {
                        Some(None) => return None,
                        Some(Some(result)) => delegated(self, op, self.bailed, result),
                        None => delegate(self, op, self.bailed, None),
                    }
                }
                Some(_) => self.bailed + 1,
                None => self.bailed,
            },
            sent => match self.starts_or_is_sent(flat, started, sent) {
                Ok(next) => next,
                Err(halt) => return Some(Box::new(Err(halt))),
            },
        };
        let end = self.run_steps(flat, next);
        match end {
            REST => {
                self.result.move_to(slot);
                None
            }
            end => self.ends_or_goes_on(flat, end, slot).transpose().map(Box::new),
        }
    }

    /// The operation that it rests at.
    #[inline(always)]
    fn rests_at(&self, flat: &'a Flat) -> Option<&'a Instruction> {
        flat.steps.get(self.bailed as usize)
    }

    /// Puts the next item of the generator that stands for this one straight into the slot of who asks: what that one
    /// returns, where there is none. `None` where it is another iterator, or has to be looked after.
    #[inline(always)]
    fn hands_on(&mut self, iterator: Reg, slot: &mut Value) -> Option<Option<Step<Value>>> {
        if self.branches > 0 || self.is_lost() {
            return None;
        }
        let Value::Iter(inner) = self.reg(iterator) else { return None };
        let generator = inner.take_generator()?;
        match inner.resumed_into(self.it, generator, slot) {
            Given::Item => match self.it.spend() {
                Ok(()) => {
                    self.yields += 1;
                    Some(None)
                }
                Err(halt) => Some(Some(Err(halt))),
            },
            Given::Over => Some(Some(Ok(self.it.generator_result(inner)))),
            Given::Failed(halt) => Some(Some(Err(*halt))),
        }
    }

    #[inline(never)]
    fn ends_or_goes_on(&mut self, flat: &'a Flat, mut end: At, slot: &mut Value) -> Step<Option<Value>> {
        loop {
            let flow = match end {
                REST => {
                    Value::put(slot, self.take_result());
                    return Ok(None);
                }
                RETURN => Flow::Return(self.take_result()),
                _ => match self.it.ended.take() {
                    Some(Ok(flow)) => flow,
                    Some(Err((failed, halt))) => match self.recover_flat(flat, failed, halt)? {
                        Way::On(next) => {
                            end = self.run_steps(flat, next);
                            continue;
                        }
                        Way::Out(flow) => flow,
                    },
                    None => Flow::Next,
                },
            };
            return Ok(Some(self.returned(flow)));
        }
    }

    /// The operation to begin with, where the generator has not started yet or is sent something.
    #[inline(never)]
    fn starts_or_is_sent(&mut self, flat: &'a Flat, started: bool, sent: Option<Box<Sent>>) -> Step<At> {
        let sent = sent.map(|sent| *sent);
        if started {
            let at = self.bailed;
            return Ok(self.rests_at(flat).map_or(at, |step| self.wakes_with(&step.op, at, sent)));
        }
        if let Some(Sent::Throw(exception)) = sent {
            return Err(Halt::Raise(exception));
        }
        if let Some(function) = self.function.filter(|_| self.user) {
            self.enter(function)?;
        }
        Ok(0)
    }

    #[inline(never)]
    fn wakes_with(&mut self, op: &'a Op, at: At, sent: Option<Sent>) -> At {
        match (op, sent) {
            (Op::Yield { .. }, Some(sent)) => sent_in(self, op, at, Ok(Box::new(sent))),
            (Op::Delegate { .. }, sent) => delegate(self, op, at, sent),
            (_, Some(Sent::Throw(exception))) => self.fails(at, Halt::Raise(exception)),
            _ => at + 1,
        }
    }
}
