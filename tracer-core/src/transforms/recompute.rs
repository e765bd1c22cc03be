//! What `checkpoint` keeps and what it computes again: a graph split by a policy.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{calls, jit::Jit, scan::Scan};
use crate::array::{Aval, DType};
use crate::primitives::{ParamValue, Primitive, from_params};
use crate::python::Step;
use crate::trace::{Atom, ClosedJaxpr, Effects, Engine, Eqn, Jaxpr, Var};

/// Says whether the results of a primitive applied to these types are kept.
pub type Keeps = Rc<dyn Fn(&Engine, &dyn Primitive, &[&Aval]) -> Step<bool>>;

/// A policy of `checkpoint`.
#[derive(Clone)]
pub struct Policy {
    /// As graphs print it.
    pub shown: Rc<str>,
    /// What is kept.
    pub keeps: Keeps,
}

/// A graph split by a policy.
pub struct Split {
    /// From known inputs to known results and residuals.
    pub known: Jaxpr,
    /// From residuals and all inputs to those results that it computes.
    pub staged: Jaxpr,
    /// Which results the staged part computes: all but those that are kept.
    pub staged_results: Vec<bool>,
    /// Which results are unknown.
    pub unknown_results: Vec<bool>,
    /// The number of residuals.
    pub residuals: usize,
}

/// Splits a graph: what is known is computed once, and again in the staged part unless the policy keeps it.
///
/// # Errors
/// What the policy raises.
pub fn split(cx: &Engine, jaxpr: &Jaxpr, unknown: &[bool], policy: Option<&Policy>) -> Step<Split> {
    let mut vars = jaxpr.vars.clone();
    let mut is_unknown = vec![false; vars.len()];
    for (var, unknown) in jaxpr.invars.iter().zip(unknown) {
        is_unknown[var.0 as usize] = *unknown;
    }
    // Variables that only the known part has; where the staged part needs them they are residuals.
    let mut kept: FxHashSet<Var> = FxHashSet::default();
    let mut residuals: Vec<Var> = Vec::new();
    let (mut known, mut staged) = (Vec::new(), Vec::new());
    for eqn in &jaxpr.eqns {
        let flags: SmallVec<[bool; 4]> =
            eqn.inputs.iter().map(|a| a.var().is_some_and(|v| is_unknown[v.0 as usize])).collect();
        if let (Some(call), Some(policy)) = (as_jit(eqn), policy) {
            let mut at =
                At { vars: &mut vars, is_unknown: &mut is_unknown, residuals: &mut residuals, kept: &mut kept };
            let (now, later) = split_call(cx, call, eqn, &flags, policy, &mut at)?;
            known.push(now);
            staged.push(later);
            continue;
        }
        if flags.contains(&true) {
            let results = eqn.primitive.depends(&flags, eqn.outputs.len());
            for (var, unknown) in eqn.outputs.iter().zip(&results) {
                is_unknown[var.0 as usize] = *unknown;
            }
            known.extend(known_part(cx, jaxpr, eqn, &flags, &results)?);
            need(eqn, &kept, &mut residuals);
            staged.push(eqn.clone());
            continue;
        }
        match as_scan(&*eqn.primitive) {
            Some(_) => known.extend(known_part(cx, jaxpr, eqn, &flags, &vec![false; eqn.outputs.len()])?),
            None => known.push(eqn.clone()),
        }
        let avals: SmallVec<[&Aval; 4]> = eqn.inputs.iter().map(|a| jaxpr.atom_aval(a)).collect();
        let keeps = match policy {
            _ if eqn.primitive.effects().keeps() => true,
            Some(policy) => (policy.keeps)(cx, &*eqn.primitive, &avals)?,
            None => false,
        };
        if keeps {
            kept.extend(&eqn.outputs);
        } else {
            need(eqn, &kept, &mut residuals);
            staged.push(eqn.clone());
        }
    }
    let unknown_results: Vec<bool> =
        jaxpr.outvars.iter().map(|a| a.var().is_some_and(|v| is_unknown[v.0 as usize])).collect();
    let (mut now, _) = calls::partition(&unknown_results, &jaxpr.outvars);
    now.extend(residuals.iter().copied().map(Atom::Var));
    let (known_in, _) = calls::partition(unknown, &jaxpr.invars);
    let count = residuals.len();
    let part = |invars, eqns: Vec<Eqn>, outvars| Jaxpr {
        vars: vars.clone(),
        constvars: jaxpr.constvars.clone(),
        invars,
        effects: eqns.iter().fold(Effects::NONE, |e, eqn| e.and(eqn.primitive.effects())),
        eqns,
        outvars,
        debug: crate::trace::DebugInfo { arguments: Rc::from([]), ..jaxpr.debug.clone() },
        known: Default::default(),
    };
    let staged_results: Vec<bool> = jaxpr.outvars.iter().map(|a| a.var().is_none_or(|v| !kept.contains(&v))).collect();
    let (_, staged_out) = calls::partition(&staged_results, &jaxpr.outvars);
    let staged_in = residuals.into_iter().chain(jaxpr.invars.iter().copied()).collect();
    Ok(Split {
        known: part(known_in, known, now),
        staged: part(staged_in, staged, staged_out),
        staged_results,
        unknown_results,
        residuals: count,
    })
}

