//! What attribute access needs to know of a class, kept by class and name.
//!
//! Looking an attribute up in a class hashes the name, asks for hooks and tells descriptors apart. Programs ask for the same
//! few names of the same few classes again and again: what was found holds until a class changes
//! ([`journal::class_changes`]).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Interp;
use super::attr::set::is_frozen;
use super::class_def::lacks_slot;
use super::quick::Plain;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::{Attrs, Class, Dict, Function, Instance, Value, journal};

/// What is known of a name in a class.
pub struct Known {
    class: u64,
    name: Symbol,
    changes: u64,
    /// What the class has under the name.
    found: Option<Value>,
    /// Whether an instance's own attribute comes before what the class has.
    own_first: bool,
    /// Whether setting the attribute runs no code and is allowed.
    plainly_set: bool,
    /// What stands in a descriptor of the language's own that the class has under the name.
    inside: Inside,
    /// The function of a property that setting the attribute calls.
    setter: Option<Rc<Function>>,
    /// Where instances had the attribute last, among their own.
    position: Cell<u32>,
}

/// What a descriptor of the language's own holds.
#[derive(Clone)]
enum Inside {
    Nothing,
    /// A property's function.
    Getter(Rc<Function>),
    /// A static method's.
    Static(Rc<Function>),
    /// A class method's.
    OfClass(Rc<Function>),
}

/// Where one place of the program found an attribute among an instance's own, the last time.
#[derive(Copy, Clone, Debug, Default)]
pub struct Found {
    class: u64,
    changes: u64,
    position: u32,
}

impl Found {
    /// Whether it says where an instance of the class has it.
    #[inline(always)]
    fn holds_for(&self, instance: &Instance) -> bool {
        self.class == instance.class_ref().id && self.changes == journal::class_changes()
    }
}

/// The names that were asked for last, by class: a name that maps to the same entry takes its place.
#[derive(Default)]
pub struct AttrCache(RefCell<Vec<Option<Known>>>);

/// The position of an attribute that an instance does not hold itself, or that its class comes before.
const NOT_OWN: u32 = u32::MAX;

/// Instances are made with room for so many attributes at most.
const MOST_EXPECTED: usize = 32;

/// Entries, a power of two.
const ENTRIES: usize = 1 << 9;

impl AttrCache {
    /// Shows what is known of a name in a class. `show` runs no code of the program.
    #[inline]
    fn with<T>(&self, it: &Interp, class: &Rc<Class>, name: Symbol, show: impl FnOnce(&Known) -> T) -> T {
        let at = (class.id as usize).wrapping_mul(0x9e37_79b1) ^ (name.address() >> 4);
        let at = (at ^ (at >> 12)) & (ENTRIES - 1);
        if let Some(Some(known)) = self.0.borrow().get(at)
            && known.class == class.id
            && known.name == name
            && known.changes == journal::class_changes()
        {
            return show(known);
        }
        let known = it.learn(class, name);
        let result = show(&known);
        let mut all = self.0.borrow_mut();
        if all.is_empty() {
            all.resize_with(ENTRIES, || None);
        }
        // What was there may be the last to refer to something.
        let before = all[at].replace(known);
        drop(all);
        drop(before);
        result
    }

    /// Forgets everything.
    pub fn clear(&self) {
        drop(self.0.take());
    }
}

impl Interp {
    #[cold]
    fn learn(&self, class: &Rc<Class>, name: Symbol) -> Known {
        let changes = journal::class_changes();
        let found = class.lookup(name);
        let descriptor = matches!(found, Some(Value::Instance(_)));
        let plain = class.root != Root::Super && !descriptor;
        let hooks = class.hooks();
        let special = matches!(name.as_str(), "__class__" | "__dict__");
        let inside = match &found {
            Some(Value::Instance(descriptor)) => self.inside_of(descriptor),
            _ => Inside::Nothing,
        };
        let setter = match &found {
            Some(Value::Instance(descriptor))
                if descriptor.class_ref().root == Root::Property
                    && class.root != Root::Super
                    && !hooks.setattr
                    && !is_frozen(class, name, self.types.names.setattr) =>
            {
                match descriptor.get(self.types.names.fset) {
                    Some(Value::Function(setter)) => Some(setter),
                    _ => None,
                }
            }
            _ => None,
        };
        Known {
            class: class.id,
            name,
            changes,
            inside,
            setter,
            own_first: plain && !hooks.getattribute,
            plainly_set: plain
                && !hooks.setattr
                && !special
                && !is_frozen(class, name, sym!("__setattr__"))
                && !lacks_slot(class, name),
            found,
            position: Cell::new(0),
        }
    }

