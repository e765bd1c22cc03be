//! The Schur form of a complex matrix, by reflections and shifted QR steps with the shifts and the tests of LAPACK: so
//! eigenvalues come in its order. Between the steps work can be stopped.

use num_complex::Complex;
use num_traits::Zero;
use pulp::{Arch, Simd, WithSimd};

use super::eigen::Precision;
use crate::work::{self, PART, Stop};

type C = Complex<f64>;

/// Rows that are turned side by side: each waits for itself alone.
const TOGETHER: usize = 4;

/// After so many steps another shift is tried.
const PATIENCE: usize = 10;

/// `(q, t)` with the matrix `q t qᴴ`, `q` unitary and `t` upper triangular, both row-major; none where it takes too many steps, or
/// is stopped.
pub fn schur(a: &[C], n: usize, most: usize, precision: &Precision) -> Option<(Vec<C>, Vec<C>)> {
    let mut t = a.to_vec();
    let mut q = vec![C::zero(); n * n];
    (0..n).for_each(|i| q[i * n + i] = C::new(1.0, 0.0));
    let stop = Stop::here();
    for k in 0..n.saturating_sub(2) {
        if stop.asked() {
            return None;
        }
        reflect(&mut t, &mut q, n, k);
    }
    let mut turns = Vec::with_capacity(n);
    // The last row that is not done yet, and steps since one was done.
    let (mut last, mut since, mut all) = (n.saturating_sub(1), 0, 0);
    while last > 0 {
        if stop.asked() {
            return None;
        }
        let first = start(&t, n, last, precision);
        if first > 0 {
            t[first * n + first - 1] = C::zero();
        }
        if first == last {
            (last, since) = (last - 1, 0);
            continue;
        }
        (since, all) = (since + 1, all + 1);
        if all > most {
            return None;
        }
        // Shifts that go round in circles are left.
        let shift = match () {
            _ if since % (2 * PATIENCE) == 0 => t[last * n + last] + 0.75 * t[last * n + last - 1].norm(),
            _ if since % PATIENCE == 0 => t[first * n + first] + 0.75 * t[(first + 1) * n + first].norm(),
            _ => nearest(&t, n, last),
        };
        let from = entry(&t, n, (first, last), shift, precision);
        step(&mut t, &mut q, n, (from, last), shift, &mut turns);
        if from > first
            && let Some((kept, _)) = turns.first()
        {
            t[from * n + from - 1] *= *kept;
        }
    }
    Some((q, t))
}

