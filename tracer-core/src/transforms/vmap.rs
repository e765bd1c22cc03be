//! Batching: values with an axis that the function does not see.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Flat;
use crate::array::{Aval, Dim};
use crate::primitives::build::{broadcast_in_dim, move_axis};
use crate::primitives::{Dims, Primitive};
use crate::python::{Halt, Step};
use crate::trace::{Array, Axis, Engine, Repr, Tag, Trace, TraceRef, Val, Vals};

/// A value and its batch axis, if it is one of this run.
pub fn split(tag: Tag, value: &Val) -> (Val, Option<usize>) {
    match &value.repr {
        Repr::Batched(of, inner, dim) if matches!(**of, Trace::Batch { tag: t, .. } if t == tag) => {
            (inner.clone(), *dim)
        }
        _ => (value.clone(), None),
    }
}

/// A value without its batch axis.
pub fn join(trace: &TraceRef, value: Val, dim: Option<usize>) -> Val {
    match dim {
        Some(dim) => {
            let mut aval = value.aval.clone();
            aval.shape.remove(dim);
            Rc::new(Array { aval, repr: Repr::Batched(trace.clone(), value, Some(dim)) })
        }
        None => value,
    }
}

/// As [`join`], of a value that JAX shows as a tracer although it is the same for all elements.
fn join_traced(trace: &TraceRef, value: Val, dim: Option<usize>) -> Val {
    match dim {
        Some(_) => join(trace, value, dim),
        None => Rc::new(Array { aval: value.aval.clone(), repr: Repr::Batched(trace.clone(), value, None) }),
    }
}

pub(crate) fn bind(
    cx: &Engine,
    trace: &TraceRef,
    (tag, parent, axis): (Tag, &TraceRef, &Axis),
    primitive: Rc<dyn Primitive>,
    inputs: &[Val],
) -> Step<Vals> {
    let mut values: SmallVec<[Val; 4]> = SmallVec::new();
    let mut dims: SmallVec<[Option<usize>; 4]> = SmallVec::new();
    for input in inputs {
        let (value, dim) = split(tag, input);
        values.push(value);
        dims.push(dim);
    }
    if dims.iter().all(Option::is_none) && !primitive.batches_always() {
        return cx.bind_in(parent, primitive, &values);
    }
    let join = if primitive.gives_tracers() { join_traced } else { join };
    let before = cx.batching.replace(tag);
    let done = cx.within(parent, || primitive.batch_in(cx, axis, &values, &dims));
    cx.batching.set(before);
    let (results, out_dims) = done?;
    let mut joined = Vals::new();
    for (value, dim) in results.into_iter().zip(out_dims) {
        // What a rule makes of too few axes may have none at all.
        if dim.is_some_and(|dim| dim >= value.aval.rank()) {
            return Err(Halt::raise("IndexError", "tuple index out of range"));
        }
        joined.push(join(trace, value, dim));
    }
    Ok(joined)
}

/// Runs a function on the elements along an axis: results with their batch axes.
///
/// # Errors
/// What the function raises.
pub fn batch(
    cx: &Engine,
    axis: &Axis,
    f: Flat<'_>,
    inputs: &[Val],
    dims: &[Option<usize>],
) -> Step<(Vec<Val>, Vec<Option<usize>>)> {
    cx.with_axis(axis, || subtrace(cx, cx.fresh_tag(), axis, f, inputs, dims))
}

/// [`batch`] of a run that goes on with a tag, its axis already named.
///
/// # Errors
/// What the function raises.
pub fn subtrace(
    cx: &Engine,
    tag: Tag,
    axis: &Axis,
    f: Flat<'_>,
    inputs: &[Val],
    dims: &[Option<usize>],
) -> Step<(Vec<Val>, Vec<Option<usize>>)> {
    let trace = Rc::new(Trace::Batch { tag, parent: cx.trace(), axis: axis.clone() });
    let inputs: Vec<Val> = inputs.iter().zip(dims).map(|(v, d)| join(&trace, v.clone(), *d)).collect();
    let results = cx.within(&trace, || f(&inputs))?;
    Ok(results.iter().map(|v| split(tag, v)).unzip())
}

/// Where a result should have its batch axis: nowhere, or there.
///
/// A result that has one and should not is given back as the error `None`.
///
/// # Errors
/// Those of the primitives that move and broadcast.
pub fn place(cx: &Engine, axis: &Axis, value: &Val, from: Option<usize>, to: Option<usize>) -> Step<Option<Val>> {
    Ok(match (from, to) {
        (None, None) => Some(value.clone()),
        (Some(from), Some(to)) => Some(move_axis(cx, value, from, to)?),
        (None, Some(to)) => Some(insert(cx, value, axis.size, to)?),
        (Some(_), None) => None,
    })
}

/// Repeats a value along a new axis.
///
/// # Errors
/// Those of `broadcast_in_dim`.
pub fn insert(cx: &Engine, value: &Val, size: Dim, at: usize) -> Step<Val> {
    let mut shape = value.aval.shape.clone();
    shape.insert(at, size);
    let dimensions: Vec<usize> = (0..shape.len()).filter(|d| *d != at).collect();
    broadcast_in_dim(cx, value, &shape, &dimensions)
}

/// A type with one more axis.
pub fn batched_aval(aval: &Aval, size: Dim, dim: Option<usize>) -> Aval {
    let mut aval = aval.clone();
    if let Some(dim) = dim {
        aval.shape.insert(dim, size);
    }
    aval
}

/// All inputs with the batch axis in front, those without one repeated: what primitives need that work on leading axes.
///
/// # Errors
/// Those of the primitives that move and broadcast.
pub fn all_in_front(cx: &Engine, size: Dim, inputs: &[Val], dims: &[Option<usize>]) -> Step<Vals> {
    let one = |(v, d): (&Val, &Option<usize>)| match d {
        Some(d) => move_axis(cx, v, *d, 0),
        None => insert(cx, v, size, 0),
    };
    inputs.iter().zip(dims).map(one).collect()
}

/// The size of the batch axis, from the inputs.
pub fn size_of(inputs: &[Val], dims: &[Option<usize>]) -> Option<Dim> {
    inputs.iter().zip(dims).find_map(|(v, d)| v.aval.shape.get((*d)?).copied())
}

/// Results that all have their batch axis in front.
pub fn in_front(results: Vals) -> (Vals, Dims) {
    let dims = Dims::from_elem(Some(0), results.len());
    (results, dims)
}
