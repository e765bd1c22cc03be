//! Windows of arrays: `slice`, `dynamic_slice`, `dynamic_update_slice`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, Late, sizes, text, tuple_text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::{Aval, Dim, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// The elements `starts..limits` of each axis, by steps.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Where it starts.
    pub starts: Shape,
    /// Where it ends.
    pub limits: Shape,
    /// Steps; 1 where there are none.
    pub strides: Option<Axes>,
}

impl Slice {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        for name in ["start_indices", "limit_indices"] {
            if let Some(items) = params.get(name).and_then(|v| v.as_tuple()) {
                if items.iter().any(|v| v.as_int().is_some_and(|n| n < 0)) {
                    let items = tuple_text(items.iter().map(|v| v.as_int().unwrap_or(0)));
                    return Err(Halt::type_error(format!(
                        "slice {name} must have every element be nonnegative, got {items}."
                    )));
                }
            }
        }
        let strides = params.get("strides").map(|_| params.axes("strides")).transpose()?;
        Ok(Rc::new(Slice { starts: params.shape("start_indices")?, limits: params.shape("limit_indices")?, strides }))
    }

    fn strides(&self) -> Axes {
        self.strides.clone().unwrap_or_else(|| self.starts.iter().map(|_| 1).collect())
    }
}

/// Whether `a >= b`; symbols have to decide it.
fn at_least(a: Dim, b: Dim) -> Step<bool> {
    a.at_least(b).ok_or_else(|| Halt::unknown(format!("whether `{a}` is at least `{b}` depends on symbols")))
}

/// Whether every size is at least its counterpart.
fn all_at_least(a: &[Dim], b: &[Dim]) -> Step<bool> {
    a.iter().zip(b).try_fold(true, |all, (&a, &b)| Ok(all && at_least(a, b)?))
}

