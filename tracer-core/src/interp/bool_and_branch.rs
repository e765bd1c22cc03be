//! Truth, and what is done where it is not known: both sides run, the second from the same start, and are joined.

use std::rc::Rc;

use super::Interp;
use super::doubt::Side;
use super::function::{Flow, Run};
use super::or_none::Narrowed;
use crate::module::{CompareOp, ExprId, StmtId, UnaryOp};
use crate::python::container::join_values;
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::Branch;
use crate::python::{Guess, Value};

/// So many exceptions that may have been raised are kept for handlers.
const MOST_RAISED: usize = 16;

impl Interp {
    /// Runs what the program may or may not come to, and joins what it leaves with what there was; `None` where it raises.
    ///
    /// # Errors
    /// What ends the whole run.
    pub fn perhaps<T>(self: &Rc<Self>, body: impl FnOnce() -> Step<T>) -> Step<Option<T>> {
        let doubt = self.recorder.doubt.clone();
        self.doubts.set(self.doubts.get() + 1);
        let branch = Branch::start();
        doubt.change(1, 0);
        let result = body();
        doubt.change(0, 1);
        let outcome = branch.undo();
        match result {
            Ok(value) => {
                Branch::start().keep_joined(outcome);
                Ok(Some(value))
            }
            Err(halt) if halt.is_final() => Err(halt),
            Err(Halt::Unknown(_)) => {
                Branch::start().keep_joined(outcome);
                Ok(None)
            }
            Err(halt) => {
                self.perhaps_raises(halt);
                Ok(None)
            }
        }
    }

    /// A side of a branch ends so that is taken to be the one that does not run: handlers around it are told.
    pub(super) fn perhaps_raises(&self, halt: Halt) {
        if let Halt::Raise(exception) = halt
            && self.catching.get() > 0
        {
            let mut all = self.perhaps_raised.borrow_mut();
            if all.len() < MOST_RAISED {
                all.push(exception);
            }
        }
    }

    /// `bool(value)`
    ///
    /// # Errors
    /// What `__bool__` raises; unknown where it is not known.
    pub fn truth(self: &Rc<Self>, value: &Value) -> Step<bool> {
        match self.truth_or_unknown(value)? {
            Ok(truth) => Ok(truth),
            Err(why) => Err(Halt::Unknown(why)),
        }
    }

    /// `bool(value)`, or why it is not known.
    ///
    /// # Errors
    /// What `__bool__` raises.
    #[inline]
    pub fn truth_or_unknown(self: &Rc<Self>, value: &Value) -> Step<Result<bool, Why>> {
        if let Value::Bool(truth) = value {
            return Ok(Ok(*truth));
        }
        let result = self.truth_inner(value);
        match result {
            Ok(truth) => Ok(Ok(truth)),
            Err(Halt::Unknown(why)) => Ok(Err(why)),
            Err(halt) => Err(halt),
        }
    }

    fn truth_inner(self: &Rc<Self>, value: &Value) -> Step<bool> {
        Ok(match value {
            Value::Bool(value) => *value,
            Value::None | Value::Unbound => false,
            Value::Int(value) => *value != 0,
            Value::Float(value) => *value != 0.0,
            Value::Complex(value) => value.re != 0.0 || value.im != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::Bytes(bytes) => !bytes.is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::List(list) => match list.why_vague() {
                Some(why) => return Err(Halt::Unknown(why)),
                None => !list.read().is_empty(),
            },
            Value::Dict(dict) => match dict.why_vague() {
                Some(why) if dict.read().is_empty() => return Err(Halt::Unknown(why)),
                _ => !dict.read().is_empty(),
            },
            Value::Set(set) | Value::FrozenSet(set) => match set.why_vague() {
                Some(why) => return Err(Halt::Unknown(why)),
                None => !set.read().is_empty(),
            },
            Value::Range(range) => !range.is_empty(),
            Value::Array(array) => return self.array_hooks()?.truth(self, array),
            Value::Object(object) => object.clone().truth(self)?.unwrap_or(true),
            Value::Unknown(unknown) => {
                let counted = super::spans::compare(self, CompareOp::NotEq, value, &Value::Int(0));
                return counted.ok_or_else(|| Halt::Unknown(unknown.why.clone()));
            }
            Value::Instance(instance) => {
                if let Some(result) = self.call_special(value, sym!("__bool__"), [])? {
                    return match result {
                        Value::Bool(truth) => Ok(truth),
                        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                        other => Err(Halt::type_error(format!(
                            "__bool__ should return bool, returned {}",
                            self.type_name(&other)
                        ))),
                    };
                }
                if let Some(result) = self.call_special(value, sym!("__len__"), [])? {
                    return match result {
                        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                        other => Ok(self.index(&other)? != 0),
                    };
                }
                match instance.payload() {
                    Some(payload) => return self.truth_inner(&payload.clone()),
                    None if instance.class().may_have_more() => {
                        return Err(instance.class().of_unknown_base());
                    }
                    None => true,
                }
            }
            _ => true,
        })
    }
}

