//! The numbers of products: axes of operands gathered into matrices, and matrices multiplied.

use std::borrow::Cow;

use jitlens_kernels::matmul::{Matrix, Multiply, Sizes as MatrixSizes};

use super::arithmetic::rounded;
use super::dot_general::DotDims;
use super::indexing::{offsets, strides};
use crate::array::tensor::{Element, Sizes};
use crate::array::{DType, Tensor};
use crate::python::Step;

/// The type in which products of these dtypes are summed: 16- and 8-bit floats in `float32`, the rest as the result.
pub(super) fn sum_dtype(lhs: DType, rhs: DType, out: DType) -> DType {
    match out {
        DType::BF16 | DType::F16 | DType::Narrow(_) | DType::F32 => {
            if lhs == DType::F64 || rhs == DType::F64 {
                DType::F64
            } else {
                DType::F32
            }
        }
        _ => out,
    }
}

/// Runs a body with a type name bound to the Rust type of [`sum_dtype`].
macro_rules! sum_type {
    ($dtype:expr, $T:ident => $body:expr) => {{
        use $crate::array::DType;
        match $dtype {
            DType::Bool => {
                type $T = bool;
                $body
            }
            DType::I2 | DType::I4 | DType::I8 => {
                type $T = i8;
                $body
            }
            DType::I16 => {
                type $T = i16;
                $body
            }
            DType::I32 => {
                type $T = i32;
                $body
            }
            DType::I64 => {
                type $T = i64;
                $body
            }
            DType::U2 | DType::U4 | DType::U8 => {
                type $T = u8;
                $body
            }
            DType::U16 => {
                type $T = u16;
                $body
            }
            DType::U32 => {
                type $T = u32;
                $body
            }
            DType::U64 => {
                type $T = u64;
                $body
            }
            DType::F32 => {
                type $T = f32;
                $body
            }
            DType::F64 => {
                type $T = f64;
                $body
            }
            DType::C64 => {
                type $T = num_complex::Complex<f32>;
                $body
            }
            DType::C128 => {
                type $T = num_complex::Complex<f64>;
                $body
            }
            other => Err($crate::python::Halt::unknown(format!("no products of {other}"))),
        }
    }};
}
pub(super) use sum_type;

/// Sums as elements of the result: rounded once to floats of 16 bits, to those of fewer by way of the type that they are computed in.
pub(super) fn store<T: Element>(sums: Vec<T>, shape: Sizes, dtype: DType) -> Tensor {
    let sums = Tensor::new(shape, sums);
    match dtype {
        _ if dtype.is_part_of_byte() => rounded(Tensor { dtype, ..sums }),
        DType::Narrow(narrow) => sums.convert(narrow.format().wide).convert(dtype),
        _ => sums.convert(dtype),
    }
}

