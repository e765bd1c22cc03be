//! `cholesky`

use std::rc::Rc;

use jitlens_kernels::linalg::factor;
use smallvec::{SmallVec, smallvec};

use super::matrices::{dot, eye, tril, with_number, with_rank};
use super::triangular_solve::TriangularSolve;
use super::{NotANumber, check_dtypes, check_square, in_front, item, scalar_type, sizes, split, tensor};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Params, Primitive, Tangents, build, rules};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// `cholesky`: the lower triangle of the result is the factor, the upper one that of the input.
#[derive(Copy, Clone, Debug)]
pub struct Cholesky;

impl Cholesky {
    /// From keyword parameters: there are none.
    ///
    /// # Errors
    /// None.
    pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Cholesky))
    }
}

impl Primitive for Cholesky {
    fn name(&self) -> &'static str {
        "cholesky"
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (_, parts) = split("cholesky", &[2], inputs)?;
        check_square(&parts[0], |shape| format!("The input to cholesky must be a square matrix. Got shape {shape}."))?;
        check_dtypes("cholesky", inputs)?;
        Ok(smallvec![inputs[0].clone()])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, n, _) = sizes(&inputs[0]);
        scalar_type!(inputs[0].dtype, T => {
            let values = inputs[0].expect::<T>()?;
            let mut out = Vec::with_capacity(values.len());
            for i in 0..batch.iter().product() {
                let mut a = item(values, i, n * n).to_vec();
                if !factor::cholesky(&mut a, n) {
                    a.fill(T::NAN);
                }
                out.append(&mut a);
            }
            Ok(smallvec![tensor(&batch, &[n, n], out)])
        })
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        super::has_two_axes(&primals[0], "ValueError")?;
        let l = tril(cx, &cx.bind1(*self, primals)?, 0)?;
        let dx = build::instantiate(cx, &tangents[0], &primals[0].aval)?;
        let solve = TriangularSolve { lower: true, ..TriangularSolve::default() };
        let complex = l.aval.dtype.is_complex();
        let right = TriangularSolve { transpose: true, conjugate: complex, ..solve };
        let half = cx.bind1(right, &[l.clone(), dx])?;
        let both = cx.bind1(TriangularSolve { left: true, ..solve }, &[l.clone(), half])?;
        let lower = tril(cx, &both, 0)?;
        let n = lower.aval.shape[lower.aval.rank() - 1];
        let weights = with_number(cx, build::add, 1.0, &eye(cx, lower.aval.dtype, n)?)?;
        let phi = build::div(cx, &lower, &with_rank(cx, &weights, lower.aval.rank())?)?;
        let dl = dot(cx, &l, &phi)?;
        Ok((smallvec![l], smallvec![Some(dl)]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok(rules::batched(cx.bind1(*self, &inputs)?, 0))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 1)
    }
}
