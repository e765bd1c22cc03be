//! Subscripts of Python's own containers.

use std::rc::Rc;

use super::builtins::texts::character;
use super::{Interp, spans};
use crate::python::container::{ITEMS_MOVED, join_values, one_of_many};
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Guess, Instance, List, Range, Value};

/// Lists of so many items keep what is known of them when one that nobody knows is written.
const MOST_JOINED: usize = 256;

/// A slice of a sequence of known length: start, step, count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Slicing {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
    pub count: usize,
}

impl Slicing {
    /// The positions.
    pub fn positions(self) -> impl Iterator<Item = usize> {
        (0..self.count as i64).map(move |i| (self.start + i * self.step) as usize)
    }
}

/// What is raised because a list is too short, if that is certain: a leaf of a tree that is not known may be a tree of its own.
pub(super) fn unless_several(items: &[Value], halt: Halt) -> Halt {
    let unknown = items.iter().find_map(|item| match item {
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Some(unknown.why.clone()),
        _ => None,
    });
    unknown.map_or(halt, Halt::Unknown)
}

/// Items among which an unknown index leaves the choice.
const MOST_ITEMS_JOINED: usize = 64;

impl Interp {
    /// The positions of a slice whose items are copied: budget is spent for them.
    fn taking(self: &Rc<Self>, parts: &[Value; 3], len: usize) -> Step<Slicing> {
        let slicing = self.slicing(parts, len)?;
        self.spend_many(slicing.count)?;
        Ok(slicing)
    }

    /// `slice.indices(len)`
    ///
    /// # Errors
    /// `TypeError` for parts that are no integers; `ValueError` for step zero.
    pub fn slicing(self: &Rc<Self>, parts: &[Value; 3], len: usize) -> Step<Slicing> {
        let part = |value: &Value| -> Step<Option<i64>> {
            if value.is_none() {
                return Ok(None);
            }
            match self.try_index(value)? {
                Some(index) => Ok(Some(index)),
                None => Err(Halt::type_error("slice indices must be integers or None or have an __index__ method")),
            }
        };
        let step = part(&parts[2])?.unwrap_or(1);
        if step == 0 {
            return Err(Halt::value_error("slice step cannot be zero"));
        }
        let len = len as i64;
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let clamp = |index: i64| if index < 0 { (index + len).max(low) } else { index.min(high) };
        let start = part(&parts[0])?.map_or(if step > 0 { low } else { high }, clamp);
        let stop = part(&parts[1])?.map_or(if step > 0 { high } else { low }, clamp);
        let (way, stride) = if step > 0 { (stop - start, step) } else { (start - stop, step.saturating_neg()) };
        let count = if way > 0 { (way - 1) / stride + 1 } else { 0 };
        Ok(Slicing { start, stop, step, count: count as usize })
    }

    fn position(self: &Rc<Self>, index: &Value, len: usize, what: &str) -> Step<usize> {
        let Some(raw) = self.try_index(index)? else {
            let name = self.operand_type_name(index);
            return Err(Halt::type_error(match what {
                "string" => format!("string indices must be integers, not '{name}'"),
                _ => format!("{what} indices must be integers or slices, not {name}"),
            }));
        };
        let at = if raw < 0 { raw + len as i64 } else { raw };
        if at < 0 || at >= len as i64 {
            let what = if what == "byte" { "index".to_owned() } else { format!("{what} index") };
            return Err(Halt::raise("IndexError", format!("{what} out of range")));
        }
        Ok(at as usize)
    }

