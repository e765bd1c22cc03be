//! Arrays of which only the type is known.

use std::rc::Rc;

use super::{Array, Val};
use crate::python::Why;

impl Array {
    /// What is known of an array that may be either of two with the same abstract value; `None` where nothing is.
    pub fn joined(a: &Val, b: &Val) -> Option<Val> {
        if Rc::ptr_eq(a, b) {
            return Some(a.clone());
        }
        match (a.is_tracer(), b.is_tracer()) {
            (false, false) => Some(Array::opaque(a.aval.clone(), "depends on an unknown condition")),
            (true, _) => Some(a.clone()),
            (false, true) => Some(b.clone()),
        }
    }

    /// The same type without the numbers.
    pub fn forgotten(a: &Val, why: &Why) -> Option<Val> {
        (!a.is_tracer()).then(|| Array::opaque(a.aval.clone(), why.0.to_string()))
    }

    /// `type(x).__name__`
    pub fn type_name(&self) -> &'static str {
        self.class_name()
    }

    /// The type as messages of operators print it.
    pub fn qualified_type_name(&self) -> &'static str {
        match self.is_tracer() {
            true => self.class_name(),
            false if self.aval.dtype.is_key() => "PRNGKeyArray",
            false => self.qualified_class_name(),
        }
    }
}
