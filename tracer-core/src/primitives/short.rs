//! Sums, products and their like of floats, step by step as XLA does them on CPU: every step of a short one is rounded, and they
//! are done in the order of `jitlens_kernels::tree`.

use half::{bf16, f16};
use jitlens_kernels::{single, vector};

use super::elementwise::scalar::{Float, Flush};
use crate::array::convert::{round_to, to_bf16};
use crate::array::tensor::{Data, Element};
use crate::array::{DType, Tensor};

/// Whether numbers of this type are floats of 8 or 16 bits.
pub fn is_short(dtype: DType) -> bool {
    dtype.bits() < 32 && dtype.is_float()
}

/// How a step of a type is rounded: floats of 8 bits are computed with as `float16`, and rounded to that first.
pub fn rounding(dtype: DType) -> fn(f32) -> f32 {
    match dtype {
        DType::BF16 => |x| to_bf16(x.flush()).to_f32(),
        DType::F16 => |x| f16::from_f32(x).to_f32(),
        DType::F8E4M3FN => |x| round_to(f16::from_f32(x).to_f32(), DType::F8E4M3FN),
        DType::F8E5M2 => |x| round_to(f16::from_f32(x).to_f32(), DType::F8E5M2),
        _ => Flush::flush,
    }
}

/// The elements of a short type in the type that holds all of them.
pub fn widened(x: &Tensor) -> Option<Vec<f32>> {
    Some(match &x.data {
        Data::BF16(v) => vector::map(v, |x| bf16::to_f32(x).flush()),
        Data::F16(v) => vector::map(v, f16::to_f32),
        Data::F32(v) => v.to_vec(),
        _ => return None,
    })
}

/// Numbers that are rounded to a short type, as its elements.
pub fn narrowed(values: Vec<f32>, dtype: DType) -> Data {
    match dtype {
        DType::BF16 => bf16::wrap(vector::map(&values, to_bf16)),
        DType::F16 => f16::wrap(vector::map(&values, f16::from_f32)),
        _ => f32::wrap(values),
    }
}

/// The bits of a number of an 8-bit type, which is rounded to it.
pub fn bits(x: f32, dtype: DType) -> u8 {
    let short = f16::from_f32(x);
    let sign = u8::from(x.is_sign_negative()) << 7;
    match dtype {
        DType::F8E5M2 => (short.to_bits() >> 8) as u8,
        // `float16` has eight exponents below the least one: what is scaled down by them has the bits of this type.
        _ if x.is_nan() => sign | 0x7f,
        _ => (f16::from_f32(x / 256.0).to_bits() >> 7) as u8 & 0x7f | sign,
    }
}

/// The number of an 8-bit type that these bits are.
pub fn from_bits(bits: u8, dtype: DType) -> f32 {
    match dtype {
        DType::F8E5M2 => f16::from_bits(u16::from(bits) << 8).to_f32(),
        _ if bits & 0x7f == 0x7f => f32::NAN.copysign(if bits > 0x7f { -1.0 } else { 1.0 }),
        _ => f16::from_bits(u16::from(bits & 0x80) << 8 | u16::from(bits & 0x7f) << 7).to_f32() * 256.0,
    }
}

/// `log(exp(a) + exp(b))`, each operation rounded.
pub fn log_add(a: f32, b: f32, round: fn(f32) -> f32) -> f32 {
    let apart = round(a - b);
    if apart.is_nan() {
        return round(a + b);
    }
    let log = f64::from(round(single::exp(-apart.abs()))).ln_1p() as f32;
    round(a.larger(b) + round(log))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_eight_bits_are_rounded_twice() {
        // Between 16 and 18, a little above the middle: `float16` has the middle itself, whose neighbour is even.
        assert_eq!(rounding(DType::F8E4M3FN)(17.001), 16.0);
        assert_eq!(round_to(17.001, DType::F8E4M3FN), 18.0);
    }

    #[test]
    fn bits_of_floats_of_eight_bits() {
        assert_eq!((bits(1.0, DType::F8E4M3FN), bits(-448.0, DType::F8E4M3FN)), (0x38, 0xfe));
        assert_eq!((bits(1.0, DType::F8E5M2), bits(f32::NEG_INFINITY, DType::F8E5M2)), (0x3c, 0xfc));
        for dtype in [DType::F8E4M3FN, DType::F8E5M2] {
            for all in 0..=255 {
                let number = from_bits(all, dtype);
                assert!(number.is_nan() || (bits(number, dtype) == all && round_to(number, dtype) == number));
            }
        }
    }

    #[test]
    fn logarithms_of_sums() {
        let round = rounding(DType::F32);
        assert_eq!(log_add(f32::NEG_INFINITY, 2.0, round), 2.0);
        assert_eq!(log_add(f32::INFINITY, f32::INFINITY, round), f32::INFINITY);
        assert_eq!(log_add(0.0, 0.0, round), 2f32.ln());
    }
}
