//! Which call of a function stands for it.

use std::rc::Rc;

use super::Writer;
use super::callables::with_arguments;
use crate::module::Symbol;
use crate::python::{Function, Value};
use crate::repro::normalize;
use crate::repro::tree::{Arg, Op, Param, ParamKind};

/// So many bodies around a call are looked through.
const MOST_LEVELS: usize = 30;

/// What a callable was made with: a receiver and arguments of `partial`s, in the order of the parameters, and those by name.
#[derive(Default)]
pub struct MadeWith {
    pub first: Vec<Value>,
    pub named: Vec<(Symbol, Value)>,
}

pub fn made_with(value: &Value) -> MadeWith {
    match value {
        Value::Method(method) => {
            let mut inner = made_with(&method.function);
            inner.first.push(method.receiver.clone());
            inner
        }
        Value::Instance(_) => match with_arguments(value) {
            Some((function, args, keywords)) => {
                let mut inner = made_with(&function);
                inner.first.extend(args.iter().cloned());
                inner.named.extend(keywords);
                inner
            }
            None => MadeWith { first: vec![value.clone()], named: Vec::new() },
        },
        _ => MadeWith::default(),
    }
}

/// Whether a function that was traced for one argument is so for another: a number may have become an array.
fn is_similar(given: &Arg, traced: &Arg, same: &dyn Fn(&Value, &Value) -> bool) -> bool {
    let all = |a: &[Arg], b: &[Arg]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_similar(a, b, same));
    match (given, traced) {
        (Arg::Tree(_, given), traced) => is_similar(given, traced, same),
        (given, Arg::Tree(_, traced)) => is_similar(given, traced, same),
        (Arg::Tuple(a), Arg::Tuple(b)) | (Arg::List(a), Arg::List(b)) => all(a, b),
        (Arg::Dict(a), Arg::Dict(b)) => {
            let is_same = |(a, b): (&(Arg, Arg), &(Arg, Arg))| a.0.is_like(&b.0, same) && is_similar(&a.1, &b.1, same);
            a.len() == b.len() && a.iter().zip(b).all(is_same)
        }
        (Arg::Plain(number), Arg::Leaf(Value::Array(_))) => {
            matches!(number, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_) | Value::Object(_))
        }
        (given, traced) => given.is_like(traced, same),
    }
}

/// Whether arrays are of one type, and other values the same.
fn same_type(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.aval.shape == b.aval.shape && a.aval.dtype == b.aval.dtype,
        (a, b) => a.is(b),
    }
}

