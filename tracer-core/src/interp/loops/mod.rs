//! Loops: they run; one that stops teaching anything new is widened and left.
//!
//! A loop over arrays runs until some rounds in a row bring nothing new (no new type of an expression, no new trace) and
//! enough work was done. Then one more round runs with the target and everything that the rounds change made abstract
//! (types kept, numbers forgotten), joined with not running, and the loop is over: a training loop of a million steps
//! costs what a few steps cost. Where its numbers are wanted it goes on instead ([`Patience`]).

mod endless;
mod patience;
mod rounds;
mod watch;
mod widen;

pub use patience::Patience;
use rounds::Numbers;
pub(super) use rounds::{NextItem, Rounds};

use super::expr::Collected;
use super::function::{Flow, Run};
use crate::module::{Arg, Collect, Comprehension, Const, Expr, ExprId, Module, Part, Place, Stmt, StmtId, Target};
use crate::python::container::forgotten;
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Guess, List, Value, journal};

/// So many calls may stand around a range.
const MOST_AROUND: u32 = 3;

/// Whether an expression gives the numbers of a range, or a call gives what its argument gives.
fn counts(module: &Module, expr: ExprId, depth: u32) -> bool {
    let Expr::Call(function, args) = module.expr(expr) else { return false };
    let (Expr::Name(_, name) | Expr::Attribute(_, name)) = module.expr(*function) else { return false };
    match name.as_str() {
        "range" => true,
        "reversed" | "enumerate" | "zip" | "tqdm" | "list" | "tuple" | "sorted" if depth > 0 => {
            args.iter().any(|arg| matches!(arg, Arg::Positional(value) if counts(module, *value, depth - 1)))
        }
        _ => false,
    }
}

/// What stands for an item of something that is not known, for this reason.
pub(super) fn item_of(iterable: &Value, why: &Why) -> Value {
    let guess = match iterable {
        Value::Unknown(unknown) => unknown.items,
        _ => Guess::Any,
    };
    Value::unknown_of(guess, why.0.clone())
}

/// The parts of a loop statement.
#[derive(Copy, Clone)]
pub(super) struct LoopParts<'m> {
    /// What a `for` loop binds.
    target: Option<&'m Target>,
    /// What a `for` loop walks, or the condition of a `while` loop.
    pub(in crate::interp) head: ExprId,
    body: LoopBody<'m>,
    orelse: &'m [StmtId],
}

/// What a round of a loop runs.
#[derive(Copy, Clone)]
pub(super) enum LoopBody<'m> {
    /// Statements.
    Block(&'m [StmtId]),
    /// The conditions and the element of a comprehension's last clause; elements are added to the list in a slot.
    Elements { whole: &'m Comprehension, slot: usize },
}

impl LoopBody<'_> {
    /// Whether it has a `break` that leaves the loop.
    fn breaks(self, module: &Module) -> bool {
        matches!(self, LoopBody::Block(body) if breaks(module, body))
    }
    /// Whether it has a `return`.
    fn returns(self, module: &Module) -> bool {
        matches!(self, LoopBody::Block(body) if returns(module, body))
    }
}

