//! Objects with an `__eq__` and a `__hash__` of their own as keys of dicts and members of sets: those of one hash that are not equal
//! are told apart.
//!
//! A [`Key`] is compared without running code. So the code runs when the key is made: the objects of a class and a hash are kept in
//! groups of equal ones, and a key's hash is that of its group.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::Interp;
use crate::module::CompareOp;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Instance, Key, Value};

/// The groups are looked through for ones that are gone when there are so many more.
const SWEEP: usize = 1 << 12;

#[derive(Default)]
struct Groups {
    known: RefCell<FxHashMap<(*const Class, i64), Vec<Group>>>,
    count: RefCell<usize>,
}

/// Objects that are equal. What was a key once is found again as long as one of them is there.
struct Group {
    members: Vec<Weak<Instance>>,
}

impl Group {
    fn first(&self) -> Option<Rc<Instance>> {
        self.members.iter().find_map(Weak::upgrade)
    }
    fn has(&self, instance: &Rc<Instance>) -> bool {
        self.members.iter().any(|member| std::ptr::eq(member.as_ptr(), Rc::as_ptr(instance)))
    }
    fn take(&mut self, instance: &Rc<Instance>) {
        if self.members.len().is_power_of_two() && self.members.len() >= 8 {
            self.members.retain(|member| member.strong_count() != 0);
        }
        self.members.push(Rc::downgrade(instance));
    }
}

impl Interp {
    /// The key of an object that hashes by its own code.
    ///
    /// # Errors
    /// Unknown where whether it equals another object of its hash is not known, or raises.
    pub(super) fn key_of_own(self: &Rc<Self>, value: &Value, hash: i64) -> Step<Key> {
        let Value::Instance(instance) = value else { return Ok(Key::hashed(value.clone(), hash)) };
        let groups = self.extension::<Groups>();
        let place = (Rc::as_ptr(&instance.class()), hash);
        let others: Vec<Option<Rc<Instance>>> = match groups.known.borrow().get(&place) {
            // The only one there is is equal to itself.
            Some(own) if own.len() == 1 && own[0].has(instance) => return Ok(grouped(value, hash, 0)),
            Some(own) => own.iter().map(Group::first).collect(),
            None => Vec::new(),
        };
        let mut found = None;
        for (at, other) in others.iter().enumerate() {
            let Some(other) = other else { continue };
            // An object may have changed since it was a key first.
            if Rc::ptr_eq(other, instance) || self.are_equal(value, &Value::Instance(other.clone()))? {
                found = Some(at);
                break;
            }
        }
        let mut known = groups.known.borrow_mut();
        let own = known.entry(place).or_default();
        let at = match found {
            Some(at) => at,
            // Whose objects are all gone is nobody's key.
            None => own.iter().position(|group| group.first().is_none()).unwrap_or(own.len()),
        };
        match own.get_mut(at) {
            Some(group) if group.has(instance) => return Ok(grouped(value, hash, at)),
            Some(group) => group.take(instance),
            None => own.push(Group { members: vec![Rc::downgrade(instance)] }),
        }
        let mut count = groups.count.borrow_mut();
        *count += 1;
        if *count >= SWEEP {
            *count = 0;
            known.retain(|_, own| own.iter().any(|group| group.first().is_some()));
        }
        Ok(grouped(value, hash, at))
    }

    fn are_equal(self: &Rc<Self>, a: &Value, b: &Value) -> Step<bool> {
        match self.compare(CompareOp::Eq, a, b).and_then(|same| self.truth(&same)) {
            Ok(same) => Ok(same),
            // Python asks only those that meet in one dict.
            Err(Halt::Raise(_)) => Err(Halt::unknown("whether two objects of one hash are equal")),
            Err(halt) => Err(halt),
        }
    }
}

/// The first group of a hash has the hash itself, as what stands for the object may have (`np.float32` for `jnp.float32`).
fn grouped(value: &Value, hash: i64, at: usize) -> Key {
    Key::hashed(value.clone(), hash.wrapping_add((at as i64).wrapping_mul(0x5851_F42D_4C95_7F2D)))
}
