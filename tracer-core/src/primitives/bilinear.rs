//! Differentiation of what is linear in each of two inputs.

use std::rc::Rc;

use smallvec::smallvec;

use super::{Operand, Primitive, Tangents, build};
use crate::array::Aval;
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// The result and its tangent: the sum of the products with either tangent.
///
/// # Errors
/// As [`Engine::bind`].
pub fn jvp<P: Primitive + Clone>(cx: &Engine, primitive: &P, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
    let primitive: Rc<dyn Primitive> = Rc::new(primitive.clone());
    let out = cx.bind(primitive.clone(), x)?;
    let product = |inputs: [&Val; 2]| -> Step<Option<Val>> {
        Ok(cx.bind(primitive.clone(), &inputs.map(Val::clone))?.into_iter().next())
    };
    let left = t[0].as_ref().map_or(Ok(None), |t| product([t, &x[1]]))?;
    let right = t[1].as_ref().map_or(Ok(None), |t| product([&x[0], t]))?;
    Ok((out, smallvec![build::add_tangents(cx, left, right)?]))
}

/// The cotangent of the one linear input, by the rule of that side: given the result's cotangent, the type of the linear
/// input and the value of the other.
///
/// # Errors
/// Those of the rules.
pub fn transpose(
    cotangents: &[Option<Val>],
    inputs: &[Operand],
    left: impl FnOnce(&Val, &Aval, &Val) -> Step<Option<Val>>,
    right: impl FnOnce(&Val, &Aval, &Val) -> Step<Option<Val>>,
) -> Step<Tangents> {
    let Some(ct) = &cotangents[0] else { return Ok(smallvec![None, None]) };
    Ok(match (&inputs[0], &inputs[1]) {
        (Operand::Linear(x), Operand::Known(y)) => smallvec![left(ct, x, y)?, None],
        (Operand::Known(x), Operand::Linear(y)) => smallvec![None, right(ct, y, x)?],
        (Operand::Known(_), Operand::Known(_)) => smallvec![None, None],
        (Operand::Linear(x), Operand::Linear(y)) => return Err(of_two(x, y)),
    })
}

/// The error of a product of two linear values, which is not linear.
pub fn of_two(x: &Aval, y: &Aval) -> Halt {
    Halt::raise("AssertionError", format!("(ValAccum({}), ValAccum({}))", x.long_or_weak(), y.long_or_weak()))
}
