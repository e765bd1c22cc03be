//! Eigenvalues of Hermitian matrices: Householder reflections to tridiagonal form, then implicit QL and QR steps, in the
//! order of LAPACK, so that vectors of small matrices come out with its signs.

use super::eigen::Double;
use crate::work::Stop;

/// The eigenvalues of a Hermitian `n×n` matrix, of which the lower triangle is read, ascending, and its eigenvectors as
/// columns; none if the iteration does not end.
pub fn eigen<T: Double>(a: &[T], n: usize) -> Option<(Vec<f64>, Vec<T>)> {
    let mut a = a.to_vec();
    let (mut d, mut e, taus) = tridiagonal(&mut a, n);
    let z = steps(&mut d, &mut e, n)?;
    let mut vectors: Vec<T> = z.iter().map(|&x| T::from_real(x)).collect();
    // The reflections, last one first, take the vectors back to the basis of the matrix.
    let stop = Stop::here();
    for k in (0..taus.len()).rev() {
        // Work that is stopped need not end.
        if stop.asked() {
            break;
        }
        let v = |i: usize| if i == k + 1 { T::one() } else { a[i * n + k] };
        for j in 0..n {
            let mut sum = T::zero();
            for i in k + 1..n {
                sum += v(i).conjugate() * vectors[i * n + j];
            }
            let sum = taus[k] * sum;
            for i in k + 1..n {
                vectors[i * n + j] -= v(i) * sum;
            }
        }
    }
    Some((d, vectors))
}

/// Diagonal, subdiagonal and the factors of the reflections, whose vectors are left below the subdiagonal.
fn tridiagonal<T: Double>(a: &mut [T], n: usize) -> (Vec<f64>, Vec<f64>, Vec<T>) {
    let (mut d, mut e, mut taus) = (Vec::with_capacity(n), Vec::new(), Vec::new());
    let stop = Stop::here();
    for k in 0..n {
        // Work that is stopped need not end.
        if stop.asked() {
            d.resize(n, 0.0);
            e.resize(n - 1, 0.0);
            taus.resize(n - 1, T::zero());
            break;
        }
        d.push(a[k * n + k].real());
        if k + 1 == n {
            break;
        }
        let (beta, tau) = reflector(a, n, k);
        e.push(beta);
        taus.push(tau);
        if tau.is_zero() {
            continue;
        }
        a[(k + 1) * n + k] = T::one();
        let size = n - k - 1;
        let v: Vec<T> = (0..size).map(|i| a[(k + 1 + i) * n + k]).collect();
        // The trailing matrix, by its lower triangle.
        let at = |a: &[T], i: usize, j: usize| {
            let (r, c) = (k + 1 + i.max(j), k + 1 + i.min(j));
            let x = a[r * n + c];
            if i == j {
                T::from_real(x.real())
            } else if i > j {
                x
            } else {
                x.conjugate()
            }
        };
        let mut w: Vec<T> = (0..size)
            .map(|i| {
                let mut sum = T::zero();
                for (j, &vj) in v.iter().enumerate() {
                    sum += at(a, i, j) * vj;
                }
                tau * sum
            })
            .collect();
        let mut dot = T::zero();
        for (x, y) in w.iter().zip(&v) {
            dot += x.conjugate() * *y;
        }
        let alpha = T::from_real(-0.5) * tau * dot;
        for (x, &y) in w.iter_mut().zip(&v) {
            *x += alpha * y;
        }
        for i in 0..size {
            for j in 0..=i {
                let change = v[i] * w[j].conjugate() + w[i] * v[j].conjugate();
                a[(k + 1 + i) * n + k + 1 + j] -= change;
            }
        }
        a[(k + 1) * n + k] = T::from_real(beta);
    }
    (d, e, taus)
}

