//! Functions of `f32` with the values that XLA's CPU backend computes, bit for bit.
//!
//! XLA approximates them by the polynomials of Cephes (S. Moshier) and the rational function of Eigen; multiplications and
//! additions are fused. Checked against JAX in `tests/primitives`.

/// `a * b + c`, rounded once.
#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// Horner's scheme, from the highest coefficient down.
#[inline(always)]
fn horner<const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut sum = coefficients[0];
    for c in &coefficients[1..] {
        sum = fma(sum, x, *c);
    }
    sum
}

/// Denormals become zeros of the same sign.
#[inline(always)]
fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x }
}

/// The integer that a float of at most 2²² holds.
#[inline(always)]
fn whole(x: f32) -> i32 {
    const SHIFT: f32 = 12_582_912.0;
    ((x + SHIFT).to_bits() as i32).wrapping_sub(SHIFT.to_bits() as i32)
}

const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -0.000_212_194_44;

/// `e^x`
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let n = fma(x, std::f32::consts::LOG2_E, 0.5).floor().clamp(-127.0, 127.0);
    let a = fma(-n, LN_2_LOW, fma(-n, LN_2_HIGH, x.clamp(-87.8, 88.8)));
    let p = horner(a, [0.000_198_756_91, 0.001_398_199_9, 0.008_333_452, 0.041_665_796, 0.166_666_66, 0.5]);
    let z = fma(p, a * a, a) + 1.0;
    flush(z * f32::from_bits(((whole(n) + 127) << 23) as u32))
}

/// `2^x`
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    exp(x * std::f32::consts::LN_2)
}

/// `e^x - 1`
#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    let (power, half) = (exp(x), flush(x * 0.5));
    let near = tanh(half) * (power + 1.0);
    let other = if x.abs() < 0.5 { near } else { power - 1.0 };
    if half == 0.0 { x } else { other }
}

/// The hyperbolic sine.
#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let e = expm1(x);
    let near = 0.5 * (e + e / (e + 1.0));
    let far = exp(x - std::f32::consts::LN_2) - exp(-x - std::f32::consts::LN_2);
    flush(if x.abs() < 1.0 { near } else { far })
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    exp(x - std::f32::consts::LN_2) + exp(-x - std::f32::consts::LN_2)
}

/// `1 / (1 + e^-x)`
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    flush(1.0 / (1.0 + exp(-x)))
}

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits() as i32;
    let e = ((bits >> 23) - 126) as f32;
    let m = f32::from_bits((bits & 0x007f_ffff | 0x3f00_0000) as u32);
    let small = m < std::f32::consts::FRAC_1_SQRT_2;
    let e = if small { e - 1.0 } else { e };
    let m = if small { (m - 1.0) + m } else { m - 1.0 };
    let square = m * m;
    let cube = square * m;
    let high = horner(m, [0.070_376_836, -0.115_146_1, 0.116_769_984]);
    let middle = horner(m, [-0.124_201_41, 0.142_493_23, -0.166_680_57]);
    let low = horner(m, [0.200_007_14, -0.249_999_94, 0.333_333_3]);
    let p = fma(fma(high, cube, middle), cube, low);
    let rest = fma(p, cube, e * LN_2_LOW);
    let result = fma(e, LN_2_HIGH, fma(-0.5, square, m) + rest);
    let outside = if flush(x) == 0.0 { f32::NEG_INFINITY } else { f32::NAN };
    let inside = if x == f32::INFINITY { x } else { result };
    if x >= f32::MIN_POSITIVE { inside } else { outside }
}

