//! Functions of the program that the framework calls.

use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::new_def;
use crate::interp::{Interp, is_meant};
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::{Function, Site, Value};
use crate::repro::normalize::{arg, opened};
use crate::repro::tree::{Arg, Def, Fit, Level, Param, ParamKind, Source, State};

/// The body of a function that is part of another one.
const TRANSPARENT: usize = usize::MAX;

impl Interp {
    /// Begins the body of a function of the program that the framework calls; `None` where the program calls it.
    pub fn recorded_enter(self: &Rc<Self>, function: &Rc<Function>, params: Vec<(Symbol, u8, Value)>) -> Option<usize> {
        let (parent, wanted) = {
            let mut state = self.repro.state.borrow_mut();
            let fit = match state.wanted.as_deref() {
                Some(wanted) => self.fit(function, wanted, state.within.as_deref()),
                None => Fit::None,
            };
            // One that fits better, and is called later, is meant.
            let wanted = fit > state.fit;
            if wanted {
                state.fit = fit;
                state.awaits_own = state.within.is_none() && self.has_better(&state);
                state.given_back.clear();
            }
            match state.stack.last().copied() {
                Some(Level::Statement(statement)) if state.statements[statement].says_where_leaves_are(function) => {
                    return None;
                }
                Some(Level::Statement(statement)) => (Some(statement), wanted),
                Some(Level::Walk(def, _)) => {
                    state.stack.push(Level::Def(def));
                    return Some(TRANSPARENT);
                }
                _ if wanted => (None, true),
                Some(Level::Def(_)) if state.takes_back(function) => (None, false),
                _ => return None,
            }
        };
        if wanted && parent.is_none() {
            let mut state = self.repro.state.borrow_mut();
            if state.around {
                state.wanted_def = state.body();
                state.wanted_has_axes = !self.engine.axes().is_empty();
                state.wanted_at = state.begun;
                state.wanted_in = state.statement_at_top();
                return None;
            }
        }
        // What the framework calls is given what the framework can look into.
        let kept = if parent.is_some() { arg } else { opened };
        let kinds = [ParamKind::Plain, ParamKind::KeywordOnly, ParamKind::Rest, ParamKind::RestKeywords];
        let receiver =
            params.first().map(|(.., value)| value.clone()).filter(|value| matches!(value, Value::Instance(_)));
        let params: Vec<Param> = params
            .into_iter()
            .map(|(name, kind, value)| Param { name, kind: kinds[usize::from(kind)], given: kept(self, &value) })
            .collect();
        let mut state = self.repro.state.borrow_mut();
        if wanted {
            self.hold(&mut state, &params);
        }
        let id = state.defs.len();
        let around = match wanted {
            true => state.body(),
            false => state.wanted_def,
        };
        let around = around.filter(|_| parent.is_none());
        if wanted {
            state.wanted_def = Some(id);
            state.wanted_has_axes = !self.engine.axes().is_empty();
            state.wanted_at = state.begun;
            state.wanted_in = state.statement_at_top();
        }
        let site = Some(Site { file: function.module.unit.file, span: function.code().name_span })
            .filter(|_| function.module.unit.user);
        let depth = self.user_stack.borrow().len();
        let givens: Vec<_> = params.iter().map(|param| param.given.clone()).collect();
        let contexts = match parent {
            Some(_) => Vec::new(),
            None => state.entered.iter().map(|(_, context)| *context).collect(),
        };
        state.defs.push(Def {
            function: Some(function.clone()),
            parent,
            around,
            params,
            receiver,
            contexts,
            site,
            depth,
            is_uncalled: self.open_code.get() == Some(std::ptr::from_ref(function.code()).addr()),
            ..new_def()
        });
        for (i, given) in givens.iter().enumerate() {
            state.bind(id, Source::Param(i), given);
        }
        if let Some(parent) = parent {
            state.statements[parent].children.push(id);
        }
        state.stack.push(Level::Def(id));
        Some(id)
    }

    /// Keeps what arrays of NumPy hold that the wanted function, or a call around it, is given.
    fn hold(self: &Rc<Self>, state: &mut State, params: &[Param]) {
        let Some(hooks) = self.hooks.borrow().clone() else { return };
        let calls = state.stack.iter().filter_map(|level| match level {
            Level::Statement(id) => Some(&state.statements[*id]),
            _ => None,
        });
        let given = calls.flat_map(|call| call.args.iter().chain(call.keywords.iter().map(|(_, arg)| arg)));
        let mut numbers = Vec::new();
        given.chain(params.iter().map(|param| &param.given)).for_each(|arg| arg.numbers(&mut numbers));
        let held: FxHashMap<_, _> =
            numbers.iter().filter_map(|value| Some((value.identity(), hooks.held(value)?))).collect();
        state.held = held;
    }

