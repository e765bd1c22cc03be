//! Functions that the program never calls: they are traced, or called, with what is said of their arguments.

use std::rc::Rc;

use super::annotations;
use super::recorded::Recorded;
use super::signature::{self, Given, Signature};
use crate::diagnostics::kinds;
use crate::frameworks::jax::core::introspection::unwrapped;
use crate::frameworks::jax::jit::{is_traced, trace_alone};
use crate::interp::{Interp, Reported, constant_value};
use crate::module::Symbol;
use crate::python::container::guess_of;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Dict, Function, Guess, Key, ModuleObject, Stopped, Value};
use crate::trace::Array;

/// Traces the functions of a module that have a comment of types, those that nothing called and a recorded run did, and those traced functions that nothing called.
///
/// # Errors
/// A stop.
pub fn run(it: &Rc<Interp>, module: &Rc<ModuleObject>, text: &str, recorded: &Recorded) -> Step<()> {
    let mut functions: Vec<(Value, Rc<Function>)> = Vec::new();
    for (_, value) in module.names() {
        if let Ok(Some(function)) = unwrapped(it, &value)
            && Rc::ptr_eq(&function.module.unit, &module.unit)
            && !functions.iter().any(|(_, known)| known.code == function.code)
        {
            functions.push((value, function));
        }
    }
    functions.sort_by_key(|(_, function)| function.code().span.start);
    for (value, function) in functions {
        let code = function.code();
        let commented = signature::commented(text, code);
        let called = it.recorder.runs(module.unit.file, function.code).is_some();
        let mut seen = if commented.is_none() && !called { recorded.of(code) } else { Vec::new() };
        // What was seen inside of the function may have been left to its default, which a compiled function may not be given.
        seen.iter_mut().for_each(|signature| signature.retain(|(name, given)| !is_default(&function, name, given)));
        let annotated = annotations::of_parameters(&module.unit.module, code);
        // A function that nothing compiles is called as it is.
        let plain = commented.is_none() && seen.is_empty() && !is_traced(&value);
        if commented.is_none() && seen.is_empty() && called || plain && annotated.is_empty() {
            continue;
        }
        let before = it.reported.borrow().len();
        let events = plain.then(|| it.events.take());
        let known = if seen.is_empty() { vec![commented.unwrap_or_default()] } else { seen };
        let mut calls = Vec::new();
        for mut given in known {
            for (name, annotated) in &annotated {
                if !given.iter().any(|(known, _)| known == name) {
                    given.push((name.clone(), annotated.clone()));
                }
            }
            let args = arguments(&function, &given);
            let open = it.open_code.replace(Some(std::ptr::from_ref(code).addr()));
            let outcome = match (is_traced(&value), plain) {
                (true, _) => it.call(&value, args).map(drop),
                (_, true) => call(it, &function, args),
                _ => trace_alone(it, &value, args),
            };
            it.open_code.set(open);
            note(it, outcome)?;
            calls.push(given);
        }
        // Who calls it may always give what is left to a default: what the program refuses then itself is no mistake of the function, nor
        // is what it does with `None`. It may also have set a mesh.
        let defaults = || function.defaults.iter().chain(&function.kw_defaults).filter(|default| !default.is_unbound());
        let any = defaults().next().is_some();
        let none = defaults().any(|default| matches!(default, Value::None));
        let taken = |it: &Rc<Interp>| {
            let mut reported = it.reported.borrow_mut();
            let known = before.min(reported.len());
            reported.split_off(known)
        };
        let mut later = taken(it);
        let is_told = |report: &Reported| {
            let message = &report.message;
            let shapes = || kinds::of(&report.class, message).is_some_and(|kind| kind.rule == "shape-mismatch");
            !(any && report.by_program || none && message.contains("None") || lacks_mesh(message))
                && (!plain || shapes())
        };
        later.retain(is_told);
        if any && !later.is_empty() {
            // What comes up with the numbers of defaults has to come up with any others, too.
            for given in &calls {
                let args = with_any_defaults(&function, given);
                let beside = it.recorder.is_beside.replace(true);
                let outcome = match plain {
                    true => call(it, &function, args),
                    false => trace_alone(it, &Value::Function(function.clone()), args),
                };
                it.recorder.is_beside.set(beside);
                note(it, outcome)?;
            }
            let again = taken(it);
            let place = |report: &Reported| report.frames.first().map(|(site, _)| *site);
            later.retain(|one| again.iter().any(|other| other.class == one.class && place(other) == place(one)));
        }
        it.reported.borrow_mut().extend(later);
        if let Some(events) = events {
            // Who calls it, and with which keys and counters, is not known.
            it.events.take();
            events.into_iter().for_each(|event| it.events.note(event));
        }
    }
    Ok(())
}

