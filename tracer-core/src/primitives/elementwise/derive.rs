//! Derivatives and transposes that do not fit into a row of the table.

use smallvec::smallvec;

use super::Dims;
use crate::array::{DType, Number};
use crate::primitives::{Operand, Tangents, bilinear, build, rules};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

type Pair = (Val, Option<Val>);

/// Addition: tangents are added, one alone is broadcast.
pub fn add(cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<Pair> {
    let out = build::add(cx, &x[0], &x[1])?;
    let tangent = match (&t[0], &t[1]) {
        (Some(a), Some(b)) => Some(build::add(cx, a, b)?),
        (Some(one), None) | (None, Some(one)) => Some(build::broadcast_like(cx, one, &out.aval.shape)?),
        (None, None) => None,
    };
    Ok((out, tangent))
}

/// Subtraction.
pub fn sub(cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<Pair> {
    let out = build::sub(cx, &x[0], &x[1])?;
    let tangent = match (&t[0], &t[1]) {
        (Some(a), Some(b)) => Some(build::sub(cx, a, b)?),
        (Some(a), None) => Some(build::broadcast_like(cx, a, &out.aval.shape)?),
        (None, Some(b)) => Some(build::broadcast_like(cx, &build::neg(cx, b)?, &out.aval.shape)?),
        (None, None) => None,
    };
    Ok((out, tangent))
}

/// The cotangent for an input, where it is asked for.
fn for_linear(cx: &Engine, input: &Operand, cotangent: impl FnOnce() -> Step<Val>) -> Step<Option<Val>> {
    match input {
        Operand::Linear(aval) => Ok(Some(build::unbroadcast(cx, aval, &cotangent()?)?)),
        Operand::Known(_) => Ok(None),
    }
}

/// `-x`
pub fn neg_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    Ok(smallvec![for_linear(cx, &inputs[0], || build::neg(cx, ct))?])
}
/// `x + y`
pub fn add_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    inputs.iter().map(|input| for_linear(cx, input, || Ok(ct.clone()))).collect()
}
/// `x - y`
pub fn sub_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    let first = for_linear(cx, &inputs[0], || Ok(ct.clone()))?;
    Ok(smallvec![first, for_linear(cx, &inputs[1], || build::neg(cx, ct))?])
}
/// `x * y` with one of them known
pub fn mul_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    Ok(match (&inputs[0], &inputs[1]) {
        (Operand::Linear(_), Operand::Known(y)) => {
            smallvec![for_linear(cx, &inputs[0], || build::mul(cx, ct, y))?, None]
        }
        (Operand::Known(x), Operand::Linear(_)) => {
            smallvec![None, for_linear(cx, &inputs[1], || build::mul(cx, x, ct))?]
        }
        (Operand::Known(_), Operand::Known(_)) => smallvec![None, None],
        (Operand::Linear(x), Operand::Linear(y)) => return Err(bilinear::of_two(x, y)),
    })
}
/// `x / y` with `y` known
pub fn div_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    let Operand::Known(y) = &inputs[1] else {
        return Err(Halt::raise("AssertionError", ""));
    };
    Ok(smallvec![for_linear(cx, &inputs[0], || build::div(cx, ct, y))?, None])
}
/// The real part
pub fn real_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    let zero = strong_zero(cx, ct);
    Ok(smallvec![for_linear(cx, &inputs[0], || build::complex(cx, ct, &zero))?])
}
/// The imaginary part
pub fn imag_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    let zero = strong_zero(cx, ct);
    Ok(smallvec![for_linear(cx, &inputs[0], || build::complex(cx, &zero, &build::neg(cx, ct)?))?])
}
/// The other part of a complex cotangent: strong, whatever `ct` is.
fn strong_zero(cx: &Engine, ct: &Val) -> Val {
    cx.constant(crate::array::Tensor::scalar_of(ct.aval.dtype, 0i64))
}
/// A complex number of its parts
pub fn complex_transpose(cx: &Engine, ct: &Val, inputs: &[Operand]) -> Step<Tangents> {
    let first = for_linear(cx, &inputs[0], || build::real(cx, ct))?;
    Ok(smallvec![first, for_linear(cx, &inputs[1], || build::imag(cx, &build::neg(cx, ct)?))?])
}

