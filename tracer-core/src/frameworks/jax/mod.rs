//! JAX: arrays for the interpreter, primitives and engine services for the prelude.

pub mod core;
pub mod hooks;
pub mod indexing;
pub mod jit;
pub mod prims;
pub mod recipes;

use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::{Attrs, Class, Value};

/// Tells the interpreter what arrays can do, and makes the classes of arrays.
pub fn install(it: &Rc<Interp>) {
    *it.hooks.borrow_mut() = Some(Rc::new(hooks::Hooks::default()));
    let define = |name: &str, qualified: &str, module: &str, base: Rc<Class>| {
        let class = Class::new(Symbol::from(name), Symbol::from(module), vec![base], Attrs::default(), Root::Other)
            .expect("one base is always in order");
        it.named_classes.borrow_mut().insert(Symbol::from(qualified), Value::Class(class.clone()));
        class
    };
    let unhashable = |class: Rc<Class>| {
        class.attrs.write().insert(sym!("__hash__"), Value::None);
        class
    };
    let called = |class: Rc<Class>, name: &str| {
        class.attrs.write().insert(sym!("__name__"), Value::str(name));
        class
    };
    let array = unhashable(define("Array", "jax.Array", "jax", it.types.object.clone()));
    let array = called(array, "jaxlib._jax.Array");
    called(define("ArrayImpl", "ArrayImpl", "jaxlib._jax", array.clone()), "ArrayImpl");
    called(define("PRNGKeyArray", "PRNGKeyArray", "jax._src.random.prng", array), "PRNGKeyArray");
    define("KeyTy", "jax._src.prng.KeyTy", "jax._src.prng", it.types.object.clone());
    let tracer = unhashable(define("Tracer", "jax.core.Tracer", "jax._src.core", it.types.object.clone()));
    for (name, module) in [
        ("DynamicJaxprTracer", "jax._src.interpreters.partial_eval"),
        ("JVPTracer", "jax._src.interpreters.ad"),
        ("LinearizeTracer", "jax._src.interpreters.ad"),
        ("BatchTracer", "jax._src.interpreters.batching"),
    ] {
        define(name, name, module, tracer.clone());
    }
}

/// A member of a prelude module.
///
/// # Errors
/// What running the module raises; unknown where there is no such member.
pub fn prelude_member(it: &Rc<Interp>, module: &str, name: &str) -> crate::python::Step<Value> {
    let module = it.import(Symbol::from(module))?;
    it.getattr(&module, Symbol::from(name))
}
