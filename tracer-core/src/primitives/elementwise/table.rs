//! The table of elementwise operations: name, accepted types, type of the result, numbers, derivative, cost.

use super::kernel::{
    bool2, by_slice, complex, complex_test2, complex_within, complex2, float, float_test, float_test2, float2, map,
    rounded_once, zip,
};
use super::scalar::{Float, Flush, Int};
use super::stepwise::{self, stepwise};
use super::{ResultType, Row, Rule, complex as z, complex_steps, derive};
use super::{iterated, special};
use crate::array::tensor::Data;
use crate::array::{DType, Tensor};
use crate::int_kernel as ints;
use crate::primitives::build as b;
use crate::primitives::rules::{ANY, BITS, Class, FLOAT, INEXACT, INTEGER, NUMBER, ORDERED, REAL};
use crate::primitives::short::is_short;
use crate::python::Halt;
use jitlens_kernels::single;

/// A float function by one body for both widths.
macro_rules! floats {
    ($t:expr, $x:ident => $body:expr) => {
        float($t, |$x: f32| $body, |$x: f64| $body)
    };
    ($s:expr, $t:expr, $x:ident, $y:ident => $body:expr) => {
        float2($s, $t, |$x: f32, $y: f32| $body, |$x: f64, $y: f64| $body)
    };
}

/// A float function that is computed in `f64`. Denormals of `f32` are zeros, before and after.
macro_rules! wide {
    ($t:expr, $f:expr) => {
        float($t, |x: f32| ($f(f64::from(x.flush())) as f32).flush(), |x: f64| $f(x))
    };
    ($s:expr, $t:expr, $f:expr) => {
        float2(
            $s,
            $t,
            |x: f32, y: f32| ($f(f64::from(x.flush()), f64::from(y.flush())) as f32).flush(),
            |x: f64, y: f64| $f(x, y),
        )
    };
}

/// Comparisons of everything that has an order.
macro_rules! compare {
    ($t:expr, $x:ident, $y:ident => $body:expr, complex $c:expr) => {
        float_test2(&$t[0], &$t[1], |$x, $y| { let ($x, $y) = ($x.flush(), $y.flush()); $body }, |$x, $y| { let ($x, $y) = ($x.flush(), $y.flush()); $body })
            .or_else(|| ints!(@test &$t[0], &$t[1], $x, $y => $body))
            .or_else(|| complex_test2(&$t[0], &$t[1], $c))
    };
}

/// Comparisons by the total order of floats.
macro_rules! compare_total {
    ($t:expr, $x:ident, $y:ident => $body:expr) => {
        float_test2(&$t[0], &$t[1], |$x, $y| { let ($x, $y) = ($x.order(), $y.order()); $body }, |$x, $y| { let ($x, $y) = ($x.order(), $y.order()); $body })
            .or_else(|| ints!(@test &$t[0], &$t[1], $x, $y => $body))
    };
}

macro_rules! rows {
    ($($row:ident $name:literal ($($accepts:expr),+) -> $result:ident, $cost:literal,
       $eval:expr, $rule:expr $(, transpose $transpose:expr)?;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub static $row: Row = Row {
                name: $name,
                accepts: &[$($accepts),+],
                result: ResultType::$result,
                eval: $eval,
                rule: $rule,
                transpose: rows!(@ $($transpose)?),
                cost: $cost,
            };
        )*
        /// All rows.
        pub static ALL: &[&Row] = &[$(&$row),*];
    };
    (@) => { None };
    (@ $transpose:expr) => { Some($transpose) };
}

/// Derivatives by each input: `partial!(cx, g, out, x => …)`.
macro_rules! partial {
    ($($cx:ident, $g:ident, $out:ident, $x:ident => $body:expr);+) => {
        Rule::Partials(&[$(Some(|$cx, $g, $out, $x| { let _ = ($g, $out, $x); $body })),+])
    };
}

/// What JAX refuses to differentiate.
macro_rules! refuse {
    ($message:literal) => {
        Some(|_, _, _, _| Err(Halt::value_error($message)))
    };
}

/// A function of complex numbers in the steps of XLA.
macro_rules! steps {
    ($x:expr, $name:ident) => {
        match &$x.data {
            Data::C64(v) => Some(map(v, complex_steps::$name)),
            Data::C128(v) => Some(map(v, complex_steps::$name)),
            _ => None,
        }
    };
    ($x:expr, $y:expr, $name:ident) => {
        complex2($x, $y, complex_steps::$name, complex_steps::$name)
    };
}

