//! Checks inside of traced functions: what `jax/_engine_checks.py` cannot do itself.

use std::any::Any;
use std::rc::{Rc, Weak};

use super::Members;
use super::graph::list;
use crate::array::Aval;
use crate::interp::Interp;
use crate::primitives::gather::Gather;
use crate::primitives::indexing::WindowDims;
use crate::primitives::scatter::Scatter;
use crate::primitives::{Avals, Dims, Primitive, Tangents};
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{Effects, Engine, Val, Vals};

/// A check that nothing collects: made at once outside of graphs, and the end of compiling in one.
#[derive(Clone, Debug)]
struct Check {
    message: Rc<str>,
}

impl Primitive for Check {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        "check"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn abstract_eval(&self, _: &[&Aval]) -> Step<Avals> {
        Ok(Avals::new())
    }
    fn compute(&self, cx: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        let failed = |tensor: crate::array::Tensor| {
            (0..tensor.len()).any(|i| {
                crate::array::number::read(&tensor, i).is_some_and(|n| {
                    let z = n.as_complex();
                    z.re == 0.0 && z.im == 0.0
                })
            })
        };
        Some(match inputs.iter().any(|v| cx.force(v).is_ok_and(failed)) {
            true => Err(Halt::raise("jax.experimental.checkify.JaxRuntimeError", self.message.to_string())),
            false => Ok(Vals::new()),
        })
    }
    fn eval(&self, _: &[crate::array::Tensor]) -> Step<smallvec::SmallVec<[crate::array::Tensor; 1]>> {
        Ok(Default::default())
    }
    fn jvp(&self, cx: &Engine, primals: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Ok((cx.bind(Rc::new(self.clone()), primals)?, Tangents::new()))
    }
    fn batch_in(&self, cx: &Engine, _: &crate::trace::Axis, inputs: &[Val], _: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok((cx.bind(Rc::new(self.clone()), inputs)?, Dims::new()))
    }
    fn effects(&self) -> Effects {
        Effects::CHECK
    }
    fn is_cheap(&self) -> bool {
        false
    }
}

/// For each axis along which windows are cut out of the first operand: the axis, and the last place where one fits.
fn bounds(primitive: &dyn Primitive, inputs: &[Val], outputs: &[Val]) -> Vec<(i64, i64)> {
    let sizes = |value: &Val| value.aval.known_shape().map(|s| s.iter().map(|d| *d as i64).collect::<Vec<i64>>());
    let Some(shape) = inputs.first().and_then(sizes) else { return Vec::new() };
    let rows = |axes: &[i64], windows: &[i64]| {
        axes.iter().filter_map(|a| Some((*a, shape.get(*a as usize)? - windows.get(*a as usize)?))).collect::<Vec<_>>()
    };
    let all: Vec<i64> = (0..shape.len() as i64).collect();
    let any: &dyn Any = primitive;
    if let Some(gather) = any.downcast_ref::<Gather>() {
        let mut windows: Vec<i64> = Vec::with_capacity(shape.len());
        for size in &gather.slice_sizes {
            let Some(size) = size.known() else { return Vec::new() };
            windows.push(size as i64);
        }
        return rows(&gather.dims.start_map, &windows);
    }
    if let Some(scatter) = any.downcast_ref::<Scatter>() {
        let Some(updates) = inputs.get(2).and_then(sizes) else { return Vec::new() };
        return rows(&scatter.dims.start_map, &update_windows(&scatter.dims, shape.len(), &updates));
    }
    match primitive.name() {
        "dynamic_slice" => outputs.first().and_then(sizes).map_or_else(Vec::new, |windows| rows(&all, &windows)),
        "dynamic_update_slice" => inputs.get(1).and_then(sizes).map_or_else(Vec::new, |windows| rows(&all, &windows)),
        _ => Vec::new(),
    }
}

/// The size of a scatter's window along each axis of its operand.
fn update_windows(dims: &WindowDims, rank: usize, updates: &[i64]) -> Vec<i64> {
    let mut over = dims.offset.iter();
    (0..rank as i64)
        .map(|axis| match dims.collapsed.contains(&axis) || dims.operand_batch.contains(&axis) {
            true => 1,
            false => over.next().and_then(|d| updates.get(*d as usize)).copied().unwrap_or(1),
        })
        .collect()
}

fn watch(it: &Weak<Interp>, function: &Value, primitive: &dyn Primitive, inputs: &[Val], outputs: &[Val]) -> Step<()> {
    let it = it.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
    let bounds = bounds(primitive, inputs, outputs)
        .into_iter()
        .map(|(axis, last)| Value::tuple([Value::Int(axis), Value::Int(last)]))
        .collect();
    let args = [
        Value::str(primitive.name()),
        list(inputs.iter().cloned()),
        list(outputs.iter().cloned()),
        Value::list(bounds),
    ];
    it.call_with(function, args).map(drop)
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    members.function("bind_unchecked", |it, args| {
        let [values, message] = args.exactly("bind_unchecked")?;
        let inputs = super::graph::arrays(it, &values)?;
        it.array_work.set(it.array_work.get() + 1);
        it.engine.bind(Rc::new(Check { message: message.as_str().unwrap_or_default().into() }), &inputs)?;
        Ok(Value::None)
    });
    // Whether a graph has a check that nothing collects.
    members.function("has_checks", |_, args| {
        let [graph] = args.exactly("has_checks")?;
        let effects = super::graph::graph_of(&graph)?.jaxpr.effects;
        Ok(Value::Bool(effects.0 & Effects::CHECK.0 != 0))
    });
    // From now on the function is told of every primitive that becomes an equation; of none, if it is None.
    members.function("watch_primitives", |it, args| {
        let [function] = args.exactly("watch_primitives")?;
        let weak = Rc::downgrade(it);
        let told: Option<crate::trace::Watch> = match function.is_none() {
            true => None,
            false => Some(Rc::new(move |p: &dyn Primitive, i: &[Val], o: &[Val]| watch(&weak, &function, p, i, o))),
        };
        it.engine.watch.replace(told);
        Ok(Value::None)
    });
    // `unwatched(f)`: What `f()` gives, with nothing told of its primitives: what they do has been told before.
    members.function("unwatched", |it, args| {
        let [run] = args.exactly("unwatched")?;
        let before = it.engine.watch.replace(None);
        let result = it.call(&run, crate::python::Args::none());
        it.engine.watch.replace(before);
        result
    });
}
