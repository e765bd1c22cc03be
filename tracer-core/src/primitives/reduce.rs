//! Reductions along axes: sum, product, maximum, minimum, bitwise, and where the largest and smallest are.

use std::rc::Rc;

use half::{bf16, f16};
pub use jitlens_kernels::vector::Extent;
use jitlens_kernels::{tree, vector};
use smallvec::{SmallVec, smallvec};

use super::elementwise::scalar::{Float, Flush};
use super::rules::{self, text, tuple_text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build, short};
use crate::array::convert::{round_to, to_bf16};
use crate::array::tensor::{Data, Element, Sizes};
use crate::array::{Aval, DType, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// The tensor with its reduced axes next to each other, its extent, and the shape of the result.
pub fn arrange(x: &Tensor, axes: &[usize]) -> (Tensor, Extent, Sizes) {
    let rank = x.shape.len();
    let kept: Axes = (0..rank).filter(|i| !axes.contains(i)).collect();
    let result: Sizes = kept.iter().map(|&i| x.shape[i]).collect();
    let mut sorted: Axes = axes.into();
    sorted.sort_unstable();
    let first = sorted.first().copied().unwrap_or(rank);
    let together = sorted.iter().copied().eq(first..first + sorted.len());
    let size = |range: &[usize]| range.iter().product();
    if together {
        let extent = Extent {
            outer: size(&x.shape[..first]),
            len: size(&x.shape[first..first + sorted.len()]),
            inner: size(&x.shape[first + sorted.len()..]),
        };
        return (x.clone(), extent, result);
    }
    let order: Axes = kept.iter().chain(&sorted).copied().collect();
    let moved = x.permute(&order);
    let extent = Extent { outer: size(&result), len: sorted.iter().map(|&i| x.shape[i]).product(), inner: 1 };
    (moved, extent, result)
}

/// Folds along the middle of the extent, in order.
fn fold<T: Copy + Sync, A: Copy + Send + Sync, R: Element>(
    x: &[T],
    e: Extent,
    init: A,
    step: impl Fn(A, T) -> A + Sync,
    done: impl Fn(A) -> R,
) -> Data {
    let merge: Option<fn(A, A) -> A> = None;
    R::wrap(vector::fold(x, e, init, step, merge).into_iter().map(done).collect())
}

/// As [`fold`], long rows in parts side by side.
fn fold_apart<T: Copy + Sync, A: Copy + Send + Sync, R: Element>(
    x: &[T],
    e: Extent,
    init: A,
    step: impl Fn(A, T) -> A + Sync,
    merge: impl Fn(A, A) -> A + Copy + Sync,
    done: impl Fn(A) -> R,
) -> Data {
    R::wrap(vector::fold(x, e, init, step, Some(merge)).into_iter().map(done).collect())
}

/// What a reduction does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The sum.
    Sum,
    /// The product.
    Prod,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

macro_rules! fold_int {
    ($v:expr, $e:expr, $kind:expr, $ty:ty, $wrap:expr) => {{
        let v: &[$ty] = $v;
        match $kind {
            Kind::Sum => fold_apart(v, $e, 0, |a: $ty, x| a.wrapping_add(x), |a, x| a.wrapping_add(x), $wrap),
            Kind::Prod => fold_apart(v, $e, 1, |a: $ty, x| a.wrapping_mul(x), |a, x| a.wrapping_mul(x), $wrap),
            Kind::Max => fold_apart(v, $e, <$ty>::MIN, |a: $ty, x| a.max(x), |a, x| a.max(x), $wrap),
            Kind::Min => fold_apart(v, $e, <$ty>::MAX, |a: $ty, x| a.min(x), |a, x| a.min(x), $wrap),
            Kind::And => fold_apart(v, $e, !0, |a: $ty, x| a & x, |a, x| a & x, $wrap),
            Kind::Or => fold_apart(v, $e, 0, |a: $ty, x| a | x, |a, x| a | x, $wrap),
            Kind::Xor => fold_apart(v, $e, 0, |a: $ty, x| a ^ x, |a, x| a ^ x, $wrap),
        }
    }};
}

macro_rules! fold_float {
    ($v:expr, $e:expr, $kind:expr, $acc:ident, $read:expr, $done:expr) => {
        match $kind {
            Kind::Sum => {
                let add = |a: $acc, b: $acc| (a + b).flush();
                fold_apart($v, $e, 0.0, |a, x| add(a, $read(x).flush()), add, $done)
            }
            Kind::Prod => {
                let times = |a: $acc, b: $acc| (a * b).flush();
                fold_apart($v, $e, 1.0, |a, x| times(a, $read(x).flush()), times, $done)
            }
            Kind::Max => fold_apart($v, $e, $acc::NEG_INFINITY, |a: $acc, x| a.larger($read(x)), $acc::larger, $done),
            Kind::Min => fold_apart($v, $e, $acc::INFINITY, |a: $acc, x| a.smaller($read(x)), $acc::smaller, $done),
            _ => return None,
        }
    };
}

macro_rules! fold_complex {
    ($v:expr, $e:expr, $kind:expr, $ty:ident) => {{
        type C = num_complex::Complex<$ty>;
        // As NumPy does it: the first one with a NaN stays.
        let stays = |x: C| x.re.nan() || x.im.nan();
        let above = |x: C, y: C| x.re > y.re || x.re == y.re && x.im > y.im;
        match $kind {
            Kind::Sum => fold($v, $e, C::new(0.0, 0.0), super::elementwise::complex_steps::add, |a| a),
            Kind::Prod => fold($v, $e, C::new(1.0, 0.0), super::elementwise::complex_steps::mul, |a| a),
            Kind::Max => fold(
                $v,
                $e,
                C::new($ty::NEG_INFINITY, $ty::NEG_INFINITY),
                |a, x| if !stays(a) && (above(x, a) || stays(x)) { x } else { a },
                |a| a,
            ),
            Kind::Min => fold(
                $v,
                $e,
                C::new($ty::INFINITY, $ty::INFINITY),
                |a, x| if !stays(a) && (above(a, x) || stays(x)) { x } else { a },
                |a| a,
            ),
            _ => return None,
        }
    }};
}

/// The numbers of a reduction. Narrow floats are accumulated in `f32` and rounded once.
fn reduce(kind: Kind, x: &Tensor, e: Extent) -> Option<Data> {
    let dtype = x.dtype;
    let narrow = |v: i8| crate::array::convert::wrap_narrow(v, dtype);
    if dtype.is_part_of_byte() && matches!(kind, Kind::Max | Kind::Min) {
        let (low, high) = crate::array::convert::int_range(dtype);
        let limit = if kind == Kind::Max { low } else { high };
        return Some(match &x.data {
            Data::I8(v) => {
                fold(v, e, limit as i8, |a, x: i8| if kind == Kind::Max { a.max(x) } else { a.min(x) }, |a| a)
            }
            Data::U8(v) => {
                fold(v, e, limit as u8, |a, x: u8| if kind == Kind::Max { a.max(x) } else { a.min(x) }, |a| a)
            }
            _ => return None,
        });
    }
    Some(match &x.data {
        Data::Bool(v) => match kind {
            Kind::Max | Kind::Or | Kind::Sum => fold(v, e, false, |a, x| a | x, |a| a),
            Kind::Min | Kind::And | Kind::Prod => fold(v, e, true, |a, x| a & x, |a| a),
            Kind::Xor => fold(v, e, false, |a, x| a ^ x, |a| a),
        },
        Data::I8(v) => fold_int!(v, e, kind, i8, narrow),
        Data::I16(v) => fold_int!(v, e, kind, i16, |a| a),
        Data::I32(v) => fold_int!(v, e, kind, i32, |a| a),
        Data::I64(v) => fold_int!(v, e, kind, i64, |a| a),
        Data::U8(v) => fold_int!(v, e, kind, u8, |a| narrow(a as i8) as u8),
        Data::U16(v) => fold_int!(v, e, kind, u16, |a| a),
        Data::U32(v) => fold_int!(v, e, kind, u32, |a| a),
        Data::U64(v) => fold_int!(v, e, kind, u64, |a| a),
        Data::F32(v) => fold_float!(v, e, kind, f32, |x: f32| x, |a| round_to(a, dtype)),
        Data::F64(v) => fold_float!(v, e, kind, f64, |x: f64| x, |a| a),
        Data::BF16(v) => fold_float!(v, e, kind, f32, bf16::to_f32, to_bf16),
        Data::F16(v) => fold_float!(v, e, kind, f32, f16::to_f32, f16::from_f32),
        Data::C64(v) => fold_complex!(v, e, kind, f32),
        Data::C128(v) => fold_complex!(v, e, kind, f64),
        Data::None => return None,
    })
}

/// The shape of a reduction's result.
fn reduced_shape(x: &Aval, axes: &[usize]) -> Step<Shape> {
    if (1..axes.len()).any(|i| axes[..i].contains(&axes[i])) {
        let axes = tuple_text(axes);
        return Err(Halt::value_error(format!("duplicate value in 'axes' of reduction: {axes}")));
    }
    if axes.iter().any(|&axis| axis >= x.rank()) {
        return Err(Halt::value_error(format!(
            "reduction axes {} contains out-of-bounds indices for {}{}.",
            tuple_text(axes),
            if x.weak { "~" } else { "" },
            x.long()
        )));
    }
    Ok((0..x.rank()).filter(|i| !axes.contains(i)).map(|i| x.shape[i]).collect())
}

/// Axes of a reduction under a batch axis, and the batch axis of the result.
///
/// # Errors
/// `IndexError` for an axis that the batched operand does not have: JAX looks for the batch axis among those that are left.
fn batched_axes(axes: &[usize], dim: usize, rank: usize) -> Step<(Axes, usize)> {
    let moved: Axes = axes.iter().map(|&axis| rules::shifted(axis, dim)).collect();
    if let Some(axis) = moved.iter().find(|&&axis| axis.cast_signed() >= rank.cast_signed()) {
        return Err(Halt::raise("IndexError", format!("index {axis} is out of bounds for axis 0 with size {rank}")));
    }
    let out = dim - moved.iter().filter(|&&axis| axis < dim).count();
    Ok((moved, out))
}

fn check_number(name: &str, x: &Aval) -> Step<()> {
    if x.dtype.is_integer() || x.dtype.is_inexact() {
        return Ok(());
    }
    Err(Halt::type_error(format!("{name} does not accept dtype {}. Accepted dtypes are subtypes of number.", x.dtype)))
}

/// The sum along axes.
#[derive(Clone, Debug)]
pub struct ReduceSum {
    /// The axes.
    pub axes: Axes,
    /// Whether floats that lie next to each other are added in pairs, as NumPy does.
    pub in_pairs: bool,
}

impl ReduceSum {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(ReduceSum { axes: params.axes("axes")?, in_pairs: false }))
    }
}

