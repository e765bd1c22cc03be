//! What gather and the scatters share: dimension numbers with their checks, modes, and where windows lie.

use smallvec::SmallVec;

use super::{Params, repr};
use crate::array::tensor::Sizes;
use crate::array::{Aval, DType, Tensor};
use crate::python::{Halt, Step};

/// Dimension numbers as the program gave them, perhaps out of range.
pub type Ints = SmallVec<[i64; 4]>;

/// `GatherDimensionNumbers`, or `ScatterDimensionNumbers` with its fields in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowDims {
    /// `offset_dims`, `update_window_dims`: the axes of the output (updates) that run over a window.
    pub offset: Ints,
    /// `collapsed_slice_dims`, `inserted_window_dims`: the axes of the operand of which a window has one element.
    pub collapsed: Ints,
    /// `start_index_map`, `scatter_dims_to_operand_dims`: the axis of the operand that each index component moves along.
    pub start_map: Ints,
    /// `operand_batching_dims`
    pub operand_batch: Ints,
    /// `start_indices_batching_dims`, `scatter_indices_batching_dims`
    pub indices_batch: Ints,
    /// Which of them, field by field, are NumPy's integers and print so: rules that count with NumPy leave them behind.
    pub numpy: [u64; 5],
}

impl WindowDims {
    /// From the parameter `dimension_numbers`: a tuple of five tuples, or of three.
    ///
    /// # Errors
    /// Unknown for anything else.
    pub fn from_params(params: &Params) -> Step<WindowDims> {
        let fields = params.tuple("dimension_numbers")?;
        let field = |i: usize| -> Step<Ints> {
            let Some(field) = fields.get(i) else { return Ok(Ints::new()) };
            field
                .as_tuple()
                .and_then(|items| items.iter().map(|item| item.as_int()).collect())
                .ok_or_else(|| Halt::unknown(format!("odd dimension numbers of `{}`", params.primitive)))
        };
        Ok(WindowDims {
            offset: field(0)?,
            collapsed: field(1)?,
            start_map: field(2)?,
            operand_batch: field(3)?,
            indices_batch: field(4)?,
            numpy: [0; 5],
        })
    }

    /// As Python prints it, given the names of the class and its fields.
    pub fn show(&self, class: &str, names: [&str; 5]) -> String {
        let fields = [&self.offset, &self.collapsed, &self.start_map, &self.operand_batch, &self.indices_batch];
        let one = |field: &Ints, marks: u64| {
            let number =
                |(i, d): (usize, &i64)| if marks >> i & 1 == 1 { format!("np.int64({d})") } else { d.to_string() };
            repr::tuple(field.iter().enumerate().map(number))
        };
        let shown: Vec<String> = (0..5).map(|i| format!("{}={}", names[i], one(fields[i], self.numpy[i]))).collect();
        format!("{class}({})", shown.join(", "))
    }

    /// With every axis of the operand and the output moved one up: room for a batch axis in front of each.
    #[must_use]
    pub fn shifted(&self) -> WindowDims {
        WindowDims {
            offset: up(&self.offset),
            collapsed: up(&self.collapsed),
            start_map: up(&self.start_map),
            operand_batch: up(&self.operand_batch),
            indices_batch: self.indices_batch.clone(),
            numpy: [u64::MAX, u64::MAX, u64::MAX, u64::MAX, self.numpy[4]],
        }
    }

    /// [`WindowDims::shifted`], and the batch axis of the operand a part of every window.
    #[must_use]
    pub fn with_window_axis(&self) -> WindowDims {
        let mut dims = self.shifted();
        dims.offset.insert(0, 0);
        dims.numpy[0] = !1;
        dims
    }

    /// With a batch axis in front of indices and output alone.
    #[must_use]
    pub fn with_indices_axis(&self) -> WindowDims {
        let mut dims = self.clone();
        dims.offset = up(&self.offset);
        dims.indices_batch = up(&self.indices_batch);
        dims.numpy[4] = u64::MAX;
        dims
    }

    /// [`WindowDims::shifted`], with a batch axis in front of operand, indices and output.
    #[must_use]
    pub fn batched(&self) -> WindowDims {
        let mut dims = self.shifted();
        dims.operand_batch.insert(0, 0);
        dims.indices_batch = std::iter::once(0).chain(up(&self.indices_batch)).collect();
        dims.numpy[3] = !1;
        dims.numpy[4] = !1;
        dims
    }

    /// Whether a window has (at most) one element along this axis of the operand and the output has no such axis.
    pub fn drops(&self, axis: usize) -> bool {
        self.collapsed.contains(&(axis as i64)) || self.operand_batch.contains(&(axis as i64))
    }
}

fn up(dims: &Ints) -> Ints {
    dims.iter().map(|d| d + 1).collect()
}

/// What happens to windows that stick out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Moved inside.
    Clip,
    /// Filled, or dropped.
    FillOrDrop,
    /// Promised not to occur; moved inside by gathers, dropped by scatters.
    PromiseInBounds,
    /// As a product with one-hot vectors.
    OneHot,
}

