//! A program as a whole on numbers: all calls that it makes, eager operations and gradients among them, and where the first number comes from that
//! is none.

use std::cell::RefCell;
use std::rc::Rc;

use super::NonFinite;
use crate::array::Tensor;
use crate::interp::Interp;
use crate::primitives::Primitive;
use crate::python::Value;
use crate::trace::{Jaxpr, Observer};

/// Values of modules are looked into so deep, and so many of them.
const MOST_DEPTH: usize = 6;
/// A function of the user's is so deep in what transformations have made of it.
const MOST_WRAPPED: usize = 3;
const MOST_VALUES: usize = 100_000;

/// The function of the framework's that `jax.pmap` makes for each function of the user's, and that does nothing of its own.
const MAPPED: &str = "mapped_over_devices";

/// What is seen of the numbers of a program while it runs.
pub struct Watching {
    first: Rc<RefCell<Option<Seen>>>,
}

/// The first number that is none.
pub(super) struct Seen {
    pub what: NonFinite,
    /// The mark of the operation, and of the call of the program's top level that it belongs to.
    pub source: u64,
    pub call: u64,
}

impl Watching {
    /// Looks at all numbers that are computed from here on.
    pub fn begin(it: &Rc<Interp>) -> Watching {
        let first: Rc<RefCell<Option<Seen>>> = Rc::default();
        let found = first.clone();
        let watched = Rc::downgrade(it);
        let observer: Observer = Rc::new(move |primitive: &dyn Primitive, inputs: &[Tensor], outputs: &[Tensor]| {
            let Some(it) = watched.upgrade() else { return };
            let before = found.borrow().as_ref().map(|seen| seen.what.spoils);
            let Some(spoils) = NonFinite::spoils(before, primitive, inputs, outputs) else { return };
            let node = it.engine.forced.borrow().clone();
            let call = node.as_ref().map_or(0, |node| node.source);
            // A graph of the framework's own was made for whoever first called its function.
            let is_written_there = node.is_some_and(|node| is_users(&it, &*node.primitive));
            let source = if is_written_there { it.engine.source() } else { call };
            let rounds = if is_written_there { it.engine.rounds.borrow().clone() } else { Vec::new() };
            let what = NonFinite::of(spoils, primitive, rounds, inputs, outputs);
            *found.borrow_mut() = Some(Seen { what, source, call });
        });
        *it.engine.observer.borrow_mut() = Some(observer);
        it.engine.observed.set(true);
        it.engine.tells_all.set(false);
        // What comes first in the program is computed first.
        it.engine.hasty.set(true);
        Watching { first }
    }

    /// Computes what the program's modules are left with, and ends.
    pub(super) fn end(self, it: &Rc<Interp>) -> Option<Seen> {
        let modules: Vec<Value> = it.modules.borrow().values().cloned().collect();
        let mut left = MOST_VALUES;
        for module in modules {
            if let Value::Module(module) = module
                && module.unit.user
            {
                let values: Vec<Value> =
                    module.slots.read().iter().chain(module.extra.read().values()).cloned().collect();
                values.iter().for_each(|value| compute(it, value, 0, &mut left));
            }
        }
        it.engine.hasty.set(false);
        it.engine.observed.set(false);
        *it.engine.observer.borrow_mut() = None;
        self.first.borrow_mut().take()
    }
}

/// Whether a computation is that of a function of the user's, or what a transformation made of one.
fn is_users(it: &Interp, primitive: &dyn Primitive) -> bool {
    let notes = it.graphs.notes.borrow();
    let is_of = |function: &str| {
        let is_noted = || notes.iter().any(|note| &*note.graph.jaxpr.debug.function == function);
        function == MAPPED || !function.is_empty() && is_noted()
    };
    holds(primitive, &is_of, MOST_WRAPPED)
}

/// Whether a graph of a primitive, or one in it, is that of such a function.
fn holds(primitive: &dyn Primitive, is_of: &dyn Fn(&str) -> bool, depth: usize) -> bool {
    let inside = |graph: &Jaxpr| graph.eqns.iter().any(|eqn| holds(&*eqn.primitive, is_of, depth - 1));
    depth > 0 && primitive.graphs().iter().any(|graph| is_of(&graph.debug.function) || inside(graph))
}

/// Computes the numbers of a value and of what is in it.
fn compute(it: &Rc<Interp>, value: &Value, depth: usize, left: &mut usize) {
    if depth > MOST_DEPTH || *left == 0 {
        return;
    }
    *left -= 1;
    let mut inner = |value: &Value| compute(it, value, depth + 1, left);
    match value {
        Value::Array(array) => _ = array.concrete().map(|array| it.engine.force(&array)),
        Value::Tuple(items) => items.iter().for_each(inner),
        Value::List(list) => list.read().clone().iter().for_each(inner),
        Value::Dict(dict) => {
            let values: Vec<Value> = dict.read().iter().map(|(_, value)| value.clone()).collect();
            values.iter().for_each(inner);
        }
        Value::Instance(instance) => {
            if let Some(payload) = instance.payload() {
                inner(payload);
            }
            let attrs: Vec<Value> = instance.attrs().values().cloned().collect();
            attrs.iter().for_each(inner);
        }
        _ => {}
    }
}
