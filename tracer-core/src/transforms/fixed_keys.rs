//! Which of a graph's own random keys give the same numbers at every call: those that it makes of nothing that it is given, or has as
//! constants, and draws numbers with that matter.

use std::any::Any;
use std::collections::BTreeSet;

use super::cond::Cond;
use super::dce::prune;
use super::scan::Scan;
use super::while_loop::While;
use crate::trace::{Atom, Eqn, Jaxpr, Var, marks};

/// What a value comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Origin {
    /// From an input of the graph.
    given: bool,
    /// From seeds within the graph: the marks of their equations.
    seeds: Seeds,
}

/// Marks of equations.
type Seeds = BTreeSet<u64>;

impl Origin {
    fn or(mut self, other: &Origin) -> Origin {
        self.given |= other.given;
        self.seeds.extend(&other.seeds);
        self
    }
}

/// The mark of a key that is the constant at this place, among those of equations.
pub fn of_constant(at: usize) -> u64 {
    1 << 63 | at as u64
}

/// The marks of the equations that make a key which is the same at every call, and of constants that are one, where numbers that
/// matter for a result are drawn with it.
pub fn fixed_keys(graph: &Jaxpr) -> BTreeSet<u64> {
    let (live, _) = prune(graph, &vec![true; graph.outvars.len()], &vec![true; graph.invars.len()]);
    let mut found = Seeds::new();
    let places = graph.constvars.iter().enumerate();
    let constants: Vec<(Var, Origin)> =
        places.map(|(at, var)| (*var, Origin { given: false, seeds: [of_constant(at)].into() })).collect();
    let inputs = vec![Origin { given: true, seeds: Seeds::new() }; live.invars.len()];
    of_graph_with(&live, &inputs, &constants, &mut found);
    found
}

fn of_graph(graph: &Jaxpr, inputs: &[Origin], found: &mut Seeds) -> Vec<Origin> {
    of_graph_with(graph, inputs, &[], found)
}

fn of_graph_with(graph: &Jaxpr, inputs: &[Origin], constants: &[(Var, Origin)], found: &mut Seeds) -> Vec<Origin> {
    let mut known = vec![Origin::default(); graph.vars.len()];
    for (var, origin) in constants {
        known[var.0 as usize] = origin.clone();
    }
    for (var, origin) in graph.invars.iter().zip(inputs) {
        known[var.0 as usize] = origin.clone();
    }
    let of =
        |known: &[Origin], atom: &Atom| atom.var().map_or_else(Origin::default, |var| known[var.0 as usize].clone());
    for eqn in &graph.eqns {
        let given: Vec<Origin> = eqn.inputs.iter().map(|atom| of(&known, atom)).collect();
        let results = of_equation(eqn, &given, found);
        for (var, origin) in eqn.outputs.iter().zip(results) {
            known[var.0 as usize] = origin;
        }
    }
    graph.outvars.iter().map(|atom| of(&known, atom)).collect()
}

fn of_equation(eqn: &Eqn, given: &[Origin], found: &mut Seeds) -> Vec<Origin> {
    let (primitive, results) = (&*eqn.primitive, eqn.outputs.len());
    let any: &dyn Any = primitive;
    let all = given.iter().fold(Origin::default(), Origin::or);
    match primitive.name() {
        "random_seed" => return vec![Origin { seeds: [marks::without_calls(eqn.source)].into(), ..all }],
        "random_bits" | "random_gamma" => {
            if let Some(key) = given.first().filter(|key| !key.given) {
                found.extend(&key.seeds);
            }
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
        let mut merged = vec![Origin { given: given[0].given, seeds: Seeds::new() }; results];
        for branch in cond.branches.iter() {
            for (one, other) in merged.iter_mut().zip(of_graph(&branch.jaxpr, &given[1..], found)) {
                *one = std::mem::take(one).or(&other);
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
fn of_loop(body: &Jaxpr, given: &[Origin], (consts, carry): (usize, usize), found: &mut Seeds) -> Vec<Origin> {
    let mut inputs = given.to_vec();
    loop {
        let mut drawn = Seeds::new();
        let results = of_graph(body, &inputs, &mut drawn);
        let mut grown = false;
        for (input, result) in inputs[consts..consts + carry].iter_mut().zip(&results) {
            let both = input.clone().or(result);
            grown |= both != *input;
            *input = both;
        }
        if !grown {
            found.extend(drawn);
            return results;
        }
    }
}
