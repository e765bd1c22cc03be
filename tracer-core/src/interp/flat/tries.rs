//! `try` statements and `raise`.

use super::handlers::{attempt, fields};
use super::inline::After;
use super::op::{At, Caught, Flat, NONE, Op, Within};
use crate::interp::COST_OF_EXCEPTION;
use crate::interp::function::{Flow, Run};
use crate::interp::stmt::Exit;
use crate::module::{Handler, Stmt, StmtId};
use crate::python::Value;
use crate::python::halt::{Halt, Raised, Step, Why};

/// A guarded block that runs.
pub struct Guard {
    /// The `try` statement.
    id: StmtId,
    /// Handlers around it.
    catching: u32,
    /// What there was before it that may have raised.
    unsure: u64,
    raised: usize,
}

pub(super) fn guard<'a>(run: &mut Run<'a>, flat: &'a Flat, _: &'a Op, at: At) -> At {
    let catching = run.it.catching.get();
    if run.user {
        while run.guards.pop_if(|guard| guard.catching >= catching).is_some() {}
        let (unsure, raised) = (run.it.unsure.get(), run.it.perhaps_raised.borrow().len());
        run.guards.push(Guard { id: flat.statement(at), catching, unsure, raised });
    }
    run.it.catching.set(catching + 1);
    at + 1
}

pub(super) fn unguard<'a>(run: &mut Run<'a>, flat: &'a Flat, _: &'a Op, at: At) -> At {
    let catching = run.it.catching.get() - 1;
    run.it.catching.set(catching);
    match attempt!(run, at, run.perhaps_caught(catching, None)) {
        None => at + 1,
        // Its `else` has run, where it would.
        Some(flow) => run.leaves(flat, at, flow),
    }
}

pub(super) fn raise<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Raise { value, expr });
    let raised = attempt!(run, at, run.operand(value, expr));
    let halt = match run.raised(&raised, None) {
        Ok(exception) => Halt::Raise(exception),
        Err(halt) => halt,
    };
    run.fails(at, halt)
}

pub(super) fn catches<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Catches { class, handler, otherwise });
    let Some(mut exception) = run.caught.take() else { return at + 1 };
    if class != NONE {
        let class = run.taken_from(class);
        // A class that is not known may or may not catch it: the handler is taken to.
        if let Ok(false) = attempt!(run, at, run.it.exception_matches(&exception, &class)) {
            run.caught = Some(exception);
            return otherwise;
        }
    }
    if let Some((place, _)) = run.handler(flat.statement(at), handler).and_then(|handler| handler.name) {
        let instance = attempt!(run, at, run.it.exception_instance(&exception));
        if let Value::Instance(instance) = &instance {
            exception.what = Raised::Instance(instance.clone());
        }
        run.store(place, instance);
    }
    run.it.handled.borrow_mut().push(exception);
    at + 1
}

pub(super) fn handled<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Handled { handler });
    run.end_handler(flat.statement(at), handler);
    at + 1
}

pub(super) fn uncaught<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    match run.caught.take() {
        Some(exception) => run.fails(at, Halt::Raise(exception)),
        None => at + 1,
    }
}

pub(super) fn finally<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    run.outcomes.push(Ok(Flow::Next));
    at + 1
}

pub(super) fn end_finally<'a>(run: &mut Run<'a>, flat: &'a Flat, _: &'a Op, at: At) -> At {
    match run.outcomes.pop() {
        None | Some(Ok(Flow::Next)) => at + 1,
        Some(Ok(flow)) => run.leaves(flat, at, flow),
        Some(Err(halt)) => run.fails(at, halt),
    }
}

pub(super) fn enter<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Enter { dst, manager, expr, .. });
    let is_async = matches!(run.module.stmt(flat.statement(at)), Stmt::With { is_async: true, .. });
    if !is_async && let Some(next) = run.enter_manager(flat, op, at) {
        return next;
    }
    let manager = attempt!(run, at, run.operand(manager, expr));
    let (value, exit) = attempt!(run, at, run.enter_block(expr, &manager, is_async));
    run.entered = exit;
    run.done(at, dst, value)
}

pub(super) fn within<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    let exit = run.entered.take();
    let catches = exit.as_ref().is_some_and(|exit| exit.catches);
    run.it.catching.set(run.it.catching.get() + u32::from(catches));
    run.exits.push(exit);
    at + 1
}

pub(super) fn end_within<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    match run.end_managed(Ok(Flow::Next)) {
        Ok(()) => at + 1,
        // Behind the operation that leaves the manager: there is none.
        Err(_) => at + 2,
    }
}

pub(super) fn leave_with<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, LeaveWith { site });
    let (Some(Some(exit)), Some(outcome)) = (run.exits.pop(), run.outcomes.pop()) else { return at + 1 };
    if let (Ok(Flow::Next), false, Some(receiver), Value::Function(callee)) =
        (&outcome, exit.is_async, &exit.receiver, &exit.callee)
    {
        let args = [receiver.clone(), Value::None, Value::None, Value::None];
        if let Some(next) = run.enter_special(flat, op, (at, site), args, After::Nothing, |_, _| Some(callee.clone())) {
            return next;
        }
    }
    match run.leave_block(&exit, outcome) {
        Ok(Flow::Next) => at + 1,
        Ok(flow) => run.leaves(flat, at, flow),
        Err(halt) => run.fails(at, halt),
    }
}

