//! `eig`: eigenvalues and eigenvectors of any square matrix.

use std::rc::Rc;

use jitlens_kernels::linalg::eigen;
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::lu::Lu;
use super::matrices::{astype, dot, extract_diagonal};
use super::triangular_solve::TriangularSolve;
use super::{check_dtypes, check_square, fronts, in_front, item, result, sizes, split, tensor};
use crate::array::{Aval, DType, Tensor};
use crate::primitives::sort::along_axis;
use crate::primitives::{Avals, Dims, Param, ParamValue, Params, Primitive, Tangents, build, repr};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `eig`: eigenvalues, then left and right eigenvectors as columns, as far as asked for.
#[derive(Clone, Debug)]
pub struct Eig {
    /// Left eigenvectors too.
    pub left: bool,
    /// Right eigenvectors too.
    pub right: bool,
    /// Whether the program takes the assumptions of derivatives of eigenvectors on itself.
    pub derivatives: bool,
    /// The implementation, as it prints.
    pub implementation: ParamValue,
}

impl Eig {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Eig {
            left: params.flag("compute_left_eigenvectors")?,
            right: params.flag("compute_right_eigenvectors")?,
            derivatives: params.flag("enable_eigvec_derivs")?,
            implementation: params.get("implementation").cloned().unwrap_or(ParamValue::None),
        }))
    }

    fn count(&self) -> usize {
        1 + usize::from(self.left) + usize::from(self.right)
    }
}

/// The complex type of the same width.
fn complex(dtype: DType) -> DType {
    if matches!(dtype, DType::F64 | DType::C128) { DType::C128 } else { DType::C64 }
}

impl Primitive for Eig {
    fn name(&self) -> &'static str {
        "eig"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("compute_left_eigenvectors", Param::Text(repr::flag(self.left).into())),
            ("compute_right_eigenvectors", Param::Text(repr::flag(self.right).into())),
            ("enable_eigvec_derivs", Param::Text(repr::flag(self.derivatives).into())),
            ("implementation", Param::Text(repr::value(&self.implementation))),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("eig", &[2], inputs)?;
        let n = parts[0][0];
        check_square(&parts[0], |shape| format!("The input to eig must be a square matrix. Got shape {shape}."))?;
        check_dtypes("eig", inputs)?;
        let (dtype, weak) = (complex(inputs[0].dtype), inputs[0].weak);
        let mut out: Avals = smallvec![result(dtype, &batch, &[n], weak)];
        out.extend((1..self.count()).map(|_| result(dtype, &batch, &[n, n], weak)));
        Ok(out)
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, n, _) = sizes(&inputs[0]);
        let dtype = complex(inputs[0].dtype);
        let is_complex = inputs[0].dtype.is_complex();
        let wide = inputs[0].convert(if is_complex { DType::C128 } else { DType::F64 });
        let nan = Complex::new(f64::NAN, f64::NAN);
        let (mut all, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..batch.iter().product() {
            let found = match is_complex {
                true => eigen::general(item(wide.expect::<Complex<f64>>()?, i, n * n), n),
                false => eigen::real(item(wide.expect::<f64>()?, i, n * n), n),
            };
            let (mut w, mut l, mut r) = found.unwrap_or_else(|| (vec![nan; n], vec![nan; n * n], vec![nan; n * n]));
            all.append(&mut w);
            left.append(&mut l);
            right.append(&mut r);
        }
        let mut out: SmallVec<[Tensor; 1]> = smallvec![tensor(&batch, &[n], all).convert(dtype)];
        if self.left {
            out.push(tensor(&batch, &[n, n], left).convert(dtype));
        }
        if self.right {
            out.push(tensor(&batch, &[n, n], right).convert(dtype));
        }
        Ok(out)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        if self.left || self.right {
            if !self.derivatives {
                return Err(Halt::raise(
                    "NotImplementedError",
                    "Derivatives of non-symmetric eigenvectors are only valid under assumptions on the input that JAX \
                     cannot check (see the enable_eigvec_derivs argument to jax.lax.linalg.eig). Pass \
                     enable_eigvec_derivs=True to jax.lax.linalg.eig to opt in. See \
                     https://github.com/jax-ml/jax/issues/2748 for discussion.",
                ));
            }
            return Err(Halt::unknown("no differentiation rule of eigenvectors yet"));
        }
        super::has_two_axes(&primals[0], "TypeError")?;
        let da = build::instantiate(cx, &tangents[0], &primals[0].aval)?;
        let out = cx.bind(Rc::new(Eig { right: true, ..self.clone() }), primals)?;
        let (w, v) = (&out[0], &out[1]);
        // The diagonal of v⁻¹ da v.
        let right = dot(cx, &astype(cx, &da, v.aval.dtype)?, v)?;
        let dw = extract_diagonal(cx, &solve(cx, v, &right)?)?;
        Ok((smallvec![w.clone()], smallvec![Some(dw)]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(self.clone()), &inputs)?, fronts(self.count())))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 30)
    }
}

/// `a⁻¹ b` by way of the LU factors.
fn solve(cx: &Engine, a: &Val, b: &Val) -> Step<Val> {
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
