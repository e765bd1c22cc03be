//! Which eager arrays the program itself has put somewhere (JAX calls them committed): compiled code is made for that.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::{Array, Repr, Val};
use crate::primitives::Primitive;

/// Whether an array was put somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commit {
    /// It lies where the framework has made it.
    No,
    /// It was put there, or is made of what was: the sharding as it prints itself.
    At(Rc<str>),
    /// Not known.
    Unknown,
}

/// The arrays that the program has put somewhere.
#[derive(Default)]
pub struct Commits {
    /// By address: the array, and where it was put if that is known.
    of: RefCell<FxHashMap<usize, (Weak<Array>, Option<Rc<str>>)>>,
    /// Whether there are any.
    any: Cell<bool>,
    /// Whether graphs put something somewhere.
    within_graphs: Cell<bool>,
}

/// How many arrays are listed before those that are gone are taken out.
const MANY: usize = 1 << 12;
/// How the sharding of an array on one device prints itself.
const ONE_DEVICE: &str = "SingleDeviceSharding(";

impl Commits {
    /// Whether the program has put any array somewhere.
    pub fn any(&self) -> bool {
        self.any.get()
    }
    /// Notes that something within graphs was told where to lie.
    pub fn within_graphs(&self) {
        self.any.set(true);
        self.within_graphs.set(true);
    }
    /// Notes that an array was put somewhere; `None` where it is not known where.
    pub fn note(&self, array: &Val, sharding: Option<Rc<str>>) {
        self.any.set(true);
        let mut of = self.of.borrow_mut();
        if of.len() >= MANY && of.len().is_power_of_two() {
            of.retain(|_, (array, _)| array.strong_count() > 0);
        }
        of.insert(Rc::as_ptr(array) as usize, (Rc::downgrade(array), sharding));
    }
    /// Whether an array was put somewhere.
    pub fn of(&self, array: &Val) -> Commit {
        if !self.any.get() {
            return Commit::No;
        }
        match self.of.borrow().get(&(Rc::as_ptr(array) as usize)) {
            Some((noted, sharding)) if noted.strong_count() > 0 => sharding.clone().map_or(Commit::Unknown, Commit::At),
            // What stands for the arrays of several rounds or branches may be any of them.
            _ if matches!(array.repr, Repr::Opaque(_)) => Commit::Unknown,
            _ => Commit::No,
        }
    }
    /// Notes that results lie where the operands were put.
    pub(super) fn follow(&self, primitive: &dyn Primitive, inputs: &[Val], results: &[Val]) {
        if !self.any.get() {
            return;
        }
        let mut all = Commit::No;
        for input in inputs {
            all = match (all, self.of(input)) {
                (all, Commit::No) => all,
                (Commit::No, Commit::At(at)) if at.starts_with(ONE_DEVICE) => Commit::At(at),
                (Commit::At(before), Commit::At(at)) if before == at => Commit::At(at),
                // Over several devices, the compiler chooses.
                _ => Commit::Unknown,
            };
        }
        if self.within_graphs.get() && !primitive.graphs().is_empty() {
            all = Commit::Unknown;
        }
        let sharding = match all {
            Commit::No => return,
            Commit::At(at) => Some(at),
            Commit::Unknown => None,
        };
        for result in results.iter().filter(|result| !inputs.iter().any(|input| Rc::ptr_eq(input, result))) {
            self.note(result, sharding.clone());
        }
    }
}
