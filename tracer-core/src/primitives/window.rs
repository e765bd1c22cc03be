//! Windows that slide over an array: their parameters, and how many positions they have.

use jitlens_kernels::convolve::Axis;
use jitlens_kernels::window::Windows;

use super::indexing::Ints;
use super::{Axes, Param, ParamValue, Params, repr};
use crate::array::{Aval, Dim, Shape};
use crate::python::{Halt, Step};

/// Padding in front and behind, for each axis.
pub type Padding = Vec<(i64, i64)>;

/// The parameter of this name as padding.
///
/// # Errors
/// Unknown for anything else.
pub fn padding(params: &Params) -> Step<Padding> {
    let pair = |value: &ParamValue| match value.as_tuple()? {
        [low, high] => Some((low.as_int()?, high.as_int()?)),
        _ => None,
    };
    let pairs: Option<Padding> = params.tuple("padding")?.iter().map(pair).collect();
    pairs.ok_or_else(|| Halt::unknown(format!("an odd `padding` of `{}`", params.primitive)))
}

/// The size of an axis after dilation: 0 stays 0.
pub fn dilated(size: Dim, dilation: i64) -> Dim {
    match size.known() {
        _ if dilation == 1 => size,
        Some(0) => size,
        Some(n) => Dim::from(1 + dilation * (n as i64 - 1)),
        None => ((size - 1) * Dim::from(dilation) + 1).max(Dim::from(0usize)),
    }
}

/// The sizes after dilation.
///
/// # Errors
/// `TypeError` for dilations that are not positive.
pub fn dilated_shape(shape: &[Dim], dilation: &Ints) -> Step<Shape> {
    if dilation.iter().any(|&d| d <= 0) {
        return Err(Halt::type_error(format!("All dilations must be positive, got {}.", repr::tuple(dilation))));
    }
    let skipped = shape.len().saturating_sub(dilation.len());
    let dilation = std::iter::repeat_n(&1, skipped).chain(dilation);
    Ok(shape.iter().zip(dilation).map(|(&size, &d)| dilated(size, d)).collect())
}

/// The number of positions of a window on an axis of this size, which may be negative.
pub fn positions(size: Dim, window: Dim, stride: i64) -> Step<Dim> {
    let bounds = (size.bounds(), window.bounds());
    if let ((Some(n), Some(m)), (Some(w), Some(v))) = bounds {
        if n == m && w == v {
            return Ok(Dim::from(((n - w).div_euclid(stride) + 1).max(0)));
        }
    }
    Ok(((size - window).floor_div(Dim::from(stride))? + 1).max(Dim::from(0usize)))
}

/// What the windows on an array are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Windowed {
    /// One that holds all of these axes, and one element of the others: a reduction.
    Whole(Axes),
    /// Those that begin, or end, where an axis does: a running reduction.
    Running {
        /// The axis.
        axis: usize,
        /// They end where it ends.
        reverse: bool,
    },
    /// Any others.
    Sliding,
}

/// The parameters of the reductions of windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Sizes.
    pub dimensions: Ints,
    /// Elements that it moves on by.
    pub strides: Ints,
    /// Elements around the array.
    pub padding: Padding,
    /// Distance of the array's elements.
    pub base_dilation: Ints,
    /// Distance of the window's elements.
    pub window_dilation: Ints,
}