impl Mode {
    /// From the parameter `mode`: the name of the enum's member, or what users write for it.
    ///
    /// # Errors
    /// Unknown for anything else.
    pub fn from_params(params: &Params) -> Step<Mode> {
        let text = params.text("mode")?;
        let name = text.rsplit('.').next().unwrap_or(&text).to_ascii_lowercase();
        Ok(match &*name {
            "clip" => Mode::Clip,
            "fill" | "drop" | "fill_or_drop" => Mode::FillOrDrop,
            "promise_in_bounds" => Mode::PromiseInBounds,
            "one_hot" => Mode::OneHot,
            _ => return Err(Halt::unknown(format!("no such mode of `{}`: {text}", params.primitive))),
        })
    }
    /// As it prints in a jaxpr.
    pub fn show(self) -> &'static str {
        match self {
            Mode::Clip => "GatherScatterMode.CLIP",
            Mode::FillOrDrop => "GatherScatterMode.FILL_OR_DROP",
            Mode::PromiseInBounds => "GatherScatterMode.PROMISE_IN_BOUNDS",
            Mode::OneHot => "GatherScatterMode.ONE_HOT",
        }
    }
}

/// Checks of dimension numbers, with the messages of one operation.
#[derive(Copy, Clone, Debug)]
pub struct Checks(pub &'static str);

impl Checks {
    /// In ascending order.
    pub fn sorted(self, dims: &Ints, name: &str) -> Step<()> {
        if dims.is_sorted() {
            return Ok(());
        }
        Err(Halt::type_error(format!("{name} in {} op must be sorted; got {}", self.0, repr::tuple(dims))))
    }
    /// None twice.
    pub fn distinct(self, dims: &Ints, name: &str) -> Step<()> {
        if (1..dims.len()).all(|i| !dims[..i].contains(&dims[i])) {
            return Ok(());
        }
        Err(Halt::type_error(format!("{name} in {} op must not repeat; got: {}.", self.0, repr::tuple(dims))))
    }
    /// None in both.
    pub fn disjoint(self, a: &Ints, b: &Ints, a_name: &str, b_name: &str) -> Step<()> {
        if a.iter().all(|d| !b.contains(d)) {
            return Ok(());
        }
        Err(Halt::type_error(format!(
            "{a_name} and {b_name} in {} op must be disjoint; got: {} and {}.",
            self.0,
            repr::tuple(a),
            repr::tuple(b)
        )))
    }
    /// All of `0..rank`.
    pub fn in_range(self, dims: &Ints, rank: usize, name: &str) -> Step<()> {
        dims.iter().find(|&&d| d < 0 || d >= rank as i64).map_or(Ok(()), |d| Err(self.range_error(*d, rank, name)))
    }
    /// All of `0..rank`, judged by the first and last of a sorted list. As in JAX, an axis 0 of a scalar passes.
    pub fn sorted_in_range(self, dims: &Ints, rank: usize, name: &str) -> Step<()> {
        let (Some(&first), Some(&last)) = (dims.first(), dims.last()) else { return Ok(()) };
        if first < 0 {
            Err(self.range_error(first, rank, name))
        } else if last >= rank as i64 && last != 0 {
            Err(self.range_error(last, rank, name))
        } else {
            Ok(())
        }
    }
    fn range_error(self, dim: i64, rank: usize, name: &str) -> Halt {
        Halt::type_error(format!("Invalid {name} set in {} op; valid range is [0, {rank}); got: {dim}.", self.0))
    }
}

/// Indices are integers.
///
/// # Errors
/// `ValueError` otherwise.
pub fn check_index_dtype(indices: &Aval) -> Step<()> {
    if indices.dtype.is_integer() { Ok(()) } else { Err(Halt::value_error("indices must have an integer type")) }
}

/// Row-major strides.
pub fn strides(sizes: &[usize]) -> Sizes {
    let mut strides = Sizes::from_elem(1, sizes.len());
    for axis in (0..sizes.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * sizes[axis + 1];
    }
    strides
}

/// The number of memory elements per element: the words of a typed key, else 1.
pub fn words(dtype: DType) -> usize {
    if let DType::Key(key) = dtype { key.words() } else { 1 }
}

/// The offset of every position of a box, row-major.
pub fn offsets(sizes: &[usize], strides: &[usize]) -> Vec<usize> {
    let mut out = vec![0];
    for (&size, &stride) in sizes.iter().zip(strides) {
        out = out.iter().flat_map(|&base| (0..size).map(move |i| base + i * stride)).collect();
    }
    out
}

/// The elements of an integer tensor.
///
/// # Errors
/// Unknown for other tensors.
pub fn integers(tensor: &Tensor) -> Step<Vec<i64>> {
    match tensor.convert(DType::I64).data {
        crate::array::tensor::Data::I64(values) if tensor.dtype.is_integer() => {
            Ok(std::sync::Arc::unwrap_or_clone(values))
        }
        _ => Err(Halt::unknown("indices that are not integers")),
    }
}
