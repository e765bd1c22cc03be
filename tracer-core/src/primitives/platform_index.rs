//! `platform_index`: which of several lists of platforms the computation is compiled for.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Avals, Param, ParamValue, Params, Primitive, Tangents, repr, rules};
use crate::array::{Aval, DType, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Val, Vals};

/// The platform that numbers are computed for.
const PLATFORM: &str = "cpu";

/// The position of the list that names the platform; `None` in place of a list stands for all platforms. `i32[]`.
#[derive(Clone, Debug)]
pub struct PlatformIndex {
    platforms: ParamValue,
}

impl PlatformIndex {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(PlatformIndex { platforms: params.need("platforms")?.clone() }))
    }
}

impl Primitive for PlatformIndex {
    fn name(&self) -> &'static str {
        "platform_index"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("platforms", Param::Text(repr::quoted(&self.platforms)))]
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![Aval::new(DType::I32, [])])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let fits = |list: &ParamValue| match list {
            ParamValue::Tuple(names) => names.iter().any(|n| matches!(n, ParamValue::Str(n) if &**n == PLATFORM)),
            other => matches!(other, ParamValue::None),
        };
        let lists = match &self.platforms {
            ParamValue::Tuple(lists) => lists.iter().position(fits),
            _ => None,
        };
        Ok(smallvec![Tensor::new(&[][..], vec![lists.unwrap_or_default() as i32])])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
}
