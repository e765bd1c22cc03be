//! Arithmetic on the elements of tensors, the same names for every element type, as XLA defines it.

use half::{bf16, f16};
use num_complex::Complex;

use crate::array::convert::wrap_narrow;
use crate::array::tensor::{Data, Element};
use crate::array::{DType, Tensor};

/// An element type with arithmetic. Integers wrap; `bool` has *or* for a sum and *and* for a product; the larger and the
/// smaller of two numbers are NaN if one of them is; complex numbers are ordered by real, then imaginary part.
pub trait Arithmetic: Element {
    /// 0
    const ZERO: Self;
    /// The smallest value: what a maximum starts from.
    const LOWEST: Self;
    /// The largest value: what a minimum starts from.
    const HIGHEST: Self;
    /// `self + other`
    fn plus(self, other: Self) -> Self;
    /// `self - other`
    fn minus(self, other: Self) -> Self;
    /// `self * other`
    fn times(self, other: Self) -> Self;
    /// Whether `self >= other`.
    fn at_least(self, other: Self) -> bool;
    /// Whether it is not a number.
    fn is_nan(self) -> bool {
        false
    }
    /// The larger one.
    fn larger(self, other: Self) -> Self {
        if self.is_nan() || (self.at_least(other) && !other.is_nan()) { self } else { other }
    }
    /// The smaller one.
    fn smaller(self, other: Self) -> Self {
        if self.is_nan() || (other.at_least(self) && !other.is_nan()) { self } else { other }
    }
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = 0;
            const LOWEST: Self = <$ty>::MIN;
            const HIGHEST: Self = <$ty>::MAX;
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn at_least(self, other: Self) -> bool {
                self >= other
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($ty:ty, $zero:expr, $low:expr, $high:expr;)*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = $zero;
            const LOWEST: Self = $low;
            const HIGHEST: Self = $high;
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn at_least(self, other: Self) -> bool {
                self >= other
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    )*};
}

floats! {
    f32, 0.0, f32::NEG_INFINITY, f32::INFINITY;
    f64, 0.0, f64::NEG_INFINITY, f64::INFINITY;
    bf16, bf16::ZERO, bf16::NEG_INFINITY, bf16::INFINITY;
    f16, f16::ZERO, f16::NEG_INFINITY, f16::INFINITY;
}

macro_rules! complex {
    ($($ty:ident)*) => {$(
        impl Arithmetic for Complex<$ty> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const LOWEST: Self = Complex::new($ty::NEG_INFINITY, $ty::NEG_INFINITY);
            const HIGHEST: Self = Complex::new($ty::INFINITY, $ty::INFINITY);
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn at_least(self, other: Self) -> bool {
                self.re > other.re || (self.re == other.re && self.im >= other.im)
            }
            fn is_nan(self) -> bool {
                self.re.is_nan() || self.im.is_nan()
            }
        }
    )*};
}

complex! { f32 f64 }

impl Arithmetic for bool {
    const ZERO: Self = false;
    const LOWEST: Self = false;
    const HIGHEST: Self = true;
    fn plus(self, other: Self) -> Self {
        self | other
    }
    fn minus(self, other: Self) -> Self {
        self ^ other
    }
    fn times(self, other: Self) -> Self {
        self & other
    }
    fn at_least(self, other: Self) -> bool {
        self >= other
    }
}

/// Runs a body with a type name bound to the Rust type of a tensor's elements. `float0` has none: unknown.
macro_rules! each_type {
    ($tensor:expr, $T:ident => $body:expr) => {{
        use $crate::array::tensor::Data;
        match &$tensor.data {
            Data::Bool(_) => {
                type $T = bool;
                $body
            }
            Data::I8(_) => {
                type $T = i8;
                $body
            }
            Data::I16(_) => {
                type $T = i16;
                $body
            }
            Data::I32(_) => {
                type $T = i32;
                $body
            }
            Data::I64(_) => {
                type $T = i64;
                $body
            }
            Data::U8(_) => {
                type $T = u8;
                $body
            }
            Data::U16(_) => {
                type $T = u16;
                $body
            }
            Data::U32(_) => {
                type $T = u32;
                $body
            }
            Data::U64(_) => {
                type $T = u64;
                $body
            }
            Data::BF16(_) => {
                type $T = half::bf16;
                $body
            }
            Data::F16(_) => {
                type $T = half::f16;
                $body
            }
            Data::F32(_) => {
                type $T = f32;
                $body
            }
            Data::F64(_) => {
                type $T = f64;
                $body
            }
            Data::C64(_) => {
                type $T = num_complex::Complex<f32>;
                $body
            }
            Data::C128(_) => {
                type $T = num_complex::Complex<f64>;
                $body
            }
            Data::None => Err($crate::python::Halt::unknown("float0 has no numbers")),
        }
    }};
}
pub(crate) use each_type;

/// A tensor whose elements are back in the range of its dtype: integers of a few bits wrapped, narrow floats rounded.
pub fn rounded(mut tensor: Tensor) -> Tensor {
    let dtype = tensor.dtype;
    tensor.data = match (dtype, tensor.data) {
        (DType::I2 | DType::I4, Data::I8(v)) => i8::wrap(v.iter().map(|&x| wrap_narrow(x, dtype)).collect()),
        (DType::U2 | DType::U4, Data::U8(v)) => {
            u8::wrap(v.iter().map(|&x| wrap_narrow(x as i8, dtype) as u8).collect())
        }
        (DType::Narrow(narrow), Data::F32(v)) => f32::wrap(v.iter().map(|&x| narrow.round(x)).collect()),
        (_, data) => data,
    };
    tensor
}
