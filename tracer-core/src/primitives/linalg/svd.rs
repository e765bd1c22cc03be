//! `svd`: singular values and vectors.

use std::rc::Rc;

use jitlens_kernels::linalg::{eigen, singular};
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::eigh::show_subset;
use super::matrices::{
    adjoint, as_row, astype, construct_diagonal, extract_diagonal, eye, matmul_highest, real_part, transposed,
    with_number, with_rank,
};
use super::{check_dtypes, fronts, in_front, item, real, result, sizes, split, tensor};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::primitives::{Avals, Dims, Param, ParamValue, Params, Primitive, Tangents, build, repr};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `svd`: singular values, descending; then, if asked for, left vectors as columns and right ones as rows.
#[derive(Clone, Debug)]
pub struct Svd {
    /// All vectors, not only as many as values.
    pub full: bool,
    /// Whether vectors are asked for.
    pub vectors: bool,
    /// Only these of them.
    pub subset: Option<(i64, i64)>,
    /// The algorithm, as it prints.
    pub algorithm: ParamValue,
}

impl Svd {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let subset = match params.get("subset_by_index") {
            None => None,
            Some(_) => match params.ints("subset_by_index")?[..] {
                [from, to] => Some((from, to)),
                _ => return Err(Halt::unknown("an odd `subset_by_index` of `svd`")),
            },
        };
        Ok(Rc::new(Svd {
            full: params.flag("full_matrices")?,
            vectors: params.flag("compute_uv")?,
            subset,
            algorithm: params.get("algorithm").cloned().unwrap_or(ParamValue::None),
        }))
    }
}

impl Primitive for Svd {
    fn name(&self) -> &'static str {
        "svd"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("algorithm", Param::Text(repr::value(&self.algorithm))),
            ("compute_uv", Param::Text(repr::flag(self.vectors).into())),
            ("full_matrices", Param::Text(repr::flag(self.full).into())),
            ("subset_by_index", Param::Text(show_subset(self.subset))),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("svd", &[2], inputs)?;
        let (m, n) = (parts[0][0], parts[0][1]);
        let mut rank = m.min(n);
        if let Some((from, to)) = self.subset {
            if self.full && (from != 0 || Dim::from(to) != rank) {
                return Err(Halt::value_error("full_matrices and subset_by_index cannot both be set"));
            }
            rank = rank.min(Dim::from(to - from));
        }
        check_dtypes("svd", inputs)?;
        let (dtype, weak) = (inputs[0].dtype, inputs[0].weak);
        let mut out: Avals = smallvec![result(real(dtype), &batch, &[rank], weak)];
        if self.vectors {
            out.push(result(dtype, &batch, &[m, if self.full { m } else { rank }], weak));
            out.push(result(dtype, &batch, &[if self.full { n } else { rank }, n], weak));
        }
        Ok(out)
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        let k = m.min(n);
        if self.subset.is_some_and(|subset| subset != (0, k as i64)) {
            return Err(Halt::raise("NotImplementedError", "subset_by_index not implemented for CPU and GPU"));
        }
        let dtype = inputs[0].dtype;
        let count = batch.iter().product();
        let (left, right) = if self.full { (m, n) } else { (k, k) };
        let (values, u, v) = if dtype.is_complex() {
            let wide = inputs[0].convert(DType::C128);
            let (values, u, v) = self.all(wide.expect::<Complex<f64>>()?, count, m, n);
            (values, tensor(&batch, &[m, left], u), tensor(&batch, &[right, n], v))
        } else {
            let wide = inputs[0].convert(DType::F64);
            let (values, u, v) = self.all(wide.expect::<f64>()?, count, m, n);
            (values, tensor(&batch, &[m, left], u), tensor(&batch, &[right, n], v))
        };
        let mut out: SmallVec<[Tensor; 1]> = smallvec![tensor(&batch, &[k], values).convert(real(dtype))];
        if self.vectors {
            out.extend([u.convert(dtype), v.convert(dtype)]);
        }
        Ok(out)
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        super::has_two_axes(&primals[0], if self.full && self.vectors { "IndexError" } else { "TypeError" })?;
        let a = &primals[0];
        let da = build::instantiate(cx, &tangents[0], &a.aval)?;
        let out = cx.bind(Rc::new(Svd { full: false, vectors: true, ..self.clone() }), primals)?;
        let (m, n) = (a.aval.shape[a.aval.rank() - 2], a.aval.shape[a.aval.rank() - 1]);
        if self.vectors && self.full && m != n {
            return Err(Halt::raise(
                "NotImplementedError",
                "Singular value decomposition JVP not implemented for full matrices",
            ));
        }
        let (s, u, vt, dtype) = (&out[0], &out[1], &out[2], a.aval.dtype);
        let (ut, v) = (adjoint(cx, u)?, adjoint(cx, vt)?);
        let s_row = as_row(cx, s)?;
        let inner = matmul_highest(cx, &matmul_highest(cx, &ut, &da)?, &v)?;
        let ds = extract_diagonal(cx, &real_part(cx, &inner)?)?;
        if !self.vectors {
            return Ok((smallvec![s.clone()], smallvec![Some(ds)]));
        }
        let sums = build::add(cx, &s_row, &transposed(cx, &s_row)?)?;
        let gaps = build::mul(cx, &sums, &build::sub(cx, &s_row, &transposed(cx, &s_row)?)?)?;
        let one = eye(cx, s.aval.dtype, s.aval.shape[s.aval.rank() - 1])?;
        let one = with_rank(cx, &one, gaps.aval.rank())?;
        let f = build::sub(cx, &with_number(cx, build::div, 1.0, &build::add(cx, &gaps, &one)?)?, &one)?;
        let by_column = build::mul(cx, &astype(cx, &s_row, dtype)?, &inner)?;
        let by_row = build::mul(cx, &transposed(cx, &astype(cx, &s_row, dtype)?)?, &inner)?;

