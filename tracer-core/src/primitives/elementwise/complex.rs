//! Inverse functions of complex numbers, in `f64`, with the edge values that XLA gives, and what they are made of.

use num_complex::Complex;

type C = Complex<f64>;

/// The exponential; a real argument stays real.
pub fn exp(z: C) -> C {
    let radius = z.re.exp();
    if z.im == 0.0 {
        return C::new(radius, z.im);
    }
    C::new(radius * z.im.cos(), radius * z.im.sin())
}

/// `log(1 + z)`
pub fn log1p(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let re =
        if x.abs() < 0.5 && y.abs() < 0.5 { 0.5 * (2.0 * x + x * x + y * y).ln_1p() } else { (1.0 + x).hypot(y).ln() };
    C::new(re, y.atan2(1.0 + x))
}

/// The principal square root.
pub fn sqrt(z: C) -> C {
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, z.im);
    }
    if z.im.is_infinite() {
        return C::new(f64::INFINITY, z.im);
    }
    if z.re.is_infinite() {
        return if z.re > 0.0 {
            C::new(z.re, 0.0f64.copysign(z.im))
        } else {
            C::new(0.0, f64::INFINITY.copysign(z.im))
        };
    }
    let size = ((z.re.abs() + z.re.hypot(z.im)) / 2.0).sqrt();
    let other = z.im.abs() / (2.0 * size);
    if z.re >= 0.0 { C::new(size, other.copysign(z.im)) } else { C::new(other, if z.im < 0.0 { -size } else { size }) }
}

/// Where the squares of a type's parts leave its range.
#[derive(Copy, Clone, Debug)]
pub struct Range {
    /// XLA does not square what is as large.
    huge: f64,
    /// The least normal number.
    least: f64,
}

/// Of parts of 32 bits.
pub const SINGLE: Range = Range { huge: 2.305_843e18, least: f32::MIN_POSITIVE as f64 };
/// Of parts of 64 bits.
pub const DOUBLE: Range = Range { huge: 1.675_975_991_242_824_6e153, least: f64::MIN_POSITIVE };

/// Beyond this a square, or a product of two roots, leaves the range of numbers: 1 makes no difference to so much.
const HUGE: f64 = 1e150;

fn is_huge(z: C) -> bool {
    z.re.abs() > HUGE || z.im.abs() > HUGE
}

/// `ln(2 |z|)` of what is huge.
fn doubled_log(z: C) -> f64 {
    (z.re / 2.0).hypot(z.im / 2.0).ln() + 2.0 * std::f64::consts::LN_2
}

/// A part of a result has the sign of the side of its cut on which a number lies: no zero lies below.
fn on_side(size: f64, of: f64) -> f64 {
    if of < 0.0 { -size.abs() } else { size.abs() }
}

/// `ln(2 |x|)`: what XLA has of a large number beside a NaN.
fn beside_nan(z: C, range: Range) -> Option<f64> {
    (z.im.is_nan() && z.re.abs() >= range.huge).then(|| z.re.abs().ln() + std::f64::consts::LN_2)
}

/// The roots of `1 + z` and `1 - z`, which the inverse functions are made of (W. Kahan, "Branch cuts for complex elementary
/// functions").
fn roots(z: C) -> (C, C) {
    (sqrt(C::new(1.0 + z.re, z.im)), sqrt(C::new(1.0 - z.re, -z.im)))
}

/// The inverse sine.
pub fn asin(z: C, range: Range) -> C {
    if let Some(size) = beside_nan(z, range) {
        return C::new(f64::NAN, size);
    }
    if is_huge(z) {
        return C::new(z.re.atan2(z.im.abs()), on_side(doubled_log(z), z.im));
    }
    let (above, below) = roots(z);
    let im = libm::asinh(below.re * above.im - below.im * above.re);
    C::new(z.re.atan2(above.re * below.re - above.im * below.im), on_side(im, z.im))
}

/// The inverse cosine.
pub fn acos(z: C, range: Range) -> C {
    if let Some(size) = beside_nan(z, range) {
        return C::new(f64::NAN, -size);
    }
    if is_huge(z) {
        return C::new(z.im.abs().atan2(z.re), -on_side(doubled_log(z), z.im));
    }
    let (above, below) = roots(z);
    let im = libm::asinh(below.re * above.im - below.im * above.re);
    C::new(2.0 * below.re.atan2(above.re), -on_side(im, z.im))
}

/// The inverse hyperbolic cosine.
pub fn acosh(z: C, range: Range) -> C {
    if let Some(size) = beside_nan(z, range) {
        return C::new(size, f64::NAN);
    }
    if is_huge(z) {
        return C::new(doubled_log(z), on_side(z.im.atan2(z.re), z.im));
    }
    let (above, below) = (sqrt(C::new(z.re + 1.0, z.im)), sqrt(C::new(z.re - 1.0, z.im)));
    let angle = 2.0 * below.im.atan2(above.re);
    C::new(libm::asinh(below.re * above.re + below.im * above.im), on_side(angle, z.im))
}