/// The reflection of column `k` below the subdiagonal: the subdiagonal element that is left, and its factor.
fn reflector<T: Double>(a: &mut [T], n: usize, k: usize) -> (f64, T) {
    let alpha = a[(k + 1) * n + k];
    let rest = (k + 2..n).map(|i| a[i * n + k].modulus_squared()).sum::<f64>();
    if rest == 0.0 && alpha.imaginary() == 0.0 {
        return (alpha.real(), T::zero());
    }
    let norm = (alpha.modulus_squared() + rest).sqrt();
    let beta = if alpha.real() < 0.0 { norm } else { -norm };
    let tau = (T::from_real(beta) - alpha) / T::from_real(beta);
    let scale = T::one() / (alpha - T::from_real(beta));
    for i in k + 2..n {
        a[i * n + k] *= scale;
    }
    (beta, tau)
}

/// A rotation that takes `(f, g)` to `(r, 0)`: cosine, sine, `r`.
pub(super) fn rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        return (1.0, 0.0, f);
    }
    if f == 0.0 {
        return (0.0, 1f64.copysign(g), g.abs());
    }
    let r = f.hypot(g).copysign(f);
    (f.abs() / r.abs(), g / r, r)
}

/// The eigenvalues of `[[a, b], [b, c]]`, the larger in size first, and the vector of the first.
fn two_by_two(a: f64, b: f64, c: f64) -> (f64, f64, f64, f64) {
    let (sum, difference, twice) = (a + c, a - c, b + b);
    let (larger, smaller) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
    let root = difference.hypot(twice);
    let (first, second, sign) = if sum == 0.0 {
        (0.5 * root, -0.5 * root, 1.0)
    } else {
        let sign = sum.signum();
        let first = 0.5 * (sum + sign * root);
        (first, (larger / first) * smaller - (b / first) * b, sign)
    };
    let (cs, own) = if difference >= 0.0 { (difference + root, 1.0) } else { (difference - root, -1.0) };
    let (mut cosine, mut sine);
    if cs.abs() > twice.abs() {
        let t = -twice / cs;
        sine = 1.0 / (1.0 + t * t).sqrt();
        cosine = t * sine;
    } else if twice == 0.0 {
        (cosine, sine) = (1.0, 0.0);
    } else {
        let t = -cs / twice;
        cosine = 1.0 / (1.0 + t * t).sqrt();
        sine = t * cosine;
    }
    if sign == own {
        (cosine, sine) = (-sine, cosine);
    }
    (first, second, cosine, sine)
}

/// Rotates columns `j` and `j + 1`.
fn rotate(z: &mut [f64], n: usize, j: usize, cosine: f64, sine: f64) {
    for row in z.chunks_exact_mut(n) {
        let held = row[j + 1];
        row[j + 1] = cosine * held - sine * row[j];
        row[j] = sine * held + cosine * row[j];
    }
}

/// The eigenvalues of a symmetric tridiagonal matrix, in place of its diagonal, and its eigenvectors as columns.
fn steps(d: &mut [f64], e: &mut [f64], n: usize) -> Option<Vec<f64>> {
    const EPSILON: f64 = f64::EPSILON / 2.0;
    let small = |off: f64, a: f64, b: f64| off * off <= EPSILON * EPSILON * a.abs() * b.abs() + f64::MIN_POSITIVE;
    let mut z = vec![0.0; n * n];
    (0..n).for_each(|i| z[i * n + i] = 1.0);
    let mut left = 30 * n;
    let mut start = 0;
    let stop = Stop::here();
    while start < n {
        if stop.asked() {
            return None;
        }
        if start > 0 {
            e[start - 1] = 0.0;
        }
        // The next block that does not fall apart.
        let mut end = n - 1;
        for m in start..n - 1 {
            let off = e[m].abs();
            if off == 0.0 {
                end = m;
                break;
            }
            if off <= d[m].abs().sqrt() * d[m + 1].abs().sqrt() * EPSILON {
                e[m] = 0.0;
                end = m;
                break;
            }
        }
        let (first, last) = (start, end);
        start = end + 1;
        if first == last {
            continue;
        }
        if d[last].abs() >= d[first].abs() {
            let mut l = first;
            while l <= last {
                if stop.asked() {
                    return None;
                }
                let m = (l..last).find(|&m| small(e[m], d[m], d[m + 1])).unwrap_or(last);
                if m < last {
                    e[m] = 0.0;
                }
                if m == l {
                    l += 1;
                } else if m == l + 1 {
                    let (a, b, cosine, sine) = two_by_two(d[l], e[l], d[l + 1]);
                    rotate(&mut z, n, l, cosine, sine);
                    (d[l], d[l + 1], e[l]) = (a, b, 0.0);
                    l += 2;
                } else {
                    left = left.checked_sub(1)?;
                    ql(d, e, &mut z, n, l, m);
                }
            }
        } else {
            let mut l = last as isize;
            while l >= first as isize {
                if stop.asked() {
                    return None;
                }
                let at = l as usize;
                let m = (first + 1..=at).rev().find(|&m| small(e[m - 1], d[m], d[m - 1])).unwrap_or(first);
                if m > first {
                    e[m - 1] = 0.0;
                }
                if m == at {
                    l -= 1;
                } else if m + 1 == at {
                    let (a, b, cosine, sine) = two_by_two(d[at - 1], e[at - 1], d[at]);
                    rotate(&mut z, n, at - 1, cosine, sine);
                    (d[at - 1], d[at], e[at - 1]) = (a, b, 0.0);
                    l -= 2;
                } else {
                    left = left.checked_sub(1)?;
                    qr(d, e, &mut z, n, m, at);
                }
            }
        }
    }
    sort(d, &mut z, n);
    Some(z)
}