impl Primitive for ReduceSum {
    fn name(&self) -> &'static str {
        "reduce_sum"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axes", text(tuple_text(&self.axes))), ("out_sharding", text("None"))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let shape = reduced_shape(inputs[0], &self.axes)?;
        check_number("reduce_sum", inputs[0])?;
        Ok(smallvec![Aval { shape, ..inputs[0].clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let first = x.shape.len() - self.axes.len();
        if self.in_pairs && self.axes.iter().all(|axis| *axis >= first) {
            let len = x.shape[first..].iter().product::<usize>();
            let shape: Sizes = x.shape[..first].into();
            let data = match &x.data {
                Data::F32(all) => Some(f32::wrap(rows(all, len, shape.iter().product()))),
                Data::F64(all) => Some(f64::wrap(rows(all, len, shape.iter().product()))),
                _ => None,
            };
            if let Some(data) = data {
                return Ok(smallvec![Tensor::with_data(x.dtype, shape, data)]);
            }
        }
        // NumPy knows nothing of XLA's order.
        if self.in_pairs { at_once(Kind::Sum, x, &self.axes) } else { evaluate(Kind::Sum, x, &self.axes) }
    }
    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        Some(Rc::new(ReduceSum { in_pairs: true, ..self.clone() }))
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, aval| {
            let kept: Axes = (0..aval.rank()).filter(|i| !self.axes.contains(i)).collect();
            build::broadcast_in_dim(cx, ct, &aval.shape, &kept)
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (axes, out) = batched_axes(&self.axes, rules::only_dim(dims)?, inputs[0].aval.rank())?;
        Ok(rules::batched(build::reduce_sum(cx, &inputs[0], &axes)?, out))
    }
    fn cost(&self, inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        inputs.iter().filter_map(|a| a.size()).map(|n| n as u64).sum()
    }
}

/// The sums of so many rows of a length.
fn rows<T: Copy + std::ops::Add<Output = T> + Default>(all: &[T], len: usize, count: usize) -> Vec<T> {
    (0..count).map(|row| T::default() + pairs(&all[row * len..(row + 1) * len])).collect()
}

/// The sum of numbers in the order of NumPy: eight sums side by side in blocks of up to 128, and halves of what is longer.
fn pairs<T: Copy + std::ops::Add<Output = T> + Default>(x: &[T]) -> T {
    const BLOCK: usize = 128;
    const SIDE: usize = 8;
    if x.len() < SIDE {
        return x.iter().fold(T::default(), |sum, &number| sum + number);
    }
    if x.len() > BLOCK {
        let half = x.len() / 2;
        let (left, right) = x.split_at(half - half % SIDE);
        return pairs(left) + pairs(right);
    }
    let chunks = x.chunks_exact(SIDE);
    let rest = chunks.remainder();
    let mut sums = [T::default(); SIDE];
    for (at, chunk) in chunks.enumerate() {
        for (sum, &number) in sums.iter_mut().zip(chunk) {
            *sum = if at == 0 { number } else { *sum + number };
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    rest.iter().fold(((a + b) + (c + d)) + ((e + f) + (g + h)), |sum, &number| sum + number)
}

/// Larger arrays of 32 and 64 bits are summed in an order that is faster: the last bits of long sums are the compiler's in XLA, too.
const MOST_IN_STEPS: usize = 1 << 14;

/// Sums and products of floats in the order of XLA, each step rounded.
fn in_steps(kind: Kind, x: &Tensor, axes: &[usize]) -> Option<Data> {
    fn steps<T: Element>(kind: Kind, values: &[T], x: &Tensor, axes: &[usize], of: Steps<T>) -> Option<Vec<T>> {
        Some(match kind {
            Kind::Sum => tree::reduce_shared(values, &x.shape, axes, of.zero, of.add),
            Kind::Prod => tree::reduce_shared(values, &x.shape, axes, of.one, of.multiply),
            _ => return None,
        })
    }
    match &x.data {
        Data::F64(values) => {
            let (add, multiply) = (|a: f64, b: f64| (a + b.flush()).flush(), |a: f64, b: f64| (a * b.flush()).flush());
            steps(kind, values, x, axes, Steps { zero: 0.0, one: 1.0, add, multiply }).map(f64::wrap)
        }
        Data::F32(values) if x.dtype == DType::F32 => {
            let (add, multiply) = (|a: f32, b: f32| (a + b.flush()).flush(), |a: f32, b: f32| (a * b.flush()).flush());
            steps(kind, values, x, axes, Steps { zero: 0.0, one: 1.0, add, multiply }).map(f32::wrap)
        }
        _ => {
            let (values, round) = (short::widened(x)?, short::rounding(x.dtype));
            let all = match kind {
                Kind::Sum => tree::reduce_shared(&values, &x.shape, axes, 0.0, |a: f32, b| round(a + b)),
                Kind::Prod => tree::reduce_shared(&values, &x.shape, axes, 1.0, |a: f32, b| round(a * b)),
                _ => return None,
            };
            Some(short::narrowed(all, x.dtype))
        }
    }
}

/// The extremes of complex numbers in the order of XLA: what is in no order with what comes next gives way to it.
fn of_complex(kind: Kind, x: &Tensor, axes: &[usize]) -> Option<Data> {
    macro_rules! of {
        ($values:expr, $ty:ident) => {{
            type C = num_complex::Complex<$ty>;
            let above = |x: C, y: C| x.re > y.re || x.re == y.re && x.im > y.im;
            let low = C::new($ty::NEG_INFINITY, $ty::NEG_INFINITY);
            let all = match kind {
                Kind::Max => {
                    let step = |a: C, b: C| if above(a, b) { a } else { b };
                    tree::reduce_shared($values, &x.shape, axes, low, step)
                }
                Kind::Min => {
                    let step = |a: C, b: C| if above(b, a) { a } else { b };
                    tree::reduce_shared($values, &x.shape, axes, -low, step)
                }
                _ => return None,
            };
            Some(C::wrap(all))
        }};
    }
    match &x.data {
        Data::C64(values) => of!(values, f32),
        Data::C128(values) => of!(values, f64),
        _ => None,
    }
}

/// What sums and products of a type are made of.
struct Steps<T> {
    zero: T,
    one: T,
    add: fn(T, T) -> T,
    multiply: fn(T, T) -> T,
}

/// The numbers and the shape of a reduction as XLA does it; along axes of one element nothing is done.
///
/// # Errors
/// Unknown for types that have no such reduction.
pub fn evaluate(kind: Kind, x: &Tensor, axes: &[usize]) -> Step<SmallVec<[Tensor; 1]>> {
    let wide = matches!(x.dtype, DType::F32 | DType::F64) && x.len() <= MOST_IN_STEPS;
    let steps = (wide || short::is_short(x.dtype))
        && matches!(kind, Kind::Sum | Kind::Prod)
        && (kind == Kind::Prod || !x.dtype.lacks_zero());
    let kept = || -> Sizes {
        x.shape.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, &size)| size).collect()
    };
    let data = if steps { in_steps(kind, x, axes) } else { of_complex(kind, x, axes) };
    if let Some(data) = data {
        return Ok(smallvec![Tensor::with_data(x.dtype, kept(), data)]);
    }
    match axes.iter().all(|&axis| x.shape[axis] == 1) {
        true => Ok(smallvec![x.reshaped(kept())]),
        false if kind != Kind::Prod && x.dtype.lacks_zero() => Ok(smallvec![Tensor::full(x.dtype, kept(), f64::NAN)]),
        false => at_once(kind, x, axes),
    }
}

/// As [`evaluate`], short floats accumulated in `f32` and rounded once.
fn at_once(kind: Kind, x: &Tensor, axes: &[usize]) -> Step<SmallVec<[Tensor; 1]>> {
    let (moved, extent, shape) = arrange(x, axes);
    let data = reduce(kind, &moved, extent).ok_or_else(|| Halt::unknown(format!("no reduction of {} yet", x.dtype)))?;
    Ok(smallvec![Tensor::with_data(x.dtype, shape, data)])
}

/// The other reductions to one element.
#[derive(Clone, Debug)]
pub struct Reduce {
    /// What it does.
    pub kind: Kind,
    /// The axes.
    pub axes: Axes,
    /// Whether NumPy does it, to which every NaN is an extreme.
    in_numpy: bool,
}

impl Reduce {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let kind = match params.primitive {
            "reduce_prod" => Kind::Prod,
            "reduce_max" => Kind::Max,
            "reduce_min" => Kind::Min,
            "reduce_and" => Kind::And,
            "reduce_or" => Kind::Or,
            _ => Kind::Xor,
        };
        Ok(Rc::new(Reduce { kind, axes: params.axes("axes")?, in_numpy: false }))
    }
}

impl Primitive for Reduce {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Sum => "reduce_sum",
            Kind::Prod => "reduce_prod",
            Kind::Max => "reduce_max",
            Kind::Min => "reduce_min",
            Kind::And => "reduce_and",
            Kind::Or => "reduce_or",
            Kind::Xor => "reduce_xor",
        }
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axes", text(tuple_text(&self.axes)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if matches!(self.kind, Kind::And | Kind::Or | Kind::Xor) {
            if x.dtype != DType::Bool && (!x.dtype.is_integer() || x.dtype.bits() < 8) {
                return Err(Halt::type_error(format!(
                    "logical reduction requires operand dtype bool or int, got {}.",
                    x.dtype
                )));
            }
            let rank = x.rank().cast_signed();
            let signed = || self.axes.iter().map(|axis| axis.cast_signed());
            if let Some(axis) = signed().find(|axis| !(-rank..rank).contains(axis)) {
                return Err(Halt::raise(
                    "IndexError",
                    format!("index {axis} is out of bounds for axis 0 with size {}", x.rank()),
                ));
            }
            // Only the compiler sees it.
            if let Some(axis) = signed().find(|&axis| axis < 0) {
                return Err(Halt::value_error(format!(
                    "Out-of-bounds dimension {axis}, expected to be in range [0, {rank})"
                )));
            }
            let shape = (0..x.rank()).filter(|i| !self.axes.contains(i)).map(|i| x.shape[i]).collect();
            return Ok(smallvec![Aval::with_shape(x.dtype, shape)]);
        }
        let shape = reduced_shape(x, &self.axes)?;
        if self.kind == Kind::Prod {
            check_number("reduce_prod", x)?;
        }
        Ok(smallvec![Aval { shape, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        // Logical reductions may name an axis twice until they are compiled.
        let once: Axes = (0..inputs[0].shape.len()).filter(|axis| self.axes.contains(axis)).collect();
        let axes = if once.len() < self.axes.len() { &once } else { &self.axes };
        if self.in_numpy { at_once(self.kind, &inputs[0], axes) } else { evaluate(self.kind, &inputs[0], axes) }
    }
    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        let is_extreme = matches!(self.kind, Kind::Max | Kind::Min);
        is_extreme.then(|| -> Rc<dyn Primitive> { Rc::new(Reduce { in_numpy: true, ..self.clone() }) })
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let Some(tangent) = &t[0] else { return rules::zero_jvp(cx, self, x) };
        match self.kind {
            Kind::Max | Kind::Min => {
                let out = cx.bind1(self.clone(), x)?;
                let tangent = chosen(cx, tangent, &out, &x[0], &self.axes)?;
                Ok((smallvec![out], smallvec![Some(tangent)]))
            }
            Kind::Prod => {
                let (out, tangent) = super::cumulative::product_tree(cx, &x[0], tangent, &self.axes)?;
                Ok((smallvec![out], smallvec![Some(tangent)]))
            }
            _ => Err(Halt::raise(
                "NotImplementedError",
                format!("Differentiation rule for '{}' not implemented", self.name()),
            )),
        }
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (axes, out) = batched_axes(&self.axes, rules::only_dim(dims)?, inputs[0].aval.rank())?;
        Ok(rules::batched(cx.bind1(Reduce { axes, ..self.clone() }, inputs)?, out))
    }
    fn cost(&self, inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        inputs.iter().filter_map(|a| a.size()).map(|n| n as u64).sum()
    }
}