/// The inverse hyperbolic sine.
pub fn asinh(z: C, range: Range) -> C {
    let turned = asin(C::new(z.im, z.re), range);
    C::new(turned.im, turned.re)
}

/// The inverse hyperbolic tangent.
pub fn atanh(z: C, range: Range) -> C {
    let (x, y) = (z.re, z.im);
    let squared = |x: f64| if x * x < range.least { 0.0 } else { x * x };
    let re = if x.is_infinite() || y.is_infinite() {
        0.0
    } else if is_huge(z) {
        // x / |z|², without squares.
        let size = x.hypot(y);
        x.abs() / size / size
    } else {
        0.25 * (4.0 * x.abs() / (squared(1.0 - x.abs()) + squared(y))).ln_1p()
    };
    // What is not certainly small is large: so is a NaN.
    let im = if x.abs() < range.huge && y.abs() < range.huge {
        0.5 * (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y)
    } else {
        std::f64::consts::FRAC_PI_2.copysign(if y >= 0.0 { 1.0 } else { -1.0 })
    };
    C::new(if x >= 0.0 { re } else { -re }, im)
}

/// The inverse tangent.
pub fn atan(z: C, range: Range) -> C {
    let turned = atanh(C::new(-z.im, z.re), range);
    C::new(turned.im, -turned.re)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn near(found: C, re: f64, im: f64) -> bool {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
        close(found.re, re) && close(found.im, im)
    }

    // As JAX 0.10.2 computes them.
    #[test]
    fn inverse_functions_on_their_cuts() {
        for zero in [0.0, -0.0] {
            assert!(near(asin(C::new(2.5, zero), DOUBLE), FRAC_PI_2, 1.566_799_236_972_410_9));
            assert!(near(asin(C::new(-2.5, zero), DOUBLE), -FRAC_PI_2, 1.566_799_236_972_410_9));
            assert!(near(acos(C::new(2.5, zero), DOUBLE), 0.0, -1.566_799_236_972_410_9));
            assert!(near(asinh(C::new(zero, -2.5), DOUBLE), 1.566_799_236_972_410_9, -FRAC_PI_2));
        }
        assert!(near(atanh(C::new(3.0, 0.0), DOUBLE), 0.346_573_590_279_972_6, FRAC_PI_2));
        assert!(near(atan(C::new(0.0, -2.0), DOUBLE), FRAC_PI_2, -0.549_306_144_334_054_8));
    }

    #[test]
    fn inverse_functions_of_large_numbers() {
        assert!(near(asin(C::new(-1e9, 0.0), DOUBLE), -FRAC_PI_2, 21.416_413_017_506_358));
        assert!(near(asinh(C::new(-1e9, 0.0), DOUBLE), -21.416_413_017_506_358, 0.0));
        assert!(near(asin(C::new(1e200, -0.0), DOUBLE), FRAC_PI_2, 461.210_165_779_369_1));
        assert!(near(atan(C::new(-0.0, 1e200), DOUBLE), FRAC_PI_2, 1e-200));
    }

    #[test]
    fn inverse_functions_where_there_is_no_number() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let same = |found: C, re: f64, im: f64| {
            let same = |a: f64, b: f64| {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || (a != 0.0 && (a - b).abs() < 1e-15)
            };
            same(found.re, re) && same(found.im, im)
        };
        assert!(same(atanh(C::new(inf, -2.5), SINGLE), 0.0, -FRAC_PI_2));
        assert!(same(atanh(C::new(nan, inf), SINGLE), -0.0, FRAC_PI_2));
        assert!(same(atanh(C::new(-1.0, nan), SINGLE), nan, -FRAC_PI_2));
        assert!(same(atanh(C::new(-0.0, 1.0), SINGLE), 0.0, FRAC_PI_2 / 2.0));
        assert!(same(atan(C::new(-1.0, inf), SINGLE), -FRAC_PI_2, 0.0));
        assert!(same(atan(C::new(0.0, nan), SINGLE), FRAC_PI_2, nan));
        assert!(same(asin(C::new(-0.0, -0.0), SINGLE), -0.0, 0.0));
        assert!(same(acosh(C::new(-inf, -0.0), SINGLE), inf, std::f64::consts::PI));
        // Squares of 32 bits leave the range before those of 64 bits do.
        assert!(same(atanh(C::new(1.0, -1e-30), SINGLE), inf, -FRAC_PI_2 / 2.0));
        assert!(asin(C::new(1e30, nan), SINGLE).im > 69.0 && asin(C::new(1e30, nan), DOUBLE).im.is_nan());
    }
}
