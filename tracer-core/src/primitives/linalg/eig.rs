//! `eig`: eigenvalues and eigenvectors of any square matrix.

use std::rc::Rc;

use jitlens_kernels::linalg::eigen::{self, Precision};
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::lu;
use super::matrices::{adjoint, as_column, as_row, astype, conjugate, dot, extract_diagonal, eye, with_rank};
use super::{check_dtypes, check_square, fronts, in_front, item, result, sizes, split, tensor};
use crate::array::{Aval, DType, Tensor};
use crate::primitives::reduce::ArgExtreme;
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
        let single = matches!(inputs[0].dtype, DType::F32 | DType::C64);
        let precision = if single { Precision::SINGLE } else { Precision::DOUBLE };
        let nan = Complex::new(f64::NAN, f64::NAN);
        let (mut all, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..batch.iter().product() {
            let found = match is_complex {
                true => eigen::general(item(wide.expect::<Complex<f64>>()?, i, n * n), n, &precision),
                false => eigen::real(item(wide.expect::<f64>()?, i, n * n), n, &precision),
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
        }
        super::has_two_axes(&primals[0], "TypeError")?;
        let da = build::instantiate(cx, &tangents[0], &primals[0].aval)?;
        let out = cx.bind(Rc::new(Eig { right: true, ..self.clone() }), primals)?;
        let w = &out[0];
        let da = astype(cx, &da, w.aval.dtype)?;
        if !self.left && !self.right {
            // The diagonal of v⁻¹ da v.
            let v = &out[1];
            let dw = extract_diagonal(cx, &lu::solve(cx, v, &dot(cx, &da, v)?)?)?;
            return Ok((smallvec![w.clone()], smallvec![Some(dw)]));
        }
        let right =
            out.last().filter(|_| out.len() > 1).ok_or_else(|| Halt::unknown("eigenvectors that are not there"))?;
        let (dw, dright) = derivatives(cx, w, right, &da)?;
        let (mut primals, mut tangents): (Vals, Tangents) = (smallvec![w.clone()], smallvec![Some(dw)]);
        if self.left {
            // Those of the adjoint.
            let (_, dleft) = derivatives(cx, &conjugate(cx, w)?, &out[1], &adjoint(cx, &da)?)?;
            primals.push(out[1].clone());
            tangents.push(Some(dleft));
        }
        if self.right {
            primals.push(right.clone());
            tangents.push(Some(dright));
        }
        Ok((primals, tangents))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(self.clone()), &inputs)?, fronts(self.count())))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 30)
    }
}

/// The tangents of eigenvalues `w` and of the eigenvectors `v` (columns), where no two eigenvalues are equal: perturbation theory gives those
/// of vectors but for a factor each, which LAPACK's choice fixes: a vector has length 1, and its largest component is real.
fn derivatives(cx: &Engine, w: &Val, v: &Val, da: &Val) -> Step<(Val, Val)> {
    let (rank, rows) = (v.aval.rank(), v.aval.rank() - 2);
    let n = v.aval.shape[rank - 1];
    let one = with_rank(cx, &eye(cx, w.aval.dtype, n)?, rank)?;
    let spread = |x: &Val| build::broadcast_like(cx, x, &v.aval.shape);
    let apart = build::sub(cx, &spread(&as_row(cx, w)?)?, &spread(&as_column(cx, w)?)?)?;
    let one = spread(&one)?;
    let factors = build::sub(cx, &build::reciprocal(cx, &build::add(cx, &one, &apart)?)?, &one)?;
    let turned = dot(cx, &lu::solve(cx, v, da)?, v)?;
    let dw = extract_diagonal(cx, &turned)?;
    let u = dot(cx, v, &build::mul(cx, &factors, &turned)?)?;
    let largest = ArgExtreme { min: false, axis: rows, index_dtype: DType::I32 };
    let largest = cx.bind1(largest, &[build::abs(cx, v)?])?;
    let places = build::iota(cx, DType::I32, &v.aval.shape, rows)?;
    let is_largest = build::eq(cx, &places, &spread(&build::expand_dims(cx, &largest, &[rows])?)?)?;
    let mask = astype(cx, &is_largest, v.aval.dtype)?;
    let summed = |x: &Val| build::reduce_sum(cx, x, &[rows]);
    let real = build::neg(cx, &build::real(cx, &summed(&build::mul(cx, &conjugate(cx, v)?, &u)?)?)?)?;
    let of_largest = |x: &Val| summed(&build::mul(cx, &mask, x)?);
    let turn = build::neg(cx, &build::imag(cx, &of_largest(&u)?)?)?;
    let imaginary = build::div(cx, &turn, &build::real(cx, &of_largest(v)?)?)?;
    let factor = build::expand_dims(cx, &build::complex(cx, &real, &imaginary)?, &[rows])?;
    let dv = build::add(cx, &u, &build::mul(cx, v, &spread(&factor)?)?)?;
    Ok((dw, dv))
}
