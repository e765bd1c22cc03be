//! The parameter `precision` of products. It does not change results on CPU but is printed and compared.

use std::fmt;
use std::rc::Rc;

use super::{ParamValue, Params, repr};
use crate::array::DType;
use crate::python::{Halt, Step};

/// How precise a product has to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `None`
    #[default]
    Default,
    /// A pair of members of `lax.Precision`, for the left and the right operand.
    Pair(Rc<str>, Rc<str>),
    /// An algorithm, as it prints.
    Algorithm(Rc<str>),
}

impl Precision {
    /// From the parameter `precision`.
    ///
    /// # Errors
    /// Unknown for anything odd.
    pub fn from_params(params: &Params) -> Step<Precision> {
        let member = |value: &ParamValue| match value {
            ParamValue::Str(text) => Some(Rc::from(text.rsplit('.').next().unwrap_or(text))),
            _ => None,
        };
        let odd = || Halt::unknown(format!("an odd `precision` of `{}`", params.primitive));
        match params.get("precision") {
            None => Ok(Precision::Default),
            Some(ParamValue::Tuple(pair)) if pair.len() == 2 => {
                Ok(Precision::Pair(member(&pair[0]).ok_or_else(odd)?, member(&pair[1]).ok_or_else(odd)?))
            }
            Some(ParamValue::Str(text)) => match text.strip_prefix("Precision.").unwrap_or(text) {
                name @ ("DEFAULT" | "HIGH" | "HIGHEST") => Ok(Precision::Pair(name.into(), name.into())),
                _ => Ok(Precision::Algorithm(text.clone())),
            },
            Some(_) => Err(odd()),
        }
    }

    /// Whether the algorithm computes numbers of this type in another one: the others are the usual product on CPU.
    pub fn computes_otherwise(&self, dtype: DType) -> bool {
        match self {
            Precision::Algorithm(name) if &**name == "F16_F16_F16" => dtype != DType::F16,
            Precision::Algorithm(name) if &**name == "F64_F64_F64" => dtype != DType::F64,
            _ => false,
        }
    }

    /// Whether an algorithm is asked for by name.
    pub fn is_algorithm(&self) -> bool {
        matches!(self, Precision::Algorithm(_))
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precision::Default => f.write_str("None"),
            Precision::Pair(a, b) => f.write_str(&repr::tuple([format!("Precision.{a}"), format!("Precision.{b}")])),
            Precision::Algorithm(name) => f.write_str(name),
        }
    }
}
