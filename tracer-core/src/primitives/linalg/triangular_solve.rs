//! `triangular_solve`

use std::rc::Rc;

use jitlens_kernels::linalg::solve::{Triangle, triangular};
use smallvec::{SmallVec, smallvec};

use super::matrices::{conjugate, dot, transposed, tril, triu};
use super::{check_dtypes, check_square, in_front, item, scalar_type, sizes, split};
use crate::array::{Aval, DType, Shape, Tensor, shape_tuple};
use crate::primitives::{Avals, Dims, Operand, Param, Params, Primitive, Tangents, build, repr, rules};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `triangular_solve`: `x` in `op(a) x = b`, or in `x op(a) = b`.
#[derive(Copy, Clone, Debug, Default)]
pub struct TriangularSolve {
    /// Whether the matrix is to the left of what is sought.
    pub left: bool,
    /// Whether its lower triangle counts.
    pub lower: bool,
    /// Transposed.
    pub transpose: bool,
    /// Conjugated.
    pub conjugate: bool,
    /// With ones for its diagonal.
    pub unit: bool,
}

impl TriangularSolve {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(TriangularSolve {
            left: params.flag("left_side")?,
            lower: params.flag("lower")?,
            transpose: params.flag("transpose_a")?,
            conjugate: params.flag("conjugate_a")?,
            unit: params.flag("unit_diagonal")?,
        }))
    }

    /// The part of the tangent that comes from the matrix.
    fn by_matrix(&self, cx: &Engine, da: &Val, x: &Val, a: &Val) -> Step<Val> {
        let k = i64::from(self.unit);
        let mut da = if self.lower { tril(cx, da, -k)? } else { triu(cx, da, k)? };
        da = build::neg(cx, &da)?;
        if self.transpose {
            da = transposed(cx, &da)?;
        }
        if self.conjugate {
            da = conjugate(cx, &da)?;
        }
        let inverse = |right: &Val| cx.bind1(*self, &[a.clone(), right.clone()]);
        let rank = x.aval.rank();
        let (m, n) = (x.aval.shape[rank - 2].get()?, x.aval.shape[rank - 1].get()?);
        // In the order that takes fewer operations.
        match (self.left, m.cmp(&n)) {
            (true, std::cmp::Ordering::Greater) => inverse(&dot(cx, &da, x)?),
            (true, _) => dot(cx, &inverse(&da)?, x),
            (false, std::cmp::Ordering::Less) => inverse(&dot(cx, x, &da)?),
            (false, _) => dot(cx, x, &inverse(&da)?),
        }
    }
}

