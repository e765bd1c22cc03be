//! Sums, products and their like of floats, step by step as XLA does them on CPU: every step of a short one is rounded, and they
//! are done in the order of `jitlens_kernels::tree`.

use half::{bf16, f16};
use jitlens_kernels::{single, vector};

use super::elementwise::scalar::{Float, Flush};
use crate::array::convert::to_bf16;
use crate::array::narrow::Narrow;
use crate::array::tensor::{Data, Element};
use crate::array::{DType, Tensor};

/// Whether numbers of this type are floats of at most 16 bits.
pub fn is_short(dtype: DType) -> bool {
    dtype.bits() < 32 && dtype.is_float()
}

/// [`Narrow::step`] of the types in their order.
const STEPS: [fn(f32) -> f32; 9] =
    [step::<0>, step::<1>, step::<2>, step::<3>, step::<4>, step::<5>, step::<6>, step::<7>, step::<8>];

fn step<const AT: usize>(x: f32) -> f32 {
    const { Narrow::ALL[AT] }.step(x)
}

/// How a step of a type is rounded: narrow floats are computed with as `float16` or `float32`, and rounded to that first.
pub fn rounding(dtype: DType) -> fn(f32) -> f32 {
    match dtype {
        DType::BF16 => |x| to_bf16(x.flush()).to_f32(),
        DType::F16 => |x| f16::from_f32(x).to_f32(),
        DType::Narrow(narrow) => STEPS[narrow as usize],
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
    fn narrow_floats_are_rounded_twice() {
        // Between 16 and 18, a little above the middle: `float16` has the middle itself, whose neighbour is even.
        assert_eq!(rounding(DType::Narrow(Narrow::E4M3FN))(17.001), 16.0);
        assert_eq!(Narrow::E4M3FN.round(17.001), 18.0);
    }

    #[test]
    fn logarithms_of_sums() {
        let round = rounding(DType::F32);
        assert_eq!(log_add(f32::NEG_INFINITY, 2.0, round), 2.0);
        assert_eq!(log_add(f32::INFINITY, f32::INFINITY, round), f32::INFINITY);
        assert_eq!(log_add(0.0, 0.0, round), 2f32.ln());
    }
}
