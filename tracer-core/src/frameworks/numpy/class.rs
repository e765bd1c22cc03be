//! Methods of NumPy's class of arrays, asked of the class: `np.ndarray.sum(x)`.

use std::rc::Rc;

use super::methods::array_of;
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, NativeFn, Value};

/// Members of NumPy's arrays that are no methods.
const PROPERTIES: &[&str] = &[
    "T", "base", "ctypes", "data", "device", "dtype", "flags", "flat", "imag", "itemsize", "mT", "nbytes", "ndim",
    "real", "shape", "size", "strides",
];

/// `ndarray.name`: a method, to be called with the array first.
///
/// # Errors
/// Unknown where the tables of names cannot be read.
pub fn of_class(it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
    if class.module.as_str() != "numpy" || class.name.as_str() != "ndarray" || name.starts_with('_') {
        return Ok(None);
    }
    let known = prelude_member(it, "numpy._names", "NAMES")?;
    let names = it.getitem(&known, &Value::str("ndarray"))?;
    if !names.as_str().is_some_and(|names| names.split_whitespace().any(|one| one == name.as_str())) {
        return Ok(None);
    }
    if PROPERTIES.contains(&name.as_str()) {
        return Ok(Some(Value::unknown(format!("`ndarray.{name}` of the class is not modelled"))));
    }
    Ok(Some(NativeFn::value(name.as_str(), move |it, mut args| {
        if args.positional.is_empty() {
            return Err(Halt::type_error(format!("unbound method ndarray.{name}() needs an argument")));
        }
        let array = args.positional.remove(0);
        if array_of(&array).is_none() {
            return match &array {
                Value::Unknown(_) => Ok(Value::unknown("a method of an unknown array")),
                _ => Err(Halt::type_error(format!(
                    "descriptor '{name}' for 'numpy.ndarray' objects doesn't apply to a '{}' object",
                    it.class_of(&array).name
                ))),
            };
        }
        let method = it.getattr(&array, name)?;
        it.call(&method, args)
    })))
}
