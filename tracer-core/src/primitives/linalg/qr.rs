//! `qr`, and the two primitives that it is made of in LAPACK: `geqrf` and `householder_product`.

use std::rc::Rc;

use jitlens_kernels::linalg::{reduced, reflect};
use num_traits::{One, Zero};
use smallvec::{SmallVec, smallvec};

use super::lu;
use super::matrices::{adjoint, astype, eye, matmul, real_part, tril, with_rank};
use super::triangular_solve::TriangularSolve;
use super::{check_dtypes, fronts, in_front, item, result, scalar_type, sizes, split, tensor};
use crate::array::{Aval, DType, Dim, Shape, Tensor, shape_tuple};
use crate::primitives::sort::along_axis;
use crate::primitives::{Avals, Dims, Param, Params, Primitive, Tangents, build, missing, repr, rules};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `qr`
#[derive(Copy, Clone, Debug)]
pub struct Qr {
    /// All columns of the orthogonal factor, not only as many as there are of the input.
    pub full: bool,
    /// Columns exchanged, largest first.
    pub pivoting: bool,
}

impl Qr {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Qr { full: params.flag("full_matrices")?, pivoting: params.flag("pivoting")? }))
    }
}

impl Primitive for Qr {
    fn name(&self) -> &'static str {
        "qr"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("full_matrices", Param::Text(repr::flag(self.full).into())),
            ("pivoting", Param::Text(repr::flag(self.pivoting).into())),
            ("use_magma", Param::Text("None".into())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("qr", &[2], inputs)?;
        let (m, n) = (parts[0][0], parts[0][1]);
        check_dtypes("qr", inputs)?;
        let (dtype, weak) = (inputs[0].dtype, inputs[0].weak);
        let k = if self.full { m } else { m.min(n) };
        let mut out: Avals = smallvec![result(dtype, &batch, &[m, k], weak), result(dtype, &batch, &[k, n], weak)];
        if self.pivoting {
            out.push(result(DType::I32, &batch, &[n], weak));
        }
        Ok(out)
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        let k = if self.full { m } else { m.min(n) };
        scalar_type!(inputs[0].dtype, T => {
            let values = inputs[0].expect::<T>()?;
            let (mut qs, mut rs, mut orders) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..batch.iter().product() {
                let mut a = item(values, i, m * n).to_vec();
                let (taus, order) = match self.pivoting {
                    // Without elements nothing is in order, not even the order.
                    _ if m == 0 || n == 0 => (Vec::new(), vec![0; n]),
                    true => reduced::pivoted(&mut a, m, n),
                    false => (reflect::qr(&mut a, m, n), Vec::new()),
                };
                orders.extend(order.into_iter().map(|j| j as i32));
                let mut q = vec![T::zero(); m * k];
                for row in 0..m {
                    let width = n.min(k);
                    q[row * k..row * k + width].copy_from_slice(&a[row * n..row * n + width]);
                }
                if taus.is_empty() {
                    (0..m.min(k)).for_each(|row| q[row * k + row] = T::one());
                } else {
                    reflect::product(&mut q, &taus, m, k);
                }
                qs.append(&mut q);
                let upper = |row: usize, column: usize| if column < row { T::zero() } else { a[row * n + column] };
                rs.extend((0..k).flat_map(|row| (0..n).map(move |column| (row, column))).map(|(i, j)| upper(i, j)));
            }
            let mut out = smallvec![tensor(&batch, &[m, k], qs), tensor(&batch, &[k, n], rs)];
            if self.pivoting {
                out.push(tensor(&batch, &[n], orders));
            }
            Ok(out)
        })
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        super::has_two_axes(&primals[0], "ValueError")?;
        let out = cx.bind(Rc::new(*self), primals)?;
        let Some(dx) = &tangents[0] else { return Ok((out.clone(), out.iter().map(|_| None).collect())) };
        let (q, r, x) = (&out[0], &out[1], &primals[0]);
        let rank = dx.aval.rank();
        // The order is one of columns of one matrix: `dx[..., order]`.
        let moved = match out.get(2) {
            Some(order) if rank == 2 => {
                let order = build::broadcast_in_dim(cx, order, &dx.aval.shape, &[1])?;
                let indices = build::expand_dims(cx, &order, &[rank])?;
                cx.bind1(along_axis(&dx.aval.shape, 1, false), &[dx.clone(), indices])?
            }
            // Of a batch it takes the columns of all matrices for each of them, and so has too many axes.
            Some(_) => {
                let batch = rank - 2;
                return Err(Halt::type_error(format!(
                    "All inputs to triangular_solve must have the same number of batch dimensions, but got [{batch}, {}] batch \
                     dimensions for the inputs.",
                    2 * batch
                )));
            }
            None => dx.clone(),
        };
        let dx = &moved;
        let (m, n) = (dx.aval.shape[rank - 2].get()?, dx.aval.shape[rank - 1].get()?);
        let (dq, dr) = if m < n {
            // The square part gives the first factor, and so the rest of the second.
            let (r1, dx1) = (part(cx, r, 1, 0, m)?, part(cx, dx, 1, 0, m)?);
            let (x2, dx2) = (part(cx, x, 1, m, n)?, part(cx, dx, 1, m, n)?);
            let (dq, dr1) = thin(cx, q, &r1, &dx1)?;
            let dr2 = build::add(cx, &matmul(cx, &adjoint(cx, &dq)?, &x2)?, &matmul(cx, &adjoint(cx, q)?, &dx2)?)?;
            (dq, build::concatenate(cx, &[dr1, dr2], rank - 1)?)
        } else if self.full && m > n {
            full(cx, q, &part(cx, r, 2, 0, n)?, dx)?
        } else {
            thin(cx, q, r, dx)?
        };
        let mut all: Tangents = smallvec![Some(dq), Some(dr)];
        all.resize(out.len(), None);
        Ok((out, all))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        let out = cx.bind(Rc::new(*self), &inputs)?;
        let count = out.len();
        Ok((out, fronts(count)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 4)
    }
}

/// Some rows (axis 2, from the end) or columns (axis 1) of each matrix.
fn part(cx: &Engine, x: &Val, axis: usize, from: usize, to: usize) -> Step<Val> {
    let axis = x.aval.rank() - axis;
    let mut starts: Shape = x.aval.shape.iter().map(|_| Dim::from(0usize)).collect();
    let mut limits = x.aval.shape.clone();
    starts[axis] = Dim::from(from);
    limits[axis] = Dim::from(to);
    if from == 0 && limits == x.aval.shape {
        return Ok(x.clone());
    }
    build::slice(cx, x, &starts, &limits, None)
}

/// The tangents of both factors of matrices with more rows than columns, all columns of the first one: those that the input has none for
/// follow from the reflections that make it (arXiv 2409.13374, equations 32 and 33).
fn full(cx: &Engine, q: &Val, r: &Val, dx: &Val) -> Step<(Val, Val)> {
    let rank = dx.aval.rank();
    let (m, n) = (dx.aval.shape[rank - 2].get()?, dx.aval.shape[rank - 1].get()?);
    let (q_mn, q_mp) = (part(cx, q, 1, 0, n)?, part(cx, q, 1, n, m)?);
    let (dq_mn, dr_nn) = thin(cx, &q_mn, r, dx)?;
    let upper = |x: &Val| part(cx, x, 2, 0, n);
    let lower = |x: &Val| part(cx, x, 2, n, m);
    let one = with_rank(cx, &eye(cx, q.aval.dtype, Dim::from(n))?, rank)?;
    let shifted = build::sub(cx, &upper(&q_mn)?, &one)?;
    let z_adjoint = lu::solve(cx, &adjoint(cx, &shifted)?, &adjoint(cx, &lower(&q_mn)?)?)?;
    let z = adjoint(cx, &z_adjoint)?;
    let along = build::add(cx, &q_mn, &matmul(cx, &q_mp, &z)?)?;
    let across = build::sub(cx, &lower(&dq_mn)?, &matmul(cx, &z, &upper(&dq_mn)?)?)?;
    let turned = matmul(cx, &along, &adjoint(cx, &across)?)?;
    let dq_mp = build::sub(cx, &matmul(cx, &dq_mn, &z_adjoint)?, &turned)?;
    let mut rest = dr_nn.aval.shape.clone();
    rest[rank - 2] = Dim::from(m - n);
    let zeros = build::full(cx, dr_nn.aval.dtype, &rest, 0i64)?;
    Ok((build::concatenate(cx, &[dq_mn, dq_mp], rank - 1)?, build::concatenate(cx, &[dr_nn, zeros], rank - 2)?))
}

/// The tangents of both factors of matrices with at least as many rows as columns.
fn thin(cx: &Engine, q: &Val, r: &Val, dx: &Val) -> Step<(Val, Val)> {
    let right = cx.bind1(TriangularSolve::default(), &[r.clone(), dx.clone()])?;
    let inner = matmul(cx, &adjoint(cx, q)?, &right)?;
    let lower = tril(cx, &inner, -1)?;
    let skew = build::sub(cx, &lower, &adjoint(cx, &lower)?)?;
    let n = r.aval.shape[r.aval.rank() - 1];
    let one = with_rank(cx, &eye(cx, skew.aval.dtype, n)?, inner.aval.rank())?;
    // For complex numbers: what is imaginary on the diagonal.
    let real = astype(cx, &real_part(cx, &inner)?, inner.aval.dtype)?;
    let imaginary = build::mul(cx, &one, &build::sub(cx, &inner, &real)?)?;
    let skew = build::add(cx, &skew, &imaginary)?;
    let dq = build::add(cx, &matmul(cx, q, &build::sub(cx, &skew, &inner)?)?, &right)?;
    let dr = matmul(cx, &build::sub(cx, &inner, &skew)?, r)?;
    Ok((dq, dr))
}

/// `geqrf`: the triangular factor over the vectors of the reflections, and their factors.
#[derive(Copy, Clone, Debug)]
pub struct Geqrf;

impl Geqrf {
    /// From keyword parameters: there are none.
    ///
    /// # Errors
    /// None.
    pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Geqrf))
    }
}

