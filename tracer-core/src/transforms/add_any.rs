//! `add_any`: the sum of two tangents.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Dims, Operand, Params, Primitive, Tangents, from_params};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// The sum of two tangents.
#[derive(Debug)]
pub struct AddAny;

/// Makes it.
///
/// # Errors
/// None.
pub fn make(_: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(AddAny))
}

/// The sum of two tangents.
///
/// # Errors
/// None but a stop.
pub fn add(cx: &Engine, x: &Val, y: &Val) -> Step<Val> {
    cx.bind1(AddAny, &[x.clone(), y.clone()])
}

/// The sum of two tangents of which either may be zero.
///
/// # Errors
/// None but a stop.
pub fn sum(cx: &Engine, x: Option<Val>, y: Option<Val>) -> Step<Option<Val>> {
    match (x, y) {
        (Some(x), Some(y)) => add(cx, &x, &y).map(Some),
        (x, y) => Ok(x.or(y)),
    }
}

impl Primitive for AddAny {
    fn name(&self) -> &'static str {
        "add_any"
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(SmallVec::from_elem(inputs[0].clone(), 1))
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        from_params("add", [])?.eval(inputs)
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let result = cx.bind(Rc::new(AddAny), primals)?;
        let tangent = sum(cx, tangents[0].clone(), tangents[1].clone())?;
        Ok((result, SmallVec::from_elem(tangent, 1)))
    }
    fn transpose(&self, _: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        Ok(inputs.iter().map(|i| if i.is_linear() { cotangents[0].clone() } else { None }).collect())
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (mut x, mut y) = (inputs[0].clone(), inputs[1].clone());
        let dim = match (dims[0], dims[1]) {
            (Some(a), Some(b)) => {
                x = super::moveaxis(cx, &x, a, b)?;
                b
            }
            (None, Some(b)) => {
                x = super::vmap::insert(cx, &x, y.aval.shape[b].get()?, b)?;
                b
            }
            (Some(a), None) => {
                y = super::vmap::insert(cx, &y, x.aval.shape[a].get()?, a)?;
                a
            }
            (None, None) => return Ok((cx.bind(Rc::new(AddAny), inputs)?, Dims::from_elem(None, 1))),
        };
        Ok((cx.bind(Rc::new(AddAny), &[x, y])?, Dims::from_elem(Some(dim), 1)))
    }
}
