//! Special functions of real numbers, computed in `f64`, with XLA's values outside of their domains.

use std::f64::consts::PI;

use jitlens_kernels::single;

/// The error function.
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// One minus the error function.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The inverse of the error function.
pub fn erf_inv(x: f64) -> f64 {
    if x.is_nan() || x.abs() > 1.0 {
        return f64::NAN;
    }
    if x.abs() == 1.0 {
        return x * f64::INFINITY;
    }
    // Newton's method on the side that does not cancel.
    let mut y = f64::from(single::erf_inv(x as f32));
    if !y.is_finite() {
        y = 6.0f64.copysign(x);
    }
    for _ in 0..4 {
        let slope = 2.0 / PI.sqrt() * (-y * y).exp();
        if slope == 0.0 {
            break;
        }
        let beyond = (1.0 - x.abs()) - erfc(y.abs());
        y -= if x.abs() < 0.5 { erf(y) - x } else { beyond * 1.0f64.copysign(y) } / slope;
    }
    y
}

/// The logarithm of the magnitude of the gamma function.
pub fn lgamma(x: f64) -> f64 {
    if x == f64::NEG_INFINITY { f64::INFINITY } else { libm::lgamma(x) }
}

/// The derivative of [`lgamma`].
pub fn digamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::NEG_INFINITY || (x <= 0.0 && x == x.floor()) {
        return f64::NAN;
    }
    if x < 0.0 {
        return digamma(1.0 - x) - PI / (PI * x).tan();
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 12.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    const TERMS: [f64; 7] =
        [-1.0 / 12.0, 1.0 / 120.0, -1.0 / 252.0, 1.0 / 240.0, -1.0 / 132.0, 691.0 / 32760.0, -1.0 / 12.0];
    let square = 1.0 / (x * x);
    let series = TERMS.iter().rev().fold(0.0, |p, t| (p + t) * square);
    sum + x.ln() - 0.5 / x + series
}

/// The Hurwitz zeta function, by the Euler–Maclaurin formula.
pub fn zeta(x: f64, q: f64) -> f64 {
    // In this order: XLA has poles beside numbers for which there is no value.
    if x == 1.0 {
        return f64::INFINITY;
    }
    if q <= 0.0 && q == q.floor() {
        return if x % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    if !x.is_finite() || !q.is_finite() || x < 1.0 || (q < 0.0 && x != x.floor()) {
        return f64::NAN;
    }
    const BERNOULLI: [f64; 12] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        -691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        -3617.0 / 10_670_622_842_880_000.0,
        43867.0 / 5_109_094_217_170_944_000.0,
        -174_611.0 / 802_857_662_698_291_200_000.0,
        77683.0 / 14_101_100_039_391_805_440_000.0,
        -236_364_091.0 / 1_693_824_136_731_743_669_452_800_000.0,
    ];
    let mut at = q;
    let mut sum = 0.0;
    let mut steps = 0;
    while steps < 12 || at <= 12.0 {
        let term = at.powf(-x);
        sum += term;
        at += 1.0;
        steps += 1;
        if term.abs() < 1e-17 * sum.abs() || steps > 200_000 {
            return sum;
        }
    }
    let power = at.powf(-x);
    sum += power * at / (x - 1.0) + 0.5 * power;
    let mut rising = x;
    let mut scale = power / at;
    for (k, b) in BERNOULLI.iter().enumerate() {
        let term = b * rising * scale;
        sum += term;
        if term.abs() < 1e-17 * sum.abs() {
            break;
        }
        let next = 2.0 * k as f64 + 1.0;
        rising *= (x + next) * (x + next + 1.0);
        scale /= at * at;
    }
    sum
}

/// Derivatives of [`digamma`].
pub fn polygamma(n: f64, x: f64) -> f64 {
    if n.is_nan() || x.is_nan() || n < 0.0 || n != n.floor() {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma(x);
    }
    let sign = if n % 2.0 == 0.0 { -1.0 } else { 1.0 };
    sign * lgamma(n + 1.0).exp() * zeta(n + 1.0, x)
}

/// A number with its derivative.
#[derive(Copy, Clone)]
struct Dual(f64, f64);

/// `x^a e^-x / gamma(a)`: what series and continued fraction are scaled by.
fn gamma_scale(a: f64, x: f64) -> f64 {
    (a * x.ln() - x - lgamma(a)).exp()
}

/// The series of the lower incomplete gamma function without its scale, with its derivative by `a`.
fn gamma_series(a: f64, x: f64) -> Dual {
    let (mut r, mut term, mut slope) = (a, 1.0, 0.0);
    let mut sum = Dual(1.0, 0.0);
    for _ in 0..100_000 {
        r += 1.0;
        slope = slope * (x / r) - term * x / (r * r);
        term *= x / r;
        sum = Dual(sum.0 + term, sum.1 + slope);
        if term <= 1e-17 * sum.0 && slope.abs() <= 1e-17 * sum.1.abs().max(1e-300) {
            break;
        }
    }
    sum
}

