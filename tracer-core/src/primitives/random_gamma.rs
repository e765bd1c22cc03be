//! `random_gamma`: samples of the gamma distribution, by the method of Marsaglia and Tsang.

use std::rc::Rc;

use half::{bf16, f16};
use smallvec::{SmallVec, smallvec};

use jitlens_kernels::single;

use super::elementwise::iterated::random_gamma_grad as random_gamma_grad_single;
use super::elementwise::scalar::Flush;
use super::elementwise::special::{erf_inv, random_gamma_grad};
use super::random::threefry_at;
use super::{Avals, Dims, Param, Params, Primitive, Tangents, build, missing, repr, rules};
use crate::array::tensor::Element;
use crate::array::{Aval, DType, KeyImpl, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `random_gamma`: of keys and shape parameters; a key for several of them is split.
#[derive(Copy, Clone, Debug)]
pub struct RandomGamma {
    /// Whether logarithms of the samples are given.
    pub log_space: bool,
}

impl RandomGamma {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(RandomGamma { log_space: params.flag("log_space")? }))
    }
}

impl Primitive for RandomGamma {
    fn name(&self) -> &'static str {
        "random_gamma"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("log_space", Param::Text(repr::flag(self.log_space).into()))]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![inputs[1].clone()])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [keys, a] = inputs else { unreachable!("two inputs") };
        if keys.dtype != DType::Key(KeyImpl::Threefry) {
            return Err(Halt::unknown("no samples from keys of this kind"));
        }
        let words = keys.physical();
        let words = words.expect::<u32>()?;
        let each = a.len().checked_div(keys.len()).unwrap_or(0);
        let key = |i: usize| {
            let of = i / each.max(1);
            threefry_at([words[2 * of], words[2 * of + 1]], (i % each.max(1)) as u64)
        };
        Ok(smallvec![match a.dtype {
            DType::F16 => samples::<f16>(a, key, self.log_space)?,
            DType::BF16 => samples::<bf16>(a, key, self.log_space)?,
            DType::F32 => samples::<f32>(a, key, self.log_space)?,
            DType::F64 => samples::<f64>(a, key, self.log_space)?,
            other => return Err(Halt::unknown(format!("no gamma samples of {other}"))),
        }])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(*self, primals)?;
        let Some(tangent) = &tangents[1] else { return Ok((smallvec![out], smallvec![None])) };
        let mut at = out.clone();
        if self.log_space {
            // What is zero but for rounding is the least number.
            at = build::exp(cx, &at)?;
            let least = match at.aval.dtype {
                DType::F16 => f16::MIN_POSITIVE.to_f64(),
                DType::F64 => f64::MIN_POSITIVE,
                _ => f32::MIN_POSITIVE.into(),
            };
            let is_zero = build::eq(cx, &at, &build::full_like(cx, &at.aval, 0.0)?)?;
            at = build::select(cx, &is_zero, &build::full_like(cx, &at.aval, least)?, &at)?;
        }
        let mut slope = cx.bind1(SampleSlope, &[primals[1].clone(), at.clone()])?;
        if self.log_space {
            slope = build::div(cx, &slope, &at)?;
        }
        let tangent = build::mul(cx, tangent, &slope)?;
        Ok((smallvec![out], smallvec![Some(tangent)]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let front = |i: usize| rules::at_front(cx, &inputs[i], dims[i], size);
        Ok(rules::batched(cx.bind1(*self, &[front(0)?, front(1)?])?, 0))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        (inputs[1].size().unwrap_or(0) as u64).saturating_mul(400)
    }
}

/// A sample for each shape parameter.
fn samples<T: Real + Element>(a: &Tensor, key: impl Fn(usize) -> [u32; 2], log_space: bool) -> Step<Tensor> {
    let values = a.expect::<T>()?.iter().enumerate();
    Ok(Tensor::new(a.shape.clone(), values.map(|(i, &a)| sample::<T>(key(i), a, log_space)).collect()))
}

