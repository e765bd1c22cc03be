//! Gamma functions of 32 bits and incomplete ones, by the series and continued fractions that JAX sums in that type.
//!
//! What comes of them is off by more than the last place, since the terms in front are differences of large numbers: results here are
//! off in the same way. Products that are added to are rounded once where the compiler does so.

use std::f32::consts::{LN_2, PI};

use jitlens_kernels::single::{exp, log, log1p};

use super::scalar::Flush;

/// Weights of Lanczos's sum for the gamma function, for `g = 7`; the first is that of no term.
const LANCZOS: (f64, [f64; 8]) = (
    0.999_999_999_999_809_9,
    [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ],
);
const EPSILON: f32 = f32::EPSILON;
/// `log √(2π)`
const LOG_ROOT: f32 = 0.918_938_5;
/// `log 7.5`
const LOG_SHIFT: f32 = 2.014_903;
/// `log π`
const LOG_PI: f32 = 1.144_729_9;

/// A product and a sum that are rounded once.
fn fma(a: f32, b: f32, c: f32) -> f32 {
    (f64::from(a) * f64::from(b) + f64::from(c)) as f32
}

/// Where Lanczos's sum is taken, the shifted number, and its logarithm.
fn shifted(x: f32) -> (f32, f32, f32) {
    let z = if x < 0.5 { -x } else { x - 1.0 };
    (z, 7.5 + z, LOG_SHIFT + log1p(z * (1.0 / 7.5)))
}

/// The logarithm of the magnitude of the gamma function.
pub fn lgamma(x: f32) -> f32 {
    let x = x.flush();
    if x.is_infinite() {
        return f32::INFINITY;
    }
    let (z, t, log_t) = shifted(x);
    let place = |i: usize| z + i as f32 + 1.0;
    let sum = LANCZOS.1.iter().enumerate().fold(LANCZOS.0 as f32, |sum, (i, c)| sum + *c as f32 / place(i));
    let value = fma(z + 0.5 - t / log_t, log_t, LOG_ROOT) + log(sum);
    if x >= 0.5 || x.is_nan() {
        return value;
    }
    // By reflection; the sine is that of what is beside an integer.
    let part = x.abs() - x.abs().floor();
    let near = if part > 0.5 { 1.0 - part } else { part };
    let sine = log((PI * near).sin());
    if sine.is_finite() { LOG_PI - sine - value } else { -sine }
}

/// The derivative of [`lgamma`].
pub fn digamma(x: f32) -> f32 {
    let x = x.flush();
    if x == f32::NEG_INFINITY || (x <= 0.0 && x == x.floor()) {
        return f32::NAN;
    }
    let (z, t, log_t) = shifted(x);
    let (mut above, mut below) = (0.0, LANCZOS.0 as f32);
    for (i, c) in LANCZOS.1.iter().enumerate() {
        let (c, place) = (*c as f32, z + i as f32 + 1.0);
        above -= c / (place * place);
        below += c / place;
    }
    let value = log_t + above / below - 7.0 / t;
    if x >= 0.5 || x.is_nan() {
        return value;
    }
    let turn = PI * (x + (x + 0.5).floor().abs());
    value - PI * turn.cos() / turn.sin()
}

/// What is summed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Sum {
    Value,
    /// The derivative by `a`.
    Slope,
    /// That of a sample.
    SampleSlope,
}

/// The power series of the lower incomplete gamma function.
fn series(scale: f32, x: f32, a: f32, is_summed: bool, sum: Sum) -> f32 {
    let (mut r, mut term, mut all, mut slope, mut slopes) = (a, 1f32, 1f32, 0f32, 0f32);
    let mut goes_on = is_summed;
    while goes_on {
        r += 1.0;
        slope = fma(slope, x / r, -(term * x / (r * r)));
        slopes += slope;
        term *= x / r;
        all += term;
        let last = if sum == Sum::Value { term / all } else { (slope / slopes).abs() };
        goes_on = last > EPSILON;
    }
    let by_log = || log(x) - digamma(a + 1.0);
    match sum {
        Sum::Value => all * scale / a,
        Sum::Slope => scale * fma(all, by_log(), slopes) / a,
        Sum::SampleSlope => -fma(all, by_log(), slopes) * x / a,
    }
}

