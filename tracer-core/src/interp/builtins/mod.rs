//! Builtin functions and the members of builtin types.
//!
//! One file per type or family; each adds its names in `install`.

mod constructors;
mod containers;
mod exceptions;
mod functions;
mod object;
pub mod sorting;

use std::rc::Rc;

use super::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, NativeFn, Value};

/// Adds every builtin name and member.
pub fn install(it: &Rc<Interp>) {
    object::install(it);
    constructors::install(it);
    containers::install(it);
    exceptions::install(it);
    functions::install(it);
}

/// Adds a builtin name.
pub fn define(it: &Rc<Interp>, name: &str, value: Value) {
    it.builtins.borrow_mut().insert(Symbol::from(name), value);
}

/// Adds a builtin function.
pub fn define_fn(it: &Rc<Interp>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    define(it, name, NativeFn::value(name, body));
}

/// Adds a method to a builtin class.
pub fn define_method(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    class.attrs.write().insert(Symbol::from(name), NativeFn::method(name, body));
}

/// Adds a static function to a builtin class (`__new__`, `dict.fromkeys`).
pub fn define_static(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    class.attrs.write().insert(Symbol::from(name), NativeFn::value(name, body));
}

/// Text by a format specification.
///
/// # Errors
/// `ValueError`, `TypeError`.
pub fn format_spec(it: &Rc<Interp>, value: &Value, spec: &str) -> Step<Value> {
    let _ = (it, value, spec);
    Err(Halt::unknown("format specifications"))
}

/// `format % values`
///
/// # Errors
/// `TypeError`.
pub fn percent_format(it: &Rc<Interp>, format: &str, values: &Value) -> Step<Value> {
    let _ = (it, format, values);
    Err(Halt::unknown("percent formats"))
}
