//! Numbers in memory: a dense row-major array of one element type. The only place, with `evaluate`, that names ndarray.

use std::sync::Arc;

use half::{bf16, f16};
use jitlens_kernels::pool;
use num_complex::Complex;
use smallvec::SmallVec;

use super::number::{self, Number};
use super::{Aval, DType, KeyImpl};
use crate::python::{Halt, Step};

/// Sizes of a tensor's axes.
pub type Sizes = SmallVec<[usize; 4]>;

/// The elements of a tensor, row-major. 4-bit integers are kept in 8-bit ones, 8-bit floats in `f32` already rounded,
/// typed keys as their 32-bit words (a trailing axis that the shape does not count).
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Data {
    Bool(Arc<Vec<bool>>),
    I8(Arc<Vec<i8>>),
    I16(Arc<Vec<i16>>),
    I32(Arc<Vec<i32>>),
    I64(Arc<Vec<i64>>),
    U8(Arc<Vec<u8>>),
    U16(Arc<Vec<u16>>),
    U32(Arc<Vec<u32>>),
    U64(Arc<Vec<u64>>),
    BF16(Arc<Vec<bf16>>),
    F16(Arc<Vec<f16>>),
    F32(Arc<Vec<f32>>),
    F64(Arc<Vec<f64>>),
    C64(Arc<Vec<Complex<f32>>>),
    C128(Arc<Vec<Complex<f64>>>),
    /// `float0`: no numbers.
    None,
}

/// A dense array with its numbers.
#[derive(Debug, PartialEq)]
pub struct Tensor {
    /// Element type.
    pub dtype: DType,
    /// Sizes of the axes.
    pub shape: Sizes,
    /// The elements, row-major.
    pub data: Data,
}

impl Clone for Tensor {
    #[inline]
    fn clone(&self) -> Tensor {
        Tensor { dtype: self.dtype, shape: Sizes::from_slice(&self.shape), data: self.data.clone() }
    }
}

/// A Rust type that holds elements of some dtypes.
pub trait Element: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The dtype that it stands for by itself.
    const DTYPE: DType;
    /// Wraps a buffer.
    fn wrap(values: Vec<Self>) -> Data;
    /// The buffer, if it is of this type.
    fn view(data: &Data) -> Option<&[Self]>;
    /// The buffer, taken over without a copy when no one else holds it.
    fn take(data: Data) -> Option<Vec<Self>>;
    /// The buffer to write to, copied where someone else holds it; if it is of this type.
    fn edit(data: &mut Data) -> Option<&mut [Self]>;
}

macro_rules! elements {
    ($($variant:ident $rust:ty, $dtype:expr;)*) => {$(
        impl Element for $rust {
            const DTYPE: DType = $dtype;
            fn wrap(values: Vec<Self>) -> Data {
                Data::$variant(Arc::new(values))
            }
            fn view(data: &Data) -> Option<&[Self]> {
                match data {
                    Data::$variant(values) => Some(values),
                    _ => None,
                }
            }
            fn take(data: Data) -> Option<Vec<Self>> {
                match data {
                    Data::$variant(values) => Some(Arc::unwrap_or_clone(values)),
                    _ => None,
                }
            }
            fn edit(data: &mut Data) -> Option<&mut [Self]> {
                match data {
                    Data::$variant(values) => Some(Arc::make_mut(values).as_mut_slice()),
                    _ => None,
                }
            }
        }
    )*};
}

elements! {
    Bool bool, DType::Bool;
    I8 i8, DType::I8;
    I16 i16, DType::I16;
    I32 i32, DType::I32;
    I64 i64, DType::I64;
    U8 u8, DType::U8;
    U16 u16, DType::U16;
    U32 u32, DType::U32;
    U64 u64, DType::U64;
    BF16 bf16, DType::BF16;
    F16 f16, DType::F16;
    F32 f32, DType::F32;
    F64 f64, DType::F64;
    C64 Complex<f32>, DType::C64;
    C128 Complex<f64>, DType::C128;
}

/// Runs an expression for the buffer of whatever type it has: `for_buffer!(&tensor.data, v => v.len(), none => 0)`.
#[macro_export]
macro_rules! for_buffer {
    ($data:expr, $values:ident => $body:expr, none => $none:expr) => {
        match $data {
            $crate::array::tensor::Data::Bool($values) => $body,
            $crate::array::tensor::Data::I8($values) => $body,
            $crate::array::tensor::Data::I16($values) => $body,
            $crate::array::tensor::Data::I32($values) => $body,
            $crate::array::tensor::Data::I64($values) => $body,
            $crate::array::tensor::Data::U8($values) => $body,
            $crate::array::tensor::Data::U16($values) => $body,
            $crate::array::tensor::Data::U32($values) => $body,
            $crate::array::tensor::Data::U64($values) => $body,
            $crate::array::tensor::Data::BF16($values) => $body,
            $crate::array::tensor::Data::F16($values) => $body,
            $crate::array::tensor::Data::F32($values) => $body,
            $crate::array::tensor::Data::F64($values) => $body,
            $crate::array::tensor::Data::C64($values) => $body,
            $crate::array::tensor::Data::C128($values) => $body,
            $crate::array::tensor::Data::None => $none,
        }
    };
}

