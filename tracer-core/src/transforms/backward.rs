//! Reverse mode, second half: cotangents walk a linear graph backwards.

use smallvec::SmallVec;

use crate::array::Aval;
use crate::primitives::{Operand, Tangents, build};
use crate::python::{Halt, Step};
use crate::trace::{Atom, Engine, Jaxpr, Val, Var};

/// What is known of a variable on the way back.
#[derive(Clone)]
enum Slot {
    /// Not reached.
    Empty,
    /// A value that does not depend on linear inputs.
    Known(Val),
    /// A linear value: the sum of its cotangents so far.
    Linear(Option<Val>),
}

/// The type of a cotangent of a value of this type.
pub fn cotangent_aval(aval: &Aval) -> Aval {
    Aval { weak: aval.weak, ..aval.tangent() }
}

/// The cotangents of the linear inputs of a graph, from those of its results (`None`: zero).
/// Equations that depend on no linear input are computed.
///
/// # Errors
/// What the rules raise.
pub fn backward(
    cx: &Engine,
    jaxpr: &Jaxpr,
    consts: &[Val],
    inputs: &[Operand],
    cotangents: &[Option<Val>],
) -> Step<Vec<Option<Val>>> {
    backward_from(cx, jaxpr, consts, inputs, cotangents, &[])
}

/// [`backward`], with cotangents that the inputs already have.
///
/// # Errors
/// What the rules raise.
pub fn backward_from(
    cx: &Engine,
    jaxpr: &Jaxpr,
    consts: &[Val],
    inputs: &[Operand],
    cotangents: &[Option<Val>],
    start: &[Option<Val>],
) -> Step<Vec<Option<Val>>> {
    if cotangents.iter().all(Option::is_none) && !jaxpr.effects.keeps() {
        return Ok((0..inputs.len()).map(|i| start.get(i).cloned().flatten()).collect());
    }
    let mut slots = vec![Slot::Empty; jaxpr.vars.len()];
    for (var, value) in jaxpr.constvars.iter().zip(consts) {
        slots[var.0 as usize] = Slot::Known(value.clone());
    }
    for (i, (var, input)) in jaxpr.invars.iter().zip(inputs).enumerate() {
        slots[var.0 as usize] = match input {
            Operand::Known(value) => Slot::Known(value.clone()),
            Operand::Linear(_) => Slot::Linear(start.get(i).cloned().flatten()),
        };
    }
    let before = cx.source();
    // Inputs that the caller gives another type than the graph does: one that is weak or is not.
    let given = jaxpr.invars.iter().zip(inputs).filter_map(|(var, input)| match input {
        Operand::Linear(aval) if aval != jaxpr.aval(*var) => Some((*var, aval)),
        _ => None,
    });
    let given: SmallVec<[(Var, &Aval); 4]> = given.collect();
    let done = walk(cx, jaxpr, &mut slots, cotangents, &given);
    cx.set_source(before);
    done?;
    Ok(jaxpr
        .invars
        .iter()
        .zip(inputs)
        .map(|(var, input)| match (&slots[var.0 as usize], input) {
            (Slot::Linear(sum), Operand::Linear(_)) => sum.clone(),
            _ => None,
        })
        .collect())
}

fn walk(
    cx: &Engine,
    jaxpr: &Jaxpr,
    slots: &mut [Slot],
    cotangents: &[Option<Val>],
    given: &[(Var, &Aval)],
) -> Step<()> {
    let mut linear = Vec::new();
    for eqn in &jaxpr.eqns {
        let depends = eqn.inputs.iter().filter_map(Atom::var).any(|v| matches!(slots[v.0 as usize], Slot::Linear(_)));
        if depends {
            eqn.outputs.iter().for_each(|v| slots[v.0 as usize] = Slot::Linear(None));
            linear.push(eqn);
            continue;
        }
        let inputs = eqn.inputs.iter().map(|a| known(slots, a)).collect::<Step<SmallVec<[Val; 4]>>>()?;
        cx.set_source(eqn.source);
        let results = cx.within_equation(&*eqn.primitive, || cx.bind(eqn.primitive.clone(), &inputs))?;
        for (var, value) in eqn.outputs.iter().zip(results) {
            slots[var.0 as usize] = Slot::Known(value);
        }
    }
    for (atom, cotangent) in jaxpr.outvars.iter().zip(cotangents) {
        if let Some(var) = atom.var() {
            accumulate(cx, jaxpr, slots, var, cotangent.clone())?;
        }
    }
    for eqn in linear.into_iter().rev() {
        let cotangents: Tangents = eqn.outputs.iter().map(|v| take(slots, *v)).collect();
        if cotangents.iter().all(Option::is_none) {
            continue;
        }
        let operands =
            eqn.inputs.iter().map(|a| operand(jaxpr, slots, given, a)).collect::<Step<SmallVec<[Operand; 4]>>>()?;
        cx.tick()?;
        cx.set_source(eqn.source);
        let results = cx.within_equation(&*eqn.primitive, || eqn.primitive.transpose(cx, &cotangents, &operands))?;
        for ((atom, operand), result) in eqn.inputs.iter().zip(&operands).zip(results) {
            if let (Atom::Var(var), true) = (atom, operand.is_linear()) {
                accumulate(cx, jaxpr, slots, *var, result)?;
            }
        }
    }
    Ok(())
}

fn known(slots: &[Slot], atom: &Atom) -> Step<Val> {
    match atom {
        Atom::Literal(value) => Ok(value.clone()),
        Atom::Var(var) => match &slots[var.0 as usize] {
            Slot::Known(value) => Ok(value.clone()),
            _ => Err(Halt::unknown("a graph uses a variable before it is bound")),
        },
    }
}

fn operand(jaxpr: &Jaxpr, slots: &[Slot], given: &[(Var, &Aval)], atom: &Atom) -> Step<Operand> {
    match atom {
        Atom::Var(var) if matches!(slots[var.0 as usize], Slot::Linear(_)) => {
            let own = given.iter().find(|(known, _)| known == var).map(|(_, aval)| *aval);
            Ok(Operand::Linear(own.unwrap_or_else(|| jaxpr.aval(*var)).clone()))
        }
        _ => known(slots, atom).map(Operand::Known),
    }
}

fn take(slots: &mut [Slot], var: Var) -> Option<Val> {
    match &mut slots[var.0 as usize] {
        Slot::Linear(sum) => sum.take(),
        _ => None,
    }
}

fn accumulate(cx: &Engine, jaxpr: &Jaxpr, slots: &mut [Slot], var: Var, cotangent: Option<Val>) -> Step<()> {
    let Slot::Linear(sum) = &mut slots[var.0 as usize] else { return Ok(()) };
    let Some(cotangent) = cotangent else { return Ok(()) };
    let expected = jaxpr.aval(var);
    if cotangent.aval.shape != expected.shape {
        return Err(Halt::value_error(format!(
            "Expected cotangent type {} but got {}",
            cotangent_aval(expected).long(),
            cotangent.aval.long()
        )));
    }
    let before = sum.take();
    let after = build::add_tangents(cx, before, Some(cotangent))?;
    slots[var.0 as usize] = Slot::Linear(after);
    Ok(())
}
