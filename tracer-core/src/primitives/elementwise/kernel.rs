//! Scalar functions applied to every element.
//!
//! Floats of at most 16 bits are computed in `f32` and rounded, narrow ones to `float16` first; integers of a few bits in 8 bits and wrapped. One input may hold a
//! single element, which goes with all elements of the other; other broadcasting is done before.

use half::{bf16, f16};
use jitlens_kernels::vector;
use num_complex::Complex;

use super::complex::{DOUBLE, Range, SINGLE};
use super::scalar::Flush;
use crate::array::convert::to_bf16;
use crate::array::narrow::Narrow;
use crate::array::tensor::{Data, Element};
use crate::array::{DType, Tensor};
use crate::primitives::short::rounding;

/// Applies a function to every element.
pub fn map<A: Element, R: Element>(a: &[A], f: impl Fn(A) -> R + Sync) -> Data {
    R::wrap(vector::map(a, f))
}

/// Applies a function to pairs of elements.
pub fn zip<A: Element, B: Element, R: Element>(a: &[A], b: &[B], f: impl Fn(A, B) -> R + Sync) -> Data {
    R::wrap(vector::zip(a, b, f))
}

/// How the results of a function of a narrow type are rounded. Those of `f32` have no denormals but by moving numbers.
fn step_of(dtype: DType) -> fn(f32) -> f32 {
    if dtype.lacks_zero() { |x| Narrow::E8M0FNU.round(x) } else { rounding(dtype) }
}

/// A float function of one float.
pub fn float(t: &Tensor, single: impl Fn(f32) -> f32 + Sync, double: impl Fn(f64) -> f64 + Sync) -> Option<Data> {
    Some(match &t.data {
        Data::F32(v) if t.dtype.narrow().is_some() => {
            let round = step_of(t.dtype);
            map(v, |x| round(single(x)))
        }
        Data::F32(v) => map(v, single),
        Data::F64(v) => map(v, double),
        Data::BF16(v) => map(v, |x: bf16| to_bf16(single(x.to_f32()))),
        Data::F16(v) => map(v, |x: f16| f16::from_f32(single(x.to_f32()))),
        _ => return None,
    })
}

/// Of narrow floats alone: a function that the compiler computes in `f32`, rounded from there at once.
pub fn rounded_once(t: &Tensor, single: impl Fn(f32) -> f32 + Sync) -> Option<Data> {
    match (&t.data, t.dtype.narrow()) {
        (Data::F32(v), Some(narrow)) => {
            Some(map(v, |x| if x.is_nan() { narrow.round(x) } else { narrow.round(single(x)) }))
        }
        _ => None,
    }
}

/// As [`float`], where there is a loop of its own over `f32`.
pub fn by_slice(
    t: &Tensor,
    all: impl Fn(&[f32]) -> Vec<f32>,
    single: impl Fn(f32) -> f32 + Sync,
    double: impl Fn(f64) -> f64 + Sync,
) -> Option<Data> {
    match &t.data {
        Data::F32(v) if t.dtype.bits() == 32 => Some(f32::wrap(all(v))),
        _ => float(t, single, double),
    }
}

/// A float function of two floats of one type.
pub fn float2(
    a: &Tensor,
    b: &Tensor,
    single: impl Fn(f32, f32) -> f32 + Sync,
    double: impl Fn(f64, f64) -> f64 + Sync,
) -> Option<Data> {
    Some(match (&a.data, &b.data) {
        (Data::F32(x), Data::F32(y)) if a.dtype.narrow().is_some() => {
            let round = step_of(a.dtype);
            zip(x, y, |x, y| round(single(x, y)))
        }
        (Data::F32(x), Data::F32(y)) => zip(x, y, single),
        (Data::F64(x), Data::F64(y)) => zip(x, y, double),
        (Data::BF16(x), Data::BF16(y)) => zip(x, y, |x: bf16, y: bf16| to_bf16(single(x.to_f32(), y.to_f32()))),
        (Data::F16(x), Data::F16(y)) => zip(x, y, |x: f16, y: f16| f16::from_f32(single(x.to_f32(), y.to_f32()))),
        _ => return None,
    })
}

/// A truth of one float.
pub fn float_test(t: &Tensor, test: impl Fn(f64) -> bool + Sync) -> Option<Data> {
    Some(match &t.data {
        Data::F32(v) => map(v, |x| test(x.into())),
        Data::F64(v) => map(v, test),
        Data::BF16(v) => map(v, |x: bf16| test(x.into())),
        Data::F16(v) => map(v, |x: f16| test(x.into())),
        _ => return None,
    })
}

/// A truth of two floats of one type.
pub fn float_test2(
    a: &Tensor,
    b: &Tensor,
    single: impl Fn(f32, f32) -> bool + Sync,
    double: impl Fn(f64, f64) -> bool + Sync,
) -> Option<Data> {
    Some(match (&a.data, &b.data) {
        (Data::F32(x), Data::F32(y)) => zip(x, y, single),
        (Data::F64(x), Data::F64(y)) => zip(x, y, double),
        (Data::BF16(x), Data::BF16(y)) => zip(x, y, |x: bf16, y: bf16| single(x.to_f32(), y.to_f32())),
        (Data::F16(x), Data::F16(y)) => zip(x, y, |x: f16, y: f16| single(x.to_f32(), y.to_f32())),
        _ => return None,
    })
}