impl Primitive for TriangularSolve {
    fn name(&self) -> &'static str {
        "triangular_solve"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("conjugate_a", Param::Text(repr::flag(self.conjugate).into())),
            ("left_side", Param::Text(repr::flag(self.left).into())),
            ("lower", Param::Text(repr::flag(self.lower).into())),
            ("transpose_a", Param::Text(repr::flag(self.transpose).into())),
            ("unit_diagonal", Param::Text(repr::flag(self.unit).into())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("triangular_solve", &[2, 2], inputs)?;
        let (a, b) = (&parts[0], &parts[1]);
        check_square(a, |shape| {
            format!("The first input to triangular_solve must be a square matrix. Got shape {shape}.")
        })?;
        if !a[1].same(if self.left { b[0] } else { b[1] })? {
            return Err(Halt::value_error(format!(
                "Incompatible shapes for arguments to triangular_solve: {} and {}.",
                shape_tuple(a),
                shape_tuple(b)
            )));
        }
        check_dtypes("triangular_solve", inputs)?;
        // JAX maps over the leading axes one by one.
        for (i, &size) in batch.iter().enumerate() {
            let other = inputs[1].shape[i];
            if !size.same(other)? {
                return Err(Halt::value_error(format!(
                    "Batching dimension 0_{i} corresponds to two sizes: {size} and {other}"
                )));
            }
        }
        let shape = batch.iter().chain(b).copied().collect();
        Ok(smallvec![Aval { dtype: inputs[0].dtype, shape, weak: inputs[0].weak && inputs[1].weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let [a, b] = inputs else { unreachable!("two inputs") };
        if a.dtype.narrow().is_some_and(|narrow| !narrow.has_nan()) {
            return Err(Halt::unknown(format!("a quotient of {}, which has no NaN", a.dtype)));
        }
        if a.dtype.is_inexact() && a.dtype.bits() < 32 {
            let wide = self.eval(&[a.convert(DType::F32), b.convert(DType::F32)])?;
            return Ok(wide.iter().map(|x| x.convert(a.dtype)).collect());
        }
        let (batch, n, _) = sizes(a);
        let rank = b.shape.len();
        let swap: SmallVec<[usize; 4]> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
        // `x op(a) = b` is `op(a)ᵀ xᵀ = bᵀ`.
        let right = if self.left { b.clone() } else { b.permute(&swap) };
        let (_, _, k) = sizes(&right);
        let transpose = self.transpose == self.left;
        let how = Triangle { lower: self.lower, transpose, conjugate: self.conjugate, unit: self.unit };
        let out = scalar_type!(a.dtype, T => {
            let (matrices, mut out) = (a.expect::<T>()?, right.expect::<T>()?.to_vec());
            for i in 0..batch.iter().product() {
                triangular(item(matrices, i, n * n), &mut out[i * n * k..(i + 1) * n * k], n, k, how);
            }
            Ok(Tensor::new(right.shape.clone(), out))
        })?;
        Ok(smallvec![if self.left { out } else { out.permute(&swap) }])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let (a, b) = (&primals[0], &primals[1]);
        let x = cx.bind1(*self, &[a.clone(), b.clone()])?;
        let first = tangents[0].as_ref().map(|da| self.by_matrix(cx, da, &x, a)).transpose()?;
        let second = tangents[1].as_ref().map(|db| cx.bind1(*self, &[a.clone(), db.clone()])).transpose()?;
        Ok((smallvec![x], smallvec![build::add_tangents(cx, first, second)?]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let (Some(ct), Operand::Known(a)) = (&cotangents[0], &inputs[0]) else {
            return Err(Halt::unknown("no transpose rule of `triangular_solve` for its matrix"));
        };
        let solve = TriangularSolve { transpose: !self.transpose, ..*self };
        Ok(smallvec![None, Some(cx.bind1(solve, &[a.clone(), ct.clone()])?)])
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (None, Some(dim)) = (dims[0], dims[1]) else {
            let inputs = in_front(cx, inputs, dims)?;
            return Ok(rules::batched(cx.bind1(*self, &inputs)?, 0));
        };
        // One matrix for all: its right sides side by side.
        let rank = inputs[1].aval.rank();
        if rank < 2 {
            return Err(Halt::value_error("axis -2 is out of bounds for array of dimension 1"));
        }
        if rank < 3 {
            return Err(Halt::raise("IndexError", "tuple index out of range"));
        }
        let at = if self.left { rank - 1 } else { rank - 2 };
        let b = build::move_axis(cx, &inputs[1], dim, at)?;
        let shape = b.aval.shape.clone();
        let merged = if self.left { rank - 2 } else { rank - 3 };
        let mut flat: Shape = shape.clone();
        let extra = flat.remove(merged + 1);
        flat[merged] = flat[merged] * extra;
        let out = cx.bind1(*self, &[inputs[0].clone(), build::reshape(cx, &b, &flat)?])?;
        Ok(rules::batched(build::reshape(cx, &out, &shape)?, at))
    }

    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        let n = inputs[0].shape.last().and_then(|n| n.known()).unwrap_or(0) as u64;
        n.saturating_mul(outputs[0].size().unwrap_or(0) as u64)
    }
}
