//! Results of `bfloat16` that XLA's compiled code does not round, since they are converted to `float32` at once.
//!
//! It computes such operations in 32 bits, and drops the two conversions behind one another. Measured under JAX 0.10.2 on the CPU: what
//! moves numbers between the operation and the conversion (a transposition, a slice, an axis of size 1 that a product leaves) keeps the
//! rounding, and so do functions that are made of several operations with a selection at their end. What it converts by itself, the
//! operands of functions that it has in 32 bits alone, is no exception: those are not rounded either.

use std::any::Any;
use std::rc::Rc;

use half::bf16;
use jitlens_kernels::single;
use smallvec::{SmallVec, smallvec};

use crate::array::{Aval, DType, Tensor};
use crate::primitives::conv_general_dilated::ConvGeneralDilated;
use crate::primitives::elementwise::{Elementwise, stepwise};
use crate::primitives::{Avals, DotGeneral, IntegerPow, Primitive};
use crate::python::Step;

/// Elementwise operations that are one operation of XLA's, and round.
const ROUNDS: &[&str] = &[
    "add", "atan", "atan2", "cbrt", "cos", "div", "erf", "exp", "expm1", "log", "log1p", "mul", "pow", "rsqrt", "sin",
    "sqrt", "square", "sub", "tan", "tanh",
];

/// Functions that XLA computes in `float32`: it makes their operands so wide, and rounds what they give.
const WIDE_INSIDE: &[&str] = &[
    "bessel_i0e",
    "bessel_i1e",
    "cosh",
    "digamma",
    "erf_inv",
    "erfc",
    "igamma",
    "igamma_grad_a",
    "igammac",
    "lgamma",
    "polygamma",
    "random_gamma_grad",
    "regularized_incomplete_beta",
    "sinh",
    "zeta",
];

/// Whether a function of `bfloat16` makes its operands 32 bits wide by itself.
pub(super) fn is_wide_inside(primitive: &dyn Primitive) -> bool {
    WIDE_INSIDE.contains(&primitive.name())
}

/// What gives a result in `float32`, of operands of that type, where this gives it in `bfloat16`.
pub(super) fn wide(primitive: &Rc<dyn Primitive>, inputs: &[&Aval]) -> Option<Rc<dyn Primitive>> {
    if inputs.iter().any(|aval| aval.dtype != DType::BF16) {
        return None;
    }
    let any = &**primitive as &dyn Any;
    if let Some(power) = any.downcast_ref::<IntegerPow>() {
        return match power.y {
            2 | -1 => Some(primitive.clone()),
            0 | 1 => None,
            exponent => Some(Rc::new(Steps::Power(exponent))),
        };
    }
    if let Some(own) = any.downcast_ref::<Elementwise>() {
        return match own.0.name {
            "acos" => Some(Rc::new(Steps::Acos)),
            "exp2" => Some(Rc::new(Steps::Exp2)),
            "logistic" => Some(Rc::new(Steps::Logistic)),
            name => ROUNDS.contains(&name).then(|| primitive.clone()),
        };
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

/// What is several operations of XLA's, of numbers of `bfloat16` that are 32 bits wide: all are rounded but the last one.
#[derive(Copy, Clone, Debug)]
enum Steps {
    /// The angle of a number and the leg of its triangle.
    Acos,
    /// The exponential of a product.
    Exp2,
    /// An integer power, by squares and products of them.
    Power(i64),
    /// One over the sum of one and an exponential.
    Logistic,
}

impl Steps {
    fn of(self, x: f32) -> f32 {
        let rounded = |x: f32| bf16::from_f32(x).to_f32();
        match self {
            Steps::Acos => stepwise::angle(stepwise::leg::<stepwise::BF16>(x), x),
            Steps::Exp2 => single::exp(rounded(rounded(std::f32::consts::LN_2) * x)),
            Steps::Logistic => 1.0 / rounded(1.0 + rounded((-x).exp())),
            Steps::Power(exponent) => {
                let (mut left, mut square, mut all) = (exponent.unsigned_abs(), x, None);
                while left > 0 {
                    if left & 1 == 1 {
                        all = Some(all.map_or(square, |all| rounded(all) * rounded(square)));
                    }
                    left >>= 1;
                    if left > 0 {
                        square = rounded(square) * rounded(square);
                    }
                }
                let all = all.unwrap_or(1.0);
                if exponent < 0 { 1.0 / rounded(all) } else { all }
            }
        }
    }
}

impl Primitive for Steps {
    fn name(&self) -> &'static str {
        match self {
            Steps::Acos => "acos",
            Steps::Exp2 => "exp2",
            Steps::Power(_) => "integer_pow",
            Steps::Logistic => "logistic",
        }
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![inputs[0].clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let all: Vec<f32> = inputs[0].expect::<f32>()?.iter().map(|x| self.of(*x)).collect();
        Ok(smallvec![Tensor::new(&inputs[0].shape[..], all)])
    }
}