/// Fuel that a function may take that nothing compiles: a second or so.
const FUEL: u64 = crate::interp::DEFAULT_FUEL / 64;

/// Calls a function that nothing compiles; that it takes long ends nothing else.
fn call(it: &Rc<Interp>, function: &Rc<Function>, args: Args) -> Step<()> {
    let fuel = it.fuel.get();
    it.fuel.set(fuel.min(FUEL));
    let outcome = it.call(&Value::Function(function.clone()), args).map(drop);
    let spent = fuel.min(FUEL).saturating_sub(it.fuel.get());
    it.fuel.set(fuel.saturating_sub(spent));
    match outcome {
        Err(Halt::Stop(stop)) if stop != Stopped::Cancelled => Ok(()),
        outcome => outcome,
    }
}

/// Reports what a call has raised.
fn note(it: &Rc<Interp>, outcome: Step<()>) -> Step<()> {
    match outcome {
        Ok(()) | Err(Halt::Unknown(_)) => Ok(()),
        Err(Halt::Raise(exception)) => {
            it.report(&exception);
            Ok(())
        }
        Err(stop) => Err(stop),
    }
}

/// The arguments of a call as [`arguments`] gives them, with numbers and texts that are not known for those that are left to their
/// defaults.
fn with_any_defaults(function: &Function, given: &Signature) -> Args {
    let params = &function.code().params;
    let positional = params.positional as usize;
    let mut args = arguments(function, given);
    for (i, param) in params.names.iter().take(positional + params.keyword_only as usize).enumerate() {
        let default = match i.checked_sub(positional) {
            None => (i + function.defaults.len()).checked_sub(positional).and_then(|at| function.defaults.get(at)),
            Some(at) => function.kw_defaults.get(at).filter(|default| !default.is_unbound()),
        };
        let name = Symbol::from(param.name.as_str());
        let is_given = i < args.positional.len() || args.keyword.iter().any(|(known, _)| *known == name);
        if let Some(default) = default.filter(|_| !is_given)
            && let guess = guess_of(default)
            && guess != Guess::Any
        {
            args.keyword.push((name, Value::unknown_of(guess, "a default that a call may replace")));
        }
    }
    args
}

/// Whether the framework says that there is no mesh.
fn lacks_mesh(message: &str) -> bool {
    message.contains("set a mesh") || message.contains("non-empty mesh")
}

/// The arguments of a call: what is given, defaults where they are, and unknown values for the rest.
pub(super) fn arguments(function: &Function, given: &Signature) -> Args {
    let params = &function.code().params;
    let positional = params.positional as usize;
    let first_default = positional - function.defaults.len().min(positional);
    let mut args = Args::none();
    for (i, param) in params.names.iter().take(positional + params.keyword_only as usize).enumerate() {
        let value = match given.iter().find(|(name, _)| *name == param.name.as_str()) {
            Some((_, given)) => value_of(given),
            None if i >= first_default && (i < positional || has_default(function, i - positional)) => continue,
            None => Value::unknown("an argument of a function that nothing calls"),
        };
        // Behind a default that is left out, names are needed.
        if i == args.positional.len() && i < positional {
            args.positional.push(value);
        } else {
            args.keyword.push((Symbol::from(param.name.as_str()), value));
        }
    }
    args
}

/// Whether a value that is given is the parameter's default.
fn is_default(function: &Function, name: &str, given: &Given) -> bool {
    let Given::Literal(constant) = given else { return false };
    let params = &function.code().params;
    let positional = params.positional as usize;
    let Some(at) = params.names.iter().position(|param| param.name.as_str() == name) else { return false };
    let default = match at.checked_sub(positional) {
        None => (at + function.defaults.len()).checked_sub(positional).and_then(|at| function.defaults.get(at)),
        Some(at) => function.kw_defaults.get(at),
    };
    default.is_some_and(|default| match (default, constant_value(constant)) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => *a == b,
        (Value::Int(a), Value::Int(b)) => *a == b,
        (Value::Float(a), Value::Float(b)) => *a == b,
        (Value::Str(a), Value::Str(b)) => *a == b,
        _ => false,
    })
}

/// A value as it is given.
fn value_of(given: &Given) -> Value {
    match given {
        Given::Array(aval) => Value::Array(Array::opaque(aval.clone(), "an argument of which only the type is given")),
        Given::Literal(constant) => constant_value(constant),
        Given::Tuple(items) => Value::tuple(items.iter().map(value_of)),
        Given::List(items) => Value::list(items.iter().map(value_of).collect()),
        Given::Dict(items) => {
            Value::Dict(Dict::new(items.iter().map(|(key, value)| (Key::str(key), value_of(value))).collect()))
        }
    }
}

fn has_default(function: &Function, keyword_only: usize) -> bool {
    function.kw_defaults.get(keyword_only).is_some_and(|default| !default.is_unbound())
}
