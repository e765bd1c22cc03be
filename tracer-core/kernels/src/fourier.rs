//! Discrete Fourier transforms of lines in memory.

use std::f64::consts::TAU;

use num_complex::Complex;
pub use rustfft::FftNum;
use rustfft::FftPlanner;

use crate::work::{self, LARGE, PART};
use crate::{copy, pool};

/// Transforms of so many numbers are made of many shorter ones: threads share them out, and between them work can be stopped.
const LONG: usize = 1 << 19;

/// Shorter ones than this are not worth the copies.
const SHORT: usize = 64;

/// Transforms every `n` consecutive numbers; the inverse is scaled by `1/n`.
///
/// # Panics
/// When the length of the data is not a multiple of `n`.
pub fn transform<T: FftNum + Default>(data: &mut [Complex<T>], n: usize, inverse: bool) {
    if n == 0 || data.is_empty() {
        return;
    }
    let scale = T::from_usize(n).filter(|_| inverse);
    let scaled = |lines: &mut [Complex<T>]| {
        if let Some(count) = scale {
            lines.iter_mut().for_each(|x| *x = Complex::new(x.re / count, x.im / count));
        }
    };
    let mut planner = FftPlanner::new();
    if let Some(short) = (n >= LONG).then(|| near_root(n)).filter(|short| *short >= SHORT) {
        for line in data.chunks_exact_mut(n) {
            long(line, (short, n / short), inverse, &mut planner);
            work::parts(line, PART, |_, part| scaled(part));
        }
        return;
    }
    let plan = if inverse { planner.plan_fft_inverse(n) } else { planner.plan_fft_forward(n) };
    let size = if data.len() < LARGE { data.len() } else { (PART / n).max(1) * n };
    work::parts(data, size, |_, lines| {
        plan.process(lines);
        scaled(lines);
    });
}

/// The largest divisor that is no larger than the square root.
fn near_root(n: usize) -> usize {
    (1..=n.isqrt()).rev().find(|d| n.is_multiple_of(*d)).unwrap_or(1)
}

/// The transform of a line of `rows * columns` numbers, not scaled, by transforms of its columns and then of its rows.
fn long<T: FftNum + Default>(
    line: &mut [Complex<T>],
    (rows, columns): (usize, usize),
    inverse: bool,
    planner: &mut FftPlanner<T>,
) {
    let n = rows * columns;
    let mut plan = |n| if inverse { planner.plan_fft_inverse(n) } else { planner.plan_fft_forward(n) };
    let (of_rows, of_columns) = (plan(columns), plan(rows));
    // Roots of unity: each is the product of one of two short lists.
    let step = n.isqrt().max(1);
    let turn = if inverse { TAU } else { -TAU };
    let root = |i: usize| Complex::from_polar(1.0, turn * (i as f64 / n as f64));
    let fine: Vec<Complex<f64>> = (0..step).map(root).collect();
    let coarse: Vec<Complex<f64>> = (0..n.div_ceil(step)).map(|i| root(i * step)).collect();
    let turned = |x: Complex<T>, i: usize| {
        let by = coarse[i / step] * fine[i % step];
        let by = T::from_f64(by.re).zip(T::from_f64(by.im));
        by.map_or(x, |(re, im)| x * Complex::new(re, im))
    };
    let mut by_column = copy::strided(line, &[columns, rows], &[1, columns as isize], 0);
    let some = (PART / rows).max(1);
    work::parts(&mut by_column, some * rows, |part, lines| {
        of_columns.process(lines);
        for (i, line) in lines.chunks_exact_mut(rows).enumerate() {
            let column = part * some + i;
            line.iter_mut().enumerate().for_each(|(k, x)| *x = turned(*x, column * k));
        }
    });
    let mut by_row = copy::strided(&by_column, &[rows, columns], &[1, rows as isize], 0);
    pool::give(by_column);
    work::parts(&mut by_row, (PART / columns).max(1) * columns, |_, lines| of_rows.process(lines));
    let out = copy::strided(&by_row, &[columns, rows], &[1, columns as isize], 0);
    pool::give(by_row);
    work::parts(line, PART, |i, line| line.copy_from_slice(&out[i * PART..][..line.len()]));
    pool::give(out);
}

/// Lines of `n/2 + 1` numbers, each completed to the transform of `n` real ones: the rest mirrored and conjugated. Longer
/// lines are cut, shorter ones filled with zeros.
pub fn mirrored<T: FftNum>(data: &[Complex<T>], given: usize, n: usize) -> Vec<Complex<T>> {
    let half = n / 2 + 1;
    let zero = Complex::new(T::zero(), T::zero());
    let lines = data.len().checked_div(given).unwrap_or(0);
    let mut out = Vec::with_capacity(lines * n);
    for line in data.chunks_exact(given.max(1)).take(lines) {
        let at = |k: usize| line.get(k).copied().filter(|_| k < half).unwrap_or(zero);
        out.extend((0..n).map(|k| if k < half { at(k) } else { at(n - k).conj() }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wave of this frequency.
    fn wave(n: usize, frequency: usize) -> Vec<Complex<f64>> {
        let at = |i: usize| Complex::from_polar(1.0, TAU * ((i * frequency % n) as f64 / n as f64));
        (0..n).map(at).collect()
    }

    #[test]
    fn long_lines_are_transformed_as_short_ones_are() {
        let n = LONG + LONG / 2;
        for frequency in [0, 1, 700, n - 3] {
            let mut line = wave(n, frequency);
            transform(&mut line, n, false);
            for (k, x) in line.iter().enumerate() {
                let expected = if k == frequency { n as f64 } else { 0.0 };
                assert!((x - expected).norm() < 1e-4, "{frequency} {k} {x}");
            }
            transform(&mut line, n, true);
            assert!(line.iter().zip(wave(n, frequency)).all(|(a, b)| (a - b).norm() < 1e-9), "{frequency}");
        }
    }

    #[test]
    fn lengths_are_divided_near_their_root() {
        assert_eq!([near_root(1 << 20), near_root(12), near_root(13), near_root(1)], [1 << 10, 3, 1, 1]);
    }
}
