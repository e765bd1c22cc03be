//! `defaultdict`: values that builtin types make.

use std::rc::Rc;

use crate::interp::Interp;
use crate::python::class::Root;
use crate::python::{Dict, Set, Value};

/// What a builtin type makes of nothing.
fn made_by(factory: &Value) -> Option<Value> {
    let Value::Class(class) = factory else { return None };
    if !class.is_builtin() {
        return None;
    }
    Some(match class.root {
        Root::Int => Value::Int(0),
        Root::Float => Value::Float(0.0),
        Root::Bool => Value::Bool(false),
        Root::Str => Value::str(""),
        Root::List => Value::list(Vec::new()),
        Root::Dict => Value::Dict(Dict::new(Default::default())),
        Root::Set => Value::Set(Set::new(Default::default())),
        _ => return None,
    })
}

/// `mapping[key]` of a key that is not there.
pub(super) fn missing(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let [Value::Instance(mapping), key] = args else { return None };
    let made = made_by(mapping.attrs().get(&sym!("default_factory"))?)?;
    let dict = it.dict_inside(mapping, sym!("__setitem__"))?;
    it.note_written(&Value::Instance(mapping.clone()), true);
    dict.quick_put(key, &made).then_some(made)
}
