//! Abstract values: what tracing knows of an array.

use std::fmt;

use smallvec::SmallVec;

use super::{DType, Dim};

/// The sizes of an array's axes.
pub type Shape = SmallVec<[Dim; 4]>;

/// Element type, shape and weak type of an array; JAX's `ShapedArray`.
#[derive(PartialEq, Eq, Hash)]
pub struct Aval {
    /// Element type.
    pub dtype: DType,
    /// Sizes of the axes.
    pub shape: Shape,
    /// Whether the type came from a Python scalar and gives way in promotion.
    pub weak: bool,
}

/// Types are copied with each equation: the sizes as a whole, not one by one.
impl Clone for Aval {
    #[inline]
    fn clone(&self) -> Aval {
        Aval { dtype: self.dtype, shape: Shape::from_slice(&self.shape), weak: self.weak }
    }
}

impl Aval {
    /// A strongly typed array.
    pub fn new(dtype: DType, shape: impl IntoIterator<Item = usize>) -> Aval {
        Aval { dtype, shape: shape.into_iter().map(Dim::from).collect(), weak: false }
    }
    /// A strongly typed array of this shape.
    pub fn with_shape(dtype: DType, shape: Shape) -> Aval {
        Aval { dtype, shape, weak: false }
    }
    /// A scalar.
    pub fn scalar(dtype: DType, weak: bool) -> Aval {
        Aval { dtype, shape: Shape::new(), weak }
    }
    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
    /// The sizes, if all of them are constants.
    pub fn known_shape(&self) -> Option<SmallVec<[usize; 4]>> {
        self.shape.iter().map(|d| d.known()).collect()
    }
    /// The number of bytes, if all sizes are constants (saturating).
    pub fn bytes(&self) -> Option<u64> {
        Some((self.size()? as u64).saturating_mul(u64::from(self.dtype.bits()).div_ceil(8)))
    }
    /// The number of elements, if all sizes are constants (saturating).
    pub fn size(&self) -> Option<usize> {
        self.shape.iter().try_fold(1usize, |n, d| d.known().map(|d| n.saturating_mul(d)))
    }
    /// The number of elements, with the symbols of its sizes (saturating where they are constants).
    pub fn count(&self) -> Dim {
        self.size().map_or_else(|| self.shape.iter().copied().product(), Dim::from)
    }
    /// The type of a tangent of this value.
    pub fn tangent(&self) -> Aval {
        // Those of integers are numbers of none of Python's types.
        Aval { dtype: self.dtype.tangent(), weak: self.weak && self.dtype.is_inexact(), ..self.clone() }
    }
    /// `(2, 3)` as Python prints a tuple of sizes.
    pub fn shape_tuple(&self) -> String {
        shape_tuple(&self.shape)
    }
    /// `~float32[2,3]` for a weak type, as messages print it that show the whole type; otherwise as [`Aval::long`].
    pub fn long_or_weak(&self) -> String {
        format!("{}{}", if self.weak { "~" } else { "" }, self.long())
    }
    /// `float32[2,3]`, as error messages print it.
    pub fn long(&self) -> String {
        format!("{}[{}]", self.dtype.name(), join(&self.shape))
    }
}

/// `(2, 3)` as Python prints a tuple of sizes.
pub fn shape_tuple(shape: &[Dim]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(|d| d.to_string()).collect::<Vec<_>>().join(", ")),
    }
}

fn join(shape: &[Dim]) -> String {
    shape.iter().map(|d| d.to_string()).collect::<Vec<_>>().join(",")
}

/// As jaxprs print it: `f32[2,3]`. The weak type is not shown.
impl fmt::Display for Aval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.dtype.short(), join(&self.shape))
    }
}

impl fmt::Debug for Aval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{}", if self.weak { "~" } else { "" })
    }
}