const COMPLEX: &[Class] = &[Class::Complex];
const PARTS: &[Class] = &[Class::F32, Class::F64];
const MAGNITUDE: &[Class] = &[Class::Signed, Class::Floating, Class::Complex];

/// Every quotient by itself.
fn quotient(t: &[Tensor]) -> Option<Data> {
    floats!(&t[0], &t[1], x, y => (x.flush() / y.flush()).flush())
        .or_else(|| ints!(&t[0], &t[1], x, y => x.quotient(y)))
        .or_else(|| steps!(&t[0], &t[1], div))
}

/// The factors that a quotient by what is narrower than the result is the product of, before they are spread: XLA inverts once what is
/// repeated. (`bfloat16` is computed in `float32` one by one.)
pub fn factors(row: &Row, inputs: &[Tensor], shape: &[usize]) -> Option<[Tensor; 2]> {
    let [x, y] = inputs else { return None };
    let inverts = matches!(x.dtype, DType::F16 | DType::F32 | DType::F64);
    if !std::ptr::eq(row, &DIV) || !inverts || y.shape[..] == *shape {
        return None;
    }
    Some([x.clone(), inverse(y)?])
}

/// One over each.
fn inverse(y: &Tensor) -> Option<Tensor> {
    let one = Tensor::scalar_of(y.dtype, 1i64);
    Some(Tensor::with_data(y.dtype, y.shape.clone(), quotient(&[one, y.clone()])?))
}

/// Products with an inverse: what XLA makes of quotients by constants and by what is repeated (`transforms::simplify`).
fn by_inverse(t: &[Tensor]) -> Option<Data> {
    let (x, y) = (&t[0], &t[1]);
    floats!(x, &inverse(y)?, x, y => (x.flush() * y.flush()).flush())
}

/// `div` as NumPy does it.
pub static DIV_EACH: Row = Row { eval: quotient, ..again(&DIV) };

/// `div` by a constant of the compiled function that it is part of: of JAX's own functions, which run as compiled ones.
pub static DIV_BY_CONSTANT: Row = Row {
    eval: |t| match t[0].dtype {
        DType::F16 | DType::F32 | DType::F64 => by_inverse(t),
        _ => quotient(t),
    },
    ..again(&DIV)
};

/// Another row for the same operation.
const fn again(row: &Row) -> Row {
    Row {
        name: row.name,
        accepts: row.accepts,
        result: row.result,
        eval: row.eval,
        rule: row.rule,
        transpose: row.transpose,
        cost: row.cost,
    }
}

