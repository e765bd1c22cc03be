//! Buffers of arrays that are gone: donated or deleted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::array::Aval;
use crate::interp::Interp;
use crate::python::halt::{Halt, Site, Step, Subject};
use crate::python::journal::{Join, Mutable};
use crate::trace::{Jaxpr, Val};
use crate::transforms::dce::part;

/// The buffers that are gone, of a run.
pub struct Gone {
    /// Arrays in the order in which they went, and their places in it.
    order: RefCell<Vec<Val>>,
    places: RefCell<FxHashMap<usize, usize>>,
    /// The user's calls that were under way when each went, outermost first.
    calls: RefCell<Vec<Arc<[Site]>>>,
    /// How many of them are gone: a branch that is taken back brings its own back.
    count: Rc<Mutable<Count>>,
    any: Cell<bool>,
}

#[derive(Clone)]
struct Count(usize);

impl Join for Count {
    fn join(&self, other: &Self) -> Self {
        // What only one of two branches has deleted may be there.
        Count(self.0.min(other.0))
    }
}

impl Default for Gone {
    fn default() -> Gone {
        let (order, places, calls, any) = Default::default();
        Gone { order, places, calls, count: Mutable::new(Count(0)), any }
    }
}

impl Gone {
    /// Raises for an array whose buffer was donated.
    ///
    /// # Errors
    /// `RuntimeError` as JAX words it.
    pub fn check_alive(&self, array: &Val) -> Step<()> {
        if self.any.get() && self.is_deleted(array) {
            return Err(self.deleted(array));
        }
        Ok(())
    }
    /// What JAX raises for an array whose buffer is gone.
    pub(super) fn deleted(&self, array: &Val) -> Halt {
        let halt = Halt::raise("RuntimeError", format!("Array has been deleted with shape={}.", array.aval.long()));
        let place = self.places.borrow().get(&(Rc::as_ptr(array) as usize)).copied();
        match place.and_then(|place| self.calls.borrow().get(place).cloned()) {
            Some(calls) => halt.about(Subject::Deleted(calls)),
            None => halt,
        }
    }
    /// Whether the buffer of an array was donated or deleted.
    pub fn is_deleted(&self, array: &Val) -> bool {
        let place = self.places.borrow().get(&(Rc::as_ptr(array) as usize)).copied();
        place.is_some_and(|place| place < self.count.read().0)
    }
    /// Marks the buffer of an array as gone, by the user's calls that are under way.
    pub fn delete(&self, it: &Interp, array: &Val) {
        self.any.set(true);
        if self.is_deleted(array) {
            return;
        }
        let count = self.count.read().0;
        let (mut order, mut places) = (self.order.borrow_mut(), self.places.borrow_mut());
        for back in order.drain(count..) {
            places.remove(&(Rc::as_ptr(&back) as usize));
        }
        self.calls.borrow_mut().truncate(count);
        self.calls.borrow_mut().push(it.user_stack.borrow().iter().map(|(site, _)| *site).collect());
        order.push(array.clone());
        places.insert(Rc::as_ptr(array) as usize, count);
        self.count.write().0 = count + 1;
    }
}

/// Raises for arrays whose buffers were donated.
///
/// # Errors
/// `RuntimeError` as JAX words it.
pub fn check_alive(it: &Rc<Interp>, arrays: &[Val]) -> Step<()> {
    let gone = it.extension::<Gone>();
    if gone.any.get() { arrays.iter().try_for_each(|array| gone.check_alive(array)) } else { Ok(()) }
}

/// Whether buffers of arrays were donated or deleted.
pub fn anything_deleted(it: &Rc<Interp>) -> bool {
    it.extension::<Gone>().any.get()
}

/// Which of the inputs of a graph it needs: others are not handed to what is compiled.
pub(super) fn needed(jaxpr: &Jaxpr) -> Vec<bool> {
    part(jaxpr, &vec![true; jaxpr.outvars.len()], &vec![false; jaxpr.invars.len()]).1
}

/// Of what is handed to a compiled function: marks those donated inputs as gone whose buffers some result can take over: one of as many bytes.
///
/// # Errors
/// What XLA says of a buffer that is donated and stands among the inputs once more; nothing is gone then.
pub(super) fn delete_donated(
    it: &Interp,
    inputs: &[&Val],
    donated: &[bool],
    outs: &[Aval],
    compiled: bool,
) -> Step<()> {
    let gone = it.extension::<Gone>();
    let mut free: Vec<&Aval> = outs.iter().collect();
    let bits = |a: &Aval| a.size().map(|n| n * a.dtype.bits() as usize);
    let mut takes_over = |(input, donated): (&&Val, &bool)| {
        if !donated || input.is_tracer() || input.is_literal() && input.aval.rank() == 0 {
            return false;
        }
        let at = free.iter().position(|o| bits(o) == bits(&input.aval));
        at.map(|at| free.remove(at)).is_some()
    };
    let given: Vec<bool> = inputs.iter().zip(donated).map(&mut takes_over).collect();
    if !given.contains(&true) {
        return Ok(());
    }
    let mut first: FxHashMap<*const _, usize> = FxHashMap::default();
    for (i, input) in inputs.iter().enumerate() {
        let before = *first.entry(Rc::as_ptr(*input)).or_insert(i);
        let (what, call) = match (given[before], given[i]) {
            _ if before == i => continue,
            (false, false) => continue,
            (true, true) => ("donate the same buffer twice in", "f(donate(a), donate(a))"),
            (true, false) => ("use a buffer that was previously donated in the same call to", "f(donate(a), a)"),
            (false, true) => ("donate a buffer which is also used by the same call to", "f(a, donate(a))"),
        };
        return Err(Halt::raise(
            if compiled { "ValueError" } else { "jax.errors.JaxRuntimeError" },
            format!(
                "INVALID_ARGUMENT: Attempt to {what} Execute() (flattened argument {i}, replica 0, partition 0, first use: \
                 {before}). Toy example for this bug: `{call}`."
            ),
        ));
    }
    inputs.iter().zip(given).filter(|(_, given)| *given).for_each(|(input, _)| gone.delete(it, input));
    Ok(())
}
