//! Running sums, products, maxima and minima along an axis.

use std::rc::Rc;

use jitlens_kernels::work::{self, LARGE, PART, Stop};
use jitlens_kernels::{pool, tree};
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::elementwise::complex_steps;
use super::elementwise::scalar::{Float, Flush};
use super::reduce::{Extent, arrange};
use super::rules::{self, flag_text, shifted, text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build, short};
use crate::array::tensor::{Data, Element};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// What is accumulated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The sum.
    Sum,
    /// The product.
    Prod,
    /// The largest so far.
    Max,
    /// The smallest so far.
    Min,
    /// The logarithm of the sum of exponentials.
    LogSumExp,
}

/// A running reduction along an axis.
#[derive(Clone, Debug)]
pub struct Cumulative {
    /// What is accumulated.
    pub kind: Kind,
    /// The axis.
    pub axis: i64,
    /// From the end to the start.
    pub reverse: bool,
    /// One element after the other, as NumPy does it.
    pub one_by_one: bool,
}

impl Cumulative {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let kind = match params.primitive {
            "cumsum" => Kind::Sum,
            "cumprod" => Kind::Prod,
            "cummax" => Kind::Max,
            "cummin" => Kind::Min,
            _ => Kind::LogSumExp,
        };
        Ok(Rc::new(Cumulative { kind, axis: params.int("axis")?, reverse: params.flag("reverse")?, one_by_one: false }))
    }
}

/// So many elements are done between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;

fn scan<T: Copy + Sync, A: Copy + Sync, R: Element>(
    x: &[T],
    e: Extent,
    reverse: bool,
    init: A,
    step: impl Fn(A, T) -> A + Sync,
    done: impl Fn(A) -> R + Sync,
) -> Data {
    let mut out: Vec<R> = pool::filled(x.len());
    let slab = e.len * e.inner;
    if slab == 0 {
        return R::wrap(out);
    }
    let each = if x.len() < LARGE { e.outer } else { (PART / slab).max(1) };
    let stop = Stop::here();
    // Lines that lie side by side go on together.
    let together = (BETWEEN / e.inner).max(1) * e.inner;
    work::parts(&mut out, each * slab, |part, out| {
        let mut sums = vec![init; e.inner];
        let x = &x[part * each * slab..][..out.len()];
        for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
            sums.fill(init);
            let count = slab.div_ceil(together);
            for some in 0..count {
                if stop.asked() {
                    return;
                }
                let from = if reverse { count - 1 - some } else { some } * together;
                let to = slab.min(from + together);
                run(&x[from..to], &mut out[from..to], &mut sums, reverse, (&step, &done));
            }
        }
    });
    R::wrap(out)
}

/// Some steps of lines that lie side by side, each with its sum so far.
fn run<T: Copy, A: Copy, R>(
    x: &[T],
    out: &mut [R],
    sums: &mut [A],
    reverse: bool,
    (step, done): (impl Fn(A, T) -> A, impl Fn(A) -> R),
) {
    if let [sum] = sums {
        let mut one = |(x, out): (&T, &mut R)| {
            *sum = step(*sum, *x);
            *out = done(*sum);
        };
        let both = x.iter().zip(out);
        return if reverse { both.rev().for_each(&mut one) } else { both.for_each(&mut one) };
    }
    let width = sums.len();
    let mut row = |(x, out): (&[T], &mut [R])| {
        for ((sum, x), out) in sums.iter_mut().zip(x).zip(out) {
            *sum = step(*sum, *x);
            *out = done(*sum);
        }
    };
    let rows = x.chunks_exact(width).zip(out.chunks_exact_mut(width));
    if reverse { rows.rev().for_each(&mut row) } else { rows.for_each(&mut row) }
}

