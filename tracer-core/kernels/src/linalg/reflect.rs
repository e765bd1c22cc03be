//! Householder reflections: QR factors.

use super::Scalar;
use crate::work::Stop;

/// Replaces an `m×n` matrix by its triangular factor and, below the diagonal, the vectors of its reflections
/// `H = I - tau v v*`; gives their factors.
pub fn qr<T: Scalar>(a: &mut [T], m: usize, n: usize) -> Vec<T> {
    let count = m.min(n);
    let mut taus = Vec::with_capacity(count);
    let mut row = vec![T::zero(); n];
    let stop = Stop::here();
    for k in 0..count {
        // Work that is stopped need not end.
        if stop.asked() {
            taus.resize(count, T::zero());
            break;
        }
        let tau = reflector(a, m, n, k);
        taus.push(tau);
        if tau.is_zero() {
            continue;
        }
        // Rows below, all columns to the right: A -= conj(tau) v (v* A). As in LAPACK, rows that the vector has nothing of and
        // columns of zeros are left out at the end: a NaN in them, or in the vector, goes no further.
        let v = |a: &[T], i: usize| if i == k { T::one() } else { a[i * n + k] };
        let rows = (k + 1..m).rev().find(|&i| !v(a, i).is_zero()).map_or(k + 1, |last| last + 1);
        let is_empty = |j: usize| (k..rows).all(|i| a[i * n + j].is_zero());
        let columns = (k + 1..n).rev().find(|&j| !is_empty(j)).map_or(k + 1, |last| last + 1);
        row[k + 1..columns].fill(T::zero());
        for i in k..rows {
            let factor = v(a, i).conjugate();
            for (sum, &x) in row[k + 1..columns].iter_mut().zip(&a[i * n + k + 1..i * n + columns]) {
                *sum += factor * x;
            }
        }
        for i in k..rows {
            let factor = tau.conjugate() * v(a, i);
            for (x, &sum) in a[i * n + k + 1..i * n + columns].iter_mut().zip(&row[k + 1..columns]) {
                *x -= factor * sum;
            }
        }
    }
    taus
}

/// The reflection that brings column `k` below the diagonal to zero; its vector is left there.
fn reflector<T: Scalar>(a: &mut [T], m: usize, n: usize, k: usize) -> T {
    let mut x: Vec<T> = (k..m).map(|i| a[i * n + k]).collect();
    let tau = super::reduced::reflector(&mut x);
    (k..m).zip(x).for_each(|(i, x)| a[i * n + k] = x);
    tau
}

/// The first `n` columns of the product of reflections whose vectors are below the diagonal of an `m×n` matrix.
pub fn product<T: Scalar>(a: &mut [T], taus: &[T], m: usize, n: usize) {
    let vectors = a.to_vec();
    let v = |i: usize, k: usize| if i == k { T::one() } else { vectors[i * n + k] };
    a.fill(T::zero());
    for i in 0..m.min(n) {
        a[i * n + i] = T::one();
    }
    let mut row = vec![T::zero(); n];
    let stop = Stop::here();
    for k in (0..taus.len()).rev() {
        // Work that is stopped need not end.
        if stop.asked() {
            break;
        }
        // The columns to the right, unless the reflection changes nothing.
        let rows = (k + 1..m).rev().find(|&i| !v(i, k).is_zero()).map_or(k + 1, |last| last + 1);
        let rows = if taus[k].is_zero() { k } else { rows };
        row.fill(T::zero());
        for i in k..rows {
            let factor = v(i, k).conjugate();
            for (sum, &x) in row[k + 1..].iter_mut().zip(&a[i * n + k + 1..(i + 1) * n]) {
                *sum += factor * x;
            }
        }
        for i in k..rows {
            let factor = taus[k] * v(i, k);
            for (x, &sum) in a[i * n + k + 1..(i + 1) * n].iter_mut().zip(&row[k + 1..]) {
                *x -= factor * sum;
            }
        }
        // Its own column is the reflected axis; zeros in it are negative, as LAPACK's.
        a[k * n + k] = T::one() - taus[k];
        for i in k + 1..m {
            a[i * n + k] = -taus[k] * v(i, k);
        }
    }
}
