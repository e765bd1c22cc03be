//! Equations from rules: one function per primitive that rules of differentiation and batching use. As in JAX's own
//! functions, what would change nothing adds no equation.

use std::rc::Rc;

use super::elementwise::{self, Row, table};
use super::{Axes, Tangents};
use super::{
    BroadcastInDim, Concatenate, ConvertElementType, IntegerPow, Iota, Pad, ReduceSum, Reshape, Rev, SelectN, Slice,
    Split, Squeeze, Transpose,
};
use crate::array::{Aval, DType, Dim, Number, Shape, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

macro_rules! elementwise {
    ($($name:ident $row:ident ($($x:ident),*);)*) => {$(
        #[allow(missing_docs, clippy::missing_errors_doc)]
        pub fn $name(cx: &Engine, $($x: &Val),*) -> Step<Val> {
            apply(cx, &table::$row, &[$($x.clone()),*])
        }
    )*};
}

elementwise! {
    abs ABS (x);
    add ADD (x, y);
    add_any ADD_ANY (x, y);
    and AND (x, y);
    complex COMPLEX_OF (x, y);
    cos COS (x);
    cosh COSH (x);
    div DIV (x, y);
    eq EQ (x, y);
    exp EXP (x);
    floor FLOOR (x);
    ge GE (x, y);
    gt GT (x, y);
    imag IMAG (x);
    is_finite IS_FINITE (x);
    le LE (x, y);
    log LOG (x);
    log1p LOG1P (x);
    logistic LOGISTIC (x);
    lt LT (x, y);
    max MAX (x, y);
    min MIN (x, y);
    mul MUL (x, y);
    ne NE (x, y);
    neg NEG (x);
    not NOT (x);
    or OR (x, y);
    pow POW (x, y);
    real REAL_PART (x);
    rsqrt RSQRT (x);
    sign SIGN (x);
    sin SIN (x);
    sinh SINH (x);
    sqrt SQRT (x);
    square SQUARE (x);
    sub SUB (x, y);
    tanh TANH (x);
}

/// Any row of the table of elementwise operations.
#[allow(clippy::missing_errors_doc)]
pub fn apply(cx: &Engine, row: &'static Row, inputs: &[Val]) -> Step<Val> {
    Ok(cx.bind(elementwise::of(row), inputs)?.swap_remove(0))
}

/// A scalar of the type of `like` (weak if `like` is a weak scalar), shown in place in graphs.
pub fn scalar_like(cx: &Engine, like: &Val, value: impl Into<Number>) -> Val {
    let tensor = Tensor::scalar_of(like.aval.dtype, value);
    if like.aval.weak && like.aval.rank() == 0 { cx.weak_constant(tensor) } else { cx.constant(tensor) }
}

/// A scalar of the type and weak type of `like`.
pub fn unit_like(cx: &Engine, like: &Aval, value: impl Into<Number>) -> Val {
    let tensor = Tensor::scalar_of(like.dtype, value);
    if like.weak { cx.weak_constant(tensor) } else { cx.constant(tensor) }
}

/// An array of the type and shape of `like` that is filled with one number.
#[allow(clippy::missing_errors_doc)]
pub fn full_like(cx: &Engine, like: &Aval, value: impl Into<Number>) -> Step<Val> {
    broadcast_in_dim(cx, &unit_like(cx, like, value), &like.shape, &[])
}

/// A strong array that is filled with one number.
#[allow(clippy::missing_errors_doc)]
pub fn full(cx: &Engine, dtype: DType, shape: &[Dim], value: impl Into<Number>) -> Step<Val> {
    broadcast_in_dim(cx, &cx.constant(Tensor::scalar_of(dtype, value)), shape, &[])
}

/// Zeros of the type and shape of `like`.
#[allow(clippy::missing_errors_doc)]
pub fn zeros_like(cx: &Engine, like: &Aval) -> Step<Val> {
    full_like(cx, like, 0i64)
}

/// A tangent, with a zero written out.
#[allow(clippy::missing_errors_doc)]
pub fn instantiate(cx: &Engine, tangent: &Option<Val>, primal: &Aval) -> Step<Val> {
    match tangent {
        Some(tangent) => Ok(tangent.clone()),
        None => zeros_like(cx, &primal.tangent()),
    }
}

/// Sums tangents that may be zero.
#[allow(clippy::missing_errors_doc)]
pub fn add_tangents(cx: &Engine, a: Option<Val>, b: Option<Val>) -> Step<Option<Val>> {
    match (a, b) {
        (Some(a), Some(b)) => add_any(cx, &a, &b).map(Some),
        (a, b) => Ok(a.or(b)),
    }
}

/// `x ** y` for a constant integer.
#[allow(clippy::missing_errors_doc)]
pub fn integer_pow(cx: &Engine, x: &Val, y: i64) -> Step<Val> {
    cx.bind1(IntegerPow { y }, &[x.clone()])
}

/// `1 / x`
#[allow(clippy::missing_errors_doc)]
pub fn reciprocal(cx: &Engine, x: &Val) -> Step<Val> {
    integer_pow(cx, x, -1)
}

/// `x` converted to a type; `weak` is the weak type of the result.
#[allow(clippy::missing_errors_doc)]
pub fn convert_weak(cx: &Engine, x: &Val, dtype: DType, weak: bool) -> Step<Val> {
    if x.aval.dtype == dtype && x.aval.weak == weak {
        return Ok(x.clone());
    }
    cx.bind1(ConvertElementType { dtype, weak }, &[x.clone()])
}

/// `x` converted to a strong type.
#[allow(clippy::missing_errors_doc)]
pub fn convert_element_type(cx: &Engine, x: &Val, dtype: DType) -> Step<Val> {
    convert_weak(cx, x, dtype, false)
}

/// Axis `i` of `x` becomes axis `axes[i]` of `shape`.
#[allow(clippy::missing_errors_doc)]
pub fn broadcast_in_dim(cx: &Engine, x: &Val, shape: &[Dim], axes: &[usize]) -> Step<Val> {
    if x.aval.rank() == shape.len() && axes.is_empty() {
        return Ok(x.clone());
    }
    cx.bind1(BroadcastInDim { shape: shape.into(), axes: axes.into() }, &[x.clone()])
}

/// New leading axes.
#[allow(clippy::missing_errors_doc)]
pub fn broadcast(cx: &Engine, x: &Val, sizes: &[Dim]) -> Step<Val> {
    if sizes.is_empty() {
        return Ok(x.clone());
    }
    let shape: Shape = sizes.iter().chain(&x.aval.shape).copied().collect();
    let axes: Axes = (sizes.len()..shape.len()).collect();
    broadcast_in_dim(cx, x, &shape, &axes)
}

/// New axes of size 1 at these places of the result.
#[allow(clippy::missing_errors_doc)]
pub fn expand_dims(cx: &Engine, x: &Val, axes: &[usize]) -> Step<Val> {
    let rank = x.aval.rank() + axes.len();
    let kept: Axes = (0..rank).filter(|i| !axes.contains(i)).collect();
    let mut shape: Shape = (0..rank).map(|_| Dim::from(1usize)).collect();
    for (i, &axis) in kept.iter().enumerate() {
        shape[axis] = x.aval.shape[i];
    }
    broadcast_in_dim(cx, x, &shape, &kept)
}

/// Another shape of the same size.
#[allow(clippy::missing_errors_doc)]
pub fn reshape(cx: &Engine, x: &Val, shape: &[Dim]) -> Step<Val> {
    if x.aval.rank() > 0 && x.aval.shape[..] == *shape {
        return Ok(x.clone());
    }
    cx.bind1(Reshape { shape: shape.into(), dimensions: None }, &[x.clone()])
}

/// Drops axes of size 1.
#[allow(clippy::missing_errors_doc)]
pub fn squeeze(cx: &Engine, x: &Val, axes: &[usize]) -> Step<Val> {
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let mut axes: Axes = axes.into();
    axes.sort_unstable();
    cx.bind1(Squeeze { axes }, &[x.clone()])
}

/// Axis `i` of the result is axis `permutation[i]`.
#[allow(clippy::missing_errors_doc)]
pub fn transpose(cx: &Engine, x: &Val, permutation: &[usize]) -> Step<Val> {
    if permutation.iter().copied().eq(0..x.aval.rank()) {
        return Ok(x.clone());
    }
    cx.bind1(Transpose { permutation: permutation.into() }, &[x.clone()])
}

/// Moves one axis.
#[allow(clippy::missing_errors_doc)]
pub fn move_axis(cx: &Engine, x: &Val, from: usize, to: usize) -> Step<Val> {
    if from == to {
        return Ok(x.clone());
    }
    let mut permutation: Axes = (0..x.aval.rank()).filter(|&i| i != from).collect();
    permutation.insert(to, from);
    transpose(cx, x, &permutation)
}

/// The sum over axes.
#[allow(clippy::missing_errors_doc)]
pub fn reduce_sum(cx: &Engine, x: &Val, axes: &[usize]) -> Step<Val> {
    cx.bind1(ReduceSum { axes: axes.into(), in_pairs: false }, &[x.clone()])
}

/// `cases[which]`, elementwise.
#[allow(clippy::missing_errors_doc)]
pub fn select_n(cx: &Engine, which: &Val, cases: &[Val]) -> Step<Val> {
    let inputs: Vec<Val> = std::iter::once(which).chain(cases).cloned().collect();
    cx.bind1(SelectN, &inputs)
}

/// `on_true if which else on_false`, elementwise.
#[allow(clippy::missing_errors_doc)]
pub fn select(cx: &Engine, which: &Val, on_true: &Val, on_false: &Val) -> Step<Val> {
    select_n(cx, which, &[on_false.clone(), on_true.clone()])
}

/// Arrays joined along an axis.
#[allow(clippy::missing_errors_doc)]
pub fn concatenate(cx: &Engine, parts: &[Val], axis: usize) -> Step<Val> {
    if let [one] = parts {
        return Ok(one.clone());
    }
    cx.bind1(Concatenate { axis }, parts)
}

/// An array cut along an axis.
#[allow(clippy::missing_errors_doc)]
pub fn split(cx: &Engine, x: &Val, sizes: &[Dim], axis: usize) -> Step<Vals> {
    cx.bind(Rc::new(Split { sizes: sizes.into(), axis }), &[x.clone()])
}

/// `low`, `high` and interior padding of each axis.
#[allow(clippy::missing_errors_doc)]
pub fn pad(cx: &Engine, x: &Val, value: &Val, config: &[(i64, i64, i64)]) -> Step<Val> {
    cx.bind1(Pad { config: config.into() }, &[x.clone(), value.clone()])
}

/// The elements `starts..limits` by steps.
#[allow(clippy::missing_errors_doc)]
pub fn slice(cx: &Engine, x: &Val, starts: &[Dim], limits: &[Dim], strides: Option<&[usize]>) -> Step<Val> {
    let strides = strides.map(Into::into);
    cx.bind1(Slice { starts: starts.into(), limits: limits.into(), strides }, &[x.clone()])
}

/// `start..limit` of one axis by steps of `stride`.
#[allow(clippy::missing_errors_doc)]
pub fn slice_in_dim(cx: &Engine, x: &Val, start: usize, limit: Dim, stride: usize, axis: usize) -> Step<Val> {
    let mut starts: Shape = x.aval.shape.iter().map(|_| Dim::from(0usize)).collect();
    let mut limits = x.aval.shape.clone();
    let mut strides: Axes = x.aval.shape.iter().map(|_| 1).collect();
    starts[axis] = start.into();
    limits[axis] = limit;
    strides[axis] = stride;
    slice(cx, x, &starts, &limits, Some(&strides))
}

/// The axes reversed.
#[allow(clippy::missing_errors_doc)]
pub fn rev(cx: &Engine, x: &Val, axes: &[usize]) -> Step<Val> {
    cx.bind1(Rev { axes: axes.into() }, &[x.clone()])
}

/// 0, 1, 2 … along an axis.
#[allow(clippy::missing_errors_doc)]
pub fn iota(cx: &Engine, dtype: DType, shape: &[Dim], axis: usize) -> Step<Val> {
    cx.bind1(Iota { dtype, shape: shape.into(), axis }, &[])
}

/// Broadcasts `x` to a shape that an elementwise operation gave it; adds nothing if it has it.
#[allow(clippy::missing_errors_doc)]
pub fn broadcast_like(cx: &Engine, x: &Val, shape: &[Dim]) -> Step<Val> {
    if x.aval.shape[..] == *shape {
        return Ok(x.clone());
    }
    if x.aval.rank() == 0 {
        return broadcast_in_dim(cx, x, shape, &[]);
    }
    let kept: Axes = (0..shape.len()).filter(|&i| x.aval.shape[i] == shape[i]).collect();
    let squeezed: Shape = kept.iter().map(|&i| x.aval.shape[i]).collect();
    let x = reshape(cx, x, &squeezed)?;
    broadcast_in_dim(cx, &x, shape, &kept)
}

/// The transpose of implicit broadcasting: sums `x` down to the shape of `aval`.
#[allow(clippy::missing_errors_doc)]
pub fn unbroadcast(cx: &Engine, aval: &Aval, x: &Val) -> Step<Val> {
    if aval.shape == x.aval.shape {
        return Ok(x.clone());
    }
    if aval.rank() == 0 {
        let axes: Axes = (0..x.aval.rank()).collect();
        return reduce_sum(cx, x, &axes);
    }
    let axes: Axes = (0..x.aval.rank()).filter(|&i| x.aval.shape[i] != aval.shape[i]).collect();
    let x = if axes.is_empty() { x.clone() } else { reduce_sum(cx, x, &axes)? };
    reshape(cx, &x, &aval.shape)
}

/// `x` with zeros replaced by ones.
#[allow(clippy::missing_errors_doc)]
pub fn replace_zero(cx: &Engine, x: &Val) -> Step<Val> {
    let zero = scalar_like(cx, x, 0i64);
    let is_zero = eq(cx, x, &zero)?;
    let ones = full_like(cx, &x.aval, 1i64)?;
    select(cx, &is_zero, &ones, x)
}

/// Cotangents of two inputs.
pub fn two(a: Option<Val>, b: Option<Val>) -> Tangents {
    smallvec::smallvec![a, b]
}