    /// How well a function fits the name that is wanted.
    fn fit(self: &Rc<Self>, function: &Function, wanted: &str, within: Option<&Path>) -> Fit {
        // `functools.wraps` gives a function another one's name: that one, where the program has it, fits better.
        let (own, given) = (function.code().qualname, function.qualname());
        let is_own = is_meant(&own, wanted);
        if !is_own && !is_meant(&given, wanted) {
            return Fit::None;
        }
        let is_here = match within {
            Some(file) if !self.stands_in(function, file) => return Fit::None,
            Some(_) => true,
            None => self.is_program(&function.module),
        };
        match is_here {
            true if is_own && is_whole(&own, wanted) => Fit::Whole,
            true => Fit::Own,
            false => Fit::Name,
        }
    }

    /// Whether the program itself has a function that fits the wanted name better than the one that was found.
    fn has_better(self: &Rc<Self>, state: &State) -> bool {
        let modules = self.modules.borrow();
        let own = modules.values().find_map(|module| match module {
            Value::Module(module) if self.is_program(module) => Some(module.clone()),
            _ => None,
        });
        let wanted = state.wanted.as_deref().unwrap_or_default();
        let fits = |qualname: &str| match state.fit {
            Fit::Name => is_meant(qualname, wanted),
            Fit::Own => is_whole(qualname, wanted),
            Fit::None | Fit::Whole => false,
        };
        own.is_some_and(|module| module.unit.module.codes.iter().any(|code| fits(&code.qualname)))
    }

    /// Whether a function stands in a file.
    fn stands_in(self: &Rc<Self>, function: &Function, file: &Path) -> bool {
        let place = self.loader.place(function.module.unit.file, 0);
        place.is_some_and(|(path, _)| Path::new(&path) == file)
    }

    /// Ends a body; whether all is known then that the run is for.
    pub fn recorded_leave(self: &Rc<Self>, id: usize, outcome: &Step<Value>) -> bool {
        if id == TRANSPARENT {
            self.repro.state.borrow_mut().stack.pop();
            return false;
        }
        let error = outcome.as_ref().err().and_then(|halt| self.raised(halt));
        let kept = if self.repro.state.borrow().defs[id].parent.is_some() { arg } else { opened };
        let result = outcome.as_ref().ok().map(|value| kept(self, value));
        let mut state = self.repro.state.borrow_mut();
        if let Some(at) = state.stack.iter().rposition(|level| *level == Level::Def(id)) {
            state.stack.truncate(at);
        }
        if state.defs[id].errors.is_empty() {
            state.defs[id].errors.extend(error);
        }
        if state.wanted_def == Some(id)
            && let Some(result) = &result
        {
            state.given_back = functions_in(result);
        }
        state.defs[id].result = result;
        // What a call of the framework gives is still to come, but where it is only asked what the function was given.
        let is_all = state.asks || state.body() == Some(0);
        outcome.is_ok() && state.wanted_def == Some(id) && is_all && state.is_over()
    }
}

/// Whether a function's `__qualname__` is a name from its beginning.
fn is_whole(qualname: &str, name: &str) -> bool {
    qualname.replace(".<locals>", "") == name.replace(".<locals>", "")
}

impl State {
    /// The statement of the top level that runs.
    fn statement_at_top(&self) -> Option<usize> {
        self.stack.iter().find_map(|level| match level {
            Level::Statement(id) => Some(*id),
            _ => None,
        })
    }
    /// Whether a function is one that the wanted function has given, and that is called for the first time.
    fn takes_back(&mut self, function: &Rc<Function>) -> bool {
        let at = self.given_back.iter().position(|given| Rc::ptr_eq(given, function));
        at.map(|at| self.given_back.swap_remove(at)).is_some()
    }
}

/// The functions of the program in a result.
fn functions_in(result: &Arg) -> Vec<Rc<Function>> {
    let mut found = Vec::new();
    result.leaves(&mut Vec::new(), &mut |value, _| match value {
        Value::Function(function) if !function.module.unit.ours => found.push(function.clone()),
        _ => {}
    });
    found
}