impl Window {
    /// From keyword parameters; dilations that the primitive does not have are 1.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn from_params(params: &Params) -> Step<Window> {
        let dimensions = params.ints("window_dimensions")?;
        let ones = || Ints::from_elem(1, dimensions.len());
        let dilation = |name| if params.get(name).is_some() { params.ints(name) } else { Ok(ones()) };
        Ok(Window {
            base_dilation: dilation("base_dilation")?,
            window_dilation: dilation("window_dilation")?,
            strides: params.ints("window_strides")?,
            padding: padding(params)?,
            dimensions,
        })
    }

    /// As jaxprs print it.
    pub fn params(&self) -> [(&'static str, Param); 5] {
        [
            ("base_dilation", Param::Text(repr::tuple(&self.base_dilation))),
            ("padding", Param::Text(repr::pairs(&self.padding))),
            ("window_dilation", Param::Text(repr::tuple(&self.window_dilation))),
            ("window_dimensions", Param::Text(repr::tuple(&self.dimensions))),
            ("window_strides", Param::Text(repr::tuple(&self.strides))),
        ]
    }

    /// The number of positions along each axis.
    ///
    /// # Errors
    /// `TypeError` for parameters that do not fit each other or the array.
    pub fn shape(&self, operand: &Aval) -> Step<Shape> {
        let all = [
            ("window_dimensions", &self.dimensions, 1, "strictly positive"),
            ("window_strides", &self.strides, 1, "strictly positive"),
            ("base_dilation", &self.base_dilation, 0, "nonnegative"),
            ("window_dilation", &self.window_dilation, 0, "nonnegative"),
        ];
        for (name, values, least, what) in all {
            if values.iter().any(|&value| value < least) {
                return Err(Halt::type_error(format!(
                    "reduce_window {name} must have every element be {what}, got {}.",
                    repr::tuple(values)
                )));
            }
        }
        if operand.rank() != self.dimensions.len() {
            return Err(Halt::type_error(format!(
                "reduce_window got the wrong number of window_dimensions for operand: got operand shape {} with \
                 window_dimensions {}.",
                operand.shape_tuple(),
                repr::tuple(&self.dimensions)
            )));
        }
        for (name, values, ..) in &all[1..] {
            if values.len() != self.dimensions.len() {
                return Err(Halt::type_error(format!(
                    "reduce_window got inconsistent {name} and window_dimensions: got {name} {} and window_dimensions {}.",
                    repr::tuple(*values),
                    repr::tuple(&self.dimensions)
                )));
            }
        }
        let base = dilated_shape(&operand.shape, &self.base_dilation)?;
        let window: Vec<Dim> = self.dimensions.iter().map(|&n| Dim::from(n)).collect();
        let window = dilated_shape(&window, &self.window_dilation)?;
        let padded = base.iter().zip(&self.padding).map(|(&n, &(low, high))| n + Dim::from(low + high));
        padded.zip(window).zip(&self.strides).map(|((n, window), &stride)| positions(n, window, stride)).collect()
    }

    /// With one more axis at this place, along which windows have one element.
    #[must_use]
    pub fn with_axis(&self, axis: usize) -> Window {
        let mut window = self.clone();
        for ints in
            [&mut window.dimensions, &mut window.strides, &mut window.base_dilation, &mut window.window_dilation]
        {
            ints.insert(axis, 1);
        }
        window.padding.insert(axis, (0, 0));
        window
    }

    /// What windows on an array of these sizes are besides, as XLA sees it: it computes them as that.
    pub fn kind(&self, sizes: &[usize]) -> Windowed {
        let plain = (0..sizes.len()).all(|i| (self.base_dilation[i], self.window_dilation[i]) == (1, 1));
        let (mut whole, mut running) = (Axes::new(), None);
        for (i, &size) in sizes.iter().enumerate() {
            let (n, width) = (size as i64, self.dimensions[i]);
            let (low, high) = self.padding[i];
            match (low, high) {
                (0, 0) if width == 1 && self.strides[i] == 1 => {}
                (0, 0) if width == n => whole.push(i),
                _ if running.is_none() && width == n && self.strides[i] == 1 && (low, high) == (n - 1, 0) => {
                    running = Some((i, false));
                }
                _ if running.is_none() && width == n && self.strides[i] == 1 && (low, high) == (0, n - 1) => {
                    running = Some((i, true));
                }
                _ => return Windowed::Sliding,
            }
        }
        match running {
            _ if !plain => Windowed::Sliding,
            None if !whole.is_empty() => Windowed::Whole(whole),
            Some((axis, reverse)) if whole.is_empty() => Windowed::Running { axis, reverse },
            _ => Windowed::Sliding,
        }
    }

    /// Elements of a window.
    pub fn size(&self) -> u64 {
        self.dimensions.iter().fold(1u64, |n, &d| n.saturating_mul(d.max(1) as u64))
    }

    /// Elements of the trailing axes that windows do not reach across: [`Window::visit`] treats them as one.
    pub fn block(&self, sizes: &[usize], out: &[usize]) -> usize {
        sizes[self.sliding(sizes, out)..].iter().product()
    }

    /// The number of leading axes that windows slide along.
    fn sliding(&self, sizes: &[usize], out: &[usize]) -> usize {
        let still = |i: usize| {
            let plain = (self.dimensions[i], self.strides[i], self.base_dilation[i]) == (1, 1, 1);
            plain && self.padding[i] == (0, 0) && sizes[i] == out[i]
        };
        (0..sizes.len()).rev().find(|&i| !still(i)).map_or(0, |i| i + 1)
    }

    fn axes(&self, sizes: &[usize], out: &[usize], sliding: usize) -> Vec<Axis> {
        let axis = |i: usize| Axis {
            size: sizes[i],
            window: self.dimensions[i] as usize,
            out: out[i],
            stride: self.strides[i] as usize,
            low: self.padding[i].0,
            image_dilation: self.base_dilation[i] as usize,
            window_dilation: self.window_dilation[i] as usize,
        };
        (0..sliding).map(axis).collect()
    }

    /// The windows on an array of these sizes, as loops see them.
    pub fn windows(&self, sizes: &[usize], out: &[usize]) -> Windows {
        let sliding = self.sliding(sizes, out);
        Windows { axes: self.axes(sizes, out, sliding), block: sizes[sliding..].iter().product() }
    }

    /// Every element of every window, for arrays whose sizes are known: calls `each` with the position (row-major) and the
    /// element of the array, or `None` for padding, in the window's order; both are the first of a block.
    pub fn visit(&self, sizes: &[usize], out: &[usize], mut each: impl FnMut(usize, Option<usize>)) {
        let sliding = self.sliding(sizes, out);
        let block: usize = sizes[sliding..].iter().product();
        if block == 0 {
            return;
        }
        let axes = self.axes(sizes, out, sliding);
        let strides = super::indexing::strides(sizes);
        let mut index = vec![0; sliding];
        for position in 0..out[..sliding].iter().product() {
            walk(&axes, &strides, &index, Some(0), &mut |element| each(position * block, element));
            for axis in (0..sliding).rev() {
                index[axis] += 1;
                if index[axis] < out[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }
}

fn walk(
    axes: &[Axis],
    strides: &[usize],
    index: &[usize],
    element: Option<usize>,
    each: &mut impl FnMut(Option<usize>),
) {
    let Some((axis, rest)) = axes.split_first() else { return each(element) };
    for tap in 0..axis.window {
        let here = axis.element(index[0], tap).zip(element).map(|(i, at)| at + i * strides[0]);
        walk(rest, &strides[1..], &index[1..], here, each);
    }
}
