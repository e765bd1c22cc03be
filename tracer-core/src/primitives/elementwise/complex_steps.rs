//! Functions of complex numbers in the steps in which XLA computes them on CPU, in the precision of their parts: so they have its
//! infinities, NaNs and signs of zeros, and results that are denormals become zeros. A product that a sum alone needs is not
//! rounded before it is added.

use std::ops::{Add, Div, Mul, Neg, Sub};

use jitlens_kernels::single;
use num_complex::Complex;

use super::scalar::Flush;

/// A part of a complex number: every step gives zero in place of a denormal.
#[derive(Copy, Clone, PartialEq, PartialOrd)]
pub struct Part<T>(T);

macro_rules! operators {
    ($($class:ident $name:ident $sign:tt;)*) => {$(
        impl<T: Real> $class for Part<T> {
            type Output = Part<T>;
            fn $name(self, other: Part<T>) -> Part<T> {
                Part((self.0 $sign other.0).flush())
            }
        }
    )*};
}

operators! { Add add +; Sub sub -; Mul mul *; Div div /; }

impl<T: Real> Neg for Part<T> {
    type Output = Part<T>;
    fn neg(self) -> Part<T> {
        Part(-self.0)
    }
}

/// The floats that complex numbers are made of, with XLA's functions of them.
pub trait Real: num_traits::Float + Flush {
    /// A number of either type.
    fn of(x: f64) -> Self;
    /// As `f64`.
    fn wide(self) -> f64;
    /// `e^x`
    fn exponential(self) -> Self;
    /// `e^x - 1`
    fn exponential_minus_one(self) -> Self;
    /// The natural logarithm.
    fn logarithm(self) -> Self;
    /// `x² + y² - 1`, rounded once.
    fn beyond_circle(x: Self, y: Self) -> Self;
    /// `2x + x² + y²`, rounded once.
    fn around_one(x: Self, y: Self) -> Self;
}

impl Real for f32 {
    fn of(x: f64) -> f32 {
        x as f32
    }
    fn wide(self) -> f64 {
        self.into()
    }
    fn exponential(self) -> f32 {
        single::exp(self)
    }
    fn exponential_minus_one(self) -> f32 {
        single::expm1(self)
    }
    fn logarithm(self) -> f32 {
        single::log(self)
    }
    fn beyond_circle(x: f32, y: f32) -> f32 {
        let (x, y) = (f64::from(x), f64::from(y));
        let (large, small) = if x.abs() < y.abs() { (y, x) } else { (x, y) };
        (large * large - 1.0 + small * small) as f32
    }
    fn around_one(x: f32, y: f32) -> f32 {
        let (x, y) = (f64::from(x), f64::from(y));
        (2.0 * x + x * x + y * y) as f32
    }
}

impl Real for f64 {
    fn of(x: f64) -> f64 {
        x
    }
    fn wide(self) -> f64 {
        self
    }
    fn exponential(self) -> f64 {
        self.exp()
    }
    fn exponential_minus_one(self) -> f64 {
        self.exp_m1()
    }
    fn logarithm(self) -> f64 {
        self.ln()
    }
    fn beyond_circle(x: f64, y: f64) -> f64 {
        let (large, small) = if x.abs() < y.abs() { (y, x) } else { (x, y) };
        sum([-1.0, large * large, rest(large), small * small, rest(small)])
    }
    fn around_one(x: f64, y: f64) -> f64 {
        sum([2.0 * x, x * x, rest(x), y * y, rest(y)])
    }
}

/// What rounding takes from a square.
fn rest(x: f64) -> f64 {
    x.mul_add(x, -(x * x))
}

/// A sum with what rounding takes from its steps.
fn sum(numbers: [f64; 5]) -> f64 {
    let (mut all, mut lost) = (0.0, 0.0);
    for x in numbers {
        let next: f64 = all + x;
        let back = next - all;
        lost += (all - (next - back)) + (x - back);
        all = next;
    }
    all + lost
}

type P<T> = Part<T>;