/// `dot_general` on numbers.
pub(super) fn dot(lhs: &Tensor, rhs: &Tensor, dims: &DotDims, shape: Sizes, dtype: DType) -> Step<Tensor> {
    let axes = |dims: &super::indexing::Ints| dims.iter().map(|&d| d as usize).collect::<Vec<_>>();
    let lhs_kept = DotDims::kept(&dims.lhs_contract, &dims.lhs_batch, lhs.shape.len());
    let rhs_kept = DotDims::kept(&dims.rhs_contract, &dims.rhs_batch, rhs.shape.len());
    let (lhs_contract, rhs_contract) = (axes(&dims.lhs_contract), axes(&dims.rhs_contract));
    let size = |tensor: &Tensor, axes: &[usize]| axes.iter().map(|&a| tensor.shape[a]).product::<usize>();
    let sizes = MatrixSizes { m: size(lhs, &lhs_kept), k: size(lhs, &lhs_contract), n: size(rhs, &rhs_kept) };
    let (lhs_batch, rhs_batch) = (axes(&dims.lhs_batch), axes(&dims.rhs_batch));
    let sum = sum_dtype(lhs.dtype, rhs.dtype, dtype);
    let (own, lacks_zero) = (lhs.dtype, lhs.dtype.lacks_zero());
    let (lhs, rhs) = (lhs.convert(sum).without_denormals(), rhs.convert(sum).without_denormals());
    sum_type!(sum, T => {
        let mut out: Vec<T> = jitlens_kernels::pool::filled(shape.iter().product());
        let left = Operand::<T>::new(&lhs, &lhs_batch, &lhs_kept, &lhs_contract)?;
        let right = Operand::<T>::new(&rhs, &rhs_batch, &rhs_contract, &rhs_kept)?;
        let step = sizes.m * sizes.n;
        if step > 0 && sizes.k == 0 {
            out.fill(T::ZERO);
        } else if step > 0 {
            // Small products of a batch are done several at a time.
            let work = step.saturating_mul(sizes.k).max(1);
            let each = (PRODUCTS / work).max(1);
            let each = if work.saturating_mul(left.starts.len()) < 4 * PRODUCTS { usize::MAX } else { each };
            jitlens_kernels::work::parts(&mut out, each.saturating_mul(step), |part, out| {
                for (i, out) in out.chunks_exact_mut(step).enumerate() {
                    let (a, b) = (left.starts[part * each + i], right.starts[part * each + i]);
                    T::matmul(sizes, left.matrix(a), right.matrix(b), out, sizes.n);
                }
            });
        }
        Ok(match dtype {
            // Through its own type.
            DType::F16 if lacks_zero => store(out, shape, own).convert(dtype),
            _ => store(out, shape, dtype),
        })
    })
}

/// So many products of numbers are a part of a batch's work.
const PRODUCTS: usize = 1 << 20;

/// An operand as a stack of matrices.
struct Operand<'a, T: Copy> {
    data: Cow<'a, [T]>,
    /// Where each matrix of the stack starts.
    starts: Vec<usize>,
    row: usize,
    column: usize,
}

impl<'a, T: Element + Multiply> Operand<'a, T> {
    fn new(tensor: &'a Tensor, batch: &[usize], rows: &[usize], columns: &[usize]) -> Step<Operand<'a, T>> {
        let data = Cow::Borrowed(tensor.expect::<T>()?);
        let all = strides(&tensor.shape);
        let pick = |axes: &[usize]| -> (Vec<usize>, Vec<usize>) {
            (axes.iter().map(|&a| tensor.shape[a]).collect(), axes.iter().map(|&a| all[a]).collect())
        };
        let (batch, rows, columns) = (pick(batch), pick(rows), pick(columns));
        if let (Some(row), Some(column)) = (single(&rows), single(&columns)) {
            return Ok(Operand { data, starts: offsets(&batch.0, &batch.1), row, column });
        }
        // Axes that do not lie evenly are copied into order.
        let sizes: Vec<usize> = [&batch.0[..], &rows.0, &columns.0].concat();
        let steps: Vec<usize> = [&batch.1[..], &rows.1, &columns.1].concat();
        let steps: Vec<isize> = steps.iter().map(|&step| step as isize).collect();
        let data: Vec<T> = jitlens_kernels::copy::strided(&data, &sizes, &steps, 0);
        let (n, width) = (rows.0.iter().product::<usize>(), columns.0.iter().product::<usize>());
        let starts = (0..batch.0.iter().product()).map(|i: usize| i * n * width).collect();
        Ok(Operand { data: data.into(), starts, row: width, column: 1 })
    }
    fn matrix(&self, start: usize) -> Matrix<'_, T> {
        Matrix { data: self.data.get(start..).unwrap_or_default(), row: self.row, column: self.column }
    }
}

/// The common distance of elements along several axes taken as one, if there is one.
fn single((sizes, strides): &(Vec<usize>, Vec<usize>)) -> Option<usize> {
    let mut axes = sizes.iter().zip(strides).filter(|(size, _)| **size != 1).rev();
    let Some((&size, &first)) = axes.next() else { return Some(1) };
    let mut next = size * first;
    for (&size, &stride) in axes {
        if stride != next {
            return None;
        }
        next = size * stride;
    }
    Some(first)
}