/// The first row of the block that ends in this one: what is left of its diagonal is nothing beside its neighbours.
fn start(t: &[C], n: usize, last: usize, precision: &Precision) -> usize {
    let at = |i: usize, j: usize| t[i * n + j];
    let tiny = precision.tiny() * (last + 1) as f64;
    for k in (1..=last).rev() {
        let below = at(k, k - 1);
        if below.l1_norm() <= tiny {
            return k;
        }
        let mut around = at(k - 1, k - 1).l1_norm() + at(k, k).l1_norm();
        if around == 0.0 {
            around += if k >= 2 { at(k - 1, k - 2).norm() } else { 0.0 };
            around += if k < last { at(k + 1, k).norm() } else { 0.0 };
        }
        if below.norm() <= precision.epsilon * around {
            // What is that small may still matter, where numbers of the block are far apart.
            let (below, above) = (below.l1_norm(), at(k - 1, k).l1_norm());
            let (own, apart) = (at(k, k).l1_norm(), (at(k - 1, k - 1) - at(k, k)).l1_norm());
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

/// The row where a step on the rows from the first to the last one starts: two small numbers follow each other there.
fn entry(t: &[C], n: usize, (first, last): (usize, usize), shift: C, precision: &Precision) -> usize {
    let at = |i: usize, j: usize| t[i * n + j];
    for k in (first + 1..last).rev() {
        let (own, next, below) = (at(k, k), at(k + 1, k + 1), at(k + 1, k).norm());
        let size = (own - shift).l1_norm() + below;
        let (part, below) = ((own - shift).l1_norm() / size, below / size);
        if at(k, k - 1).norm() * below <= precision.epsilon * (part * (own.l1_norm() + next.l1_norm())) {
            return k;
        }
    }
    first
}

/// Reflects so that column `k` is zero below its second row under the diagonal.
fn reflect(t: &mut [C], q: &mut [C], n: usize, k: usize) {
    let mut v: Vec<C> = (k + 1..n).map(|i| t[i * n + k]).collect();
    // Scaled, so that squares neither overflow nor vanish.
    let largest = v.iter().map(|x| x.l1_norm()).fold(0.0, f64::max);
    if v[1..].iter().all(C::is_zero) || largest == 0.0 {
        return;
    }
    v.iter_mut().for_each(|x| *x /= largest);
    let norm = v.iter().map(C::norm_sqr).sum::<f64>().sqrt();
    let phase = if v[0].is_zero() { C::new(1.0, 0.0) } else { v[0] / v[0].norm() };
    v[0] += phase * norm;
    let length = v.iter().map(C::norm_sqr).sum::<f64>().sqrt();
    v.iter_mut().for_each(|x| *x /= length);
    // From the left: t - 2 v (vᴴ t).
    let mut sums = vec![C::zero(); n - k];
    let below = &mut t[(k + 1) * n..];
    for (row, x) in below.chunks_exact(n).zip(&v) {
        Arch::new().dispatch(AddTo { sums: &mut sums, row: &row[k..], by: x.conj() });
    }
    for (row, x) in below.chunks_exact_mut(n).zip(&v) {
        Arch::new().dispatch(AddTo { sums: &mut row[k..], row: &sums, by: -2.0 * *x });
    }
    (k + 2..n).for_each(|i| t[i * n + k] = C::zero());
    // From the right: m - 2 (m v) vᴴ.
    let rows = (PART / n).max(1);
    for m in [t, q] {
        work::parts(m, rows * n, |_, rows| {
            for row in rows.chunks_exact_mut(n) {
                Arch::new().dispatch(Mirror { row: &mut row[k + 1..], v: &v });
            }
        });
    }
}

struct AddTo<'a> {
    sums: &'a mut [C],
    row: &'a [C],
    by: C,
}

impl WithSimd for AddTo<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (sum, x) in self.sums.iter_mut().zip(self.row) {
            *sum += self.by * x;
        }
    }
}

struct Mirror<'a> {
    row: &'a mut [C],
    v: &'a [C],
}

impl WithSimd for Mirror<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut sums = [C::zero(); 4];
        for (row, v) in self.row.chunks(4).zip(self.v.chunks(4)) {
            for ((sum, x), v) in sums.iter_mut().zip(row).zip(v) {
                *sum += x * v;
            }
        }
        let twice = 2.0 * (sums[0] + sums[1] + (sums[2] + sums[3]));
        for (x, v) in self.row.iter_mut().zip(self.v) {
            *x -= twice * v.conj();
        }
    }
}

/// The eigenvalue of the 2×2 block that ends in this row that is nearest to its last element.
fn nearest(t: &[C], n: usize, last: usize) -> C {
    let at = |i: usize, j: usize| t[(last - 1 + i) * n + last - 1 + j];
    let half = (at(0, 0) - at(1, 1)) * 0.5;
    let product = at(0, 1) * at(1, 0);
    let root = (half * half + product).sqrt();
    let far = if (half + root).norm_sqr() >= (half - root).norm_sqr() { half + root } else { half - root };
    if far.is_zero() { at(1, 1) } else { at(1, 1) - product / far }
}

/// A turn of two neighbours: `(c x + s y, c y - s̄ x)`.
type Turn = (f64, C);

/// One QR step on the rows from the first to the last one.
fn step(t: &mut [C], q: &mut [C], n: usize, (first, last): (usize, usize), shift: C, turns: &mut Vec<Turn>) {
    (first..=last).for_each(|i| t[i * n + i] -= shift);
    turns.clear();
    for k in first..last {
        let (x, y) = (t[k * n + k], t[(k + 1) * n + k]);
        let length = x.norm().hypot(y.norm());
        // x becomes its phase times the length, y nothing.
        let turn = match (x.is_zero(), y.is_zero()) {
            (_, true) => (1.0, C::zero()),
            (true, _) => (0.0, y.conj() / y.norm()),
            _ => (x.norm() / length, x / x.norm() * y.conj() / length),
        };
        let (above, below) = t[k * n..(k + 2) * n].split_at_mut(n);
        Arch::new().dispatch(TurnRows { above: &mut above[k..], below: &mut below[k..], turn });
        below[k] = C::zero();
        turns.push(turn);
    }
    // What was turned from the left is turned back from the right, row by row.
    let rows = (PART / (last - first)).clamp(TOGETHER, PART) / TOGETHER * TOGETHER;
    let end = (last + 1) * n;
    work::parts(&mut t[..end], rows * n, |part, some| {
        for (i, group) in some.chunks_mut(TOGETHER * n).enumerate() {
            let row = part * rows + i * TOGETHER;
            Arch::new().dispatch(TurnColumns { rows: group, n, first, row, turns });
        }
    });
    work::parts(q, rows * n, |_, some| {
        for group in some.chunks_mut(TOGETHER * n) {
            Arch::new().dispatch(TurnColumns { rows: group, n, first, row: usize::MAX, turns });
        }
    });
    (first..=last).for_each(|i| t[i * n + i] += shift);
}

