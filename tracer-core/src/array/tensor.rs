//! Numbers in memory: a dense row-major array of one element type. The only place, with `evaluate`, that names ndarray.

use std::sync::Arc;

use half::{bf16, f16};
use num_complex::Complex;
use smallvec::SmallVec;

use super::{Aval, DType};

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
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Element type.
    pub dtype: DType,
    /// Sizes of the axes.
    pub shape: Sizes,
    /// The elements, row-major.
    pub data: Data,
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
}
