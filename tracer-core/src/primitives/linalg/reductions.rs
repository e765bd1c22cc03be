//! Types of the less common primitives of LAPACK: `schur`, `hessenberg`, `tridiagonal`, `geqp3`, `ormqr`,
//! `symmetric_product`, `cholesky_update`. Their numbers are not computed.

use std::rc::Rc;

use smallvec::smallvec;

use super::{check_dtypes, check_square, fronts, in_front, real, result, split};
use crate::array::{Aval, Dim, shape_tuple};
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
            _ => check_dtypes(self.name, inputs)?,
        }
        Ok(outputs)
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
