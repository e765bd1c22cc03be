//! Coroutines: calls of `async def` functions, which run when they are awaited.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Function, Object, Value};

/// The call of an `async def` function. Nothing that is modelled waits for the world outside, so its body runs in one go.
pub struct Coroutine {
    name: Symbol,
    /// Its body, until it has been awaited.
    body: RefCell<Option<Value>>,
    /// What was called, with what, until then.
    call: RefCell<Option<(Rc<Function>, Args)>>,
}

impl Coroutine {
    /// The call that has not begun to run.
    pub(super) fn waiting(&self) -> Option<(Rc<Function>, Args)> {
        self.call.borrow().clone()
    }
}

/// Makes the coroutine of a call.
pub(super) fn start(it: &Rc<Interp>, function: &Rc<Function>, args: Args) -> Step<Value> {
    let call = RefCell::new(Some((function.clone(), args.clone())));
    let body = RefCell::new(Some(super::generator::start(it, function, args)?));
    Ok(Value::Object(Rc::new(Coroutine { name: function.name(), body, call })))
}

impl Object for Coroutine {
    fn type_name(&self) -> String {
        "coroutine".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.coroutine.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        Ok(Some(format!("<coroutine object {} at 0x…>", self.name)))
    }
}

impl Interp {
    /// `await value`; unknown for what is no coroutine of the program's.
    ///
    /// # Errors
    /// What its body raises; `RuntimeError` where it has been awaited before.
    pub fn awaited(self: &Rc<Self>, value: &Value) -> Step<Value> {
        let Value::Object(object) = value else { return Ok(Value::unknown("the result of `await`")) };
        let Some(coroutine) = object.downcast::<Coroutine>() else {
            return Ok(Value::unknown("the result of `await`"));
        };
        let Some(body) = coroutine.body.take() else {
            return Err(Halt::raise("RuntimeError", "cannot reuse already awaited coroutine"));
        };
        coroutine.call.take();
        let Value::Iter(iter) = &body else { return Ok(Value::unknown("the result of `await`")) };
        match iter.next(self)? {
            None => Ok(self.generator_result(iter)),
            Some(_) => Ok(Value::unknown("the result of `await`")),
        }
    }
}