impl Primitive for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }
    fn reads_part(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("limit_indices", text(shape_tuple(&self.limits))),
            ("start_indices", text(shape_tuple(&self.starts))),
            ("strides", text(self.strides.as_ref().map_or("None".into(), tuple_text))),
        ]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        let (starts, limits) = (Late(|| shape_tuple(&self.starts)), Late(|| shape_tuple(&self.limits)));
        let shape = Late(|| x.shape_tuple());
        let fail = |message: String| Err(Halt::type_error(message));
        if x.rank() != self.starts.len() {
            return fail(format!(
                "slice start_indices must have length equal to the number of dimensions of the operand, got indices {starts} \
                 for operand shape {shape}."
            ));
        }
        if self.starts.len() != self.limits.len() {
            return fail(format!(
                "slice limit_indices must have the same length as start_indices, got start_indices {starts} and limit_indices \
                 {limits}."
            ));
        }
        if !all_at_least(&x.shape, &self.limits)? {
            return fail(format!(
                "slice limit_indices must be less than or equal to operand shape, got limit_indices {limits} for operand \
                 shape {shape}."
            ));
        }
        if !all_at_least(&self.limits, &self.starts)? {
            return fail(format!(
                "slice limit_indices must be greater than or equal to start_indices, got start_indices {starts} and \
                 limit_indices {limits}."
            ));
        }
        let spans: Shape = self.limits.iter().zip(&self.starts).map(|(&l, &s)| l - s).collect();
        let Some(strides) = self.strides.as_ref().filter(|s| s.len() != x.rank() || s.iter().any(|&s| s != 1)) else {
            return Ok(smallvec![Aval { shape: spans, ..x.clone() }]);
        };
        if strides.len() != x.rank() {
            return fail(format!(
                "slice strides must have length equal to the number of dimensions of the operand, got strides {} for operand \
                 shape {shape}.",
                tuple_text(strides)
            ));
        }
        let result =
            spans.iter().zip(strides).map(|(&span, &stride)| strided(span, stride)).collect::<Step<Shape>>()?;
        Ok(smallvec![Aval { shape: result, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (starts, limits, strides) = (sizes(&self.starts)?, sizes(&self.limits)?, self.strides());
        let shape: Axes = (0..starts.len()).map(|i| (limits[i] - starts[i]).div_ceil(strides[i].max(1))).collect();
        Ok(smallvec![inputs[0].window(&starts, &shape, &strides)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, aval| {
            let (whole, starts, limits) = (sizes(&aval.shape)?, sizes(&self.starts)?, sizes(&self.limits)?);
            let plain = self.strides.as_ref().is_none_or(|s| s.iter().all(|&s| s == 1));
            let config = (0..whole.len()).map(|i| {
                let (start, stride) = (starts[i], self.strides.as_ref().map_or(1, |s| s[i]));
                let taken = ct.aval.shape[i].get()?;
                let end = if plain { limits[i] } else { start + if taken == 0 { 0 } else { 1 + (taken - 1) * stride } };
                Ok((start as i64, whole[i] as i64 - end as i64, stride as i64 - 1))
            });
            let config = config.collect::<Step<Vec<_>>>()?;
            build::pad(cx, ct, &build::scalar_like(cx, ct, 0i64), &config)
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let mut batched = self.clone();
        batched.starts.insert(dim, Dim::from(0usize));
        batched.limits.insert(dim, inputs[0].aval.shape[dim]);
        if let Some(strides) = &mut batched.strides {
            strides.insert(dim, 1);
        }
        Ok(rules::batched(cx.bind1(batched, inputs)?, dim))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// How many steps fit into a span.
fn strided(span: Dim, stride: usize) -> Step<Dim> {
    match span.known() {
        Some(0) => Ok(span),
        Some(_) if stride == 0 => Err(Halt::raise("ZeroDivisionError", "integer division or modulo by zero")),
        Some(n) => Ok(Dim::from(n.div_ceil(stride))),
        None => (span + (Dim::from(stride) - 1)).floor_div(Dim::from(stride)),
    }
}

/// Start indices as sizes: clamped so that the window fits.
fn clamped(inputs: &[Tensor], whole: &[usize], window: &[usize]) -> Step<Axes> {
    inputs
        .iter()
        .zip(whole.iter().zip(window))
        .map(|(start, (&whole, &window))| {
            let start = match start.number(0) {
                Some(crate::array::Number::Int(n)) => n,
                Some(crate::array::Number::Bool(b)) => b.into(),
                _ => return Err(Halt::unknown("a start index that is not an integer")),
            };
            Ok(start.clamp(0, whole.saturating_sub(window) as i128) as usize)
        })
        .collect()
}

fn index_types(starts: &[&Aval]) -> (bool, impl std::fmt::Display) {
    let fits = starts.iter().all(|a| a.dtype == starts[0].dtype && a.dtype.is_integer());
    (fits, Late(|| starts.iter().map(|a| a.dtype.name()).collect::<Vec<_>>().join(", ")))
}

fn index_avals(starts: &[&Aval]) -> String {
    tuple_text(
        starts.iter().map(|a| format!("ShapedArray({}{})", a.long(), if a.weak { ", weak_type=True" } else { "" })),
    )
}

/// A window whose start is computed.
#[derive(Clone, Debug)]
pub struct DynamicSlice {
    /// The sizes of the window.
    pub sizes: Shape,
}

impl DynamicSlice {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        if let Some(items) = params.get("slice_sizes").and_then(|v| v.as_tuple()) {
            if items.iter().any(|v| v.as_int().is_some_and(|n| n < 0)) {
                let items = tuple_text(items.iter().map(|v| v.as_int().unwrap_or(0)));
                return Err(Halt::type_error(format!(
                    "slice slice_sizes must be greater than or equal to zero, got slice_sizes of {items}."
                )));
            }
        }
        Ok(Rc::new(DynamicSlice { sizes: params.shape("slice_sizes")? }))
    }
}

impl Primitive for DynamicSlice {
    fn name(&self) -> &'static str {
        "dynamic_slice"
    }
    fn reads_part(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("slice_sizes", text(shape_tuple(&self.sizes)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (x, starts) = (inputs[0], &inputs[1..]);
        if !all_at_least(&x.shape, &self.sizes)? {
            return Err(Halt::type_error(format!(
                "slice slice_sizes must be less than or equal to operand shape, got slice_sizes {} for operand shape {}.",
                shape_tuple(&self.sizes),
                x.shape_tuple()
            )));
        }
        if starts.iter().any(|a| a.rank() != 0) {
            return Err(Halt::type_error(format!(
                "start_indices arguments to dynamic_slice must be scalars,  got indices {}",
                index_avals(starts)
            )));
        }
        if let (false, types) = index_types(starts) {
            return Err(Halt::type_error(format!(
                "index arguments to dynamic_slice must be integers of the same type, got: {types}"
            )));
        }
        Ok(smallvec![Aval { shape: self.sizes.clone(), ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let window = sizes(&self.sizes)?;
        let starts = clamped(&inputs[1..], &inputs[0].shape, &window)?;
        let steps: Axes = window.iter().map(|_| 1).collect();
        Ok(smallvec![inputs[0].window(&starts, &window, &steps)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let with = |first: &Val| {
            let inputs: Vec<Val> = std::iter::once(first).chain(&x[1..]).cloned().collect();
            cx.bind1(self.clone(), &inputs)
        };
        let tangent = t[0].as_ref().map(with).transpose()?;
        Ok((smallvec![with(&x[0])?], smallvec![tangent]))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let mut result: Tangents = inputs.iter().map(|_| None).collect();
        if let (Some(Some(ct)), Operand::Linear(aval)) = (ct.first(), &inputs[0]) {
            let zeros = build::full(cx, aval.dtype, &aval.shape, 0i64)?;
            let starts = inputs[1..].iter().map(known).collect::<Step<Vec<Val>>>()?;
            let inputs: Vec<Val> = [zeros, ct.clone()].into_iter().chain(starts).collect();
            result[0] = Some(cx.bind1(DynamicUpdateSlice, &inputs)?);
        }
        Ok(result)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        // One start for all: the window takes the whole batch axis.
        if dims[1..].iter().all(Option::is_none) {
            let dim = rules::only_dim(dims)?;
            let (mut sizes, mut inputs) = (self.sizes.clone(), inputs.to_vec());
            sizes.insert(dim, inputs[0].aval.shape[dim]);
            inputs.insert(1 + dim, build::scalar_like(cx, &inputs[1], 0i64));
            return Ok(rules::batched(cx.bind1(DynamicSlice { sizes }, &inputs)?, dim));
        }
        super::batch_windows::dynamic_slice(cx, &self.sizes, inputs, dims)
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

fn known(operand: &Operand) -> Step<Val> {
    match operand {
        Operand::Known(value) => Ok(value.clone()),
        Operand::Linear(_) => Err(Halt::unknown("a linear index")),
    }
}

/// An array with a window overwritten whose start is computed.
#[derive(Clone, Debug)]
pub struct DynamicUpdateSlice;

impl DynamicUpdateSlice {
    /// From keyword parameters.
    pub fn make(_params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(DynamicUpdateSlice))
    }
}

impl Primitive for DynamicUpdateSlice {
    fn name(&self) -> &'static str {
        "dynamic_update_slice"
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let [x, update, starts @ ..] = inputs else {
            return Err(Halt::unknown("dynamic_update_slice takes two arrays"));
        };
        let (shape, update_shape) = (Late(|| x.shape_tuple()), Late(|| update.shape_tuple()));
        let fail = |message: String| Err(Halt::type_error(message));
        if x.rank() != update.rank() {
            return fail(format!(
                "dynamic_update_slice update must have the same rank as operand, got update shape {update_shape} for operand \
                 shape {shape}."
            ));
        }
        if x.rank() != starts.len() {
            return fail(format!(
                "dynamic_update_slice start_indices must have length equal to the rank of operand, got indices {} for operand \
                 shape {shape}.",
                index_avals(starts)
            ));
        }
        if !all_at_least(&x.shape, &update.shape)? {
            return fail(format!(
                "dynamic_update_slice update shape must be smaller than operand shape, got update shape {update_shape} for \
                 operand shape {shape}."
            ));
        }
        if starts.iter().any(|a| a.rank() != 0) {
            return fail(format!(
                "start_indices arguments to dynamic_update_slice must be scalars, got indices {}",
                index_avals(starts)
            ));
        }
        rules::check_same_dtypes("dynamic_update_slice", &[x, update])?;
        if let (false, types) = index_types(starts) {
            return fail(format!(
                "index arguments to dynamic_update_slice must be integers of the same type, got {types}"
            ));
        }
        Ok(smallvec![Aval { weak: inputs.iter().all(|a| a.weak), ..(*x).clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (x, update) = (&inputs[0], &inputs[1]);
        let starts = clamped(&inputs[2..], &x.shape, &update.shape)?;
        let steps: Axes = starts.iter().map(|_| 1).collect();
        Ok(smallvec![x.clone().write_window(update, &starts, &steps)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(DynamicUpdateSlice, x)?;
        if t[0].is_none() && t[1].is_none() {
            return Ok((smallvec![out], smallvec![None]));
        }
        let mut inputs = x.to_vec();
        for i in 0..2 {
            inputs[i] = build::instantiate(cx, &t[i], &x[i].aval)?;
        }
        Ok((smallvec![out], smallvec![Some(cx.bind1(DynamicUpdateSlice, &inputs)?)]))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let mut result: Tangents = inputs.iter().map(|_| None).collect();
        let Some(Some(ct)) = ct.first() else { return Ok(result) };
        let starts = inputs[2..].iter().map(known).collect::<Step<Vec<Val>>>()?;
        let update = inputs[1].aval();
        let zeros = build::full_like(cx, &Aval { shape: update.shape.clone(), ..ct.aval.clone() }, 0i64)?;
        if inputs[0].is_linear() {
            let all: Vec<Val> = [ct.clone(), zeros].into_iter().chain(starts.iter().cloned()).collect();
            result[0] = Some(cx.bind1(DynamicUpdateSlice, &all)?);
        }
        if inputs[1].is_linear() {
            let all: Vec<Val> = std::iter::once(ct.clone()).chain(starts).collect();
            result[1] = Some(cx.bind1(DynamicSlice { sizes: update.shape.clone() }, &all)?);
        }
        Ok(result)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        super::batch_windows::dynamic_update_slice(cx, inputs, dims)
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