/// The tangent of a maximum: the mean of the tangents where it is reached.
fn chosen(cx: &Engine, g: &Val, out: &Val, x: &Val, axes: &[usize]) -> Step<Val> {
    let mut shape = x.aval.shape.clone();
    for &axis in axes {
        shape[axis] = 1usize.into();
    }
    let where_ = build::eq(cx, x, &build::reshape(cx, out, &shape)?)?;
    let places = build::convert_element_type(cx, &where_, g.aval.dtype)?;
    let count = build::reduce_sum(cx, &places, axes)?;
    let sum = build::reduce_sum(cx, &build::mul(cx, g, &places)?, axes)?;
    build::div(cx, &sum, &count)
}

/// Where the largest or smallest element is.
#[derive(Clone, Debug)]
pub struct ArgExtreme {
    /// The smallest instead of the largest.
    pub min: bool,
    /// The axis.
    pub axis: usize,
    /// The type of the result.
    pub index_dtype: DType,
}

impl ArgExtreme {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let min = params.primitive == "argmin";
        let axes = params.ints("axes")?;
        let [axis] = axes[..] else { return Err(Halt::unknown("argmax over several axes")) };
        let axis = usize::try_from(axis).unwrap_or(usize::MAX);
        Ok(Rc::new(ArgExtreme { min, axis, index_dtype: params.dtype("index_dtype")? }))
    }
}

