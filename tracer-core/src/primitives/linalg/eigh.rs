//! `eigh`: eigenvalues and eigenvectors of Hermitian matrices.

use std::rc::Rc;

use jitlens_kernels::linalg::eigen;
use num_complex::Complex;
use smallvec::{SmallVec, smallvec};

use super::matrices::{adjoint, as_column, as_row, astype, dot, extract_diagonal, eye, real_part, with_rank};
use super::{check_dtypes, fronts, in_front, item, real, result, sizes, split, tensor};
use crate::array::{Aval, DType, Dim, Tensor, shape_tuple};
use crate::primitives::{Avals, Dims, Param, ParamValue, Params, Primitive, Tangents, build, repr};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `eigh`: eigenvectors, then eigenvalues, ascending.
#[derive(Clone, Debug)]
pub struct Eigh {
    /// Whether the lower triangle counts.
    pub lower: bool,
    /// Whether eigenvalues have to be sorted. Here they always are.
    pub sort: bool,
    /// Only these of them.
    pub subset: Option<(i64, i64)>,
    /// The algorithm, as it prints.
    pub algorithm: ParamValue,
}

impl Eigh {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let subset = match params.get("subset_by_index") {
            None => None,
            Some(_) => match params.ints("subset_by_index")?[..] {
                [from, to] => Some((from, to)),
                _ => return Err(Halt::unknown("an odd `subset_by_index` of `eigh`")),
            },
        };
        Ok(Rc::new(Eigh {
            lower: params.flag("lower")?,
            sort: params.flag("sort_eigenvalues")?,
            subset,
            algorithm: params.get("algorithm").cloned().unwrap_or(ParamValue::None),
        }))
    }
}

/// How a range of indices prints.
pub(super) fn show_subset(subset: Option<(i64, i64)>) -> String {
    repr::option(subset.map(|(from, to)| repr::tuple([from, to])))
}

impl Primitive for Eigh {
    fn name(&self) -> &'static str {
        "eigh"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("algorithm", Param::Text(repr::value(&self.algorithm))),
            ("lower", Param::Text(repr::flag(self.lower).into())),
            ("sort_eigenvalues", Param::Text(repr::flag(self.sort).into())),
            ("subset_by_index", Param::Text(show_subset(self.subset))),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split("eigh", &[2], inputs)?;
        let n = parts[0][0];
        if !n.same(parts[0][1])? {
            return Err(Halt::value_error(format!(
                "Argument to symmetric eigendecomposition must have shape [..., n, n], got shape {}",
                shape_tuple(&parts[0])
            )));
        }
        check_dtypes("eigh", inputs)?;
        let count = self.subset.map_or(n, |(from, to)| Dim::from(to - from));
        let (dtype, weak) = (inputs[0].dtype, inputs[0].weak);
        Ok(smallvec![result(dtype, &batch, &[n, count], weak), result(real(dtype), &batch, &[count], weak)])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, n, _) = sizes(&inputs[0]);
        if self.subset.is_some_and(|subset| subset != (0, n as i64)) {
            return Err(Halt::raise("NotImplementedError", "subset_by_index not supported on CPU and GPU"));
        }
        let dtype = inputs[0].dtype;
        let count = batch.iter().product();
        let (vectors, values) = if dtype.is_complex() {
            let (vectors, values) = self.all(inputs[0].convert(DType::C128).expect::<Complex<f64>>()?, count, n);
            (tensor(&batch, &[n, n], vectors), values)
        } else {
            let (vectors, values) = self.all(inputs[0].convert(DType::F64).expect::<f64>()?, count, n);
            (tensor(&batch, &[n, n], vectors), values)
        };
        Ok(smallvec![vectors.convert(dtype), tensor(&batch, &[n], values).convert(real(dtype))])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        super::has_two_axes(&primals[0], "TypeError")?;
        let a = &primals[0];
        let n = a.aval.shape[a.aval.rank() - 1];
        if self.subset.is_some_and(|(from, to)| from != 0 || n.known() != usize::try_from(to).ok()) {
            return Err(Halt::raise("NotImplementedError", "Derivatives not defined for partial eigen decomposition."));
        }
        let da = build::instantiate(cx, &tangents[0], &a.aval)?;
        let twice = build::add(cx, a, &adjoint(cx, a)?)?;
        let symmetric = build::div(cx, &twice, &build::scalar_like(cx, &twice, 2i64))?;
        let out = cx.bind(Rc::new(self.clone()), &[symmetric])?;
        let v = &out[0];
        let w = astype(cx, &out[1], a.aval.dtype)?;
        let one = eye(cx, a.aval.dtype, n)?;
        let (row, column) = (as_row(cx, &w)?, as_column(cx, &w)?);
        let one = with_rank(cx, &one, row.aval.rank())?;
        let gaps = build::sub(cx, &build::add(cx, &one, &row)?, &column)?;
        let f = build::sub(cx, &build::reciprocal(cx, &gaps)?, &one)?;
        let inner = dot(cx, &dot(cx, &adjoint(cx, v)?, &da)?, v)?;
        let dv = dot(cx, v, &build::mul(cx, &f, &inner)?)?;
        let dw = extract_diagonal(cx, &real_part(cx, &inner)?)?;
        Ok((out, smallvec![Some(dv), Some(dw)]))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(self.clone()), &inputs)?, fronts(2)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 12)
    }
}

impl Eigh {
    /// Eigenvectors and eigenvalues of so many matrices; NaN where they are not found.
    fn all<T: eigen::Double>(&self, values: &[T], count: usize, n: usize) -> (Vec<T>, Vec<f64>) {
        let (mut vectors, mut out) = (Vec::with_capacity(values.len()), Vec::new());
        for i in 0..count {
            let a = item(values, i, n * n);
            let half = |i: usize, j: usize| {
                let given = if self.lower { i >= j } else { i <= j };
                if i == j {
                    T::from_real(a[i * n + i].real())
                } else if given {
                    a[i * n + j]
                } else {
                    a[j * n + i].conjugate()
                }
            };
            let whole: Vec<T> = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| half(i, j)).collect();
            let found = eigen::hermitian(&whole, n);
            let (mut w, mut v) = found.unwrap_or_else(|| (vec![f64::NAN; n], vec![T::from_real(f64::NAN); n * n]));
            out.append(&mut w);
            vectors.append(&mut v);
        }
        (vectors, out)
    }
}