fn need(eqn: &Eqn, kept: &FxHashSet<Var>, residuals: &mut Vec<Var>) {
    for var in eqn.inputs.iter().filter_map(Atom::var) {
        if kept.contains(&var) && !residuals.contains(&var) {
            residuals.push(var);
        }
    }
}

/// The part of an equation that gives its known results, if it has one.
fn known_part(cx: &Engine, jaxpr: &Jaxpr, eqn: &Eqn, unknown: &[bool], results: &[bool]) -> Step<Option<Eqn>> {
    if !results.contains(&false) {
        return Ok(None);
    }
    let used: SmallVec<[bool; 4]> = results.iter().map(|u| !u).collect();
    let Some(pruned) = eqn.primitive.prune(&used) else { return Ok(None) };
    let Some(mut primitive) = pruned.primitive else { return Ok(None) };
    if pruned.inputs.iter().zip(unknown).any(|(used, unknown)| *used && *unknown) {
        return Ok(None);
    }
    let inputs: SmallVec<[Atom; 3]> =
        eqn.inputs.iter().zip(&pruned.inputs).filter(|(_, u)| **u).map(|(a, _)| a.clone()).collect();
    let outputs = eqn.outputs.iter().zip(&pruned.outputs).filter(|(_, u)| **u).map(|(v, _)| *v).collect();
    let call = match as_scan(&*primitive) {
        Some(scan) => {
            let avals: Vec<Aval> = inputs.iter().map(|a| jaxpr.atom_aval(a).clone()).collect();
            Some(scan.as_call(cx, &avals)?)
        }
        None => None,
    };
    if let Some(call) = call {
        primitive = call;
    }
    Ok(Some(Eqn { primitive, inputs, outputs, source: eqn.source }))
}

fn as_scan(primitive: &dyn Primitive) -> Option<&Scan> {
    let any: &dyn std::any::Any = primitive;
    any.downcast_ref()
}

fn as_jit(eqn: &Eqn) -> Option<&Jit> {
    let any: &dyn std::any::Any = &*eqn.primitive;
    any.downcast_ref()
}

/// The state of a split that the split of an inner call changes.
struct At<'a> {
    vars: &'a mut Vec<Aval>,
    is_unknown: &'a mut Vec<bool>,
    residuals: &'a mut Vec<Var>,
    kept: &'a mut FxHashSet<Var>,
}