impl Run<'_> {
    /// `not x` and the other unary operators.
    pub fn unary_expr(&mut self, op: UnaryOp, value: &Value) -> Step<Value> {
        if op != UnaryOp::Not {
            return self.it.unary(op, value);
        }
        Ok(match self.it.truth_or_unknown(value)? {
            Ok(truth) => Value::Bool(!truth),
            Err(why) => Value::unknown_of(Guess::Bool, why.0),
        })
    }

    /// `a and b …` or `a or b …`
    pub fn and_or(&mut self, values: &[ExprId], is_and: bool) -> Step<Value> {
        let (last, most) = values.split_last().expect("an `and` or `or` has operands");
        for (i, expr) in most.iter().enumerate() {
            let value = self.eval(*expr)?;
            match self.it.truth_or_unknown(&value)? {
                Ok(truth) if truth == is_and => {}
                Ok(_) => return Ok(value),
                Err(why) => return self.and_or_unknown(value, *expr, &values[i + 1..], is_and, why),
            }
        }
        self.eval(*last)
    }

    /// As [`Run::and_or`], behind an operand of which it is not known whether it decides: the rest may or may not be
    /// evaluated.
    pub(super) fn and_or_unknown(
        &mut self,
        value: Value,
        operand: ExprId,
        rest: &[ExprId],
        is_and: bool,
        why: Why,
    ) -> Step<Value> {
        self.unknown_in_library(&why)?;
        let [yes, no] = self.narrowed(operand);
        let goes_on = if is_and { yes } else { no };
        // What `or` gives without going on is true.
        let value = if is_and { value } else { value.unless_none().cloned().unwrap_or(value) };
        self.it.note_branch(self.side());
        let branch = Branch::start();
        self.branches += 1;
        let rest = self.supposing(&goes_on, |run| run.doubtful(|run| run.and_or(rest, is_and)));
        self.branches -= 1;
        let outcome = branch.undo();
        let rest = match rest {
            Ok(rest) => rest,
            Err(halt) if halt.is_final() => return Err(halt),
            Err(halt) => {
                self.it.perhaps_raises(halt);
                return Ok(value);
            }
        };
        let keep = Branch::start();
        keep.keep_joined(outcome);
        Ok(match (&value, &rest) {
            (Value::Unknown(u), r)
                if u.guess == Guess::Bool && crate::python::container::guess_of(r) == Guess::Bool =>
            {
                // False and x is False, whatever x is.
                match r {
                    Value::Bool(known) if *known != is_and => Value::Bool(*known),
                    _ => Value::unknown_of(Guess::Bool, why.0),
                }
            }
            // Whatever it is, a truth that is asked for is this one.
            (Value::Unknown(u), Value::Bool(known)) if u.guess == Guess::Any && *known != is_and => Value::Bool(*known),
            _ => join_values(&value, &rest),
        })
    }

    /// In a library's code a branch on something unknown ends the call: its result is unknown.
    fn unknown_in_library(&self, why: &Why) -> Step<()> {
        let at_top = matches!(self.code.kind, crate::module::CodeKind::Module) && !self.home.unit.ours;
        if self.user || at_top { Ok(()) } else { Err(Halt::Unknown(why.clone())) }
    }

    /// `body if test else orelse`
    pub fn if_expression(&mut self, test: ExprId, body: ExprId, orelse: ExprId) -> Step<Value> {
        if let Some(number) = self.quick(test) {
            return self.eval(if number.truth() { body } else { orelse });
        }
        let condition = self.eval(test)?;
        match self.it.truth_or_unknown(&condition)? {
            Ok(true) => self.eval(body),
            Ok(false) => self.eval(orelse),
            Err(why) => self.either_expression(why, test, body, orelse),
        }
    }

    /// Evaluates both sides of an unknown condition from the same start and joins them.
    pub(super) fn either_expression(&mut self, why: Why, test: ExprId, body: ExprId, orelse: ExprId) -> Step<Value> {
        self.unknown_in_library(&why)?;
        let sides = self.narrowed(test);
        self.it.note_branch(self.side());
        self.branches += 1;
        let side = |run: &mut Self, side: usize, expr: ExprId| {
            run.supposing(&sides[side], |run| run.doubtful(|run| run.eval(expr)))
        };
        let branch = Branch::start();
        let first = side(self, 0, body);
        let outcome = branch.undo();
        let branch = Branch::start();
        let second = side(self, 1, orelse);
        self.branches -= 1;
        match (first, second) {
            (Err(halt), _) | (_, Err(halt)) if halt.is_final() => {
                branch.keep();
                Err(halt)
            }
            (Ok(a), Ok(b)) => {
                branch.keep_joined(outcome);
                Ok(join_values(&a, &b))
            }
            // A side that raises is taken to be the one that does not run.
            (Err(halt), Ok(b)) => {
                self.it.perhaps_raises(halt);
                branch.keep();
                Ok(b)
            }
            (Ok(a), Err(halt)) => {
                self.it.perhaps_raises(halt);
                let _ = branch.undo();
                outcome.redo();
                Ok(a)
            }
            (Err(halt), Err(_)) => {
                let _ = branch.undo();
                Err(halt)
            }
        }
    }

    /// `if test: body else: orelse`
    pub fn if_statement(&mut self, test: ExprId, body: &[StmtId], orelse: &[StmtId]) -> Step<Flow> {
        if let Some(number) = self.quick(test) {
            self.it.spend()?;
            return self.block(if number.truth() { body } else { orelse });
        }
        let condition = self.eval(test)?;
        if let Value::Bool(truth) = condition {
            return self.block(if truth { body } else { orelse });
        }
        match self.it.truth_or_unknown(&condition)? {
            Ok(true) => self.block(body),
            Ok(false) => self.block(orelse),
            Err(why) => self.either_block(why, test, body, orelse),
        }
    }

    /// Runs both sides of an `if` statement whose condition is not known.
    pub(super) fn either_block(&mut self, why: Why, test: ExprId, body: &[StmtId], orelse: &[StmtId]) -> Step<Flow> {
        self.unknown_in_library(&why)?;
        let [yes, no] = self.narrowed(test);
        let side = |run: &mut Self, narrowed: &Narrowed, block: &[StmtId]| {
            run.suppose(narrowed);
            run.block(block)
        };
        self.either(&why, |run| side(run, &yes, body), |run| side(run, &no, orelse))
    }

    /// Runs both sides of an unknown condition from the same start and joins what they leave.
    pub fn either(
        &mut self,
        why: &Why,
        first: impl FnOnce(&mut Self) -> Step<Flow>,
        second: impl FnOnce(&mut Self) -> Step<Flow>,
    ) -> Step<Flow> {
        self.it.note_branch(self.side());
        let start = self.frame.all_locals();
        let maybe = self.frame.take_maybe_returned();
        let passed = self.frame.passed();
        self.branches += 1;
        self.it.doubts.set(self.it.doubts.get() + 1);
        let branch = Branch::start();
        let a = self.doubtful(first);
        let outcome = branch.undo();
        let a_locals = std::mem::replace(&mut self.frame.locals, start);
        let a_maybe = self.frame.take_maybe_returned();
        let a_passed = self.frame.passed();
        self.frame.set_maybe_returned(maybe);
        self.frame.set_passed(passed, self.code, self.it);
        let branch = Branch::start();
        let b = self.doubtful(second);
        self.branches -= 1;
        self.passes(a_passed, &a, &b);
        if let (Err(halt @ Halt::Stop(_)), _) | (_, Err(halt @ Halt::Stop(_))) = (&a, &b)
            && halt.is_final()
        {
            let halt = halt.clone();
            branch.keep();
            return Err(halt);
        }
        let take_a = |run: &mut Self, branch: Branch, outcome: crate::python::journal::Outcome| {
            let _ = branch.undo();
            outcome.redo();
            run.frame.locals = a_locals.clone();
            run.frame.set_maybe_returned(a_maybe.clone());
        };
        match (a, b) {
            // A side that raises, or ends the program, is taken to be the one that does not run.
            (Err(halt), Ok(b)) => {
                self.it.perhaps_raises(halt);
                branch.keep();
                Ok(b)
            }
            (Ok(a), Err(halt)) => {
                self.it.perhaps_raises(halt);
                take_a(self, branch, outcome);
                Ok(a)
            }
            (Err(halt), Err(_)) => {
                take_a(self, branch, outcome);
                Err(halt)
            }
            (Ok(Flow::Return(a)), Ok(Flow::Return(b))) => {
                self.join_locals(&a_locals);
                self.join_maybe(a_maybe);
                branch.keep_joined(outcome);
                Ok(Flow::Return(join_values(&a, &b)))
            }
            // One side leaves: the rest runs with what the other left, and the end joins the values.
            (Ok(Flow::Return(a)), Ok(b)) => {
                branch.keep_joined(outcome);
                self.join_maybe(a_maybe);
                self.join_maybe(Some(a));
                Ok(b)
            }
            (Ok(a), Ok(Flow::Return(b))) => {
                let b_maybe = self.frame.take_maybe_returned();
                self.frame.locals = a_locals;
                self.frame.set_maybe_returned(a_maybe);
                branch.keep_joined(outcome);
                self.join_maybe(b_maybe);
                self.join_maybe(Some(b));
                Ok(a)
            }
            (Ok(a), Ok(b)) => {
                self.join_locals(&a_locals);
                self.join_maybe(a_maybe);
                branch.keep_joined(outcome);
                Ok(match (a, b) {
                    (Flow::Next, Flow::Next) => Flow::Next,
                    // A loop that one side leaves: what follows in it may still run.
                    (Flow::Break, Flow::Break) => Flow::Break,
                    (Flow::Continue, Flow::Continue) => Flow::Continue,
                    (Flow::Break | Flow::Continue, Flow::Next) | (Flow::Next, Flow::Break | Flow::Continue) => {
                        self.loop_is_open(why);
                        Flow::Next
                    }
                    _ => {
                        self.loop_is_open(why);
                        Flow::Break
                    }
                })
            }
        }
    }

    /// A side of a branch here.
    pub(super) fn side(&self) -> Side {
        Side::of(self.code, self.it.depth.get())
    }

    /// Runs what the program comes to only if a condition holds that is not known.
    pub(super) fn doubtful<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let doubt = self.it.recorder.doubt.clone();
        let side = self.side();
        doubt.change(1, 0);
        doubt.enter(side);
        let result = run(self);
        doubt.leave(side);
        doubt.change(0, 1);
        result
    }

    /// Behind both sides of an unknown condition: if one of them returns, what follows is doubtful.
    fn passes(&mut self, a_passed: u32, a: &Step<Flow>, b: &Step<Flow>) {
        let returns = |flow: &Step<Flow>| matches!(flow, Ok(Flow::Return(_)));
        let goes_on = |flow: &Step<Flow>| matches!(flow, Ok(Flow::Next | Flow::Break | Flow::Continue));
        let passed = a_passed.max(self.frame.passed());
        let may_return = returns(a) && goes_on(b) || goes_on(a) && returns(b);
        // What a generator shows lies between what its caller shows.
        if !self.is_generators() {
            self.frame.set_passed(passed + u32::from(may_return), self.code, self.it);
        }
    }

    fn join_locals(&mut self, other: &[Value]) {
        for (mine, theirs) in self.frame.locals.iter_mut().zip(other) {
            if !mine.is(theirs) {
                *mine = join_values(mine, theirs);
            }
        }
    }

    fn join_maybe(&mut self, other: Option<Value>) {
        if let Some(other) = other {
            self.frame.may_return(other);
        }
    }

    /// A `break` or `continue` that may or may not happen: the innermost loop cannot know how often it runs.
    fn loop_is_open(&mut self, why: &Why) {
        self.frame.doubts.get_or_insert_default().open_loops.push(why.clone(), &self.it.recorder.doubt);
    }
}