struct TurnRows<'a> {
    above: &'a mut [C],
    below: &'a mut [C],
    turn: Turn,
}

impl WithSimd for TurnRows<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (c, s) = self.turn;
        for (x, y) in self.above.iter_mut().zip(self.below) {
            (*x, *y) = (*x * c + s * *y, *y * c - s.conj() * *x);
        }
    }
}

/// The turns of a step on the columns of some rows, of which the first has this number: under the diagonal there is nothing.
struct TurnColumns<'a> {
    rows: &'a mut [C],
    n: usize,
    first: usize,
    row: usize,
    turns: &'a [Turn],
}

impl WithSimd for TurnColumns<'_> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let TurnColumns { rows, n, first, row, turns } = self;
        // Elements left of a row's diagonal are zeros, and stay it but for the one next to it.
        let skip = if row == usize::MAX { 0 } else { row.saturating_sub(first + 1).min(turns.len()) };
        let turn = |rows: &mut [C], at: usize, (c, s): Turn| {
            let (x, y) = (rows[at], rows[at + 1]);
            rows[at] = x * c + s.conj() * y;
            rows[at + 1] = y * c - s * x;
        };
        match rows.len() == TOGETHER * n {
            true => {
                for (k, &of) in turns.iter().enumerate().skip(skip) {
                    for r in 0..TOGETHER {
                        turn(rows, r * n + first + k, of);
                    }
                }
            }
            false => {
                for rows in rows.chunks_exact_mut(n) {
                    for (k, &of) in turns.iter().enumerate().skip(skip) {
                        turn(rows, first + k, of);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn matrix(n: usize, f: impl Fn(usize, usize) -> C) -> Vec<C> {
        (0..n * n).map(|at| f(at / n, at % n)).collect()
    }

    /// That `q t qᴴ` is the matrix, `q` is unitary and `t` triangular.
    fn holds(a: &[C], n: usize) {
        let (q, t) = schur(a, n, 200 + 60 * n, &Precision::DOUBLE).expect("a Schur form");
        let size = a.iter().map(|x| x.norm()).fold(1.0, f64::max) * n as f64;
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
        let wave = |i: usize, j: usize| C::new(((i * 7 + j * j * 3) as f64).sin(), ((i + 2 * j) as f64 * 1.3).cos());
        for n in [1, 2, 3, 4, 5, 7, 30, 61] {
            holds(&matrix(n, wave), n);
            holds(&matrix(n, |i, j| wave(i, j).re.into()), n);
            // A permutation, a nilpotent one, equal eigenvalues, one of low rank, sizes far apart.
            holds(&matrix(n, |i, j| if (i + 1) % n == j { 1.0 } else { 0.0 }.into()), n);
            holds(&matrix(n, |i, j| if i + 1 == j { 1.0 } else { 0.0 }.into()), n);
            holds(&matrix(n, |i, j| if i >= j { 1.0 } else { 0.0 }.into()), n);
            holds(&matrix(n, |i, j| C::from((i + 1) as f64 * (j + 1) as f64)), n);
            holds(&matrix(n, |i, j| wave(i, j) * 10f64.powi(i as i32 % 7 - j as i32 % 5)), n);
            holds(&matrix(n, |_, _| C::zero()), n);
        }
    }

    #[test]
    fn what_is_stopped_has_none() {
        let before = work::set_cancel(Some(Arc::new(AtomicBool::new(true))));
        let form = schur(&matrix(9, |i, j| C::from((i * j) as f64)), 9, 1_000, &Precision::DOUBLE);
        work::set_cancel(before);
        assert!(form.is_none());
    }
}
