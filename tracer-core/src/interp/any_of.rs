//! Values that are any of several objects, nobody knows which ([`Unknown::any_of`]): what is done to them may be done to each.

use std::rc::Rc;

use super::Interp;
use super::builtins::forget_items;
use super::effects::writes::container;
use super::handed::hand_method;
use super::skipped::is_change;
use crate::module::Symbol;
use crate::python::Value;
use crate::python::container::{ITEMS_MOVED, one_of_many};
use crate::python::halt::{Halt, Step, Why};
use crate::python::value::Unknown;

/// Methods of iterators that move them on.
const MOVING: [&str; 4] = ["__next__", "send", "throw", "close"];

fn changed() -> Why {
    Why("one of several was changed, and it is not known which".into())
}

fn each(unknown: &Unknown) -> impl Iterator<Item = &Value> {
    unknown.any_of.iter().flat_map(|all| all.iter())
}

impl Interp {
    /// An attribute is asked for: where it is a method that changes its object, any of these may be changed.
    ///
    /// # Errors
    /// What ends the whole run.
    pub(super) fn asks_any_of(self: &Rc<Self>, unknown: &Unknown, name: Symbol) -> Step<()> {
        for object in each(unknown) {
            match object {
                Value::Iter(_) if MOVING.contains(&name.as_str()) => self.may_go_on(object)?,
                Value::Instance(instance)
                    if let Some(Value::Function(method)) = instance.class().lookup_defined(name) =>
                {
                    hand_method(&method, object);
                }
                _ if is_change(name) => forget_items(&container(object), &changed(), true),
                _ => {}
            }
        }
        Ok(())
    }

    /// What an attribute of it may be, where that can be changed in its turn; `None` where nothing is known to be.
    pub(super) fn attribute_of_any(&self, unknown: &Unknown, name: Symbol) -> Option<Value> {
        let held = each(unknown).filter_map(|object| match object {
            Value::Instance(instance) => instance.attrs().get(&name).cloned(),
            _ => None,
        });
        self.note_loss();
        one_of_many(held.collect::<Vec<_>>().iter(), unknown.why.clone())
    }

    /// An item of it.
    ///
    /// # Errors
    /// Unknown, for this reason, where nothing that it may be can be changed.
    pub(super) fn item_of_any(&self, unknown: &Unknown, why: Why) -> Step<Value> {
        let mut items: Vec<Value> = Vec::new();
        for object in each(unknown) {
            let before = items.len();
            match container(object) {
                Value::List(list) => items.extend(list.read().iter().cloned()),
                Value::Tuple(parts) => items.extend(parts.iter().cloned()),
                Value::Dict(dict) => items.extend(dict.read().values().cloned()),
                _ => {}
            }
            self.spend_many((items.len() - before) / ITEMS_MOVED)?;
        }
        self.note_loss();
        one_of_many(items.iter(), why.clone()).ok_or(Halt::Unknown(why))
    }

    /// An item is set or deleted.
    pub(super) fn changes_any_of(&self, unknown: &Unknown) {
        for object in each(unknown) {
            match object {
                Value::Object(array) => array.forget_numbers(&changed()),
                object => forget_items(&container(object), &changed(), true),
            }
        }
    }

    /// An attribute is set or deleted.
    pub(super) fn sets_any_of(&self, unknown: &Unknown, name: Symbol) {
        for object in each(unknown) {
            if let Value::Instance(instance) = object {
                instance.set(name, Value::unknown(changed().0));
            }
        }
    }

    /// It is walked.
    ///
    /// # Errors
    /// What ends the whole run.
    pub(super) fn walks_any_of(self: &Rc<Self>, unknown: &Unknown) -> Step<()> {
        each(unknown).filter(|object| matches!(object, Value::Iter(_))).try_for_each(|object| self.may_go_on(object))
    }
}
