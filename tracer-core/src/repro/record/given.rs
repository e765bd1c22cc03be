//! Functions that a body was given as arguments (`nondiff_argnums`, static arguments): a call of one is a statement of the body, which is
//! then the same for whatever function it is given.

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::{Args, Function, Value};
use crate::repro::Style;
use crate::repro::normalize::arg;
use crate::repro::tree::{Access, Arg, Def, Level, Op, Recorder, Source, State};
use crate::repro::write::{made_with, with_arguments};

impl Interp {
    /// Whether this calls a function that a body was given, in a way that a statement can say.
    pub(super) fn calls_given(self: &Rc<Self>, callee: &Value, args: &Args) -> bool {
        let Some(function) = given_function(callee) else { return false };
        let kept = || args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value)).map(|a| arg(self, a));
        !function.module.unit.ours
            && !function.code().is_generator
            && self.repro.gave(callee)
            && kept().all(|arg| is_plain(&arg))
    }

    /// Calls a function that a body was given, as a statement of the body that runs.
    pub(super) fn recorded_given(
        self: &Rc<Self>,
        callee: &Value,
        args: Args,
        run: impl FnOnce(Args) -> Step<Value>,
    ) -> Step<Value> {
        let (id, parent) = {
            let state = self.repro.state.borrow();
            (state.statements.len(), state.body())
        };
        let (Some(function), Some(parent)) = (given_function(callee), parent) else { return run(args) };
        let all: Vec<Value> = std::iter::once(callee.clone()).chain(args.positional.iter().cloned()).collect();
        let keyword = args.keyword.to_vec();
        let outcome = self.recorded(Op::Apply, &all, &keyword, || run(args), |value| Some(value.clone()));
        self.repro.state.borrow_mut().dissolve_unlike(parent, id, callee, &function);
        outcome
    }
}

/// The function of the program's behind what a body may have been given: itself, with some of its arguments, a method, or an object's `__call__`.
fn given_function(callee: &Value) -> Option<Rc<Function>> {
    match callee {
        Value::Function(function) => Some(function.clone()),
        Value::Instance(instance) if instance.class_ref().module.as_str() == "functools" => {
            with_arguments(callee).and_then(|(function, ..)| given_function(&function))
        }
        Value::Method(method) if matches!(method.function, Value::Function(_)) => given_function(&method.function),
        Value::Instance(instance) => {
            let call = instance.class().lookup(sym!("__call__"))?;
            matches!(call, Value::Function(_)).then(|| given_function(&call)).flatten()
        }
        _ => None,
    }
}

impl Recorder {
    /// Whether the body that runs, or one around it, was given this function.
    pub fn gave(&self, callee: &Value) -> bool {
        let state = self.state.borrow();
        let given = |def: usize| {
            let is_it = |given: &Arg| matches!(given, Arg::Callable(value) if value.is(callee));
            state.defs[def].params.iter().any(|param| is_it(&param.given))
        };
        let is_open = |level: &Level| matches!(level, Level::Def(def) if given(*def));
        state.style == Style::Given && state.body().is_some() && state.stack.iter().any(is_open)
    }
}

impl State {
    /// The body of a call becomes part of the one that called where the function's first body would not stand for it: it was given
    /// something else, or gives what no statement can.
    fn dissolve_unlike(&mut self, parent: usize, id: usize, callee: &Value, function: &Rc<Function>) {
        let [child] = self.statements[id].children[..] else { return };
        let is_it = |def: &usize| self.defs[*def].function.as_ref().is_some_and(|f| Rc::ptr_eq(f, function));
        // With the same arguments, where the body was given the function with some.
        let made_with = made_with(callee);
        let is_made =
            |i: usize, name: Symbol| i < made_with.first.len() || made_with.named.iter().any(|(of, _)| *of == name);
        let is_receiver = |i: usize, def: &Def| {
            let pair = self.defs[child].receiver.as_ref().zip(def.receiver.as_ref());
            i == 0 && pair.is_some_and(|(mine, other)| mine.is(other))
        };
        let is_made_alike = |def: &usize| {
            let def = &self.defs[*def];
            let mut made = self.defs[child].params.iter().zip(&def.params).enumerate();
            made.all(|(i, (mine, other))| {
                !is_made(i, mine.name) || is_receiver(i, def) || mine.given.is_like(&other.given, &|a, b| a.is(b))
            })
        };
        // Since the body was given the function: the call that did so is where it is written.
        let gave = |def: &usize| {
            let is_callee = |given: &Arg| matches!(given, Arg::Callable(value) if value.is(callee));
            self.defs[*def].params.iter().any(|param| is_callee(&param.given))
        };
        let mut open = self.stack.iter().rev().filter_map(|level| match level {
            Level::Def(def) => Some(*def),
            _ => None,
        });
        let since = open.find(gave).unwrap_or(0);
        let first = (since..child).find(|def| is_it(def) && is_made_alike(def)).unwrap_or(child);
        let (mine, other) = (&self.defs[child].params, &self.defs[first].params);
        let is_like = mine.len() == other.len()
            && mine
                .iter()
                .zip(other)
                .enumerate()
                .all(|(i, (mine, other))| is_made(i, mine.name) || mine.given.is_like(&other.given, &same_type));
        let fails = !self.statements[id].errors.is_empty();
        if is_like && (fails || self.defs[child].result.as_ref().is_some_and(is_plain)) {
            return;
        }
        self.statements[id].children.clear();
        let statements = std::mem::take(&mut self.defs[child].statements);
        let bound = std::mem::take(&mut self.defs[child].bound);
        for inner in &statements {
            self.statements[*inner].parent = parent;
        }
        let outer = &mut self.defs[parent];
        outer.statements.retain(|statement| *statement != id);
        outer.statements.extend(statements);
        outer.bound.retain(|_, access| access.from != Source::Statement(id));
        for (value, access) in bound {
            if let Access { from: Source::Statement(_), .. } = access {
                outer.bound.entry(value).or_insert(access);
                self.filed.note(value, parent);
            }
        }
    }
}

/// Whether an argument or a result is all there: arrays, numbers, functions and containers of them.
fn is_plain(arg: &Arg) -> bool {
    match arg {
        Arg::Plain(_) | Arg::Leaf(_) | Arg::Callable(Value::Function(_)) => true,
        Arg::Tree(_, tree) => matches!(**tree, Arg::Fields(_)),
        Arg::Tuple(items) | Arg::List(items) => items.iter().all(is_plain),
        Arg::Dict(items) => items.iter().all(|(_, item)| is_plain(item)),
        _ => false,
    }
}

/// Whether a body that was given the one array, or function, does what it does when it is given the other.
fn same_type(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.aval == b.aval,
        (a, b) => a.is(b),
    }
}
