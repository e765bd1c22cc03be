//! Methods of NumPy's class of arrays, asked of the class: `np.ndarray.sum(x)`.

use std::rc::Rc;

use super::methods::array_of;
use super::scalar::NpScalar;
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

/// Methods that only some types of numbers have.
const OF_SOME: &[(&str, fn(&str) -> bool)] = &[
    ("is_integer", |class| is_integer(class) || is_float(class)),
    ("bit_count", is_integer),
    ("as_integer_ratio", is_float),
    ("hex", |class| class == "float64"),
    ("fromhex", |class| class == "float64"),
];

/// Whether a type of numbers lacks a method that others have.
pub fn lacks(class: &str, name: &str) -> bool {
    OF_SOME.iter().any(|(some, has)| *some == name && !has(class))
}

fn is_integer(class: &str) -> bool {
    class.starts_with("int") || class.starts_with("uint") || class.ends_with("integer")
}

fn is_float(class: &str) -> bool {
    class.starts_with("float") && class != "floating" || class == "longdouble"
}

/// `ndarray.name`, `float32.name`: a method, to be called with the array, or the number, first.
///
/// # Errors
/// Unknown where the tables of names cannot be read.
pub fn of_class(it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
    let is_number =
        class.mro.borrow().iter().any(|base| base.module.as_str() == "numpy" && base.name.as_str() == "generic");
    let is_array = class.name.as_str() == "ndarray";
    if class.module.as_str() != "numpy" || !is_array && !is_number || name.starts_with('_') {
        return Ok(None);
    }
    let owner = class.name;
    if is_number && lacks(&owner, &name) {
        let message = format!("type object 'numpy.{owner}' has no attribute '{name}'");
        return Err(Halt::raise("AttributeError", message));
    }
    let known = prelude_member(it, "numpy._names", "NAMES")?;
    let names = it.getitem(&known, &Value::str(if is_array { "ndarray" } else { "generic" }))?;
    if !names.as_str().is_some_and(|names| names.split_whitespace().any(|one| one == name.as_str())) {
        return Ok(None);
    }
    if PROPERTIES.contains(&name.as_str()) {
        return Ok(Some(Value::unknown(format!("`{owner}.{name}` of the class is not modelled"))));
    }
    Ok(Some(NativeFn::value(name.as_str(), move |it, mut args| {
        if args.positional.is_empty() {
            return Err(Halt::type_error(format!("unbound method {owner}.{name}() needs an argument")));
        }
        let array = args.positional.remove(0);
        let fits = match is_number {
            true => matches!(&array, Value::Object(object) if object.downcast::<NpScalar>().is_some()),
            false => array_of(&array).is_some(),
        };
        if !fits {
            return match &array {
                Value::Unknown(_) => Ok(Value::unknown("a method of an unknown array")),
                _ => Err(Halt::type_error(format!(
                    "descriptor '{name}' for 'numpy.{owner}' objects doesn't apply to a '{}' object",
                    it.class_of(&array).name
                ))),
            };
        }
        let method = it.getattr(&array, name)?;
        it.call(&method, args)
    })))
}