    fn inside_of(&self, descriptor: &Instance) -> Inside {
        let names = &self.types.names;
        let (name, of): (_, fn(Rc<Function>) -> Inside) = match descriptor.class_ref().root {
            Root::Property => (names.fget, Inside::Getter),
            Root::StaticMethod => (names.func, Inside::Static),
            Root::ClassMethod => (names.func, Inside::OfClass),
            _ => return Inside::Nothing,
        };
        match descriptor.get(name) {
            Some(Value::Function(function)) => of(function),
            _ => Inside::Nothing,
        }
    }

    /// The function of a property that reading an attribute of an instance calls.
    #[inline]
    pub(super) fn getter_of(&self, instance: &Instance, name: Symbol) -> Option<Rc<Function>> {
        let class = instance.class_ref();
        if class.root == Root::Super || class.hooks().getattribute || class.hooks().getattr {
            return None;
        }
        self.attr_cache.with(self, &class, name, |known| match &known.inside {
            Inside::Getter(function) => Some(function.clone()),
            _ => None,
        })
    }

    /// The function of a property that setting an attribute of an instance calls, where that is all there is to do.
    #[inline]
    pub(super) fn setter_of(&self, instance: &Instance, name: Symbol) -> Option<Rc<Function>> {
        let class = instance.class_ref();
        self.attr_cache.with(self, &class, name, |known| known.setter.clone())
    }

    /// The function that a method call of a class calls, and the receiver that goes in front.
    #[inline]
    pub(super) fn method_of_class(&self, class: &Rc<Class>, name: Symbol) -> Option<(Value, Value)> {
        self.attr_cache.with(self, class, name, |known| match (&known.found, &known.inside) {
            (Some(method @ Value::Function(_)), _) => Some((method.clone(), Value::Unbound)),
            (_, Inside::Static(function)) => Some((Value::Function(function.clone()), Value::Unbound)),
            (_, Inside::OfClass(function)) => Some((Value::Function(function.clone()), Value::Class(class.clone()))),
            _ => None,
        })
    }

    /// Shows the attribute that an instance holds itself, where nothing of its class comes before it.
    #[inline]
    fn with_own<T>(&self, instance: &Instance, name: Symbol, show: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let class = instance.class_ref();
        self.attr_cache.with(self, &class, name, |known| {
            if !known.own_first {
                return None;
            }
            let attrs = instance.attrs();
            let own = match attrs.get_index(known.position.get() as usize) {
                Some((key, own)) if *key == name => own,
                _ => {
                    let (position, _, own) = attrs.get_full(&name)?;
                    known.position.set(position as u32);
                    own
                }
            };
            show(own)
        })
    }

