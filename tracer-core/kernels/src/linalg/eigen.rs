//! Eigenvalues. Iterations are bounded, so that no input keeps them busy for ever.

use nalgebra::ComplexField;
use num_complex::Complex;
use num_traits::Zero;

use super::balance::Balanced;
use crate::work::Stop;

type C = Complex<f64>;

/// Steps of an iteration for a matrix of this size.
fn steps(n: usize) -> usize {
    200 + 60 * n
}

/// The type of a matrix's numbers, by the steps between them: iterations end where its digits do.
#[derive(Copy, Clone, Debug)]
pub struct Precision {
    /// The distance of 1 to the next number.
    pub epsilon: f64,
    /// The least positive number with all digits.
    pub least: f64,
}

impl Precision {
    /// 64 bits.
    pub const DOUBLE: Precision = Precision { epsilon: f64::EPSILON, least: f64::MIN_POSITIVE };
    /// 32 bits.
    pub const SINGLE: Precision = Precision { epsilon: f32::EPSILON as f64, least: f32::MIN_POSITIVE as f64 };

    /// What is smaller has lost its digits.
    pub(super) fn tiny(&self) -> f64 {
        self.least / self.epsilon
    }
}

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
pub type General = (Vec<C>, Vec<C>, Vec<C>);

/// The eigenvalues and eigenvectors of an `n×n` matrix; vectors have length 1 and a real largest component. None if they are
/// not found.
pub fn general(a: &[C], n: usize, precision: &Precision) -> Option<General> {
    if n == 0 {
        return Some((Vec::new(), Vec::new(), Vec::new()));
    }
    if !a.iter().all(|x| x.re.is_finite() && x.im.is_finite()) {
        return None;
    }
    let balanced = Balanced::new(a, n, precision);
    let (q, t) = super::schur::schur(&balanced.matrix, n, steps(n), precision)?;
    let mut found = empty(n);
    vectors(&q, &t, n, precision, |k, value, [left, right]| {
        found.0.push(value);
        for (mut v, into, is_left) in [(left, &mut found.1, true), (right, &mut found.2, false)] {
            balanced.back(&mut v, is_left);
            let norm = length(&v);
            let phase = real_phase(&v);
            v.iter().enumerate().for_each(|(i, x)| into[i * n + k] = x * phase / norm);
        }
    })?;
    Some(found)
}

/// [`general`] of a real matrix: real eigenvalues and their eigenvectors have no imaginary parts, and of two conjugate ones the one
/// with the positive imaginary part comes first.
pub fn real(a: &[f64], n: usize, precision: &Precision) -> Option<General> {
    if n == 0 {
        return Some((Vec::new(), Vec::new(), Vec::new()));
    }
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    let balanced = Balanced::new(a, n, precision);
    let (form_q, form) = super::real_schur::schur(&balanced.matrix, n, steps(n), precision)?;
    let (q, t) = super::real_schur::triangular(&form_q, &form, n);
    let mut found = empty(n);
    vectors(&q, &t, n, precision, |k, value, [left, right]| {
        found.0.push(value);
        for (mut v, into, is_left) in [(left, &mut found.1, true), (right, &mut found.2, false)] {
            if value.im < 0.0 {
                (0..n).for_each(|i| into[i * n + k] = into[i * n + k - 1].conj());
                continue;
            }
            if value.im == 0.0 {
                v.iter_mut().for_each(|x| x.im = 0.0);
            } else {
                // Its coordinate along this column of the real form is real, and has this sign.
                let (above, below) = (form[k * n + k + 1], form[(k + 1) * n + k]);
                let sign = if (above.abs() >= below.abs()) == is_left { 1f64.copysign(above) } else { 1.0 };
                let along: C = form_q.chunks_exact(n).zip(&v).map(|(q, x)| x * q[k]).sum();
                let turn = along.conj() * (sign / along.norm());
                v.iter_mut().for_each(|x| *x *= turn);
            }
            balanced.back(&mut v, is_left);
            let norm = length(&v);
            let phase = if value.im == 0.0 { C::new(1.0, 0.0) } else { real_phase(&v) * 1f64.copysign(largest(&v).re) };
            v.iter().enumerate().for_each(|(i, x)| into[i * n + k] = x * phase / norm);
        }
    })?;
    Some(found)
}

fn empty(n: usize) -> General {
    (Vec::with_capacity(n), vec![C::zero(); n * n], vec![C::zero(); n * n])
}

fn length(v: &[C]) -> f64 {
    v.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt()
}

fn largest(v: &[C]) -> C {
    v.iter().copied().fold(C::zero(), |a: C, b| if b.norm() > a.norm() { b } else { a })
}

/// What makes the largest component a positive number.
fn real_phase(v: &[C]) -> C {
    let largest = largest(v);
    if largest.norm() > 0.0 { largest.conj() / largest.norm() } else { C::new(1.0, 0.0) }
}

/// Gives each eigenvalue of the matrix `q t qᴴ`, with `t` upper triangular, and its left and right eigenvectors, as long as they come.
fn vectors(
    q: &[C],
    t: &[C],
    n: usize,
    precision: &Precision,
    mut give: impl FnMut(usize, C, [Vec<C>; 2]),
) -> Option<()> {
    let stop = Stop::here();
    for k in 0..n {
        if stop.asked() {
            return None;
        }
        let value = t[k * n + k];
        let small = (precision.epsilon * value.l1_norm()).max(precision.tiny() * n as f64);
        let gap = |i: usize| {
            let gap = t[i * n + i] - value;
            if gap.l1_norm() < small { C::new(small, 0.0) } else { gap }
        };
        // Back substitution in the triangular form, then back to the basis of the matrix.
        let mut right = vec![C::zero(); n];
        right[k] = C::new(1.0, 0.0);
        for i in (0..k).rev() {
            let sum: C = (i + 1..=k).map(|j| t[i * n + j] * right[j]).sum();
            right[i] = -sum / gap(i);
            tame(&mut right);
        }
        let mut left = vec![C::zero(); n];
        left[k] = C::new(1.0, 0.0);
        for i in k + 1..n {
            let sum: C = (k..i).map(|j| t[j * n + i].conj() * left[j]).sum();
            left[i] = -sum / gap(i).conj();
            tame(&mut left);
        }
        give(
            k,
            value,
            [left, right].map(|y| q.chunks_exact(n).map(|q| q.iter().zip(&y).map(|(q, y)| q * y).sum()).collect()),
        );
    }
    Some(())
}

/// Keeps a vector that grows, as where eigenvalues are equal, from overflowing.
fn tame(y: &mut [C]) {
    let most = y.iter().map(|x| x.l1_norm()).fold(0.0, f64::max);
    if most > 1e100 {
        y.iter_mut().for_each(|x| *x /= most);
    }
}