/// As [`scan`], in the blocks in which XLA does it: where steps round, the order counts.
fn in_blocks<T: Copy + Sync, A: Copy + Default + Send + Sync + 'static, R: Element>(
    x: &[T],
    e: Extent,
    &Cumulative { reverse, one_by_one, .. }: &Cumulative,
    init: A,
    (read, step, done): (impl Fn(T) -> A + Sync, impl Fn(A, A) -> A + Copy + Sync, impl Fn(A) -> R + Sync),
) -> Data {
    if one_by_one {
        return scan(x, e, reverse, init, |a, x| step(a, read(x)), done);
    }
    let mut out: Vec<R> = pool::filled(x.len());
    let slab = e.len * e.inner;
    if slab == 0 {
        return R::wrap(out);
    }
    if e.len == 1 {
        out.iter_mut().zip(x).for_each(|(out, x)| *out = done(read(*x)));
        return R::wrap(out);
    }
    let each = if x.len() < LARGE { e.outer } else { (PART / slab).max(1) };
    let stop = Stop::here();
    work::parts(&mut out, each * slab, |part, out| {
        let mut line: Vec<A> = pool::filled(e.len);
        let x = &x[part * each * slab..][..out.len()];
        for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
            for i in 0..e.inner {
                if stop.asked() {
                    return;
                }
                // A long line is shared out itself.
                work::parts(&mut line, PART, |part, line| {
                    let x = x[part * PART * e.inner + i..].iter().step_by(e.inner);
                    line.iter_mut().zip(x).for_each(|(line, x)| *line = read(*x));
                });
                tree::scan_shared(&mut line, reverse, init, step);
                work::parts(out, PART * e.inner, |part, out| {
                    let out = out.iter_mut().skip(i).step_by(e.inner);
                    out.zip(&line[part * PART..]).for_each(|(out, x)| *out = done(*x));
                });
            }
        }
        pool::give(line);
    });
    R::wrap(out)
}

/// `log(exp(a) + exp(b))`
fn log_add(a: f64, b: f64) -> f64 {
    let apart = a - b;
    if apart.is_nan() { a + b } else { a.larger(b) + (-apart.abs()).exp().ln_1p() }
}

/// `log(exp(a) + exp(b))`, with its angle in `[-π, π)`.
fn complex_log_add(a: Complex<f64>, b: Complex<f64>) -> Complex<f64> {
    use std::f64::consts::{PI, TAU};
    let (large, small) = if a.re > b.re { (a, b) } else { (b, a) };
    let sum = large + super::elementwise::complex::log1p(super::elementwise::complex::exp(small - large));
    Complex::new(sum.re, (sum.im + PI).rem_euclid(TAU) - PI)
}

macro_rules! scan_int {
    ($v:expr, $e:expr, $self:expr, $ty:ty, $wrap:expr) => {{
        let v: &[$ty] = $v;
        match $self.kind {
            Kind::Sum => scan(v, $e, $self.reverse, 0, |a: $ty, x| a.wrapping_add(x), $wrap),
            Kind::Prod => scan(v, $e, $self.reverse, 1, |a: $ty, x| a.wrapping_mul(x), $wrap),
            Kind::Max => scan(v, $e, $self.reverse, <$ty>::MIN, |a, x| a.max(x), $wrap),
            Kind::Min => scan(v, $e, $self.reverse, <$ty>::MAX, |a, x| a.min(x), $wrap),
            Kind::LogSumExp => return None,
        }
    }};
}

macro_rules! scan_float {
    ($v:expr, $e:expr, $self:expr, $acc:ident, $log_add:expr) => {{
        let (v, e, reverse, keep) = ($v, $e, $self.reverse, |a: $acc| a);
        match $self.kind {
            Kind::Sum => in_blocks(v, e, $self, 0.0, (Flush::flush, |a: $acc, x: $acc| (a + x).flush(), keep)),
            Kind::Prod => in_blocks(v, e, $self, 1.0, (Flush::flush, |a: $acc, x: $acc| (a * x).flush(), keep)),
            Kind::Max => scan(v, e, reverse, $acc::NEG_INFINITY, $acc::larger, keep),
            Kind::Min => scan(v, e, reverse, $acc::INFINITY, $acc::smaller, keep),
            Kind::LogSumExp => in_blocks(v, e, $self, $acc::NEG_INFINITY, (Flush::flush, $log_add, keep)),
        }
    }};
}

macro_rules! scan_complex {
    ($v:expr, $e:expr, $self:expr, $ty:ident) => {{
        type C = Complex<$ty>;
        let (v, e, keep) = ($v, $e, |a: C| a);
        match $self.kind {
            Kind::Sum => in_blocks(v, e, $self, C::new(0.0, 0.0), (keep, complex_steps::add, keep)),
            Kind::Prod => in_blocks(v, e, $self, C::new(1.0, 0.0), (keep, complex_steps::mul, keep)),
            Kind::Max => in_blocks(v, e, $self, C::new($ty::NEG_INFINITY, 0.0), (keep, complex_steps::upper, keep)),
            Kind::Min => in_blocks(v, e, $self, C::new($ty::INFINITY, 0.0), (keep, complex_steps::lower, keep)),
            Kind::LogSumExp => {
                let read = |x: C| Complex::new(x.re.into(), x.im.into());
                let step = |a: Complex<f64>, x: Complex<f64>| complex_log_add(x, a);
                let done = |a: Complex<f64>| C::new(a.re as $ty, a.im as $ty);
                in_blocks(v, e, $self, Complex::new(f64::NEG_INFINITY, 0.0), (read, step, done))
            }
        }
    }};
}