/// The continued fraction of the upper incomplete gamma function.
fn fraction(scale: f32, x: f32, a: f32, is_summed: bool, sum: Sum) -> f32 {
    let mut y = 1.0 - a;
    let mut z = x + y + 1.0;
    let mut count = 0f32;
    // Numerators and denominators, this one and that before, with their derivatives.
    let (mut p, mut q) = ([x + 1.0, 1.0], [z * x, x]);
    let (mut dp, mut dq) = ([0f32, 0.0], [-x, 0.0]);
    let mut all = p[0] / q[0];
    let mut slope = (dp[0] - all * dq[0]) / q[0];
    let mut goes_on = is_summed;
    while goes_on && count < 2000.0 {
        count += 1.0;
        y += 1.0;
        z += 2.0;
        let yc = y * count;
        let next = |n: [f32; 2]| fma(n[0], z, -(n[1] * yc));
        let next_slope = |n: [f32; 2], d: [f32; 2]| fma(n[1], count, fma(-d[1], yc, fma(d[0], z, -n[0])));
        let (pk, qk) = (next(p), next(q));
        let (dpk, dqk) = (next_slope(p, dp), next_slope(q, dq));
        let (mut step, mut change) = (1.0, 1.0);
        if qk != 0.0 {
            let r = pk / qk;
            step = ((all - r) / r).abs();
            all = r;
            let new = fma(-all, dqk, dpk) / qk;
            change = (new - slope).abs();
            slope = new;
        }
        let by = if pk.abs() > 1.0 / EPSILON { EPSILON } else { 1.0 };
        (p, q) = ([pk * by, p[0] * by], [qk * by, q[0] * by]);
        (dp, dq) = ([dpk * by, dp[0] * by], [dqk * by, dq[0] * by]);
        goes_on = if sum == Sum::Value { step > EPSILON } else { change > EPSILON };
    }
    let by_log = || log(x) - digamma(a);
    match sum {
        Sum::Value => all * scale,
        Sum::Slope => scale * fma(all, by_log(), slope),
        Sum::SampleSlope => -(fma(all, by_log(), slope) * x),
    }
}

/// `x^a e^-x / gamma(a)`, and whether it is more than nothing.
fn scale(a: f32, x: f32) -> (f32, bool) {
    let exponent = fma(a, log(x), -x) - lgamma(a);
    (exp(exponent), exponent.partial_cmp(&(-128.0 * LN_2)) != Some(std::cmp::Ordering::Less))
}

/// The regularized lower incomplete gamma function.
pub fn igamma(a: f32, x: f32) -> f32 {
    let (a, x) = (a.flush(), x.flush());
    if a.is_nan() || x.is_nan() || x < 0.0 || a < 0.0 || (a == 0.0 && x == 0.0) {
        return f32::NAN;
    }
    if x == 0.0 || x.is_infinite() {
        return if x == 0.0 { 0.0 } else { 1.0 };
    }
    let (scale, is_summed) = scale(a, x);
    if x >= 1.0 && x > a {
        // The last product is part of the difference.
        return fma(-fraction(1.0, x, a, is_summed, Sum::Value), scale, 1.0).flush();
    }
    series(scale, x, a, is_summed, Sum::Value).flush()
}

/// The regularized upper incomplete gamma function.
pub fn igammac(a: f32, x: f32) -> f32 {
    let (a, x) = (a.flush(), x.flush());
    if a.is_nan() || x.is_nan() || x < 0.0 || a < 0.0 || (a == 0.0 && x == 0.0) {
        return f32::NAN;
    }
    if x.is_infinite() || a == 0.0 {
        return 0.0;
    }
    let (scale, is_summed) = scale(a, x);
    if x < 1.0 || x < a {
        return (1.0 - series(scale, x, a, is_summed, Sum::Value)).flush();
    }
    fraction(scale, x, a, is_summed, Sum::Value).flush()
}

