//! `gather`: windows of an array, at positions given by an array of indices.

use smallvec::smallvec;

use super::indexing::{Checks, Ints, Mode, WindowDims, Windows, check_index_dtype, same_sizes, words};
use super::arithmetic::each_type;
use super::{Avals, Param, ParamValue, Params, Primitive, repr};
use crate::array::tensor::{Element, Sizes};
use crate::array::convert::int_range;
use crate::array::{Aval, DType, Dim, Kind, Number, Shape, Tensor};
use crate::python::{Halt, Step};

const FIELDS: [&str; 5] =
    ["offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "start_indices_batching_dims"];

/// `gather`
#[derive(Clone, Debug)]
pub struct Gather {
    /// Which axis is what.
    pub dims: WindowDims,
    /// The size of a window along each axis of the operand.
    pub slice_sizes: Shape,
    /// A promise about the indices.
    pub indices_are_sorted: bool,
    /// A promise about the indices.
    pub unique_indices: bool,
    /// What happens to windows that stick out.
    pub mode: Mode,
    /// What they are filled with.
    pub fill_value: ParamValue,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<std::rc::Rc<dyn Primitive>> {
    Ok(std::rc::Rc::new(Gather {
        dims: WindowDims::from_params(params)?,
        slice_sizes: params.shape("slice_sizes")?,
        indices_are_sorted: params.flag("indices_are_sorted")?,
        unique_indices: params.flag("unique_indices")?,
        mode: Mode::from_params(params)?,
        fill_value: params.get("fill_value").cloned().unwrap_or(ParamValue::None),
    }))
}

impl Primitive for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension_numbers", Param::Text(self.dims.show("GatherDimensionNumbers", FIELDS))),
            ("fill_value", Param::Text(repr::value(&self.fill_value))),
            ("indices_are_sorted", Param::Text(repr::flag(self.indices_are_sorted).into())),
            ("mode", Param::Text(self.mode.show().into())),
            ("slice_sizes", Param::Text(repr::tuple(&self.slice_sizes))),
            ("unique_indices", Param::Text(repr::flag(self.unique_indices).into())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (operand, indices) = (inputs[0], inputs[1]);
        let shape = self.shape(operand, indices)?;
        check_index_dtype(indices)?;
        Ok(smallvec![Aval { dtype: operand.dtype, shape, weak: operand.weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<smallvec::SmallVec<[Tensor; 1]>> {
        let [operand, indices] = inputs else { unreachable!("gather has two inputs") };
        let shape = &self.abstract_eval(&[&operand.aval(), &indices.aval()])?[0].known_shape();
        let shape: Sizes = shape.clone().ok_or_else(|| Halt::unknown("the size of an axis is symbolic"))?;
        let fill = self.mode == Mode::FillOrDrop;
        if self.mode == Mode::OneHot {
            return Err(Halt::unknown("no evaluation of gathers as one-hot products"));
        }
        let window: Sizes = self.slice_sizes.iter().map(|d| d.get()).collect::<Step<_>>()?;
        let narrowed;
        let mut indices = indices;
        if fill && operand.shape.iter().all(|&size| i32::try_from(size).is_ok()) {
            // As JAX does: the indices are compared as 32-bit integers.
            let values = super::indexing::integers(indices)?.iter().map(|&i| i as i32).collect();
            narrowed = Tensor::new(indices.shape.clone(), values);
            indices = &narrowed;
        }
        let windows = Windows::new(&self.dims, operand, indices, &window, &shape, !fill)?;
        let size = shape.iter().product::<usize>() * words(operand.dtype);
        let data = each_type!(operand, T => {
            let fill = Tensor::scalar_of(operand.dtype, fill_value(operand.dtype, &self.fill_value)?);
            let fill = fill.expect::<T>()?.first().copied().unwrap_or_default();
            let values = operand.view::<T>().unwrap_or_default();
            Ok(if size == 0 { T::wrap(Vec::new()) } else { T::wrap(gathered(values, &windows, fill, size)) })
        })?;
        Ok(smallvec![Tensor { dtype: operand.dtype, shape, data }])
    }

    fn cost(&self, _: &[&Aval], _: &[Aval]) -> u64 {
        0
    }
}

fn gathered<T: Element>(values: &[T], windows: &Windows, fill: T, size: usize) -> Vec<T> {
    let mut out = vec![fill; size];
    let run = windows.run;
    if values.is_empty() {
        return out;
    }
    for &(from, to) in &windows.places {
        let Some(from) = from else { continue };
        for &(a, b) in &windows.runs {
            out[to + b..to + b + run].copy_from_slice(&values[from + a..from + a + run]);
        }
    }
    out
}

/// What windows that stick out are filled with: by default NaN, the smallest signed and the largest unsigned number.
fn fill_value(dtype: DType, value: &ParamValue) -> Step<Number> {
    Ok(match (value, dtype.kind()) {
        (ParamValue::None, Kind::Signed) => Number::Int(int_range(dtype).0),
        (ParamValue::None, Kind::Unsigned | Kind::Bool) => Number::Int(int_range(dtype).1),
        (ParamValue::None, Kind::Key) => Number::Int(u32::MAX.into()),
        (ParamValue::None, _) => Number::Float(f64::NAN),
        (ParamValue::Float(x), _) => Number::Float(*x),
        (value, _) => value.as_int().map(Number::from).ok_or_else(|| Halt::unknown("an odd fill value"))?,
    })
}

impl Gather {
    /// The shape of the result, after all checks of the dimension numbers.
    fn shape(&self, operand: &Aval, indices: &Aval) -> Step<Shape> {
        let check = Checks("gather");
        let WindowDims { offset, collapsed, start_map, operand_batch, indices_batch } = &self.dims;
        let rank = indices.rank();
        if rank == 0 {
            return Err(Halt::type_error(
                "Gather index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 and gather index \
                 leaf dimension is -1.",
            ));
        }
        let leaf = rank - 1;
        check.sorted(offset, "offset_dims")?;
        check.distinct(offset, "offset_dims")?;
        let out_rank = offset.len() + rank - 1;
        for (i, &d) in offset.iter().enumerate() {
            if d < 0 || d >= out_rank as i64 {
                return Err(Halt::type_error(format!(
                    "Offset dimension {i} in gather op is out of bounds; got {d}, but should have been in [0, {out_rank})"
                )));
            }
        }
        if indices.shape[leaf] != start_map.len() {
            return Err(Halt::type_error(format!(
                "Gather op has {} elements in start_index_map and the bound of dimension index_vector_dim={leaf} of \
                 indices is {}. These two numbers must be equal.",
                start_map.len(),
                indices.shape[leaf]
            )));
        }
        for (i, &d) in start_map.iter().enumerate() {
            if d < 0 || d >= operand.rank() as i64 {
                return Err(Halt::type_error(format!(
                    "Invalid start_index_map; domain is [0, {}), got: {i}->{d}.",
                    operand.rank()
                )));
            }
        }
        check.distinct(start_map, "start_index_map")?;
        check.sorted(collapsed, "collapsed_slice_dims")?;
        check.sorted_in_range(collapsed, operand.rank(), "collapsed_slice_dims")?;
        check.distinct(collapsed, "collapsed_slice_dims")?;
        check.distinct(operand_batch, "operand_batching_dims")?;
        check.sorted(operand_batch, "operand_batching_dims")?;
        check.sorted_in_range(operand_batch, operand.rank(), "operand_batching_dims")?;
        check.disjoint(collapsed, operand_batch, "collapsed_slice_dims", "operand_batching_dims")?;
        check.disjoint(start_map, operand_batch, "start_index_map", "operand_batching_dims")?;
        check.distinct(indices_batch, "start_indices_batching_dims")?;
        check.in_range(indices_batch, rank, "start_indices_batching_dims")?;
        if indices_batch.contains(&(leaf as i64)) {
            return Err(Halt::type_error(format!(
                "Gather op cannot have the index vector dimension as a batching dimension; got {}.",
                repr::tuple(indices_batch)
            )));
        }
        if operand_batch.len() != indices_batch.len() {
            return Err(Halt::type_error(format!(
                "Gather op requires equal numbers of operand_batching_dims and start_indices_batching_dims, got {} and{}.",
                repr::tuple(operand_batch),
                repr::tuple(indices_batch)
            )));
        }
        let (a, b) = (pick(&operand.shape, operand_batch), pick(&indices.shape, indices_batch));
        if !same_sizes(&a, &b)? {
            return Err(Halt::type_error(format!(
                "Gather op requires operand batching dimensions and indices batching dimensions to have the same shape, \
                 got {} and {}.",
                repr::tuple(a),
                repr::tuple(b)
            )));
        }
        self.check_slices(operand, indices)?;
        let mut positions = indices.shape[..leaf].iter().copied();
        let mut slices =
            self.slice_sizes.iter().enumerate().filter(|(axis, _)| !self.dims.drops(*axis)).map(|(_, size)| *size);
        (0..out_rank as i64)
            .map(|axis| if offset.contains(&axis) { slices.next() } else { positions.next() })
            .collect::<Option<Shape>>()
            .ok_or_else(|| Halt::unknown("odd dimension numbers of `gather`"))
    }

    fn check_slices(&self, operand: &Aval, indices: &Aval) -> Step<()> {
        let (slices, WindowDims { offset, collapsed, operand_batch, .. }) = (&self.slice_sizes, &self.dims);
        if operand.rank() != slices.len() {
            return Err(Halt::type_error(format!(
                "Gather op must have one slice size for every input dimension; got: len(slice_sizes)={}, \
                 input_shape.rank={}",
                slices.len(),
                operand.rank()
            )));
        }
        if slices.len() != offset.len() + collapsed.len() + operand_batch.len() {
            return Err(Halt::type_error(format!(
                "All components of the offset index in a gather op must either be a offset dimension or explicitly \
                 collapsed/batching; got len(slice_sizes)={}, output_slice_sizes={}, collapsed_slice_dims={}, \
                 operand_batching_dims={}.",
                slices.len(),
                repr::tuple(offset),
                repr::tuple(collapsed),
                repr::tuple(operand_batch)
            )));
        }
        let no_index = indices.shape.iter().any(|&size| size == 0);
        for (i, (&slice, &size)) in slices.iter().zip(&operand.shape).enumerate() {
            if !no_index && !fits(slice, size)? {
                return Err(Halt::type_error(format!(
                    "Slice size at index {i} in gather op is out of range, must be within [0, {size} + 1), got {slice}."
                )));
            }
        }
        for (i, &d) in collapsed.iter().enumerate() {
            let bound = slices[d as usize];
            if bound != 1 {
                return Err(Halt::type_error(format!(
                    "Gather op can only collapse slice dims with bound 1, but bound is {bound} for index {d} at position \
                     {i}."
                )));
            }
        }
        for (i, &d) in operand_batch.iter().enumerate() {
            let bound = slices[d as usize];
            if bound.get()? > 1 {
                return Err(Halt::type_error(format!(
                    "Gather op can only have operand batching dims with bound 0/1, but bound is {bound} for index {d} at \
                     position {i}."
                )));
            }
        }
        Ok(())
    }
}

/// Whether a window of this size fits an axis.
pub(super) fn fits(window: Dim, size: Dim) -> Step<bool> {
    size.at_least(window).ok_or_else(|| Halt::unknown(format!("whether `{window}` elements fit `{size}` depends on symbols")))
}

/// The sizes of these axes, already in range.
pub(super) fn pick(shape: &[Dim], axes: &Ints) -> Vec<Dim> {
    axes.iter().map(|&axis| shape[axis as usize]).collect()
}
