//! Transformations of flat functions and of graphs.
//!
//! A flat function takes and gives arrays only; trees are flattened by the caller.

pub mod backward;
pub mod calls;
pub mod cond;
pub mod custom_jvp;
pub mod custom_vjp;
pub mod dce;
pub mod empty;
pub mod eval;
pub mod graphs;
pub mod jit;
pub mod jvp;
pub mod linearize;
pub mod recompute;
pub mod remat;
pub mod scan;
pub mod split;
pub mod vmap;
pub mod while_loop;

use std::rc::Rc;

use crate::array::Aval;
use crate::primitives::{ParamValue, from_params};
use crate::python::Step;
use crate::trace::{Array, ClosedJaxpr, DebugInfo, Engine, Staging, Val, staging};

/// A function of arrays, given for one use.
pub type Flat<'a> = &'a dyn Fn(&[Val]) -> Step<Vec<Val>>;

/// A function of arrays that outlives the call it is given to.
pub type FlatRc = Rc<dyn Fn(&Engine, &[Val]) -> Step<Vec<Val>>>;

/// Traces a function to a graph.
///
/// # Errors
/// What the function raises.
pub fn trace_to_jaxpr(cx: &Engine, f: Flat<'_>, avals: &[Aval], debug: DebugInfo) -> Step<ClosedJaxpr> {
    let trace = Staging::new(Some(cx.trace()), debug);
    let arguments: Vec<Val> = avals.iter().map(|a| staging::argument(&trace, a.clone())).collect();
    let results = cx.within(&trace, || f(&arguments))?;
    Ok(staging::finish(&trace, &results))
}

/// Zeros of this type, as differentiation puts them in: a literal or a broadcast one.
///
/// # Errors
/// Unknown for symbolic sizes.
pub fn zeros(cx: &Engine, aval: &Aval) -> Step<Val> {
    full(cx, aval, 0.0)
}

/// This number in all elements.
///
/// # Errors
/// Unknown where there is no such constant.
pub fn full(cx: &Engine, aval: &Aval, number: f64) -> Step<Val> {
    let tensor = crate::trace::scalar_tensor(aval.dtype, number)
        .ok_or_else(|| crate::python::Halt::unknown(format!("no constant of type {}", aval.dtype)))?;
    let weak = aval.weak;
    let scalar = Array::literal(tensor, weak, None);
    if aval.rank() == 0 {
        return Ok(scalar);
    }
    broadcast(cx, &scalar, &aval.shape, &[])
}

/// `broadcast_in_dim`
///
/// # Errors
/// Those of the primitive.
pub fn broadcast(cx: &Engine, value: &Val, shape: &[crate::array::Dim], dimensions: &[usize]) -> Step<Val> {
    let shape = ParamValue::Tuple(shape.iter().map(|d| ParamValue::Dim(*d)).collect());
    let dimensions = ParamValue::Tuple(dimensions.iter().map(|d| ParamValue::Int(*d as i64)).collect());
    let values = [("shape".into(), shape), ("broadcast_dimensions".into(), dimensions), ("sharding".into(), ParamValue::None)];
    Ok(cx.bind(from_params("broadcast_in_dim", values)?, std::slice::from_ref(value))?.swap_remove(0))
}

/// Moves an axis.
///
/// # Errors
/// Those of `transpose`.
pub fn moveaxis(cx: &Engine, value: &Val, from: usize, to: usize) -> Step<Val> {
    if from == to {
        return Ok(value.clone());
    }
    let mut order: Vec<usize> = (0..value.aval.rank()).filter(|d| *d != from).collect();
    order.insert(to, from);
    let order = ParamValue::Tuple(order.into_iter().map(|d| ParamValue::Int(d as i64)).collect());
    let primitive = from_params("transpose", [("permutation".into(), order)])?;
    Ok(cx.bind(primitive, std::slice::from_ref(value))?.swap_remove(0))
}

/// The sum along one axis.
///
/// # Errors
/// Those of `reduce_sum`.
pub fn sum_axis(cx: &Engine, value: &Val, axis: usize) -> Step<Val> {
    let axes = ParamValue::Tuple(vec![ParamValue::Int(axis as i64)]);
    let primitive = from_params("reduce_sum", [("axes".into(), axes), ("out_sharding".into(), ParamValue::None)])?;
    Ok(cx.bind(primitive, std::slice::from_ref(value))?.swap_remove(0))
}
