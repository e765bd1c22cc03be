//! What may refer to itself, so that a run can let go of it when it ends.
//!
//! Values are counted references: a class is in its own resolution order, a module's functions know their module, a
//! variable may hold the function that captures it, an object its own bound method. A process that runs many analyses
//! would keep all of that for ever; so a run's classes, captured variables and attributes are listed, and emptied at its
//! end.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use super::attrs::Attrs;
use super::class::Class;
use super::journal::Mutable;
use super::value::Value;

/// Entries of values that are gone are taken out when the list has grown to twice what was alive, and to this at least.
const LEAST: usize = 1 << 9;

struct List<T: ?Sized> {
    entries: Vec<Weak<T>>,
    sweep_at: usize,
}

impl<T> List<T> {
    const fn new() -> List<T> {
        List { entries: Vec::new(), sweep_at: LEAST }
    }
    fn add(&mut self, value: &Rc<T>) {
        if self.entries.len() >= self.sweep_at {
            self.entries.retain(|entry| entry.strong_count() > 0);
            self.sweep_at = (self.entries.len() * 2).max(LEAST);
        }
        self.entries.push(Rc::downgrade(value));
    }
    fn take(&mut self) -> Vec<Rc<T>> {
        self.sweep_at = LEAST;
        std::mem::take(&mut self.entries).iter().filter_map(Weak::upgrade).collect()
    }
}

thread_local! {
    static CLASSES: RefCell<List<Class>> = const { RefCell::new(List::new()) };
    static VARIABLES: RefCell<List<Mutable<Value>>> = const { RefCell::new(List::new()) };
    static ATTRIBUTES: RefCell<List<Mutable<Attrs>>> = const { RefCell::new(List::new()) };
}

/// Lists a class.
pub fn note_class(class: &Rc<Class>) {
    CLASSES.with_borrow_mut(|list| list.add(class));
}

/// Lists a variable that functions may capture.
pub fn note_variable(variable: &Rc<Mutable<Value>>) {
    VARIABLES.with_borrow_mut(|list| list.add(variable));
}

/// Lists the attributes of an object.
pub fn note_attributes(attributes: &Rc<Mutable<Attrs>>) {
    ATTRIBUTES.with_borrow_mut(|list| list.add(attributes));
}

/// Empties all that was listed on this thread: nothing of a run may be used afterwards.
pub fn let_go() {
    // Contents are taken out first and dropped afterwards: dropping them may run code that reads what is being emptied.
    let variables = VARIABLES.with_borrow_mut(List::take);
    drop(
        variables.iter().map(|variable| std::mem::replace(&mut *variable.write(), Value::Unbound)).collect::<Vec<_>>(),
    );
    let attributes = ATTRIBUTES.with_borrow_mut(List::take);
    drop(attributes.iter().map(|attributes| std::mem::take(&mut *attributes.write())).collect::<Vec<_>>());
    let classes = CLASSES.with_borrow_mut(List::take);
    drop(classes.iter().map(|class| class.take_contents()).collect::<Vec<_>>());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::{Instance, class::Root};

    #[test]
    fn what_refers_to_itself_is_gone_afterwards() {
        let class = Class::new(sym!("Node"), sym!("m"), Vec::new(), Attrs::default(), Root::Object).unwrap();
        let instance = Instance::new(class.clone());
        instance.set(sym!("me"), Value::Instance(instance.clone()));
        let variable = Mutable::new(Value::Unbound);
        note_variable(&variable);
        *variable.write() = Value::Instance(instance.clone());
        let (of_class, of_instance) = (Rc::downgrade(&class), Rc::downgrade(&instance));
        drop((class, instance));
        assert!(of_class.upgrade().is_some() && of_instance.upgrade().is_some());
        let_go();
        assert!(variable.read().is_unbound());
        assert!(of_class.upgrade().is_none() && of_instance.upgrade().is_none());
    }
}