/// Sums of tangents: a part without a batch axis is broadcast to the other's.
pub fn batch_add_any(cx: &Engine, x: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
    let (a, b, dim) = match (dims[0], dims[1]) {
        (Some(da), Some(db)) => (build::move_axis(cx, &x[0], da, db)?, x[1].clone(), db),
        (None, Some(db)) => (rules::insert_axis(cx, &x[0], db, x[1].aval.shape[db])?, x[1].clone(), db),
        (Some(da), None) => (x[0].clone(), rules::insert_axis(cx, &x[1], da, x[0].aval.shape[da])?, da),
        (None, None) => return Err(Halt::unknown("nothing is batched")),
    };
    Ok(rules::batched(build::add_any(cx, &a, &b)?, dim))
}

/// `g` times a constant of its own: `c * (g * exp(-x²))`.
pub fn gauss(cx: &Engine, g: &Val, x: &Val, scale: f64) -> Step<Val> {
    let square = build::square(cx, x)?;
    let bell = build::exp(cx, &build::neg(cx, &square)?)?;
    let product = build::mul(cx, g, &bell)?;
    build::mul(cx, &build::scalar_like(cx, x, scale), &product)
}

/// The magnitude of real numbers goes by sign, that of complex ones by direction.
pub fn abs(cx: &Engine, g: &Val, out: &Val, x: &[Val]) -> Step<Val> {
    let x = &x[0];
    if !x.aval.dtype.is_complex() {
        let positive = build::ge(cx, x, &build::unit_like(cx, &x.aval, 0i64))?;
        let minus = build::neg(cx, g)?;
        return build::select(cx, &positive, g, &minus);
    }
    let conj = cx.bind1(crate::primitives::Conj { input: x.aval.dtype }, &[x.clone()])?;
    let size = build::replace_zero(cx, &build::convert_element_type(cx, out, x.aval.dtype)?)?;
    let product = build::mul(cx, g, &build::div(cx, &conj, &size)?)?;
    build::real(cx, &product)
}

/// The tangent of a maximum or minimum goes to the winner, half to each of two equal ones.
pub fn balanced(cx: &Engine, g: &Val, x: &Val, out: &Val, y: &Val) -> Step<Val> {
    // In this order: numerators and denominators as JAX builds them.
    let one = Number::Float(1.0);
    let wins = build::eq(cx, x, out)?;
    let (ones, zeros) = (build::full_like(cx, &out.aval, one)?, build::full_like(cx, &out.aval, 0i64)?);
    let first = build::select(cx, &wins, &ones, &zeros)?;
    let ties = build::eq(cx, y, out)?;
    let (twos, ones) = (build::full_like(cx, &out.aval, 2i64)?, build::full_like(cx, &out.aval, one)?);
    let second = build::select(cx, &ties, &twos, &ones)?;
    build::mul(cx, g, &build::div(cx, &first, &second)?)
}

/// `x ** y` by the base
pub fn pow_base(cx: &Engine, g: &Val, out: &Val, inputs: &[Val]) -> Step<Val> {
    let (x, y, dtype) = (&inputs[0], &inputs[1], out.aval.dtype);
    let to = |v: &Val| build::convert_element_type(cx, v, dtype);
    let integer = y.aval.dtype.is_integer();
    let (mut x, mut y) = (to(x)?, to(y)?);
    let one_less = |y: &Val| -> Step<Val> {
        let ones = build::full_like(cx, &y.aval, 1i64)?;
        build::sub(cx, y, &ones)
    };
    let slope = if integer {
        if x.aval.shape != y.aval.shape {
            x = build::broadcast_like(cx, &x, &out.aval.shape)?;
            y = build::broadcast_like(cx, &y, &out.aval.shape)?;
        }
        let constant = build::eq(cx, &y, &build::scalar_like(cx, &y, 0i64))?;
        let zeros = build::full_like(cx, &y.aval, 0i64)?;
        let factor = build::replace_zero(cx, &y)?;
        let product = build::mul(cx, &factor, &build::pow(cx, &x, &one_less(&y)?)?)?;
        build::select(cx, &constant, &zeros, &product)?
    } else {
        build::mul(cx, &y, &build::pow(cx, &x, &one_less(&y)?)?)?
    };
    build::mul(cx, g, &slope)
}

/// `x ** y` by the exponent
pub fn pow_exponent(cx: &Engine, g: &Val, out: &Val, inputs: &[Val]) -> Step<Val> {
    let (x, y) = (&inputs[0], &inputs[1]);
    let log = build::log(cx, &build::replace_zero(cx, x)?)?;
    let product = build::mul(cx, g, &build::mul(cx, &log, out)?)?;
    build::convert_element_type(cx, &product, y.aval.dtype)
}

