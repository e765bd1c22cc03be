//! The less common primitives of LAPACK: `schur`, `hessenberg`, `tridiagonal`, `geqp3`, `ormqr`, `symmetric_product`,
//! `cholesky_update`. A Schur form is not unique: which one LAPACK finds hangs on its steps, so it has no numbers here.

use std::rc::Rc;

use jitlens_kernels::linalg::reduced;
use num_traits::Zero;
use smallvec::{SmallVec, smallvec};

use super::{check_dtypes, check_square, fronts, in_front, item, real, result, scalar_type, sizes, split, tensor};
use crate::array::{Aval, Dim, Tensor, shape_tuple};
use crate::primitives::{Avals, Dims, Param, ParamValue, Params, Primitive, repr, rules};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// One of these primitives, with its parameters as they print.
#[derive(Clone, Debug)]
pub struct Reduction {
    name: &'static str,
    params: Vec<(&'static str, ParamValue)>,
}

/// Names, and the parameters of each.
const PARAMS: &[(&str, &[&str])] = &[
    ("cholesky_update", &[]),
    ("geqp3", &["use_magma"]),
    ("hessenberg", &[]),
    ("ormqr", &["left", "transpose"]),
    ("schur", &["compute_schur_vectors", "select_callable", "sort_eig_vals"]),
    ("symmetric_product", &["alpha", "beta"]),
    ("tridiagonal", &["lower"]),
];

impl Reduction {
    /// From keyword parameters.
    ///
    /// # Errors
    /// None.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let known = PARAMS.iter().find(|(name, _)| *name == params.primitive).map_or(&[][..], |(_, known)| known);
        let one = |name: &&'static str| (*name, params.get(name).cloned().unwrap_or(ParamValue::None));
        Ok(Rc::new(Reduction { name: params.primitive, params: known.iter().map(one).collect() }))
    }

    fn flag(&self, name: &str) -> bool {
        self.params.iter().any(|(known, value)| *known == name && value.as_int() == Some(1))
    }

    /// A real parameter.
    fn number(&self, name: &str) -> Option<f64> {
        let (_, value) = self.params.iter().find(|(known, _)| *known == name)?;
        match value {
            ParamValue::Float(x) => Some(*x),
            other => other.as_int().map(|x| x as f64),
        }
    }

    /// How many axes of each input are not of the batch.
    fn ranks(&self) -> &'static [usize] {
        match self.name {
            "cholesky_update" | "geqp3" => &[2, 1],
            "ormqr" => &[2, 1, 2],
            "symmetric_product" => &[2, 2],
            _ => &[2],
        }
    }
}

