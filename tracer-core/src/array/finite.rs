//! Where numbers become infinite, or none at all.

use half::{bf16, f16};
use num_complex::Complex;

use super::Tensor;
use super::tensor::Data;

/// How an application of a primitive spoils numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spoils {
    /// Of finite numbers it makes infinities, or what is no number.
    Finite,
    /// Of numbers, infinite ones among them, it makes what is none: `inf - inf`, a softmax of what is masked altogether.
    Infinite,
}

impl Spoils {
    /// How these results of these operands are spoilt, if they are.
    pub fn of(inputs: &[Tensor], outputs: &[Tensor]) -> Option<Spoils> {
        if outputs.iter().all(Tensor::is_finite) {
            None
        } else if inputs.iter().all(Tensor::is_finite) {
            Some(Spoils::Finite)
        } else {
            (outputs.iter().any(Tensor::has_nan) && !inputs.iter().any(Tensor::has_nan)).then_some(Spoils::Infinite)
        }
    }
}

impl Tensor {
    /// Whether all elements are finite; those that are no floating or complex numbers are.
    pub fn is_finite(&self) -> bool {
        fn all<T: Copy + Sync>(values: &[T], finite: impl Fn(T) -> bool + Sync) -> bool {
            !jitlens_kernels::vector::any(values, |x| !finite(x))
        }
        match &self.data {
            Data::F32(v) => all(v, f32::is_finite),
            Data::F64(v) => all(v, f64::is_finite),
            Data::BF16(v) => all(v, bf16::is_finite),
            Data::F16(v) => all(v, f16::is_finite),
            Data::C64(v) => all(v, Complex::is_finite),
            Data::C128(v) => all(v, Complex::is_finite),
            _ => true,
        }
    }

    /// Whether some element is no number.
    pub fn has_nan(&self) -> bool {
        use jitlens_kernels::vector::any;
        match &self.data {
            Data::F32(v) => any(v, f32::is_nan),
            Data::F64(v) => any(v, f64::is_nan),
            Data::BF16(v) => any(v, bf16::is_nan),
            Data::F16(v) => any(v, f16::is_nan),
            Data::C64(v) => any(v, Complex::is_nan),
            Data::C128(v) => any(v, Complex::is_nan),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spoils_numbers() {
        let of = |values: &[f32]| Tensor::new(&[values.len()][..], values.to_vec());
        let (fine, infinite, none) = (of(&[1.0]), of(&[f32::INFINITY]), of(&[f32::NAN, 1.0]));
        let spoils = |input: &Tensor, output: &Tensor| Spoils::of(&[fine.clone(), input.clone()], &[output.clone()]);
        assert_eq!(spoils(&fine, &infinite), Some(Spoils::Finite));
        assert_eq!(spoils(&fine, &none), Some(Spoils::Finite));
        assert_eq!(spoils(&infinite, &none), Some(Spoils::Infinite));
        // Infinities that stay are what a program may want, and NaN comes of NaN.
        assert_eq!(spoils(&infinite, &infinite), None);
        assert_eq!(spoils(&none, &none), None);
        assert_eq!(spoils(&fine, &fine), None);
    }
}
