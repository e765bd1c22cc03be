//! Distributions of whole numbers.

use crate::Bits;

/// `log Γ(x)` by Stirling's series, shifted up to where it converges.
fn log_gamma(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        8.333333333333333e-02,
        -2.777777777777778e-03,
        7.936507936507937e-04,
        -5.952380952380952e-04,
        8.417508417508418e-04,
        -1.917526917526918e-03,
        6.41025641025641e-03,
        -2.955065359477124e-02,
        1.796443723688307e-01,
        -1.3924322169059e+00,
    ];
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let steps = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut at = x + steps as f64;
    let square = (1.0 / at) * (1.0 / at);
    let mut sum = SERIES[9];
    for term in SERIES[..9].iter().rev() {
        sum = sum * square + term;
    }
    let mut value = sum / at + 0.5 * 1.8378770664093453 + (at - 0.5) * at.ln() - at;
    for _ in 0..steps {
        value -= (at - 1.0).ln();
        at -= 1.0;
    }
    value
}

/// A number of Poisson's distribution.
pub fn poisson(bits: &mut Bits, mean: f64) -> i64 {
    if mean == 0.0 {
        return 0;
    }
    if mean < 10.0 {
        let least = (-mean).exp();
        let (mut product, mut n) = (1.0, 0);
        loop {
            product *= bits.double();
            if product <= least {
                return n;
            }
            n += 1;
        }
    }
    // Transformed rejection (Hörmann 1993).
    let (root, log) = (mean.sqrt(), mean.ln());
    let b = 0.931 + 2.53 * root;
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = bits.double() - 0.5;
        let v = bits.double();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= v_r {
            return k as i64;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        if v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln() <= -mean + k * log - log_gamma(k + 1.0) {
            return k as i64;
        }
    }
}

/// A number of the binomial distribution; `None` where it takes the method for large counts.
pub fn binomial(bits: &mut Bits, n: i64, p: f64) -> Option<i64> {
    if n == 0 || p == 0.0 {
        return Some(0);
    }
    if p > 0.5 {
        return Some(n - by_inversion(bits, n, 1.0 - p)?);
    }
    by_inversion(bits, n, p)
}

fn by_inversion(bits: &mut Bits, n: i64, p: f64) -> Option<i64> {
    let count = n as f64;
    if p * count > 30.0 {
        return None;
    }
    let q = 1.0 - p;
    let first = (count * (-p).ln_1p()).exp();
    let mean = count * p;
    let bound = count.min(mean + 10.0 * (mean * q + 1.0).sqrt()) as i64;
    let (mut x, mut px) = (0i64, first);
    let mut u = bits.double();
    while u > px {
        x += 1;
        if x > bound {
            (x, px) = (0, first);
            u = bits.double();
        } else {
            u -= px;
            px = ((n - x + 1) as f64 * p * px) / (x as f64 * q);
        }
    }
    Some(x)
}
