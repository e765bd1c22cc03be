//! One dimension of a shape: a constant, or a symbol of a symbolic shape.

use std::fmt;

use crate::python::Step;

/// The size of one axis. A constant is kept as it is (never negative); a symbolic size is kept as a negative code.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim(i64);

impl Dim {
    /// The constant size, if it is one.
    #[inline]
    pub fn known(self) -> Option<usize> {
        (self.0 >= 0).then_some(self.0 as usize)
    }

    /// The constant size.
    ///
    /// # Errors
    /// [`crate::python::Halt::Unknown`] for a symbolic size.
    #[inline]
    pub fn get(self) -> Step<usize> {
        self.known().ok_or_else(|| crate::python::Halt::unknown("the size of an axis is symbolic"))
    }
}

impl From<usize> for Dim {
    fn from(size: usize) -> Dim {
        Dim(size as i64)
    }
}

impl PartialEq<usize> for Dim {
    fn eq(&self, other: &usize) -> bool {
        self.known() == Some(*other)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(size) => write!(f, "{size}"),
            None => write!(f, "s{}", -self.0),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
