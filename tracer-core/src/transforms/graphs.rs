//! Transformations of graphs: what the primitives with inner graphs are differentiated, transposed and batched by.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{backward, jvp, trace_to_jaxpr, vmap};
use crate::array::Aval;
use crate::primitives::Operand;
use crate::python::{Halt, Step};
use crate::trace::memo::Request;
use crate::trace::{Atom, Axis, ClosedJaxpr, DebugInfo, Engine, Jaxpr, Val};

/// Binds the equations of a graph one by one under the current trace.
///
/// # Errors
/// What the rules raise.
pub fn eval_jaxpr(cx: &Engine, jaxpr: &Jaxpr, consts: &[Val], inputs: &[Val]) -> Step<Vec<Val>> {
    let mut env: Vec<Option<Val>> = vec![None; jaxpr.vars.len()];
    for (var, value) in jaxpr.constvars.iter().zip(consts).chain(jaxpr.invars.iter().zip(inputs)) {
        env[var.0 as usize] = Some(value.clone());
    }
    let read = |env: &[Option<Val>], atom: &Atom| match atom {
        Atom::Literal(value) => Ok(value.clone()),
        Atom::Var(var) => {
            env[var.0 as usize].clone().ok_or_else(|| Halt::unknown("a graph uses a variable before it is bound"))
        }
    };
    let before = cx.source();
    for eqn in &jaxpr.eqns {
        let mut inputs: SmallVec<[Val; 4]> = SmallVec::new();
        for atom in &eqn.inputs {
            inputs.push(read(&env, atom)?);
        }
        cx.set_source(eqn.source);
        let results = cx.within_equation(&*eqn.primitive, || cx.bind(eqn.primitive.clone(), &inputs));
        cx.set_source(before);
        for (var, value) in eqn.outputs.iter().zip(results?) {
            env[var.0 as usize] = Some(value);
        }
    }
    jaxpr.outvars.iter().map(|a| read(&env, a)).collect()
}

/// [`eval_jaxpr`] of a closed graph.
///
/// # Errors
/// What the rules raise.
pub fn eval_closed(cx: &Engine, jaxpr: &ClosedJaxpr, inputs: &[Val]) -> Step<Vec<Val>> {
    eval_jaxpr(cx, &jaxpr.jaxpr, &jaxpr.consts, inputs)
}

fn bits(flags: &[bool]) -> impl Iterator<Item = u64> {
    flags.chunks(63).map(|c| c.iter().fold(1u64, |n, b| n << 1 | u64::from(*b)))
}

pub(super) fn request(what: &'static str, flags: &[&[bool]]) -> Request {
    Request { what, flags: flags.iter().flat_map(|f| bits(f).chain([u64::MAX])).collect(), text: None }
}

/// What [`jvp_jaxpr`] gives.
#[derive(Clone, Debug)]
pub struct JvpJaxpr {
    /// From inputs and nonzero tangents to results and nonzero tangents.
    pub jaxpr: ClosedJaxpr,
    /// Which results have a tangent.
    pub nonzero: Vec<bool>,
}

/// The graph with tangents of the marked inputs. Results marked in `instantiate` get a tangent in any case.
///
/// # Errors
/// What the rules raise.
pub fn jvp_jaxpr(cx: &Engine, jaxpr: &ClosedJaxpr, nonzero: &[bool], instantiate: &[bool]) -> Step<JvpJaxpr> {
    cx.memoized(jaxpr, request("jvp", &[nonzero, instantiate]), || {
        let n = nonzero.len();
        let mut avals = jaxpr.in_avals();
        let tangents: Vec<Aval> = avals.iter().zip(nonzero).filter(|(_, nz)| **nz).map(|(a, _)| a.tangent()).collect();
        avals.extend(tangents);
        let flags = std::cell::RefCell::new(Vec::new());
        let traced = trace_to_jaxpr(
            cx,
            &|args| {
                let mut rest = args[n..].iter().cloned();
                let tangents: Vec<Option<Val>> =
                    nonzero.iter().map(|nz| if *nz { rest.next() } else { None }).collect();
                let (mut results, tangents) = jvp::jvp(cx, &|a| eval_closed(cx, jaxpr, a), &args[..n], &tangents)?;
                let mut out = Vec::new();
                for ((tangent, primal), inst) in tangents.into_iter().zip(&results).zip(instantiate) {
                    let tangent = if *inst { Some(jvp::instantiate(cx, tangent, primal)?) } else { tangent };
                    flags.borrow_mut().push(tangent.is_some());
                    out.extend(tangent);
                }
                results.extend(out);
                Ok(results)
            },
            &avals,
            unnamed(jaxpr),
        )?;
        Ok(JvpJaxpr { jaxpr: traced, nonzero: flags.into_inner() })
    })
}

pub(super) fn unnamed(jaxpr: &ClosedJaxpr) -> DebugInfo {
    DebugInfo { arguments: Rc::from([]), ..jaxpr.jaxpr.debug.clone() }
}

/// What [`batch_jaxpr`] gives.
#[derive(Clone, Debug)]
pub struct BatchedJaxpr {
    /// The graph over all elements at once.
    pub jaxpr: ClosedJaxpr,
    /// The batch axes of its results.
    pub dims: Vec<Option<usize>>,
}