/// One implicit QL step from `m` up to `l`.
fn ql(d: &mut [f64], e: &mut [f64], z: &mut [f64], n: usize, l: usize, m: usize) {
    let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
    let r = g.hypot(1.0);
    g = d[m] - d[l] + e[l] / (g + r.copysign(g));
    let (mut sine, mut cosine, mut p) = (1.0, 1.0, 0.0);
    let mut rotations = Vec::with_capacity(m - l);
    for i in (l..m).rev() {
        let (f, b) = (sine * e[i], cosine * e[i]);
        let r;
        (cosine, sine, r) = rotation(g, f);
        if i != m - 1 {
            e[i + 1] = r;
        }
        g = d[i + 1] - p;
        let r = (d[i] - g) * sine + 2.0 * cosine * b;
        p = sine * r;
        d[i + 1] = g + p;
        g = cosine * r - b;
        rotations.push((i, cosine, -sine));
    }
    for (i, cosine, sine) in rotations {
        rotate(z, n, i, cosine, sine);
    }
    d[l] -= p;
    e[l] = g;
}

/// One implicit QR step from `m` down to `l`.
fn qr(d: &mut [f64], e: &mut [f64], z: &mut [f64], n: usize, m: usize, l: usize) {
    let mut g = (d[l - 1] - d[l]) / (2.0 * e[l - 1]);
    let r = g.hypot(1.0);
    g = d[m] - d[l] + e[l - 1] / (g + r.copysign(g));
    let (mut sine, mut cosine, mut p) = (1.0, 1.0, 0.0);
    let mut rotations = Vec::with_capacity(l - m);
    for i in m..l {
        let (f, b) = (sine * e[i], cosine * e[i]);
        let r;
        (cosine, sine, r) = rotation(g, f);
        if i != m {
            e[i - 1] = r;
        }
        g = d[i] - p;
        let r = (d[i + 1] - g) * sine + 2.0 * cosine * b;
        p = sine * r;
        d[i] = g + p;
        g = cosine * r - b;
        rotations.push((i, cosine, sine));
    }
    for (i, cosine, sine) in rotations {
        rotate(z, n, i, cosine, sine);
    }
    d[l] -= p;
    e[l - 1] = g;
}

/// Ascending, with as few exchanges as possible.
fn sort(d: &mut [f64], z: &mut [f64], n: usize) {
    for i in 0..n.saturating_sub(1) {
        let mut least = i;
        for j in i + 1..n {
            if d[j] < d[least] {
                least = j;
            }
        }
        if least != i {
            d.swap(i, least);
            z.chunks_exact_mut(n).for_each(|row| row.swap(i, least));
        }
    }
}