impl Cumulative {
    fn data(&self, x: &Tensor, e: Extent) -> Option<Data> {
        let narrow = |v: i8| crate::array::convert::wrap_narrow(v, x.dtype);
        Some(match &x.data {
            Data::I8(v) => scan_int!(v, e, self, i8, narrow),
            Data::I16(v) => scan_int!(v, e, self, i16, |a| a),
            Data::I32(v) => scan_int!(v, e, self, i32, |a| a),
            Data::I64(v) => scan_int!(v, e, self, i64, |a| a),
            Data::U8(v) => scan_int!(v, e, self, u8, |a| narrow(a as i8) as u8),
            Data::U16(v) => scan_int!(v, e, self, u16, |a| a),
            Data::U32(v) => scan_int!(v, e, self, u32, |a| a),
            Data::U64(v) => scan_int!(v, e, self, u64, |a| a),
            Data::F32(v) if x.dtype == DType::F32 => {
                scan_float!(v, e, self, f32, |a, x| short::log_add(a, x, Flush::flush))
            }
            Data::F64(v) => scan_float!(v, e, self, f64, log_add),
            Data::F32(_) | Data::BF16(_) | Data::F16(_) => self.in_steps(x, e)?,
            Data::C64(v) => scan_complex!(v, e, self, f32),
            Data::C128(v) => scan_complex!(v, e, self, f64),
            _ => return None,
        })
    }

    /// The numbers of short floats, each step rounded.
    fn in_steps(&self, x: &Tensor, e: Extent) -> Option<Data> {
        if x.dtype.lacks_zero() && self.kind != Kind::Prod {
            return Some(Tensor::full(x.dtype, x.shape.clone(), f64::NAN).data);
        }
        let (v, reverse, round) = (short::widened(x)?, self.reverse, short::rounding(x.dtype));
        // A type without infinities begins with what stands for one.
        let largest = x.dtype.narrow().filter(|d| !d.has_infinity()).map_or(f32::INFINITY, |d| d.format().max);
        let keep = |a: f32| a;
        // A single element is added to zero, but for `float16`, where that is left out: a negative zero stays one.
        let zero = if x.dtype == DType::F16 { -0.0 } else { 0.0 };
        let begun = |a: f32| a + zero;
        let scanned = match self.kind {
            Kind::Sum => in_blocks(&v, e, self, 0.0, (begun, |a, x| round(a + x), keep)),
            Kind::Prod => in_blocks(&v, e, self, 1.0, (keep, |a, x| round(a * x), keep)),
            Kind::Max => scan(&v, e, reverse, -largest, Float::larger, keep),
            Kind::Min => scan(&v, e, reverse, largest, Float::smaller, keep),
            Kind::LogSumExp => {
                let none = round(f32::NEG_INFINITY);
                in_blocks(&v, e, self, none, (keep, |a, x| short::log_add(a, x, round), keep))
            }
        };
        let Data::F32(values) = scanned else { return None };
        Some(short::narrowed(std::sync::Arc::unwrap_or_clone(values), x.dtype))
    }

    /// One step on values with tangents.
    fn combine(&self, cx: &Engine, a: &Dual, b: &Dual) -> Step<Dual> {
        match self.kind {
            Kind::Sum => Ok(Dual {
                value: build::add(cx, &a.value, &b.value)?,
                tangent: build::add(cx, &a.tangent, &b.tangent)?,
            }),
            Kind::Prod => a.times(cx, b),
            Kind::Max | Kind::Min => {
                let max = self.kind == Kind::Max;
                let value = if max { build::max } else { build::min }(cx, &a.value, &b.value)?;
                let first = super::elementwise::balanced(cx, &a.tangent, &a.value, &value, &b.value)?;
                let second = super::elementwise::balanced(cx, &b.tangent, &b.value, &value, &a.value)?;
                Ok(Dual { tangent: build::add_any(cx, &first, &second)?, value })
            }
            Kind::LogSumExp => a.log_add(cx, b),
        }
    }

    fn axis(&self) -> Step<usize> {
        usize::try_from(self.axis).map_err(|_| Halt::value_error("XLA operations do not allow negative axes"))
    }
}

