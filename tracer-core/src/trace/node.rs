//! Computations of eager arrays that wait until their numbers are asked for.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Repr, Val};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Primitive};
use crate::python::Why;

/// One deferred computation.
pub struct Node {
    /// What is computed.
    pub primitive: Rc<dyn Primitive>,
    /// The types of the results.
    pub avals: Avals,
    /// Where in the user's program it was asked for.
    pub source: u64,
    inputs: RefCell<SmallVec<[Val; 2]>>,
    results: OnceCell<Result<SmallVec<[Tensor; 1]>, Lacking>>,
    alive: Rc<Cell<usize>>,
    /// Results as others give them that compute no more than they need.
    lean: RefCell<SmallVec<[(usize, Val); 1]>>,
}

/// What is known of a computation that did not come to all of its results.
struct Lacking {
    why: Why,
    /// The results that could be had without the others; none where none was looked for.
    had: SmallVec<[Option<Tensor>; 2]>,
}

impl Node {
    /// A computation that has not run. `alive` counts the nodes of an engine.
    pub fn new(
        primitive: Rc<dyn Primitive>,
        inputs: &[Val],
        avals: Avals,
        source: u64,
        alive: Rc<Cell<usize>>,
    ) -> Rc<Node> {
        alive.set(alive.get() + 1);
        let inputs = RefCell::new(inputs.iter().cloned().collect());
        Rc::new(Node { primitive, avals, source, inputs, results: OnceCell::new(), alive, lean: RefCell::default() })
    }
    /// Another computation at the same place of the program.
    pub(super) fn beside(&self, primitive: Rc<dyn Primitive>, inputs: &[Val], avals: Avals) -> Rc<Node> {
        Node::new(primitive, inputs, avals, self.source, self.alive.clone())
    }
    /// The inputs; none once it has run.
    pub fn inputs(&self) -> SmallVec<[Val; 2]> {
        self.inputs.borrow().clone()
    }
    /// Whether it has run, or is known never to give numbers.
    pub fn is_done(&self) -> bool {
        self.results.get().is_some()
    }
    /// A result, if it has run.
    pub fn result(&self, index: usize) -> Option<&Tensor> {
        match self.results.get()? {
            Ok(results) => results.get(index),
            Err(lacking) => lacking.had.get(index)?.as_ref(),
        }
    }
    /// Why it does not give the numbers of a result, if that is known.
    pub fn why(&self, index: usize) -> Option<&Why> {
        let lacking = self.results.get()?.as_ref().err()?;
        matches!(lacking.had.get(index), None | Some(None)).then_some(&lacking.why)
    }
    /// A result as a computation of its own gives it, if there is one.
    pub(super) fn lean(&self, index: usize) -> Option<Val> {
        self.lean.borrow().iter().find(|(i, _)| *i == index).map(|(_, value)| value.clone())
    }
    /// Keeps what gives a result without the others.
    pub(super) fn set_lean(&self, index: usize, value: Val) {
        self.lean.borrow_mut().push((index, value));
    }
    /// Keeps the outcome and lets go of the inputs.
    pub(super) fn finish(&self, outcome: Result<SmallVec<[Tensor; 1]>, Why>) {
        self.ends(outcome.map_err(|why| Lacking { why, had: SmallVec::new() }));
    }
    /// Keeps the results that it has, and why it does not have the others.
    pub(super) fn finish_partly(&self, why: Why, had: SmallVec<[Option<Tensor>; 2]>) {
        self.ends(Err(Lacking { why, had }));
    }
    fn ends(&self, outcome: Result<SmallVec<[Tensor; 1]>, Lacking>) {
        let _ = self.results.set(outcome);
        drop_deep(std::mem::take(&mut *self.inputs.borrow_mut()));
    }
    /// Scalar operations that it takes.
    pub fn cost(&self) -> u64 {
        let inputs = self.inputs.borrow();
        let avals: SmallVec<[&Aval; 4]> = inputs.iter().map(|v| &v.aval).collect();
        self.primitive.cost(&avals, &self.avals)
    }
}

/// Lets go of values without recursion: a chain of nodes may be long.
fn drop_deep(values: SmallVec<[Val; 2]>) {
    let mut pending = values;
    while let Some(value) = pending.pop() {
        let Ok(array) = Rc::try_unwrap(value) else { continue };
        let Repr::Deferred(node, _) = array.repr else { continue };
        if let Ok(mut node) = Rc::try_unwrap(node) {
            pending.extend(std::mem::take(node.inputs.get_mut()));
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.alive.set(self.alive.get().saturating_sub(1));
        drop_deep(std::mem::take(self.inputs.get_mut()));
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {:?}", self.primitive.name(), self.avals)
    }
}
