//! Householder reflections: QR factors.

use nalgebra::ComplexField;
use num_traits::Zero;

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
        // Rows below, all columns to the right: A -= conj(tau) v (v* A).
        let v = |a: &[T], i: usize| if i == k { T::one() } else { a[i * n + k] };
        row[k + 1..].fill(T::zero());
        for i in k..m {
            let factor = v(a, i).conjugate();
            for (sum, &x) in row[k + 1..].iter_mut().zip(&a[i * n + k + 1..(i + 1) * n]) {
                *sum += factor * x;
            }
        }
        for i in k..m {
            let factor = tau.conjugate() * v(a, i);
            for (x, &sum) in a[i * n + k + 1..(i + 1) * n].iter_mut().zip(&row[k + 1..]) {
                *x -= factor * sum;
            }
        }
    }
    taus
}

/// The reflection that brings column `k` below the diagonal to zero; its vector is left there.
fn reflector<T: Scalar>(a: &mut [T], m: usize, n: usize, k: usize) -> T {
    let alpha = a[k * n + k];
    let larger = |x: T::RealField, y: T::RealField| if y > x { y } else { x };
    let mut scale = T::RealField::zero();
    for i in k + 1..m {
        scale = larger(scale, a[i * n + k].modulus());
    }
    if scale.is_zero() && alpha.imaginary().is_zero() {
        return T::zero();
    }
    let scale = larger(scale, alpha.modulus());
    let mut sum = T::RealField::zero();
    for i in k..m {
        let x = a[i * n + k].modulus() / scale;
        sum += x * x;
    }
    let norm = scale * sum.sqrt();
    let beta = if alpha.real() < T::RealField::zero() { norm } else { -norm };
    let tau = (T::from_real(beta) - alpha) / T::from_real(beta);
    let factor = T::one() / (alpha - T::from_real(beta));
    for i in k + 1..m {
        a[i * n + k] *= factor;
    }
    a[k * n + k] = T::from_real(beta);
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
        row.fill(T::zero());
        for i in k..m {
            let factor = v(i, k).conjugate();
            for (sum, &x) in row[k..].iter_mut().zip(&a[i * n + k..(i + 1) * n]) {
                *sum += factor * x;
            }
        }
        for i in k..m {
            let factor = taus[k] * v(i, k);
            for (x, &sum) in a[i * n + k..(i + 1) * n].iter_mut().zip(&row[k..]) {
                *x -= factor * sum;
            }
        }
    }
}
