//! Reverse mode, first half: the function runs on values, its linear part is recorded on a tape.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{Flat, dce};
use crate::array::DType;
use crate::primitives::Primitive;
use crate::python::{Halt, Step};
use crate::trace::{
    Array, Atom, ClosedJaxpr, DebugInfo, Engine, Repr, Staging, Tag, Trace, TraceRef, Val, Vals, staging,
};

/// A value and its tangent on the tape, if it is one of this run.
pub fn split(tag: Tag, value: &Val) -> (Val, Option<Val>) {
    match &value.repr {
        Repr::Linear(of, primal, tangent) if matches!(**of, Trace::Linearize { tag: t, .. } if t == tag) => {
            (primal.clone(), Some(tangent.clone()))
        }
        _ => (value.clone(), None),
    }
}

/// A value with its tangent on the tape; just the value where the tangent is zero.
pub fn join(trace: &TraceRef, primal: Val, tangent: Option<Val>) -> Val {
    match tangent {
        Some(tangent) if tangent.aval.dtype != DType::Float0 => {
            Rc::new(Array { aval: primal.aval.clone(), repr: Repr::Linear(trace.clone(), primal, tangent) })
        }
        _ => primal,
    }
}

/// Whether a value is a variable of the tape.
pub fn on_tape(tape: &TraceRef, value: &Val) -> bool {
    matches!(&value.repr, Repr::Staged(of, Atom::Var(_)) if Rc::ptr_eq(of, tape))
}

/// A trace that computes in the parent and records on the tape.
pub fn trace(cx: &Engine, tag: Tag, parent: TraceRef, tape: &TraceRef) -> TraceRef {
    let _ = cx;
    let partial = Rc::new(Trace::Partial { parent: parent.clone(), tape: tape.clone() });
    Rc::new(Trace::Linearize { tag, parent, tape: tape.clone(), partial })
}

/// What of a linearizing trace [`bind`] needs.
pub(crate) type Parts<'a> = (Tag, &'a TraceRef, &'a TraceRef, &'a TraceRef);

pub(crate) fn bind(
    cx: &Engine,
    trace: &TraceRef,
    (tag, parent, tape, partial): Parts<'_>,
    primitive: Rc<dyn Primitive>,
    inputs: &[Val],
) -> Step<Vals> {
    let (primals, tangents): (SmallVec<[Val; 4]>, SmallVec<[Option<Val>; 4]>) =
        inputs.iter().map(|v| split(tag, v)).unzip();
    if tangents.iter().all(Option::is_none) {
        return cx.bind_in(parent, primitive, &primals);
    }
    let own = cx.within(parent, || primitive.linearize(cx, tape, &primals, &tangents));
    let (results, out_tangents) = match own {
        Some(done) => done?,
        None => cx.within(partial, || primitive.jvp(cx, &primals, &tangents))?,
    };
    known(tape, &results)?;
    let pairs = results.into_iter().zip(out_tangents);
    Ok(pairs.map(|(p, t)| join(trace, p, t.filter(|t| on_tape(tape, t)))).collect())
}

/// Checks that results do not depend on tangents.
pub(crate) fn known(tape: &TraceRef, results: &[Val]) -> Step<()> {
    if results.iter().any(|v| on_tape(tape, v)) {
        return Err(Halt::value_error(
            "Linearization failed to produce known values for all output primals. This is typically caused by attempting to \
             differentiate a function uses an operation that does not support reverse-mode autodiff.",
        ));
    }
    Ok(())
}

pub(crate) fn bind_partial(
    cx: &Engine,
    parent: &TraceRef,
    tape: &TraceRef,
    primitive: Rc<dyn Primitive>,
    inputs: &[Val],
) -> Step<Vals> {
    let unknown: SmallVec<[bool; 4]> = inputs.iter().map(|v| on_tape(tape, v)).collect();
    if !unknown.contains(&true) {
        return cx.bind_in(parent, primitive, inputs);
    }
    let own = cx.within(parent, || primitive.partial_eval(cx, tape, inputs, &unknown));
    own.unwrap_or_else(|| cx.bind_in(tape, primitive, inputs))
}

/// A function at a point, with its linear part.
#[derive(Clone, Debug)]
pub struct Linearized {
    /// The results.
    pub results: Vec<Val>,
    /// Which results have a tangent.
    pub nonzero: Vec<bool>,
    /// From the tangents of all arguments to those of the results that have one. Its constants are the residuals.
    pub tape: ClosedJaxpr,
}

/// Runs a function on values and records its linear part.
///
/// # Errors
/// What the function raises.
pub fn linearize(cx: &Engine, f: Flat<'_>, primals: &[Val], debug: DebugInfo) -> Step<Linearized> {
    let tag = cx.fresh_tag();
    let parent = cx.trace();
    let tape = Staging::new(Some(parent.clone()), debug);
    let trace = trace(cx, tag, parent, &tape);
    let inputs: Vec<Val> =
        primals.iter().map(|p| join(&trace, p.clone(), Some(staging::argument(&tape, p.aval.tangent())))).collect();
    let results = cx.within(&trace, || f(&inputs))?;
    let (results, tangents): (Vec<Val>, Vec<Option<Val>>) = results.iter().map(|v| split(tag, v)).unzip();
    let nonzero = tangents.iter().map(Option::is_some).collect();
    let tangents: Vec<Val> = tangents.into_iter().flatten().collect();
    let tape = dce::live(&staging::finish(&tape, &tangents));
    Ok(Linearized { results, nonzero, tape })
}
