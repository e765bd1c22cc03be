//! What the primitives with inner graphs share.

use std::rc::Rc;

use crate::primitives::{Operand, ParamValue, Params, Tangents};
use crate::python::{Halt, Step};
use crate::trace::{ClosedJaxpr, Jaxpr, Val, Vals, Var};

/// A graph among keyword parameters.
///
/// # Errors
/// Unknown where there is none.
pub fn graph(params: &Params, name: &str) -> Step<ClosedJaxpr> {
    as_graph(params.need(name)?)
        .ok_or_else(|| Halt::unknown(format!("`{}` is called without a graph `{name}`", params.primitive)))
}

/// A graph that is the value of a parameter.
pub fn as_graph(value: &ParamValue) -> Option<ClosedJaxpr> {
    let ParamValue::Opaque(any) = value else { return None };
    if let Some(closed) = any.downcast_ref::<ClosedJaxpr>() {
        return Some(closed.clone());
    }
    any.clone().downcast::<Jaxpr>().ok().map(|jaxpr| ClosedJaxpr { jaxpr, consts: Rc::from([]) })
}

/// Several graphs among keyword parameters.
///
/// # Errors
/// Unknown where there are none.
pub fn graphs(params: &Params, name: &str) -> Step<Vec<ClosedJaxpr>> {
    let wrong = || Halt::unknown(format!("`{}` is called without graphs `{name}`", params.primitive));
    params.tuple(name)?.iter().map(|v| as_graph(v).ok_or_else(wrong)).collect()
}

/// Values in order, where a place names its source the value of that source instead.
pub fn substitute(from: &[Option<usize>], sources: &[Val], rest: &[Val]) -> Vec<Val> {
    let mut rest = rest.iter();
    from.iter().filter_map(|f| f.map_or_else(|| rest.next(), |i| sources.get(i)).cloned()).collect()
}

/// Values at the marked places, zeros elsewhere.
pub fn spread(nonzero: &[bool], values: impl IntoIterator<Item = Val>) -> Tangents {
    let mut values = values.into_iter();
    nonzero.iter().map(|nz| if *nz { values.next() } else { None }).collect()
}

/// The known ones among the operands.
pub fn known(operands: &[Operand]) -> impl Iterator<Item = &Val> {
    operands.iter().filter_map(|o| match o {
        Operand::Known(value) => Some(value),
        Operand::Linear(_) => None,
    })
}

/// Values from the second list at the marked places, from the first elsewhere.
pub fn merge(second: &[bool], a: impl IntoIterator<Item = Val>, b: impl IntoIterator<Item = Val>) -> Vals {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    second.iter().filter_map(|s| if *s { b.next() } else { a.next() }).collect()
}

/// Those that are marked and those that are not.
pub fn partition<T: Clone>(marks: &[bool], items: &[T]) -> (Vec<T>, Vec<T>) {
    let pick = |want: bool| items.iter().zip(marks).filter(|(_, m)| **m == want).map(|(i, _)| i.clone()).collect();
    (pick(false), pick(true))
}

/// A graph with other inputs: the same ones in another order.
fn with_inputs(closed: &ClosedJaxpr, invars: Vec<Var>) -> ClosedJaxpr {
    let mut jaxpr = (*closed.jaxpr).clone();
    jaxpr.invars = invars;
    jaxpr.debug.arguments = Rc::from([]);
    ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: closed.consts.clone() }
}

/// A graph with its first inputs last; and an empty list for the inputs.
pub fn to_back(closed: &ClosedJaxpr, first: usize) -> (ClosedJaxpr, Vec<Val>) {
    let invars = &closed.jaxpr.invars;
    (with_inputs(closed, [&invars[first..], &invars[..first]].concat()), Vec::new())
}

/// A graph with the marked inputs after the others.
pub fn move_to_back(closed: &ClosedJaxpr, which: &[bool]) -> ClosedJaxpr {
    let (stay, moved) = partition(which, &closed.jaxpr.invars);
    with_inputs(closed, [stay, moved].concat())
}

/// A graph with the marked inputs before the others.
pub fn move_to_front(closed: &ClosedJaxpr, which: &[bool]) -> ClosedJaxpr {
    let (stay, moved) = partition(which, &closed.jaxpr.invars);
    with_inputs(closed, [moved, stay].concat())
}

/// A graph with inputs and results in groups: of each group first the plain ones, then the tangents.
/// `ins` and `outs` list the sizes of the groups: (plain, tangents).
pub fn interleave(closed: &ClosedJaxpr, ins: &[(usize, usize)], outs: &[(usize, usize)]) -> ClosedJaxpr {
    let mut jaxpr = (*closed.jaxpr).clone();
    jaxpr.invars = grouped(&jaxpr.invars, ins);
    jaxpr.outvars = grouped(&jaxpr.outvars, outs);
    jaxpr.debug.arguments = Rc::from([]);
    ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: closed.consts.clone() }
}

fn grouped<T: Clone>(items: &[T], sizes: &[(usize, usize)]) -> Vec<T> {
    let mut plain = 0;
    let mut tangent: usize = sizes.iter().map(|(p, _)| p).sum();
    let mut out = Vec::with_capacity(items.len());
    for (p, t) in sizes {
        out.extend_from_slice(&items[plain..plain + p]);
        out.extend_from_slice(&items[tangent..tangent + t]);
        plain += p;
        tangent += t;
    }
    out
}
