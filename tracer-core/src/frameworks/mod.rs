//! Frameworks: a little Rust each, and Python of our own (`*/prelude/**.py`) that the interpreter runs.
//!
//! The root of each `prelude` folder is an entry of the module search path. Native modules are named `_jitlens…`.

pub mod dtypes;
mod embedded;
pub mod jax;
pub mod numpy;
pub mod python;

use std::rc::Rc;

pub use embedded::{Prelude, SKETCHED, has_prelude, know_names, models_of, prelude};

use crate::interp::Interp;
use crate::python::ModuleObject;

/// The native module of this name.
pub fn native_module(it: &Rc<Interp>, name: &str) -> Option<Rc<ModuleObject>> {
    match name {
        "_jitlens" => Some(ModuleObject::native(name, Default::default())),
        "_jitlens.prims" => Some(jax::prims::module(it)),
        "_jitlens.core" => Some(jax::core::module(it)),
        _ => python::module(it, name),
    }
}

/// Whether there is a native module of this name; many names are bound when one is made.
pub fn has_native(name: &str) -> bool {
    matches!(name, "_jitlens" | "_jitlens.prims" | "_jitlens.core") || python::NATIVE.contains(&name)
}

/// Prepares a fresh interpreter: what arrays can do, classes that natives name.
pub fn install(it: &Rc<Interp>) {
    dtypes::install(it);
    jax::install(it);
}

/// Whether a module is one of the frameworks whose functions a reproducer calls.
pub(crate) fn is_framework(module: &str) -> bool {
    let root = module.split('.').next().unwrap_or(module);
    matches!(root, "jax" | "jaxlib" | "numpy" | "_jitlens")
}
