//! `_jitlens.core`: the engine services that the prelude is written over.
//!
//! One file per family; each has a `members` function that lists its names, and says what they take and do as the prelude sees it.

pub mod autodiff;
pub mod batching;
pub mod callback;
pub mod checks;
pub mod concretize;
pub mod conversion;
pub mod custom;
pub mod equations;
pub mod graph;
pub mod identity;
pub mod introspection;
pub mod leaks;
pub mod numpy_values;
pub mod own_primitive;
pub mod partial;
mod places;
pub mod promotion;
pub mod refs;
pub mod refused;
pub mod services;
pub mod shapes;
pub mod staging;
pub mod tree;
pub mod types;

use std::rc::Rc;

use crate::frameworks::embedded::prelude;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, ModuleObject, NativeFn, Value};

pub use graph::GraphObject;

/// The names of a native module, while they are collected.
#[derive(Default)]
pub struct Members {
    members: Attrs,
    lazy: Vec<(&'static str, &'static str, &'static str)>,
}

impl Members {
    /// Adds a function.
    pub fn function(&mut self, name: &'static str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) {
        self.members.insert(Symbol::from(name), NativeFn::value(name, body));
    }
    /// Adds a value.
    pub fn value(&mut self, name: &str, value: Value) {
        self.members.insert(Symbol::from(name), value);
    }
    /// Adds a name that is a member of a Python module, loaded when it is asked for.
    pub fn lazy(&mut self, name: &'static str, module: &'static str, member: &'static str) {
        self.lazy.push((name, module, member));
    }
}

/// The Python files whose members are services that are more easily written in Python over the others.
pub const IN_PYTHON: [&str; 10] = [
    "jax._engine",
    "jax._engine_settings",
    "jax._engine_arrays",
    "jax._engine_devices",
    "jax._engine_errors",
    "jax._engine_keys",
    "jax._engine_stages",
    "jax._engine_refs",
    "jax._engine_checks",
    "jax._engine_parameters",
];

/// Whether the text of a file of the prelude has a global variable of this name; the file is not run for that.
fn has_global(module: &str, wanted: Symbol) -> bool {
    prelude(module).is_some_and(|prelude| prelude.module.globals.contains(&wanted))
}

/// The module.
pub fn module(it: &Rc<Interp>) -> Rc<ModuleObject> {
    let mut members = Members::default();
    types::members(it, &mut members);
    conversion::members(it, &mut members);
    numpy_values::members(it, &mut members);
    crate::frameworks::numpy::printing::members(&mut members);
    promotion::members(it, &mut members);
    refs::members(it, &mut members);
    places::members(&mut members);
    own_primitive::members(&mut members);
    partial::members(&mut members);
    shapes::members(it, &mut members);
    concretize::members(it, &mut members);
    tree::members(it, &mut members);
    introspection::members(it, &mut members);
    services::members(it, &mut members);
    graph::members(it, &mut members);
    equations::members(it, &mut members);
    staging::members(it, &mut members);
    autodiff::members(it, &mut members);
    batching::members(it, &mut members);
    callback::members(it, &mut members);
    checks::members(it, &mut members);
    custom::members(it, &mut members);
    super::jit::members(it, &mut members);
    crate::frameworks::numpy::random::members(it, &mut members);
    crate::frameworks::numpy::files::members(&mut members);
    let Members { mut members, lazy } = members;
    members.insert(
        sym!("__getattr__"),
        NativeFn::value("__getattr__", move |it, args| {
            let [name] = args.exactly("__getattr__")?;
            let name = name.as_str().unwrap_or_default();
            if let Some((_, module, member)) = lazy.iter().find(|(n, ..)| *n == name) {
                let module = it.import(Symbol::from(module))?;
                return it.getattr(&module, Symbol::from(member));
            }
            let wanted = Symbol::from(name);
            for module in IN_PYTHON.into_iter().filter(|module| has_global(module, wanted)) {
                let module = it.import(Symbol::from(module))?;
                if let Value::Module(_) = &module
                    && let Some(found) = it.find_attr(&module, wanted)?
                {
                    return Ok(found);
                }
            }
            Err(Halt::unknown(format!("the engine has no `{name}` yet")))
        }),
    );
    ModuleObject::native("_jitlens.core", members)
}
