//! `lu` and `lu_pivots_to_permutation`

use std::rc::Rc;

use jitlens_kernels::linalg::factor;
use smallvec::{SmallVec, smallvec};

use super::matrices::{as_column, eye, matmul_highest, tril, triu};
use super::triangular_solve::TriangularSolve;
use super::{check_dtypes, fronts, in_front, item, result, scalar_type, sizes, split, tensor};
use crate::array::{Aval, DType, Dim, Shape, Tensor};
use crate::primitives::indexing::{Ints, Mode, WindowDims, integers};
use crate::primitives::sort::along_axis;
use crate::primitives::{Avals, Dims, Gather, Param, Params, Primitive, Tangents, build, rules};
use crate::python::{Halt, Step};
use crate::trace::{Axis, Engine, Val, Vals};
use crate::transforms::vmap;

/// `lu`: both factors in one matrix, the rows that were exchanged, and the order of rows that gives.
#[derive(Copy, Clone, Debug)]
pub struct Lu;

impl Lu {
    /// From keyword parameters: there are none.
    ///
    /// # Errors
    /// None.
    pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Lu))
    }
}

impl Primitive for Lu {
    fn name(&self) -> &'static str {
        "lu"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("lu", &[2], inputs)?;
        let (m, n) = (parts[0][0], parts[0][1]);
        check_dtypes("lu", inputs)?;
        let weak = inputs[0].weak;
        Ok(smallvec![
            inputs[0].clone(),
            result(DType::I32, &batch, &[m.min(n)], weak),
            result(DType::I32, &batch, &[m], weak),
        ])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        scalar_type!(inputs[0].dtype, T => {
            let values = inputs[0].expect::<T>()?;
            let (mut out, mut pivots, mut orders) = (Vec::with_capacity(values.len()), Vec::new(), Vec::new());
            for i in 0..batch.iter().product() {
                let mut a = item(values, i, m * n).to_vec();
                let exchanged = factor::lu(&mut a, m, n);
                orders.extend(factor::permutation(exchanged.iter().copied(), m));
                pivots.extend(exchanged.iter().map(|&row| row as i32));
                out.append(&mut a);
            }
            Ok(smallvec![
                tensor(&batch, &[m, n], out),
                tensor(&batch, &[m.min(n)], pivots),
                tensor(&batch, &[m], orders),
            ])
        })
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        super::has_two_axes(&primals[0], "AssertionError")?;
        let out = cx.bind(Rc::new(*self), primals)?;
        let Some(da) = &tangents[0] else { return Ok((out, smallvec![None, None, None])) };
        let tangent = over_batch(cx, &[out[0].clone(), da.clone(), out[2].clone()], da.aval.rank() - 2)?;
        Ok((out, smallvec![Some(tangent), None, None]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(*self), &inputs)?, fronts(3)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 1)
    }
}

/// [`tangent`] mapped over so many leading axes.
fn over_batch(cx: &Engine, inputs: &[Val], axes: usize) -> Step<Val> {
    if axes == 0 {
        return tangent(cx, &inputs[0], &inputs[1], &inputs[2]);
    }
    let axis = Axis { name: None, size: inputs[0].aval.shape[0], of_devices: false };
    let dims = [Some(0); 3];
    let (out, out_dims) = vmap::batch(cx, &axis, &|inputs| Ok(vec![over_batch(cx, inputs, axes - 1)?]), inputs, &dims)?;
    let placed = vmap::place(cx, &axis, &out[0], out_dims[0], Some(0))?;
    placed.ok_or_else(|| Halt::unknown("a batch without its axis"))
}