impl Writer<'_> {
    /// Whether a body has failed as is wanted, or at all.
    pub fn has_failed(&self, id: usize) -> bool {
        let errors = &self.state.defs[id].errors;
        self.wanted.as_ref().map_or(!errors.is_empty(), |wanted| errors.contains(wanted))
    }

    /// The call of a function of the program that stands for it: under the statements that are being written, or anywhere.
    pub fn find_def(&self, function: &Rc<Function>) -> Option<usize> {
        self.find_def_with(function, &MadeWith::default())
    }

    /// The same of a callable that was made with arguments: a call with these, where there is one.
    pub fn find_def_with(&self, function: &Rc<Function>, made_with: &MadeWith) -> Option<usize> {
        let is = |id: &&usize| self.state.defs[**id].function.as_ref().is_some_and(|f| Rc::ptr_eq(f, function));
        let open = |id: &usize| self.scopes.iter().any(|scope| scope.def == *id);
        let is_its_own = |id: &&usize| self.is_made_with(**id, made_with);
        for call in self.calls.iter().rev() {
            let children: Vec<usize> = self.state.statements[*call].children.iter().filter(is).copied().collect();
            let failing = children.iter().find(|id| self.has_failed(**id));
            let whole =
                || failing.and_then(|failing| children.iter().find(|id| self.is_whole_of(*call, **id, *failing)));
            let own = || children.iter().find(is_its_own);
            if let Some(found) = whole().or(failing).or_else(own).or(children.first()) {
                return Some(*found);
            }
            // In the body of what it called, which was given the function.
            let nested: Vec<usize> = match children.is_empty() && self.hands_over(*call, function) {
                true => self.bodies_under(*call).filter(|id| is(&id) && !open(id)).collect(),
                false => Vec::new(),
            };
            let failing = nested.iter().find(|id| self.has_failed(**id));
            if let Some(found) = failing.or_else(|| nested.iter().find(is_its_own)).or(nested.first()) {
                return Some(*found);
            }
            let answered = self.state.statements[*call].answers.iter().flat_map(Clone::clone);
            let answered: Vec<usize> = answered.filter(|id| is(&id) && !open(id) && !self.has_failed(*id)).collect();
            if let Some(found) = answered.iter().find(is_its_own).or(answered.first()) {
                return Some(*found);
            }
        }
        let mut all: Vec<usize> = (0..self.state.defs.len()).filter(|id| is(&id) && !open(id)).collect();
        if all.iter().any(|id| is_its_own(&id)) {
            all.retain(|id| is_its_own(&id));
        }
        // A cache has answered: with what it had traced for such arguments.
        let traced = self.calls.iter().rev().find_map(|call| {
            let fits = |same: &dyn Fn(&Value, &Value) -> bool| {
                all.iter().find(|id| !self.has_failed(**id) && self.is_called_like(*call, **id, same))
            };
            fits(&same_type).or_else(|| fits(&|_, _| true))
        });
        traced.or_else(|| all.iter().find(|id| !self.has_failed(**id))).or(all.first()).copied()
    }

    /// Whether one trace of a loop's body has come to its end that does what another one did before it failed: the body is traced again
    /// where its carry changes its type.
    fn is_whole_of(&self, call: usize, id: usize, failing: usize) -> bool {
        let Op::Call(Value::Function(callee)) = &self.state.statements[call].op else { return false };
        let is_loop = callee.module.unit.ours && matches!(callee.name().as_str(), "scan" | "while_loop" | "fori_loop");
        let (whole, failing) = (&self.state.defs[id], &self.state.defs[failing]);
        let site = |id: &usize| self.state.statements[*id].site;
        is_loop
            && whole.errors.is_empty()
            && whole.result.is_some()
            && failing.statements.len() <= whole.statements.len()
            && failing.statements.iter().zip(&whole.statements).all(|(a, b)| site(a) == site(b))
    }

    /// Whether a statement has a function among its arguments.
    fn hands_over(&self, call: usize, function: &Rc<Function>) -> bool {
        let call = &self.state.statements[call];
        let is_it = |given: &Arg| match given {
            Arg::Callable(value) | Arg::Tree(value, _) => {
                self.parts(value).is_some_and(|(own, ..)| Rc::ptr_eq(&own, function))
            }
            _ => false,
        };
        call.args.iter().chain(call.keywords.iter().map(|(_, given)| given)).any(is_it)
    }

    /// The bodies that ran while a statement did.
    fn bodies_under(&self, call: usize) -> impl Iterator<Item = usize> {
        let first = self.state.statements[call].children.first().copied().unwrap_or(usize::MAX);
        let is_under = move |id: &usize| {
            let mut at = *id;
            for _ in 0..MOST_LEVELS {
                let Some(parent) = self.state.defs[at].parent else { return false };
                if parent == call {
                    return true;
                }
                at = self.state.statements[parent].parent;
            }
            false
        };
        (first..self.state.defs.len()).filter(is_under)
    }

    /// Whether a body's first parameters, and those of some names, were given what a callable was made with.
    fn is_made_with(&self, id: usize, made_with: &MadeWith) -> bool {
        let def = &self.state.defs[id];
        let same = |a: &Value, b: &Value| a.is(b);
        let is_given = |given: &Value, param: &Param| {
            let is_receiver = || def.receiver.as_ref().is_some_and(|receiver| receiver.is(given));
            normalize::arg(self.it, given).is_like(&param.given, &same) || is_receiver()
        };
        let named = |(name, given): &(Symbol, Value)| {
            def.params.iter().find(|param| param.name == *name).is_none_or(|param| is_given(given, param))
        };
        let plain = def.params.iter().filter(|param| param.kind == ParamKind::Plain);
        made_with.first.iter().zip(plain).all(|(given, param)| is_given(given, param))
            && made_with.named.iter().all(named)
    }

    /// Whether a statement hands to a function what another call of it was given: the same numbers and texts, and arrays that are the same.
    fn is_called_like(&self, call: usize, id: usize, same: &dyn Fn(&Value, &Value) -> bool) -> bool {
        let (call, params) = (&self.state.statements[call], &self.state.defs[id].params);
        if !matches!(call.op, Op::Call(_) | Op::Apply) || call.args.is_empty() || call.args.len() > params.len() {
            return false;
        }
        params.iter().enumerate().all(|(i, param)| {
            let named = || call.keywords.iter().find(|(name, _)| *name == param.name).map(|(_, given)| given);
            // Its default, where nothing is given.
            call.args.get(i).or_else(named).is_none_or(|given| is_similar(given, &param.given, same))
        })
    }
}
