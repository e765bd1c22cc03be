//! Reading numbers out of arrays: `bool`, `int`, `float`, `repr`, and the errors of tracers.

use std::rc::Rc;

use super::Members;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Guess, Value};
use crate::trace::Val;

/// The names of this family.
pub fn members(_: &Rc<Interp>, _: &mut Members) {}

/// `bool(array)`
///
/// # Errors
/// `TracerBoolConversionError` for tracers without a known value.
pub fn truth(it: &Rc<Interp>, array: &Val) -> Step<bool> {
    let Some(known) = array.concrete() else {
        return Err(Halt::raise(
            "jax.errors.TracerBoolConversionError",
            format!("Attempted boolean conversion of traced array with shape {}.", array.aval.long()),
        ));
    };
    let tensor = it.engine.force(&known)?;
    let _ = tensor;
    Err(Halt::unknown("the truth of an array"))
}

/// `int(array)` and the like.
///
/// # Errors
/// `ConcretizationTypeError` and its family for tracers.
pub fn number(_: &Rc<Interp>, _: &Val, kind: &str) -> Step<Value> {
    Err(Halt::unknown(format!("`{kind}` of an array")))
}

/// `repr(array)`, `str(array)`
///
/// # Errors
/// None yet.
pub fn text(_: &Rc<Interp>, _: &Val, _: bool) -> Step<Value> {
    Ok(Value::unknown_of(Guess::Str, "the numbers of an array"))
}

/// `format(array, spec)`
///
/// # Errors
/// `TypeError` for tracers with a format.
pub fn format(_: &Rc<Interp>, _: &Val, _: &str) -> Step<Value> {
    Ok(Value::unknown_of(Guess::Str, "the numbers of an array"))
}