/// The tangent of both factors of one matrix.
fn tangent(cx: &Engine, lu: &Val, da: &Val, order: &Val) -> Step<Val> {
    let (rows, columns) = (da.aval.shape[0], da.aval.shape[1]);
    let (m, n) = (rows.get()?, columns.get()?);
    let (k, zero) = (m.min(n), build::unit_like(cx, &lu.aval, 0i64));
    let dtype = da.aval.dtype;
    let block = |limits: [usize; 2]| -> Step<Val> {
        if limits == [m, n] {
            return Ok(lu.clone());
        }
        let zeros: Shape = smallvec![Dim::from(0usize), Dim::from(0usize)];
        build::slice(cx, lu, &zeros, &limits.map(Dim::from), None)
    };
    let l = tril(cx, &block([m, k])?, -1)?;
    let l = build::pad(cx, &l, &zero, &[(0, 0, 0), (0, (m - k) as i64, 0)])?;
    let l = build::add(cx, &l, &eye(cx, dtype, rows)?)?;
    let corner = eye(cx, dtype, Dim::from(n - k))?;
    let corner = build::pad(cx, &corner, &zero, &[(k as i64, 0, 0), (k as i64, 0, 0)])?;
    let u = triu(cx, &block([k, n])?, 0)?;
    let u = build::pad(cx, &u, &zero, &[(0, (n - k) as i64, 0), (0, 0, 0)])?;
    let u = build::add(cx, &u, &corner)?;
    let da = rows_in_order(cx, da, order)?;
    let left = TriangularSolve { left: true, lower: true, unit: true, ..TriangularSolve::default() };
    let la = cx.bind1(left, &[l.clone(), da])?;
    let lau = cx.bind1(TriangularSolve::default(), &[u.clone(), la])?;
    let dl = matmul_highest(cx, &l, &tril(cx, &lau, -1)?)?;
    let du = matmul_highest(cx, &triu(cx, &lau, 0)?, &u)?;
    build::add(cx, &dl, &du)
}

/// `a[order]`
fn rows_in_order(cx: &Engine, a: &Val, order: &Val) -> Step<Val> {
    let negative = build::lt(cx, order, &build::scalar_like(cx, order, 0i64))?;
    let from_end = build::add(cx, order, &build::scalar_like(cx, order, a.aval.shape[0].get()? as i64))?;
    let order = as_column(cx, &build::select(cx, &negative, &from_end, order)?)?;
    let first: Ints = smallvec![0];
    let dims = WindowDims { offset: smallvec![1], collapsed: first.clone(), start_map: first, ..WindowDims::default() };
    let slices: Shape = smallvec![Dim::from(1usize), a.aval.shape[1]];
    cx.bind1(Gather::new(dims, slices, Mode::PromiseInBounds), &[a.clone(), order])
}

/// `lu_pivots_to_permutation`
#[derive(Copy, Clone, Debug)]
pub struct PivotsToPermutation {
    /// Elements of the result.
    pub size: usize,
}

impl PivotsToPermutation {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(PivotsToPermutation { size: params.index("permutation_size")? }))
    }
}

impl Primitive for PivotsToPermutation {
    fn name(&self) -> &'static str {
        "lu_pivots_to_permutation"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("permutation_size", Param::Text(self.size.to_string()))]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split(self.name(), &[1], inputs)?;
        let pivots = parts[0][0];
        if Dim::from(self.size).at_least(pivots) == Some(false) {
            return Err(Halt::value_error(format!(
                "Output permutation size {} has to exceed the trailing dimension of the pivots. Got pivots size {pivots}",
                self.size
            )));
        }
        let dtype = inputs[0].dtype;
        if dtype != DType::I32 {
            return Err(Halt::type_error(format!(
                "lu_pivots_to_permutation does not accept dtype {dtype} at position 0. Accepted dtypes at position 0 are \
                 subtypes of int32."
            )));
        }
        Ok(smallvec![result(dtype, &batch, &[Dim::from(self.size)], inputs[0].weak)])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let pivots = integers(&inputs[0])?;
        let (&count, batch) = inputs[0].shape.split_last().unwrap_or((&0, &[]));
        let orders = (0..batch.iter().product::<usize>()).flat_map(|i| {
            let exchanged = pivots[i * count..(i + 1) * count].iter().map(|&row| row as usize);
            factor::permutation(exchanged, self.size)
        });
        Ok(smallvec![tensor(batch, &[self.size], orders.collect())])
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok(rules::batched(cx.bind1(*self, &inputs)?, 0))
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, primals)
    }
}

/// `a⁻¹ b` by way of the LU factors.
pub(super) fn solve(cx: &Engine, a: &Val, b: &Val) -> Step<Val> {
    let out = cx.bind(Rc::new(Lu), &[a.clone()])?;
    let (lu, order) = (&out[0], &out[2]);
    // Rows in order: every column is read at the same positions.
    let rank = b.aval.rank();
    let axes: Vec<usize> = (0..rank - 1).collect();
    let positions = build::broadcast_in_dim(cx, order, &b.aval.shape, &axes)?;
    let indices = build::expand_dims(cx, &positions, &[rank])?;
    let b = cx.bind1(along_axis(&b.aval.shape, rank - 2, false), &[b.clone(), indices])?;
    let lower = TriangularSolve { left: true, lower: true, unit: true, ..TriangularSolve::default() };
    let b = cx.bind1(lower, &[lu.clone(), b])?;
    cx.bind1(TriangularSolve { left: true, ..TriangularSolve::default() }, &[lu.clone(), b])
}