impl<T: Real> Part<T> {
    fn of(x: f64) -> P<T> {
        Part(T::of(x))
    }
    fn map(self, f: impl Fn(T) -> T) -> P<T> {
        Part(f(self.0).flush())
    }
    /// A function that is computed in `f64`.
    fn wide(self, f: impl Fn(f64) -> f64) -> P<T> {
        self.map(|x| T::of(f(x.wide())))
    }
    fn exp(self) -> P<T> {
        self.map(T::exponential)
    }
    fn expm1(self) -> P<T> {
        self.map(T::exponential_minus_one)
    }
    fn log(self) -> P<T> {
        self.map(T::logarithm)
    }
    fn log1p(self) -> P<T> {
        self.wide(f64::ln_1p)
    }
    fn sin(self) -> P<T> {
        self.wide(f64::sin)
    }
    fn cos(self) -> P<T> {
        self.wide(f64::cos)
    }
    fn sqrt(self) -> P<T> {
        self.map(T::sqrt)
    }
    fn rsqrt(self) -> P<T> {
        self.wide(|x| 1.0 / x.sqrt())
    }
    /// The angle.
    fn atan2(self, x: P<T>) -> P<T> {
        Part(T::of(self.0.wide().atan2(x.0.wide())))
    }
    fn pow(self, exponent: P<T>) -> P<T> {
        self.wide(|x| x.powf(exponent.0.wide()))
    }
    fn abs(self) -> P<T> {
        Part(self.0.abs())
    }
    /// `self * by + to`, rounded once.
    fn fma(self, by: P<T>, to: P<T>) -> P<T> {
        Part(self.0.mul_add(by.0, to.0).flush())
    }
    /// The size of this with the sign of another number.
    fn signed(self, of: P<T>) -> P<T> {
        Part(self.0.copysign(of.0))
    }
    fn is_nan(self) -> bool {
        self.0.is_nan()
    }
    fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }
    /// 1 for an infinity and 0 for everything else, with its sign.
    fn infinite(self) -> P<T> {
        P::of(f64::from(u8::from(self.is_infinite()))).signed(self)
    }
}

fn larger<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    if x.is_nan() || (x.0 > y.0) { x } else { y }
}

fn smaller<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    if x.is_nan() || (x.0 < y.0) { x } else { y }
}

type C<T> = Complex<T>;

/// The angle of a number. Denormals are zeros in it, but beside a zero; of two there is none, for their quotient is that of zeros.
fn angle<T: Real>(z: C<T>) -> P<T> {
    let (x, y) = parts(z);
    match (x.is_zero() && y.is_zero(), z.re.is_zero() || z.im.is_zero()) {
        (true, true) => Part(z.im).atan2(Part(z.re)),
        (true, false) => P::of(f64::NAN),
        _ => y.atan2(x),
    }
}

fn parts<T: Real>(z: C<T>) -> (P<T>, P<T>) {
    (Part(z.re.flush()), Part(z.im.flush()))
}

fn whole<T: Real>((re, im): (P<T>, P<T>)) -> C<T> {
    Complex::new(re.0, im.0)
}

/// The larger and the smaller size of a part, and their quotient.
fn sizes<T: Real>(x: P<T>, y: P<T>) -> (P<T>, P<T>, P<T>) {
    let (large, small) = (larger(x.abs(), y.abs()), smaller(x.abs(), y.abs()));
    (large, small, small / large)
}

/// Whether a number is before another one, by the real parts and then by the imaginary ones.
fn is_below<T: Real>(x: C<T>, y: C<T>) -> bool {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    if a == c { b < d } else { a < c }
}

/// The number that is above the other one; beside a NaN the second one.
pub fn upper<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    if is_below(y, x) { x } else { y }
}

/// The number that is below the other one; beside a NaN the second one.
pub fn lower<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    if is_below(x, y) { x } else { y }
}

/// The sum.
pub fn add<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    whole((a + c, b + d))
}

/// The difference.
pub fn sub<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    whole((a - c, b - d))
}

/// The product.
pub fn mul<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    whole((a.fma(c, -(b * d)), b.fma(c, a * d)))
}

