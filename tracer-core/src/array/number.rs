//! Single numbers, and their way into and out of buffers.

use half::{bf16, f16};
use num_complex::Complex;

use super::convert::{self, wrap_narrow};
use super::tensor::{Data, Element, Sizes, Tensor};
use super::{DType, Kind};

/// A number, wide enough for every element type.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Number {
    /// A truth value.
    Bool(bool),
    /// An integer of any width.
    Int(i128),
    /// A real number.
    Float(f64),
    /// A complex number.
    Complex(Complex<f64>),
}

impl Number {
    /// The number as an integer, if it is an integer or bool that fits.
    pub fn as_int(self) -> Option<i64> {
        match self {
            Number::Bool(value) => Some(i64::from(value)),
            Number::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }
    /// The real part as a float.
    pub fn as_float(self) -> f64 {
        match self {
            Number::Bool(value) => f64::from(u8::from(value)),
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
            Number::Complex(value) => value.re,
        }
    }
    /// The number as a complex one.
    pub fn as_complex(self) -> Complex<f64> {
        match self {
            Number::Complex(value) => value,
            other => Complex::new(other.as_float(), 0.0),
        }
    }
    /// Whether it is not zero.
    pub fn truthy(self) -> bool {
        match self {
            Number::Bool(value) => value,
            Number::Int(value) => value != 0,
            Number::Float(value) => value != 0.0,
            Number::Complex(value) => value.re != 0.0 || value.im != 0.0,
        }
    }
}

macro_rules! from {
    ($($rust:ty => |$x:ident| $number:expr;)*) => {$(
        impl From<$rust> for Number {
            fn from($x: $rust) -> Number {
                $number
            }
        }
    )*};
}

from! {
    bool => |x| Number::Bool(x);
    i32 => |x| Number::Int(x.into());
    i64 => |x| Number::Int(x.into());
    i128 => |x| Number::Int(x);
    u32 => |x| Number::Int(x.into());
    u64 => |x| Number::Int(x.into());
    usize => |x| Number::Int(x as i128);
    f32 => |x| Number::Float(x.into());
    f64 => |x| Number::Float(x);
    Complex<f64> => |x| Number::Complex(x);
}

fn repeat<T: Element>(value: T, len: usize) -> Data {
    T::wrap(jitlens_kernels::vector::full(value, len))
}

/// A tensor of `len` elements that all are `value`.
pub fn fill(dtype: DType, shape: Sizes, len: usize, value: Number) -> Tensor {
    let int = match value {
        Number::Bool(value) => i128::from(value),
        Number::Int(value) => value,
        other => convert::saturate(other.as_float(), dtype),
    };
    let float = value.as_float();
    // Through f32, as XLA and ml_dtypes round.
    let short = float as f32;
    let data = match dtype {
        DType::Bool => repeat(value.truthy(), len),
        DType::I2 | DType::I4 | DType::I8 => repeat(wrap_narrow(int as i8, dtype), len),
        DType::U2 | DType::U4 | DType::U8 => repeat(wrap_narrow(int as i8, dtype) as u8, len),
        DType::I16 => repeat(int as i16, len),
        DType::I32 => repeat(int as i32, len),
        DType::I64 => repeat(int as i64, len),
        DType::U16 => repeat(int as u16, len),
        DType::U32 => repeat(int as u32, len),
        DType::U64 => repeat(int as u64, len),
        DType::Narrow(_) => repeat(convert::round_to(short, dtype), len),
        DType::BF16 => repeat(convert::to_bf16(short), len),
        DType::F16 => repeat(f16::from_f32(short), len),
        DType::F32 => repeat(short, len),
        DType::F64 => repeat(float, len),
        DType::C64 => repeat(Complex::new(value.as_complex().re as f32, value.as_complex().im as f32), len),
        DType::C128 => repeat(value.as_complex(), len),
        DType::Key(key) => repeat(int as u32, len * key.words()),
        DType::Float0 => Data::None,
    };
    Tensor { dtype, shape, data }
}

/// The element at a position.
pub fn read(tensor: &Tensor, i: usize) -> Option<Number> {
    if tensor.dtype.kind() == Kind::Key {
        return None;
    }
    Some(match &tensor.data {
        Data::Bool(v) => Number::Bool(*v.get(i)?),
        Data::I8(v) => Number::Int((*v.get(i)?).into()),
        Data::I16(v) => Number::Int((*v.get(i)?).into()),
        Data::I32(v) => Number::Int((*v.get(i)?).into()),
        Data::I64(v) => Number::Int((*v.get(i)?).into()),
        Data::U8(v) => Number::Int((*v.get(i)?).into()),
        Data::U16(v) => Number::Int((*v.get(i)?).into()),
        Data::U32(v) => Number::Int((*v.get(i)?).into()),
        Data::U64(v) => Number::Int((*v.get(i)?).into()),
        Data::BF16(v) => Number::Float(bf16::to_f64(*v.get(i)?)),
        Data::F16(v) => Number::Float(f16::to_f64(*v.get(i)?)),
        Data::F32(v) => Number::Float((*v.get(i)?).into()),
        Data::F64(v) => Number::Float(*v.get(i)?),
        Data::C64(v) => {
            let value = v.get(i)?;
            Number::Complex(Complex::new(value.re.into(), value.im.into()))
        }
        Data::C128(v) => Number::Complex(*v.get(i)?),
        Data::None => return None,
    })
}
