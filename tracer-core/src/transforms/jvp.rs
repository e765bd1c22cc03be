//! Forward mode: values with their tangents.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Flat;
use crate::array::DType;
use crate::primitives::{Primitive, Tangents};
use crate::python::Step;
use crate::trace::{Array, Engine, Repr, Tag, Trace, TraceRef, Val, Vals};

/// A value and its tangent, if it is one of this run and not zero.
pub fn split(tag: Tag, value: &Val) -> (Val, Option<Val>) {
    match &value.repr {
        Repr::Dual(of, primal, tangent) if matches!(**of, Trace::Jvp { tag: t, .. } if t == tag) => {
            (primal.clone(), Some(tangent.clone()))
        }
        _ => (value.clone(), None),
    }
}

/// A value with its tangent; just the value where the tangent is zero.
pub fn join(trace: &TraceRef, primal: Val, tangent: Option<Val>) -> Val {
    match tangent {
        Some(tangent) if tangent.aval.dtype != DType::Float0 => {
            Rc::new(Array { aval: primal.aval.clone(), repr: Repr::Dual(trace.clone(), primal, tangent) })
        }
        _ => primal,
    }
}

pub(crate) fn bind(
    cx: &Engine,
    trace: &TraceRef,
    tag: Tag,
    parent: &TraceRef,
    primitive: Rc<dyn Primitive>,
    inputs: &[Val],
) -> Step<Vals> {
    let (primals, tangents): (SmallVec<[Val; 4]>, SmallVec<[Option<Val>; 4]>) =
        inputs.iter().map(|v| split(tag, v)).unzip();
    if tangents.iter().all(Option::is_none) {
        return cx.bind_in(parent, primitive, &primals);
    }
    let (results, out_tangents) = cx.within(parent, || primitive.jvp(cx, &primals, &tangents))?;
    Ok(results.into_iter().zip(out_tangents).map(|(p, t)| join(trace, p, t)).collect())
}

/// Runs a function on values and tangents. `None` is a zero tangent.
///
/// # Errors
/// What the function raises.
pub fn jvp(cx: &Engine, f: Flat<'_>, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vec<Val>, Vec<Option<Val>>)> {
    subtrace(cx, cx.fresh_tag(), f, primals, tangents)
}

/// [`jvp`] of a run that goes on with a tag.
///
/// # Errors
/// What the function raises.
pub fn subtrace(
    cx: &Engine,
    tag: Tag,
    f: Flat<'_>,
    primals: &[Val],
    tangents: &[Option<Val>],
) -> Step<(Vec<Val>, Vec<Option<Val>>)> {
    let trace = Rc::new(Trace::Jvp { tag, parent: cx.trace() });
    let inputs: Vec<Val> = primals.iter().zip(tangents).map(|(p, t)| join(&trace, p.clone(), t.clone())).collect();
    let results = cx.within(&trace, || f(&inputs))?;
    Ok(results.iter().map(|v| split(tag, v)).unzip())
}

/// A tangent, or zeros in its place.
///
/// # Errors
/// Unknown for symbolic sizes.
pub fn instantiate(cx: &Engine, tangent: Option<Val>, primal: &Val) -> Step<Val> {
    tangent.map_or_else(|| super::zeros(cx, &primal.aval.tangent()), Ok)
}

/// Tangents that are all there, for rules that take no symbolic zeros.
///
/// # Errors
/// Unknown for symbolic sizes.
pub fn instantiate_all(cx: &Engine, tangents: &[Option<Val>], primals: &[Val]) -> Step<Tangents> {
    tangents.iter().zip(primals).map(|(t, p)| instantiate(cx, t.clone(), p).map(Some)).collect()
}
