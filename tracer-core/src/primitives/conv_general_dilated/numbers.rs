//! A convolution on numbers. The kernel takes images as `[batch, space…, channels]` and windows as `[space…, channels, features]`; arrays with
//! their axes in another order, or of another type than that of the sums, are copied a piece at a time, so that no second whole one is there.

use std::ops::Range;

use jitlens_kernels::convolve::{Axis, Convolution};

use super::super::Axes;
use super::super::product::{store, sum_dtype, sum_type};
use super::{ConvGeneralDilated, Spec};
use crate::array::layout::{Strides, row_major};
use crate::array::tensor::Sizes;
use crate::array::{DType, Tensor};
use crate::python::Step;

/// Copies of fewer elements are made as a whole, and pieces have about as many.
const PIECE: usize = 1 << 19;

/// What is done at a time.
enum Pieces {
    /// All of it.
    One,
    /// So many images.
    Images(usize),
    /// So many channels, whose sums are added up.
    Channels(usize),
}

impl ConvGeneralDilated {
    /// The result, of this shape and type.
    ///
    /// # Errors
    /// Unknown where the operands are of types that have no products.
    pub(super) fn numbers(&self, lhs: &Tensor, rhs: &Tensor, shape: &[usize], dtype: DType) -> Step<Tensor> {
        let sum = sum_dtype(lhs.dtype, rhs.dtype, dtype);
        let (image_axes, window_axes) = (channels_last(&self.lhs_spec), self.window_axes());
        let image = |cut: Option<(usize, Range<usize>)>| gathered(lhs, &image_axes, cut, sum);
        let window = |cut: Option<(usize, Range<usize>)>| gathered(rhs, &window_axes, cut, sum);
        let convolution = self.convolution(&lhs.shape, &rhs.shape, shape);
        sum_type!(sum, T => match self.pieces(lhs, rhs, shape, sum) {
            Pieces::One => {
                let sums = convolution.run(image(None).expect::<T>()?, window(None).expect::<T>()?);
                Ok(self.result(sums, shape, dtype))
            }
            Pieces::Images(each) => {
                let window = window(None);
                let mut out = Tensor::zeros(dtype, shape);
                let (mut starts, steps) = (Sizes::from_elem(0, shape.len()), Sizes::from_elem(1, shape.len()));
                for some in ranges(convolution.batch, each) {
                    let mut part = Sizes::from_slice(shape);
                    (starts[self.out_spec[0]], part[self.out_spec[0]]) = (some.start, some.len());
                    let convolution = Convolution { batch: some.len(), ..convolution.clone() };
                    let image = image(Some((self.lhs_spec[0], some)));
                    let sums = convolution.run(image.expect::<T>()?, window.expect::<T>()?);
                    image.recycle();
                    let made = self.result(sums, &part, dtype);
                    out = out.write_window(&made, &starts, &steps);
                    made.recycle();
                }
                Ok(out)
            }
            Pieces::Channels(each) => {
                let mut sums: Vec<T> = Vec::new();
                for some in ranges(convolution.channels, each) {
                    let first = some.start == 0;
                    let convolution = Convolution { channels: some.len(), ..convolution.clone() };
                    let image = image(Some((self.lhs_spec[1], some.clone())));
                    let window = window(Some((self.rhs_spec[1], some)));
                    if first {
                        sums = convolution.run(image.expect::<T>()?, window.expect::<T>()?);
                    } else {
                        convolution.add(image.expect::<T>()?, window.expect::<T>()?, &mut sums);
                    }
                    image.recycle();
                    window.recycle();
                }
                Ok(self.result(sums, shape, dtype))
            }
        })
    }

