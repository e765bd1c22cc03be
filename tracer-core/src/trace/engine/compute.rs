//! What is computed outside of all transformations.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use super::{Engine, MOST_MEMORY, ROUNDS_ON_HOST, SMALL, WAITING};
use crate::array::{Aval, Tensor};
use crate::primitives::{Avals, Primitive, Pruned};
use crate::python::journal::{self, Branch};
use crate::python::{Halt, Step, Why};
use crate::trace::{Array, Atom, Effects, FLOAT_WORTH, Jaxpr, Node, Repr, Val, Vals};

impl Engine {
    /// A primitive outside of all transformations: small results at once, others when asked for.
    pub(super) fn compute(&self, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        if let Some(tracer) = inputs.iter().find(|v| v.is_tracer()) {
            let folding = self.folds.borrow().clone();
            if let Some(trace) = folding {
                return self.bind_in(&trace, primitive, inputs);
            }
            let free = |input: &Val| match input.is_tracer() {
                true => input.scalar_behind().cloned(),
                false => Some(input.clone()),
            };
            return match inputs.iter().map(free).collect::<Option<Vec<_>>>() {
                Some(inputs) => self.compute(primitive, &inputs),
                None => Err(self
                    .escaped(inputs.iter().find(|v| v.scalar_behind().is_none() && v.is_tracer()).unwrap_or(tracer))),
            };
        }
        if primitive.effects().0 & Effects::FORWARD.0 != 0 {
            let Pruned { primitive: rest, inputs: kept, outputs } = without_linear_parts(&*primitive)?;
            return match rest {
                Some(rest) if outputs.iter().all(|kept| *kept) => {
                    let inputs: SmallVec<[Val; 4]> =
                        inputs.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(input, _)| input.clone()).collect();
                    self.compute(rest, &inputs)
                }
                _ => Err(Halt::unknown("a function of which nothing is read")),
            };
        }
        if primitive.effects().0 & Effects::CHECK.0 != 0 && primitive.name() != "check" && primitive.name() != "remat2"
        {
            return Err(Halt::value_error(
                "Cannot abstractly evaluate a checkify.check which was not functionalized. This probably means you tried to stage \
                 (jit/scan/pmap/...) a `check` without functionalizing it through `checkify.checkify`.",
            ));
        }
        if !self.config.borrow().numpy_promotion {
            let in_avals: SmallVec<[&Aval; 4]> = inputs.iter().map(|v| &v.aval).collect();
            crate::primitives::linalg::check_kernel(&*primitive, &in_avals)?;
        }
        if let Some(done) = self.within(&self.eval, || primitive.compute(self, inputs)) {
            return done;
        }
        let in_avals: SmallVec<[&Aval; 4]> = inputs.iter().map(|v| &v.aval).collect();
        let avals = primitive.abstract_eval_in(self, &in_avals)?;
        if primitive.effects().0 & Effects::HOST.0 != 0
            && let Some(results) = self.within(&self.eval, || self.compute_with_host(&primitive, inputs, &avals))?
        {
            return Ok(results);
        }
        let bytes = |a: &Aval| a.size().unwrap_or(0).saturating_mul(a.dtype.bits() as usize / 8);
        if let Some(bytes) = avals.iter().map(bytes).find(|bytes| *bytes >= MOST_MEMORY)
            && !self.config.borrow().numpy_promotion
        {
            return Err(Halt::raise(
                "jax.errors.JaxRuntimeError",
                format!("RESOURCE_EXHAUSTED: Out of memory allocating {bytes} bytes."),
            ));
        }
        if let Some(why) = inputs.iter().find_map(|v| match &v.repr {
            Repr::Opaque(why) => Some(why),
            Repr::Deferred(node, index) => node.why(*index),
            _ => None,
        }) {
            let (computed, lost) = self.eager_results.get();
            self.eager_results.set((computed, lost + 1));
            return Ok(opaque(avals, why));
        }
        let (computed, lost) = self.eager_results.get();
        self.eager_results.set((computed + 1, lost));
        let small = &in_avals[usize::from(primitive.reads_part())..];
        let size = small.iter().copied().chain(&avals).map(|a| a.size().unwrap_or(usize::MAX)).max().unwrap_or(0);
        if size <= SMALL && primitive.is_cheap() {
            let mut tensors: SmallVec<[Tensor; 4]> = SmallVec::new();
            tensors.extend(inputs.iter().map_while(|v| v.tensor().cloned()));
            if tensors.len() == inputs.len() {
                let run = || self.run_kept(&primitive, &tensors, || self.run(&*primitive, &tensors, &avals));
                let made = match self.observed.get() {
                    true => self.run_seen(&primitive, inputs, &avals, run),
                    false => run(),
                };
                return match made {
                    Ok(results) => Ok(avals.into_iter().zip(results).map(|(aval, t)| known(aval, t)).collect()),
                    Err(Halt::Unknown(why)) => Ok(opaque(avals, &why)),
                    Err(other) => Err(other),
                };
            }
        }
        if self.nodes.get() >= WAITING {
            return Ok(opaque(avals, &Why("too many computations wait for their numbers".into())));
        }
        let node = Node::new(primitive, inputs, avals.clone(), self.source(), self.nodes.clone());
        if self.hasty.get() {
            self.compute_now(&node)?;
        }
        let results = avals.into_iter().enumerate();
        Ok(results.map(|(i, aval)| Rc::new(Array { aval, repr: Repr::Deferred(node.clone(), i) })).collect())
    }

    /// Runs what calls functions of the program's now, for they may do anything. Where its numbers are not known or too dear,
    /// the functions may have run or not.
    fn compute_with_host(&self, primitive: &Rc<dyn Primitive>, inputs: &[Val], avals: &Avals) -> Step<Option<Vals>> {
        let in_avals: SmallVec<[&Aval; 4]> = inputs.iter().map(|v| &v.aval).collect();
        let most = if self.hasty.get() { self.fuel.get() } else { self.worth(FLOAT_WORTH) };
        if primitive.cost(&in_avals, avals) <= most {
            let tensors = inputs.iter().map(|v| self.force_within(v, most));
            if let Ok(tensors) = tensors.collect::<Step<SmallVec<[Tensor; 4]>>>() {
                let (sure, around) = (self.sure.get(), journal::branch());
                let branch = Branch::start();
                let before = self.on_host.replace(true);
                self.sure.set(if sure == around { journal::branch() } else { sure });
                let run = || self.run_kept(primitive, &tensors, || self.run(&**primitive, &tensors, avals));
                // How often a loop goes round is known when it has.
                let left = self.fuel.get();
                let share = if self.hasty.get() { left } else { left.min(most.saturating_mul(ROUNDS_ON_HOST)) };
                self.fuel.set(share);
                let results = match self.observed.get() {
                    true => self.run_seen(primitive, inputs, avals, run),
                    false => run(),
                };
                self.fuel.set(left - share + self.fuel.get());
                self.sure.set(sure);
                self.on_host.set(before);
                match results {
                    Ok(results) => {
                        branch.keep();
                        return Ok(Some(avals.iter().cloned().zip(results).map(|(a, t)| known(a, t)).collect()));
                    }
                    Err(Halt::Unknown(_)) => drop(branch.undo()),
                    Err(other) => {
                        branch.keep();
                        return Err(other);
                    }
                }
            }
        }
        for graph in primitive.graphs() {
            self.maybe_on_host(&graph)?;
        }
        Ok(None)
    }

    /// Calls the functions of the program's in a graph with arrays that are not known, as what may happen.
    fn maybe_on_host(&self, graph: &Jaxpr) -> Step<()> {
        for eqn in graph.eqns.iter().filter(|e| e.primitive.effects().0 & Effects::HOST.0 != 0) {
            for inner in eqn.primitive.graphs() {
                self.maybe_on_host(&inner)?;
            }
            let unknown = |a: &Atom| Array::opaque(graph.atom_aval(a).clone(), "the arguments of a callback");
            let inputs: SmallVec<[Val; 4]> = eqn.inputs.iter().map(unknown).collect();
            if eqn.primitive.graphs().is_empty() {
                let branch = Branch::start();
                let result = eqn.primitive.compute(self, &inputs);
                let outcome = branch.undo();
                Branch::start().keep_joined(outcome);
                if let Some(Err(Halt::Stop(stop))) = result {
                    return Err(Halt::Stop(stop));
                }
            }
        }
        Ok(())
    }

    /// Runs what is computed at once, for somebody who looks on and asks what it belongs to.
    #[cold]
    fn run_seen<T>(&self, primitive: &Rc<dyn Primitive>, inputs: &[Val], avals: &Avals, run: impl FnOnce() -> T) -> T {
        let node = Node::new(primitive.clone(), inputs, avals.clone(), self.source(), self.nodes.clone());
        let before = self.forced.replace(Some(node));
        let made = run();
        self.forced.replace(before);
        made
    }

    /// Computes numbers and checks them against the types that were promised.
    pub(crate) fn run<'a>(
        &self,
        primitive: &dyn Primitive,
        inputs: &[Tensor],
        avals: impl IntoIterator<Item = &'a Aval, IntoIter: ExactSizeIterator>,
    ) -> Step<SmallVec<[Tensor; 1]>> {
        let source = self.source();
        let results = primitive.eval_in(self, inputs)?;
        // Work that was stopped gave anything.
        if self.observed.get() && !self.cancelled.borrow().load(Ordering::Relaxed) {
            self.set_source(source);
            self.tell(primitive, inputs, &results);
        }
        let mut avals = avals.into_iter();
        let sizes = |t: &Tensor, a: &Aval| t.shape.iter().zip(&a.shape).all(|(n, d)| d.known() == Some(*n));
        let fits = |t: &Tensor, a: &Aval| t.dtype == a.dtype && t.shape.len() == a.shape.len() && sizes(t, a);
        if results.len() != avals.len() || !results.iter().all(|t| avals.next().is_some_and(|a| fits(t, a))) {
            return Err(Halt::unknown(format!("the evaluation of `{}` disagrees with its type", primitive.name())));
        }
        Ok(results)
    }

    #[cold]
    pub(crate) fn tell(&self, primitive: &dyn Primitive, inputs: &[Tensor], results: &[Tensor]) {
        if let Some(observer) = self.observer.borrow().clone() {
            observer(primitive, inputs, results);
        }
    }

    /// The error of a tracer that met a computation outside of its trace.
    fn escaped(&self, tracer: &Val) -> Halt {
        tracer.escaped()
    }
}

fn known(aval: Aval, tensor: Tensor) -> Val {
    Rc::new(Array { aval, repr: Repr::Known(tensor) })
}

fn opaque(avals: impl IntoIterator<Item = Aval>, why: &Why) -> Vals {
    avals.into_iter().map(|aval| Rc::new(Array { aval, repr: Repr::Opaque(why.clone()) })).collect()
}

/// What of a primitive runs where nobody reads the linear parts, in it, of functions with a rule for reverse mode only.
///
/// # Errors
/// `TypeError` where somebody does.
fn without_linear_parts(primitive: &dyn Primitive) -> Step<Pruned> {
    let goes_forward = |effects: Effects| effects.0 & Effects::FORWARD.0 != 0;
    let results = primitive.graphs().first().map_or(0, |graph| graph.outvars.len());
    match primitive.prune(&vec![true; results]) {
        Some(pruned) if pruned.primitive.as_ref().is_none_or(|rest| !goes_forward(rest.effects())) => Ok(pruned),
        _ => Err(Halt::type_error("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")),
    }
}
