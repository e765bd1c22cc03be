//! The Schur form of a real matrix, by reflections and double QR steps, with the shifts and the tests of LAPACK: so eigenvalues come
//! in its order, and conjugate ones are conjugates to the last bit. Between the steps work can be stopped.

use num_complex::Complex;
use num_traits::Zero;

use super::eigen::Precision;
use crate::work::{self, PART, Stop};

type C = Complex<f64>;

/// After so many steps another shift is tried, which leaves circles.
const PATIENCE: usize = 10;

/// `(q, t)` with the matrix `q t qᵀ`, both row-major, `q` orthogonal and `t` upper triangular but for blocks of two rows, of which
/// each has two conjugate eigenvalues and twice the same number on its diagonal; none where it takes too many steps, or is stopped.
pub fn schur(a: &[f64], n: usize, most: usize, precision: &Precision) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut t = a.to_vec();
    let mut q = vec![0.0; n * n];
    (0..n).for_each(|i| q[i * n + i] = 1.0);
    let stop = Stop::here();
    for k in 0..n.saturating_sub(2) {
        if stop.asked() {
            return None;
        }
        reflect(&mut t, &mut q, n, k);
    }
    // Rows behind the end are done.
    let (mut end, mut since, mut all) = (n, 0, 0);
    while end > 0 {
        if stop.asked() {
            return None;
        }
        let first = start(&t, n, end - 1, precision);
        if first > 0 {
            t[first * n + first - 1] = 0.0;
        }
        if first + 2 >= end {
            if first + 2 == end {
                split(&mut t, &mut q, n, first, precision);
            }
            (end, since) = (first, 0);
            continue;
        }
        (since, all) = (since + 1, all + 1);
        if all > most {
            return None;
        }
        step(&mut t, &mut q, n, (first, end - 1), since, precision);
    }
    Some((q, t))
}

/// `(q, t)` of [`schur`] as complex matrices, with `t` triangular; of two conjugate eigenvalues the one with the positive imaginary
/// part comes first.
pub fn triangular(q: &[f64], t: &[f64], n: usize) -> (Vec<C>, Vec<C>) {
    let mut all: [Vec<C>; 2] = [q, t].map(|m| m.iter().map(|x| C::from(*x)).collect());
    for k in 0..n.saturating_sub(1) {
        let (b, c) = (t[k * n + k + 1], t[(k + 1) * n + k]);
        if c == 0.0 {
            continue;
        }
        let [q, t] = &mut all;
        let height = b.abs().sqrt() * c.abs().sqrt();
        let value = t[k * n + k];
        // The first column of the turn is the block's eigenvector of the upper one.
        let length = b.hypot(height);
        let (x, y) = (b / length, C::new(0.0, height / length));
        for j in k..n {
            let (above, below) = (t[k * n + j], t[(k + 1) * n + j]);
            t[k * n + j] = x * above + y.conj() * below;
            t[(k + 1) * n + j] = x * below - y * above;
        }
        for (m, rows) in [(t, k + 2), (q, n)] {
            for row in m.chunks_exact_mut(n).take(rows) {
                let (before, after) = (row[k], row[k + 1]);
                row[k] = before * x + after * y;
                row[k + 1] = after * x - before * y.conj();
            }
        }
        let t = &mut all[1];
        t[k * n + k] = C::new(value.re, height);
        t[(k + 1) * n + k + 1] = C::new(value.re, -height);
        t[(k + 1) * n + k] = C::zero();
    }
    let [q, t] = all;
    (q, t)
}

/// Reflects so that column `k` is zero below its second row under the diagonal.
fn reflect(t: &mut [f64], q: &mut [f64], n: usize, k: usize) {
    let mut v: Vec<f64> = (k + 1..n).map(|i| t[i * n + k]).collect();
    let Some((first, times)) = householder(&mut v) else { return };
    let mut sums = vec![0.0; n - k];
    for (row, x) in t[(k + 1) * n..].chunks_exact(n).zip(&v) {
        sums.iter_mut().zip(&row[k..]).for_each(|(sum, y)| *sum += x * y);
    }
    for (row, x) in t[(k + 1) * n..].chunks_exact_mut(n).zip(&v) {
        row[k..].iter_mut().zip(&sums).for_each(|(y, sum)| *y -= times * x * sum);
    }
    t[(k + 1) * n + k] = first;
    (k + 2..n).for_each(|i| t[i * n + k] = 0.0);
    let rows = (PART / n).max(1);
    for m in [t, q] {
        work::parts(m, rows * n, |_, rows| {
            for row in rows.chunks_exact_mut(n) {
                let sum = times * row[k + 1..].iter().zip(&v).map(|(x, v)| x * v).sum::<f64>();
                row[k + 1..].iter_mut().zip(&v).for_each(|(x, v)| *x -= sum * v);
            }
        });
    }
}

