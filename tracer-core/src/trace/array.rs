//! Arrays as the program holds them: eager ones and tracers.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::array::Aval;

/// An array or tracer, shared.
pub type Val = Rc<Array>;

/// The results of a primitive.
pub type Vals = SmallVec<[Val; 1]>;

/// An array or a tracer.
#[derive(Debug)]
pub struct Array {
    /// What is known of it without its numbers.
    pub aval: Aval,
}
