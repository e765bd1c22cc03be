//! Products whose results are only read with rows and columns exchanged, as in the gradient of every dense layer: with their operands
//! exchanged they give that at once, and nothing is copied.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::Tensor;
use crate::primitives::{DotGeneral, Primitive, Transpose};
use crate::python::{Halt, Step};
use crate::trace::{Atom, Eqn, Jaxpr, Var};

/// Results of fewer elements are copied as fast.
const LARGE: usize = 1 << 12;

/// A product and the transposition of its result.
#[derive(Debug)]
pub struct Turned {
    /// The equation of the product.
    pub product: usize,
    /// The one that exchanges the axes.
    pub transpose: usize,
    /// What gives its result of the exchanged operands.
    mirrored: DotGeneral,
    permutation: Vec<usize>,
}

impl Turned {
    /// The result with its axes exchanged.
    ///
    /// # Errors
    /// Those of the product.
    pub fn eval(&self, inputs: &[Tensor]) -> Step<Tensor> {
        let [lhs, rhs] = inputs else { return Err(Halt::unknown("a product of other than two arrays")) };
        Ok(self.mirrored.eval(&[rhs.clone(), lhs.clone()])?.swap_remove(0))
    }

    /// The product as it stands in the graph, of what [`Turned::eval`] gave.
    pub fn back(&self, result: &Tensor) -> Tensor {
        let mut back = vec![0; self.permutation.len()];
        self.permutation.iter().enumerate().for_each(|(at, axis)| back[*axis] = at);
        result.permute(&back)
    }
}

/// The products of a graph that are turned, by their equations.
pub fn find(jaxpr: &Jaxpr) -> FxHashMap<usize, Turned> {
    let products: FxHashMap<Var, usize> = jaxpr
        .eqns
        .iter()
        .enumerate()
        .filter(|(_, eqn)| eqn.primitive.name() == "dot_general")
        .filter(|(_, eqn)| jaxpr.aval(eqn.outputs[0]).size().is_some_and(|size| size >= LARGE))
        .map(|(at, eqn)| (eqn.outputs[0], at))
        .collect();
    if products.is_empty() {
        return FxHashMap::default();
    }
    let (mut once, mut often) = (FxHashSet::default(), FxHashSet::default());
    for var in jaxpr.eqns.iter().flat_map(|eqn| &eqn.inputs).filter_map(Atom::var) {
        if products.contains_key(&var) && !once.insert(var) {
            often.insert(var);
        }
    }
    often.extend(jaxpr.outvars.iter().filter_map(Atom::var));
    let pair = |(transpose, eqn): (usize, &Eqn)| {
        let turn = (&*eqn.primitive as &dyn std::any::Any).downcast_ref::<Transpose>()?;
        let var = eqn.inputs[0].var().filter(|var| !often.contains(var))?;
        let product = *products.get(&var)?;
        let eqn = &jaxpr.eqns[product];
        let dot = (&*eqn.primitive as &dyn std::any::Any).downcast_ref::<DotGeneral>()?;
        let ranks = [jaxpr.atom_aval(&eqn.inputs[0]).rank(), jaxpr.atom_aval(&eqn.inputs[1]).rank()];
        let mirrored = dot.turned(ranks, &turn.permutation)?;
        Some((product, Turned { product, transpose, mirrored, permutation: turn.permutation.to_vec() }))
    };
    jaxpr.eqns.iter().enumerate().filter_map(pair).collect()
}