/// The continued fraction of the upper incomplete gamma function without its scale, with its derivative by `a`.
fn gamma_fraction(a: f64, x: f64) -> Dual {
    // Lentz's method, on numbers with derivatives.
    let inverse = |d: Dual| Dual(1.0 / d.0, -d.1 / (d.0 * d.0));
    let times = |p: Dual, q: Dual| Dual(p.0 * q.0, p.0 * q.1 + p.1 * q.0);
    let plus = |p: Dual, q: Dual| Dual(p.0 + q.0, p.1 + q.1);
    let tiny = 1e-300;
    let mut b = Dual(x + 1.0 - a, -1.0);
    let mut c = Dual(1.0 / tiny, 0.0);
    let mut d = inverse(if b.0 == 0.0 { Dual(tiny, 0.0) } else { b });
    let mut h = d;
    for i in 1..10_000 {
        let n = f64::from(i);
        let numerator = Dual(-n * (n - a), n);
        b = Dual(b.0 + 2.0, -1.0);
        let mut next = plus(times(numerator, d), b);
        if next.0.abs() < tiny {
            next.0 = tiny;
        }
        d = inverse(next);
        c = plus(b, times(numerator, inverse(c)));
        if c.0.abs() < tiny {
            c.0 = tiny;
        }
        let step = times(c, d);
        let before = h;
        h = times(h, step);
        if (step.0 - 1.0).abs() < 1e-16 && (h.1 - before.1).abs() <= 1e-16 * h.1.abs() {
            break;
        }
    }
    h
}

/// The regularized lower incomplete gamma function.
pub fn igamma(a: f64, x: f64) -> f64 {
    if a.is_nan() || x.is_nan() || x < 0.0 || a < 0.0 || (a == 0.0 && x == 0.0) {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else if x.is_infinite() {
        1.0
    } else if x >= 1.0 && x > a {
        1.0 - gamma_fraction(a, x).0 * gamma_scale(a, x)
    } else {
        gamma_series(a, x).0 * gamma_scale(a, x) / a
    }
}

/// The regularized upper incomplete gamma function.
pub fn igammac(a: f64, x: f64) -> f64 {
    if a.is_nan() || x.is_nan() || x < 0.0 || a < 0.0 || (a == 0.0 && x == 0.0) {
        f64::NAN
    } else if x.is_infinite() || a == 0.0 {
        0.0
    } else if x == 0.0 {
        1.0
    } else if x < 1.0 || x < a {
        1.0 - gamma_series(a, x).0 * gamma_scale(a, x) / a
    } else {
        gamma_fraction(a, x).0 * gamma_scale(a, x)
    }
}

/// The derivative of [`igamma`] by `a`.
pub fn igamma_grad_a(a: f64, x: f64) -> f64 {
    // Far out XLA multiplies nothing by infinity.
    if a.is_nan() || x.is_nan() || x < 0.0 || a <= 0.0 || x.is_infinite() {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else if x > 1.0 && x > a {
        let Dual(value, slope) = gamma_fraction(a, x);
        -gamma_scale(a, x) * (value * (x.ln() - digamma(a)) + slope)
    } else {
        let Dual(value, slope) = gamma_series(a, x);
        gamma_scale(a, x) * (value * (x.ln() - digamma(a + 1.0)) + slope) / a
    }
}

/// The derivative of a sample of the gamma distribution by its shape.
pub fn random_gamma_grad(a: f64, x: f64) -> f64 {
    if a.is_nan() || x.is_nan() || x < 0.0 || a <= 0.0 {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else if x > 1.0 && x > a {
        let Dual(value, slope) = gamma_fraction(a, x);
        (value * (x.ln() - digamma(a)) + slope) * x
    } else {
        let Dual(value, slope) = gamma_series(a, x);
        -(value * (x.ln() - digamma(a + 1.0)) + slope) * x / a
    }
}

/// The regularized incomplete beta function.
pub fn betainc(a: f64, b: f64, x: f64) -> f64 {
    if a.is_nan() || b.is_nan() || x.is_nan() || a < 0.0 || b < 0.0 || !(0.0..=1.0).contains(&x) {
        return f64::NAN;
    }
    let (a_zero, b_zero) = (a == 0.0 || b.is_infinite(), b == 0.0 || a.is_infinite());
    if a_zero && b_zero {
        return f64::NAN;
    }
    if (b_zero && x != 1.0) || (a_zero && x == 0.0) {
        return 0.0;
    }
    if (a_zero && x != 0.0) || (b_zero && x == 1.0) {
        return 1.0;
    }
    if x == 0.0 || x == 1.0 {
        return x;
    }
    if x >= (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_fraction(b, a, 1.0 - x);
    }
    beta_fraction(a, b, x)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let guard = |v: f64| if v.abs() < tiny { tiny } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for i in 1..10_000 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        h *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        h *= c * d;
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    (a * x.ln() + b * (-x).ln_1p() + lgamma(a + b) - lgamma(a) - lgamma(b)).exp() * h / a
}

/// `exp(-|x|)` times the modified Bessel function of the first kind, of order 0 or 1.
fn bessel(order: f64, x: f64) -> f64 {
    let size = x.abs();
    if size.is_nan() {
        return f64::NAN;
    }
    if size.is_infinite() {
        return 0.0;
    }
    let sum = if size <= 30.0 {
        // All terms of the power series are positive.
        let quarter = size * size / 4.0;
        let (mut term, mut sum) = (if order == 0.0 { 1.0 } else { size / 2.0 }, 0.0);
        for k in 1..200 {
            sum += term;
            let k = f64::from(k);
            term *= quarter / (k * (k + order));
            if term < 1e-18 * sum {
                break;
            }
        }
        sum * (-size).exp()
    } else {
        let mu = 4.0 * order * order;
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..30 {
            let odd = 2.0 * f64::from(k) - 1.0;
            term *= -(mu - odd * odd) / (f64::from(k) * 8.0 * size);
            sum += term;
            if term.abs() < 1e-17 {
                break;
            }
        }
        sum / (2.0 * PI * size).sqrt()
    };
    if order == 1.0 && x < 0.0 { -sum } else { sum }
}

/// The exponentially scaled modified Bessel function of order 0.
pub fn bessel_i0e(x: f64) -> f64 {
    bessel(0.0, x)
}

/// The exponentially scaled modified Bessel function of order 1.
pub fn bessel_i1e(x: f64) -> f64 {
    bessel(1.0, x)
}
