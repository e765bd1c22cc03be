//! Whether a graph draws random numbers that are the same at every call: with a key that it makes itself, of nothing that it
//! is given.

use std::any::Any;

use super::cond::Cond;
use super::dce::prune;
use super::scan::Scan;
use super::while_loop::While;
use crate::primitives::Primitive;
use crate::trace::{Atom, Jaxpr};

/// What a value comes from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Origin {
    /// From an input of the graph.
    given: bool,
    /// From a seed within the graph.
    seeded: bool,
}

impl Origin {
    fn or(self, other: Origin) -> Origin {
        Origin { given: self.given || other.given, seeded: self.seeded || other.seeded }
    }
}

/// Whether numbers that matter for a result are drawn with a key that is the same at every call.
pub fn draws_with_fixed_key(graph: &Jaxpr) -> bool {
    let (live, _) = prune(graph, &vec![true; graph.outvars.len()], &vec![true; graph.invars.len()]);
    let mut found = false;
    of_graph(&live, &vec![Origin { given: true, seeded: false }; live.invars.len()], &mut found);
    found
}

fn of_graph(graph: &Jaxpr, inputs: &[Origin], found: &mut bool) -> Vec<Origin> {
    let mut known = vec![Origin::default(); graph.vars.len()];
    for (var, origin) in graph.invars.iter().zip(inputs) {
        known[var.0 as usize] = *origin;
    }
    let of = |known: &[Origin], atom: &Atom| atom.var().map_or(Origin::default(), |var| known[var.0 as usize]);
    for eqn in &graph.eqns {
        let given: Vec<Origin> = eqn.inputs.iter().map(|atom| of(&known, atom)).collect();
        let results = of_equation(&*eqn.primitive, &given, eqn.outputs.len(), found);
        for (var, origin) in eqn.outputs.iter().zip(results) {
            known[var.0 as usize] = origin;
        }
    }
    graph.outvars.iter().map(|atom| of(&known, atom)).collect()
}

fn of_equation(primitive: &dyn Primitive, given: &[Origin], results: usize, found: &mut bool) -> Vec<Origin> {
    let any: &dyn Any = primitive;
    let all = given.iter().fold(Origin::default(), |all, origin| all.or(*origin));
    match primitive.name() {
        "random_seed" => return vec![Origin { seeded: true, ..all }],
        "random_bits" | "random_gamma" => {
            *found |= given.first().is_some_and(|key| key.seeded && !key.given);
            return vec![all; results];
        }
        _ => {}
    }
    if let Some(scan) = any.downcast_ref::<Scan>() {
        return of_loop(&scan.jaxpr.jaxpr, given, (scan.num_consts, scan.num_carry), found);
    }
    if let Some(repeated) = any.downcast_ref::<While>() {
        let rest = &given[repeated.cond_consts..];
        return of_loop(&repeated.body.jaxpr, rest, (repeated.body_consts, rest.len() - repeated.body_consts), found);
    }
    if let Some(cond) = any.downcast_ref::<Cond>() {
        let mut merged = vec![Origin { seeded: false, ..given[0] }; results];
        for branch in cond.branches.iter() {
            for (one, other) in merged.iter_mut().zip(of_graph(&branch.jaxpr, &given[1..], found)) {
                *one = one.or(other);
            }
        }
        return merged;
    }
    match &primitive.graphs()[..] {
        [graph] if graph.invars.len() == given.len() && graph.outvars.len() == results => of_graph(graph, given, found),
        _ => vec![all; results],
    }
}

/// A loop whose body is run until what it carries comes from nothing more.
fn of_loop(body: &Jaxpr, given: &[Origin], (consts, carry): (usize, usize), found: &mut bool) -> Vec<Origin> {
    let mut inputs = given.to_vec();
    loop {
        let mut drawn = false;
        let results = of_graph(body, &inputs, &mut drawn);
        let mut grown = false;
        for (input, result) in inputs[consts..consts + carry].iter_mut().zip(&results) {
            let both = input.or(*result);
            grown |= both != *input;
            *input = both;
        }
        if !grown {
            *found |= drawn;
            return results;
        }
    }
}
