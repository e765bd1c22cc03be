//! Attributes that are set and deleted.

use std::rc::Rc;

use crate::interp::Interp;
use crate::interp::class_def::lacks_slot;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Instance, Value};

impl Interp {
    /// `value.name = new`
    ///
    /// # Errors
    /// `AttributeError`, and what setters raise.
    pub fn setattr(self: &Rc<Self>, value: &Value, name: Symbol, new: Value) -> Step<()> {
        match value {
            Value::Instance(instance) => {
                let new = match self.set_own_attr(instance, name, new) {
                    Ok(()) => return Ok(()),
                    Err(new) => new,
                };
                if let Some(setter) = self.setter_of(instance, name) {
                    return self.call_with(&Value::Function(setter), [value.clone(), new]).map(drop);
                }
                let class = instance.class();
                if is_frozen(&class, name, self.types.names.setattr) {
                    return Err(Halt::raise(
                        "dataclasses.FrozenInstanceError",
                        format!("cannot assign to field '{name}'"),
                    ));
                }
                if class.hooks().setattr
                    && let Some(method) = class.lookup(self.types.names.setattr)
                {
                    let args = [value.clone(), Value::str(name.as_str()), new];
                    return self.call_with(&method, args).map(drop);
                }
                self.plain_setattr(instance, name, new)
            }
            Value::Class(class) => {
                if let Some(meta) = &class.metaclass
                    && let Some((method, owner)) = meta.lookup_where(self.types.names.setattr)
                    && !owner.is_builtin()
                {
                    let args = [value.clone(), Value::str(name.as_str()), new];
                    return self.call_with(&method, args).map(drop);
                }
                self.plain_class_setattr(class, name, new);
                Ok(())
            }
            Value::Module(module) => {
                module.set(name, new);
                Ok(())
            }
            Value::Function(function) => {
                function.attrs().write().insert(name, new);
                Ok(())
            }
            Value::Native(native) => {
                native.attrs.borrow_mut().get_or_insert_default().insert(name, new);
                Ok(())
            }
            Value::Object(object) => match object.setattr(self, name, new)? {
                true => Ok(()),
                false => Err(self.no_attribute(value, name)),
            },
            Value::Unknown(unknown) => {
                if let Some(held) = self.meant(unknown) {
                    return match self.setattr(&held, name, new) {
                        Err(Halt::Raise(_)) => Ok(()),
                        result => result,
                    };
                }
                self.sets_any_of(unknown, name);
                self.hand_over(&crate::python::Args::of([new]), None);
                Ok(())
            }
            Value::Array(_) => match self.find_attr(value, name)? {
                Some(_) => Err(Halt::raise(
                    "AttributeError",
                    format!("attribute '{name}' of '{}' objects is not writable", self.type_name(value)),
                )),
                None => Err(self.no_attribute(value, name)),
            },
            _ => Err(self.no_attribute(value, name)),
        }
    }

    /// `object.__setattr__`
    ///
    /// # Errors
    /// What a setter raises; `AttributeError` for a property without one.
    pub fn plain_setattr(self: &Rc<Self>, instance: &Rc<Instance>, name: Symbol, new: Value) -> Step<()> {
        let class = instance.class();
        if let Some(Value::Instance(descriptor)) = class.lookup(name) {
            let kind = descriptor.class();
            if kind.root == Root::Property {
                return match descriptor.get(self.types.names.fset) {
                    Some(setter) if !setter.is_none() => {
                        self.call_with(&setter, [Value::Instance(instance.clone()), new]).map(drop)
                    }
                    _ => Err(Halt::raise(
                        "AttributeError",
                        format!("property '{name}' of '{}' object has no setter", class.name),
                    )),
                };
            }
            if !kind.is_builtin()
                && let Some(set) = kind.lookup(self.types.names.set)
            {
                let args = [Value::Instance(descriptor.clone()), Value::Instance(instance.clone()), new];
                return self.call_with(&set, args).map(drop);
            }
        }
        if lacks_slot(&class, name) && name.as_str() != "__class__" {
            return Err(Halt::raise(
                "AttributeError",
                match class.lookup(name) {
                    Some(_) => format!("'{}' object attribute '{name}' is read-only", class.name),
                    None => format!("'{}' object has no attribute '{name}'", class.name),
                },
            ));
        }
        if name.as_str() == "__class__"
            && let Value::Class(class) = &new
        {
            instance.set_class(class.clone());
            return Ok(());
        }
        if name.as_str() == "__dict__" {
            match new.base() {
                Value::Dict(dict) if !dict.is_vague() => dict.become_attributes(instance.attrs_cell()),
                Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
                _ => return Err(Halt::unknown("`__dict__` set to this")),
            }
            return Ok(());
        }
        instance.set(name, new);
        Ok(())
    }

