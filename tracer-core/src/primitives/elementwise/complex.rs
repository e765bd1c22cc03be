//! Inverse functions of complex numbers, in `f64`, with the edge values that XLA gives, and what they are made of.

use num_complex::Complex;
use num_traits::Float;

type C = Complex<f64>;

/// The product: each part is one product, rounded, that another one is added to with a single rounding, as XLA contracts them.
pub fn mul<T: Float>(x: Complex<T>, y: Complex<T>) -> Complex<T> {
    Complex { re: x.re.mul_add(y.re, -(x.im * y.im)), im: x.im.mul_add(y.re, x.re * y.im) }
}

/// The quotient, scaled against overflow; a zero divisor gives infinities of the dividend's signs.
pub fn div(x: C, y: C) -> C {
    if y.re == 0.0 && y.im == 0.0 && !x.re.is_nan() | !x.im.is_nan() {
        let infinite = f64::INFINITY.copysign(y.re);
        return C::new(infinite * x.re, infinite * x.im);
    }
    if y.re.is_finite() && y.im.is_finite() && (x.re.is_infinite() || x.im.is_infinite()) {
        let unit = |v: f64| f64::from(u8::from(v.is_infinite())).copysign(v);
        let (a, b) = (unit(x.re), unit(x.im));
        return C::new(f64::INFINITY * (a * y.re + b * y.im), f64::INFINITY * (b * y.re - a * y.im));
    }
    if x.re.is_finite() && x.im.is_finite() && (y.re.is_infinite() || y.im.is_infinite()) {
        let unit = |v: f64| f64::from(u8::from(v.is_infinite())).copysign(v);
        let (c, d) = (unit(y.re), unit(y.im));
        return C::new(0.0 * (x.re * c + x.im * d), 0.0 * (x.im * c - x.re * d));
    }
    if y.re.abs() >= y.im.abs() {
        let ratio = y.im / y.re;
        let scale = y.re + y.im * ratio;
        C::new((x.re + x.im * ratio) / scale, (x.im - x.re * ratio) / scale)
    } else {
        let ratio = y.re / y.im;
        let scale = y.re * ratio + y.im;
        C::new((x.re * ratio + x.im) / scale, (x.im * ratio - x.re) / scale)
    }
}

/// The exponential; a real argument stays real.
pub fn exp(z: C) -> C {
    let radius = z.re.exp();
    if z.im == 0.0 {
        return C::new(radius, z.im);
    }
    C::new(radius * z.im.cos(), radius * z.im.sin())
}

/// The principal logarithm.
pub fn log(z: C) -> C {
    C::new(z.re.hypot(z.im).ln(), z.im.atan2(z.re))
}

/// The angle of `x + iy`: `-i log((x + iy) / √(x² + y²))`.
pub fn atan2(y: C, x: C) -> C {
    let direction = C::new(x.re - y.im, x.im + y.re);
    let z = log(div(direction, (mul(x, x) + mul(y, y)).sqrt()));
    C::new(z.im, -z.re)
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

/// Beyond this a square, or a product of two roots, leaves the range of numbers: 1 makes no difference to so much.
const HUGE: f64 = 1e150;

fn is_huge(z: C) -> bool {
    z.re.abs() > HUGE || z.im.abs() > HUGE
}

/// `ln(2 |z|)` of what is huge.
fn doubled_log(z: C) -> f64 {
    (z.re / 2.0).hypot(z.im / 2.0).ln() + 2.0 * std::f64::consts::LN_2
}

/// On its cut, and beside it, a part of a result has the sign of the side on which a number lies: no zero lies below.
fn on_side(size: f64, of: f64) -> f64 {
    match size {
        0.0 => size,
        _ if of < 0.0 => -size.abs(),
        _ => size.abs(),
    }
}

/// The roots of `1 + z` and `1 - z`, which the inverse functions are made of (W. Kahan, "Branch cuts for complex elementary
/// functions").
fn roots(z: C) -> (C, C) {
    (sqrt(C::new(1.0 + z.re, z.im)), sqrt(C::new(1.0 - z.re, -z.im)))
}

/// The inverse sine.
pub fn asin(z: C) -> C {
    if is_huge(z) {
        return C::new(z.re.atan2(z.im.abs()), on_side(doubled_log(z), z.im));
    }
    let (above, below) = roots(z);
    let im = libm::asinh(below.re * above.im - below.im * above.re);
    C::new(z.re.atan2(above.re * below.re - above.im * below.im), on_side(im, z.im))
}

/// The inverse cosine.
pub fn acos(z: C) -> C {
    if is_huge(z) {
        return C::new(z.im.abs().atan2(z.re), -on_side(doubled_log(z), z.im));
    }
    let (above, below) = roots(z);
    let im = libm::asinh(below.re * above.im - below.im * above.re);
    C::new(2.0 * below.re.atan2(above.re), -on_side(im, z.im))
}

/// The inverse hyperbolic cosine.
pub fn acosh(z: C) -> C {
    if is_huge(z) {
        return C::new(doubled_log(z), z.im.atan2(z.re));
    }
    let (above, below) = (sqrt(C::new(z.re + 1.0, z.im)), sqrt(C::new(z.re - 1.0, z.im)));
    C::new(libm::asinh(below.re * above.re + below.im * above.im), 2.0 * below.im.atan2(above.re))
}

/// The inverse hyperbolic sine.
pub fn asinh(z: C) -> C {
    let turned = asin(C::new(-z.im, z.re));
    C::new(turned.im, -turned.re)
}

/// The inverse hyperbolic tangent.
pub fn atanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if is_huge(z) {
        // x / |z|², without squares.
        let size = x.hypot(y);
        return C::new(x / size / size, on_side(std::f64::consts::FRAC_PI_2, y));
    }
    let away = (1.0 - x.abs()).mul_add(1.0 - x.abs(), y * y);
    let re = 0.25 * (4.0 * x.abs() / away).ln_1p();
    C::new(re.copysign(x), 0.5 * (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y))
}

/// The inverse tangent.
pub fn atan(z: C) -> C {
    let turned = atanh(C::new(-z.im, z.re));
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
            assert!(near(asin(C::new(2.5, zero)), FRAC_PI_2, 1.566_799_236_972_410_9));
            assert!(near(asin(C::new(-2.5, zero)), -FRAC_PI_2, 1.566_799_236_972_410_9));
            assert!(near(acos(C::new(2.5, zero)), 0.0, -1.566_799_236_972_410_9));
            assert!(near(asinh(C::new(zero, -2.5)), 1.566_799_236_972_410_9, -FRAC_PI_2));
        }
        assert!(near(atanh(C::new(3.0, 0.0)), 0.346_573_590_279_972_6, FRAC_PI_2));
        assert!(near(atan(C::new(0.0, -2.0)), FRAC_PI_2, -0.549_306_144_334_054_8));
    }

    #[test]
    fn inverse_functions_of_large_numbers() {
        assert!(near(asin(C::new(-1e9, 0.0)), -FRAC_PI_2, 21.416_413_017_506_358));
        assert!(near(asinh(C::new(-1e9, 0.0)), -21.416_413_017_506_358, 0.0));
        assert!(near(asin(C::new(1e200, -0.0)), FRAC_PI_2, 461.210_165_779_369_1));
        assert!(near(atan(C::new(-0.0, 1e200)), FRAC_PI_2, 1e-200));
    }
}
