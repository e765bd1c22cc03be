//! Python scalars and NumPy arrays as arrays.

use std::rc::Rc;

use super::Members;
use crate::array::Tensor;
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::{Array, Val};

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    members.function("asarray", |it, args| {
        let [x] = args.exactly("asarray")?;
        match to_array(it, &x)? {
            Some(array) => Ok(Value::Array(array)),
            None => Ok(Value::unknown("not array-like")),
        }
    });
}

/// A Python scalar or NumPy array as an array; `None` where it is not array-like.
///
/// # Errors
/// `OverflowError` for integers that do not fit; unknown for unknown values.
pub fn to_array(_: &Rc<Interp>, value: &Value) -> Step<Option<Val>> {
    Ok(match value {
        Value::Array(array) => Some(array.clone()),
        Value::Float(x) => Some(Array::literal(Tensor::scalar(*x as f32), true, None)),
        Value::Int(x) => Some(Array::literal(Tensor::scalar(*x as i32), true, None)),
        Value::Bool(x) => Some(Array::literal(Tensor::scalar(*x), false, None)),
        _ => None,
    })
}
