//! Elementwise operations with a parameter: `integer_pow`, `round`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::elementwise::kernel::{self, map};
use super::elementwise::scalar::Flush;
use super::elementwise::{complex_steps, scalar};
use super::rules::{self, text};
use super::{Avals, ByElement, Dims, Param, Params, Primitive, Tangents, build, on_stretches};
use crate::array::convert::round_to;
use crate::array::tensor::Data;
use crate::array::{Aval, Tensor};
use crate::int_kernel as ints;
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

#[inline(always)]
fn square<T: Flush + std::ops::Mul<Output = T>>(v: T) -> T {
    let v = v.flush();
    (v * v).flush()
}

/// In the order of [`scalar::int_pow`].
#[inline(always)]
fn cube<T: Flush + std::ops::Mul<Output = T>>(v: T) -> T {
    (v.flush() * square(v)).flush()
}

/// Floats raised to a power, or one over that. 16-bit floats are rounded after every product.
fn raised(x: &Tensor, size: u64, under: bool) -> Option<Data> {
    if x.dtype.bits() < 32 {
        let zero = x.dtype.lacks_zero();
        let round = |v: f32| round_to(if zero { v.flush() } else { v }, x.dtype);
        let narrow = |v: f32| {
            let power = scalar::int_pow(v.flush(), size, 1.0, |a, b| round(a * b));
            if under { round(1.0 / power) } else { power }
        };
        return kernel::float(x, narrow, |v| v);
    }
    let single = |v: f32| {
        let power = scalar::int_pow(v.flush(), size, 1.0, |a, b| (a * b).flush());
        if under { (1.0 / power).flush() } else { power }
    };
    let double = |v: f64| {
        let power = scalar::int_pow(v.flush(), size, 1.0, |a, b| (a * b).flush());
        if under { (1.0 / power).flush() } else { power }
    };
    kernel::float(x, single, double)
}

/// `x ** y` for a constant integer.
#[derive(Clone, Debug)]
pub struct IntegerPow {
    /// The exponent.
    pub y: i64,
}

impl IntegerPow {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(IntegerPow { y: params.int("y")? }))
    }
}

impl Primitive for IntegerPow {
    fn name(&self) -> &'static str {
        "integer_pow"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("y", text(self.y.to_string()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        rules::check_unary("integer_pow", rules::NUMBER, x)?;
        if self.y < 0 && x.dtype.is_integer() {
            return Err(Halt::type_error(format!(
                "Integers cannot be raised to negative powers, got integer_pow({}{}, {})",
                if x.weak { "~" } else { "" },
                x.long(),
                self.y
            )));
        }
        Ok(smallvec![x.clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (x, y) = (&inputs[0], self.y);
        let size = y.unsigned_abs();
        // The commonest exponents have loops of their own.
        let wide = x.dtype.bits() >= 32;
        let data = match y {
            2 if wide => kernel::float(x, square, square),
            3 if wide => kernel::float(x, cube, cube),
            _ => raised(x, size, y < 0),
        };
        let data =
            data.or_else(|| ints!(x, v => scalar::int_pow(v, size, 1, |a, b| a.wrapping_mul(b)))).or_else(|| match &x
                .data
            {
                Data::C64(v) => Some(kernel::map(v, |z| complex_steps::integer_pow(z, y))),
                Data::C128(v) => Some(kernel::map(v, |z| complex_steps::integer_pow(z, y))),
                _ => None,
            });
        let data = data.ok_or_else(|| Halt::unknown("not a number"))?;
        Ok(smallvec![Tensor::with_data(x.dtype, x.shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(self.clone(), x)?;
        let (x, y) = (&x[0], self.y);
        let tangent = match &t[0] {
            None => None,
            Some(_) if y == 0 => None,
            Some(t) if y == 1 => Some(t.clone()),
            Some(t) => {
                let base = if y == 2 { x.clone() } else { build::integer_pow(cx, x, y - 1)? };
                Some(build::mul(cx, t, &build::mul(cx, &build::scalar_like(cx, x, y), &base)?)?)
            }
        };
        Ok((smallvec![out], smallvec![tangent]))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
    fn cost(&self, _inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let steps = u64::from(64 - self.y.unsigned_abs().leading_zeros());
        outputs.iter().filter_map(Aval::size).map(|n| steps * n as u64).sum()
    }
}

/// The nearest whole number.
#[derive(Clone, Debug)]
pub struct Round {
    /// Halves go to the even neighbour instead of away from zero.
    pub to_even: bool,
}

impl Round {
    /// From keyword parameters: `rounding_method` is 0 (away from zero) or 1 (to even), or the name.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let to_even = match params.need("rounding_method")? {
            super::ParamValue::Str(name) => name.eq_ignore_ascii_case("to_nearest_even"),
            _ => params.int("rounding_method")? == 1,
        };
        Ok(Rc::new(Round { to_even }))
    }
}

impl Primitive for Round {
    fn name(&self) -> &'static str {
        "round"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("rounding_method", text(if self.to_even { "1" } else { "0" }))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        rules::check_unary("round", rules::FLOAT, inputs[0])?;
        Ok(smallvec![inputs[0].clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let data = if self.to_even {
            kernel::float(x, f32::round_ties_even, f64::round_ties_even)
        } else {
            kernel::float(x, f32::round, f64::round)
        };
        let data = data.ok_or_else(|| Halt::unknown("not a float"))?;
        Ok(smallvec![Tensor::with_data(x.dtype, x.shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
}
