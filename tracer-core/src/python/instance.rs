//! Instances of classes.

use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::rc::Rc;

use super::attrs::Attrs;
use super::class::Class;
use super::halt::Site;
use super::journal::Mutable;
use super::value::Value;
use crate::module::Symbol;

/// An instance.
pub struct Instance {
    class: RefCell<Rc<Class>>,
    attrs: Rc<Mutable<Attrs>>,
    /// Whether the attributes are listed as what may refer to itself.
    listed: Cell<bool>,
    payload: OnceCell<Value>,
    /// The user's call that made it, where that is known.
    made: Cell<Option<Site>>,
    /// Whether it stands for any of several objects.
    stands_for_others: Cell<bool>,
    /// Those of them that are kept in mind.
    others: OnceCell<Rc<[Value]>>,
}

impl Instance {
    /// A new instance without attributes.
    pub fn new(class: Rc<Class>) -> Rc<Instance> {
        let attrs = Attrs::with_capacity(class.most_attributes.get() as usize);
        let attrs = Mutable::new(attrs);
        Rc::new(Instance {
            class: RefCell::new(class),
            attrs,
            listed: Cell::new(false),
            payload: OnceCell::new(),
            made: Cell::new(None),
            stands_for_others: Cell::new(false),
            others: OnceCell::new(),
        })
    }
    /// A new instance without attributes, and the user's call that makes it.
    pub fn made_at(class: Rc<Class>, site: Option<Site>) -> Rc<Instance> {
        let new = Instance::new(class);
        new.made.set(site);
        new
    }
    /// A new instance without attributes that stands for any of several objects: which of them it is nobody knows.
    pub fn any_of(class: Rc<Class>) -> Rc<Instance> {
        let new = Instance::new(class);
        new.stands_for_others.set(true);
        new
    }
    /// Whether it may be another object, though it is not the same: one of them stands for several of their class.
    pub fn may_be(&self, other: &Instance) -> bool {
        (self.stands_for_others.get() || other.stands_for_others.get()) && Rc::ptr_eq(&self.class(), &other.class())
    }
    /// Whether it stands for any of several objects.
    pub fn stands_for_others(&self) -> bool {
        self.stands_for_others.get()
    }
    /// The objects that it stands for any of, where they are kept in mind.
    pub fn others(&self) -> Option<Rc<[Value]>> {
        self.others.get().cloned()
    }
    /// Keeps in mind which objects it stands for any of.
    pub fn set_others(&self, others: Rc<[Value]>) {
        let _ = self.others.set(others);
    }
    /// An attribute is set or deleted: that of those that it may be is not known any more.
    #[inline]
    pub fn changes(&self, name: Symbol) {
        if self.stands_for_others.get() {
            self.lose_others(name);
        }
    }
    #[cold]
    fn lose_others(&self, name: Symbol) {
        for other in self.others.get().iter().flat_map(|others| others.iter()) {
            if let Value::Instance(other) = other {
                other.set(name, Value::unknown("one of several was changed, and it is not known which"));
            }
        }
    }
    /// The user's call that made it, where that is known.
    pub fn made(&self) -> Option<Site> {
        self.made.get()
    }
    /// An instance of the same class with the same attributes.
    pub fn copied(&self) -> Rc<Instance> {
        let new = Instance::new(self.class());
        new.attrs.write().clone_from(&self.attrs());
        if let Some(payload) = self.payload.get() {
            let _ = new.payload.set(payload.clone());
        }
        new
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
    /// Whether it is a model's, and may show what it stands for: see [`Class::stands_for`].
    #[inline]
    pub fn is_shown(&self) -> bool {
        self.class.borrow().stands_for.borrow().is_some()
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
        self.list();
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
        self.list();
        self.attrs.write()
    }
    /// Writes numbers among the attributes, where no branch is under way that would have to know.
    #[inline(always)]
    pub fn attrs_outside(&self) -> Option<RefMut<'_, Attrs>> {
        self.attrs.write_outside()
    }
    /// Writes the attributes: none but this value becomes one.
    #[inline]
    pub fn attrs_for(&self, value: &Value) -> RefMut<'_, Attrs> {
        if value.refers() {
            self.list();
        }
        self.attrs.write()
    }
    /// Whether the attributes are listed.
    #[inline(always)]
    pub(crate) fn is_listed(&self) -> bool {
        self.listed.get()
    }
    /// Lists the attributes: through what they hold they may refer to themselves.
    #[inline]
    fn list(&self) {
        if !self.listed.replace(true) {
            super::cycles::note_attributes(&self.attrs);
        }
    }
    /// An attribute of its own.
    pub fn get(&self, name: Symbol) -> Option<Value> {
        self.attrs.read().get(&name).cloned()
    }
    /// Sets an attribute of its own.
    pub fn set(&self, name: Symbol, value: Value) {
        self.changes(name);
        self.attrs_for(&value).insert(name, value);
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
