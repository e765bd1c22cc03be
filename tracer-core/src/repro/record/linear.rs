//! Functions that the framework gives and that are trees (what `jax.vjp` gives): what takes one apart, or puts it together again, is a call
//! like any other, and no walk over the program's own containers.

use std::rc::Rc;

use crate::frameworks::is_framework;
use crate::frameworks::jax::core::tree::{Registry, TreeDefObject};
use crate::interp::Interp;
use crate::python::{Args, Class, Value};
use crate::repro::write::with_arguments;
use crate::trace::pytree::{Kind, TreeDef};

/// So deep such a function is looked for in containers.
const MOST_DEPTH: usize = 3;

/// Whether a call of `jax.tree` is given a function of the framework's making, or the structure of one.
pub fn takes_function_apart(it: &Rc<Interp>, args: &Args) -> bool {
    let named = args.keyword.iter().map(|(_, value)| value);
    args.positional.iter().chain(named).any(|value| holds_function(it, value, 0))
}

fn holds_function(it: &Rc<Interp>, value: &Value, depth: usize) -> bool {
    let inner = |value: &Value| depth < MOST_DEPTH && holds_function(it, value, depth + 1);
    match value {
        Value::Instance(instance) => {
            instance.payload().is_none()
                && is_function_of_framework(it, &instance.class())
                && with_arguments(value).is_none()
        }
        Value::Object(object) => object.downcast::<TreeDefObject>().is_some_and(|def| has_function(it, &def.0)),
        Value::Tuple(items) => items.iter().any(inner),
        Value::List(list) => list.read().iter().any(inner),
        Value::Dict(dict) => dict.read().iter().any(|(_, value)| inner(value)),
        _ => false,
    }
}

fn has_function(it: &Rc<Interp>, def: &TreeDef<Value>) -> bool {
    let is_one = match def.kind() {
        // Of a function with some of its arguments, that function may be of any making.
        Some(Kind::Custom { class: Value::Class(class), .. }) => {
            class.name.as_str() != "Partial" && is_function_of_framework(it, class)
        }
        _ => false,
    };
    is_one || def.children().iter().any(|child| has_function(it, child))
}

fn is_function_of_framework(it: &Rc<Interp>, class: &Rc<Class>) -> bool {
    is_framework(&class.module) && class.lookup(sym!("__call__")).is_some() && it.extension::<Registry>().knows(class)
}
