//! Calls of which not all arguments are known: `f(x, *unknown)`, `f(**unknown)`.
//!
//! A function of the program's runs all the same, with unknown values for what may have been given, so that what it changes is
//! changed. Of any other callee it is forgotten what it may have changed.

use std::rc::Rc;

use super::Interp;
use super::flat::Flat;
use super::function::Run;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Dict, DictItems, Function, Instance, Key, Value, Why};

/// Which arguments of a call are not known.
#[derive(Default)]
pub(super) struct Open {
    /// How many positional ones stand before the first that is not known, and why that is not.
    positional: Option<(usize, Why)>,
    keywords: Option<Why>,
}

impl Open {
    /// No argument is known.
    pub(super) fn unknown(why: Why) -> Open {
        Open { positional: Some((0, why.clone())), keywords: Some(why) }
    }
    /// There may be positional arguments behind this many.
    pub(super) fn more_positional(&mut self, known: usize, why: Why) {
        self.positional.get_or_insert((known, why));
    }
    /// There may be arguments by name.
    pub(super) fn more_keywords(&mut self, why: Why) {
        self.keywords.get_or_insert(why);
    }
    /// Whether any are not known.
    pub(super) fn is_open(&self) -> bool {
        self.positional.is_some() || self.keywords.is_some()
    }
    fn why(&self) -> Why {
        let positional = self.positional.as_ref().map(|(_, why)| why);
        positional.or(self.keywords.as_ref()).cloned().unwrap_or_else(|| Why("the arguments".into()))
    }
    /// The same call with one more argument in front.
    fn behind_receiver(&self) -> Open {
        let positional = self.positional.as_ref().map(|(known, why)| (known + 1, why.clone()));
        Open { positional, keywords: self.keywords.clone() }
    }
}

impl Interp {
    /// Calls with the arguments that are known.
    ///
    /// # Errors
    /// What the body raises of a function of the program's; of anything else, that the result is unknown.
    #[cold]
    pub(super) fn call_open(self: &Rc<Self>, callee: &Value, args: Args, open: &Open) -> Step<Value> {
        match callee {
            Value::Function(function) if runs_open(function) && open.may_bind(function, &args) => {
                let (unit, id) = function.body();
                let code = unit.module.code(id);
                if code.is_generator || code.is_async {
                    return self.call_lost(callee, &args, open);
                }
                self.deeper(function, || self.run_open(function, args, open))
            }
            Value::Method(method) => {
                let args = args.with_receiver(method.receiver.clone());
                self.call_open(&method.function, args, &open.behind_receiver())
            }
            Value::Class(class) => match self.program_init(class).filter(|init| init.unit.user) {
                Some(init) => {
                    self.check_abstract(class)?;
                    let instance = Value::Instance(Instance::new(class.clone()));
                    let args = args.with_receiver(instance.clone());
                    self.call_open(&Value::Function(init), args, &open.behind_receiver())?;
                    Ok(instance)
                }
                None => self.call_lost(callee, &args, open),
            },
            Value::Instance(instance) => match instance.class().lookup_defined(self.types.names.call) {
                Some(Value::Function(call)) if runs_open(&call) && !instance.class().may_have_more() => {
                    let call = Value::Function(call);
                    self.call_open(&call, args.with_receiver(callee.clone()), &open.behind_receiver())
                }
                _ => self.call_lost(callee, &args, open),
            },
            Value::Unknown(_) => self.call(callee, args),
            // A compiled function.
            Value::Object(_) => {
                let wrapped = self.while_catching(|| self.find_attr(callee, sym!("__wrapped__")));
                self.lose_functions(wrapped.ok().flatten().as_slice());
                self.call_lost(callee, &args, open)
            }
            _ => self.call_lost(callee, &args, open),
        }
    }

    fn call_lost(&self, callee: &Value, args: &Args, open: &Open) -> Step<Value> {
        self.lose_call(callee, args);
        Err(Halt::Unknown(open.why()))
    }

