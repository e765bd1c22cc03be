//! Number crunching on plain slices: products, convolutions, transforms, decompositions.
//!
//! A crate of its own so that these loops are compiled once, optimized even in development builds, and so that the one
//! call that needs `unsafe` is fenced in.
//!
//! **Invariant:** nothing here knows element types of arrays, shapes beyond plain sizes, primitives or tracing; only `work`
//! starts threads, and only for what is large.

pub mod convolve;
pub mod copy;
pub mod fourier;
pub mod linalg;
pub mod matmul;
pub mod order;
pub mod pool;
pub mod radix;
pub mod single;
pub mod threefry;
pub mod tree;
pub mod vector;
#[cfg(target_arch = "x86_64")]
mod wide;
pub mod window;
pub mod work;
