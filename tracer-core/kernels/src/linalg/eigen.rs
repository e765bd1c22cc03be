//! Eigenvalues. Iterations are bounded, so that no input keeps them busy for ever.

use nalgebra::ComplexField;
use num_complex::Complex;
use num_traits::Zero;

use crate::work::Stop;

/// Steps of an iteration for a matrix of this size.
fn steps(n: usize) -> usize {
    200 + 60 * n
}

const EPSILON: f64 = f64::EPSILON;

/// A number in double precision.
pub trait Double: ComplexField<RealField = f64> + Copy {
    /// Whether it has an imaginary part.
    fn is_complex() -> bool;
}
impl Double for f64 {
    fn is_complex() -> bool {
        false
    }
}
impl Double for Complex<f64> {
    fn is_complex() -> bool {
        true
    }
}

/// The eigenvalues of a Hermitian `n×n` matrix, ascending, and its eigenvectors as columns; none if they are not found.
pub fn hermitian<T: Double>(a: &[T], n: usize) -> Option<(Vec<f64>, Vec<T>)> {
    if n == 0 {
        return Some((Vec::new(), Vec::new()));
    }
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    super::symmetric::eigen(a, n)
}

/// What [`general`] gives: eigenvalues, left and right eigenvectors as columns.
pub type General = (Vec<Complex<f64>>, Vec<Complex<f64>>, Vec<Complex<f64>>);

/// The eigenvalues and eigenvectors of an `n×n` matrix; vectors have length 1 and a real largest component. None if they are
/// not found.
pub fn general(a: &[Complex<f64>], n: usize) -> Option<General> {
    if n == 0 {
        return Some((Vec::new(), Vec::new(), Vec::new()));
    }
    if !a.iter().all(|x| x.re.is_finite() && x.im.is_finite()) {
        return None;
    }
    let (q, t) = super::schur::schur(a, n, steps(n))?;
    vectors(&q, &t, n)
}

/// [`general`] of a real matrix: real eigenvalues and their eigenvectors have no imaginary parts, and of two conjugate ones the one
/// with the positive imaginary part comes first.
pub fn real(a: &[f64], n: usize) -> Option<General> {
    if n == 0 {
        return Some((Vec::new(), Vec::new(), Vec::new()));
    }
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let (q, t) = super::real_schur::schur(a, n, steps(n))?;
    let (q, t) = super::real_schur::triangular(&q, &t, n);
    let (values, mut left, mut right) = vectors(&q, &t, n)?;
    for side in [&mut left, &mut right] {
        for row in side.chunks_exact_mut(n) {
            for (k, value) in values.iter().enumerate() {
                if value.im == 0.0 {
                    row[k].im = 0.0;
                } else if value.im < 0.0 {
                    row[k] = row[k - 1].conj();
                }
            }
        }
    }
    Some((values, left, right))
}

/// Eigenvalues and eigenvectors of the matrix `q t qᴴ`, with `t` upper triangular.
fn vectors(q: &[Complex<f64>], t: &[Complex<f64>], n: usize) -> Option<General> {
    let values: Vec<Complex<f64>> = (0..n).map(|i| t[i * n + i]).collect();
    let small = t.iter().map(|x| x.norm()).fold(0.0, f64::max).max(f64::MIN_POSITIVE) * EPSILON;
    let (mut left, mut right) = (vec![Complex::zero(); n * n], vec![Complex::zero(); n * n]);
    let stop = Stop::here();
    for (k, &value) in values.iter().enumerate() {
        if stop.asked() {
            return None;
        }
        let gap = |i: usize| {
            let gap = t[i * n + i] - value;
            if gap.norm() < small { Complex::new(small, 0.0) } else { gap }
        };
        // Back substitution in the triangular form, then back to the basis of the matrix.
        let mut y = vec![Complex::zero(); n];
        y[k] = Complex::new(1.0, 0.0);
        for i in (0..k).rev() {
            let sum: Complex<f64> = (i + 1..=k).map(|j| t[i * n + j] * y[j]).sum();
            y[i] = -sum / gap(i);
        }
        store(&mut right, q, &y, k, n);
        let mut y = vec![Complex::zero(); n];
        y[k] = Complex::new(1.0, 0.0);
        for i in k + 1..n {
            let sum: Complex<f64> = (k..i).map(|j| t[j * n + i].conj() * y[j]).sum();
            y[i] = -sum / gap(i).conj();
        }
        store(&mut left, q, &y, k, n);
    }
    Some((values, left, right))
}

/// `q y` as column `k`, of length 1 and with a real largest component.
fn store(into: &mut [Complex<f64>], q: &[Complex<f64>], y: &[Complex<f64>], k: usize, n: usize) {
    let v: Vec<Complex<f64>> = q.chunks_exact(n).map(|q| q.iter().zip(y).map(|(q, y)| q * y).sum()).collect();
    let norm = v.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
    let largest = v.iter().copied().fold(Complex::zero(), |a: Complex<f64>, b| if b.norm() > a.norm() { b } else { a });
    let phase = if largest.norm() > 0.0 { largest.conj() / largest.norm() } else { Complex::new(1.0, 0.0) };
    for (i, x) in v.iter().enumerate() {
        into[i * n + k] = x * phase / norm;
    }
}
