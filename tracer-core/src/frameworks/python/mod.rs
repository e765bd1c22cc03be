//! The standard library: Python of our own in `prelude/`, and the little that has to be native.

mod digest;
pub mod files;
mod info;
mod itertools;
mod json;
mod math;
pub mod names;
mod pattern;
mod random;
mod records;
mod settings;
mod shorter;
pub mod signatures;
mod unpickle;
mod wrapping;

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::{Args, Attrs, ModuleObject, NativeFn, Value};

/// The names of a native module, while they are collected.
#[derive(Default)]
struct Members(Attrs);

impl Members {
    fn function(&mut self, name: &'static str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) {
        self.0.insert(Symbol::from(name), NativeFn::value(name, body));
    }
    fn quick_function(
        &mut self,
        name: &'static str,
        body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static,
        quick: impl Fn(&Rc<Interp>, &[Value]) -> Option<Value> + 'static,
    ) {
        let function = NativeFn::value(name, body);
        NativeFn::make_quick(&function, quick);
        self.0.insert(Symbol::from(name), function);
    }
    fn value(&mut self, name: &str, value: Value) {
        self.0.insert(Symbol::from(name), value);
    }
}

/// Whether a module is one of the standard library.
pub fn is_standard(name: &str) -> bool {
    let root = name.split('.').next().unwrap_or(name);
    names::of(root).is_some() && !root.starts_with("jax")
}

/// The native modules that [`module`] makes.
pub const NATIVE: [&str; 4] = ["_jitlens.builtins", "_jitlens.math", "_jitlens.itertools", "_jitlens.python"];

/// A native module: one of [`NATIVE`].
pub fn module(it: &Rc<Interp>, name: &str) -> Option<Rc<ModuleObject>> {
    let mut members = Members::default();
    match name {
        "_jitlens.builtins" => members.0.extend(it.builtins.borrow().iter().map(|(n, v)| (*n, v.clone()))),
        "_jitlens.math" => math::members(&mut members),
        "_jitlens.itertools" => itertools::members(&mut members),
        "_jitlens.python" => {
            digest::members(&mut members);
            files::members(&mut members);
            records::members(&mut members);
            info::members(it, &mut members);
            pattern::members(&mut members);
            random::members(&mut members);
            json::members(&mut members);
            settings::members(&mut members);
            unpickle::members(&mut members);
            wrapping::members(&mut members);
        }
        _ => return None,
    }
    Some(ModuleObject::native(name, members.0))
}