/// Where the results of a batched graph have their axis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Placement<'a> {
    /// Where it comes out.
    Any,
    /// In front, if there is one; in front in any case for the marked ones.
    Front(&'a [bool]),
    /// At these places.
    At(&'a [Option<usize>]),
}

/// [`batch_jaxpr`] with the axes of the results in given places.
///
/// # Errors
/// What the rules raise.
pub fn batch_jaxpr_axes(
    cx: &Engine,
    jaxpr: &ClosedJaxpr,
    axis: &Axis,
    dims: &[Option<usize>],
    places: &[Option<usize>],
) -> Step<ClosedJaxpr> {
    Ok(batch_jaxpr(cx, jaxpr, axis, dims, Placement::At(places))?.jaxpr)
}

/// The graph over all elements along an axis at once.
///
/// # Errors
/// What the rules raise.
pub fn batch_jaxpr(
    cx: &Engine,
    jaxpr: &ClosedJaxpr,
    axis: &Axis,
    dims: &[Option<usize>],
    placement: Placement<'_>,
) -> Step<BatchedJaxpr> {
    let mut flags: Vec<u64> = dims.iter().map(|d| d.map_or(0, |d| d as u64 + 1)).collect();
    flags.extend([u64::MAX, axis.size.code()]);
    match placement {
        Placement::Any => {}
        Placement::Front(force) => {
            flags.push(u64::MAX);
            flags.extend(bits(force));
        }
        Placement::At(places) => flags.extend(places.iter().map(|d| d.map_or(u64::MAX - 1, |d| d as u64))),
    }
    let request = Request { what: "batch", flags: flags.into(), text: axis.name.clone() };
    cx.memoized(jaxpr, request, || {
        let avals: Vec<Aval> =
            jaxpr.jaxpr.in_avals().zip(dims).map(|(a, d)| vmap::batched_aval(a, axis.size, *d)).collect();
        let out_dims = std::cell::RefCell::new(Vec::new());
        let traced = trace_to_jaxpr(
            cx,
            &|args| {
                let (results, found) = vmap::batch(cx, axis, &|a| eval_closed(cx, jaxpr, a), args, dims)?;
                let places: Vec<Option<usize>> = match placement {
                    Placement::Any => found.clone(),
                    Placement::Front(force) => {
                        force.iter().zip(&found).map(|(force, from)| (*force || from.is_some()).then_some(0)).collect()
                    }
                    Placement::At(places) => places.to_vec(),
                };
                let mut placed = Vec::new();
                for ((value, from), to) in results.iter().zip(&found).zip(&places) {
                    let there = vmap::place(cx, axis, value, *from, *to)?;
                    placed.push(there.ok_or_else(|| Halt::unknown("a result is batched that should not be"))?);
                }
                *out_dims.borrow_mut() = places;
                Ok(placed)
            },
            &avals,
            jaxpr.jaxpr.debug.clone(),
        )?;
        Ok(BatchedJaxpr { jaxpr: traced, dims: out_dims.into_inner() })
    })
}

/// What [`transpose_jaxpr`] gives.
#[derive(Clone, Debug)]
pub struct TransposedJaxpr {
    /// From known inputs and nonzero cotangents to nonzero cotangents of linear inputs.
    pub jaxpr: ClosedJaxpr,
    /// Which inputs of the original get a cotangent.
    pub nonzero: Vec<bool>,
}

/// The graph of the cotangents: `linear` marks the linear inputs, `nonzero` the results with a cotangent. Inputs marked in
/// `instantiate` get a cotangent in any case.
///
/// # Errors
/// What the rules raise.
pub fn transpose_jaxpr(
    cx: &Engine,
    jaxpr: &ClosedJaxpr,
    linear: &[bool],
    nonzero: &[bool],
    instantiate: &[bool],
) -> Step<TransposedJaxpr> {
    cx.memoized(jaxpr, request("transpose", &[linear, nonzero, instantiate]), || {
        let in_avals = jaxpr.in_avals();
        let mut avals: Vec<Aval> = in_avals.iter().zip(linear).filter(|(_, l)| !**l).map(|(a, _)| a.clone()).collect();
        let known = avals.len();
        avals.extend(
            jaxpr.jaxpr.out_avals().zip(nonzero).filter(|(_, nz)| **nz).map(|(a, _)| backward::cotangent_aval(a)),
        );
        let flags = std::cell::RefCell::new(Vec::new());
        let traced = trace_to_jaxpr(
            cx,
            &|args| {
                let mut values = args[..known].iter().cloned();
                let operands: Vec<Operand> = in_avals
                    .iter()
                    .zip(linear)
                    .filter_map(
                        |(a, l)| if *l { Some(Operand::Linear(a.clone())) } else { values.next().map(Operand::Known) },
                    )
                    .collect();
                let mut cotangents = args[known..].iter().cloned();
                let cotangents: Vec<Option<Val>> =
                    nonzero.iter().map(|nz| if *nz { cotangents.next() } else { None }).collect();
                let results = backward::backward(cx, &jaxpr.jaxpr, &jaxpr.consts, &operands, &cotangents)?;
                let mut out = Vec::new();
                for ((i, result), aval) in results.into_iter().enumerate().zip(&in_avals) {
                    let result = match result {
                        None if linear[i] && instantiate.get(i) == Some(&true) => {
                            Some(super::zeros(cx, &backward::cotangent_aval(aval))?)
                        }
                        result => result,
                    };
                    flags.borrow_mut().push(result.is_some());
                    out.extend(result);
                }
                Ok(out)
            },
            &avals,
            unnamed(jaxpr),
        )?;
        Ok(TransposedJaxpr { jaxpr: traced, nonzero: flags.into_inner() })
    })
}