        let zero = build::eq(cx, s, &build::scalar_like(cx, s, 0i64))?;
        let zero = astype(cx, &zero, s.aval.dtype)?;
        let inverse = build::sub(cx, &with_number(cx, build::div, 1.0, &build::add(cx, s, &zero)?)?, &zero)?;
        let inverse = construct_diagonal(cx, &inverse)?;
        let skew = build::sub(cx, &inner, &adjoint(cx, &inner)?)?;
        let half = with_number(cx, build::mul, 0.5, &skew)?;
        let on_diagonal = build::mul(cx, &half, &astype(cx, &inverse, dtype)?)?;
        let even = build::add(cx, &by_column, &adjoint(cx, &by_column)?)?;
        let even = build::mul(cx, &astype(cx, &f, dtype)?, &even)?;
        let mut du = matmul_highest(cx, u, &build::add(cx, &even, &on_diagonal)?)?;
        let even = build::add(cx, &by_row, &adjoint(cx, &by_row)?)?;
        let even = build::mul(cx, &astype(cx, &f, dtype)?, &even)?;
        let mut dv = matmul_highest(cx, &v, &even)?;
        let (m, n) = (m.get()?, n.get()?);
        let rest = |x: &Val, basis: &Val, across: &Val| -> Step<Val> {
            let inside = matmul_highest(cx, basis, &matmul_highest(cx, across, x)?)?;
            build::div(cx, &build::sub(cx, x, &inside)?, &astype(cx, &s_row, dtype)?)
        };
        if m > n {
            du = build::add(cx, &du, &rest(&matmul_highest(cx, &da, &v)?, u, &ut)?)?;
        }
        if n > m {
            dv = build::add(cx, &dv, &rest(&matmul_highest(cx, &adjoint(cx, &da)?, u)?, &v, vt)?)?;
        }
        let dvt = adjoint(cx, &dv)?;
        Ok((out, smallvec![Some(ds), Some(du), Some(dvt)]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        let out = cx.bind(Rc::new(self.clone()), &inputs)?;
        let count = out.len();
        Ok((out, fronts(count)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 20)
    }
}

impl Svd {
    /// Values and vectors of so many matrices; NaN where they are not found.
    fn all<T: eigen::Double>(&self, values: &[T], count: usize, m: usize, n: usize) -> singular::Singular<T> {
        let k = m.min(n);
        let (left, right) = if self.full { (m, n) } else { (k, k) };
        let nan = T::from_real(f64::NAN);
        let (mut s, mut u, mut v) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            let found = singular::decompose(item(values, i, m * n), m, n, self.full);
            let (mut si, mut ui, mut vi) =
                found.unwrap_or_else(|| (vec![f64::NAN; k], vec![nan; m * left], vec![nan; right * n]));
            s.append(&mut si);
            u.append(&mut ui);
            v.append(&mut vi);
        }
        (s, u, v)
    }
}
