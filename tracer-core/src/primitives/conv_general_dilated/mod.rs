//! `conv_general_dilated`: convolutions of any layout, with strides, dilations, padding and groups.

mod derive;
mod numbers;

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::indexing::Ints;
use super::precision::Precision;
use super::window::{Padding, dilated_shape, padding, positions};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, bilinear, repr, rules};
use crate::array::tensor::Sizes;
use crate::array::{Aval, DType, Dim, Kind, Shape, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Where batch, feature and space are in an operand: two axes, then those of space. For the kernel, output and input
/// features come first.
pub type Spec = Axes;

/// `conv_general_dilated`
#[derive(Clone, Debug)]
pub struct ConvGeneralDilated {
    /// Elements that the window moves on by.
    pub strides: Ints,
    /// Zeros around the image.
    pub padding: Padding,
    /// Distance of the image's elements.
    pub lhs_dilation: Ints,
    /// Distance of the window's elements.
    pub rhs_dilation: Ints,
    /// The axes of the image.
    pub lhs_spec: Spec,
    /// The axes of the window.
    pub rhs_spec: Spec,
    /// The axes of the result.
    pub out_spec: Spec,
    /// Groups of channels, each with its own features.
    pub feature_groups: i64,
    /// Groups of images, each with its own features.
    pub batch_groups: i64,
    /// How precise it has to be.
    pub precision: Precision,
    /// The dtype of the result, where it is not that of the operands.
    pub preferred: Option<DType>,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    let specs = params.tuple("dimension_numbers")?;
    let spec = |i: usize| -> Step<Spec> {
        let axes = specs.get(i).and_then(|spec| spec.as_tuple()?.iter().map(|axis| axis.as_index()).collect());
        axes.ok_or_else(|| Halt::unknown("odd dimension numbers of `conv_general_dilated`"))
    };
    Ok(Rc::new(ConvGeneralDilated {
        strides: params.ints("window_strides")?,
        padding: padding(params)?,
        lhs_dilation: params.ints("lhs_dilation")?,
        rhs_dilation: params.ints("rhs_dilation")?,
        lhs_spec: spec(0)?,
        rhs_spec: spec(1)?,
        out_spec: spec(2)?,
        feature_groups: params.int("feature_group_count")?,
        batch_groups: params.int("batch_group_count")?,
        precision: Precision::from_params(params)?,
        preferred: params.dtype_or_none("preferred_element_type")?,
    }))
}

impl Primitive for ConvGeneralDilated {
    fn name(&self) -> &'static str {
        "conv_general_dilated"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let specs = format!(
            "ConvDimensionNumbers(lhs_spec={}, rhs_spec={}, out_spec={})",
            repr::tuple(&self.lhs_spec),
            repr::tuple(&self.rhs_spec),
            repr::tuple(&self.out_spec)
        );
        vec![
            ("batch_group_count", Param::Text(self.batch_groups.to_string())),
            ("dimension_numbers", Param::Text(specs)),
            ("feature_group_count", Param::Text(self.feature_groups.to_string())),
            ("lhs_dilation", Param::Text(repr::tuple(&self.lhs_dilation))),
            ("out_sharding", Param::Text("None".into())),
            ("padding", Param::Text(repr::pairs(&self.padding))),
            ("precision", Param::Text(self.precision.to_string())),
            ("preferred_element_type", Param::Text(repr::option(self.preferred))),
            ("rhs_dilation", Param::Text(repr::tuple(&self.rhs_dilation))),
            ("window_strides", Param::Text(repr::tuple(&self.strides))),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (lhs, rhs) = (inputs[0], inputs[1]);
        let shape = self.shape(lhs, rhs)?;
        let dtype = self.dtype(lhs, rhs)?;
        Ok(smallvec![Aval { dtype, shape, weak: lhs.weak && rhs.weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [lhs, rhs] = inputs else { unreachable!("a convolution has two inputs") };
        let out = self.abstract_eval(&[&lhs.aval(), &rhs.aval()])?.swap_remove(0);
        let shape: Sizes = out.known_shape().ok_or_else(|| Halt::unknown("the size of an axis is symbolic"))?;
        Ok(smallvec![self.numbers(lhs, rhs, &shape, out.dtype)?])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        bilinear::jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        bilinear::transpose(
            cotangents,
            inputs,
            |ct, lhs, rhs| self.transpose_image(cx, ct, lhs, rhs).map(Some),
            |ct, rhs, lhs| self.transpose_window(cx, ct, rhs, lhs),
        )
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        self.batched(cx, inputs, dims)
    }

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let window = inputs[1].size().unwrap_or(0) as u64;
        let features = inputs[1].shape[self.rhs_spec[0]].known().unwrap_or(1).max(1) as u64;
        let size = outputs[0].size().unwrap_or(0) as u64;
        size.saturating_mul(window / features).saturating_mul(2)
    }
}

impl ConvGeneralDilated {
    fn shape(&self, lhs: &Aval, rhs: &Aval) -> Step<Shape> {
        let fail = |message: String| Err(Halt::value_error(message));
        let (groups, batch_groups) = (self.feature_groups, self.batch_groups);
        if lhs.rank() != rhs.rank() {
            return fail(format!(
                "conv_general_dilated lhs and rhs must have the same number of dimensions, but got {} and {}.",
                lhs.shape_tuple(),
                rhs.shape_tuple()
            ));
        }
        let specs = [&self.lhs_spec, &self.rhs_spec, &self.out_spec];
        if lhs.rank() < 2 || specs.iter().any(|spec| spec.len() != lhs.rank() || spec.iter().any(|&i| i >= lhs.rank()))
        {
            return Err(Halt::unknown("odd dimension numbers of `conv_general_dilated`"));
        }
        if groups <= 0 {
            return fail(format!("conv_general_dilated feature_group_count must be a positive integer, got {groups}."));
        }
        let channels = lhs.shape[self.lhs_spec[1]];
        let (quotient, rest) = (channels.floor_div(Dim::from(groups))?, channels.modulo(Dim::from(groups))?);
        if !rest.same(Dim::from(0usize))? {
            return fail(format!(
                "conv_general_dilated feature_group_count must divide lhs feature dimension size, but {groups} does not \
                 divide {channels}."
            ));
        }
        let inputs = rhs.shape[self.rhs_spec[1]];
        if !quotient.same(inputs)? {
            return fail(format!(
                "conv_general_dilated lhs feature dimension size divided by feature_group_count must equal the rhs input \
                 feature dimension size, but {channels} // {groups} != {inputs}."
            ));
        }
        let features = rhs.shape[self.rhs_spec[0]];
        let divides = |count: i64, size: Dim| -> Step<bool> { size.modulo(Dim::from(count))?.same(Dim::from(0usize)) };
        if !divides(groups, features)? {
            return fail(format!(
                "conv_general_dilated rhs output feature dimension size must be a multiple of feature_group_count, but \
                 {features} is not a multiple of {groups}."
            ));
        }
        if batch_groups <= 0 {
            return fail(format!(
                "conv_general_dilated batch_group_count must be a positive integer, got {batch_groups}."
            ));
        }
        let batch = lhs.shape[self.lhs_spec[0]];
        if batch_groups > 1 && !divides(batch_groups, batch)? {
            return fail(format!(
                "conv_general_dilated batch_group_count must divide lhs batch dimension size, but {batch_groups} does not \
                 divide {batch}."
            ));
        }
        if !divides(batch_groups, features)? {
            return fail(format!(
                "conv_general_dilated rhs output feature dimension size must be a multiple of batch_group_count, but \
                 {features} is not a multiple of {batch_groups}."
            ));
        }
        if batch_groups > 1 && groups > 1 {
            return fail(format!(
                "At most one of batch_group_count and feature_group_count may be > 1, got batch_group_count={batch_groups} \
                 and feature_group_count={groups}"
            ));
        }
        let space = self.rhs_spec.len() - 2;
        if space != self.strides.len() {
            return fail(format!(
                "conv_general_dilated window and window_strides must have the same number of dimensions, but got {space} \
                 and {}",
                self.strides.len()
            ));
        }
        let take = |aval: &Aval, spec: &Spec| -> Shape { spec.iter().map(|&axis| aval.shape[axis]).collect() };
        let image = dilated_shape(&take(lhs, &self.lhs_spec), &self.lhs_dilation)?;
        let window = dilated_shape(&take(rhs, &self.rhs_spec), &self.rhs_dilation)?;
        let out_space = self.space(&image[2..], &window[2..])?;
        let mut shape = Shape::from_elem(Dim::from(0usize), lhs.rank());
        let batch = if batch_groups > 1 { batch.floor_div(Dim::from(batch_groups))? } else { batch };
        for (&axis, size) in self.out_spec.iter().zip([batch, features].into_iter().chain(out_space)) {
            shape[axis] = size;
        }
        Ok(shape)
    }

    /// The sizes of space in the result, from those of the dilated image and window.
    fn space(&self, image: &[Dim], window: &[Dim]) -> Step<Vec<Dim>> {
        if self.padding.len() != image.len() {
            return Err(Halt::type_error(format!(
                "Wrong number of explicit pads for convolution: expected {}, got {}.",
                image.len(),
                self.padding.len()
            )));
        }
        let padded: Vec<Dim> =
            image.iter().zip(&self.padding).map(|(&size, &(low, high))| size + Dim::from(low + high)).collect();
        if padded.iter().any(|size| size.bounds().1.is_some_and(|high| high < 0)) {
            return Err(Halt::value_error(format!(
                "Negative padding is larger than the size of the corresponding dimension: got padding={} for \
                 lhs_shape[2:]={}",
                repr::pairs(&self.padding),
                repr::tuple(image.iter().map(|size| format!("np.int64({size})")))
            )));
        }
        padded.iter().zip(window).zip(&self.strides).map(|((&size, &w), &stride)| positions(size, w, stride)).collect()
    }

    fn dtype(&self, lhs: &Aval, rhs: &Aval) -> Step<DType> {
        rules::check_positions("conv_general_dilated", &[rules::ANY, rules::ANY], &[lhs, rhs], false)?;
        rules::check_same_dtypes("conv_general_dilated", &[lhs, rhs])?;
        let Some(preferred) = self.preferred else { return Ok(lhs.dtype) };
        check_preferred(lhs.dtype, preferred)?;
        Ok(preferred)
    }
}

/// Whether a product of this type may be given as that one.
///
/// # Errors
/// `TypeError` if not.
pub fn check_preferred(input: DType, preferred: DType) -> Step<()> {
    let kind = |dtype: DType| match dtype.kind() {
        Kind::Signed | Kind::Unsigned => Some(0),
        Kind::Float => Some(1),
        Kind::Complex => Some(2),
        _ => None,
    };
    if !(input.is_integer() && preferred.is_float()) {
        if kind(input).is_some() && kind(input) != kind(preferred) {
            return Err(Halt::type_error(
                "Input type is incompatible with `preferred_element_type`. The compatible combinations of (input_type, \
                 preferred_element_type) are (integral, integral), (integral, floating), (floating, floating), (complex, \
                 complex.",
            ));
        }
        if input.kind() == Kind::Signed && preferred.kind() != Kind::Signed {
            return Err(Halt::type_error(
                "`preferred_element_type` must have the same signedness as the original type.",
            ));
        }
    }
    if preferred.bits().max(8) < input.bits().max(8) {
        return Err(Halt::type_error("`preferred_element_type` must not be narrower than the original type."));
    }
    Ok(())
}
