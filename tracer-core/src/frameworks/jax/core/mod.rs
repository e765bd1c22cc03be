//! `_jitlens.core`: the engine services that the prelude is written over. Their specification is
//! `tests/prelude/shim/_jitlens/core*.py`, where real JAX plays the engine.
//!
//! One file per family; each has a `members` function that lists its names.

pub mod concretize;
pub mod conversion;
pub mod types;

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::{Args, Attrs, ModuleObject, NativeFn, Value};
use crate::trace::ClosedJaxpr;

/// A graph as a Python value.
pub struct GraphObject(pub Rc<ClosedJaxpr>);

/// The names of a native module, while they are collected.
#[derive(Default)]
pub struct Members(Attrs);

impl Members {
    /// Adds a function.
    pub fn function(&mut self, name: &'static str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) {
        self.0.insert(Symbol::from(name), NativeFn::value(name, body));
    }
    /// Adds a value.
    pub fn value(&mut self, name: &str, value: Value) {
        self.0.insert(Symbol::from(name), value);
    }
}

/// The module.
pub fn module(it: &Rc<Interp>) -> Rc<ModuleObject> {
    let mut members = Members::default();
    types::members(it, &mut members);
    conversion::members(it, &mut members);
    concretize::members(it, &mut members);
    ModuleObject::native("_jitlens.core", members.0)
}

impl crate::python::Object for GraphObject {
    fn type_name(&self) -> String {
        "ClosedJaxpr".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<crate::python::Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