/// `z ** n`, by squares of which the imaginary part is a double product.
pub fn integer_pow<T: Real>(z: C<T>, n: i64) -> C<T> {
    let one = Complex::new(T::one(), T::zero());
    let (mut base, mut left, mut product) = (z, n.unsigned_abs(), None);
    while left > 0 {
        if left & 1 == 1 {
            product = Some(product.map_or(base, |p| mul(p, base)));
        }
        left >>= 1;
        if left > 0 {
            let (x, y) = parts(base);
            base = whole((x.fma(x, -(y * y)), y * x + y * x));
        }
    }
    let power = product.unwrap_or(one);
    if n < 0 { div(one, power) } else { power }
}

/// The square; parts of equal size leave no real part.
pub fn square<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let re = if x.abs() == y.abs() && !x.is_infinite() { P::of(0.0) } else { (x - y) * (x + y) };
    whole((re, x * y * P::of(2.0)))
}

/// The quotient.
pub fn div<T: Real>(x: C<T>, y: C<T>) -> C<T> {
    whole(quotient(parts(x), parts(y)))
}

fn quotient<T: Real>((a, b): (P<T>, P<T>), (c, d): (P<T>, P<T>)) -> (P<T>, P<T>) {
    let (re, im) = if c.abs() < d.abs() {
        let ratio = c / d;
        let scale = ratio.fma(c, d);
        (a.fma(ratio, b) / scale, b.fma(ratio, -a) / scale)
    } else {
        let ratio = d / c;
        let scale = ratio.fma(d, c);
        (b.fma(ratio, a) / scale, (-a).fma(ratio, b) / scale)
    };
    if !re.is_nan() || !im.is_nan() {
        return (re, im);
    }
    let infinity = P::of(f64::INFINITY);
    let finite = |x: P<T>| x.0.is_finite();
    if c.is_zero() && d.is_zero() && !(a.is_nan() && b.is_nan()) {
        (infinity.signed(c) * a, infinity.signed(c) * b)
    } else if (a.is_infinite() || b.is_infinite()) && finite(c) && finite(d) {
        let (a, b) = (a.infinite(), b.infinite());
        ((a * c + b * d) * infinity, (b * c - a * d) * infinity)
    } else if finite(a) && finite(b) && (c.is_infinite() || d.is_infinite()) {
        let (c, d, zero) = (c.infinite(), d.infinite(), P::of(0.0));
        ((a * c + b * d) * zero, (b * c - a * d) * zero)
    } else {
        (re, im)
    }
}

fn size<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    let (large, small, ratio) = sizes(x, y);
    let size = large * ratio.fma(ratio, P::of(1.0)).sqrt();
    if size.is_nan() { small } else { size }
}

/// The magnitude.
pub fn abs<T: Real>(z: C<T>) -> T {
    let (x, y) = parts(z);
    size(x, y).0
}

/// `z / |z|`; a zero stays as it is.
pub fn sign<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    if x.is_zero() && y.is_zero() {
        return z;
    }
    let size = size(x, y);
    whole((x / size, y / size))
}

/// The exponential. A real one has no sign of zero beside it; what is too large is made of two roots.
fn power<T: Real>(x: P<T>, y: P<T>) -> (P<T>, P<T>) {
    let (radius, (sin, cos)) = (x.exp(), (y.sin(), y.cos()));
    let (re, im) = if radius.is_infinite() {
        let root = (x * P::of(0.5)).exp();
        (root * cos * root, root * sin * root)
    } else {
        (radius * cos, radius * sin)
    };
    (re, if y.is_zero() { P::of(0.0) } else { im })
}

/// The exponential.
pub fn exp<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    whole(power(x, y))
}

/// 2 to the power of a number.
pub fn exp2<T: Real>(z: C<T>) -> C<T> {
    exp(mul(z, Complex::new(T::of(std::f64::consts::LN_2), T::zero())))
}

/// The logarithm.
pub fn log<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    whole((log_size(x, y), angle(z)))
}

/// The angle of `x + iy`: `-i log((x + iy) / √(x² + y²))`.
pub fn atan2<T: Real>(y: C<T>, x: C<T>) -> C<T> {
    let turn = Complex::new(T::zero(), T::one());
    let direction = div(add(x, mul(turn, y)), sqrt(add(mul(x, x), mul(y, y))));
    mul(Complex::new(T::zero(), -T::one()), log(direction))
}

