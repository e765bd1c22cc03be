//! Array types: dtype, dimension, shape, abstract value, promotion; and [`tensor`], numbers in memory.

mod aval;
mod dim;
mod dtype;
pub mod tensor;

pub use aval::{Aval, Shape};
pub use dim::Dim;
pub use dtype::{DType, Kind, KeyImpl};
pub use tensor::Tensor;