impl Primitive for Geqrf {
    fn name(&self) -> &'static str {
        "geqrf"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("geqrf", &[2], inputs)?;
        check_dtypes("geqrf", inputs)?;
        let (dtype, weak) = (inputs[0].dtype, inputs[0].weak);
        Ok(smallvec![inputs[0].clone(), result(dtype, &batch, &[parts[0][0].min(parts[0][1])], weak)])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        scalar_type!(inputs[0].dtype, T => {
            let values = inputs[0].expect::<T>()?;
            let (mut out, mut taus) = (Vec::new(), Vec::new());
            for i in 0..batch.iter().product() {
                let mut a = item(values, i, m * n).to_vec();
                taus.append(&mut reflect::qr(&mut a, m, n));
                out.append(&mut a);
            }
            Ok(smallvec![tensor(&batch, &[m, n], out), tensor(&batch, &[m.min(n)], taus)])
        })
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(missing::jvp(self.name()))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(*self), &inputs)?, fronts(2)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 2)
    }
}

/// `householder_product`: the first columns of the product of reflections.
#[derive(Copy, Clone, Debug)]
pub struct HouseholderProduct;

impl HouseholderProduct {
    /// From keyword parameters: there are none.
    ///
    /// # Errors
    /// None.
    pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(HouseholderProduct))
    }
}

