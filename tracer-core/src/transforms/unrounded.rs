//! Results of `bfloat16` that XLA's compiled code does not round, since they are converted to `float32` at once.
//!
//! It computes such operations in 32 bits, and drops the two conversions behind one another. Measured under JAX 0.10.2 on the CPU: what
//! moves numbers between the operation and the conversion (a transposition, a slice, an axis of size 1 that a product leaves) keeps the
//! rounding, and so do functions that are made of several operations with a selection at their end.

use std::any::Any;
use std::rc::Rc;

use crate::array::{Aval, DType};
use crate::primitives::conv_general_dilated::ConvGeneralDilated;
use crate::primitives::elementwise::Elementwise;
use crate::primitives::{DotGeneral, IntegerPow, Primitive};

/// Elementwise operations that are one operation of XLA's, and round.
const ROUNDS: &[&str] = &[
    "acos", "add", "atan", "atan2", "cbrt", "cos", "div", "erf", "exp", "exp2", "expm1", "log", "log1p", "mul", "pow",
    "rsqrt", "sin", "sqrt", "square", "sub", "tan", "tanh",
];

/// What gives a result in `float32`, of operands of that type, where this gives it in `bfloat16`.
pub(super) fn wide(primitive: &Rc<dyn Primitive>, inputs: &[&Aval]) -> Option<Rc<dyn Primitive>> {
    if inputs.iter().any(|aval| aval.dtype != DType::BF16) {
        return None;
    }
    let any = &**primitive as &dyn Any;
    // Other powers are several products.
    let is_one_product = any.downcast_ref::<IntegerPow>().is_some_and(|power| matches!(power.y, 2 | -1));
    if is_one_product || any.downcast_ref::<Elementwise>().is_some_and(|own| ROUNDS.contains(&own.0.name)) {
        return Some(primitive.clone());
    }
    if let Some(product) = any.downcast_ref::<DotGeneral>() {
        let dims = &product.dims;
        let free = |aval: &Aval, contracted: usize, batch: usize| aval.rank().saturating_sub(contracted + batch);
        let [lhs, rhs] = inputs else { return None };
        let batch = dims.lhs_batch.len();
        let is_one = |axis: &i64| lhs.shape.get(*axis as usize).is_none_or(|size| size.known() == Some(1));
        let is_plain = batch <= 1
            && !dims.lhs_batch.iter().any(is_one)
            && dims.lhs_contract.len() == 1
            && free(lhs, 1, batch) <= 1
            && free(rhs, 1, batch) <= 1;
        let wide = DotGeneral { preferred: Some(DType::F32), ..product.clone() };
        return is_plain.then(|| Rc::new(wide) as Rc<dyn Primitive>);
    }
    let windows = any.downcast_ref::<ConvGeneralDilated>()?;
    Some(Rc::new(ConvGeneralDilated { preferred: Some(DType::F32), ..windows.clone() }))
}
