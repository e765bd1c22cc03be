//! Instances of classes.

use std::cell::{OnceCell, Ref, RefCell, RefMut};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::class::Class;
use super::container::join_values;
use super::journal::{Join, Mutable};
use super::rounds::Counter;
use super::value::Value;
use crate::module::Symbol;

/// Attributes by name, in the order in which they were set.
pub type Attrs = IndexMap<Symbol, Value, FxBuildHasher>;

impl Join for Attrs {
    fn join(&self, other: &Self) -> Self {
        let mut joined = Attrs::default();
        for (name, a) in self {
            let b = other.get(name).unwrap_or(&Value::Unbound);
            joined.insert(*name, join_values(a, b));
        }
        for name in other.keys() {
            if !self.contains_key(name) {
                joined.insert(*name, Value::unknown("only set on one of two branches"));
            }
        }
        joined
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        counter.any_attrs(self, first, second, 0).unwrap_or_else(|| self.join(second))
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        counter.attrs_go_on(self, after, 0)
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        counter.attrs_after(any, after, count, 0)
    }
}

/// An instance.
pub struct Instance {
    class: RefCell<Rc<Class>>,
    attrs: Rc<Mutable<Attrs>>,
    payload: OnceCell<Value>,
}

impl Instance {
    /// A new instance without attributes.
    pub fn new(class: Rc<Class>) -> Rc<Instance> {
        let attrs = Attrs::with_capacity_and_hasher(class.most_attributes.get() as usize, FxBuildHasher);
        let attrs = Mutable::new(attrs);
        super::cycles::note_attributes(&attrs);
        Rc::new(Instance { class: RefCell::new(class), attrs, payload: OnceCell::new() })
    }
    /// A new instance of a builtin's subclass, with the builtin value inside.
    pub fn with_payload(class: Rc<Class>, payload: Value) -> Rc<Instance> {
        let instance = Instance::new(class);
        let _ = instance.payload.set(payload);
        instance
    }
    /// Its class.
    pub fn class(&self) -> Rc<Class> {
        self.class.borrow().clone()
    }
    /// Its class, read in place.
    #[inline]
    pub fn class_ref(&self) -> Ref<'_, Rc<Class>> {
        self.class.borrow()
    }
    /// `obj.__class__ = class`
    pub fn set_class(&self, class: Rc<Class>) {
        *self.class.borrow_mut() = class;
    }
    /// The attributes as a cell of their own.
    pub fn attrs_cell(&self) -> &Rc<Mutable<Attrs>> {
        &self.attrs
    }
    /// Reads the attributes.
    #[inline]
    pub fn attrs(&self) -> Ref<'_, Attrs> {
        self.attrs.read()
    }
    /// Writes the attributes.
    #[inline]
    pub fn attrs_mut(&self) -> RefMut<'_, Attrs> {
        self.attrs.write()
    }
    /// An attribute of its own.
    pub fn get(&self, name: Symbol) -> Option<Value> {
        self.attrs.read().get(&name).cloned()
    }
    /// Sets an attribute of its own.
    pub fn set(&self, name: Symbol, value: Value) {
        self.attrs.write().insert(name, value);
    }
    /// The builtin value inside.
    pub fn payload(&self) -> Option<&Value> {
        self.payload.get()
    }
    /// Gives it a builtin value, once.
    pub fn set_payload(&self, payload: Value) {
        let _ = self.payload.set(payload);
    }
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} object>", self.class().name)
    }
}
