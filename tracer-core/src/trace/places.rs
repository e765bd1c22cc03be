//! Where eager arrays lie, as far as the program has said it.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::{Array, Val};
use crate::primitives::Primitive;
use crate::python::Value;

/// Where arrays lie that do not lie on the first device alone. An array that is not listed does, or follows what it is made of.
#[derive(Default)]
pub struct Places {
    /// By address: the array, and its sharding if that is known.
    of: RefCell<FxHashMap<usize, (Weak<Array>, Option<Value>)>>,
    /// Whether the program has said anything.
    any: Cell<bool>,
}

/// How many arrays are listed before those that are gone are taken out.
const MANY: usize = 1 << 12;

impl Places {
    /// Whether the program has said of some array where it lies.
    pub fn any(&self) -> bool {
        self.any.get()
    }
    /// Notes that something within graphs has been told where to lie.
    pub fn within_graphs(&self) {
        self.any.set(true);
    }
    /// Notes where an array lies; `None` where that is not known.
    pub fn note(&self, array: &Val, sharding: Option<Value>) {
        self.any.set(true);
        let mut of = self.of.borrow_mut();
        if of.len() >= MANY && of.len().is_power_of_two() {
            of.retain(|_, (array, _)| array.strong_count() > 0);
        }
        of.insert(Rc::as_ptr(array) as usize, (Rc::downgrade(array), sharding));
    }
    /// What was noted of an array.
    pub fn get(&self, array: &Val) -> Option<Option<Value>> {
        if !self.any.get() {
            return None;
        }
        let of = self.of.borrow();
        let (noted, sharding) = of.get(&(Rc::as_ptr(array) as usize))?;
        // The address of one that is gone is not given to another as long as it is listed.
        (noted.strong_count() > 0).then(|| sharding.clone())
    }
    /// Notes that results lie where the compiler wants them if operands do, or a graph may say so.
    pub(super) fn follow(&self, primitive: &dyn Primitive, inputs: &[Val], results: &[Val]) {
        if !self.any.get() {
            return;
        }
        if !primitive.graphs().is_empty() || inputs.iter().any(|input| self.get(input).is_some()) {
            for result in results.iter().filter(|result| self.get(result).is_none()) {
                self.note(result, None);
            }
        }
    }
}
