//! Attributes of NumPy arrays that can be set: parts of complex numbers, all elements at once, the shape.

use std::rc::Rc;

use super::array::NdArray;
use super::{call, from_python};
use crate::array::DType;
use crate::frameworks::jax::core::conversion::convert;
use crate::frameworks::jax::prelude_member;
use crate::frameworks::jax::prims::shape_value;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::primitives::build;
use crate::python::{Halt, Step, Value};
use crate::trace::Val;

/// `a.name = value`; whether the class has such an attribute to set.
///
/// # Errors
/// `ValueError` for arrays that are not to be written and shapes that do not fit, `TypeError` for the imaginary part of a real array.
pub fn set(it: &Rc<Interp>, a: &NdArray, name: Symbol, value: &Value) -> Step<bool> {
    let name = name.as_str();
    match name {
        "real" | "imag" | "flat" if a.read_only.get() => {
            return Err(Halt::value_error("assignment destination is read-only"));
        }
        "real" | "imag" | "flat" => {}
        // Nothing is written, but what the array is from now on is not followed.
        "shape" | "dtype" | "strides" | "data" => {
            return Err(Halt::unknown(format!("an array whose `{name}` is set")));
        }
        _ => return Ok(false),
    }
    let before = a.array();
    match call::in_numpy(it, || with_part(it, &before, name, value)) {
        Ok(new) => a.set(it, new),
        Err(Halt::Unknown(why)) => a.forget(&why.0),
        Err(halt) => return Err(halt),
    }
    Ok(true)
}

fn with_part(it: &Rc<Interp>, before: &Val, name: &str, value: &Value) -> Step<Val> {
    let (dtype, cx) = (before.aval.dtype, &it.engine);
    let part = match dtype {
        DType::C64 if name != "flat" => DType::F32,
        DType::C128 if name != "flat" => DType::F64,
        _ => dtype,
    };
    let mut given = from_python::array_of(it, value, None)?;
    if name == "flat" && given.aval.rank() > 0 {
        if given.aval.size() == Some(0) {
            return Ok(before.clone());
        }
        // Elements are repeated until there are enough.
        let resize = prelude_member(it, "numpy", "resize")?;
        let shape = shape_value(&before.aval.shape);
        given = from_python::array_of(it, &it.call_with(&resize, [value.clone(), shape])?, None)?;
    }
    let own = call::spread(it, &convert(it, &given, part, false)?, &before.aval.shape)?;
    match name {
        "imag" if !dtype.is_complex() => Err(Halt::type_error("array does not have imaginary part to set")),
        "imag" => build::complex(cx, &build::real(cx, before)?, &own),
        "real" if dtype.is_complex() => build::complex(cx, &own, &build::imag(cx, before)?),
        _ => Ok(own),
    }
}