impl Primitive for Reduction {
    fn name(&self) -> &'static str {
        self.name
    }

    fn multiple_results(&self) -> bool {
        matches!(self.name, "geqp3" | "hessenberg" | "schur" | "tridiagonal")
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        self.params.iter().map(|(name, value)| (*name, Param::Text(repr::value(value)))).collect()
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (batch, parts) = split(self.name, self.ranks(), inputs)?;
        let (a, one) = (&parts[0], Dim::from(1usize));
        let (dtype, weak) = (inputs[0].dtype, inputs.iter().all(|aval| aval.weak));
        let out = |axes: &[Dim]| result(dtype, &batch, axes, weak);
        let outputs: Avals = match self.name {
            "schur" => {
                check_square(a, |shape| format!("The input to schur must be a square matrix. Got shape {shape}."))?;
                let count = if self.flag("compute_schur_vectors") { 2 } else { 1 };
                (0..count).map(|_| out(a)).collect()
            }
            "hessenberg" => {
                check_square(a, |shape| {
                    format!("Argument to Hessenberg reduction must have shape [..., n, n], got shape {shape}")
                })?;
                smallvec![out(a), out(&[a[1] - one])]
            }
            "tridiagonal" => {
                if !a[0].same(a[1])? || a[1] == 0 {
                    let shape = shape_tuple(a);
                    return Err(Halt::value_error(format!(
                        "The input to tridiagonal must be a square matrix. Got shape {shape}."
                    )));
                }
                let real = |axes: &[Dim]| result(real(dtype), &batch, axes, weak);
                smallvec![out(a), real(&[a[0]]), real(&[a[0] - one]), out(&[a[0] - one])]
            }
            "geqp3" => {
                let pivots = result(inputs[1].dtype, &batch, &parts[1], weak);
                smallvec![out(a), pivots, out(&[a[0].min(a[1])])]
            }
            "ormqr" => {
                let (left, c) = (self.flag("left"), &parts[2]);
                if !c[usize::from(!left)].same(a[0])? {
                    let (side, what) = if left { ("True", "rows") } else { ("False", "columns") };
                    let tail = if left { "" } else { " has rows" };
                    return Err(Halt::value_error(format!(
                        "ormqr with left={side} expects c to have the same number of {what} as the Householder matrix \
                         a{tail}. Got a shape {} and c shape {}.",
                        shape_tuple(a),
                        shape_tuple(c)
                    )));
                }
                smallvec![out(c)]
            }
            "symmetric_product" => {
                let c = &parts[1];
                if !a[0].same(c[1])? || !c[0].same(c[1])? {
                    return Err(Halt::value_error(format!(
                        "symmetric_update expects a rectangular matrix of shape (m, n) and a square matrix of shape (n, n). \
                         Got shapes {} and {}.",
                        shape_tuple(a),
                        shape_tuple(c)
                    )));
                }
                smallvec![out(c)]
            }
            _ => {
                if !a[0].same(a[1])? || !parts[1][0].same(a[1])? {
                    return Err(Halt::value_error(format!(
                        "Rank-1 update to Cholesky decomposition takes a square matrix and a vector of the same size as \
                         input. Got shapes {} and {} instead",
                        shape_tuple(a),
                        shape_tuple(&parts[1])
                    )));
                }
                smallvec![out(a)]
            }
        };
        match self.name {
            "geqp3" => {
                let accepted = [rules::INEXACT, rules::INTEGER];
                rules::check_positions(self.name, &accepted, inputs, false)?;
            }
            "symmetric_product" | "cholesky_update" => {
                rules::check_positions(self.name, &[rules::FLOAT, rules::FLOAT], inputs, false)?;
                rules::check_same_dtypes(self.name, inputs)?;
            }
            _ => check_dtypes(self.name, inputs)?,
        }
        Ok(outputs)
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (batch, m, n) = sizes(&inputs[0]);
        let count: usize = batch.iter().product();
        scalar_type!(inputs[0].dtype, T => {
            let values = inputs[0].expect::<T>()?;
            let matrix = |i: usize| item(values, i, m * n).to_vec();
            match self.name {
                "hessenberg" => {
                    let (mut all, mut taus) = (Vec::new(), Vec::new());
                    for i in 0..count {
                        let mut a = matrix(i);
                        taus.append(&mut reduced::hessenberg(&mut a, n));
                        all.append(&mut a);
                    }
                    Ok(smallvec![tensor(&batch, &[n, n], all), tensor(&batch, &[n.saturating_sub(1)], taus)])
                }
                "tridiagonal" => {
                    let (mut all, mut diagonal, mut beside, mut taus) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
                    for i in 0..count {
                        let mut a = matrix(i);
                        let mut done = reduced::tridiagonal(&mut a, n, self.flag("lower"));
                        all.append(&mut a);
                        diagonal.append(&mut done.diagonal);
                        beside.append(&mut done.beside);
                        taus.append(&mut done.taus);
                    }
                    Ok(smallvec![
                        tensor(&batch, &[n, n], all),
                        tensor(&batch, &[n], diagonal),
                        tensor(&batch, &[n - 1], beside),
                        tensor(&batch, &[n - 1], taus)
                    ])
                }
                "geqp3" => {
                    if inputs[1].numbers().any(|number| number.truthy()) {
                        return Err(Halt::unknown("no `geqp3` with columns that stay in front"));
                    }
                    let (mut all, mut taus, mut orders) = (Vec::new(), Vec::new(), Vec::new());
                    for i in 0..count {
                        let mut a = matrix(i);
                        let (mut some, order) = reduced::pivoted(&mut a, m, n);
                        all.append(&mut a);
                        taus.append(&mut some);
                        orders.extend(order.into_iter().map(|j| j as i64 + 1));
                    }
                    let orders = tensor(&batch, &[n], orders).convert(inputs[1].dtype);
                    Ok(smallvec![tensor(&batch, &[m, n], all), orders, tensor(&batch, &[m.min(n)], taus)])
                }
                "ormqr" => {
                    let (_, rows, width) = sizes(&inputs[2]);
                    let (taus, c) = (inputs[1].expect::<T>()?, inputs[2].expect::<T>()?);
                    let k = inputs[1].shape.last().copied().unwrap_or(0);
                    let mut all = Vec::with_capacity(c.len());
                    for i in 0..count {
                        let mut c = item(c, i, rows * width).to_vec();
                        let how = (self.flag("left"), self.flag("transpose"));
                        if !c.is_empty() {
                            reduced::multiply((item(values, i, m * n), n), item(taus, i, k), &mut c, width, how);
                        }
                        all.append(&mut c);
                    }
                    Ok(smallvec![tensor(&batch, &[rows, width], all)])
                }
                "symmetric_product" => {
                    let c = inputs[1].expect::<T>()?;
                    let factor = |name| self.number(name).map(<T as num_traits::NumCast>::from);
                    let (Some(Some(alpha)), Some(Some(beta))) = (factor("alpha"), factor("beta")) else {
                        return Err(Halt::unknown("odd factors of `symmetric_product`"));
                    };
                    let mut all = Vec::with_capacity(c.len());
                    for i in 0..count {
                        let (a, c) = (item(values, i, m * n), item(c, i, m * m));
                        let row = |j: usize| &a[j * n..(j + 1) * n];
                        let dot = |j, k| row(j).iter().zip(row(k)).fold(T::zero(), |sum, (&x, &y)| sum + x * y);
                        let places = (0..m).flat_map(|j| (0..m).map(move |k| (j, k)));
                        all.extend(places.map(|(j, k)| alpha * dot(j, k) + beta * c[j * m + k]));
                    }
                    Ok(smallvec![tensor(&batch, &[m, m], all)])
                }
                "cholesky_update" => {
                    let z = inputs[1].expect::<T>()?;
                    let mut all = Vec::with_capacity(values.len());
                    for i in 0..count {
                        let (mut r, mut z) = (matrix(i), item(z, i, n).to_vec());
                        reduced::cholesky_update(&mut r, &mut z, n);
                        all.append(&mut r);
                    }
                    Ok(smallvec![tensor(&batch, &[n, n], all)])
                }
                _ => Err(Halt::unknown("a Schur form: which one is found hangs on the library's steps")),
            }
        })
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let inputs = in_front(cx, inputs, dims)?;
        let out = cx.bind(Rc::new(self.clone()), &inputs)?;
        let count = out.len();
        Ok((out, fronts(count)))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        super::cubic(inputs[0], 10)
    }
}
