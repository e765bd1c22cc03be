//! Conversion between element types, as XLA on CPU converts: floats to integers saturate and NaN gives 0, integers wrap,
//! wide floats go to 16 bits through `f32`, complex numbers lose their imaginary part.

use half::{bf16, f16};
use jitlens_kernels::vector;
use num_complex::Complex;

use super::tensor::{Data, Element, Tensor};
use super::{DType, Kind};

/// An element that can be converted to every other type.
pub trait Cast: Element {
    /// Kept as it is: an integer, wrapping.
    fn int(self) -> i64;
    /// Kept as it is: a real number.
    fn float(self) -> f64;
    /// As `f32`, rounded once.
    fn single(self) -> f32;
    /// Whether it is not zero.
    fn truth(self) -> bool;
    /// The imaginary part.
    fn imaginary(self) -> f64 {
        0.0
    }
    /// Whether [`Cast::int`] is exact, so that conversion to an integer wraps instead of saturating.
    const INTEGRAL: bool;
}

macro_rules! cast_int {
    ($($rust:ty)*) => {$(
        impl Cast for $rust {
            const INTEGRAL: bool = true;
            fn int(self) -> i64 { self as i64 }
            fn float(self) -> f64 { self as f64 }
            fn single(self) -> f32 { self as f32 }
            fn truth(self) -> bool { self != 0 }
        }
    )*};
}
cast_int!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Cast for bool {
    const INTEGRAL: bool = true;
    fn int(self) -> i64 {
        self.into()
    }
    fn float(self) -> f64 {
        u8::from(self).into()
    }
    fn single(self) -> f32 {
        u8::from(self).into()
    }
    fn truth(self) -> bool {
        self
    }
}

macro_rules! cast_float {
    ($($rust:ty => |$x:ident| $float:expr, $single:expr, $imaginary:expr;)*) => {$(
        impl Cast for $rust {
            const INTEGRAL: bool = false;
            fn int(self) -> i64 { Cast::float(self) as i64 }
            fn float(self) -> f64 { let $x = self; $float }
            fn single(self) -> f32 { let $x = self; $single }
            fn truth(self) -> bool {
                // Denormals count as zero, since XLA runs with them flushed, but for those of 16 bits, whose bits are looked at; NaN counts
                // as true.
                let least = match <$rust as Element>::DTYPE {
                    DType::F64 | DType::C128 => f64::MIN_POSITIVE,
                    DType::BF16 | DType::F16 => f64::from_bits(1),
                    _ => f32::MIN_POSITIVE.into(),
                };
                { let size = Cast::float(self).abs(); size >= least || size.is_nan() }
            }
            fn imaginary(self) -> f64 { let $x = self; let _ = $x; $imaginary }
        }
    )*};
}

cast_float! {
    bf16 => |x| x.to_f64(), x.to_f32(), 0.0;
    f16 => |x| x.to_f64(), x.to_f32(), 0.0;
    f32 => |x| x.into(), x, 0.0;
    f64 => |x| x, x as f32, 0.0;
    Complex<f32> => |x| x.re.into(), x.re, x.im.into();
    Complex<f64> => |x| x.re, x.re as f32, x.im;
}

/// Rounds to `bfloat16`, to nearest even; every NaN becomes the quiet one of its sign.
#[inline]
pub fn to_bf16(x: f32) -> bf16 {
    let bits = x.to_bits();
    if x.is_nan() {
        return bf16::from_bits(((bits >> 16) as u16 & 0x8000) | 0x7fc0);
    }
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
    bf16::from_bits((rounded >> 16) as u16)
}

/// Rounds an `f32` to the numbers of a narrower float type, to nearest even.
pub fn round_to(x: f32, dtype: DType) -> f32 {
    match dtype {
        DType::BF16 => to_bf16(x).to_f32(),
        DType::F16 => f16::from_f32(x).to_f32(),
        // No infinity: what is too large becomes NaN.
        DType::F8E4M3FN => {
            let rounded = round_mantissa(x, 3, -6);
            if rounded.abs() > 448.0 { f32::NAN.copysign(x) } else { rounded }
        }
        DType::F8E5M2 => {
            let rounded = round_mantissa(x, 2, -14);
            if rounded.abs() > 57344.0 { f32::INFINITY.copysign(x) } else { rounded }
        }
        _ => x,
    }
}