/// The logarithm of the magnitude.
fn log_size<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    let beyond = Part(T::beyond_circle(x.0, y.0).flush());
    if beyond.abs().0 < T::of(0.5) { beyond.log1p() * P::of(0.5) } else { log_of_sizes(x, y) }
}

/// As [`log_size`], of numbers of any size.
fn log_of_sizes<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    let (large, small, ratio) = sizes(x, y);
    let square = if large == small { P::of(1.0) } else { ratio * ratio };
    square.log1p().fma(P::of(0.5), large.log())
}

/// `log(1 + z)`
pub fn log1p<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let next = x + P::of(1.0);
    let re = if larger(x.abs(), y.abs()).0 > T::max_value().sqrt() * T::of(0.01) {
        log_of_sizes(x, y)
    } else if (next.abs() + y.abs()).0 < T::of(0.2) {
        next.fma(next, y * y).log() * P::of(0.5)
    } else {
        Part(T::around_one(x.0, y.0).flush()).log1p() * P::of(0.5)
    };
    whole((re, y.atan2(next)))
}

/// `exp(z) - 1`
pub fn expm1<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let grown = x.expm1();
    let near = (y * y).0 < T::of(0.616_85);
    let turned = if near { P::of(0.0) - y.wide(|y| 2.0 * (y / 2.0).sin().powi(2)) } else { y.cos() - P::of(1.0) };
    let re = grown.fma(turned + P::of(1.0), turned);
    whole((re, if y.is_zero() { P::of(0.0) } else { (grown + P::of(1.0)) * y.sin() }))
}

/// The hyperbolic sine and cosine of a part.
fn hyperbolic<T: Real>(x: P<T>) -> (P<T>, P<T>) {
    let (up, down, half) = (x.expm1(), (-x).expm1(), P::of(0.5));
    ((up - down) * half, (up + down + P::of(2.0)) * half)
}

/// The sine.
pub fn sin<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let (sinh, cosh) = hyperbolic(y);
    whole((if x.is_zero() { P::of(0.0) } else { x.sin() * cosh }, x.cos() * sinh))
}

/// The cosine.
pub fn cos<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let (sinh, cosh) = hyperbolic(y);
    whole((x.cos() * cosh, if x.is_zero() { P::of(0.0) } else { -x.sin() * sinh }))
}

/// Half of `e^z` and half of `e^-z`.
fn halves<T: Real>(z: C<T>) -> ((P<T>, P<T>), (P<T>, P<T>)) {
    let ((x, y), half, zero) = (parts(z), P::of(-std::f64::consts::LN_2), P::of(0.0));
    (power(x + half, y + zero), power(half - x, zero - y))
}

/// The hyperbolic sine.
pub fn sinh<T: Real>(z: C<T>) -> C<T> {
    let ((a, b), (c, d)) = halves(z);
    whole((a - c, b - d))
}

/// The hyperbolic cosine.
pub fn cosh<T: Real>(z: C<T>) -> C<T> {
    let ((a, b), (c, d)) = halves(z);
    whole((a + c, b + d))
}

/// The hyperbolic tangent.
pub fn tanh<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    whole(tangent(x, y))
}

fn tangent<T: Real>(x: P<T>, y: P<T>) -> (P<T>, P<T>) {
    let (up, down) = ((x + x).expm1(), (-(x + x)).expm1());
    let (four, cos) = (P::of(4.0), y.cos());
    let turned = cos * y.sin() * four;
    let sum = up + down;
    let scale = (cos * cos).fma(four, sum);
    let endless = sum.is_infinite() && sum.0 > T::zero();
    let odd = turned.is_nan();
    let re = match () {
        () if odd && !x.is_infinite() => P::of(f64::NAN),
        () if endless => P::of(1.0).signed(x),
        () => (up - down) / scale,
    };
    (re, if y.is_zero() || (x.is_infinite() && odd) { P::of(0.0) } else { turned / scale })
}

