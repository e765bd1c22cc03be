//! Solutions of triangular and tridiagonal systems.

use super::{Scalar, size, two_rows};
use crate::work::Stop;

/// How a triangular matrix is read.
#[derive(Copy, Clone, Debug)]
pub struct Triangle {
    /// Its lower triangle, else the upper one.
    pub lower: bool,
    /// Transposed.
    pub transpose: bool,
    /// Conjugated.
    pub conjugate: bool,
    /// With ones for its diagonal.
    pub unit: bool,
}

/// Solves `op(a) x = b` for an `n×n` triangular matrix and an `n×k` right side, in place.
pub fn triangular<T: Scalar>(a: &[T], b: &mut [T], n: usize, k: usize, how: Triangle) {
    let at = |i: usize, j: usize| {
        let x = if how.transpose { a[j * n + i] } else { a[i * n + j] };
        if how.conjugate { x.conjugate() } else { x }
    };
    // Forwards, if what is solved is lower.
    let forwards = how.lower != how.transpose;
    let stop = Stop::here();
    for step in 0..n {
        // Work that is stopped need not end.
        if stop.asked() {
            break;
        }
        let i = if forwards { step } else { n - 1 - step };
        if !how.unit {
            let diagonal = at(i, i);
            b[i * k..(i + 1) * k].iter_mut().for_each(|x| *x /= diagonal);
        }
        let others = if forwards { i + 1..n } else { 0..i };
        for j in others {
            let factor = at(j, i);
            let (row, other) = if i < j {
                two_rows(b, k, i, j)
            } else {
                let (other, row) = two_rows(b, k, j, i);
                (row, other)
            };
            for (x, &y) in other.iter_mut().zip(row.iter()) {
                *x -= factor * y;
            }
        }
    }
}

/// Solves a tridiagonal system for an `n×k` right side, in place, exchanging rows where that is more stable. `lower[i]` is
/// left of the diagonal in row `i`, `upper[i]` right of it. False if it is singular.
pub fn tridiagonal<T: Scalar>(lower: &[T], diagonal: &[T], upper: &[T], b: &mut [T], n: usize, k: usize) -> bool {
    if n == 0 {
        return true;
    }
    let mut dl: Vec<T> = lower[1..].to_vec();
    let mut d = diagonal.to_vec();
    let mut du: Vec<T> = upper[..n - 1].to_vec();
    let mut second = vec![T::zero(); n];
    for i in 0..n - 1 {
        let (row, next) = two_rows(b, k, i, i + 1);
        if size(d[i]) >= size(dl[i]) {
            if d[i].is_zero() {
                return false;
            }
            let factor = dl[i] / d[i];
            d[i + 1] -= factor * du[i];
            for (x, &y) in next.iter_mut().zip(row.iter()) {
                *x -= factor * y;
            }
            dl[i] = T::zero();
        } else {
            let factor = d[i] / dl[i];
            d[i] = dl[i];
            let held = d[i + 1];
            d[i + 1] = du[i] - factor * held;
            if i + 2 < n {
                second[i] = du[i + 1];
                du[i + 1] = -factor * du[i + 1];
            }
            du[i] = held;
            for (x, y) in row.iter_mut().zip(next.iter_mut()) {
                let held = *x;
                *x = *y;
                *y = held - factor * *x;
            }
        }
    }
    if d[n - 1].is_zero() {
        return false;
    }
    for i in (0..n).rev() {
        for j in 0..k {
            let mut x = b[i * k + j];
            if i + 1 < n {
                x -= du[i] * b[(i + 1) * k + j];
            }
            if i + 2 < n {
                x -= second[i] * b[(i + 2) * k + j];
            }
            b[i * k + j] = x / d[i];
        }
    }
    true
}