impl<'m> LoopParts<'m> {
    /// Of a loop statement.
    pub(super) fn of(statement: &'m Stmt) -> Option<LoopParts<'m>> {
        match statement {
            Stmt::For { target, iter, body, orelse, .. } => {
                Some(LoopParts { target: Some(target), head: *iter, body: LoopBody::Block(body), orelse })
            }
            Stmt::While { test, body, orelse } => {
                Some(LoopParts { target: None, head: *test, body: LoopBody::Block(body), orelse })
            }
            _ => None,
        }
    }
    fn test(&self) -> Option<ExprId> {
        self.target.is_none().then_some(self.head)
    }
    /// Whether it is `while True` without a `break` of its own.
    fn is_endless(&self, module: &Module) -> bool {
        self.test().is_some_and(|test| matches!(module.expr(test), Expr::Constant(Const::Bool(true) | Const::Int(1))))
            && !self.body.breaks(module)
    }
    /// Whether it is such a loop and does not return either: it runs until somebody stops it.
    fn never_ends(&self, module: &Module) -> bool {
        self.is_endless(module) && !self.body.returns(module)
    }
}

/// Whether a loop's body has a `break` that leaves the loop.
fn breaks(module: &Module, body: &[StmtId]) -> bool {
    body.iter().any(|id| match module.stmt(*id) {
        Stmt::Break => true,
        // Theirs is in their body.
        Stmt::For { orelse, .. } | Stmt::While { orelse, .. } => breaks(module, orelse),
        stmt => {
            let mut found = false;
            stmt.parts(&mut |part| found |= matches!(part, Part::Stmt(id) if breaks(module, &[id])));
            found
        }
    })
}

/// Whether statements have a `return`.
fn returns(module: &Module, body: &[StmtId]) -> bool {
    body.iter().any(|id| match module.stmt(*id) {
        Stmt::Return(_) => true,
        stmt => {
            let mut found = false;
            stmt.parts(&mut |part| found |= matches!(part, Part::Stmt(id) if returns(module, &[id])));
            found
        }
    })
}

impl Run<'_> {
    /// `for target in iter: body else: orelse`
    pub fn for_statement(&mut self, id: StmtId) -> Step<Flow> {
        let Some(parts @ LoopParts { target: Some(target), .. }) = LoopParts::of(self.module.stmt(id)) else {
            return Ok(Flow::Next);
        };
        let iterable = self.eval(parts.head)?;
        let mut rounds = match self.start_for(parts, iterable)? {
            Ok(rounds) => rounds,
            Err(flow) => return Ok(flow),
        };
        loop {
            if rounds.is_hot(self)
                && let Some(result) = self.flat_rounds(id, &mut rounds)
            {
                return result;
            }
            self.it.spend()?;
            let item = match self.next_item(parts, &mut rounds)? {
                NextItem::Item(item) => item,
                NextItem::Over => return self.block(parts.orelse),
                NextItem::Left(flow) => return Ok(flow),
            };
            rounds.begin(self);
            match target {
                Target::Name(Place::Local(slot), ..) => Value::put(&mut self.frame.locals[*slot as usize], item),
                target => self.assign(target, item)?,
            }
            if let Some(flow) = self.round(parts, &mut rounds)? {
                return Ok(flow);
            }
        }
    }

    /// The items that a list comprehension's last clause has still to go through, as a loop that adds elements to the list in the last slot: the
    /// list behind them.
    ///
    /// # Errors
    /// As of a loop; that it is not known which list that is.
    pub(super) fn long_elements(&mut self, whole: &Comprehension, iterator: Value, list: List) -> Step<List> {
        let (Some(clause), Collect::List(element)) = (whole.clauses.last(), &whole.collect) else { return Ok(list) };
        let slot = self.frame.locals.len();
        self.frame.locals.push(Value::List(list));
        let body = LoopBody::Elements { whole, slot };
        let parts =
            LoopParts { target: Some(&clause.target), head: clause.iter.unwrap_or(*element), body, orelse: &[] };
        let rounds = Rounds { iterator, ..Rounds::new(self) };
        let left = self.rounds_of(parts, rounds);
        let list = self.frame.locals.drain(slot..).next();
        left?;
        match list {
            Some(Value::List(list)) => Ok(list),
            _ => Err(Halt::unknown("a long comprehension that may have come to several lists")),
        }
    }

    /// Runs the rounds of a `for` loop of a comprehension.
    fn rounds_of(&mut self, parts: LoopParts<'_>, mut rounds: Rounds) -> Step<Flow> {
        loop {
            self.it.spend()?;
            let item = match self.next_item(parts, &mut rounds)? {
                NextItem::Item(item) => item,
                NextItem::Over => return Ok(Flow::Next),
                NextItem::Left(flow) => return Ok(flow),
            };
            rounds.begin(self);
            if let Some(target) = parts.target {
                self.assign(target, item)?;
            }
            if let Some(flow) = self.round(parts, &mut rounds)? {
                return Ok(flow);
            }
        }
    }

