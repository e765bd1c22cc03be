//! Singular values of any matrix: Householder reflections to bidiagonal form, of the triangular factor where the matrix is
//! much longer in one direction; then `bidiagonal`.

use super::eigen::Double;
use super::{bidiagonal, reflect};
use crate::work::Stop;

/// Singular values, left vectors as columns, right vectors as rows.
pub type Singular<T> = (Vec<f64>, Vec<T>, Vec<T>);

/// The singular values of an `m×n` matrix, descending, with as many vectors as values, or with `full` all of them; none if
/// they are not found.
pub fn decompose<T: Double>(a: &[T], m: usize, n: usize, full: bool) -> Option<Singular<T>> {
    if !a.iter().all(|x| x.is_finite()) {
        return None;
    }
    if m >= n {
        let (values, u, v) = tall(a, m, n, full)?;
        return Some((values, u, adjoint(&v, n, n)));
    }
    // The adjoint is not decomposed instead: reflections start from the rows, as LAPACK does.
    let (values, u, v) = wide(a, m, n, full)?;
    let width = if full { n } else { m };
    Some((values, u, adjoint(&v, n, width)))
}

fn adjoint<T: Double>(a: &[T], m: usize, n: usize) -> Vec<T> {
    (0..n).flat_map(|j| (0..m).map(move |i| (i, j))).map(|(i, j)| a[i * n + j].conjugate()).collect()
}

/// From when on the triangular factor comes first.
fn much_longer<T: Double>(long: usize, short: usize) -> bool {
    long >= if T::is_complex() { short * 17 / 9 } else { short * 11 / 6 }
}

/// Values, left vectors (`m×m` or `m×n`) and right vectors (`n×n`), both as columns.
fn tall<T: Double>(a: &[T], m: usize, n: usize, full: bool) -> Option<Singular<T>> {
    let width = if full { m } else { n };
    if !much_longer::<T>(m, n) || n == 0 {
        return direct(a, m, n, width, n);
    }
    let mut factors = a.to_vec();
    let taus = reflect::qr(&mut factors, m, n);
    let mut q = vec![T::zero(); m * width];
    for i in 0..m {
        q[i * width..i * width + n].copy_from_slice(&factors[i * n..(i + 1) * n]);
    }
    reflect::product(&mut q, &taus, m, width);
    let r: Vec<T> = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .map(|(i, j)| if j < i { T::zero() } else { factors[i * n + j] })
        .collect();
    let (values, inner, v) = direct(&r, n, n, n, n)?;
    let mut u = q.clone();
    for i in 0..m {
        for j in 0..n {
            let mut sum = T::zero();
            for k in 0..n {
                sum += q[i * width + k] * inner[k * n + j];
            }
            u[i * width + j] = sum;
        }
    }
    Some((values, u, v))
}

/// Values, left vectors (`m×m`) and right vectors (`n×n` or `n×m`), both as columns.
fn wide<T: Double>(a: &[T], m: usize, n: usize, full: bool) -> Option<Singular<T>> {
    let width = if full { n } else { m };
    if !much_longer::<T>(n, m) || m == 0 {
        return direct(a, m, n, m, width);
    }
    // The lower factor of the matrix, by the reflections of its rows.
    let mut factors = adjoint(a, m, n);
    let taus = reflect::qr(&mut factors, n, m);
    let mut q = vec![T::zero(); n * width];
    for i in 0..n {
        q[i * width..i * width + m].copy_from_slice(&factors[i * m..(i + 1) * m]);
    }
    reflect::product(&mut q, &taus, n, width);
    let l: Vec<T> = (0..m)
        .flat_map(|i| (0..m).map(move |j| (i, j)))
        .map(|(i, j)| if j > i { T::zero() } else { factors[j * m + i].conjugate() })
        .collect();
    let (values, u, inner) = direct(&l, m, m, m, m)?;
    let mut v = q.clone();
    for i in 0..n {
        for j in 0..m {
            let mut sum = T::zero();
            for k in 0..m {
                sum += q[i * width + k] * inner[k * m + j];
            }
            v[i * width + j] = sum;
        }
    }
    Some((values, u, v))
}