/// The remainder by the divisor
pub fn rem_divisor(cx: &Engine, g: &Val, _out: &Val, inputs: &[Val]) -> Step<Val> {
    let (x, y) = (&inputs[0], &inputs[1]);
    let minus = build::neg(cx, g)?;
    let sign = build::sign(cx, &build::div(cx, x, y)?)?;
    let whole = build::floor(cx, &build::abs(cx, &build::div(cx, x, y)?)?)?;
    build::mul(cx, &minus, &build::mul(cx, &sign, &whole)?)
}

/// The angle of a point, by the coordinate `over`.
pub fn atan2(cx: &Engine, g: &Val, inputs: &[Val], over: impl FnOnce() -> Step<Val>) -> Step<Val> {
    let over = over()?;
    let norm = build::add(cx, &build::square(cx, &inputs[0])?, &build::square(cx, &inputs[1])?)?;
    build::mul(cx, g, &build::div(cx, &over, &norm)?)
}

/// `1 - x²` and the like under an inverse square root, times `g`.
pub fn times_rsqrt(cx: &Engine, g: &Val, under: Val) -> Step<Val> {
    build::mul(cx, g, &build::rsqrt(cx, &under)?)
}

/// The incomplete gamma function by `x`
pub fn igamma_x(cx: &Engine, g: &Val, inputs: &[Val]) -> Step<Val> {
    let (a, x) = (&inputs[0], &inputs[1]);
    let minus = build::neg(cx, x)?;
    let ones = build::full_like(cx, &a.aval, 1i64)?;
    let power = build::mul(cx, &build::sub(cx, a, &ones)?, &build::log(cx, x)?)?;
    let sum = build::add(cx, &minus, &power)?;
    let gamma = build::apply(cx, &super::table::LGAMMA, &[a.clone()])?;
    build::mul(cx, g, &build::exp(cx, &build::sub(cx, &sum, &gamma)?)?)
}

/// The incomplete beta function by `x`
pub fn betainc_x(cx: &Engine, g: &Val, _out: &Val, inputs: &[Val]) -> Step<Val> {
    let (a, b, x) = (&inputs[0], &inputs[1], &inputs[2]);
    let gamma = |v: &Val| build::apply(cx, &super::table::LGAMMA, &[v.clone()]);
    let (first, second) = (gamma(a)?, gamma(b)?);
    let sum = build::add(cx, &first, &second)?;
    let total = gamma(&build::add(cx, a, b)?)?;
    let beta = build::sub(cx, &sum, &total)?;
    let one = |v: &Val| build::scalar_like(cx, v, 1i64);
    let b1 = build::sub(cx, b, &one(b))?;
    let right = build::mul(cx, &b1, &build::log1p(cx, &build::neg(cx, x)?)?)?;
    let a1 = build::sub(cx, a, &one(a))?;
    let left = build::mul(cx, &a1, &build::log(cx, x)?)?;
    let exponent = build::sub(cx, &build::add(cx, &right, &left)?, &beta)?;
    build::mul(cx, &build::exp(cx, &exponent)?, g)
}

/// The Bessel function of order 1
pub fn bessel_i1e(cx: &Engine, g: &Val, out: &Val, inputs: &[Val]) -> Step<Val> {
    let x = &inputs[0];
    let epsilon = match x.aval.dtype {
        DType::F64 => f64::EPSILON,
        DType::F16 => 2f64.powi(-10),
        DType::BF16 => 2f64.powi(-7),
        _ => f32::EPSILON.into(),
    };
    let large = build::gt(cx, &build::abs(cx, x)?, &build::scalar_like(cx, x, epsilon))?;
    let safe = build::select(cx, &large, x, &build::full_like(cx, &x.aval, epsilon)?)?;
    let zeroth = build::apply(cx, &super::table::BESSEL_I0E, &[safe.clone()])?;
    let sum = build::add(cx, &build::sign(cx, &safe)?, &build::reciprocal(cx, &safe)?)?;
    let slope = build::sub(cx, &zeroth, &build::mul(cx, out, &sum)?)?;
    let slope = build::select(cx, &large, &slope, &build::full_like(cx, &x.aval, 0.5)?)?;
    build::mul(cx, g, &slope)
}