impl Primitive for Cumulative {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Sum => "cumsum",
            Kind::Prod => "cumprod",
            Kind::Max => "cummax",
            Kind::Min => "cummin",
            Kind::LogSumExp => "cumlogsumexp",
        }
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", text(self.axis.to_string())), ("reverse", flag_text(self.reverse))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if self.axis()? >= x.rank() {
            return Err(Halt::value_error(format!(
                "axis {} is out of bounds for array of shape {}",
                self.axis,
                x.shape_tuple()
            )));
        }
        if !(x.dtype.is_integer() || x.dtype.is_inexact()) {
            return Err(Halt::type_error(format!(
                "{} does not accept dtype {}. Accepted dtypes are subtypes of number.",
                self.name(),
                x.dtype
            )));
        }
        Ok(smallvec![x.clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let (_, extent, _) = arrange(x, &[self.axis()?]);
        let data =
            self.data(x, extent).ok_or_else(|| Halt::unknown(format!("no `{}` of {} yet", self.name(), x.dtype)))?;
        Ok(smallvec![Tensor::with_data(x.dtype, x.shape.clone(), data)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        match &t[0] {
            Some(tangent) if self.kind != Kind::Sum => {
                self.abstract_eval(&[&x[0].aval])?;
                let axis = self.axis()?;
                let mut pair = Dual { value: x[0].clone(), tangent: tangent.clone() };
                if self.reverse {
                    pair = pair.map(|v| build::rev(cx, v, &[axis]))?;
                }
                pair = self.prefix(cx, &pair, axis)?;
                if self.reverse {
                    pair = pair.map(|v| build::rev(cx, v, &[axis]))?;
                }
                Ok((smallvec![pair.value], smallvec![Some(pair.tangent)]))
            }
            _ => rules::linear_jvp(cx, self, x, t),
        }
    }
    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        Some(Rc::new(Cumulative { one_by_one: true, ..self.clone() }))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| {
            cx.bind1(Cumulative { reverse: !self.reverse, ..self.clone() }, &[ct.clone()])
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let axis = shifted(self.axis()?, dim) as i64;
        Ok(rules::batched(cx.bind1(Cumulative { axis, ..self.clone() }, inputs)?, dim))
    }
    fn cost(&self, inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        inputs.iter().filter_map(|a| a.size()).map(|n| n as u64).sum()
    }
}

/// A value with its tangent.
#[derive(Clone)]
struct Dual {
    value: Val,
    tangent: Val,
}

impl Dual {
    /// The same linear operation on both.
    fn map(&self, f: impl Fn(&Val) -> Step<Val>) -> Step<Dual> {
        Ok(Dual { value: f(&self.value)?, tangent: f(&self.tangent)? })
    }
    /// The same linear operation of two.
    fn zip(&self, other: &Dual, f: impl Fn(&Val, &Val) -> Step<Val>) -> Step<Dual> {
        Ok(Dual { value: f(&self.value, &other.value)?, tangent: f(&self.tangent, &other.tangent)? })
    }
    fn times(&self, cx: &Engine, other: &Dual) -> Step<Dual> {
        let value = build::mul(cx, &self.value, &other.value)?;
        let first = build::mul(cx, &self.tangent, &other.value)?;
        let second = build::mul(cx, &self.value, &other.tangent)?;
        Ok(Dual { value, tangent: build::add_any(cx, &first, &second)? })
    }
    fn log_add(&self, cx: &Engine, other: &Dual) -> Step<Dual> {
        let (x, y) = (&self.value, &other.value);
        let largest = build::max(cx, x, y)?;
        let difference = build::sub(cx, x, y)?;
        let odd = build::ne(cx, &difference, &difference)?;
        let sum = build::add(cx, x, y)?;
        let decay = build::exp(cx, &build::neg(cx, &build::abs(cx, &difference)?)?)?;
        let log = build::add(cx, &largest, &build::log1p(cx, &decay)?)?;
        let value = build::select(cx, &odd, &sum, &log)?;
        let finite = |v: &Val| {
            let infinite = build::eq(cx, v, &build::scalar_like(cx, v, f64::INFINITY))?;
            build::select(cx, &infinite, &build::zeros_like(cx, &v.aval)?, v)
        };
        let part = |v: &Val, t: &Val, keep: &Val| {
            let shift = build::sub(cx, keep, &finite(&value)?)?;
            let _ = v;
            build::mul(cx, t, &build::exp(cx, &shift)?)
        };
        let first = part(x, &self.tangent, &finite(x)?)?;
        let second = part(y, &other.tangent, &finite(y)?)?;
        Ok(Dual { tangent: build::add(cx, &first, &second)?, value })
    }
    fn len(&self, axis: usize) -> Step<usize> {
        self.value.aval.shape[axis].get()
    }
    fn slice(&self, cx: &Engine, start: usize, limit: usize, stride: usize, axis: usize) -> Step<Dual> {
        self.map(|v| build::slice_in_dim(cx, v, start, Dim::from(limit), stride, axis))
    }
}

impl Cumulative {
    /// A parallel prefix scan: pairs are combined, scanned, and filled in between.
    fn prefix(&self, cx: &Engine, x: &Dual, axis: usize) -> Step<Dual> {
        let n = x.len(axis)?;
        if n < 2 {
            return Ok(x.clone());
        }
        let pairs = self.combine(cx, &x.slice(cx, 0, n - 1, 2, axis)?, &x.slice(cx, 1, n, 2, axis)?)?;
        let odd = self.prefix(cx, &pairs, axis)?;
        let kept = if n % 2 == 0 { odd.slice(cx, 0, odd.len(axis)? - 1, 1, axis)? } else { odd.clone() };
        let even = self.combine(cx, &kept, &x.slice(cx, 2, n, 2, axis)?)?;
        let first = x.slice(cx, 0, 1, 1, axis)?;
        let even = first.zip(&even, |a, b| build::concatenate(cx, &[a.clone(), b.clone()], axis))?;
        // Interleave by padding with zeros in between and adding.
        let rank = x.value.aval.rank();
        let same = even.len(axis)? == odd.len(axis)?;
        let config = |low: i64, high: i64| {
            let mut config = vec![(0, 0, 0); rank];
            config[axis] = (low, high, 1);
            config
        };
        let (even_config, odd_config) = (config(0, i64::from(same)), config(1, i64::from(!same)));
        let spread = |v: &Val, config: &[(i64, i64, i64)]| build::pad(cx, v, &build::scalar_like(cx, v, 0i64), config);
        let even = even.map(|v| spread(v, &even_config))?;
        let odd = odd.map(|v| spread(v, &odd_config))?;
        even.zip(&odd, |a, b| build::add(cx, a, b))
    }
}

/// The product along axes with its tangent, by repeatedly multiplying halves.
pub fn product_tree(cx: &Engine, x: &Val, tangent: &Val, axes: &[usize]) -> Step<(Val, Val)> {
    let rank = x.aval.rank();
    let kept: Axes = (0..rank).filter(|i| !axes.contains(i)).collect();
    let order: Axes = axes.iter().chain(&kept).copied().collect();
    let count: Dim = axes.iter().map(|&i| x.aval.shape[i]).product();
    let shape: crate::array::Shape = std::iter::once(count).chain(kept.iter().map(|&i| x.aval.shape[i])).collect();
    let flat = |v: &Val| {
        let plain = order.iter().copied().eq(0..rank);
        if plain {
            return build::reshape(cx, v, &shape);
        }
        cx.bind1(super::Reshape { shape: shape.clone(), dimensions: Some(order.clone()) }, &[v.clone()])
    };
    let mut pair = Dual { value: flat(x)?, tangent: flat(tangent)? };
    loop {
        let n = pair.len(0)?;
        if n == 0 {
            let ones = build::full_like(cx, &Aval { shape: shape[1..].into(), ..x.aval.clone() }, 1i64)?;
            let zeros = build::zeros_like(cx, &ones.aval)?;
            return Ok((ones, zeros));
        }
        if n == 1 {
            let last = pair.map(|v| build::squeeze(cx, v, &[0]))?;
            return Ok((last.value, last.tangent));
        }
        let half = n.div_ceil(2);
        let left = pair.slice(cx, 0, half, 1, 0)?;
        let mut right = pair.slice(cx, half, n, 1, 0)?;
        if n % 2 == 1 {
            let mut config = vec![(0, 0, 0); pair.value.aval.rank()];
            config[0] = (0, 1, 0);
            let one = build::scalar_like(cx, &right.value, 1i64);
            let zero = build::scalar_like(cx, &right.tangent, 0i64);
            right = Dual {
                value: build::pad(cx, &right.value, &one, &config)?,
                tangent: build::pad(cx, &right.tangent, &zero, &config)?,
            };
        }
        pair = left.times(cx, &right)?;
    }
}
