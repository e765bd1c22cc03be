//! Equations on matrices, with any number of batch axes, as rules of linear algebra write them.

use smallvec::smallvec;

use super::super::indexing::{Ints, Mode, WindowDims};
use super::super::precision::Precision;
use super::super::{Combine, Conj, DotDims, DotGeneral, Gather, Iota, Scatter, build};
use crate::array::{DType, Dim, Shape};
use crate::python::Step;
use crate::trace::{Engine, Val};

/// The last two axes exchanged.
pub fn transposed(cx: &Engine, x: &Val) -> Step<Val> {
    let rank = x.aval.rank();
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rank - 1, rank - 2);
    build::transpose(cx, x, &order)
}

/// Conjugated; real numbers as they are.
pub fn conjugate(cx: &Engine, x: &Val) -> Step<Val> {
    if x.aval.dtype.is_complex() { cx.bind1(Conj { input: x.aval.dtype }, &[x.clone()]) } else { Ok(x.clone()) }
}

/// Transposed and conjugated.
pub fn adjoint(cx: &Engine, x: &Val) -> Step<Val> {
    conjugate(cx, &transposed(cx, x)?)
}

/// The real part; real numbers as they are.
pub fn real_part(cx: &Engine, x: &Val) -> Step<Val> {
    if x.aval.dtype.is_complex() { build::real(cx, x) } else { Ok(x.clone()) }
}

/// `rows + offset <op> columns` for a matrix of this size.
fn compare(cx: &Engine, size: [Dim; 2], offset: i64, equal: bool) -> Step<Val> {
    let rows = cx.bind1(Iota { dtype: DType::I32, shape: smallvec![size[0], size[1]], axis: 0 }, &[])?;
    let rows = build::add(cx, &rows, &build::scalar_like(cx, &rows, offset))?;
    let columns = cx.bind1(Iota { dtype: DType::I32, shape: smallvec![size[0], size[1]], axis: 1 }, &[])?;
    if equal { build::eq(cx, &rows, &columns) } else { build::ge(cx, &rows, &columns) }
}

fn last_two(x: &Val) -> [Dim; 2] {
    let rank = x.aval.rank();
    [x.aval.shape[rank - 2], x.aval.shape[rank - 1]]
}

/// The lower triangle, from diagonal `k` on.
pub fn tril(cx: &Engine, x: &Val, k: i64) -> Step<Val> {
    let mask = compare(cx, last_two(x), k, false)?;
    let mask = build::broadcast(cx, &mask, &x.aval.shape[..x.aval.rank() - 2])?;
    build::select(cx, &mask, x, &build::full_like(cx, &x.aval, 0i64)?)
}

/// The upper triangle, from diagonal `k` on.
pub fn triu(cx: &Engine, x: &Val, k: i64) -> Step<Val> {
    let mask = compare(cx, last_two(x), k - 1, false)?;
    let mask = build::broadcast(cx, &mask, &x.aval.shape[..x.aval.rank() - 2])?;
    build::select(cx, &mask, &build::full_like(cx, &x.aval, 0i64)?, x)
}

/// The identity matrix.
pub fn eye(cx: &Engine, dtype: DType, n: Dim) -> Step<Val> {
    build::convert_element_type(cx, &compare(cx, [n, n], 0, true)?, dtype)
}

/// A matrix with leading axes of size 1 up to this rank.
pub fn with_rank(cx: &Engine, x: &Val, rank: usize) -> Step<Val> {
    if rank <= x.aval.rank() {
        return Ok(x.clone());
    }
    let axes: Vec<usize> = (0..rank - x.aval.rank()).collect();
    build::expand_dims(cx, x, &axes)
}

/// A row for each item of a batch: `x[..., None, :]`.
pub fn as_row(cx: &Engine, x: &Val) -> Step<Val> {
    build::expand_dims(cx, x, &[x.aval.rank() - 1])
}

/// A column for each item of a batch: `x[..., None]`.
pub fn as_column(cx: &Engine, x: &Val) -> Step<Val> {
    build::expand_dims(cx, x, &[x.aval.rank()])
}