    /// `value[index]`
    ///
    /// # Errors
    /// What the subscript raises.
    pub fn getitem(self: &Rc<Self>, value: &Value, index: &Value) -> Step<Value> {
        if self.in_widened_loop.get()
            && let Some(found) = spans::getitem(self, value, index)?
        {
            return Ok(found);
        }
        match (value, index) {
            (Value::List(list), Value::Int(at)) if list.why_vague().is_none() => {
                let items = list.read();
                let at = if *at < 0 { *at + items.len() as i64 } else { *at };
                match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                    Some(item) => Ok(item.clone()),
                    None => Err(unless_several(&items, Halt::raise("IndexError", "list index out of range"))),
                }
            }
            (Value::Array(array), _) => self.array_hooks()?.getitem(self, array, index),
            (Value::Unknown(unknown), _) => match self.of_meant(unknown, |held| self.getitem(held, index)) {
                Err(Halt::Unknown(why)) if unknown.any_of.is_some() => self.item_of_any(unknown, why),
                result => result,
            },
            // One of the items, whichever.
            (Value::List(_) | Value::Tuple(_) | Value::Dict(_), Value::Unknown(unknown)) => {
                let items: Vec<Value> = match value {
                    Value::List(list) if list.why_vague().is_none() => list.read().clone(),
                    Value::Tuple(items) => items.to_vec(),
                    Value::Dict(dict) if dict.why_vague().is_none() => dict.read().values().cloned().collect(),
                    _ => Vec::new(),
                };
                let scalar = !matches!(value, Value::Dict(_)) && unknown.guess != Guess::Int;
                if scalar || items.is_empty() || items.len() > MOST_ITEMS_JOINED {
                    self.spend_many(items.len() / ITEMS_MOVED)?;
                    let one = one_of_many(items.iter(), unknown.why.clone());
                    self.note_loss();
                    return one.ok_or_else(|| Halt::Unknown(unknown.why.clone()));
                }
                let (first, rest) = items.split_first().expect("not empty");
                Ok(rest.iter().fold(first.clone(), |all, item| join_values(&all, item)))
            }
            (Value::Dict(dict), _) => {
                let key = match index {
                    Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
                    index => self.key(index)?,
                };
                match dict.find(&key) {
                    Some(value) => return Ok(value),
                    None => {
                        if let Some(why) = dict.why_vague() {
                            return Err(Halt::Unknown(why));
                        }
                    }
                }
                Err(self.key_error(index)?)
            }
            (Value::List(list), _) => {
                if let Some(why) = list.why_vague() {
                    if let (Some(growing), Value::Int(-1)) = (list.growing(), index) {
                        return Ok(growing.last().clone());
                    }
                    return Err(Halt::Unknown(why));
                }
                if let Value::Slice(parts) = index {
                    let slicing = self.taking(parts, list.read().len())?;
                    let items = list.read();
                    return Ok(Value::list(slicing.positions().map(|i| items[i].clone()).collect()));
                }
                let at = self.position(index, list.read().len(), "list")?;
                Ok(list.read()[at].clone())
            }
            (Value::Tuple(items), _) => {
                if let Value::Slice(parts) = index {
                    let slicing = self.taking(parts, items.len())?;
                    return Ok(Value::tuple(slicing.positions().map(|i| items[i].clone())));
                }
                let at = self.position(index, items.len(), "tuple")?;
                Ok(items[at].clone())
            }
            (Value::Str(text), _) => self.str_item(text, index),
            (Value::Bytes(bytes), _) => {
                if let Value::Slice(parts) = index {
                    let slicing = self.slicing(parts, bytes.len())?;
                    self.spend_text(slicing.count)?;
                    return Ok(Value::Bytes(slicing.positions().map(|i| bytes[i]).collect()));
                }
                let at = self.position(index, bytes.len(), "byte")?;
                Ok(Value::Int(bytes[at] as i64))
            }
            (Value::Range(range), _) => {
                if let Value::Slice(parts) = index {
                    let slicing = self.slicing(parts, range.len() as usize)?;
                    let at = |i: i64| range.start + i * range.step;
                    let step = range.step * slicing.step;
                    return Ok(Value::Range(Rc::new(Range { start: at(slicing.start), stop: at(slicing.stop), step })));
                }
                let at = match self.position(index, range.len() as usize, "range") {
                    Err(Halt::Raise(mut exception)) if exception.is_native("IndexError") => {
                        exception.edit_message(|_| "range object index out of range".into());
                        return Err(Halt::Raise(exception));
                    }
                    at => at?,
                };
                Ok(Value::Int(range.at(at as i64)))
            }
            (Value::Instance(instance), _) => {
                if let Some(found) = self.call_special(value, sym!("__getitem__"), [index.clone()])? {
                    return Ok(found);
                }
                self.inner_item(value, instance, index)
            }
            (Value::Object(object), _) => match object.clone().getitem(self, index)? {
                Some(found) => Ok(found),
                None => Err(self.not_subscriptable(value)),
            },
            (Value::Class(class), _) => {
                if let Some(found) = self.call_special(value, sym!("__getitem__"), [index.clone()])? {
                    return Ok(found);
                }
                if let Some(method) = self.find_attr(value, sym!("__class_getitem__"))?.filter(|m| !m.is_unknown()) {
                    // It is a class method without saying so.
                    return match &method {
                        Value::Function(_) => self.call_with(&method, [value.clone(), index.clone()]),
                        _ => self.call_with(&method, [index.clone()]),
                    };
                }
                if class.may_have_more() {
                    return Err(class.of_unknown_base());
                }
                if self.takes_parameters(class) {
                    return self.with_parameters(value, index);
                }
                if class.root == crate::python::class::Root::Other {
                    return Ok(value.clone());
                }
                Err(Halt::type_error(format!("type '{}' is not subscriptable", class.name)))
            }
            _ => Err(self.not_subscriptable(value)),
        }
    }

    /// What the builtin value in an instance has at an index. A dict asks `__missing__` for what it has not.
    ///
    /// # Errors
    /// As [`Interp::getitem`].
    pub fn inner_item(self: &Rc<Self>, value: &Value, instance: &Instance, index: &Value) -> Step<Value> {
        match instance.payload() {
            Some(payload @ Value::Dict(dict)) => {
                if !index.is_unknown() {
                    let key = self.key(index)?;
                    if !dict.read().contains_key(&key)
                        && dict.why_vague().is_none()
                        && let Some(found) = self.call_special(value, sym!("__missing__"), [index.clone()])?
                    {
                        return Ok(found);
                    }
                }
                self.getitem(&payload.clone(), index)
            }
            // A view of a dict.
            Some(_) if instance.class_ref().is_builtin() => Err(self.not_subscriptable(value)),
            Some(payload) => self.getitem(&payload.clone(), index),
            None if instance.class().may_have_more() => Err(instance.class().of_unknown_base()),
            None => Err(self.not_subscriptable(value)),
        }
    }

    /// `class[parameters]` of a container.
    ///
    /// # Errors
    /// What the alias raises.
    pub fn with_parameters(self: &Rc<Self>, class: &Value, parameters: &Value) -> Step<Value> {
        let typing = self.import(sym!("typing"))?;
        let alias = self.getattr(&typing, sym!("_ClassAlias"))?;
        self.call_with(&alias, [class.clone(), parameters.clone()])
    }

    /// Whether a class can be given parameters (`list[int]`): containers of Python's own, and what is made of them.
    fn takes_parameters(&self, class: &Class) -> bool {
        class.mro.borrow().iter().any(|one| match one.is_builtin() {
            true => {
                matches!(
                    one.name.as_str(),
                    "list" | "tuple" | "dict" | "set" | "frozenset" | "enumerate" | "BaseExceptionGroup"
                ) || one.name.as_str() == "type" && class.is_builtin()
            }
            false => {
                let of_numpy =
                    one.module.as_str() == "numpy" && matches!(one.name.as_str(), "ndarray" | "dtype" | "number");
                of_numpy || crate::frameworks::python::names::of(&one.module).is_some() && self.is_of_ours(one)
            }
        })
    }

    fn not_subscriptable(&self, value: &Value) -> Halt {
        Halt::type_error(format!("'{}' object is not subscriptable", self.operand_type_name(value)))
    }

    fn key_error(self: &Rc<Self>, key: &Value) -> Step<Halt> {
        let text = match self.repr(key)? {
            Value::Str(text) => text.to_string(),
            _ => "…".into(),
        };
        Ok(Halt::raise("KeyError", text))
    }

    fn str_item(self: &Rc<Self>, text: &Rc<str>, index: &Value) -> Step<Value> {
        if !self.long_texts.knows(text) {
            self.spend_text(text.len())?;
        }
        let Some(chars) = self.long_texts.chars(text) else {
            if let Value::Slice(parts) = index {
                let slicing = self.slicing(parts, text.len())?;
                self.spend_text(slicing.count)?;
                let bytes = text.as_bytes();
                let piece: String = slicing.positions().map(|i| bytes[i] as char).collect();
                return Ok(Value::from(piece));
            }
            let at = self.position(index, text.len(), "string")?;
            return Ok(character(char::from(text.as_bytes()[at])));
        };
        if let Value::Slice(parts) = index {
            let slicing = self.slicing(parts, chars.len())?;
            self.spend_text(slicing.count)?;
            return Ok(Value::from(slicing.positions().map(|i| chars[i]).collect::<String>()));
        }
        let at = self.position(index, chars.len(), "string")?;
        Ok(character(chars[at]))
    }

    /// `value[index] = new`
    ///
    /// # Errors
    /// What the assignment raises.
    pub fn setitem(self: &Rc<Self>, value: &Value, index: &Value, new: Value) -> Step<()> {
        let result = self.set_item(value, index, new);
        if let Err(Halt::Unknown(why)) = &result {
            super::builtins::forget_items(value, why, true);
        }
        result
    }

    fn set_item(self: &Rc<Self>, value: &Value, index: &Value, new: Value) -> Step<()> {
        if let Value::Unknown(unknown) = value
            && unknown.or_none.is_some()
        {
            return self.of_meant(unknown, |held| self.setitem(held, index, new.clone()));
        }
        if let Value::Unknown(unknown) = value {
            self.changes_any_of(unknown);
        }
        match (value, index) {
            // Any one of the items may be the new one.
            (Value::List(list), Value::Unknown(unknown))
                if unknown.guess == Guess::Int && !list.is_vague() && list.read().len() <= MOST_JOINED =>
            {
                self.spend_many(list.read().len())?;
                list.write().iter_mut().for_each(|item| *item = join_values(item, &new));
                Ok(())
            }
            (Value::List(list), Value::Unknown(unknown)) => {
                list.forget(unknown.why.clone());
                Ok(())
            }
            (Value::Dict(dict), Value::Unknown(unknown)) => {
                dict.forget(unknown.why.clone());
                Ok(())
            }
            (Value::List(list), Value::Slice(parts)) => {
                if list.vague_before_change().is_some() {
                    return Ok(());
                }
                let mut items = Vec::new();
                self.extend_vec(&mut items, &new)?;
                let slicing = self.slicing(parts, list.read().len())?;
                if slicing.step == 1 {
                    let start = slicing.start as usize;
                    let end = start.max(slicing.stop.max(0) as usize);
                    list.write().splice(start..end, items);
                    return Ok(());
                }
                if items.len() != slicing.count {
                    return Err(Halt::value_error(format!(
                        "attempt to assign sequence of size {} to extended slice of size {}",
                        items.len(),
                        slicing.count
                    )));
                }
                let mut write = list.write();
                for (at, item) in slicing.positions().zip(items) {
                    write[at] = item;
                }
                Ok(())
            }
            (Value::List(list), _) => {
                if list.vague_before_change().is_some() {
                    return Ok(());
                }
                let at = match self.position(index, list.read().len(), "list") {
                    Err(Halt::Raise(mut exception)) if exception.is_native("IndexError") => {
                        exception.edit_message(|_| "list assignment index out of range".into());
                        return Err(Halt::Raise(exception));
                    }
                    at => at?,
                };
                list.write()[at] = new;
                Ok(())
            }
            (Value::Dict(dict), _) => {
                match self.key(index) {
                    Ok(key) => dict.put(key, new),
                    // Some item is set, and it is not known which.
                    Err(Halt::Unknown(why)) => dict.forget(why),
                    Err(halt) => return Err(halt),
                }
                Ok(())
            }
            (Value::Array(array), _) => self.array_hooks()?.setitem(self, array, index, &new),
            (Value::Instance(instance), _) => {
                if self.call_special(value, sym!("__setitem__"), [index.clone(), new.clone()])?.is_some() {
                    return Ok(());
                }
                match instance.payload() {
                    Some(payload @ (Value::Dict(_) | Value::List(_))) => self.setitem(&payload.clone(), index, new),
                    _ if instance.class().may_have_more() => Ok(()),
                    _ => Err(self.no_item_assignment(value)),
                }
            }
            (Value::Object(object), _) => match object.clone().setitem(self, index, new)? {
                true => Ok(()),
                false => Err(self.no_item_assignment(value)),
            },
            (Value::Unknown(_), _) => Ok(()),
            (Value::Class(_), _) if self.call_special(value, sym!("__setitem__"), [index.clone(), new])?.is_some() => {
                Ok(())
            }
            _ => Err(self.no_item_assignment(value)),
        }
    }

    fn no_item_assignment(&self, value: &Value) -> Halt {
        Halt::type_error(format!("'{}' object does not support item assignment", self.operand_type_name(value)))
    }

    /// `del value[index]`
    ///
    /// # Errors
    /// What the deletion raises.
    pub fn delitem(self: &Rc<Self>, value: &Value, index: &Value) -> Step<()> {
        let result = self.delete_item(value, index);
        if let Err(Halt::Unknown(why)) = &result {
            super::builtins::forget_items(value, why, true);
        }
        result
    }

    fn delete_item(self: &Rc<Self>, value: &Value, index: &Value) -> Step<()> {
        if let Value::Unknown(unknown) = value
            && unknown.or_none.is_some()
        {
            return self.of_meant(unknown, |held| self.delitem(held, index));
        }
        if let Value::Unknown(unknown) = value {
            self.changes_any_of(unknown);
        }
        match value {
            Value::List(list) => {
                if list.vague_before_change().is_some() {
                    return Ok(());
                }
                if let Value::Slice(parts) = index {
                    let slicing = self.slicing(parts, list.read().len())?;
                    let mut gone: Vec<usize> = slicing.positions().collect();
                    gone.sort_unstable();
                    let mut items = list.write();
                    for at in gone.into_iter().rev() {
                        items.remove(at);
                    }
                    return Ok(());
                }
                let at = self.position(index, list.read().len(), "list")?;
                list.write().remove(at);
                Ok(())
            }
            Value::Dict(dict) => {
                let key = self.key(index)?;
                if dict.write().shift_remove(&key).is_none() && dict.why_vague().is_none() {
                    return Err(self.key_error(index)?);
                }
                Ok(())
            }
            Value::Instance(instance) => {
                if self.call_special(value, sym!("__delitem__"), [index.clone()])?.is_some() {
                    return Ok(());
                }
                match instance.payload() {
                    Some(payload @ (Value::Dict(_) | Value::List(_))) => self.delitem(&payload.clone(), index),
                    _ => Err(Halt::type_error(format!(
                        "'{}' object doesn't support item deletion",
                        self.type_name(value)
                    ))),
                }
            }
            Value::Unknown(_) => Ok(()),
            // Arrays have `__setitem__`, which says what to do instead, and no `__delitem__`.
            Value::Array(_) => Err(Halt::raise("AttributeError", "__delitem__")),
            _ => Err(Halt::type_error(format!("'{}' object doesn't support item deletion", self.type_name(value)))),
        }
    }

    /// Appends the items of an iterable to a list.
    ///
    /// # Errors
    /// What iterating raises.
    pub fn extend_list(self: &Rc<Self>, list: &List, items: &Value) -> Step<()> {
        let mut new = Vec::new();
        match self.extend_vec(&mut new, items) {
            Ok(()) => {}
            Err(Halt::Unknown(why)) => {
                list.forget(why);
                return Ok(());
            }
            Err(halt) => return Err(halt),
        }
        list.append(new);
        Ok(())
    }
}