/// Rounds to so many mantissa bits, with denormals below the least normal exponent.
fn round_mantissa(x: f32, bits: i32, least_exponent: i32) -> f32 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let wide = f64::from(x);
    let exponent = (((wide.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(least_exponent);
    let quantum = 2f64.powi(exponent - bits);
    ((wide / quantum).round_ties_even() * quantum) as f32
}

/// Wraps an 8-bit integer into the four bits of a narrow type.
#[inline]
pub fn wrap_narrow(x: i8, dtype: DType) -> i8 {
    match dtype {
        DType::I4 => x << 4 >> 4,
        DType::U4 => x & 0xf,
        _ => x,
    }
}

/// The least and greatest number of an integer type.
pub fn int_range(dtype: DType) -> (i128, i128) {
    let bits = dtype.bits().clamp(1, 64);
    match dtype.kind() {
        Kind::Unsigned => (0, (1i128 << bits) - 1),
        Kind::Bool => (0, 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    }
}

/// A float as an integer of this type: rounded towards zero, saturating, NaN as 0.
pub fn saturate(x: f64, dtype: DType) -> i128 {
    let (low, high) = int_range(dtype);
    (x as i128).clamp(low, high)
}

/// Where the numbers come from that are converted.
trait Source<S> {
    /// The results of a function for all of them.
    fn each<R: Element>(self, f: impl Fn(S) -> R + Sync) -> Vec<R>;
}

impl<S: Cast> Source<S> for &[S] {
    fn each<R: Element>(self, f: impl Fn(S) -> R + Sync) -> Vec<R> {
        vector::map(self, f)
    }
}

/// 0, 1, 2 … up to so many.
struct Counted(usize);

impl Source<i64> for Counted {
    fn each<R: Element>(self, f: impl Fn(i64) -> R + Sync) -> Vec<R> {
        vector::count(self.0, |i| f(i as i64))
    }
}

fn to_int<S: Cast, D: Element>(
    from: impl Source<S>,
    wrap: impl Fn(i64) -> D + Sync,
    saturate: impl Fn(f64) -> D + Sync,
) -> Data {
    D::wrap(if S::INTEGRAL { from.each(|x| wrap(x.int())) } else { from.each(|x| saturate(x.float())) })
}

fn cast<S: Cast>(from: impl Source<S>, dtype: DType) -> Data {
    match dtype {
        DType::Bool => bool::wrap(from.each(|x| x.truth())),
        DType::I8 => to_int(from, |x| x as i8, |x| x as i8),
        DType::I4 => to_int(from, |x| wrap_narrow(x as i8, dtype), |x| saturate(x, dtype) as i8),
        DType::U4 => to_int(from, |x| wrap_narrow(x as i8, dtype) as u8, |x| saturate(x, dtype) as u8),
        DType::I16 => to_int(from, |x| x as i16, |x| x as i16),
        DType::I32 => to_int(from, |x| x as i32, |x| x as i32),
        DType::I64 => to_int(from, |x| x, |x| x as i64),
        DType::U8 => to_int(from, |x| x as u8, |x| x as u8),
        DType::U16 => to_int(from, |x| x as u16, |x| x as u16),
        DType::U32 => to_int(from, |x| x as u32, |x| x as u32),
        DType::U64 => to_int(from, |x| x as u64, |x| x as u64),
        DType::F8E4M3FN | DType::F8E5M2 => f32::wrap(from.each(|x| round_to(x.single(), dtype))),
        DType::BF16 => bf16::wrap(from.each(|x| to_bf16(x.single()))),
        DType::F16 => f16::wrap(from.each(|x| f16::from_f32(x.single()))),
        DType::F32 => f32::wrap(from.each(|x| x.single())),
        DType::F64 => f64::wrap(from.each(|x| x.float())),
        DType::C64 => Complex::<f32>::wrap(from.each(|x| Complex::new(x.single(), x.imaginary() as f32))),
        DType::C128 => Complex::<f64>::wrap(from.each(|x| Complex::new(x.float(), x.imaginary()))),
        DType::Float0 | DType::Key(_) => Data::None,
    }
}

/// 0, 1, 2 … as so many elements of a type.
pub fn counted(dtype: DType, count: usize) -> Data {
    cast::<i64>(Counted(count), dtype)
}

impl Tensor {
    /// The tensor with its elements converted to another type.
    pub fn convert(&self, dtype: DType) -> Tensor {
        if dtype == self.dtype {
            return self.clone();
        }
        let data = crate::for_buffer!(&self.data, v => cast(&v[..], dtype), none => Tensor::zeros(dtype, self.shape.clone()).data);
        Tensor { dtype, shape: self.shape.clone(), data }
    }
}