    /// `type.__setattr__`
    pub fn plain_class_setattr(&self, class: &Rc<Class>, name: Symbol, new: Value) {
        class.attrs.write().insert(name, new);
        class.hooks.set(None);
        class.forget_equality(name);
    }

    /// `del value.name`
    ///
    /// # Errors
    /// `AttributeError`.
    pub fn delattr(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<()> {
        let removed = match value {
            Value::Instance(instance) => {
                if is_frozen(&instance.class(), name, self.types.names.delattr) {
                    return Err(Halt::raise(
                        "dataclasses.FrozenInstanceError",
                        format!("cannot delete field '{name}'"),
                    ));
                }
                if let Some((method, owner)) = instance.class().lookup_where(self.types.names.delattr)
                    && !owner.is_builtin()
                {
                    return self.call_with(&method, [value.clone(), Value::str(name.as_str())]).map(drop);
                }
                return self.plain_delattr(instance, name);
            }
            Value::Class(class) => {
                class.hooks.set(None);
                class.forget_equality(name);
                class.attrs.write().shift_remove(&name).is_some()
            }
            Value::Module(module) => {
                module.set(name, Value::Unbound);
                true
            }
            Value::Function(function) => function.attrs().write().shift_remove(&name).is_some(),
            Value::Unknown(_) => true,
            _ => false,
        };
        if removed { Ok(()) } else { Err(self.no_attribute(value, name)) }
    }

    /// `object.__delattr__`
    ///
    /// # Errors
    /// What a deleter raises; `AttributeError` where there is nothing to delete.
    pub fn plain_delattr(self: &Rc<Self>, instance: &Rc<Instance>, name: Symbol) -> Step<()> {
        let class = instance.class();
        if let Some(Value::Instance(descriptor)) = class.lookup(name) {
            let kind = descriptor.class();
            if kind.root == Root::Property {
                return match descriptor.get(sym!("fdel")) {
                    Some(deleter) if !deleter.is_none() => {
                        self.call_with(&deleter, [Value::Instance(instance.clone())]).map(drop)
                    }
                    _ => Err(Halt::raise(
                        "AttributeError",
                        format!("property '{name}' of '{}' object has no deleter", class.name),
                    )),
                };
            }
            if !kind.is_builtin()
                && let Some(delete) = kind.lookup(sym!("__delete__"))
            {
                let args = [Value::Instance(descriptor.clone()), Value::Instance(instance.clone())];
                return self.call_with(&delete, args).map(drop);
            }
        }
        instance.changes(name);
        match instance.attrs_mut().shift_remove(&name) {
            Some(_) => Ok(()),
            None => Err(self.no_attribute(&Value::Instance(instance.clone()), name)),
        }
    }
}

/// Whether a frozen dataclass forbids to set (`hook` is `__setattr__`) or to delete (`__delattr__`) this attribute: it does where
/// no hook of the program's own comes before.
pub(in crate::interp) fn is_frozen(class: &Rc<Class>, name: Symbol, hook: Symbol) -> bool {
    let mro = class.mro.borrow();
    for (i, base) in mro.iter().enumerate() {
        let attrs = base.attrs.read();
        if attrs.contains_key(&hook) {
            return false;
        }
        // A subclass that is no dataclass itself may have attributes of its own.
        let is_field = || match attrs.get(&sym!("__dataclass_fields__")) {
            Some(Value::Dict(fields)) => fields.read().contains_key(&crate::python::Key::str(&name)),
            _ => false,
        };
        if base.frozen.get() && (i == 0 || is_field()) {
            return true;
        }
    }
    false
}