/// Makes `v`, from 1 on, the vector of the reflection `1 - times v vᵀ` that leaves nothing of it but its first number; gives what
/// becomes of that, and `times`. None where nothing is to be done.
fn householder(v: &mut [f64]) -> Option<(f64, f64)> {
    if v[1..].iter().all(f64::is_zero) {
        return None;
    }
    // Scaled, so that squares neither overflow nor vanish.
    let largest = v.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    v.iter_mut().for_each(|x| *x /= largest);
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let first = -norm.copysign(v[0]);
    let (times, below) = ((first - v[0]) / first, v[0] - first);
    v[0] = 1.0;
    v[1..].iter_mut().for_each(|x| *x /= below);
    Some((first * largest, times))
}

/// The first row of the block that ends in this one: what is left of its diagonal is nothing beside its neighbours.
fn start(t: &[f64], n: usize, last: usize, precision: &Precision) -> usize {
    let tiny = precision.tiny() * (last + 1) as f64;
    let at = |i: usize, j: usize| t[i * n + j];
    for k in (1..=last).rev() {
        let below = at(k, k - 1).abs();
        if below <= tiny {
            return k;
        }
        let mut around = at(k - 1, k - 1).abs() + at(k, k).abs();
        if around == 0.0 {
            around += if k >= 2 { at(k - 1, k - 2).abs() } else { 0.0 };
            around += if k < last { at(k + 1, k).abs() } else { 0.0 };
        }
        if below <= precision.epsilon * around {
            // What is that small may still matter, where numbers of the block are far apart.
            let (above, apart, own) = (at(k - 1, k).abs(), (at(k - 1, k - 1) - at(k, k)).abs(), at(k, k).abs());
            let (high, low) = (below.max(above), below.min(above));
            let (wide, narrow) = (own.max(apart), own.min(apart));
            let sum = wide + high;
            if low * (high / sum) <= tiny.max(precision.epsilon * (narrow * (wide / sum))) {
                return k;
            }
        }
    }
    0
}

/// Two shifts, as `(re, im)`: the eigenvalues of a block of two rows, or twice the nearest one if they are real.
fn shifts(block: [f64; 4]) -> [(f64, f64); 2] {
    let size = block.iter().map(|x| x.abs()).sum::<f64>();
    if size == 0.0 {
        return [(0.0, 0.0); 2];
    }
    let [a, b, c, d] = block.map(|x| x / size);
    let middle = (a + d) / 2.0;
    let determinant = (a - middle) * (d - middle) - b * c;
    let root = determinant.abs().sqrt();
    if determinant >= 0.0 {
        return [(middle * size, root * size), (middle * size, -root * size)];
    }
    let (more, less) = (middle + root, middle - root);
    let nearest = if (more - d).abs() <= (less - d).abs() { more } else { less };
    [(nearest * size, 0.0); 2]
}

/// A reflection of neighbours from this one on: what is taken from them is the sum of their products with the first numbers, times
/// the second ones.
type Mirror = (usize, usize, [f64; 3], [f64; 3]);

