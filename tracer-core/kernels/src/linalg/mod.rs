//! Decompositions of matrices in row-major slices, as LAPACK gives them.

mod balance;
mod bidiagonal;
pub mod eigen;
pub mod factor;
mod real_schur;
pub mod reduced;
pub mod reflect;
mod schur;
pub mod singular;
pub mod solve;
mod symmetric;

use nalgebra::ComplexField;

/// A real or complex number.
pub trait Scalar: ComplexField<RealField: Copy + PartialOrd> + Copy {}

impl<T: ComplexField<RealField: Copy + PartialOrd> + Copy> Scalar for T {}

/// |re| + |im|: what LAPACK chooses pivots by.
fn size<T: Scalar>(x: T) -> T::RealField {
    x.real().abs() + x.imaginary().abs()
}

/// Whether a real number is none.
fn is_nan<T: Scalar>(x: T::RealField) -> bool {
    x.partial_cmp(&x).is_none()
}

/// The distance of 1 to the next number.
fn epsilon<T: Scalar>() -> T::RealField {
    let one = T::one().real();
    let half: T::RealField = T::from_subset(&0.5).real();
    let mut least = one;
    while one + least * half > one {
        least *= half;
    }
    least
}

/// Two rows of a matrix, the first one before the second.
fn two_rows<T>(a: &mut [T], width: usize, first: usize, second: usize) -> (&mut [T], &mut [T]) {
    let (head, tail) = a.split_at_mut(second * width);
    (&mut head[first * width..(first + 1) * width], &mut tail[..width])
}
