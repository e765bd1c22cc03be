//! Abstract values as Python sees them, and queries of types.

use std::rc::Rc;

use super::Members;
use crate::array::Aval;
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::Step;

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    members.function("is_array", |_, args| {
        let [x] = args.exactly("is_array")?;
        Ok(Value::Bool(matches!(x, Value::Array(_))))
    });
    members.function("is_tracer", |_, args| {
        let [x] = args.exactly("is_tracer")?;
        Ok(Value::Bool(matches!(x, Value::Array(a) if a.is_tracer())))
    });
}

/// A `ShapedArray`.
///
/// # Errors
/// None yet.
pub fn aval_value(_: &Rc<Interp>, aval: &Aval) -> Step<Value> {
    Ok(Value::unknown(format!("the aval {aval}")))
}