/// A float of the widths that there are samples of.
trait Real: Copy + PartialOrd + std::ops::Neg<Output = Self> {
    fn of(x: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Divided by the root of another one.
    fn over_root(self, other: Self) -> Self {
        self.div(other.sqrt())
    }
    fn ln(self) -> Self;
    fn ln_1p(self) -> Self;
    fn pow(self, other: Self) -> Self;
    fn erf_inv(self) -> Self;
    /// A number of `[0, 1)` from random bits.
    fn unit(bits: [u32; 2]) -> Self;
    /// The largest number below 1.
    const BELOW_ONE: Self;
}

macro_rules! real {
    ($($ty:ty, $erf_inv:path, $below:expr, |$bits:ident| $unit:expr;)*) => {$(
        impl Real for $ty {
            fn of(x: f64) -> Self { x as $ty }
            fn add(self, other: Self) -> Self { self + other }
            fn sub(self, other: Self) -> Self { self - other }
            fn mul(self, other: Self) -> Self { (self * other).flush() }
            fn div(self, other: Self) -> Self { (self / other).flush() }
            fn sqrt(self) -> Self { <$ty>::sqrt(self) }
            fn ln(self) -> Self { <$ty>::ln(self) }
            fn ln_1p(self) -> Self { <$ty>::ln_1p(self) }
            fn pow(self, other: Self) -> Self { self.powf(other).flush() }
            fn erf_inv(self) -> Self { $erf_inv(self) }
            fn unit($bits: [u32; 2]) -> Self { $unit }
            const BELOW_ONE: Self = $below;
        }
    )*};
}

real! {
    f32, single::erf_inv, 1.0 - f32::EPSILON / 2.0,
        |bits| f32::from_bits((bits[0] ^ bits[1]) >> 9 | 0x3f80_0000) - 1.0;
    f64, erf_inv, 1.0 - f64::EPSILON / 2.0,
        |bits| f64::from_bits((u64::from(bits[0]) << 32 | u64::from(bits[1])) >> 12 | 0x3ff0_0000_0000_0000) - 1.0;
}

/// Floats of 16 bits: every step is rounded, of numbers of 32 bits without denormals.
macro_rules! short {
    ($($ty:ty, $below:expr, |$bits:ident| $unit:expr, |$x:ident, $y:ident| $over_root:expr;)*) => {$(
        impl Real for $ty {
            fn of(x: f64) -> Self { <$ty>::from_f64(x) }
            fn over_root(self, other: Self) -> Self {
                let ($x, $y) = (self, other);
                $over_root
            }
            fn add(self, other: Self) -> Self { Self::from_f32((self.to_f32() + other.to_f32()).flush()) }
            fn sub(self, other: Self) -> Self { Self::from_f32((self.to_f32() - other.to_f32()).flush()) }
            fn mul(self, other: Self) -> Self { Self::from_f32((self.to_f32() * other.to_f32()).flush()) }
            fn div(self, other: Self) -> Self { Self::from_f32((self.to_f32() / other.to_f32()).flush()) }
            fn sqrt(self) -> Self { Self::from_f32(self.to_f32().sqrt()) }
            fn ln(self) -> Self { Self::from_f32(single::log(self.to_f32())) }
            fn ln_1p(self) -> Self { Self::from_f32((self.to_f64().ln_1p() as f32).flush()) }
            fn pow(self, other: Self) -> Self { Self::from_f32((self.to_f64().powf(other.to_f64()) as f32).flush()) }
            fn erf_inv(self) -> Self { Self::from_f32(single::erf_inv(self.to_f32()).flush()) }
            fn unit($bits: [u32; 2]) -> Self {
                let one: $ty = $unit;
                one.sub(Self::of(1.0))
            }
            const BELOW_ONE: Self = $below;
        }
    )*};
}

short! {
    bf16, bf16::from_bits(0x3f7f), |bits| bf16::from_bits(((bits[0] ^ bits[1]) as u8 >> 1) as u16 | 0x3f80),
        |x, y| x.div(y.sqrt());
    // Here the compiler makes a product of it, as `simplify.rs` says.
    f16, f16::from_bits(0x3bff), |bits| f16::from_bits((bits[0] ^ bits[1]) as u16 >> 6 | 0x3c00),
        |x, y| x.mul(f16::from_f32(1.0 / y.to_f32().sqrt()));
}

fn uniform<T: Real>(key: [u32; 2]) -> T {
    T::unit(threefry_at(key, 0))
}

fn normal<T: Real>(key: [u32; 2]) -> T {
    let low = -T::BELOW_ONE;
    let u = uniform::<T>(key).mul(T::of(1.0).sub(low)).add(low);
    let u = if u < low { low } else { u };
    T::of(std::f64::consts::SQRT_2).mul(u.erf_inv())
}

/// One sample. The keys are split as in JAX, so that the samples are its own.
fn sample<T: Real>(key: [u32; 2], alpha: T, log_space: bool) -> T {
    let (zero, one, third) = (T::of(0.0), T::of(1.0), T::of(1.0 / 3.0));
    let boosted = alpha < one || alpha.partial_cmp(&one).is_none();
    let shape = if boosted { alpha.add(one) } else { alpha };
    let d = shape.sub(third);
    let c = third.over_root(d);
    let (mut key, last) = (threefry_at(key, 0), threefry_at(key, 1));
    // What is tried first is refused, unless the parameter is no number.
    let (mut x, mut v, mut u) = (zero, one, T::of(2.0));
    while u >= one.sub(T::of(0.0331).mul(x.mul(x))) && u.ln() >= x.mul(T::of(0.5)).add(d.mul(one.sub(v).add(v.ln()))) {
        let (next, mut x_key, u_key) = (threefry_at(key, 0), threefry_at(key, 1), threefry_at(key, 2));
        key = next;
        let (mut z, mut w) = (zero, -one);
        while w <= zero {
            let (next, own) = (threefry_at(x_key, 0), threefry_at(x_key, 1));
            x_key = next;
            z = normal(own);
            w = one.add(z.mul(c));
        }
        x = z.mul(z);
        v = w.mul(w).mul(w);
        u = uniform(u_key);
    }
    if log_space {
        let log = uniform::<T>(last);
        let log = (-log).ln_1p();
        let boost = if !boosted || log == zero { zero } else { log.mul(one.div(alpha)) };
        d.ln().add(v.ln()).add(boost)
    } else {
        let boost = if boosted { one.sub(uniform::<T>(last)).pow(one.div(alpha)) } else { one };
        d.mul(v).mul(boost)
    }
}

/// The derivative of a sample by the shape parameter. JAX writes it out as a loop; here it is one equation.
#[derive(Copy, Clone, Debug)]
pub struct SampleSlope;

impl SampleSlope {
    /// From Python: it has no parameters.
    ///
    /// # Errors
    /// Never.
    pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(SampleSlope))
    }
}

impl Primitive for SampleSlope {
    fn name(&self) -> &'static str {
        "random_gamma_grad"
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![inputs[0].clone()])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        if inputs[0].dtype != DType::F64 {
            let (a, x) = (inputs[0].convert(DType::F32), inputs[1].convert(DType::F32));
            let values =
                a.expect::<f32>()?.iter().zip(x.expect::<f32>()?).map(|(&a, &x)| random_gamma_grad_single(a, x));
            return Ok(smallvec![Tensor::new(a.shape.clone(), values.collect()).convert(inputs[0].dtype)]);
        }
        let (a, x) = (inputs[0].convert(DType::F64), inputs[1].convert(DType::F64));
        let values = a.expect::<f64>()?.iter().zip(x.expect::<f64>()?).map(|(&a, &x)| random_gamma_grad(a, x));
        Ok(smallvec![Tensor::new(a.shape.clone(), values.collect()).convert(inputs[0].dtype)])
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(missing::jvp("random_gamma_grad"))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let front = |i: usize| rules::at_front(cx, &inputs[i], dims[i], size);
        Ok(rules::batched(cx.bind1(*self, &[front(0)?, front(1)?])?, 0))
    }
}