    /// Runs the body of a loop.
    fn loop_body(&mut self, body: LoopBody<'_>) -> Step<Flow> {
        match body {
            LoopBody::Block(body) => self.block(body),
            LoopBody::Elements { whole, slot } => {
                let mut out = match self.frame.locals.get(slot) {
                    Some(Value::List(list)) => Collected::Into(list.clone()),
                    _ => Collected::Lost,
                };
                self.clause_body(whole, whole.clauses.len() - 1, &mut out)?;
                Ok(Flow::Next)
            }
        }
    }

    /// `while test: body else: orelse`
    pub fn while_statement(&mut self, id: StmtId) -> Step<Flow> {
        let Some(parts) = LoopParts::of(self.module.stmt(id)) else { return Ok(Flow::Next) };
        let mut rounds = Rounds::of_while(self, parts);
        loop {
            if rounds.is_hot(self)
                && let Some(result) = self.flat_rounds(id, &mut rounds)
            {
                return result;
            }
            self.it.spend()?;
            if self.is_left_lost(&rounds) {
                return Ok(Flow::Next);
            }
            let truth = match self.quick(parts.head) {
                Some(number) => Ok(number.truth()),
                None => {
                    let condition = self.eval(parts.head)?;
                    self.it.truth_or_unknown(&condition)?
                }
            };
            match truth {
                Ok(true) => {}
                Ok(false) => return self.block(parts.orelse),
                Err(why) => return self.while_unknown(parts, why),
            }
            rounds.begin(self);
            if let Some(flow) = self.round(parts, &mut rounds)? {
                return Ok(flow);
            }
        }
    }

