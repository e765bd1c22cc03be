//! Numbers on demand: runs the deferred computations behind an array, within limits and without recursion.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Engine, Node, Val};
use crate::array::Tensor;
use crate::python::{Halt, Step, Why};

/// Bytes that the results of one demand may take.
const BYTES: u64 = 256 << 20;

/// Scalar operations that a Python float of an array's may take.
pub const FLOAT_WORTH: u64 = 1_000_000;

impl Engine {
    /// The numbers of an eager array.
    ///
    /// # Errors
    /// Unknown for tracers, for computations that cannot be evaluated and for those past the limits.
    pub fn force(&self, value: &Val) -> Step<Tensor> {
        self.force_within(value, u64::MAX)
    }

    /// As [`Engine::force`], of what takes at most so many scalar operations.
    ///
    /// # Errors
    /// As [`Engine::force`]; what takes more stays to be computed by those to whom it is worth more.
    pub fn force_within(&self, value: &Val, most: u64) -> Step<Tensor> {
        if !value.is_literal() {
            self.recorder.spoil();
        }
        if let Some(tensor) = value.tensor() {
            return Ok(tensor.clone());
        }
        let Some((node, _)) = value.node() else { return value.read().cloned() };
        if self.idle.get() {
            return Err(Halt::unknown("numbers that nobody reads"));
        }
        if most < self.fuel.get() && self.work(node, most) > most {
            return Err(Halt::unknown("a number that takes long to compute"));
        }
        if let Err(why) = self.force_node(node)? {
            return Err(Halt::Unknown(why));
        }
        value.read().cloned()
    }

    /// The numbers of an eager array for a program that makes Python numbers of them. An integer may become a shape; a float
    /// seldom decides what a program does, so that less is spent on it.
    ///
    /// # Errors
    /// As [`Engine::force`].
    pub fn force_for_python(&self, value: &Val) -> Step<Tensor> {
        let dtype = value.aval.dtype;
        let inexact = dtype.is_inexact();
        self.force_within(value, if inexact { FLOAT_WORTH } else { u64::MAX })
    }

    fn force_node(&self, root: &Rc<Node>) -> Step<Result<(), Why>> {
        let order = match self.plan(root) {
            Ok(order) => order,
            Err(why) => {
                root.finish(Err(why.clone()));
                return Ok(Err(why));
            }
        };
        for node in order {
            self.tick()?;
            let inputs = node.inputs();
            let outcome = match inputs.iter().map(|v| v.read().cloned()).collect::<Step<SmallVec<[Tensor; 4]>>>() {
                Ok(tensors) => {
                    if node.primitive.graphs().is_empty() {
                        self.fuel.set(self.fuel.get().saturating_sub(node.cost()));
                    }
                    self.run(&*node.primitive, &tensors, &node.avals)
                }
                Err(halt) => Err(halt),
            };
            match outcome {
                Ok(results) => node.finish(Ok(results)),
                Err(Halt::Unknown(why)) => node.finish(Err(why)),
                Err(other) => return Err(other),
            }
        }
        Ok(root.why().map_or(Ok(()), |why| Err(why.clone())))
    }

    /// Scalar operations that stand between a computation and its numbers; counted no further than past `most`.
    fn work(&self, root: &Rc<Node>, most: u64) -> u64 {
        let mut work = 0u64;
        let mut seen: FxHashSet<*const Node> = FxHashSet::default();
        let mut stack = vec![root.clone()];
        while let Some(node) = stack.pop() {
            if node.is_done() || !seen.insert(Rc::as_ptr(&node)) {
                continue;
            }
            work = work.saturating_add(node.cost().max(1));
            if work > most {
                break;
            }
            stack.extend(node.inputs().iter().filter_map(|input| input.node().map(|(inner, _)| inner.clone())));
        }
        work
    }

    /// The computations to run, inputs first; an error when they take more than is left.
    fn plan(&self, root: &Rc<Node>) -> Result<Vec<Rc<Node>>, Why> {
        let (mut cost, mut bytes) = (0u64, 0u64);
        let mut seen: FxHashSet<*const Node> = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack = vec![(root.clone(), false)];
        while let Some((node, expanded)) = stack.pop() {
            if node.is_done() {
                continue;
            }
            if expanded {
                order.push(node);
                continue;
            }
            if !seen.insert(Rc::as_ptr(&node)) {
                continue;
            }
            cost = cost.saturating_add(node.cost());
            let size = |a: &crate::array::Aval| a.size().unwrap_or(usize::MAX) as u64;
            bytes = node.avals.iter().fold(bytes, |n, a| n.saturating_add(size(a).saturating_mul(4)));
            if cost > self.fuel.get() || bytes > BYTES {
                return Err(Why("its computation is too large to run while editing".into()));
            }
            stack.push((node.clone(), true));
            for input in node.inputs() {
                if let Some((inner, _)) = input.node() {
                    if !inner.is_done() {
                        stack.push((inner.clone(), false));
                    }
                }
            }
        }
        Ok(order)
    }
}