impl KeyImpl {
    /// The 32-bit words of one key.
    pub fn words(self) -> usize {
        match self {
            KeyImpl::Threefry => 2,
            KeyImpl::Rbg | KeyImpl::UnsafeRbg => 4,
        }
    }
}

impl Tensor {
    /// A tensor of these elements; the dtype is the element type's own.
    ///
    /// # Panics
    /// When the number of elements is not the product of the sizes: a bug of the caller.
    pub fn new<T: Element>(shape: impl Into<Sizes>, values: Vec<T>) -> Tensor {
        let shape = shape.into();
        assert_eq!(shape.iter().product::<usize>(), values.len(), "elements against shape {shape:?}");
        Tensor { dtype: T::DTYPE, shape, data: T::wrap(values) }
    }
    /// A scalar.
    pub fn scalar<T: Element>(value: T) -> Tensor {
        Tensor::new(Sizes::new(), vec![value])
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The elements, if they are of this Rust type.
    pub fn view<T: Element>(&self) -> Option<&[T]> {
        T::view(&self.data)
    }
    /// The strong abstract value.
    pub fn aval(&self) -> Aval {
        Aval::new(self.dtype, self.shape.iter().copied())
    }

    /// A tensor of this dtype over a buffer that suits it.
    pub fn with_data(dtype: DType, shape: impl Into<Sizes>, data: Data) -> Tensor {
        Tensor { dtype, shape: shape.into(), data }
    }

    /// Elements of a Rust type under a dtype that is kept in it: `int4` in `i8`, floats of fewer bits in `f32`, keys in `u32`.
    pub fn wrapped<T: Element>(dtype: DType, shape: impl Into<Sizes>, values: Vec<T>) -> Tensor {
        Tensor { dtype, shape: shape.into(), data: T::wrap(values) }
    }

    /// An array whose elements all are this number, converted to the dtype.
    pub fn full(dtype: DType, shape: impl Into<Sizes>, value: impl Into<Number>) -> Tensor {
        let shape = shape.into();
        let len = shape.iter().product();
        number::fill(dtype, shape, len, value.into())
    }

    /// A scalar of this dtype.
    pub fn scalar_of(dtype: DType, value: impl Into<Number>) -> Tensor {
        Tensor::full(dtype, Sizes::new(), value)
    }

    /// Zeros (the key of zeros for keys).
    pub fn zeros(dtype: DType, shape: impl Into<Sizes>) -> Tensor {
        Tensor::full(dtype, shape, 0i64)
    }

    /// The element at a position in row-major order; none for `float0`, keys and positions out of range.
    pub fn number(&self, position: usize) -> Option<Number> {
        number::read(self, position)
    }

    /// All elements as numbers, in row-major order.
    pub fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        (0..self.len()).filter_map(|i| self.number(i))
    }

    /// The element of a scalar as an integer.
    ///
    /// # Errors
    /// Unknown if it is not one.
    pub fn as_int(&self) -> Step<i64> {
        self.number(0).and_then(|n| n.as_int()).ok_or_else(|| Halt::unknown("not an integer"))
    }

    /// The elements, which the caller knows to be of this Rust type.
    ///
    /// # Errors
    /// Unknown where they are not: a bug that must not become a panic.
    pub fn expect<T: Element>(&self) -> Step<&[T]> {
        self.view().ok_or_else(|| Halt::unknown(format!("{} where {} was expected", self.dtype, T::DTYPE)))
    }

    /// The tensor with denormals of `f32` as zeros of the same sign: what XLA's arithmetic sees.
    #[must_use]
    pub fn without_denormals(self) -> Tensor {
        fn is_denormal(x: f32) -> bool {
            (x != 0.0) & (x.abs() < f32::MIN_POSITIVE)
        }
        let Data::F32(values) = &self.data else { return self };
        if !jitlens_kernels::vector::any(values, is_denormal) {
            return self;
        }
        let flushed = values.iter().map(|&x| if is_denormal(x) { 0.0f32.copysign(x) } else { x }).collect();
        Tensor { data: f32::wrap(flushed), ..self }
    }

    /// Lets go of the tensor: a large buffer that nobody else holds is used again.
    #[inline]
    pub fn recycle(self) {
        crate::for_buffer!(self.data, v => if let Ok(buffer) = Arc::try_unwrap(v) { pool::give(buffer) }, none => {});
    }

    /// The same elements under another shape of the same size.
    pub fn reshaped(&self, shape: impl Into<Sizes>) -> Tensor {
        let shape = shape.into();
        debug_assert_eq!(shape.iter().product::<usize>(), self.len());
        Tensor { dtype: self.dtype, shape, data: self.data.clone() }
    }

    /// Keys seen as their words, with the trailing axis that this adds; other tensors as they are.
    pub fn physical(&self) -> Tensor {
        let mut tensor = self.clone();
        if let DType::Key(key) = self.dtype {
            tensor.dtype = DType::U32;
            tensor.shape.push(key.words());
        }
        tensor
    }

    /// The inverse of [`Tensor::physical`].
    pub fn logical(mut self, dtype: DType) -> Tensor {
        if dtype.is_key() {
            self.shape.pop();
        }
        self.dtype = dtype;
        self
    }
}