/// Positions of the extremes: the first NaN if there is one, else the first of equals.
fn extremes<T: Copy>(x: &[T], e: Extent, better: impl Fn(T, T) -> bool, nan: impl Fn(T) -> bool) -> Vec<i64> {
    let mut out = Vec::with_capacity(e.outer * e.inner);
    for o in 0..e.outer {
        for i in 0..e.inner {
            let at = |l: usize| x[(o * e.len + l) * e.inner + i];
            let mut best = 0;
            for l in 1..e.len {
                if nan(at(best)) {
                    break;
                }
                if nan(at(l)) || better(at(l), at(best)) {
                    best = l;
                }
            }
            out.push(best as i64);
        }
    }
    out
}

impl Primitive for ArgExtreme {
    fn name(&self) -> &'static str {
        if self.min { "argmin" } else { "argmax" }
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axes", text(tuple_text([self.axis]))), ("index_dtype", text(self.index_dtype.name()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if self.axis >= x.rank() {
            let axis = self.axis as i64;
            return Err(Halt::value_error(format!("Invalid axis {axis} for operand shape {}", x.shape_tuple())));
        }
        if x.shape[self.axis] == 0 {
            return Err(Halt::value_error(format!(
                "argmin and argmax require non-empty reduced dimension. operand.shape={} axis={}",
                x.shape_tuple(),
                self.axis
            )));
        }
        if !self.index_dtype.is_integer() {
            return Err(Halt::type_error(format!("index_dtype must be an integer type, but got {}", self.index_dtype)));
        }
        let mut shape = x.shape.clone();
        shape.remove(self.axis);
        Ok(smallvec![Aval::with_shape(self.index_dtype, shape)])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (x, e, shape) = arrange(&inputs[0], &[self.axis]);
        if x.dtype.lacks_zero() {
            return Ok(smallvec![Tensor::zeros(self.index_dtype, shape)]);
        }
        let min = self.min;
        macro_rules! run {
            ($v:expr) => {
                if min { extremes($v, e, |a, b| a < b, |_| false) } else { extremes($v, e, |a, b| a > b, |_| false) }
            };
        }
        macro_rules! run_float {
            ($v:expr, $read:expr) => {{
                let v: Vec<f64> = vector::map($v, $read);
                let nan = |a: f64| a.is_nan();
                if min { extremes(&v, e, |a, b| a < b, nan) } else { extremes(&v, e, |a, b| a > b, nan) }
            }};
        }
        let positions = match &x.data {
            Data::Bool(v) => run!(v),
            Data::I8(v) => run!(v),
            Data::I16(v) => run!(v),
            Data::I32(v) => run!(v),
            Data::I64(v) => run!(v),
            Data::U8(v) => run!(v),
            Data::U16(v) => run!(v),
            Data::U32(v) => run!(v),
            Data::U64(v) => run!(v),
            Data::F32(v) => run_float!(v, |x: f32| x.flush().into()),
            Data::F64(v) => run_float!(v, |x: f64| x.flush()),
            Data::BF16(v) => run_float!(v, |x: bf16| x.to_f64()),
            Data::F16(v) => run_float!(v, |x: f16| x.to_f64()),
            _ => return Err(Halt::unknown(format!("no order of {} here", x.dtype))),
        };
        Ok(smallvec![Tensor::new(shape, positions).convert(self.index_dtype)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (axes, out) = batched_axes(&[self.axis], rules::only_dim(dims)?, inputs[0].aval.rank())?;
        Ok(rules::batched(cx.bind1(ArgExtreme { axis: axes[0], ..self.clone() }, inputs)?, out))
    }
    fn cost(&self, inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        inputs.iter().filter_map(|a| a.size()).map(|n| n as u64).sum()
    }
}
