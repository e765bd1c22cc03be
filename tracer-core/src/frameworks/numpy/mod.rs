//! NumPy: arrays and scalars whose numbers are computed on demand, by the same primitives as JAX's eager arrays.

pub mod array;
pub mod call;
pub mod from_python;
pub mod index;
pub mod methods;
pub mod random;
pub mod scalar;
pub mod view;
