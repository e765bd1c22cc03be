//! Differentiation and batching of convolutions.

use smallvec::SmallVec;

use super::super::indexing::Ints;
use super::super::window::{Padding, dilated};
use super::super::{Dims, Reshape, build, rules};
use super::{ConvGeneralDilated, Spec};
use crate::array::{Aval, Dim, Shape};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// The spec with its first two axes swapped.
fn swapped(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    spec.swap(0, 1);
    spec
}

/// The sizes of space after dilation, which have to be constants.
fn space(shape: &[Dim], spec: &Spec, dilation: &Ints) -> Step<SmallVec<[i64; 4]>> {
    spec[2..].iter().zip(dilation).map(|(&axis, &d)| Ok(dilated(shape[axis], d).get()? as i64)).collect()
}

impl ConvGeneralDilated {
    /// The cotangent of the image: a convolution of the result's with the window turned around.
    pub(super) fn transpose_image(&self, cx: &Engine, ct: &Val, lhs: &Aval, rhs: &Val) -> Step<Val> {
        let image = space(&lhs.shape, &self.lhs_spec, &self.lhs_dilation)?;
        let window = space(&rhs.aval.shape, &self.rhs_spec, &self.rhs_dilation)?;
        let result = space(&ct.aval.shape, &self.out_spec, &self.strides)?;
        let padding: Padding = (0..image.len())
            .map(|i| {
                let before = window[i] - self.padding[i].0 - 1;
                (before, image[i] + window[i] - 1 - result[i] - before)
            })
            .collect();
        let groups = self.feature_groups.max(self.batch_groups);
        let mut window = rhs.clone();
        if groups > 1 {
            window = axis_out_of(cx, &window, self.rhs_spec[0], Dim::from(groups))?;
            window = axis_into(cx, &window, self.rhs_spec[0], self.rhs_spec[1])?;
        }
        window = build::rev(cx, &window, &self.rhs_spec[2..])?;
        window = build::convert_element_type(cx, &window, ct.aval.dtype)?;
        let conv = ConvGeneralDilated {
            strides: self.lhs_dilation.clone(),
            padding,
            lhs_dilation: self.strides.clone(),
            lhs_spec: self.out_spec.clone(),
            rhs_spec: swapped(&self.rhs_spec),
            out_spec: self.lhs_spec.clone(),
            feature_groups: groups,
            batch_groups: 1,
            ..self.clone()
        };
        let mut out = cx.bind1(conv, &[ct.clone(), window])?;
        out = build::convert_element_type(cx, &out, lhs.dtype)?;
        if self.batch_groups > 1 {
            out = axis_out_of(cx, &out, self.lhs_spec[1], Dim::from(self.batch_groups))?;
            out = axis_into(cx, &out, self.lhs_spec[1], self.lhs_spec[0])?;
        }
        Ok(out)
    }

    /// The cotangent of the window: a convolution of the image with the result's.
    pub(super) fn transpose_window(&self, cx: &Engine, ct: &Val, rhs: &Aval, lhs: &Val) -> Step<Option<Val>> {
        if ct.aval.size() == Some(0) {
            return Ok(None);
        }
        let image = space(&lhs.aval.shape, &self.lhs_spec, &self.lhs_dilation)?;
        let window = space(&rhs.shape, &self.rhs_spec, &self.rhs_dilation)?;
        let result = space(&ct.aval.shape, &self.out_spec, &self.strides)?;
        let padding = (0..image.len())
            .map(|i| {
                let low = self.padding[i].0;
                (low, result[i] - image[i] + window[i] - low - 1)
            })
            .collect();
        let conv = ConvGeneralDilated {
            strides: self.rhs_dilation.clone(),
            padding,
            rhs_dilation: self.strides.clone(),
            lhs_spec: swapped(&self.lhs_spec),
            rhs_spec: swapped(&self.out_spec),
            out_spec: swapped(&self.rhs_spec),
            feature_groups: self.batch_groups,
            batch_groups: self.feature_groups,
            ..self.clone()
        };
        let lhs = build::convert_element_type(cx, lhs, ct.aval.dtype)?;
        let out = cx.bind1(conv, &[lhs, ct.clone()])?;
        build::convert_element_type(cx, &out, rhs.dtype).map(Some)
    }

