//! Triangular factors: Cholesky and LU.

use nalgebra::ComplexField;
use num_traits::Zero;

use super::{Scalar, is_nan, size, two_rows};
use crate::work::Stop;

/// The lower Cholesky factor of an `n×n` matrix, of which only the lower triangle is read; what is above stays as it is.
/// False if the matrix is not positive definite. A NaN is no reason: what does not depend on it is as it is.
pub fn cholesky<T: Scalar>(a: &mut [T], n: usize) -> bool {
    let stop = Stop::here();
    for i in 0..n {
        // Work that is stopped need not end.
        if stop.asked() {
            break;
        }
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k].conjugate();
            }
            if i == j {
                let square = sum.real();
                if square <= T::RealField::zero() {
                    return false;
                }
                a[i * n + i] = T::from_real(square.sqrt());
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
    }
    true
}

/// Replaces an `m×n` matrix by its LU factors, rows exchanged: row `i` with row `pivots[i]`, one after the other.
pub fn lu<T: Scalar>(a: &mut [T], m: usize, n: usize) -> Vec<usize> {
    let mut pivots = Vec::with_capacity(m.min(n));
    let stop = Stop::here();
    for k in 0..m.min(n) {
        // Work that is stopped need not end.
        if stop.asked() {
            pivots.extend(k..m.min(n));
            break;
        }
        let mut best = k;
        for i in k + 1..m {
            if size(a[i * n + k]) > size(a[best * n + k]) {
                best = i;
            }
        }
        pivots.push(best);
        if best != k {
            let (upper, lower) = two_rows(a, n, k, best);
            upper.swap_with_slice(lower);
        }
        // Nothing is divided by a pivot that is zero or no number; the column goes on as it is.
        let pivot = a[k * n + k];
        let is_number = !pivot.is_zero() && !is_nan::<T>(size(pivot));
        for i in k + 1..m {
            let (upper, row) = two_rows(a, n, k, i);
            let factor = if is_number { row[k] / pivot } else { row[k] };
            row[k] = factor;
            for (x, &y) in row[k + 1..].iter_mut().zip(&upper[k + 1..]) {
                *x -= factor * y;
            }
        }
    }
    pivots
}

/// The order of rows that exchanges give.
pub fn permutation(pivots: impl IntoIterator<Item = usize>, size: usize) -> Vec<i32> {
    let mut order: Vec<i32> = (0..size as i32).collect();
    for (i, j) in pivots.into_iter().enumerate() {
        if i < size && j < size {
            order.swap(i, j);
        }
    }
    order
}