    /// Begins a `for` loop; where its items are not known it is over at once.
    pub(super) fn start_for(&mut self, parts: LoopParts<'_>, iterable: Value) -> Step<Result<Rounds, Flow>> {
        let LoopParts { target, head, body, orelse } = parts;
        let unknown = |run: &mut Self, why: &Why, item: Value| {
            run.unknown_loop(why, target.map(|target| (target, item)), None, body, orelse).map(Err)
        };
        let iterator = match self.it.iterate(&iterable) {
            Ok(iterator) => iterator,
            Err(Halt::Unknown(why)) if self.user => {
                let item = item_of(&iterable, &why);
                return unknown(self, &why, item);
            }
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(head));
                return Err(Halt::Raise(exception));
            }
            Err(halt) => return Err(halt),
        };
        if self.user
            && let Value::Iter(iter) = &iterator
            && let Some((items, why)) = iter.open_items()
            && let Some(target) = target
        {
            return self.open_loop(&why, target, &items, body, orelse).map(Err);
        }
        if self.user
            && let Value::Iter(iter) = &iterator
            && let Some((item, why)) = iter.sample()
        {
            return unknown(self, &why, item);
        }
        // Only the iterator of a range that is made here is this loop's own.
        let numbers = match &iterable {
            Value::Range(range) => Some(Numbers {
                next: range.start,
                step: range.step,
                left: range.len(),
                in_branch: journal::speculating(),
            }),
            _ => None,
        };
        Ok(Ok(Rounds { iterator, numbers, ..Rounds::new(self) }))
    }

    /// The next item of a `for` loop.
    pub(super) fn next_item(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<NextItem> {
        if self.is_lost() && rounds.watch.rounds > 0 {
            return Ok(NextItem::Left(Flow::Next));
        }
        match rounds.next_number() {
            Some(Some(number)) => return Ok(NextItem::Item(Value::Int(number))),
            Some(None) => {
                self.range_over(rounds.begun, rounds.watch.work, parts.head);
                return Ok(NextItem::Over);
            }
            None => {}
        }
        match rounds.take_at_hand(Value::clone) {
            Some(Some(item)) => return Ok(NextItem::Item(item)),
            Some(None) => {
                self.counted_over(parts, rounds.begun, rounds.watch.work);
                return Ok(NextItem::Over);
            }
            None => {}
        }
        let next = self.it.next(&rounds.iterator);
        self.item_or_end(parts, rounds, next)
    }

    /// What a loop does with what its iterator gave.
    pub(super) fn item_or_end(
        &mut self,
        parts: LoopParts<'_>,
        rounds: &mut Rounds,
        next: Step<Option<Value>>,
    ) -> Step<NextItem> {
        match next {
            Ok(Some(item)) => {
                if self.user {
                    Value::put(&mut rounds.last, item.clone());
                }
                Ok(NextItem::Item(item))
            }
            Ok(None) => {
                self.counted_over(parts, rounds.begun, rounds.watch.work);
                Ok(NextItem::Over)
            }
            Err(Halt::Unknown(why)) if self.user => {
                let target = parts.target.map(|target| (target, Value::unknown(why.0.clone())));
                Ok(NextItem::Left(self.unknown_loop(&why, target, None, parts.body, parts.orelse)?))
            }
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(parts.head));
                Err(Halt::Raise(exception))
            }
            Err(halt) => Err(halt),
        }
    }

    /// A loop is over that goes through the numbers of a range by way of something else: `enumerate(range(n))`.
    pub(in crate::interp) fn counted_over(&self, parts: LoopParts<'_>, rounds: u64, work: u64) {
        if self.keeps_reads() && counts(self.module, parts.head, MOST_AROUND) {
            self.range_over(rounds, work, parts.head);
        }
    }

    /// A round may have been left by a `break` on an unknown condition: what later rounds would do is joined with having
    /// stopped.
    pub(super) fn leave_open(&mut self, parts: LoopParts<'_>, rounds: &Rounds) -> Step<Flow> {
        let open = self.frame.doubts.as_ref().and_then(|doubts| doubts.open_loops.get(rounds.open).cloned());
        let Some(why) = open else { return Ok(Flow::Next) };
        self.frame.close_loops(rounds.open);
        let target = parts.target.map(|target| (target, forgotten(&rounds.last(), &why)));
        self.unknown_loop(&why, target, parts.test(), parts.body, &[])
    }

    /// Walks the body for a round that has begun: how the loop was left, if it was.
    fn round(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<Option<Flow>> {
        let flow = self.loop_body(parts.body)?;
        if rounds.is_open(self) {
            return self.leave_open(parts, rounds).map(Some);
        }
        if rounds.may_have_returned(&self.frame) {
            self.round_at = Some(self.branches);
        }
        match flow {
            Flow::Break => Ok(Some(Flow::Next)),
            Flow::Return(value) => Ok(Some(Flow::Return(value))),
            Flow::Next | Flow::Continue => self.round_ended(parts, rounds),
        }
    }

    /// The end of a round: how the loop was left, where it is widened.
    #[inline]
    fn round_ended(&mut self, parts: LoopParts<'_>, rounds: &mut Rounds) -> Step<Option<Flow>> {
        match self.user && rounds.may_be_over(self.it, self.yields) && rounds.is_over(self.it) {
            true => self.widen(parts, rounds),
            false => Ok(None),
        }
    }

    /// Whether it is in a generator that cannot say any more what it gives.
    #[inline]
    pub(super) fn is_left_lost(&self, rounds: &Rounds) -> bool {
        self.is_lost() && rounds.watch.rounds > 0
    }

    /// A `while` loop whose condition is not known.
    pub(super) fn while_unknown(&mut self, parts: LoopParts<'_>, why: Why) -> Step<Flow> {
        match self.user {
            true => self.unknown_loop(&why, None, parts.test(), parts.body, parts.orelse),
            false => Err(Halt::Unknown(why)),
        }
    }
}