/// By way of the bidiagonal form: values, so many left and right vectors, both as columns.
fn direct<T: Double>(a: &[T], m: usize, n: usize, left: usize, right: usize) -> Option<Singular<T>> {
    let mut a = a.to_vec();
    let k = m.min(n);
    let lower = m < n;
    let (mut d, mut e) = (vec![0.0; k], vec![0.0; k.saturating_sub(1)]);
    let mut columns: Vec<Reflection<T>> = Vec::new();
    let mut rows: Vec<Reflection<T>> = Vec::new();
    let stop = Stop::here();
    for i in 0..k {
        if stop.asked() {
            return None;
        }
        if lower {
            d[i] = row(&mut a, m, n, i, i, &mut rows);
            if i + 1 < m {
                e[i] = column(&mut a, m, n, i + 1, i, &mut columns);
            }
        } else {
            d[i] = column(&mut a, m, n, i, i, &mut columns);
            if i + 1 < n {
                e[i] = row(&mut a, m, n, i, i + 1, &mut rows);
            }
        }
    }
    let (bu, bv) = bidiagonal::singular(&mut d, &mut e, lower)?;
    let mut u = padded(m, left, k, |i, j| T::from_real(bu[i * k + j]));
    let mut v = padded(n, right, k, |i, j| T::from_real(bv[j * k + i]));
    columns.iter().rev().take_while(|_| !stop.asked()).for_each(|reflection| reflection.apply(&mut u, left));
    rows.iter().rev().take_while(|_| !stop.asked()).for_each(|reflection| reflection.apply(&mut v, right));
    Some((d, u, v))
}

/// A block in the corner, ones on the rest of the diagonal.
fn padded<T: Double>(rows: usize, columns: usize, k: usize, block: impl Fn(usize, usize) -> T) -> Vec<T> {
    let one = |i: usize, j: usize| if i == j { T::one() } else { T::zero() };
    let at = |i: usize, j: usize| if i < k && j < k { block(i, j) } else { one(i, j) };
    (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
}

/// `I - tau v v*`, where `v` starts at coordinate `start` with a 1.
struct Reflection<T> {
    start: usize,
    v: Vec<T>,
    tau: T,
}

impl<T: Double> Reflection<T> {
    /// Of the vector `x`, to a multiple of the first unit vector, which is given too.
    fn new(start: usize, x: &[T]) -> (f64, Reflection<T>) {
        let alpha = x[0];
        let rest = x[1..].iter().map(|x| x.modulus_squared()).sum::<f64>();
        let mut v = x.to_vec();
        v[0] = T::one();
        if rest == 0.0 && alpha.imaginary() == 0.0 {
            return (alpha.real(), Reflection { start, v, tau: T::zero() });
        }
        let norm = (alpha.modulus_squared() + rest).sqrt();
        let beta = if alpha.real() < 0.0 { norm } else { -norm };
        let scale = T::one() / (alpha - T::from_real(beta));
        v[1..].iter_mut().for_each(|x| *x *= scale);
        let tau = (T::from_real(beta) - alpha) / T::from_real(beta);
        (beta, Reflection { start, v, tau })
    }

    /// To the left of a matrix with rows of this width.
    fn apply(&self, a: &mut [T], width: usize) {
        for j in 0..width {
            let mut sum = T::zero();
            for (i, &v) in self.v.iter().enumerate() {
                sum += v.conjugate() * a[(self.start + i) * width + j];
            }
            let sum = self.tau * sum;
            for (i, &v) in self.v.iter().enumerate() {
                a[(self.start + i) * width + j] -= v * sum;
            }
        }
    }
}

/// Brings column `j` to zero below row `i`.
fn column<T: Double>(a: &mut [T], m: usize, n: usize, i: usize, j: usize, done: &mut Vec<Reflection<T>>) -> f64 {
    let x: Vec<T> = (i..m).map(|r| a[r * n + j]).collect();
    let (beta, reflection) = Reflection::new(i, &x);
    let adjoint = Reflection { tau: reflection.tau.conjugate(), start: i, v: reflection.v.clone() };
    adjoint.apply(a, n);
    done.push(reflection);
    beta
}

/// Brings row `i` to zero right of column `j`.
fn row<T: Double>(a: &mut [T], m: usize, n: usize, i: usize, j: usize, done: &mut Vec<Reflection<T>>) -> f64 {
    let x: Vec<T> = a[i * n + j..(i + 1) * n].iter().map(|x| x.conjugate()).collect();
    let (beta, reflection) = Reflection::new(j, &x);
    for r in i..m {
        let row = &mut a[r * n + j..(r + 1) * n];
        let mut sum = T::zero();
        for (x, &v) in row.iter().zip(&reflection.v) {
            sum += *x * v;
        }
        let sum = sum * reflection.tau;
        for (x, &v) in row.iter_mut().zip(&reflection.v) {
            *x -= sum * v.conjugate();
        }
    }
    done.push(reflection);
    beta
}
