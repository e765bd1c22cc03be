//! Comprehensions, and calls that use generator expressions up.

use super::handlers::{attempt, fields, inside};
use super::op::{At, Flat, Op};
use crate::interp::function::Run;
use crate::interp::used_up::Use;
use crate::module::{Arg, CodeId, Expr, ExprId};
use crate::python::Value;
use crate::python::halt::Step;

pub(super) fn comprehend<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Comprehend { dst, iterable, expr });
    let Expr::Comprehension(code, first) = *run.module.expr(expr) else { return at };
    let iterable = attempt!(run, at, run.operand(iterable, first));
    let result = run.comprehended(code, iterable);
    let value = attempt!(run, at, run.finish(expr, result));
    run.done(at, dst, value)
}

pub(super) fn elements<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Elements { base, method, dst, iterable, expr, end });
    let Some((generator, code, first)) = run.argument(expr) else { return at };
    let iterable = attempt!(run, at, run.operand(iterable, first));
    let taker = match method && !run.reg(base + 1).is_unbound() {
        true => None,
        false => run.use_of_elements(run.reg(base)),
    };
    let Some(taker) = taker else {
        let result = run.comprehended(code, iterable);
        let made = attempt!(run, at, run.finish(generator, result));
        return run.done(at, base + 1 + u16::from(method), made);
    };
    let callee = run.taken_from(base);
    let result = run.used_up(expr, &callee, code, iterable, taker);
    let value = attempt!(run, at, run.finish(expr, result));
    run.done(at, dst, value);
    end
}

impl Run<'_> {
    /// The generator expression that is the argument of a call, its code and what it goes through first.
    fn argument(&self, call: ExprId) -> Option<(ExprId, CodeId, ExprId)> {
        match self.module.expr(call) {
            Expr::Call(_, args) if let [Arg::Positional(argument)] = args[..] => match *self.module.expr(argument) {
                Expr::Comprehension(code, first) => Some((argument, code, first)),
                _ => None,
            },
            _ => None,
        }
    }

    fn comprehended(&mut self, code: CodeId, iterable: Value) -> Step<Value> {
        let iterator = self.iterator_over(iterable)?;
        self.run_comprehension(code, iterator)
    }

    fn used_up(&mut self, call: ExprId, callee: &Value, code: CodeId, iterable: Value, taker: Use) -> Step<Value> {
        let iterator = self.iterator_over(iterable)?;
        self.stand_at(call);
        self.call_with_iterator(call, callee, code, iterator, taker)
    }
}
