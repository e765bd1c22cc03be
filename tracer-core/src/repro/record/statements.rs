//! Operations that the program's own code asks for, the contexts around them, and how they fail.

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::Value;
use crate::python::halt::{Exception, Halt, Step, Stopped};
use crate::repro::eager;
use crate::repro::normalize::arg;
use crate::repro::tree::{Arg, Level, Op, Part, Raised, Statement};

impl Interp {
    /// Runs an operation and records it, where the program's own code asked for it.
    pub(super) fn recorded<T>(
        self: &Rc<Self>,
        op: Op,
        args: &[Value],
        keywords: &[(Symbol, Value)],
        run: impl FnOnce() -> Step<T>,
        result: impl FnOnce(&T) -> Option<Value>,
    ) -> Step<T> {
        let Some(parent) = self.repro.state.borrow().body() else { return run() };
        let site = self.user_stack.borrow().last().map(|(site, _)| *site);
        let contexts = {
            let state = self.repro.state.borrow();
            state.entered.iter().filter(|(of, _)| *of == parent).map(|(_, context)| *context).collect()
        };
        let statement = Statement {
            parent,
            op,
            args: args.iter().map(|value| arg(self, value)).collect(),
            keywords: keywords.iter().map(|(name, value)| (*name, arg(self, value))).collect(),
            result: None,
            gives: None,
            parts: Vec::new(),
            errors: Vec::new(),
            contexts,
            children: Vec::new(),
            answers: Vec::new(),
            site,
            top: self.user_stack.borrow().first().map(|(site, _)| *site),
            frames: match self.repro.state.borrow().keeps_frames {
                true => self.user_stack.borrow().iter().map(|(site, _)| *site).collect(),
                false => Vec::new(),
            },
        };
        let (id, depth) = {
            let mut state = self.repro.state.borrow_mut();
            let id = state.statements.len();
            state.statements.push(statement);
            state.defs[parent].statements.push(id);
            state.stack.push(Level::Statement(id));
            self.open_statement(&mut state, id);
            (id, state.stack.len())
        };
        if parent == 0 {
            self.call_begins();
        }
        let outcome = run();
        let error = outcome.as_ref().err().and_then(|halt| self.raised(halt));
        let value = outcome.as_ref().ok().and_then(result);
        let found = value.as_ref().map(|value| (value.identity(), arg(self, value)));
        let mut state = self.repro.state.borrow_mut();
        state.stack.truncate(depth - 1);
        self.close_statement(&mut state, id, found.as_ref().map(|(_, value)| value), error.as_ref());
        if state.statements[id].errors.is_empty() {
            state.statements[id].errors.extend(error);
        }
        if let Some((_, value)) = &found {
            state.bind_result(parent, id, value);
        }
        state.statements[id].result = found;
        if let Some(value @ Value::Tuple(_)) = &value {
            state.statements[id].parts = Part::all(value);
            state.alive.push(value.clone());
        }
        state.statements[id].gives = value;
        match parent == 0 && state.is_over() {
            true => outcome.and(Err(Halt::Stop(Stopped::Done))),
            false => outcome,
        }
    }

    /// A call of the program's top level begins: from one of them on nothing is compiled, where that is asked for.
    fn call_begins(self: &Rc<Self>) {
        let compiles = {
            let mut state = self.repro.state.borrow_mut();
            state.begun += 1;
            state.compiled.is_none_or(|compiled| state.begun <= compiled)
        };
        if !compiles {
            self.repro.state.borrow_mut().compiled = None;
            eager::compile_nothing(self);
        }
    }

    /// Notes that the program enters a context; whether it is one of the framework's.
    pub fn recorded_context(self: &Rc<Self>, manager: &Value) -> bool {
        let kept = arg(self, manager);
        let mut state = self.repro.state.borrow_mut();
        let Some(body) = state.body() else { return false };
        let (Arg::Leaf(value) | Arg::Callable(value)) = &kept else { return false };
        let id = value.identity();
        if state.holders(id).next().is_none() {
            return false;
        }
        let context = state.contexts.len();
        state.contexts.push(kept);
        state.entered.push((body, context));
        true
    }

    /// Notes that the program leaves a context.
    pub fn recorded_context_end(self: &Rc<Self>) {
        self.repro.state.borrow_mut().entered.pop();
    }

    pub(super) fn raised(self: &Rc<Self>, halt: &Halt) -> Option<Raised> {
        let Halt::Raise(exception) = halt else { return None };
        let was = self.repro.on.replace(false);
        let (class, message) = self.describe_exception(exception);
        self.repro.on.set(was);
        Some(Raised { class, message })
    }

    /// Whether the last statement of the body that runs has failed so.
    pub(super) fn last_failed_with(&self, raised: &Raised) -> bool {
        let state = self.repro.state.borrow();
        let last = state.body().and_then(|body| state.defs[body].statements.last());
        last.is_some_and(|last| state.statements[*last].failed_with(raised))
    }

    /// Notes that an exception was reported.
    pub fn recorded_report(self: &Rc<Self>, exception: &Exception) {
        let Some(raised) = self.raised(&Halt::Raise(Box::new(exception.clone()))) else { return };
        let sites = self.whole_stack(&exception.frames).iter().map(|(site, _)| *site).collect();
        let mut state = self.repro.state.borrow_mut();
        // The run goes on behind it: what it would have ended has failed all the same.
        for level in state.stack.clone() {
            let errors = match level {
                Level::Def(def) => &mut state.defs[def].errors,
                Level::Statement(id) => &mut state.statements[id].errors,
                Level::Quiet | Level::Walk(..) => continue,
            };
            if !errors.contains(&raised) {
                errors.push(raised.clone());
            }
        }
        state.reported.push((raised, sites));
        if state.first_only {
            // What follows has nothing to do with it.
            self.repro.on.set(false);
        }
    }
}
