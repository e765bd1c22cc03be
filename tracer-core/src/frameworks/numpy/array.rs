//! `numpy.ndarray`.

use std::any::Any;
use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::Step;
use crate::python::journal::{Join, Mutable};
use crate::python::{Class, Object, Value};
use crate::trace::{Array, Val};

/// What an array holds: an eager array of the tracer's, replaced as a whole when the program writes into it.
#[derive(Clone)]
pub struct Contents {
    /// The numbers, deferred.
    pub array: Val,
}

impl Join for Contents {
    fn join(&self, other: &Self) -> Self {
        let array = match self.array.aval == other.array.aval {
            true => Array::joined(&self.array, &other.array).unwrap_or_else(|| self.array.clone()),
            false => self.array.clone(),
        };
        Contents { array }
    }
}

/// A NumPy array.
pub struct NdArray {
    /// What it holds.
    pub contents: Rc<Mutable<Contents>>,
}

impl NdArray {
    /// A NumPy array of these numbers.
    pub fn new(array: Val) -> Rc<NdArray> {
        Rc::new(NdArray { contents: Mutable::new(Contents { array }) })
    }
    /// As a Python value.
    pub fn value(array: Val) -> Value {
        Value::Object(NdArray::new(array))
    }
    /// The numbers now.
    pub fn array(&self) -> Val {
        self.contents.read().array.clone()
    }
}

/// The numbers of a NumPy array or scalar.
pub fn numbers_of(value: &Value) -> Option<Val> {
    match value {
        Value::Object(object) => object
            .downcast::<NdArray>()
            .map(NdArray::array)
            .or_else(|| object.downcast::<super::scalar::NpScalar>().map(|s| s.0.clone())),
        _ => None,
    }
}

impl Object for NdArray {
    fn type_name(&self) -> String {
        "ndarray".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(Symbol::from("numpy.ndarray")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn shown(&self) -> Option<String> {
        Some(format!("np:{}", self.array().aval))
    }
    fn hash(&self) -> Option<u64> {
        None
    }
    fn getattr(self: Rc<Self>, _: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let array = self.array();
        Ok(Some(match name.as_str() {
            "shape" => crate::frameworks::jax::prims::shape_value(&array.aval.shape),
            "dtype" => crate::frameworks::dtypes::value(array.aval.dtype),
            "ndim" => Value::size(array.aval.rank()),
            "size" => Value::size(array.aval.size().unwrap_or(0)),
            _ => return Ok(None),
        }))
    }
}
