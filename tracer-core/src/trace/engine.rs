//! The state of tracing: the current trace, configuration, budget; and `bind`.

use std::rc::Rc;

use super::{Val, Vals};
use crate::array::Tensor;
use crate::primitives::Primitive;
use crate::python::{Halt, Step};

/// The state of tracing.
#[derive(Debug, Default)]
pub struct Engine {}

impl Engine {
    /// Applies a primitive to arrays under the current trace.
    ///
    /// # Errors
    /// What the primitive's rules raise; unknown where a rule is missing.
    pub fn bind(&self, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        let _ = (primitive, inputs);
        Err(Halt::unknown("no trace yet"))
    }

    /// Applies a primitive with one result.
    ///
    /// # Errors
    /// As [`Engine::bind`].
    pub fn bind1(&self, primitive: impl Primitive, inputs: &[Val]) -> Step<Val> {
        Ok(self.bind(Rc::new(primitive), inputs)?.swap_remove(0))
    }

    /// An array constant with known numbers.
    pub fn constant(&self, tensor: Tensor) -> Val {
        Rc::new(super::Array { aval: tensor.aval() })
    }

    /// A constant of a weak type, as Python scalars give.
    pub fn weak_constant(&self, tensor: Tensor) -> Val {
        Rc::new(super::Array { aval: crate::array::Aval { weak: true, ..tensor.aval() } })
    }
}
