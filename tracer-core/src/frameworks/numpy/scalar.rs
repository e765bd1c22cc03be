//! NumPy's scalars: `numpy.float32(1)`.

use std::any::Any;
use std::rc::Rc;

use crate::frameworks::dtypes;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::{Class, Object, Value};
use crate::trace::Val;

/// A scalar of NumPy: an eager array of rank 0.
pub struct NpScalar(pub Val);

impl NpScalar {
    /// As a Python value.
    pub fn value(array: Val) -> Value {
        Value::Object(Rc::new(NpScalar(array)))
    }
}

impl Object for NpScalar {
    fn type_name(&self) -> String {
        self.0.aval.dtype.name().to_owned()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        dtypes::scalar_class(it, self.0.aval.dtype).unwrap_or_else(|| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, _: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        Ok(Some(match name.as_str() {
            "shape" => Value::tuple([]),
            "dtype" => dtypes::value(self.0.aval.dtype),
            "ndim" => Value::Int(0),
            "size" => Value::Int(1),
            _ => return Ok(None),
        }))
    }
    fn number(self: Rc<Self>, it: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        crate::frameworks::jax::core::concretize::number(it, &self.0, kind).map(Some)
    }
    fn truth(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<bool>> {
        crate::frameworks::jax::core::concretize::truth(it, &self.0).map(Some)
    }
}
