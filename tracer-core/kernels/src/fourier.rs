//! Discrete Fourier transforms of lines in memory.

use num_complex::Complex;
pub use rustfft::FftNum;
use rustfft::FftPlanner;

use crate::work::{self, LARGE, PART};

/// Transforms every `n` consecutive numbers; the inverse is scaled by `1/n`.
///
/// # Panics
/// When the length of the data is not a multiple of `n`.
pub fn transform<T: FftNum>(data: &mut [Complex<T>], n: usize, inverse: bool) {
    if n == 0 || data.is_empty() {
        return;
    }
    let mut planner = FftPlanner::new();
    let plan = if inverse { planner.plan_fft_inverse(n) } else { planner.plan_fft_forward(n) };
    let scale = T::from_usize(n).filter(|_| inverse);
    let size = if data.len() < LARGE { data.len() } else { (PART / n).max(1) * n };
    work::parts(data, size, |_, lines| {
        plan.process(lines);
        if let Some(count) = scale {
            lines.iter_mut().for_each(|x| *x = Complex::new(x.re / count, x.im / count));
        }
    });
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
