//! What `functools.update_wrapper` does for a function around a function, which nearly all wrappers are.

use std::rc::Rc;

use super::Members;
use crate::interp::Interp;
use crate::python::halt::Step;
use crate::python::{Function, Value};

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // wrap_function(wrapper, wrapped): copies what `WRAPPER_ASSIGNMENTS` and `WRAPPER_UPDATES` name; says whether both are
    // functions, without which nothing is done.
    members.function("wrap_function", |it, args| {
        let [wrapper, wrapped] = args.exactly("wrap_function")?;
        let (Value::Function(from), Value::Function(to)) = (&wrapped, &wrapper) else { return Ok(Value::Bool(false)) };
        wrap(it, to, from)?;
        Ok(Value::Bool(true))
    });
}

fn wrap(it: &Rc<Interp>, to: &Rc<Function>, from: &Rc<Function>) -> Step<()> {
    let wrapped = Value::Function(from.clone());
    for name in [sym!("__module__"), sym!("__name__"), sym!("__qualname__"), sym!("__doc__"), sym!("__annotations__")] {
        if let Some(value) = it.find_attr(&wrapped, name)? {
            to.attrs().write().insert(name, value);
        }
    }
    let own = from.attrs.get().map(|attrs| attrs.read().clone());
    let mut attrs = to.attrs().write();
    attrs.extend(own.into_iter().flatten());
    attrs.insert(sym!("__wrapped__"), wrapped);
    Ok(())
}
