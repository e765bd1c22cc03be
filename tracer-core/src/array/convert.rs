//! Conversion between element types, as XLA on CPU converts: floats to integers saturate and NaN gives 0, integers wrap,
//! wide floats go to 16 bits through `f32`, complex numbers lose their imaginary part.

use half::{bf16, f16};
use jitlens_kernels::vector;
use num_complex::Complex;

use super::narrow::Narrow;
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
        DType::Narrow(narrow) => narrow.round(x),
        _ => x,
    }
}

/// Wraps an 8-bit integer into the few bits of a narrow type.
#[inline]
pub fn wrap_narrow(x: i8, dtype: DType) -> i8 {
    match dtype {
        DType::I2 => x << 6 >> 6,
        DType::U2 => x & 0b11,
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
        DType::I2 | DType::I4 => to_int(from, |x| wrap_narrow(x as i8, dtype), |x| saturate(x, dtype) as i8),
        DType::U2 | DType::U4 => to_int(from, |x| wrap_narrow(x as i8, dtype) as u8, |x| saturate(x, dtype) as u8),
        DType::I16 => to_int(from, |x| x as i16, |x| x as i16),
        DType::I32 => to_int(from, |x| x as i32, |x| x as i32),
        DType::I64 => to_int(from, |x| x, |x| x as i64),
        DType::U8 => to_int(from, |x| x as u8, |x| x as u8),
        DType::U16 => to_int(from, |x| x as u16, |x| x as u16),
        DType::U32 => to_int(from, |x| x as u32, |x| x as u32),
        DType::U64 => to_int(from, |x| x as u64, |x| x as u64),
        DType::Narrow(_) => f32::wrap(from.each(|x| round_to(x.single(), dtype))),
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

/// What numbers of a narrow float count as where they are converted, if not as themselves.
fn beside(narrow: Narrow, dtype: DType) -> Option<fn(f32) -> f32> {
    match narrow {
        // The largest number of a type without infinities is the bound beyond which integers are saturated.
        Narrow::E2M1FN if dtype.is_integer() => Some(|x| if x.abs() == 6.0 { x * f32::INFINITY } else { x }),
        // The least power of two is no denormal.
        Narrow::E8M0FNU if dtype == DType::Bool => Some(|_| 1.0),
        _ => None,
    }
}

impl Tensor {
    /// The tensor with its elements converted to another type.
    pub fn convert(&self, dtype: DType) -> Tensor {
        if dtype == self.dtype {
            return self.clone();
        }
        if let (Some(special), Data::F32(v)) =
            (self.dtype.narrow().and_then(|narrow| beside(narrow, dtype)), &self.data)
        {
            let known =
                Tensor { dtype: DType::F32, shape: self.shape.clone(), data: f32::wrap(vector::map(v, special)) };
            return known.convert(dtype);
        }
        let data = crate::for_buffer!(&self.data, v => cast(&v[..], dtype), none => Tensor::zeros(dtype, self.shape.clone()).data);
        Tensor { dtype, shape: self.shape.clone(), data }
    }
}