/// One double QR step on the rows from the first to the last one, the so manieth since a block was done.
fn step(t: &mut [f64], q: &mut [f64], n: usize, (first, last): (usize, usize), since: usize, precision: &Precision) {
    let at = |i: usize, j: usize| t[i * n + j];
    let odd = |size: f64, own: f64| [0.75 * size + own, -0.4375 * size, size, 0.75 * size + own];
    let block = if since.is_multiple_of(2 * PATIENCE) {
        odd(at(last, last - 1).abs() + at(last - 1, last - 2).abs(), at(last, last))
    } else if since.is_multiple_of(PATIENCE) {
        odd(at(first + 1, first).abs() + at(first + 2, first + 1).abs(), at(first, first))
    } else {
        [at(last - 1, last - 1), at(last - 1, last), at(last, last - 1), at(last, last)]
    };
    let [(re, im), (other_re, other_im)] = shifts(block);
    // The step starts where two small numbers follow each other.
    let mut from = last - 2;
    let mut v = loop {
        let (own, next, below) = (at(from, from), at(from + 1, from + 1), at(from + 1, from));
        let size = (own - other_re).abs() + other_im.abs() + below.abs();
        let part = below / size;
        let v = [
            part * at(from, from + 1) + (own - re) * ((own - other_re) / size) - im * (other_im / size),
            part * (own + next - re - other_re),
            part * at(from + 2, from + 1),
        ];
        let size = v.iter().map(|x| x.abs()).sum::<f64>();
        let v = v.map(|x| x / size);
        if from == first {
            break v;
        }
        let around = at(from - 1, from - 1).abs() + own.abs() + next.abs();
        if at(from, from - 1).abs() * (v[1].abs() + v[2].abs()) <= precision.epsilon * v[0].abs() * around {
            break v;
        }
        from -= 1;
    };
    let mut mirrors: Vec<Mirror> = Vec::with_capacity(last - from);
    for k in from..last {
        let count = 3.min(last - k + 1);
        if k > from {
            (0..count).for_each(|i| v[i] = t[(k + i) * n + k - 1]);
        }
        let made = householder(&mut v[..count]);
        let times = made.map_or(0.0, |(_, times)| times);
        if k > from {
            if let Some((value, _)) = made {
                t[k * n + k - 1] = value;
            }
            (1..count).for_each(|i| t[(k + i) * n + k - 1] = 0.0);
        } else if k > first {
            t[k * n + k - 1] *= 1.0 - times;
        }
        if times == 0.0 {
            continue;
        }
        let mut w = [0.0; 3];
        (0..count).for_each(|i| w[i] = times * v[i]);
        mirror_rows(&mut t[k * n..(k + count) * n], n, k, &v, &w);
        let mirror = (k, count, v, w);
        // Columns of the rows that the next reflections are made of; those of the others are reflected together.
        let near = (k + 3).min(last) + 1;
        t[k * n..near * n].chunks_exact_mut(n).for_each(|row| mirror_columns(row, &mirror));
        mirrors.push(mirror);
    }
    let rows = (PART / (last - first)).max(1);
    work::parts(&mut t[..last * n], rows * n, |part, some| {
        for (i, row) in some.chunks_exact_mut(n).enumerate() {
            let seen = mirrors.partition_point(|mirror| mirror.0 <= part * rows + i);
            mirrors[seen..].iter().for_each(|mirror| mirror_columns(row, mirror));
        }
    });
    work::parts(q, rows * n, |_, some| {
        for row in some.chunks_exact_mut(n) {
            mirrors.iter().for_each(|mirror| mirror_columns(row, mirror));
        }
    });
}

/// Reflects two or three rows, from a column on.
fn mirror_rows(rows: &mut [f64], n: usize, from: usize, v: &[f64; 3], w: &[f64; 3]) {
    let (x, rest) = rows.split_at_mut(n);
    let (y, z) = rest.split_at_mut(n);
    if z.is_empty() {
        for (x, y) in x.iter_mut().zip(y).skip(from) {
            let sum = *x * v[0] + *y * v[1];
            (*x, *y) = (*x - sum * w[0], *y - sum * w[1]);
        }
        return;
    }
    for ((x, y), z) in x.iter_mut().zip(y).zip(z).skip(from) {
        let sum = *x * v[0] + *y * v[1] + *z * v[2];
        (*x, *y, *z) = (*x - sum * w[0], *y - sum * w[1], *z - sum * w[2]);
    }
}

/// Reflects two or three numbers of a row.
fn mirror_columns(row: &mut [f64], &(at, count, v, w): &Mirror) {
    let some = &mut row[at..at + count];
    let sum: f64 = some.iter().zip(v).map(|(x, v)| x * v).sum();
    some.iter_mut().zip(w).for_each(|(x, w)| *x -= sum * w);
}

/// Turns a block of two rows, so that it is triangular if its eigenvalues are real, and else has twice the same number on its
/// diagonal.
fn split(t: &mut [f64], q: &mut [f64], n: usize, k: usize, precision: &Precision) {
    let (a, b, c, d) = (t[k * n + k], t[k * n + k + 1], t[(k + 1) * n + k], t[(k + 1) * n + k + 1]);
    let (turn, block) = standard(a, b, c, d, precision);
    let (cos, sin) = turn;
    let (above, below) = t[k * n..(k + 2) * n].split_at_mut(n);
    for (x, y) in above.iter_mut().zip(below).skip(k + 2) {
        (*x, *y) = (cos * *x + sin * *y, cos * *y - sin * *x);
    }
    for (m, rows) in [(&mut *t, k), (q, n)] {
        for row in m.chunks_exact_mut(n).take(rows) {
            (row[k], row[k + 1]) = (cos * row[k] + sin * row[k + 1], cos * row[k + 1] - sin * row[k]);
        }
    }
    for (i, x) in block.into_iter().enumerate() {
        t[(k + i / 2) * n + k + i % 2] = x;
    }
}