    /// Over a batch of images, of windows, or of both.
    pub(super) fn batched(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let (lhs, rhs) = (&inputs[0], &inputs[1]);
        let (lhs_spec, rhs_spec, out_spec) = (&self.lhs_spec, &self.rhs_spec, &self.out_spec);
        if size == 0 {
            return self.empty(cx, inputs, dims);
        }
        let mut conv = self.clone();
        let (lhs, rhs, axis) = match (dims[0], dims[1]) {
            (Some(l), Some(r)) => {
                let count = size.get()? as i64;
                let to = if self.batch_groups > 1 {
                    conv.batch_groups *= count;
                    lhs_spec[0]
                } else {
                    conv.feature_groups *= count;
                    lhs_spec[1]
                };
                (axis_into(cx, lhs, l, to)?, axis_into(cx, rhs, r, rhs_spec[0])?, out_spec[1])
            }
            (Some(l), None) if self.batch_groups == 1 => {
                (axis_into(cx, lhs, l, lhs_spec[0])?, rhs.clone(), out_spec[0])
            }
            (Some(l), None) => (grouped(cx, lhs, l, lhs_spec[0], self.batch_groups)?, rhs.clone(), out_spec[0]),
            (None, Some(r)) if self.batch_groups == 1 && self.feature_groups == 1 => {
                (lhs.clone(), axis_into(cx, rhs, r, rhs_spec[0])?, out_spec[1])
            }
            (_, r) => {
                let groups = self.feature_groups.max(self.batch_groups);
                let rhs = grouped(cx, rhs, r.unwrap_or(0), rhs_spec[0], groups)?;
                let out = cx.bind1(conv, &[lhs.clone(), rhs])?;
                let out = axis_out_of(cx, &out, out_spec[1], Dim::from(groups))?;
                let out = axis_out_of(cx, &out, out_spec[1] + 1, size)?;
                let out = axis_into(cx, &out, out_spec[1], out_spec[1] + 1)?;
                return Ok(rules::batched(out, out_spec[1]));
            }
        };
        let out = cx.bind1(conv, &[lhs, rhs])?;
        Ok(rules::batched(axis_out_of(cx, &out, axis, size)?, axis))
    }

    /// Over a batch of nothing.
    fn empty(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let one = |(value, dim): (&Val, &Option<usize>)| {
            let mut aval = value.aval.clone();
            if let Some(dim) = dim {
                aval.shape.remove(*dim);
            }
            aval
        };
        let avals: Vec<Aval> = inputs.iter().zip(dims).map(one).collect();
        let mut shape = self.shape(&avals[0], &avals[1])?;
        shape.insert(0, Dim::from(0usize));
        let dtype = self.preferred.unwrap_or(avals[0].dtype);
        Ok(rules::batched(build::full(cx, dtype, &shape, 0i64)?, 0))
    }
}

/// A batch axis put inside of the groups of an axis.
fn grouped(cx: &Engine, x: &Val, batch: usize, axis: usize, groups: i64) -> Step<Val> {
    let x = axis_out_of(cx, x, axis + usize::from(batch <= axis), Dim::from(groups))?;
    let x = axis_into(cx, &x, batch + usize::from(axis < batch), axis + 1)?;
    axis_into(cx, &x, axis, axis)
}

/// One axis merged into another, as its slower part; `to` counts the axes without it.
fn axis_into(cx: &Engine, x: &Val, from: usize, to: usize) -> Step<Val> {
    let mut order: Vec<usize> = (0..x.aval.rank()).filter(|&axis| axis != from).collect();
    let mut shape: Shape = order.iter().map(|&axis| x.aval.shape[axis]).collect();
    order.insert(to, from);
    shape[to] = shape[to] * x.aval.shape[from];
    if order.is_sorted() {
        return build::reshape(cx, x, &shape);
    }
    cx.bind1(Reshape { shape, dimensions: Some(order.into()) }, &[x.clone()])
}

/// An axis split in two, the slower part of this size.
fn axis_out_of(cx: &Engine, x: &Val, axis: usize, size: Dim) -> Step<Val> {
    let mut shape = x.aval.shape.clone();
    shape[axis] = shape[axis].floor_div(size)?;
    shape.insert(axis, size);
    build::reshape(cx, x, &shape)
}