/// The derivative of [`igamma`] by `a`.
pub fn igamma_grad_a(a: f32, x: f32) -> f32 {
    slope(a, x, Sum::Slope)
}

/// The derivative of a sample of the gamma distribution by its shape.
pub fn random_gamma_grad(a: f32, x: f32) -> f32 {
    slope(a, x, Sum::SampleSlope)
}

fn slope(a: f32, x: f32, sum: Sum) -> f32 {
    let (a, x) = (a.flush(), x.flush());
    if a.is_nan() || x.is_nan() || x < 0.0 || a <= 0.0 {
        return f32::NAN;
    }
    if x == 0.0 {
        return 0.0;
    }
    let (scale, is_summed) = scale(a, x);
    if x > 1.0 && x > a {
        let found = fraction(scale, x, a, is_summed, sum);
        return (-found).flush();
    }
    series(scale, x, a, is_summed, sum).flush()
}

/// Lentz's continued fraction of the incomplete beta function in so many rounds, or until it changes no more; the rounds that it took.
fn lentz(a: f32, b: f32, x: f32, rounds: Option<u32>) -> (f32, u32) {
    let least = EPSILON / 2.0;
    let (mut c, mut d, mut h) = (least, 0f32, least);
    for round in 1..=rounds.unwrap_or(MOST) {
        let m = ((round - 1) / 2) as f32;
        let numerator = match round {
            1 => 1.0,
            2 => -(a + b) * x / (a + 1.0),
            _ if round % 2 == 0 => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
            _ => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
        };
        c = 1.0 + numerator / c;
        c = if c.abs() < least { least } else { c };
        d = fma(numerator, d, 1.0);
        d = 1.0 / if d.abs() < least { least } else { d };
        let change = c * d;
        h *= change;
        let changes = (change - 1.0).abs() >= least;
        if rounds.is_none() && !changes {
            return (h, round);
        }
    }
    (h, rounds.unwrap_or(MOST))
}

/// Rounds of [`lentz`], at most.
const MOST: u32 = 199;

/// The regularized incomplete beta function, of all elements: each is summed as long as one of them changes.
pub fn betainc(all: impl Iterator<Item = [f32; 3]> + Clone) -> Vec<f32> {
    let all = all.map(|[a, b, x]| {
        let (a, b, x) = (a.flush(), b.flush(), x.flush());
        let converges = x < (a + 1.0) / (a + b + 2.0);
        let turned = if converges { [a, b, x] } else { [b, a, 1.0 - x] };
        ([a, b, x], converges, turned)
    });
    let rounds = all.clone().map(|(_, _, [a, b, x])| lentz(a, b, x, None).1).max();
    all.map(|([a, b, x], converges, turned)| {
        let (a_is_zero, b_is_zero) = (a == 0.0 || b == f32::INFINITY, b == 0.0 || a == f32::INFINITY);
        if a.is_nan() || b.is_nan() || x.is_nan() || a < 0.0 || b < 0.0 || !(0.0..=1.0).contains(&x) {
            return f32::NAN;
        }
        if a_is_zero && b_is_zero {
            return f32::NAN;
        }
        if (a_is_zero && x != 0.0) || (b_is_zero && x == 1.0) {
            return 1.0;
        }
        if (b_is_zero && x != 1.0) || (a_is_zero && x == 0.0) {
            return 0.0;
        }
        let [a, b, x] = turned;
        let beta = lgamma(b) - lgamma(a + b);
        let factor = if a < 2.0 * f32::MIN_POSITIVE {
            exp(fma(log1p(-x), b, -beta))
        } else {
            exp(fma(log(x), a, log1p(-x) * b) - (lgamma(a) + beta)) / a
        };
        let value = (lentz(a, b, x, rounds).0 * factor).flush();
        if converges { value } else { (1.0 - value).flush() }
    })
    .collect()
}