pub(super) fn leave<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Leave { value, expr });
    let value = match value {
        NONE => Value::None,
        value => match run.reg(value) {
            held if run.needs_door(held) || !run.is_local(value) => attempt!(run, at, run.operand(value, expr)),
            held => held.clone(),
        },
    };
    let catching = run.it.catching.get();
    let inside = catching.saturating_sub(1);
    run.it.catching.set(inside);
    let caught = run.perhaps_caught(inside, Some(&value));
    run.it.catching.set(catching);
    let caught = attempt!(run, at, caught);
    run.leaves(flat, at, caught.unwrap_or(Flow::Return(value)))
}

impl Flat {
    /// The statement that owns an operation.
    fn statement(&self, at: At) -> StmtId {
        self.pieces[self.owners[at as usize] as usize].id
    }
}

impl<'a> Run<'a> {
    /// The innermost guarded block, with so many handlers around it, ends, and may return: where something in it may have raised, its handlers
    /// run, or do not. `None` where nothing may have raised.
    fn perhaps_caught(&mut self, catching: u32, returned: Option<&Value>) -> Step<Option<Flow>> {
        while self.guards.pop_if(|guard| guard.catching > catching).is_some() {}
        let Some(Guard { id, unsure, raised, .. }) = self.guards.pop_if(|guard| guard.catching == catching) else {
            return Ok(None);
        };
        let is_unsure = self.it.unsure.get() != unsure;
        if !is_unsure && self.it.perhaps_raised.borrow().len() <= raised {
            return Ok(None);
        }
        let Stmt::Try { handlers, orelse, .. } = self.module.stmt(id) else { return Ok(None) };
        let does_something = self.does_something(handlers);
        let goes_past = returned.is_some() || !orelse.is_empty();
        let raised = self.perhaps_raised(raised, goes_past || does_something);
        let is_unsure = is_unsure && does_something;
        if !is_unsure && raised.is_empty() {
            return Ok(None);
        }
        let why = Why("what a guarded block does is not known: it may have raised".into());
        let went_well = |run: &mut Self| match returned {
            None => run.block(orelse),
            Some(value) => Ok(Flow::Return(value.clone())),
        };
        let handled = |run: &mut Self| match is_unsure {
            true => run.may_handle(&why, handlers),
            false => run.perhaps_handle(&why, raised, handlers),
        };
        self.either(&why, went_well, handled).map(Some)
    }

    fn handler(&self, id: StmtId, handler: u16) -> Option<&'a Handler> {
        match self.module.stmt(id) {
            Stmt::Try { handlers, .. } => handlers.get(usize::from(handler)),
            _ => None,
        }
    }

    /// Goes on in the copy of the function that enters a manager, an instance of the program's own class.
    fn enter_manager(&mut self, flat: &'a Flat, op: &'a Op, at: At) -> Option<At> {
        fields!(op, Enter { dst, manager, site, .. });
        let Value::Instance(instance) = self.reg(manager) else { return None };
        let exit = self.it.method_of(instance, sym!("__exit__"))?;
        let Some(Value::Function(enter)) = self.it.method_of(instance, sym!("__enter__")) else { return None };
        let manager = self.reg(manager).clone();
        let next = self.enter_special(flat, op, (at, site), [manager.clone()], After::Put(dst), |_, _| Some(enter))?;
        self.entered = Some(Exit::of(exit, Some(manager)));
        Some(next)
    }

    /// A handler of a `try` is left, in whatever way.
    fn end_handler(&mut self, id: StmtId, handler: u16) {
        self.it.handled.borrow_mut().pop();
        if let Some((place, _)) = self.handler(id, handler).and_then(|handler| handler.name) {
            self.store(place, Value::Unbound);
        }
    }

    /// The block of a `with` ended so, and its manager is left next. One that is not known has nothing to leave: what ended its
    /// block comes back.
    fn end_managed(&mut self, outcome: Step<Flow>) -> Result<(), Step<Flow>> {
        match self.exits.last() {
            Some(Some(exit)) => {
                self.it.catching.set(self.it.catching.get() - u32::from(exit.catches));
                self.outcomes.push(outcome);
                Ok(())
            }
            _ => {
                self.exits.pop();
                Err(outcome)
            }
        }
    }

    /// A statement in a part of one around it ended otherwise than by going on: where that one goes on, or what ends it in
    /// turn.
    pub(super) fn ends_part(
        &mut self,
        flat: &'a Flat,
        within: Within,
        around: u16,
        outcome: Step<Flow>,
    ) -> Result<At, Step<Flow>> {
        let around = &flat.pieces[around as usize];
        match within {
            Within::Guarded => self.it.catching.set(self.it.catching.get() - 1),
            Within::Handler(handler) => self.end_handler(around.id, handler),
            Within::Final => drop(self.outcomes.pop()),
            Within::Managed | Within::Body | Within::Else => {}
        }
        match (within, around.caught, outcome) {
            (Within::Managed, Some(Caught::Final(at)), outcome) => self.end_managed(outcome).map(|()| at),
            (Within::Guarded, Some(Caught::Final(at)), outcome) => {
                self.outcomes.push(outcome);
                Ok(at)
            }
            (Within::Guarded, Some(Caught::Handlers(at)), Err(Halt::Raise(exception))) => {
                self.it.spend_more(COST_OF_EXCEPTION).map_err(Err)?;
                self.caught = Some(exception);
                Ok(at)
            }
            (_, _, outcome) => Err(outcome),
        }
    }
}
