//! The function that a graph is asked for by name, where the program did not trace it: it is traced for the arguments of its first call,
//! or for those of a file.

use std::rc::Rc;

use super::evaluate;
use super::run::Wanted;
use super::signature::{Given, Signature};
use super::unreached::arguments;
use crate::array::Aval;
use crate::frameworks::jax::core::introspection::unwrapped;
use crate::frameworks::jax::jit::trace_alone;
use crate::interp::{Interp, is_meant};
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{ModuleObject, Value};

/// Traces it. A name may also stand for what a transformation gave (`g = jax.jit(f)`), or for a method of an object.
///
/// # Errors
/// What the function raises.
pub fn trace(it: &Rc<Interp>, module: Option<&Rc<ModuleObject>>, wanted: &Wanted) -> Step<()> {
    let Some(name) = &wanted.function else { return Ok(()) };
    it.graphs.target.set(None);
    let traced = it.graphs.notes.borrow().iter().any(|note| is_meant(&note.function, name));
    let (call, by_name) = (it.graphs.call.borrow_mut().take(), it.graphs.by_name.borrow_mut().take());
    if traced {
        return Ok(());
    }
    if let Some((function, args)) = call {
        return trace_alone(it, &Value::Function(function), args);
    }
    let (value, args) = match by_name {
        Some(call) => call,
        None => {
            let given = wanted.evaluation.as_ref().and_then(|evaluation| evaluation.given.as_ref());
            let (Some(module), Some(given)) = (module, given) else { return Ok(()) };
            let Some(value) = named(it, module, name)? else { return Ok(()) };
            let Some(function) = unwrapped(it, &value)? else { return Ok(()) };
            let params = &function.code().params;
            let bound = usize::from(matches!(value, Value::Method(_)));
            let names: Vec<&str> = params.names.iter().map(|param| param.name.as_str()).skip(bound).collect();
            let mut args = arguments(&function, &signature(given, &names));
            args.positional.drain(..bound.min(args.positional.len()));
            (value, args)
        }
    };
    let kept = (it.graphs.notes.borrow().len(), it.graphs.untraced.borrow().len());
    let outcome = trace_alone(it, &value, args);
    it.graphs.rename(name, kept);
    outcome
}

/// What a name stands for in a module when it has run: `g`, `Model.loss`, `model.apply`.
fn named(it: &Rc<Interp>, module: &ModuleObject, name: &str) -> Step<Option<Value>> {
    let mut parts = name.split('.').map(Symbol::from);
    let Some(mut value) = parts.next().and_then(|first| module.get(first)) else { return Ok(None) };
    for part in parts {
        value = match it.getattr(&value, part) {
            Err(Halt::Raise(_)) => return Ok(None),
            found => found?,
        };
    }
    Ok(Some(value))
}

/// The types of the arrays of a file for parameters of these names: `x`, `params['w']`, `pair[0]`, or `arr_0` for the first one.
fn signature(given: &evaluate::Given, names: &[&str]) -> Signature {
    let mut found = Signature::new();
    for (i, name) in names.iter().enumerate() {
        let place = format!("arr_{i}");
        let mut leaves: Vec<(Vec<&str>, Aval)> = Vec::new();
        for (path, tensor) in given.0.iter() {
            let rest = if *path == place { Some("") } else { path.strip_prefix(name) };
            if let Some(steps) = rest.and_then(steps) {
                leaves.push((steps, tensor.aval()));
            }
        }
        if let Some(one) = tree(&leaves) {
            found.push(((*name).to_owned(), one));
        }
    }
    found
}

/// `['w'][0]` as `'w'` and `0`.
fn steps(path: &str) -> Option<Vec<&str>> {
    let inner = match path {
        "" => return Some(Vec::new()),
        path => path.strip_prefix('[')?.strip_suffix(']')?,
    };
    Some(inner.split("][").collect())
}

/// Arrays by their ways as one argument: dicts where steps are quoted, lists where they are numbers.
fn tree(leaves: &[(Vec<&str>, Aval)]) -> Option<Given> {
    let (first, aval) = leaves.first()?;
    if first.is_empty() {
        return (leaves.len() == 1).then(|| Given::Array(aval.clone()));
    }
    let mut keys: Vec<&str> = Vec::new();
    for (steps, _) in leaves {
        let key = *steps.first()?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let below = |key: &str| {
        let of = leaves.iter().filter(|(steps, _)| steps[0] == key);
        tree(&of.map(|(steps, aval)| (steps[1..].to_vec(), aval.clone())).collect::<Vec<_>>())
    };
    let is_quoted = |key: &&str| key.starts_with('\'') && key.len() >= 2 && key.ends_with('\'');
    if keys.iter().all(is_quoted) {
        let items = keys.iter().map(|key| Some((key[1..key.len() - 1].to_owned(), below(key)?)));
        return Some(Given::Dict(items.collect::<Option<_>>()?));
    }
    Some(Given::List((0..keys.len()).map(|i| below(&i.to_string())).collect::<Option<_>>()?))
}