    /// How it is cut, by what has to be copied.
    fn pieces(&self, lhs: &Tensor, rhs: &Tensor, shape: &[usize], sum: DType) -> Pieces {
        let copied = |dtype: DType, axes: &[usize], size: usize| {
            if dtype == sum && axes.iter().copied().eq(0..axes.len()) { 0 } else { size }
        };
        let image = copied(lhs.dtype, &channels_last(&self.lhs_spec), lhs.len());
        let window = copied(rhs.dtype, &self.window_axes(), rhs.len());
        let out = copied(sum, &channels_last(&self.out_spec), shape.iter().product());
        // What stays whole: the window where images are cut, the result where channels are.
        let cut = |whole: usize, cut: usize, count: usize| {
            let pieces = cut.div_ceil(PIECE).min(count).max(1);
            (whole + cut / pieces, count.div_ceil(pieces))
        };
        let all = image + window + out;
        let by_images = cut(window, image + out, lhs.shape[self.lhs_spec[0]]);
        let by_channels = cut(out, image + window, lhs.shape[self.lhs_spec[1]]);
        let (images, channels) = (self.batch_groups == 1, self.batch_groups == 1 && self.feature_groups == 1);
        if all <= PIECE {
            Pieces::One
        } else if images && (by_images.0 <= by_channels.0 || !channels) && by_images.0 < all {
            Pieces::Images(by_images.1)
        } else if channels && by_channels.0 < all {
            Pieces::Channels(by_channels.1)
        } else {
            Pieces::One
        }
    }

    /// The kernel's sums as an array of this shape and type.
    fn result<T: crate::array::tensor::Element>(&self, sums: Vec<T>, shape: &[usize], dtype: DType) -> Tensor {
        let order = channels_last(&self.out_spec);
        let inner: Sizes = order.iter().map(|&axis| shape[axis]).collect();
        let mut back = Axes::from_elem(0, order.len());
        order.iter().enumerate().for_each(|(i, &axis)| back[axis] = i);
        store(sums, inner, dtype).permute(&back)
    }

    /// The axes of the window in the kernel's order.
    fn window_axes(&self) -> Axes {
        let mut order: Axes = self.rhs_spec[2..].into();
        order.extend([self.rhs_spec[1], self.rhs_spec[0]]);
        order
    }

    /// The kernel's sizes, from the shapes of image, window and result.
    fn convolution(&self, lhs: &[usize], rhs: &[usize], shape: &[usize]) -> Convolution {
        let axes = (0..self.strides.len()).map(|i| Axis {
            size: lhs[self.lhs_spec[2 + i]],
            window: rhs[self.rhs_spec[2 + i]],
            out: shape[self.out_spec[2 + i]],
            stride: self.strides[i] as usize,
            low: self.padding[i].0,
            image_dilation: self.lhs_dilation[i] as usize,
            window_dilation: self.rhs_dilation[i] as usize,
        });
        Convolution {
            batch: lhs[self.lhs_spec[0]],
            channels: lhs[self.lhs_spec[1]],
            features: rhs[self.rhs_spec[0]],
            feature_groups: self.feature_groups as usize,
            batch_groups: self.batch_groups as usize,
            axes: axes.collect(),
        }
    }
}

/// The axes of a spec with the second one last.
fn channels_last(spec: &Spec) -> Axes {
    let mut order: Axes = spec[..1].into();
    order.extend_from_slice(&spec[2..]);
    order.push(spec[1]);
    order
}

/// `0..count` in pieces.
fn ranges(count: usize, each: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(each.max(1)).map(move |from| from..count.min(from + each))
}

/// An array with its axes in this order, of this type; of one axis perhaps a part.
fn gathered(from: &Tensor, order: &[usize], cut: Option<(usize, Range<usize>)>, dtype: DType) -> Tensor {
    let Some((axis, some)) = cut else { return from.convert(dtype).permute(order) };
    let own = row_major(&from.shape);
    let mut sizes = from.shape.clone();
    sizes[axis] = some.len();
    let shape: Sizes = order.iter().map(|&axis| sizes[axis]).collect();
    let strides: Strides = order.iter().map(|&axis| own[axis]).collect();
    from.restride(&shape, &strides, some.start as isize * own[axis]).convert(dtype)
}
