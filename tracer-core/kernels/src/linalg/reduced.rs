//! What reflections make of matrices besides QR factors, step by step as LAPACK: Hessenberg and tridiagonal forms, QR factors with
//! exchanged columns, products with an orthogonal factor.

use nalgebra::ComplexField;
use num_traits::Zero;

use super::{Scalar, is_nan};
use crate::work::Stop;

/// Replaces a vector by what its reflection makes of its first element and, behind it, the vector of the reflection, whose first
/// element is 1; gives the factor. A real vector of one element is left. One NaN makes NaN of all.
pub(super) fn reflector<T: Scalar>(x: &mut [T]) -> T {
    let Some((&alpha, rest)) = x.split_first() else { return T::zero() };
    let larger = |x: T::RealField, y: T::RealField| if y > x || is_nan::<T>(y) { y } else { x };
    let scale = rest.iter().map(|x| x.modulus()).fold(T::RealField::zero(), larger);
    if scale.is_zero() && alpha.imaginary().is_zero() {
        return T::zero();
    }
    let scale = larger(scale, alpha.modulus());
    let squares = x.iter().map(|x| x.modulus() / scale).fold(T::RealField::zero(), |sum, x| sum + x * x);
    let norm = scale * squares.sqrt();
    let beta = if alpha.real() < T::RealField::zero() { norm } else { -norm };
    let factor = T::one() / (alpha - T::from_real(beta));
    x[1..].iter_mut().for_each(|x| *x *= factor);
    x[0] = T::from_real(beta);
    (T::from_real(beta) - alpha) / T::from_real(beta)
}

/// `H = I - tau v v*` on rows and columns of a matrix from the left: the vector goes along the rows.
fn from_left<T: Scalar>(a: &mut [T], width: usize, v: &[T], tau: T, (row, column): (usize, usize)) {
    let mut sums = vec![T::zero(); width - column];
    for (i, v) in v.iter().enumerate() {
        let values = &a[(row + i) * width + column..(row + i + 1) * width];
        sums.iter_mut().zip(values).for_each(|(sum, &x)| *sum += v.conjugate() * x);
    }
    for (i, v) in v.iter().enumerate() {
        let values = &mut a[(row + i) * width + column..(row + i + 1) * width];
        values.iter_mut().zip(&sums).for_each(|(x, &sum)| *x -= tau * *v * sum);
    }
}

/// As [`from_left`] from the right: the vector goes along the columns, of all rows.
fn from_right<T: Scalar>(a: &mut [T], width: usize, v: &[T], tau: T, column: usize) {
    for row in a.chunks_exact_mut(width) {
        let values = &mut row[column..column + v.len()];
        let sum = values.iter().zip(v).fold(T::zero(), |sum, (&x, &v)| sum + x * v);
        values.iter_mut().zip(v).for_each(|(x, v)| *x -= tau * sum * v.conjugate());
    }
}

/// A column of a matrix from a row on.
fn column<T: Scalar>(a: &[T], width: usize, column: usize, from: usize) -> Vec<T> {
    a[from * width..].chunks_exact(width).map(|row| row[column]).collect()
}

fn put_column<T: Scalar>(a: &mut [T], width: usize, column: usize, from: usize, values: &[T]) {
    a[from * width..].chunks_exact_mut(width).zip(values).for_each(|(row, &value)| row[column] = value);
}

/// Replaces an `n×n` matrix by its Hessenberg form, over the vectors of the reflections; gives their factors.
pub fn hessenberg<T: Scalar>(a: &mut [T], n: usize) -> Vec<T> {
    let stop = Stop::here();
    let mut taus = vec![T::zero(); n.saturating_sub(1)];
    for (k, place) in taus.iter_mut().enumerate() {
        if stop.asked() {
            break;
        }
        let mut v = column(a, n, k, k + 1);
        let tau = reflector(&mut v);
        put_column(a, n, k, k + 1, &v);
        *place = tau;
        v[0] = T::one();
        from_right(a, n, &v, tau, k + 1);
        from_left(a, n, &v, tau.conjugate(), (k + 1, k + 1));
    }
    taus
}

/// A tridiagonal matrix, and the factors of the reflections that lead to it.
#[derive(Clone, Debug)]
pub struct Tridiagonal<T: Scalar> {
    /// The diagonal.
    pub diagonal: Vec<T::RealField>,
    /// What is beside it.
    pub beside: Vec<T::RealField>,
    /// The factors.
    pub taus: Vec<T>,
}