/// The turn of [`split`] as `(cos, sin)`, and what it makes of the block.
fn standard(a: f64, b: f64, c: f64, d: f64, precision: &Precision) -> ((f64, f64), [f64; 4]) {
    if c == 0.0 {
        return ((1.0, 0.0), [a, b, c, d]);
    }
    if b == 0.0 {
        return ((0.0, 1.0), [d, -c, 0.0, a]);
    }
    if a == d && (b < 0.0) != (c < 0.0) {
        return ((1.0, 0.0), [a, b, c, d]);
    }
    let half = (a - d) / 2.0;
    let (high, low) = (b.abs().max(c.abs()), b.abs().min(c.abs()).copysign(b * c.signum()));
    let size = half.abs().max(high);
    let square = half / size * half + high / size * low;
    if square >= 4.0 * precision.epsilon {
        // Two real eigenvalues, far enough from each other.
        let z = half + (size.sqrt() * square.sqrt()).copysign(half);
        let length = c.hypot(z);
        return ((z / length, c / length), [d + z, b - c, 0.0, d - high / z * low]);
    }
    // Conjugate ones, or real ones that nearly are the same: the diagonal is made equal.
    let sum = b + c;
    let length = sum.hypot(a - d);
    let mut cos = (0.5 * (1.0 + sum.abs() / length)).sqrt();
    let mut sin = -(half / (length * cos)) * 1f64.copysign(sum);
    let (a, b, c, d) = (a * cos + b * sin, b * cos - a * sin, c * cos + d * sin, d * cos - c * sin);
    let (a, mut b, mut c, d) = (a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin);
    let middle = (a + d) / 2.0;
    let (mut a, mut d) = (middle, middle);
    if c != 0.0 && b == 0.0 {
        (b, c) = (-c, 0.0);
        (cos, sin) = (-sin, cos);
    } else if c != 0.0 && (b < 0.0) == (c < 0.0) {
        // They are real after all.
        let (root_b, root_c) = (b.abs().sqrt(), c.abs().sqrt());
        let apart = (root_b * root_c).copysign(c);
        let by = 1.0 / (b + c).abs().sqrt();
        (a, d) = (middle + apart, middle - apart);
        (b, c) = (b - c, 0.0);
        let (more_cos, more_sin) = (root_b * by, root_c * by);
        (cos, sin) = (cos * more_cos - sin * more_sin, cos * more_sin + sin * more_cos);
    }
    ((cos, sin), [a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, f: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        (0..n * n).map(|at| f(at / n, at % n)).collect()
    }

    /// That `q t qᴴ` is the matrix, `q` is unitary, `t` triangular, and its diagonal holds real numbers and conjugate pairs.
    fn holds(a: &[f64], n: usize) {
        let (q, t) = schur(a, n, 200 + 60 * n, &Precision::DOUBLE).expect("a Schur form");
        let (q, t) = triangular(&q, &t, n);
        let size = a.iter().fold(1.0, |most: f64, x| most.max(x.abs())) * n as f64;
        let mut i = 0;
        while i < n {
            let value = t[i * n + i];
            assert!(value.im >= 0.0, "{i} of {n}: {value}");
            i += if value.im > 0.0 {
                assert_eq!(t[(i + 1) * n + i + 1], value.conj(), "{i} of {n}");
                2
            } else {
                1
            };
        }
        for i in 0..n {
            assert!((0..i).all(|j| t[i * n + j].norm() < 1e-13 * size), "row {i} of {n}");
            for j in 0..n {
                let back: C =
                    (0..n).map(|k| q[i * n + k] * (k..n).map(|l| t[k * n + l] * q[j * n + l].conj()).sum::<C>()).sum();
                assert!((back - a[i * n + j]).norm() < 1e-13 * size, "{i} {j} of {n}");
                let one: C = (0..n).map(|k| q[i * n + k] * q[j * n + k].conj()).sum();
                assert!((one - if i == j { 1.0 } else { 0.0 }).norm() < 1e-13 * n as f64, "{i} {j} of {n}");
            }
        }
    }

    #[test]
    fn forms_of_all_kinds_of_matrices() {
        let wave = |i: usize, j: usize| ((i * 7 + j * j * 3) as f64).sin();
        for n in [1, 2, 3, 4, 5, 7, 30, 61] {
            holds(&matrix(n, wave), n);
            // A permutation, a nilpotent one, equal eigenvalues, one of low rank, sizes far apart.
            holds(&matrix(n, |i, j| if (i + 1) % n == j { 1.0 } else { 0.0 }), n);
            holds(&matrix(n, |i, j| if i + 1 == j { 1.0 } else { 0.0 }), n);
            holds(&matrix(n, |i, j| if i >= j { 1.0 } else { 0.0 }), n);
            holds(&matrix(n, |i, j| (i + 1) as f64 * (j + 1) as f64), n);
            holds(&matrix(n, |i, j| wave(i, j) * 10f64.powi(i as i32 % 7 - j as i32 % 5)), n);
            holds(&matrix(n, |i, j| wave(i, j) - wave(j, i)), n);
            holds(&matrix(n, |i, j| wave(i, j) + wave(j, i)), n);
            holds(&matrix(n, |_, _| 0.0), n);
        }
    }
}