rows! {
    ABS "abs" (MAGNITUDE) -> Real, 1,
        |t| floats!(&t[0], x => x.abs()).or_else(|| ints!(&t[0], x => x.magnitude())).or_else(|| match &t[0].data {
            Data::C64(v) => Some(map(v, complex_steps::abs)),
            Data::C128(v) => Some(map(v, complex_steps::abs)),
            _ => None,
        }),
        Rule::Partials(&[Some(derive::abs)]);
    ACOS "acos" (INEXACT) -> Same, 10,
        |t| stepwise!(&t[0], acos, f64::acos).or_else(|| complex_within(&t[0], z::acos)),
        partial!(cx, g, out, x => {
            let one = b::scalar_like(cx, &x[0], 1i64);
            let under = b::sub(cx, &one, &b::square(cx, &x[0])?)?;
            b::mul(cx, g, &b::neg(cx, &b::rsqrt(cx, &under)?)?)
        });
    ACOSH "acosh" (INEXACT) -> Same, 10,
        |t| stepwise!(&t[0], acosh, f64::acosh).or_else(|| complex_within(&t[0], z::acosh)),
        partial!(cx, g, out, x => {
            let square = b::square(cx, &x[0])?;
            derive::times_rsqrt(cx, g, b::sub(cx, &square, &b::unit_like(cx, &x[0].aval, 1i64))?)
        });
    ADD "add" (NUMBER, NUMBER) -> Same, 1,
        |t| floats!(&t[0], &t[1], x, y => (x.flush() + y.flush()).flush())
            .or_else(|| ints!(&t[0], &t[1], x, y => x.wrapping_add(y)))
            .or_else(|| steps!(&t[0], &t[1], add)),
        Rule::Own(derive::add), transpose derive::add_transpose;
    ADD_ANY "add_any" (ANY, ANY) -> Same, 1,
        |t| (ADD.eval)(t).or_else(|| bool2(&t[0], &t[1], |x, y| x | y)),
        Rule::Linear, transpose derive::add_transpose;
    AND "and" (BITS, BITS) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x & y).or_else(|| bool2(&t[0], &t[1], |x, y| x & y)),
        Rule::Zero;
    ASIN "asin" (INEXACT) -> Same, 10,
        |t| stepwise!(&t[0], asin, f64::asin).or_else(|| complex_within(&t[0], z::asin)),
        partial!(cx, g, out, x => {
            let one = b::scalar_like(cx, &x[0], 1i64);
            derive::times_rsqrt(cx, g, b::sub(cx, &one, &b::square(cx, &x[0])?)?)
        });
    ASINH "asinh" (INEXACT) -> Same, 10,
        |t| stepwise!(&t[0], asinh, libm::asinh).or_else(|| complex_within(&t[0], z::asinh)),
        partial!(cx, g, out, x => {
            let square = b::square(cx, &x[0])?;
            derive::times_rsqrt(cx, g, b::add(cx, &square, &b::unit_like(cx, &x[0].aval, 1i64))?)
        });
    ATAN "atan" (INEXACT) -> Same, 10,
        |t| wide!(&t[0], f64::atan).or_else(|| complex_within(&t[0], z::atan)),
        partial!(cx, g, out, x => {
            let one = b::scalar_like(cx, &x[0], 1i64);
            b::div(cx, g, &b::add(cx, &one, &b::square(cx, &x[0])?)?)
        });
    ATAN2 "atan2" (INEXACT, INEXACT) -> Same, 10,
        |t| float2(&t[0], &t[1], stepwise::angle, stepwise::double_angle)
            .or_else(|| steps!(&t[0], &t[1], atan2)),
        partial!(cx, g, out, x => derive::atan2(cx, g, x, || Ok(x[1].clone()));
                 cx, g, out, x => derive::atan2(cx, g, x, || b::neg(cx, &x[0])));
    ATANH "atanh" (INEXACT) -> Same, 10,
        |t| stepwise!(&t[0], atanh, f64::atanh).or_else(|| complex_within(&t[0], z::atanh)),
        partial!(cx, g, out, x => {
            let one = b::unit_like(cx, &x[0].aval, 1i64);
            let left = b::reciprocal(cx, &b::add(cx, &one, &x[0])?)?;
            b::mul(cx, &left, &b::div(cx, g, &b::sub(cx, &one, &x[0])?)?)
        });
    BESSEL_I0E "bessel_i0e" (FLOAT) -> Same, 40,
        |t| wide!(&t[0], special::bessel_i0e),
        partial!(cx, g, out, x => {
            let first = b::apply(cx, &BESSEL_I1E, &[x[0].clone()])?;
            let sign = b::sign(cx, &x[0])?;
            b::mul(cx, g, &b::sub(cx, &first, &b::mul(cx, &sign, out)?)?)
        });
    BESSEL_I1E "bessel_i1e" (FLOAT) -> Same, 40,
        |t| wide!(&t[0], special::bessel_i1e),
        Rule::Partials(&[Some(derive::bessel_i1e)]);
    CBRT "cbrt" (FLOAT) -> Same, 10,
        |t| wide!(&t[0], f64::cbrt),
        partial!(cx, g, out, x => {
            let third = b::scalar_like(cx, &x[0], 1.0 / 3.0);
            b::mul(cx, g, &b::mul(cx, &third, &b::integer_pow(cx, out, -2)?)?)
        });
    CEIL "ceil" (FLOAT) -> Same, 1, |t| floats!(&t[0], x => x.flush().ceil()), Rule::Zero;
    CLZ "clz" (INTEGER) -> Same, 1, |t| ints!(&t[0], x => x.leading(t[0].dtype.bits())), Rule::Missing;
    COMPLEX_OF "complex" (PARTS, PARTS) -> Complex, 1,
        |t| match (&t[0].data, &t[1].data) {
            (Data::F32(x), Data::F32(y)) => Some(zip(x, y, num_complex::Complex::new)),
            (Data::F64(x), Data::F64(y)) => Some(zip(x, y, num_complex::Complex::new)),
            _ => None,
        },
        Rule::Linear, transpose derive::complex_transpose;
    COS "cos" (INEXACT) -> Same, 10,
        |t| wide!(&t[0], f64::cos).or_else(|| steps!(&t[0], cos)),
        partial!(cx, g, out, x => b::neg(cx, &b::mul(cx, g, &b::sin(cx, &x[0])?)?));
    COSH "cosh" (INEXACT) -> Same, 10,
        |t| rounded_once(&t[0], single::cosh)
            .or_else(|| by_slice(&t[0], single::all::cosh, single::cosh, f64::cosh))
            .or_else(|| steps!(&t[0], cosh)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::sinh(cx, &x[0])?));
    DIGAMMA "digamma" (FLOAT) -> Same, 40,
        |t| rounded_once(&t[0], iterated::digamma)
            .or_else(|| float(&t[0], iterated::digamma, |x| special::digamma(x.flush()))),
        partial!(cx, g, out, x => {
            let one = b::scalar_like(cx, &x[0], 1i64);
            b::mul(cx, g, &b::apply(cx, &POLYGAMMA, &[one, x[0].clone()])?)
        });
    DIV "div" (NUMBER, NUMBER) -> Same, 1,
        quotient,
        partial!(cx, g, out, x => b::div(cx, g, &x[1]);
                 cx, g, out, x => {
                     let product = b::mul(cx, &b::neg(cx, g)?, &x[0])?;
                     b::mul(cx, &product, &b::integer_pow(cx, &x[1], -2)?)
                 }),
        transpose derive::div_transpose;
    EQ "eq" (ANY, ANY) -> Bool, 1,
        |t| compare!(t, x, y => x == y, complex |x, y| x == y),
        Rule::Zero;
    EQ_TO "eq_to" (ANY, ANY) -> Bool, 1, |t| compare_total!(t, x, y => x == y), Rule::Zero;
    ERF "erf" (FLOAT) -> Same, 10,
        |t| by_slice(&t[0], single::all::erf, single::erf, special::erf),
        partial!(cx, g, out, x => derive::gauss(cx, g, &x[0], std::f64::consts::FRAC_2_SQRT_PI));
    ERFC "erfc" (FLOAT) -> Same, 10,
        |t| wide!(&t[0], special::erfc),
        partial!(cx, g, out, x => derive::gauss(cx, g, &x[0], -std::f64::consts::FRAC_2_SQRT_PI));
    ERF_INV "erf_inv" (FLOAT) -> Same, 10,
        |t| by_slice(&t[0], single::all::erf_inv, single::erf_inv, special::erf_inv),
        partial!(cx, g, out, x => {
            let bell = b::exp(cx, &b::square(cx, out)?)?;
            let product = b::mul(cx, g, &bell)?;
            b::mul(cx, &b::scalar_like(cx, &x[0], std::f64::consts::PI.sqrt() / 2.0), &product)
        });
    EXP "exp" (INEXACT) -> Same, 10,
        |t| by_slice(&t[0], single::all::exp, single::exp, f64::exp).or_else(|| steps!(&t[0], exp)),
        partial!(cx, g, out, x => b::mul(cx, g, out));
    EXP2 "exp2" (INEXACT) -> Same, 10,
        |t| exp2(&t[0]).or_else(|| steps!(&t[0], exp2)),
        partial!(cx, g, out, x => {
            let log = b::log(cx, &b::scalar_like(cx, &x[0], 2i64))?;
            b::mul(cx, &log, &b::mul(cx, g, out)?)
        });
    EXPM1 "expm1" (INEXACT) -> Same, 10,
        |t| stepwise::expm1(&t[0])
            .or_else(|| by_slice(&t[0], single::all::expm1, single::expm1, f64::exp_m1))
            .or_else(|| steps!(&t[0], expm1)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::add(cx, out, &b::unit_like(cx, &out.aval, 1i64))?));
    FLOOR "floor" (FLOAT) -> Same, 1, |t| floats!(&t[0], x => x.flush().floor()), Rule::Zero;
    GE "ge" (ORDERED, ORDERED) -> Bool, 1, |t| compare!(t, x, y => x >= y, complex |_, _| false), Rule::Zero;
    GT "gt" (ORDERED, ORDERED) -> Bool, 1, |t| compare!(t, x, y => x > y, complex |_, _| false), Rule::Zero;
    IGAMMA "igamma" (FLOAT, FLOAT) -> Same, 60,
        |t| not_iterated(t).and_then(|()| float2(&t[0], &t[1], iterated::igamma, special::igamma)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::apply(cx, &IGAMMA_GRAD_A, x)?);
                 cx, g, out, x => derive::igamma_x(cx, g, x));
    IGAMMA_GRAD_A "igamma_grad_a" (FLOAT, FLOAT) -> Same, 60,
        |t| not_iterated(t).and_then(|()| float2(&t[0], &t[1], iterated::igamma_grad_a, special::igamma_grad_a)), Rule::Missing;
    IGAMMAC "igammac" (FLOAT, FLOAT) -> Same, 60,
        |t| not_iterated(t).and_then(|()| float2(&t[0], &t[1], iterated::igammac, special::igammac)),
        partial!(cx, g, out, x => b::neg(cx, &b::mul(cx, g, &b::apply(cx, &IGAMMA_GRAD_A, x)?)?);
                 cx, g, out, x => b::neg(cx, &derive::igamma_x(cx, g, x)?));
    IMAG "imag" (COMPLEX) -> Real, 0,
        |t| match &t[0].data {
            Data::C64(v) => Some(map(v, |c| c.im)),
            Data::C128(v) => Some(map(v, |c| c.im)),
            _ => None,
        },
        Rule::Linear, transpose derive::imag_transpose;
    IS_FINITE "is_finite" (FLOAT) -> Bool, 1, |t| float_test(&t[0], f64::is_finite), Rule::Zero;
    LE "le" (ORDERED, ORDERED) -> Bool, 1, |t| compare!(t, x, y => x <= y, complex |_, _| false), Rule::Zero;
    LE_TO "le_to" (ORDERED, ORDERED) -> Bool, 1, |t| compare_total!(t, x, y => x <= y), Rule::Zero;
    LGAMMA "lgamma" (FLOAT) -> Same, 40,
        |t| rounded_once(&t[0], iterated::lgamma)
            .or_else(|| float(&t[0], iterated::lgamma, |x| special::lgamma(x.flush()))),
        partial!(cx, g, out, x => b::mul(cx, g, &b::apply(cx, &DIGAMMA, &[x[0].clone()])?));
    LOG "log" (INEXACT) -> Same, 10,
        |t| by_slice(&t[0], single::all::log, single::log, |x: f64| x.flush().ln()).or_else(|| steps!(&t[0], log)),
        partial!(cx, g, out, x => b::div(cx, g, &x[0]));
    LOG1P "log1p" (INEXACT) -> Same, 10,
        |t| by_slice(&t[0], single::all::log1p, single::log1p, |x: f64| x.flush().ln_1p()).or_else(|| steps!(&t[0], log1p)),
        partial!(cx, g, out, x => b::div(cx, g, &b::add(cx, &x[0], &b::unit_like(cx, &x[0].aval, 1i64))?));
    LOGISTIC "logistic" (INEXACT) -> Same, 12,
        |t| logistic(&t[0]),
        partial!(cx, g, out, x => {
            let rest = b::sub(cx, &b::unit_like(cx, &out.aval, 1i64), out)?;
            b::mul(cx, g, &b::mul(cx, out, &rest)?)
        });
    LT "lt" (ORDERED, ORDERED) -> Bool, 1, |t| compare!(t, x, y => x < y, complex |_, _| false), Rule::Zero;
    LT_TO "lt_to" (ORDERED, ORDERED) -> Bool, 1, |t| compare_total!(t, x, y => x < y), Rule::Zero;
    MAX "max" (ANY, ANY) -> Same, 1,
        |t| floats!(&t[0], &t[1], x, y => x.larger(y)).or_else(|| ints!(&t[0], &t[1], x, y => x.max(y)))
            .or_else(|| bool2(&t[0], &t[1], |x, y| x | y)).or_else(|| steps!(&t[0], &t[1], upper)),
        partial!(cx, g, out, x => derive::balanced(cx, g, &x[0], out, &x[1]);
                 cx, g, out, x => derive::balanced(cx, g, &x[1], out, &x[0]));
    MIN "min" (ANY, ANY) -> Same, 1,
        |t| floats!(&t[0], &t[1], x, y => x.smaller(y)).or_else(|| ints!(&t[0], &t[1], x, y => x.min(y)))
            .or_else(|| bool2(&t[0], &t[1], |x, y| x & y)).or_else(|| steps!(&t[0], &t[1], lower)),
        partial!(cx, g, out, x => derive::balanced(cx, g, &x[0], out, &x[1]);
                 cx, g, out, x => derive::balanced(cx, g, &x[1], out, &x[0]));
    MUL "mul" (NUMBER, NUMBER) -> Same, 1,
        |t| floats!(&t[0], &t[1], x, y => (x.flush() * y.flush()).flush())
            .or_else(|| ints!(&t[0], &t[1], x, y => x.wrapping_mul(y)))
            .or_else(|| steps!(&t[0], &t[1], mul)),
        partial!(cx, g, out, x => b::mul(cx, g, &x[1]);
                 cx, g, out, x => b::mul(cx, &x[0], g)),
        transpose derive::mul_transpose;
    MULHI "mulhi" (INTEGER, INTEGER) -> Same, 2, |t| ints!(&t[0], &t[1], x, y => x.high_product(y, bits_counted(t[0].dtype))), Rule::Zero;
    NE "ne" (ANY, ANY) -> Bool, 1,
        |t| compare!(t, x, y => x != y, complex |x, y| x != y),
        Rule::Zero;
    NEG "neg" (NUMBER) -> Same, 1,
        |t| floats!(&t[0], x => -x).or_else(|| ints!(&t[0], x => x.wrapping_neg())).or_else(|| complex(&t[0], |c| -c)),
        Rule::Linear, transpose derive::neg_transpose;
    NEXTAFTER "nextafter" (FLOAT, FLOAT) -> Same, 1, next_after, Rule::Missing;
    NOT "not" (BITS) -> Same, 1,
        |t| ints!(&t[0], x => !x).or_else(|| t[0].view().map(|v| map(v, |x: bool| !x))),
        Rule::Zero;
    OR "or" (BITS, BITS) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x | y).or_else(|| bool2(&t[0], &t[1], |x, y| x | y)),
        Rule::Zero;
    POLYGAMMA "polygamma" (FLOAT, FLOAT) -> Same, 60,
        |t| wide!(&t[0], &t[1], special::polygamma),
        Rule::Partials(&[
            refuse!("polygamma gradient with respect to m is not supported"),
            Some(|cx, g, _, x| {
                let next = b::add(cx, &x[0], &b::scalar_like(cx, &x[0], 1i64))?;
                b::mul(cx, g, &b::apply(cx, &POLYGAMMA, &[next, x[1].clone()])?)
            }),
        ]);
    POPULATION_COUNT "population_count" (INTEGER) -> Same, 1, |t| ints!(&t[0], x => x.ones(bits_counted(t[0].dtype))), Rule::Missing;
    POW "pow" (INEXACT, NUMBER) -> Power, 15,
        |t| {
            let power = if t[1].dtype == t[0].dtype { t[1].clone() } else { t[1].convert(t[0].dtype) };
            // A denormal exponent is no zero: infinities and zeros are raised to it, and negative numbers are not.
            let single = |x: f32, y: f32| (f64::from(x.flush()).powf(y.into()) as f32).flush();
            float2(&t[0], &power, single, f64::powf)
                .or_else(|| steps!(&t[0], &power, pow))
        },
        Rule::Partials(&[Some(derive::pow_base), Some(derive::pow_exponent)]);
    REAL_PART "real" (COMPLEX) -> Real, 0,
        |t| match &t[0].data {
            Data::C64(v) => Some(map(v, |c| c.re)),
            Data::C128(v) => Some(map(v, |c| c.re)),
            _ => None,
        },
        Rule::Linear, transpose derive::real_transpose;
    REGULARIZED_INCOMPLETE_BETA "regularized_incomplete_beta" (FLOAT, FLOAT, FLOAT) -> Same, 100,
        |t| not_iterated(t).and_then(|()| betainc(t)),
        Rule::Partials(&[
            refuse!("Betainc gradient with respect to a and b not supported."),
            refuse!("Betainc gradient with respect to a and b not supported."),
            Some(derive::betainc_x),
        ]);
    REM "rem" (REAL, REAL) -> Same, 2,
        |t| floats!(&t[0], &t[1], x, y => x % y.flush()).or_else(|| ints!(&t[0], &t[1], x, y => x.remainder(y))),
        partial!(cx, g, out, x => b::broadcast_like(cx, g, &out.aval.shape);
                 cx, g, out, x => derive::rem_divisor(cx, g, out, x));
    RSQRT "rsqrt" (INEXACT) -> Same, 4,
        |t| wide!(&t[0], |x: f64| 1.0 / flush_single(x).sqrt())
            .or_else(|| steps!(&t[0], rsqrt)),
        partial!(cx, g, out, x => {
            let half = b::scalar_like(cx, &x[0], -0.5);
            b::mul(cx, g, &b::mul(cx, &half, &b::div(cx, out, &x[0])?)?)
        });
    SHIFT_LEFT "shift_left" (INTEGER, INTEGER) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x.shift_left(y, t[0].dtype.bits())), Rule::Zero;
    SHIFT_RIGHT_ARITHMETIC "shift_right_arithmetic" (INTEGER, INTEGER) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x.shift_right_signed(y, t[0].dtype.bits())), Rule::Zero;
    SHIFT_RIGHT_LOGICAL "shift_right_logical" (INTEGER, INTEGER) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x.shift_right(y, t[0].dtype.bits())), Rule::Zero;
    SIGN "sign" (NUMBER) -> Same, 1,
        |t| rounded_once(&t[0], |x| if x == 0.0 { x } else { 1f32.copysign(x) })
            .or_else(|| floats!(&t[0], x => Float::sign(x)))
            .or_else(|| ints!(&t[0], x => Int::sign(x))).or_else(|| steps!(&t[0], sign)),
        Rule::Zero;
    SIN "sin" (INEXACT) -> Same, 10,
        |t| float(&t[0], |x| f64::from(x).sin() as f32, f64::sin).or_else(|| steps!(&t[0], sin)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::cos(cx, &x[0])?));
    SINH "sinh" (INEXACT) -> Same, 10,
        |t| rounded_once(&t[0], single::sinh)
            .or_else(|| by_slice(&t[0], single::all::sinh, single::sinh, f64::sinh))
            .or_else(|| steps!(&t[0], sinh)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::cosh(cx, &x[0])?));
    SQRT "sqrt" (INEXACT) -> Same, 2,
        |t| floats!(&t[0], x => x.flush().sqrt()).or_else(|| steps!(&t[0], sqrt)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::div(cx, &b::scalar_like(cx, &x[0], 0.5), out)?));
    SQUARE "square" (NUMBER) -> Same, 1,
        |t| floats!(&t[0], x => (x.flush() * x.flush()).flush()).or_else(|| ints!(&t[0], x => x.wrapping_mul(x)))
            .or_else(|| steps!(&t[0], square)),
        partial!(cx, g, out, x => b::mul(cx, g, &b::mul(cx, &b::scalar_like(cx, &x[0], 2i64), &x[0])?));
    SUB "sub" (NUMBER, NUMBER) -> Same, 1,
        |t| floats!(&t[0], &t[1], x, y => (x.flush() - y.flush()).flush())
            .or_else(|| ints!(&t[0], &t[1], x, y => x.wrapping_sub(y)))
            .or_else(|| steps!(&t[0], &t[1], sub)),
        Rule::Own(derive::sub), transpose derive::sub_transpose;
    TAN "tan" (INEXACT) -> Same, 10,
        |t| float(&t[0], |x| f64::from(x).tan() as f32, f64::tan).or_else(|| steps!(&t[0], tan)),
        partial!(cx, g, out, x => {
            let one = b::scalar_like(cx, &x[0], 1i64);
            b::mul(cx, g, &b::add(cx, &one, &b::square(cx, out)?)?)
        });
    TANH "tanh" (INEXACT) -> Same, 10,
        |t| by_slice(&t[0], single::all::tanh, single::tanh, f64::tanh).or_else(|| steps!(&t[0], tanh)),
        partial!(cx, g, out, x => {
            let sum = b::add(cx, g, &b::mul(cx, g, out)?)?;
            b::mul(cx, &sum, &b::sub(cx, &b::unit_like(cx, &x[0].aval, 1i64), out)?)
        });
    XOR "xor" (BITS, BITS) -> Same, 1,
        |t| ints!(&t[0], &t[1], x, y => x ^ y).or_else(|| bool2(&t[0], &t[1], |x, y| x ^ y)),
        Rule::Zero;
    ZETA "zeta" (FLOAT, FLOAT) -> Same, 60, |t| wide!(&t[0], &t[1], special::zeta), Rule::Missing;
}