/// `log(1 + x)`: a quotient of polynomials around zero (S. Moshier, Cephes, `log1p`), and [`log`] elsewhere.
#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    const NEAR: f32 = std::f32::consts::SQRT_2 - 1.0;
    let x = flush(x);
    let over = horner(x, [4.527e-05, 0.498_541_03, 6.578_732_5, 29.911_919, 60.949_67, 57.112_965, 20.039_553]);
    let under = horner(x, [1.0, 15.062_909, 83.047_57, 221.762_4, 309.098_72, 216.427_89, 60.118_66]);
    let square = x * x;
    let near = x + fma(-0.5, square, x * square * (over / under));
    let far = log(1.0 + x);
    if x.abs() < NEAR { near } else { far }
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let c = x.clamp(-7.998_811_7, 7.998_811_7);
    let square = c * c;
    let over = horner(
        square,
        [
            -2.760_768_4e-16,
            2.000_188e-13,
            -8.604_672e-11,
            5.122_297_3e-08,
            1.485_722_35e-05,
            0.000_637_261_95,
            0.004_893_524_6,
        ],
    );
    let under = horner(square, [1.198_258_4e-06, 0.000_118_534_71, 0.002_268_434_7, 0.004_893_525]);
    let inside = if x.abs() < 0.0004 { x } else { c * over / under };
    if x.abs() >= 20.0 { 1.0f32.copysign(x) } else { inside }
}

/// The error function: a quotient of polynomials of the square, as Eigen has them.
#[expect(clippy::approx_constant, reason = "the last coefficient is the number below `2 / √π`")]
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let c = flush(x).clamp(-3.832_507, 3.832_507);
    let square = c * c;
    let over = horner(square, [0.000_229_050_65, 0.003_408_291, 0.050_955_694, 0.185_208_32, 1.128_379_1]);
    let under = horner(
        square,
        [-1.179_160_3e-07, 2.354_796_6e-05, 0.001_017_962_6, 0.014_070_47, 0.110_985_05, 0.497_469_25, 1.0],
    );
    c * over / under
}

/// The inverse of the error function: M. Giles, "Approximating the erfinv function".
#[inline(always)]
pub fn erf_inv(x: f32) -> f32 {
    const CENTRE: [f32; 9] = [
        2.810_226_4e-8,
        3.432_739_4e-7,
        -3.523_387_7e-6,
        -4.391_506_5e-6,
        0.000_218_580_87,
        -0.001_253_725,
        -0.004_177_681_6,
        0.246_640_73,
        1.501_409_4,
    ];
    const TAIL: [f32; 9] = [
        -0.000_200_214_26,
        0.000_100_950_56,
        0.001_349_343_2,
        -0.003_673_428_4,
        0.005_739_507_7,
        -0.007_622_461_3,
        0.009_438_870_5,
        1.001_674,
        2.832_976_8,
    ];
    let x = flush(x);
    let w = -log1p(-(x * x));
    let centre = horner(w - 2.5, CENTRE);
    let tail = horner(w.max(0.0).sqrt() - 3.0, TAIL);
    let inside = x * if w < 5.0 { centre } else { tail };
    let edge = if x.abs() == 1.0 { x * f32::INFINITY } else { inside };
    if x.abs() <= 1.0 { edge } else { f32::NAN }
}

/// The functions for all elements of a slice.
pub mod all {
    use pulp::{Arch, Simd, WithSimd};

    use crate::work::{self, LARGE, PART};

    macro_rules! all {
        ($($name:ident)*) => {$(
            #[doc = concat!("[`super::", stringify!($name), "`] of each element.")]
            pub fn $name(all: &[f32]) -> Vec<f32> {
                struct Loop<'a>(&'a [f32], &'a mut [f32]);
                impl WithSimd for Loop<'_> {
                    type Output = ();
                    #[inline(always)]
                    fn with_simd<S: Simd>(self, _: S) {
                        for (out, x) in self.1.iter_mut().zip(self.0) {
                            *out = super::$name(*x);
                        }
                    }
                }
                let mut out = crate::pool::filled(all.len());
                if all.len() < LARGE {
                    Arch::new().dispatch(Loop(all, &mut out));
                } else {
                    work::parts(&mut out, PART, |i, out| Arch::new().dispatch(Loop(&all[i * PART..], out)));
                }
                out
            }
        )*};
    }

    all! { exp exp2 expm1 sinh cosh logistic log log1p tanh erf erf_inv }
}
