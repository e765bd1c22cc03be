//! Array types: dtype, dimension, shape, abstract value, promotion; and [`tensor`], numbers in memory.

mod aval;
pub mod convert;
mod dim;
mod dtype;
mod finite;
pub mod layout;
pub mod narrow;
pub mod npy;
pub mod number;
pub mod print;
pub mod promotion;
mod symbolic;
pub mod tensor;

pub use aval::{Aval, Shape, shape_tuple};
pub use dim::Dim;
pub use dtype::{DType, KeyImpl, Kind};
pub use finite::Spoils;
pub use number::Number;
pub use promotion::Promotion;
pub use tensor::Tensor;