    fn run_open(self: &Rc<Self>, function: &Rc<Function>, args: Args, open: &Open) -> Step<Value> {
        let (unit, id) = function.body();
        let code = unit.module.code(id);
        let flat: Option<&Flat> = match self.watch.on.get() {
            true => None,
            false => unit.flats.of(unit, id, self.translate.get()),
        };
        let mut run = match flat {
            Some(flat) => Run::in_slots(self, &function.module, unit, code, &function.captured, flat),
            None => Run::new(self, &function.module, unit, code, &function.captured),
        };
        run.function = Some(function);
        run.bind_open(function, args, open);
        let result = run.whole_body(function, flat);
        self.recycle(&mut run.frame);
        result
    }
}

/// Whether a function is the program's, or one of the standard library's such as `functools.partial` calls.
fn runs_open(function: &Function) -> bool {
    function.unit.user || function.unit.standard
}

impl Open {
    /// Whether what is known of the arguments suits the parameters.
    fn may_bind(&self, function: &Function, args: &Args) -> bool {
        let (unit, id) = function.body();
        let params = &unit.module.code(id).params;
        let positional = params.positional as usize;
        let known = self.positional.as_ref().map_or(args.positional.len(), |(known, _)| *known);
        let named = &params.names[..positional + params.keyword_only as usize];
        let suits = |name: &crate::module::Symbol| match named.iter().position(|param| param.name == *name) {
            Some(at) => at >= params.positional_only as usize && at >= known || params.var_keyword.is_some(),
            None => params.var_keyword.is_some(),
        };
        // One behind those that are not known needs room, too.
        (args.positional.len() <= positional || params.var_positional.is_some())
            && args.keyword.iter().all(|(name, _)| suits(name))
    }
}

impl Run<'_> {
    /// Binds arguments of which some are not known to the parameters that they suit.
    fn bind_open(&mut self, function: &Rc<Function>, args: Args, open: &Open) {
        let params = &self.code.params;
        let positional = params.positional as usize;
        let count = positional + params.keyword_only as usize;
        let unknown = || Value::unknown(open.why().0);
        let known = open.positional.as_ref().map_or(args.positional.len(), |(known, _)| *known);
        let mut given = args.positional.into_iter().take(known);
        for (slot, value) in self.frame.locals[..positional].iter_mut().zip(given.by_ref()) {
            *slot = value;
        }
        let rest: Vec<Value> = given.collect();
        let mut others = DictItems::default();
        for (name, value) in args.keyword {
            match params.names[..count].iter().position(|param| param.name == name) {
                Some(at) if at >= params.positional_only as usize => self.frame.locals[at] = value,
                _ => {
                    others.insert(Key::str(&name), value);
                }
            }
        }
        let first_default = positional - function.defaults.len().min(positional);
        for at in 0..count {
            if !self.frame.locals[at].is_unbound() {
                continue;
            }
            let default = match at.checked_sub(positional) {
                Some(at) => function.kw_defaults.get(at).filter(|default| !default.is_unbound()),
                None => at.checked_sub(first_default).and_then(|at| function.defaults.get(at)),
            };
            let is_by_name = at >= positional;
            let may_be_given = open.keywords.is_some() || open.positional.is_some() && !is_by_name;
            self.frame.locals[at] = match default {
                Some(default) if !may_be_given => default.clone(),
                _ => unknown(),
            };
        }
        if let Some(slot) = params.var_positional {
            let is_known = open.positional.is_none();
            self.frame.locals[slot as usize] = if is_known { Value::tuple(rest) } else { unknown() };
        }
        if let Some(slot) = params.var_keyword {
            let is_known = open.keywords.is_none();
            self.frame.locals[slot as usize] = if is_known { Value::Dict(Dict::new(others)) } else { unknown() };
        }
        self.move_cell_params();
    }
}