/// A number that an `f32` would flush to zero.
fn flush_single(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { 0.0f64.copysign(x) } else { x }
}

/// `1 / (1 + e^-x)`; of short floats each step is rounded.
fn logistic(t: &Tensor) -> Option<Data> {
    let round = |x: f32| crate::array::convert::round_to(x, t.dtype);
    match is_short(t.dtype) {
        true => float(t, |x| 1.0 / round(1.0 + round(single::exp(round(-x)))), |x| x),
        false => by_slice(t, single::all::logistic, single::logistic, |x: f64| 1.0 / (1.0 + (-x).exp()))
            .or_else(|| steps!(t, logistic)),
    }
}

/// How many bits an integer has where they matter: those of four are made wider first.
fn bits_counted(dtype: DType) -> u32 {
    if dtype.bits() == 4 { 8 } else { dtype.bits() }
}

/// The exponential of the logarithm of 2 times `x`, which is rounded to the type in between.
fn exp2(t: &Tensor) -> Option<Data> {
    let round = |x: f32| crate::array::convert::round_to(x, t.dtype);
    let log = round(std::f32::consts::LN_2);
    float(t, |x| single::exp(round(log * x)), |x| (std::f64::consts::LN_2 * x).exp())
}

/// The next float, in the type's own steps.
fn next_after(t: &[Tensor]) -> Option<Data> {
    use half::{bf16, f16};
    macro_rules! short {
        ($v:expr, $w:expr, $ty:ident) => {
            zip($v, $w, |x: $ty, y: $ty| {
                if x.is_nan() || y.is_nan() {
                    return $ty::NAN;
                }
                if x == y {
                    return y;
                }
                if x.to_f32() == 0.0 {
                    return $ty::from_bits(1 | (y.to_bits() & 0x8000));
                }
                let away = (y > x) == (x.to_f32() > 0.0);
                $ty::from_bits(if away { x.to_bits() + 1 } else { x.to_bits() - 1 })
            })
        };
    }
    Some(match (&t[0].data, &t[1].data) {
        (Data::F32(v), Data::F32(w)) => match t[0].dtype.narrow() {
            Some(narrow) => zip(v, w, |x, y| narrow.next_after(x, y)),
            None => zip(v, w, Float::next_after),
        },
        (Data::F64(v), Data::F64(w)) => zip(v, w, Float::next_after),
        (Data::BF16(v), Data::BF16(w)) => short!(v, w, bf16),
        (Data::F16(v), Data::F16(w)) => short!(v, w, f16),
        _ => return None,
    })
}

/// Nothing for narrow floats, in which the compiler rounds every step of an iteration: the last of them says little of the function.
fn not_iterated(t: &[Tensor]) -> Option<()> {
    t[0].dtype.narrow().is_none().then_some(())
}

fn betainc(t: &[Tensor]) -> Option<Data> {
    if t[0].dtype != DType::F64 {
        let wide: Vec<Tensor> = t.iter().map(|t| t.convert(DType::F32)).collect();
        let (a, b, x): (&[f32], &[f32], &[f32]) = (wide[0].view()?, wide[1].view()?, wide[2].view()?);
        let values = iterated::betainc((0..a.len()).map(|k| [a[k], b[k.min(b.len() - 1)], x[k.min(x.len() - 1)]]));
        return Some(Tensor::new(&[a.len()][..], values).convert(t[0].dtype).data);
    }
    let at = |i: usize, k: usize| t[i].number(k).map(|n| n.as_float());
    let values: Option<Vec<f64>> =
        (0..t[0].len()).map(|k| Some(special::betainc(at(0, k)?, at(1, k)?, at(2, k)?))).collect();
    Some(Tensor::new(&[t[0].len()][..], values?).convert(t[0].dtype).data)
}
