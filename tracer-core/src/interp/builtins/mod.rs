//! Builtin functions and the members of builtin types.
//!
//! One file per type or family; each adds its names in `install`.

mod arithmetic;
pub(in crate::interp) mod cell;
mod code;
pub(crate) mod codecs;
pub(in crate::interp) mod constructors;
mod containers;
mod exceptions;
mod format_spec;
mod functions;
mod hashes;
mod iterating;
mod numbers;
mod object;
mod percent;
mod plain;
mod printing;
pub mod sorting;
mod special;
mod str_format;
mod strings;
pub(crate) mod texts;

pub(in crate::interp) use containers::view;
pub use format_spec::{format_spec, plainly_formatted};
pub use percent::{percent_format, percent_format_bytes};

use std::rc::Rc;

use super::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Direct, NativeFn, Value, Why};

/// Adds every builtin name and member.
pub fn install(it: &Rc<Interp>) {
    object::install(it);
    constructors::install(it);
    containers::install(it);
    numbers::install(it);
    strings::install(it);
    special::install(it);
    exceptions::install(it);
    arithmetic::install(it);
    functions::install(it);
    iterating::install(it);
    printing::install(it);
    plain::install(it);
    code::install(it);
}

/// Adds a builtin name.
pub fn define(it: &Rc<Interp>, name: &str, value: Value) {
    it.builtins.borrow_mut().insert(Symbol::from(name), value);
}

/// Adds a builtin function.
pub fn define_fn(it: &Rc<Interp>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    define(it, name, NativeFn::value(name, body));
}

/// Gives a builtin function a shorter way for plain values.
pub fn make_quick(it: &Rc<Interp>, name: &str, quick: fn(&Rc<Interp>, &[Value]) -> Option<Value>) {
    if let Some(value) = it.builtins.borrow().get(&Symbol::from(name)) {
        NativeFn::make_quick(value, quick);
    }
}

/// Adds a method to a builtin class.
pub fn define_method(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    class.attrs.write().insert(Symbol::from(name), NativeFn::method(name, body));
}

/// Adds a method that changes the container that it is called on. Where it is not known what it does, what the container holds
/// is not known from there on.
pub fn define_change(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    let method = NativeFn::method(name, move |it, args| {
        let receiver = args.positional.first().cloned();
        let mut others = args.positional.iter().skip(1).chain(args.keyword.iter().map(|(_, value)| value));
        let any_unknown = others.any(Value::is_unknown);
        let result = body(it, args);
        if let (Err(Halt::Unknown(why)), Some(receiver)) = (&result, &receiver) {
            forget_items(receiver, why, any_unknown);
        }
        result
    });
    class.attrs.write().insert(Symbol::from(name), method);
}

/// What a container holds is not known any more. One of which that was known in part keeps what it has, unless `all`.
pub(in crate::interp) fn forget_items(container: &Value, why: &Why, all: bool) {
    match container.base() {
        Value::List(list) if all || !list.is_vague() => list.forget(why.clone()),
        Value::Dict(dict) if all || !dict.is_vague() => dict.forget(why.clone()),
        Value::Set(set) if all || !set.is_vague() => set.forget(why.clone()),
        _ => {}
    }
}

/// Adds a builtin function of positional arguments.
pub fn define_direct(
    it: &Rc<Interp>,
    name: &'static str,
    arity: (usize, usize),
    run: fn(&Rc<Interp>, &[Value]) -> Step<Value>,
) {
    define(it, name, Direct::value(name, false, arity, run));
}

/// Adds a method of positional arguments to a builtin class; the receiver counts as one.
pub fn direct_method(
    class: &Rc<Class>,
    name: &'static str,
    arity: (usize, usize),
    run: fn(&Rc<Interp>, &[Value]) -> Step<Value>,
) {
    class.attrs.write().insert(Symbol::from(name), Direct::value(name, true, arity, run));
}

/// Adds a static function to a builtin class (`__new__`, `dict.fromkeys`).
pub fn define_static(class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Args) -> Step<Value>) {
    class.attrs.write().insert(Symbol::from(name), NativeFn::value(name, body));
}
