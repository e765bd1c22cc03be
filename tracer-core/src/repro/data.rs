//! Arrays whose numbers stand in a file beside a reproducer.

use crate::array::Tensor;

/// An array of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    /// Its name there.
    pub name: String,
    /// Its numbers, of a type that NumPy has.
    pub tensor: Tensor,
    /// The array of the program that it is.
    pub(super) of: usize,
}