fn product(cx: &Engine, x: &Val, y: &Val, precision: Precision, preferred: Option<DType>) -> Step<Val> {
    let rank = x.aval.rank() as i64;
    let batch: Ints = (0..rank - 2).collect();
    let dims = DotDims {
        lhs_contract: smallvec![rank - 1],
        rhs_contract: smallvec![rank - 2],
        lhs_batch: batch.clone(),
        rhs_batch: batch,
    };
    cx.bind1(DotGeneral { dims, precision, preferred }, &[x.clone(), y.clone()])
}

fn highest() -> Precision {
    Precision::Pair("HIGHEST".into(), "HIGHEST".into())
}

/// `lax.dot` and `lax.batch_matmul` with the highest precision.
pub fn dot(cx: &Engine, x: &Val, y: &Val) -> Step<Val> {
    product(cx, x, y, highest(), None)
}

/// The operator `@` with the highest precision.
pub fn matmul_highest(cx: &Engine, x: &Val, y: &Val) -> Step<Val> {
    product(cx, x, y, highest(), Some(x.aval.dtype))
}

/// The operator `@`.
pub fn matmul(cx: &Engine, x: &Val, y: &Val) -> Step<Val> {
    product(cx, x, y, Precision::Default, Some(x.aval.dtype))
}

/// `i` with negative indices counted from the end, as indexing does although there are none.
fn wrapped(cx: &Engine, i: &Val, size: Dim) -> Step<Val> {
    let negative = build::lt(cx, i, &build::scalar_like(cx, i, 0i64))?;
    let from_end = build::add(cx, i, &build::scalar_like(cx, i, size.get()? as i64))?;
    build::select(cx, &negative, &from_end, i)
}

/// The index vectors `(i, i)` of a diagonal, and what their axes are for arrays with this many batch axes.
fn diagonal(cx: &Engine, i: &Val, sizes: [Dim; 2], batch: usize) -> Step<(Val, WindowDims)> {
    let rows = wrapped(cx, i, sizes[0])?;
    let columns = wrapped(cx, i, sizes[1])?;
    let parts = [as_column(cx, &rows)?, as_column(cx, &columns)?];
    let axes: Ints = smallvec![batch as i64, batch as i64 + 1];
    let dims = WindowDims {
        offset: (0..batch as i64).collect(),
        collapsed: axes.clone(),
        start_map: axes,
        ..WindowDims::default()
    };
    Ok((build::concatenate(cx, &parts, 1)?, dims))
}

/// The diagonal of each matrix.
pub fn extract_diagonal(cx: &Engine, x: &Val) -> Step<Val> {
    let (sizes, batch) = (last_two(x), x.aval.rank() - 2);
    let i = cx.bind1(Iota { dtype: DType::I32, shape: smallvec![sizes[0].min(sizes[1])], axis: 0 }, &[])?;
    let (indices, dims) = diagonal(cx, &i, sizes, batch)?;
    let mut slices: Shape = x.aval.shape[..batch].into();
    slices.extend([Dim::from(1usize), Dim::from(1usize)]);
    cx.bind1(Gather::new(dims, slices, Mode::PromiseInBounds), &[x.clone(), indices])
}

/// Matrices with these diagonals, zero elsewhere.
pub fn construct_diagonal(cx: &Engine, s: &Val) -> Step<Val> {
    let batch = s.aval.rank() - 1;
    let n = s.aval.shape[batch];
    let i = cx.bind1(Iota { dtype: DType::I32, shape: smallvec![n], axis: 0 }, &[])?;
    let mut shape = s.aval.shape.clone();
    shape.push(n);
    let zeros = build::full(cx, s.aval.dtype, &shape, 0i64)?;
    let (indices, dims) = diagonal(cx, &i, [n, n], batch)?;
    cx.bind1(Scatter::new(Combine::Set, dims, Mode::FillOrDrop), &[zeros, indices, s.clone()])
}

/// Any elementwise operation with a number to the left: `1 / x`, `0.5 * x`.
pub fn with_number(cx: &Engine, operation: fn(&Engine, &Val, &Val) -> Step<Val>, number: f64, x: &Val) -> Step<Val> {
    operation(cx, &build::scalar_like(cx, x, number), x)
}

/// Converted to another type, if it is not of it.
pub fn astype(cx: &Engine, x: &Val, dtype: DType) -> Step<Val> {
    build::convert_element_type(cx, x, dtype)
}