/// A call is split into a call of what is known and a call of what is staged.
fn split_call(
    cx: &Engine,
    call: &Jit,
    eqn: &Eqn,
    unknown: &[bool],
    policy: &Policy,
    at: &mut At<'_>,
) -> Step<(Eqn, Eqn)> {
    let parts = split(cx, &call.jaxpr.jaxpr, unknown, Some(policy))?;
    for (var, unknown) in eqn.outputs.iter().zip(&parts.unknown_results) {
        at.is_unknown[var.0 as usize] = *unknown;
    }
    need(eqn, at.kept, at.residuals);
    let own: Vec<Var> = parts
        .staged
        .invars
        .iter()
        .take(parts.residuals)
        .map(|v| {
            let var = Var(at.vars.len() as u32);
            at.vars.push(parts.staged.aval(*v).clone());
            at.is_unknown.push(false);
            var
        })
        .collect();
    at.residuals.extend(&own);
    let (known_in, _) = calls::partition(unknown, &eqn.inputs);
    let (mut known_out, _) = calls::partition(&parts.unknown_results, &eqn.outputs);
    known_out.extend(&own);
    let of = |jaxpr: Jaxpr| -> Rc<dyn Primitive> {
        Rc::new(Jit::new(
            call.name.clone(),
            ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: call.jaxpr.consts.clone() },
            call.inline,
        ))
    };
    let now =
        Eqn { primitive: of(parts.known), inputs: known_in.into(), outputs: known_out.into(), source: eqn.source };
    let inputs = own.into_iter().map(Atom::Var).chain(eqn.inputs.iter().cloned()).collect();
    let (kept, outputs) = calls::partition(&parts.staged_results, &eqn.outputs);
    at.kept.extend(kept);
    let later = Eqn { primitive: of(parts.staged), inputs, outputs: outputs.into(), source: eqn.source };
    Ok((now, later))
}

/// Rounds the last results to their own precision, so that what is kept is what would be computed again.
///
/// # Errors
/// None but a missing primitive.
pub fn round_residuals(mut jaxpr: Jaxpr, residuals: usize) -> Step<Jaxpr> {
    let used: FxHashSet<Var> = jaxpr.eqns.iter().flat_map(|e| e.inputs.iter().filter_map(Atom::var)).collect();
    let last: Vec<Var> = jaxpr.outvars[jaxpr.outvars.len() - residuals..].iter().filter_map(Atom::var).collect();
    for var in last {
        let aval = jaxpr.aval(var).clone();
        let Some((exponent, mantissa)) = float_bits(aval.dtype).filter(|_| used.contains(&var)) else { continue };
        let raw = Var(jaxpr.vars.len() as u32);
        jaxpr.vars.push(aval);
        let bits =
            [("exponent_bits".into(), ParamValue::Int(exponent)), ("mantissa_bits".into(), ParamValue::Int(mantissa))];
        let round = Eqn {
            primitive: from_params("reduce_precision", bits)?,
            inputs: SmallVec::from_elem(Atom::Var(raw), 1),
            outputs: SmallVec::from_elem(var, 1),
            source: 0,
        };
        if let Some(at) = jaxpr.invars.iter().position(|v| *v == var) {
            jaxpr.invars[at] = raw;
            jaxpr.eqns.insert(0, round);
        } else if let Some(at) = jaxpr.eqns.iter().position(|e| e.outputs.contains(&var)) {
            if jaxpr.eqns[at].primitive.name() == "reduce_precision" {
                continue;
            }
            let source = jaxpr.eqns[at].source;
            jaxpr.eqns[at].outputs.iter_mut().filter(|v| **v == var).for_each(|v| *v = raw);
            jaxpr.eqns.insert(at + 1, Eqn { source, ..round });
        }
    }
    Ok(jaxpr)
}

fn float_bits(dtype: DType) -> Option<(i64, i64)> {
    Some(match dtype {
        DType::F16 => (5, 10),
        DType::BF16 => (8, 7),
        DType::F32 | DType::C64 => (8, 23),
        DType::F64 | DType::C128 => (11, 52),
        DType::Narrow(narrow) => (narrow.format().exponent.into(), narrow.format().mantissa.into()),
        _ => return None,
    })
}
