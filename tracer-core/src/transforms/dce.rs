//! Dead code: equations whose results no one uses.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::trace::{Atom, ClosedJaxpr, Effects, Jaxpr, Var};

/// A graph with only the marked results and what they need, and which inputs are left. An input marked in `keep` stays.
pub fn prune(jaxpr: &Jaxpr, used: &[bool], keep: &[bool]) -> (Jaxpr, Vec<bool>) {
    let mut live = vec![false; jaxpr.vars.len()];
    let mark = |live: &mut Vec<bool>, atom: &Atom| {
        if let Atom::Var(Var(var)) = atom {
            live[*var as usize] = true;
        }
    };
    let outvars: Vec<Atom> =
        jaxpr.outvars.iter().zip(used).filter(|(_, used)| **used).map(|(a, _)| a.clone()).collect();
    outvars.iter().for_each(|a| mark(&mut live, a));
    let mut eqns = Vec::with_capacity(jaxpr.eqns.len());
    let mut effects = Effects::NONE;
    for eqn in jaxpr.eqns.iter().rev() {
        let used: SmallVec<[bool; 4]> = eqn.outputs.iter().map(|v| live[v.0 as usize]).collect();
        let stays = eqn.primitive.effects().keeps();
        if !used.contains(&true) && !stays {
            continue;
        }
        let mut eqn = eqn.clone();
        if let Some(pruned) = eqn.primitive.prune(&used) {
            let Some(primitive) = pruned.primitive else { continue };
            let mut inputs = pruned.inputs.iter();
            eqn.inputs.retain(|_| inputs.next().copied().unwrap_or(true));
            let mut outputs = pruned.outputs.iter();
            eqn.outputs.retain(|_| outputs.next().copied().unwrap_or(true));
            eqn.primitive = primitive;
        }
        eqn.inputs.iter().for_each(|a| mark(&mut live, a));
        effects = effects.and(eqn.primitive.effects());
        eqns.push(eqn);
    }
    eqns.reverse();
    let is_live = |var: &Var| live[var.0 as usize];
    let kept: Vec<bool> = jaxpr.invars.iter().zip(keep).map(|(v, keep)| *keep || is_live(v)).collect();
    let invars = jaxpr.invars.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(v, _)| *v).collect();
    let mut debug = jaxpr.debug.clone();
    if debug.arguments.len() == kept.len() {
        debug.arguments =
            debug.arguments.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(n, _)| n.clone()).collect();
    }
    let constvars = jaxpr.constvars.clone();
    (
        Jaxpr { vars: jaxpr.vars.clone(), constvars, invars, eqns, outvars, effects, debug, known: Default::default() },
        kept,
    )
}

/// As [`prune`], for graphs that are asked for the same more than once.
pub fn part(jaxpr: &Jaxpr, used: &[bool], keep: &[bool]) -> (Rc<Jaxpr>, Vec<bool>) {
    jaxpr.known.part(used, keep, || prune(jaxpr, used, keep))
}

/// A graph without dead equations and constants, all results and inputs in place.
pub fn live(jaxpr: &ClosedJaxpr) -> ClosedJaxpr {
    let inner = &jaxpr.jaxpr;
    let (pruned, _) = prune(inner, &vec![true; inner.outvars.len()], &vec![true; inner.invars.len()]);
    without_dead_constants(pruned, &jaxpr.consts)
}

/// Drops constants that are not used.
pub fn without_dead_constants(mut jaxpr: Jaxpr, consts: &[crate::trace::Val]) -> ClosedJaxpr {
    let mut live = vec![false; jaxpr.vars.len()];
    for atom in jaxpr.outvars.iter().chain(jaxpr.eqns.iter().flat_map(|e| &e.inputs)) {
        if let Atom::Var(Var(var)) = atom {
            live[*var as usize] = true;
        }
    }
    let is_live = |var: &Var| live[var.0 as usize];
    let consts = jaxpr.constvars.iter().zip(consts).filter(|(v, _)| is_live(v)).map(|(_, c)| c.clone()).collect();
    jaxpr.constvars.retain(is_live);
    ClosedJaxpr::new(jaxpr, consts)
}

/// Which results of a graph depend on unknown inputs.
pub fn depends(jaxpr: &Jaxpr, unknown: &[bool]) -> Vec<bool> {
    let flags = unknown_vars(jaxpr, unknown);
    jaxpr.outvars.iter().map(|a| a.var().is_some_and(|v| flags[v.0 as usize])).collect()
}

/// Which variables of a graph depend on unknown inputs.
pub fn unknown_vars(jaxpr: &Jaxpr, unknown: &[bool]) -> Vec<bool> {
    let mut flags = vec![false; jaxpr.vars.len()];
    for (var, unknown) in jaxpr.invars.iter().zip(unknown) {
        flags[var.0 as usize] = *unknown;
    }
    for eqn in &jaxpr.eqns {
        let inputs: SmallVec<[bool; 4]> =
            eqn.inputs.iter().map(|a| a.var().is_some_and(|v| flags[v.0 as usize])).collect();
        if inputs.contains(&true) {
            for (var, unknown) in eqn.outputs.iter().zip(eqn.primitive.depends(&inputs, eqn.outputs.len())) {
                flags[var.0 as usize] = unknown;
            }
        }
    }
    flags
}
