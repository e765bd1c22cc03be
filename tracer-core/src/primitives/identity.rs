//! Primitives that pass their inputs on: they mark, order, copy or constrain.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::rules::{self, text};
use super::{Avals, ByElement, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::{Aval, Tensor};
use crate::python::Step;
use crate::trace::{Engine, Layout, Val, Vals};

/// What stands behind an identity.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Linear: tangents and cotangents pass the same way.
    Linear,
    /// Tangents pass unmarked.
    Marker,
    /// No tangent passes.
    Stop,
}

/// One value passed on.
#[derive(Clone, Debug)]
pub struct Identity {
    name: &'static str,
    kind: Kind,
    params: Vec<(&'static str, String)>,
    /// What the type of the result says of meshes, where it is told.
    layout: Option<Layout>,
}

impl Identity {
    /// What the type of the result says of meshes, where it is told.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }
    /// From keyword parameters. Those that cannot be printed are left out.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let kind = match params.primitive {
            "stop_gradient" => Kind::Stop,
            "name" => Kind::Marker,
            _ => Kind::Linear,
        };
        let mut shown = Vec::new();
        match params.primitive {
            "name" => shown.push(("name", params.text("name")?.to_string())),
            "pvary" => shown.push(("axes", plain(params.get("axes")))),
            "sharding_constraint" => {
                for name in ["context_mesh", "layout", "sharding", "unconstrained_dims"] {
                    shown.push((name, plain(params.get(name))));
                }
            }
            "reshard" => shown.push(("dst_sharding", plain(params.get("dst_sharding")))),
            _ => {}
        }
        let layout = params.get("mesh").map(|mesh| layout(mesh, params.get("cut")));
        Ok(Rc::new(Identity { name: params.primitive, kind, params: shown, layout }))
    }
    /// A copy of an array.
    pub fn copy() -> Identity {
        Identity { name: "copy", kind: Kind::Linear, params: Vec::new(), layout: None }
    }
}

fn layout(mesh: &super::ParamValue, cut: Option<&super::ParamValue>) -> Layout {
    use super::ParamValue::Str;
    let Str(mesh) = mesh else { return Layout::Unknown };
    let entries = cut.and_then(super::ParamValue::as_tuple).unwrap_or_default().iter();
    let names = entries.map(|entry| match entry {
        Str(name) if !name.is_empty() => Some(name.clone()),
        _ => None,
    });
    Layout::over(mesh.clone(), names.collect())
}

fn plain(value: Option<&super::ParamValue>) -> String {
    use super::ParamValue::{Bool, Int, Str, Tuple};
    match value {
        Some(Bool(flag)) => if *flag { "True" } else { "False" }.into(),
        Some(Int(n)) => n.to_string(),
        Some(Str(s)) => s.to_string(),
        Some(Tuple(items)) => rules::tuple_text(items.iter().map(|item| match item {
            Str(s) => format!("'{s}'"),
            other => plain(Some(other)),
        })),
        _ => "None".into(),
    }
}

impl Primitive for Identity {
    fn name(&self) -> &'static str {
        self.name
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        self.params.iter().map(|(name, value)| (*name, text(value))).collect()
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(inputs.iter().map(|a| (*a).clone()).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(inputs.iter().cloned().collect())
    }
    fn by_element(&self) -> Option<ByElement> {
        Some(Arc::new(|inputs: &[Tensor]| inputs.first().cloned()))
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        match self.kind {
            Kind::Linear => rules::linear_jvp(cx, self, x, t),
            Kind::Marker => Ok((cx.bind(Rc::new(self.clone()), x)?, t.iter().cloned().collect())),
            Kind::Stop => rules::zero_jvp(cx, self, x),
        }
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| cx.bind1(self.clone(), &[ct.clone()]))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        // Outside of all other transformations what is stopped is the value itself.
        if self.kind == Kind::Stop && !inputs[0].is_tracer() {
            return Ok((inputs.iter().cloned().collect(), dims.iter().copied().collect()));
        }
        Ok((cx.bind(Rc::new(self.clone()), inputs)?, dims.iter().copied().collect()))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// Values passed on that the compiler must not move computations across.
#[derive(Clone, Debug)]
pub struct OptimizationBarrier;

impl OptimizationBarrier {
    /// From keyword parameters.
    pub fn make(_params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(OptimizationBarrier))
    }
}

impl Primitive for OptimizationBarrier {
    fn name(&self) -> &'static str {
        "optimization_barrier"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(inputs.iter().map(|a| (*a).clone()).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(inputs.iter().cloned().collect())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let tangents = t.iter().zip(x).map(|(t, x)| build::instantiate(cx, t, &x.aval)).collect::<Step<Vec<_>>>()?;
        let out = cx.bind(Rc::new(OptimizationBarrier), x)?;
        let tangents = cx.bind(Rc::new(OptimizationBarrier), &tangents)?;
        Ok((out, tangents.into_iter().map(Some).collect()))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let all =
            ct.iter().zip(inputs).map(|(ct, x)| build::instantiate(cx, ct, x.aval())).collect::<Step<Vec<_>>>()?;
        Ok(cx.bind(Rc::new(OptimizationBarrier), &all)?.into_iter().map(Some).collect())
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok((cx.bind(Rc::new(OptimizationBarrier), inputs)?, dims.iter().copied().collect()))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