/// Replaces one triangle of a hermitian `n×n` matrix by its tridiagonal form and the vectors of the reflections. The other one is
/// not read, and stays as it is.
pub fn tridiagonal<T: Scalar>(a: &mut [T], n: usize, lower: bool) -> Tridiagonal<T> {
    let count = n.saturating_sub(1);
    let mut taus = vec![T::zero(); count];
    let mut beside = vec![T::RealField::zero(); count];
    let stop = Stop::here();
    // A place of the triangle that is read.
    let at = |i: usize, j: usize| if (i >= j) == lower { i * n + j } else { j * n + i };
    for step in 0..count {
        if stop.asked() {
            break;
        }
        // The column that is reflected, and the rows of it: the one beside the diagonal first.
        let (k, here) = if lower { (step, step) } else { (n - 1 - step, n - 2 - step) };
        let rows: Vec<usize> = if lower { (k + 1..n).collect() } else { (0..k).rev().collect() };
        a[k * n + k] = T::from_real(a[k * n + k].real());
        let mut v: Vec<T> = rows.iter().map(|&i| a[at(i, k)]).collect();
        let tau = reflector(&mut v);
        rows.iter().zip(&v).for_each(|(&i, &x)| a[at(i, k)] = x);
        (taus[here], beside[here]) = (tau, v[0].real());
        v[0] = T::one();
        let read = |a: &[T], i: usize, j: usize| match ((i >= j) == lower, i == j) {
            (_, true) => T::from_real(a[i * n + i].real()),
            (true, _) => a[i * n + j],
            _ => a[j * n + i].conjugate(),
        };
        // w = tau A v - tau (w* v) v / 2, and A - v w* - w v*.
        let product = |&i: &usize| rows.iter().zip(&v).fold(T::zero(), |sum, (&j, &v)| sum + read(a, i, j) * v) * tau;
        let mut w: Vec<T> = rows.iter().map(product).collect();
        let dot = w.iter().zip(&v).fold(T::zero(), |sum, (w, &v)| sum + w.conjugate() * v);
        let half = T::from_subset(&-0.5) * tau * dot;
        w.iter_mut().zip(&v).for_each(|(w, &v)| *w += half * v);
        for (x, &i) in rows.iter().enumerate() {
            for (y, &j) in rows.iter().enumerate().filter(|(_, j)| (i >= **j) == lower || i == **j) {
                a[i * n + j] -= v[x] * w[y].conjugate() + w[x] * v[y].conjugate();
            }
        }
    }
    (0..n).for_each(|i| a[i * n + i] = T::from_real(a[i * n + i].real()));
    Tridiagonal { diagonal: (0..n).map(|i| a[i * n + i].real()).collect(), beside, taus }
}

/// Replaces an `m×n` matrix by its QR factors as `reflect::qr`, each time with the longest column that is left in front; gives the
/// factors, and the order of the columns.
pub fn pivoted<T: Scalar>(a: &mut [T], m: usize, n: usize) -> (Vec<T>, Vec<usize>) {
    let mut order: Vec<usize> = (0..n).collect();
    let mut taus = vec![T::zero(); m.min(n)];
    let norm = |a: &[T], j: usize, from: usize| {
        let column = column(a, n, j, from);
        let largest = column.iter().map(|x| x.modulus()).fold(T::RealField::zero(), |x, y| if y > x { y } else { x });
        let squares = column.iter().map(|x| x.modulus() / largest).fold(T::RealField::zero(), |sum, x| sum + x * x);
        if largest.is_zero() { largest } else { largest * squares.sqrt() }
    };
    let (zero, one) = (T::RealField::zero(), T::one().real());
    // What is left of a column's length, and what it was when it was last computed.
    let mut left: Vec<T::RealField> = (0..n).map(|j| norm(a, j, 0)).collect();
    let mut last = left.clone();
    let least = super::epsilon::<T>().sqrt();
    let stop = Stop::here();
    for (k, place) in taus.iter_mut().enumerate() {
        if stop.asked() {
            break;
        }
        let best = (k + 1..n).fold(k, |best, j| if left[j] > left[best] { j } else { best });
        if best != k {
            a.chunks_exact_mut(n).for_each(|row| row.swap(best, k));
            order.swap(best, k);
            left[best] = left[k];
            last[best] = last[k];
        }
        let mut v = column(a, n, k, k);
        let tau = reflector(&mut v);
        put_column(a, n, k, k, &v);
        *place = tau;
        v[0] = T::one();
        if k + 1 < n {
            from_left(a, n, &v, tau.conjugate(), (k, k + 1));
        }
        for j in k + 1..n {
            if left[j].is_zero() {
                continue;
            }
            let part = a[k * n + j].modulus() / left[j];
            let rest = one - part * part;
            let rest = if rest > zero { rest } else { zero };
            let since = left[j] / last[j];
            if rest * since * since <= least {
                left[j] = if k + 1 < m { norm(a, j, k + 1) } else { zero };
                last[j] = left[j];
            } else {
                left[j] *= rest.sqrt();
            }
        }
    }
    (taus, order)
}

/// Multiplies a matrix of this width by the product of reflections whose vectors are below the diagonal of `vectors`, of a width of its
/// own, or by its adjoint.
pub fn multiply<T: Scalar>(
    (vectors, own): (&[T], usize),
    taus: &[T],
    c: &mut [T],
    width: usize,
    (left, adjoint): (bool, bool),
) {
    let stop = Stop::here();
    for step in 0..taus.len() {
        if stop.asked() {
            break;
        }
        let k = if left == adjoint { step } else { taus.len() - 1 - step };
        let mut v = column(vectors, own, k, k);
        v[0] = T::one();
        let tau = if adjoint { taus[k].conjugate() } else { taus[k] };
        if left { from_left(c, width, &v, tau, (k, 0)) } else { from_right(c, width, &v, tau, k) }
    }
}

/// The upper Cholesky factor of `R* R + z z*` for real numbers, turn by turn.
pub fn cholesky_update<T: Scalar>(r: &mut [T], z: &mut [T], n: usize) {
    for k in 0..n {
        let (x, y) = (r[k * n + k], z[k]);
        let (c, s) = if y.is_zero() {
            (T::one(), T::zero())
        } else {
            let size = if x.modulus() > y.modulus() { x.modulus() } else { y.modulus() };
            let (x, y) = (x / T::from_real(size), y / T::from_real(size));
            let inverse = T::one() / (x * x + y * y).sqrt();
            (x * inverse, -y * inverse)
        };
        for (x, y) in r[k * n..(k + 1) * n].iter_mut().zip(z.iter_mut()) {
            (*x, *y) = (c * *x - s * *y, c * *y + s * *x);
        }
    }
}