/// The tangent.
pub fn tan<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let (re, im) = tangent(-y, x);
    whole((im, -re))
}

/// `1 / (1 + exp(-z))`
pub fn logistic<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let (re, im) = power(-x, -y);
    let (one, zero) = (P::of(1.0), P::of(0.0));
    whole(quotient((one, zero), (re + one, im + zero)))
}

/// The magnitude, with a correction where the smaller part is lost beside the larger one.
fn corrected_size<T: Real>(x: P<T>, y: P<T>) -> P<T> {
    let (large, small, ratio) = sizes(x, y);
    if large == small {
        return large * P::of(std::f64::consts::SQRT_2);
    }
    let square = ratio * ratio;
    let root = (square + P::of(1.0)).sqrt();
    if root == P::of(1.0) && square > P::of(0.0) { (large * square).fma(P::of(0.5), large) } else { large * root }
}

/// The principal square root.
pub fn sqrt<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    let (a, b, half) = (x.abs(), y.abs(), P::of(0.5));
    let (root_a, root_b) = (a.sqrt(), b.sqrt());
    let size = corrected_size(x, y);
    let main = a.fma(half, size * half).sqrt();
    let (main, other) = if a == b {
        // √((1 + √2) / 2), and half of its inverse.
        (root_a * P::of(1.098_684_113_467_809_8), root_b * P::of(0.455_089_860_562_227_3))
    } else if main.is_zero() || main.is_infinite() {
        let ratio = if a < b { root_a / root_b } else { root_b / root_a };
        let (quotient, one) = (if a < b { a / b } else { b / a }, P::of(1.0));
        let near = corrected_size(quotient, one);
        let (sqrt_2, sqrt_half) = (P::of(std::f64::consts::SQRT_2), P::of(std::f64::consts::FRAC_1_SQRT_2));
        if a > b {
            let root = (near + one).sqrt();
            (root_a * (root * sqrt_half), root_b * ratio / (root * sqrt_2))
        } else {
            let root = (quotient + near).sqrt();
            (root_b * (root * sqrt_half), root_b / (root * sqrt_2))
        }
    } else {
        (main, b / (main * P::of(2.0)))
    };
    let turned = |size: P<T>| if y.0 < T::zero() { -size } else { size };
    let re = if x.0 >= T::zero() { main } else { other };
    whole((re, if x.0 < T::zero() { turned(main) } else { turned(other) }))
}

/// One over the square root.
pub fn rsqrt<T: Real>(z: C<T>) -> C<T> {
    let (x, y) = parts(z);
    if x.is_zero() && y.is_zero() {
        return whole((P::of(f64::INFINITY), P::of(f64::NAN)));
    }
    if x.is_infinite() || (y.is_infinite() && x.is_nan()) {
        let zero = P::of(0.0);
        return whole((zero.signed(x), -zero.signed(y)));
    }
    let (large, small, ratio) = sizes(x, y);
    let near = large.rsqrt() * ratio.fma(ratio, P::of(1.0)).rsqrt().sqrt();
    let radius = if near.is_nan() { small.rsqrt() } else { near };
    let angle = angle(z) * P::of(-0.5);
    whole((radius * angle.cos(), radius * angle.sin()))
}

/// `z ** w`
pub fn pow<T: Real>(z: C<T>, w: C<T>) -> C<T> {
    let ((x, y), (u, v)) = (parts(z), parts(w));
    let (zero, one) = (P::of(0.0), P::of(1.0));
    let (above, below) = (v.is_zero() && u > zero, v.is_zero() && u < zero);
    if y.is_zero() && x.is_infinite() && x > zero && (above || below) {
        return whole((if above { x } else { zero }, zero));
    }
    if (x == one && y.is_zero()) || (u.is_zero() && v.is_zero()) {
        return whole((one, zero));
    }
    let size = size(x, y);
    if size.is_zero() && v.is_zero() && u >= zero {
        return whole((zero, zero));
    }
    let turn = angle(z);
    let radius = size.pow(u) * (-v * turn).exp();
    let angle = u.fma(turn, v * size.log());
    whole((radius * angle.cos(), radius * angle.sin()))
}
