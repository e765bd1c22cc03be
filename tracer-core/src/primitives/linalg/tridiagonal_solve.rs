//! `tridiagonal_solve`

use std::rc::Rc;

use jitlens_kernels::linalg::solve::tridiagonal;
use smallvec::{SmallVec, smallvec};

use super::matrices::as_column;
use super::{NotANumber, check_dtypes, item, result, scalar_type, split};
use crate::array::{Aval, Dim, Shape, Tensor};
use crate::primitives::indexing::{Ints, Mode, WindowDims};
use crate::primitives::{
    Avals, Combine, Dims, Operand, Param, Params, Primitive, Scatter, Tangents, build, repr, rules,
};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `tridiagonal_solve`: of the lower, the middle and the upper diagonal and right sides.
#[derive(Copy, Clone, Debug)]
pub struct TridiagonalSolve {
    /// Whether singular systems are changed a little.
    pub perturb: bool,
}

impl TridiagonalSolve {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(TridiagonalSolve { perturb: params.flag("perturb_singular")? }))
    }
}

impl Primitive for TridiagonalSolve {
    fn name(&self) -> &'static str {
        "tridiagonal_solve"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("perturb_singular", Param::Text(repr::flag(self.perturb).into()))]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("tridiagonal_solve", &[1, 1, 1, 2], inputs)?;
        if !rules::same_shape(&parts[0], &parts[1])? || !rules::same_shape(&parts[0], &parts[2])? {
            return Err(Halt::type_error(
                "tridiagonal_solve requires that all diagonal arguments have the same shape.",
            ));
        }
        if !rules::same_shape(&parts[0], &parts[3][..1])? {
            return Err(Halt::type_error(
                "tridiagonal_solve requires that the leading ndim-1 dimensions of b equal the dimensions of the diagonal \
                 arguments.",
            ));
        }
        check_dtypes("tridiagonal_solve", inputs)?;
        Ok(smallvec![result(inputs[0].dtype, &batch, &parts[3], inputs.iter().all(|aval| aval.weak))])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let b = &inputs[3];
        let (batch, n, k) = super::sizes(b);
        if self.perturb {
            return Err(Halt::unknown("no evaluation of perturbed tridiagonal systems"));
        }
        scalar_type!(b.dtype, T => {
            let diagonals = [inputs[0].expect::<T>()?, inputs[1].expect::<T>()?, inputs[2].expect::<T>()?];
            let mut out = b.expect::<T>()?.to_vec();
            for i in 0..batch.iter().product() {
                let [lower, middle, upper] = diagonals.map(|values| item(values, i, n));
                let x = &mut out[i * n * k..(i + 1) * n * k];
                if !tridiagonal(lower, middle, upper, x, n, k) {
                    x.fill(T::NAN);
                }
            }
            Ok(smallvec![Tensor::new(b.shape.clone(), out)])
        })
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let x = cx.bind1(*self, primals)?;
        let rhs = if tangents[..3].iter().all(Option::is_none) {
            build::instantiate(cx, &tangents[3], &primals[3].aval)?
        } else {
            let diagonal = |i: usize| build::instantiate(cx, &tangents[i], &primals[i].aval);
            let moved = product(cx, [&diagonal(0)?, &diagonal(1)?, &diagonal(2)?], &x)?;
            let moved = build::neg(cx, &moved)?;
            match &tangents[3] {
                Some(db) => build::add_any(cx, db, &moved)?,
                None => moved,
            }
        };
        let inputs = [primals[0].clone(), primals[1].clone(), primals[2].clone(), rhs];
        let dx = cx.bind1(*self, &inputs)?;
        Ok((smallvec![x], smallvec![Some(dx)]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let (Some(ct), Operand::Known(dl), Operand::Known(d), Operand::Known(du)) =
            (&cotangents[0], &inputs[0], &inputs[1], &inputs[2])
        else {
            return Err(Halt::unknown("no transpose rule of `tridiagonal_solve` for its diagonals"));
        };
        let axis = d.aval.rank() - 1;
        let n = d.aval.shape[axis].get()?;
        let part = |x: &Val, from: usize, to: usize| build::slice_in_dim(cx, x, from, Dim::from(to), 1, axis);
        let zero = |x: &Val, at: usize| build::full_like(cx, &part(x, at, at + 1)?.aval, 0i64);
        let last = zero(du, n.saturating_sub(1))?;
        let lower = build::concatenate(cx, &[last, part(du, 0, n.saturating_sub(1))?], axis)?;
        let rest = part(dl, 1, n)?;
        let upper = build::concatenate(cx, &[rest, zero(dl, 0)?], axis)?;
        let solved = cx.bind1(*self, &[lower, d.clone(), upper, ct.clone()])?;
        Ok(smallvec![None, None, None, Some(solved)])
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let [None, None, None, Some(dim)] = dims else {
            let inputs = super::in_front(cx, inputs, dims)?;
            return Ok(rules::batched(cx.bind1(*self, &inputs)?, 0));
        };
        // One matrix for all: its right sides side by side.
        let rank = inputs[3].aval.rank();
        if rank < 2 {
            return Err(Halt::value_error("axis -2 is out of bounds for array of dimension 1"));
        }
        if rank < 3 {
            return Err(Halt::raise("IndexError", "tuple index out of range"));
        }
        let b = build::move_axis(cx, &inputs[3], *dim, rank - 2)?;
        let shape = b.aval.shape.clone();
        let mut flat = shape.clone();
        let last = flat.remove(rank - 1);
        flat[rank - 2] = flat[rank - 2] * last;
        let flat = build::reshape(cx, &b, &flat)?;
        let out = cx.bind1(*self, &[inputs[0].clone(), inputs[1].clone(), inputs[2].clone(), flat])?;
        Ok(rules::batched(build::reshape(cx, &out, &shape)?, rank - 2))
    }

    fn cost(&self, _: &[&Aval], outputs: &[Aval]) -> u64 {
        (outputs[0].size().unwrap_or(0) as u64).saturating_mul(10)
    }
}

/// The product of a tridiagonal matrix with a matrix.
fn product(cx: &Engine, [dl, d, du]: [&Val; 3], x: &Val) -> Step<Val> {
    let (rank, axis) = (x.aval.rank(), x.aval.rank() - 2);
    let n = x.aval.shape[axis].get()?;
    let mut shape: Shape = d.aval.shape.clone();
    shape.push(Dim::from(1usize));
    let mut y = build::mul(cx, &build::reshape(cx, d, &shape)?, x)?;
    let part = |x: &Val, from: usize, to: usize| build::slice_in_dim(cx, x, from, Dim::from(to), 1, axis);
    let last = n.saturating_sub(1);
    for (diagonal, rows, other, start) in [(dl, (1, n), (0, last), 1i32), (du, (0, last), (1, n), 0)] {
        let factors = as_column(cx, &part(diagonal, rows.0, rows.1)?)?;
        let update = build::mul(cx, &factors, &part(x, other.0, other.1)?)?;
        let index = build::broadcast(cx, &cx.constant(Tensor::scalar(start)), &[Dim::from(1usize)])?;
        let dims = WindowDims {
            offset: (0..rank as i64).collect::<Ints>(),
            start_map: smallvec![axis as i64],
            ..WindowDims::default()
        };
        let scatter = Scatter {
            indices_are_sorted: true,
            unique_indices: true,
            ..Scatter::new(Combine::Add, dims, Mode::FillOrDrop)
        };
        y = cx.bind1(scatter, &[y, index, update])?;
    }
    Ok(y)
}