    /// The attribute that an instance holds itself, where nothing of its class comes before it, among all of them; a place of
    /// the program remembers where it was.
    #[inline(always)]
    pub(super) fn own_among<'v>(
        &self,
        attrs: &'v Attrs,
        instance: &Instance,
        name: Symbol,
        found: &Cell<Found>,
    ) -> Option<&'v Value> {
        let known = found.get();
        if known.holds_for(instance)
            && let Some((key, own)) = attrs.get_index(known.position as usize)
            && *key == name
        {
            return Some(own);
        }
        self.own_anew(attrs, instance, name, found)
    }

    /// Shows what an instance holds under a name, where a place of the program remembers where that is.
    #[inline(always)]
    pub(super) fn with_own_at<T>(
        instance: &Instance,
        name: Symbol,
        found: &Cell<Found>,
        show: impl FnOnce(&Value) -> T,
    ) -> Option<T> {
        let known = found.get();
        if !known.holds_for(instance) {
            return None;
        }
        match instance.attrs().get_index(known.position as usize) {
            Some((key, own)) if *key == name => Some(show(own)),
            _ => None,
        }
    }

    #[inline(never)]
    fn own_anew<'v>(
        &self,
        attrs: &'v Attrs,
        instance: &Instance,
        name: Symbol,
        found: &Cell<Found>,
    ) -> Option<&'v Value> {
        let known = found.get();
        if known.position == NOT_OWN && known.holds_for(instance) {
            return None;
        }
        let position = self.find_own(instance, name, found)?;
        attrs.get_index(position).map(|(_, own)| own)
    }

    /// Where an instance holds an attribute itself, where nothing of its class comes before it; that is remembered, and that its
    /// class comes first.
    #[inline(never)]
    fn find_own(&self, instance: &Instance, name: Symbol, found: &Cell<Found>) -> Option<usize> {
        let class = instance.class_ref();
        let own_first = self.attr_cache.with(self, &class, name, |known| known.own_first);
        let position = if own_first { Some(instance.attrs().get_index_of(&name)?) } else { None };
        let at = position.map_or(NOT_OWN, |position| position as u32);
        found.set(Found { class: class.id, changes: journal::class_changes(), position: at });
        position
    }

    /// As [`Interp::set_own_attr`], at a place of the program that remembers where the attribute was; whether it was set.
    #[inline(always)]
    pub(super) fn set_own_at(&self, instance: &Instance, name: Symbol, found: &Cell<Found>, new: &Value) -> bool {
        let known = found.get();
        if known.holds_for(instance) {
            if known.position == NOT_OWN {
                return false;
            }
            instance.changes(name);
            let mut attrs = instance.attrs_for(new);
            if let Some((key, own)) = attrs.get_index_mut(known.position as usize)
                && *key == name
            {
                match (own, new) {
                    (Value::Int(own), Value::Int(new)) => *own = *new,
                    (Value::Float(own), Value::Float(new)) => *own = *new,
                    (own, new) => {
                        let old = std::mem::replace(own, new.clone());
                        drop(attrs);
                        drop(old);
                    }
                }
                return true;
            }
            if attrs.len() == known.position as usize {
                attrs.insert(name, new.clone());
                return true;
            }
        }
        self.set_own_anew(instance, name, found, new)
    }

    /// Sets what an instance holds under a name, where a place of the program remembers where that was and nothing is called for it;
    /// whether it did.
    #[inline(always)]
    pub(super) fn set_own_light_at(instance: &Instance, name: Symbol, found: &Cell<Found>, new: &Value) -> bool {
        let known = found.get();
        if !known.holds_for(instance) || instance.stands_for_others() || new.refers() && !instance.is_listed() {
            return false;
        }
        let Some(mut attrs) = instance.attrs_outside() else { return false };
        match attrs.get_index_mut(known.position as usize) {
            Some((key, own)) if *key == name => Value::put_light(own, new),
            Some(_) => false,
            None => attrs.len() == known.position as usize && attrs.push_light(name, new),
        }
    }

    #[inline(never)]
    fn set_own_anew(&self, instance: &Instance, name: Symbol, found: &Cell<Found>, new: &Value) -> bool {
        let set = self.set_own_attr(instance, name, new.clone()).is_ok();
        let class = instance.class_ref();
        if !set {
            found.set(Found { class: class.id, changes: journal::class_changes(), position: NOT_OWN });
            return false;
        }
        let attrs = instance.attrs();
        if let Some(position) = attrs.get_index_of(&name) {
            found.set(Found { class: class.id, changes: journal::class_changes(), position: position as u32 });
        }
        class.most_attributes.set(class.most_attributes.get().max(attrs.len().min(MOST_EXPECTED) as u32));
        true
    }

    /// The attribute that an instance holds itself, where nothing of its class comes before it.
    #[inline]
    pub fn own_attr(&self, instance: &Instance, name: Symbol) -> Option<Value> {
        // While a run is recorded, what is read of a namespace of the framework is noted.
        if self.repro.on.get() {
            return None;
        }
        self.with_own(instance, name, |own| match own {
            Value::Unbound => None,
            own => Some(own.clone()),
        })
    }

    /// As [`Interp::own_attr`], of a plain number.
    #[inline]
    pub(super) fn own_number(&self, instance: &Instance, name: Symbol) -> Option<Plain> {
        self.with_own(instance, name, Plain::of)
    }

    /// Sets an attribute where that runs no code and is allowed; gives the value back where it is not so.
    #[inline]
    pub fn set_own_attr(&self, instance: &Instance, name: Symbol, new: Value) -> Result<(), Value> {
        let class = instance.class_ref();
        let position =
            self.attr_cache.with(self, &class, name, |known| known.plainly_set.then(|| known.position.get()));
        let Some(position) = position else { return Err(new) };
        instance.changes(name);
        let mut attrs = instance.attrs_for(&new);
        let old = match attrs.get_index_mut(position as usize) {
            Some((key, own)) if *key == name => Some(std::mem::replace(own, new)),
            _ => {
                let (position, old) = attrs.insert_full(name, new);
                self.attr_cache.with(self, &class, name, |known| known.position.set(position as u32));
                old
            }
        };
        drop(attrs);
        drop(old);
        Ok(())
    }

    /// The function that a method call of an instance calls, where it is one of its class and the instance hides it not.
    #[inline]
    pub(super) fn method_of(&self, instance: &Instance, name: Symbol) -> Option<Value> {
        let class = instance.class_ref();
        self.attr_cache.with(self, &class, name, |known| {
            let Some(method @ Value::Function(_)) = &known.found else { return None };
            (known.own_first && !instance.attrs().contains_key(&name)).then(|| method.clone())
        })
    }

    /// The function that an operator or a protocol calls on an instance: what the class has under the name, where that is a
    /// function.
    #[inline]
    pub fn special_of(&self, class: &Rc<Class>, name: Symbol) -> Option<Rc<Function>> {
        self.attr_cache.with(self, class, name, |known| match &known.found {
            Some(Value::Function(function)) => Some(function.clone()),
            _ => None,
        })
    }

    /// The truth of an instance whose class has a shorter way to its length, and nothing that says more of its truth.
    pub(super) fn short_truth(self: &Rc<Self>, instance: &Rc<Instance>) -> Option<bool> {
        let class = instance.class();
        let short = self.special_of(&class, sym!("__len__"))?.short.get().filter(|_| self.is_unwatched())?;
        let says_more = self.attr_cache.with(self, &class, sym!("__bool__"), |known| known.found.is_some());
        match short(self, &mut [Value::Instance(instance.clone())])? {
            Value::Int(length) if !says_more => Some(length != 0),
            _ => None,
        }
    }

    /// What an instance of a class of dicts gives for a key that is not in it, where its class has a shorter way to that.
    pub(super) fn short_missing(self: &Rc<Self>, instance: &Rc<Instance>, key: &Value) -> Option<Value> {
        if !self.is_unwatched() || !self.engine.is_top_level() {
            return None;
        }
        let short = self.special_of(&instance.class_ref(), sym!("__missing__"))?.short.get()?;
        short(self, &mut [Value::Instance(instance.clone()), key.clone()])
    }

    /// The function that initializes instances of a class and has a shorter way to make one.
    #[inline]
    pub(super) fn short_init(&self, class: &Rc<Class>) -> Option<Rc<Function>> {
        match class.is_shortened.get() {
            true => self.special_of(class, self.types.names.init).filter(|init| init.short.get().is_some()),
            false => None,
        }
    }

    /// The dict inside an instance of a class that leaves such an operator of dicts as it is.
    #[inline]
    pub fn dict_inside<'i>(&self, instance: &'i Instance, name: Symbol) -> Option<&'i Dict> {
        let Some(Value::Dict(dict)) = instance.payload() else { return None };
        let class = instance.class_ref();
        let plain = self.attr_cache.with(self, &class, name, |known| matches!(known.found, Some(Value::Native(_))));
        plain.then_some(dict)
    }

    /// The native method that a value of a builtin type has under a name.
    #[inline]
    pub(super) fn builtin_method(&self, value: &Value, name: Symbol) -> Option<Value> {
        let t = &self.types;
        let class = match value {
            Value::List(_) => &t.list,
            Value::Dict(_) => &t.dict,
            Value::Str(_) => &t.str_,
            Value::Tuple(_) => &t.tuple,
            Value::Set(_) => &t.set,
            Value::Int(_) | Value::BigInt(_) => &t.int,
            Value::Iter(iter) if iter.is_generator() => &t.generator,
            _ => return None,
        };
        self.attr_cache.with(self, class, name, |known| match &known.found {
            Some(method @ Value::Native(_)) => Some(method.clone()),
            _ => None,
        })
    }
}