/// A complex function of one complex number, computed in `f64`.
pub fn complex(t: &Tensor, f: impl Fn(Complex<f64>) -> Complex<f64> + Sync) -> Option<Data> {
    Some(match &t.data {
        Data::C64(v) => map(v, |z| narrow(f(widen(z)))),
        Data::C128(v) => map(v, f),
        _ => return None,
    })
}

/// As [`complex`], for functions that ask where squares leave the range of the type.
pub fn complex_within(t: &Tensor, f: impl Fn(Complex<f64>, Range) -> Complex<f64> + Sync) -> Option<Data> {
    Some(match &t.data {
        Data::C64(v) => map(v, |z| {
            let z = narrow(f(widen(z), SINGLE));
            Complex::new(z.re.flush(), z.im.flush())
        }),
        Data::C128(v) => map(v, |z| f(z, DOUBLE)),
        _ => return None,
    })
}

/// A complex function of two complex numbers.
pub fn complex2(
    a: &Tensor,
    b: &Tensor,
    single: impl Fn(Complex<f32>, Complex<f32>) -> Complex<f32> + Sync,
    double: impl Fn(Complex<f64>, Complex<f64>) -> Complex<f64> + Sync,
) -> Option<Data> {
    Some(match (&a.data, &b.data) {
        (Data::C64(x), Data::C64(y)) => zip(x, y, single),
        (Data::C128(x), Data::C128(y)) => zip(x, y, double),
        _ => return None,
    })
}

/// A truth of two complex numbers, denormals as zeros.
pub fn complex_test2(a: &Tensor, b: &Tensor, f: impl Fn(Complex<f64>, Complex<f64>) -> bool + Sync) -> Option<Data> {
    fn flushed<T: Flush>(z: Complex<T>) -> Complex<T> {
        Complex::new(z.re.flush(), z.im.flush())
    }
    Some(match (&a.data, &b.data) {
        (Data::C64(x), Data::C64(y)) => zip(x, y, |x, y| f(widen(flushed(x)), widen(flushed(y)))),
        (Data::C128(x), Data::C128(y)) => zip(x, y, |x, y| f(flushed(x), flushed(y))),
        _ => return None,
    })
}

/// A bool function of two bools.
pub fn bool2(a: &Tensor, b: &Tensor, f: impl Fn(bool, bool) -> bool + Sync) -> Option<Data> {
    Some(zip(a.view()?, b.view()?, f))
}

/// To twice the precision.
pub fn widen(z: Complex<f32>) -> Complex<f64> {
    Complex::new(z.re.into(), z.im.into())
}

/// To half the precision.
pub fn narrow(z: Complex<f64>) -> Complex<f32> {
    Complex::new(z.re as f32, z.im as f32)
}

/// An expression for integers of every width: `ints!(t, x => x.wrapping_neg())`, with two inputs `ints!(a, b, x, y => …)`.
/// The result has the inputs' type, or `bool` after `@test`.
#[macro_export]
#[doc(hidden)]
macro_rules! int_kernel {
    (@test $a:expr, $b:expr, $x:ident, $y:ident => $body:expr) => {
        match (&$a.data, &$b.data) {
            (Data::I8(v), Data::I8(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U8(v), Data::U8(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::I16(v), Data::I16(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::I32(v), Data::I32(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::I64(v), Data::I64(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U16(v), Data::U16(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U32(v), Data::U32(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U64(v), Data::U64(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::Bool(v), Data::Bool(w)) => Some(zip(v, w, |$x, $y| $body)),
            _ => None,
        }
    };
    ($t:expr, $x:ident => $body:expr) => {
        match &$t.data {
            Data::I8(v) => Some(map(v, |$x| $crate::array::convert::wrap_narrow($body, $t.dtype))),
            Data::U8(v) => Some(map(v, |$x| $crate::array::convert::wrap_narrow(($body) as i8, $t.dtype) as u8)),
            Data::I16(v) => Some(map(v, |$x| $body)),
            Data::I32(v) => Some(map(v, |$x| $body)),
            Data::I64(v) => Some(map(v, |$x| $body)),
            Data::U16(v) => Some(map(v, |$x| $body)),
            Data::U32(v) => Some(map(v, |$x| $body)),
            Data::U64(v) => Some(map(v, |$x| $body)),
            _ => None,
        }
    };
    ($a:expr, $b:expr, $x:ident, $y:ident => $body:expr) => {
        match (&$a.data, &$b.data) {
            (Data::I8(v), Data::I8(w)) => {
                Some(zip(v, w, |$x, $y| $crate::array::convert::wrap_narrow($body, $a.dtype)))
            }
            (Data::U8(v), Data::U8(w)) => {
                Some(zip(v, w, |$x, $y| $crate::array::convert::wrap_narrow(($body) as i8, $a.dtype) as u8))
            }
            (Data::I16(v), Data::I16(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::I32(v), Data::I32(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::I64(v), Data::I64(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U16(v), Data::U16(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U32(v), Data::U32(w)) => Some(zip(v, w, |$x, $y| $body)),
            (Data::U64(v), Data::U64(w)) => Some(zip(v, w, |$x, $y| $body)),
            _ => None,
        }
    };
}