impl Primitive for HouseholderProduct {
    fn name(&self) -> &'static str {
        "householder_product"
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("householder_product", &[2, 1], inputs)?;
        let (m, n) = (parts[0][0], parts[0][1]);
        if m.at_least(n) == Some(false) {
            return Err(Halt::value_error(format!(
                "The first argument to householder_product must have at least as many rows as columns, got shape {}",
                shape_tuple(&parts[0])
            )));
        }
        if m.min(n).at_least(parts[1][0]) == Some(false) {
            return Err(Halt::value_error(
                "The second argument to householder_product must not have more rows than the minimum of the first \
                 argument's rows and columns.",
            ));
        }
        check_dtypes("householder_product", inputs)?;
        Ok(smallvec![result(inputs[0].dtype, &batch, &parts[0], inputs[0].weak && inputs[1].weak)])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        let count = *inputs[1].shape.last().unwrap_or(&0);
        scalar_type!(inputs[0].dtype, T => {
            let (values, taus) = (inputs[0].expect::<T>()?, inputs[1].expect::<T>()?);
            let mut out = Vec::with_capacity(values.len());
            for i in 0..batch.iter().product() {
                let mut a = item(values, i, m * n).to_vec();
                reflect::product(&mut a, item(taus, i, count), m, n);
                out.append(&mut a);
            }
            Ok(smallvec![tensor(&batch, &[m, n], out)])
        })
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(missing::jvp(self.name()))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok(rules::batched(cx.bind1(*self, &inputs)?, 0))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 2)
    }
}
