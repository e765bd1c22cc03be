//! Assignment, unpacking, deletion.

use std::rc::Rc;

use smallvec::SmallVec;

use super::function::Run;
use super::index::unless_several;
use super::operator::spelling;
use super::quick::{Plain, arithmetic};
use crate::module::{BinaryOp, Expr, ExprId, Place, Target};
use crate::python::halt::{Halt, Step};
use crate::python::{Dict, Key, Value};
use crate::repro::Op;

impl Run<'_> {
    /// Binds a value to a target.
    pub fn assign(&mut self, target: &Target, value: Value) -> Step<()> {
        match target {
            Target::Name(place, name, span) => {
                if self.watches_writes() {
                    self.rebinds(*place, &value, *span);
                }
                if self.it.repro.on.get() && !self.home.unit.ours {
                    self.it.recorded_name(*name, &value, *span);
                }
                self.store(*place, value);
                Ok(())
            }
            Target::Attribute(object, name, span) => {
                let object = self.eval(*object)?;
                if self.watches_writes() {
                    self.writes_attribute(&object, *name, *span);
                }
                let result = self.it.setattr(&object, *name, value.clone());
                let result = self.it.blamed(|| Op::SetAttribute(*name), &[&object, &value], result);
                self.placed(result, *span)
            }
            Target::Subscript(object, index, span) => {
                let object = self.eval(*object)?;
                let index = self.eval(*index)?;
                if self.watches_writes() {
                    self.writes_item(&object, &index, *span);
                }
                let result = self.it.setitem(&object, &index, value.clone());
                let result = self.it.blamed(|| Op::SetItem, &[&object, &index, &value], result);
                self.placed(result, *span)
            }
            Target::Tuple(targets, span) => {
                if let Value::Tuple(items) = &value
                    && items.len() == targets.len()
                    && !targets.iter().any(|t| matches!(t, Target::Starred(..)))
                {
                    for (target, item) in targets.iter().zip(items.iter()) {
                        self.assign(target, item.clone())?;
                    }
                    return Ok(());
                }
                let result = self.unpack(targets, &value);
                let starred = || targets.iter().position(|t| matches!(t, Target::Starred(..)));
                let result = self.it.blamed(|| Op::Unpack(targets.len(), starred()), &[&value], result);
                match result {
                    Ok(items) => {
                        for (target, item) in targets.iter().zip(items) {
                            self.assign(target, item)?;
                        }
                        Ok(())
                    }
                    Err(halt) => self.placed(Err(halt), *span),
                }
            }
            Target::Starred(inner, _) => self.assign(inner, value),
            Target::Error(_) => Ok(()),
        }
    }

    /// Assigns the items of a tuple display to as many targets, where both are plain; false where that is not so.
    pub fn assign_items(&mut self, targets: &[Target], items: &[ExprId]) -> Step<bool> {
        let plain = targets.len() == items.len()
            && !targets.iter().any(|t| matches!(t, Target::Starred(..)))
            && !items.iter().any(|i| matches!(self.module.expr(*i), Expr::Starred(_)));
        if !plain || self.user && self.it.watch.on.get() {
            return Ok(false);
        }
        self.it.spend()?;
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for item in items {
            values.push(self.eval(*item)?);
        }
        for (target, value) in targets.iter().zip(values) {
            self.assign(target, value)?;
        }
        Ok(true)
    }

    /// Gives an exception its place, if it has none yet.
    pub(super) fn placed<T>(&mut self, result: Step<T>, span: crate::text::Span) -> Step<T> {
        match result {
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, span);
                Err(Halt::Raise(exception))
            }
            other => other,
        }
    }

    /// The items that a tuple target takes, one per target (a list for a starred one).
    fn unpack(&mut self, targets: &[Target], value: &Value) -> Step<Vec<Value>> {
        let starred = targets.iter().position(|t| matches!(t, Target::Starred(..)));
        let unknown = |why: &crate::python::Why| -> Vec<Value> {
            targets.iter().map(|_| Value::unknown(why.0.clone())).collect()
        };
        if let Value::Unknown(why) = value {
            return match &why.or_none {
                Some(held) if !matches!(held, Value::Unknown(_)) => match self.unpack(targets, held) {
                    Err(Halt::Raise(_)) => Ok(unknown(&why.why)),
                    items => items,
                },
                _ => {
                    self.it.walks_any_of(why)?;
                    Ok(unknown(&why.why))
                }
            };
        }
        let it = self.it;
        let iterator = match it.iterate(value) {
            Ok(iterator) => iterator,
            Err(Halt::Raise(mut exception)) if exception.is_native("TypeError") => {
                // An array without axes is iterable, and says itself that it is not.
                exception.edit_message(|message| match message.ends_with("is not iterable") {
                    true => format!("cannot unpack non-iterable {} object", it.operand_type_name(value)),
                    false => message.to_owned(),
                });
                return Err(Halt::Raise(exception));
            }
            Err(Halt::Unknown(why)) => return Ok(unknown(&why)),
            Err(halt) => return Err(halt),
        };
        let before = starred.unwrap_or(targets.len());
        let mut items = Vec::with_capacity(targets.len());
        let expected =
            if starred.is_some() { format!("at least {}", targets.len() - 1) } else { targets.len().to_string() };
        while items.len() < before {
            match it.next(&iterator) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => {
                    let message = format!("not enough values to unpack (expected {expected}, got {})", items.len());
                    let halt = Halt::value_error(message);
                    return match value {
                        Value::List(_) => match unless_several(&items, halt) {
                            Halt::Unknown(why) => Ok(unknown(&why)),
                            halt => Err(halt),
                        },
                        _ => Err(halt),
                    };
                }
                Err(Halt::Unknown(why)) => return Ok(unknown(&why)),
                Err(halt) => return Err(halt),
            }
        }
        match starred {
            None => match it.next(&iterator) {
                Ok(None) => Ok(items),
                Ok(Some(_)) => Err(Halt::value_error(format!("too many values to unpack (expected {expected})"))),
                Err(Halt::Unknown(_)) => Ok(items),
                Err(halt) => Err(halt),
            },
            Some(at) => {
                let mut rest = Vec::new();
                match it.extend_vec(&mut rest, &iterator) {
                    Ok(()) => {}
                    Err(Halt::Unknown(why)) => return Ok(unknown(&why)),
                    Err(halt) => return Err(halt),
                }
                let after = targets.len() - at - 1;
                if rest.len() < after {
                    return Err(Halt::value_error(format!(
                        "not enough values to unpack (expected {expected}, got {})",
                        items.len() + rest.len()
                    )));
                }
                let tail = rest.split_off(rest.len() - after);
                items.push(Value::list(rest));
                items.extend(tail);
                Ok(items)
            }
        }
    }

    /// `target op= value`
    pub fn augmented(&mut self, target: &Target, op: BinaryOp, value: ExprId) -> Step<()> {
        let it = self.it;
        match target {
            Target::Name(Place::Local(slot), ..)
                if let Some(old) = Plain::of(&self.frame.locals[*slot as usize])
                    && let Some(value) = self.quick(value)
                    && let Some(new) = arithmetic(op, old, value) =>
            {
                self.it.spend()?;
                Value::put(&mut self.frame.locals[*slot as usize], new.into());
            }
            Target::Name(Place::Local(slot), ..)
                if matches!(self.frame.locals[*slot as usize], Value::Int(_) | Value::Float(_)) =>
            {
                let old = self.frame.locals[*slot as usize].clone();
                let value = self.other_operand(value)?;
                let new = it.in_place(op, &old, &value)?;
                self.frame.locals[*slot as usize] = new;
            }
            Target::Name(place, name, span) => {
                let old = self.load(*place, *name);
                let old = self.placed(old, *span)?;
                let value = self.other_operand(value)?;
                if self.watches_writes() && matches!(place, Place::Local(_)) {
                    self.extends(&old, *span);
                }
                let new = it.in_place(op, &old, &value)?;
                if self.watches_writes() {
                    self.rebinds(*place, &new, *span);
                }
                self.store(*place, new);
            }
            Target::Attribute(object, name, _)
                if !self.watches_writes()
                    && let Expr::Name(Place::Local(slot), _) = self.module.expr(*object)
                    && let Value::Instance(instance) = &self.frame.locals[*slot as usize]
                    && let Some(old) = it.own_number(instance, *name)
                    && let Some(value) = self.quick(value)
                    && let Some(new) = arithmetic(op, old, value)
                    && it.set_own_attr(instance, *name, new.into()).is_ok() =>
            {
                it.spend()?;
            }
            Target::Attribute(object, name, span) => {
                let object = self.eval(*object)?;
                let old = it.getattr(&object, *name);
                let old = self.placed(old, *span)?;
                let value = self.other_operand(value)?;
                if self.watches_writes() {
                    self.extends(&old, *span);
                }
                let new = it.in_place(op, &old, &value)?;
                if self.watches_writes() {
                    self.writes_attribute(&object, *name, *span);
                }
                let result = it.setattr(&object, *name, new);
                self.placed(result, *span)?;
            }
            Target::Subscript(object, index, span) => {
                let object = self.eval(*object)?;
                let index = self.eval(*index)?;
                let old = it.getitem(&object, &index);
                let old = self.placed(old, *span)?;
                let value = self.other_operand(value)?;
                if self.watches_writes() {
                    self.extends(&old, *span);
                }
                let new = it.in_place(op, &old, &value)?;
                if self.watches_writes() {
                    self.writes_item(&object, &index, *span);
                }
                let result = it.setitem(&object, &index, new);
                self.placed(result, *span)?;
            }
            _ => {
                self.other_operand(value)?;
            }
        }
        Ok(())
    }

    /// The other side of `target op= value`: where it is not known, that may raise.
    fn other_operand(&mut self, value: ExprId) -> Step<Value> {
        let value = self.eval(value)?;
        if value.is_unknown() {
            self.it.unsure.set(self.it.unsure.get() + 1);
        }
        Ok(value)
    }

    /// `target: annotation = value`
    pub fn annotated(&mut self, target: &Target, annotation: ExprId, value: Option<ExprId>) -> Step<()> {
        if let Some(value) = value {
            let value = self.eval(value)?;
            self.assign(target, value)?;
        }
        self.read_annotation(annotation)?;
        // Only class bodies (dataclasses and the like) look at annotations.
        if self.frame.names.is_some()
            && let Target::Name(_, name, _) = target
        {
            let it = self.it;
            let user = std::mem::replace(&mut self.user, false);
            let kept = if self.module.future_annotations {
                super::annotations::postponed(self.module, annotation)
            } else {
                it.while_catching(|| self.eval(annotation)).unwrap_or_else(|_| Value::unknown("an annotation"))
            };
            self.user = user;
            let names = self.frame.names.clone().expect("checked above");
            let key = sym!("__annotations__");
            let dict = match names.read().get(&key) {
                Some(Value::Dict(dict)) => Some(dict.clone()),
                _ => None,
            };
            let dict = dict.unwrap_or_else(|| {
                let dict = Dict::new(Default::default());
                names.write().insert(key, Value::Dict(dict.clone()));
                dict
            });
            dict.write().insert(Key::str(name), kept);
        }
        Ok(())
    }

    /// `del target`
    pub fn delete(&mut self, target: &Target) -> Step<()> {
        let it = self.it;
        match target {
            Target::Name(place, name, span) => {
                let bound = self.load(*place, *name);
                self.placed(bound, *span)?;
                match (&self.frame.names, place) {
                    (
                        Some(names),
                        crate::module::Place::ClassOrGlobal(name, _) | crate::module::Place::ClassOrCell(name, _),
                    ) => {
                        names.write().shift_remove(name);
                    }
                    _ => self.store(*place, Value::Unbound),
                }
                Ok(())
            }
            Target::Attribute(object, name, span) => {
                let object = self.eval(*object)?;
                let result = it.delattr(&object, *name);
                self.placed(result, *span)
            }
            Target::Subscript(object, index, span) => {
                let object = self.eval(*object)?;
                let index = self.eval(*index)?;
                let result = it.delitem(&object, &index);
                let result = it.blamed(|| Op::DeleteItem, &[&object, &index], result);
                self.placed(result, *span)
            }
            Target::Tuple(targets, _) => targets.iter().try_for_each(|t| self.delete(t)),
            Target::Starred(inner, _) => self.delete(inner),
            Target::Error(_) => Ok(()),
        }
    }
}

impl super::Interp {
    /// `a op= b`: what `a` becomes.
    ///
    /// # Errors
    /// What the operation raises.
    #[inline]
    pub fn in_place(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Value> {
        if let Value::Int(_) | Value::Float(_) | Value::Str(_) = a {
            return self.binary(op, a, b);
        }
        self.in_place_container(op, a, b)
    }

    fn in_place_container(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Value> {
        match a {
            Value::Unknown(unknown) if let Some(held) = &unknown.or_none => {
                return match self.in_place(op, held, b) {
                    Err(Halt::Raise(_)) => Ok(Value::unknown(unknown.why.0.clone())),
                    result => result,
                };
            }
            Value::Unknown(unknown) => self.changes_any_of(unknown),
            Value::Instance(_) => {
                let name = spelling(op).3;
                if let Some(value) = self.call_special(a, name, [b.clone()])?
                    && !matches!(value, Value::NotImplemented)
                {
                    return Ok(value);
                }
            }
            Value::Object(object) => {
                if let Some(method) = object.clone().getattr(self, spelling(op).3)? {
                    match self.call_with(&method, [b.clone()])? {
                        Value::NotImplemented => {}
                        value => return Ok(value),
                    }
                }
            }
            // Lists have no operators of numbers: those of the other side come first.
            Value::List(_) if op == BinaryOp::Add => {
                if let Some(value) = self.reflected_alone(op, a, b)? {
                    return Ok(value);
                }
            }
            _ => {}
        }
        // A class that repeats its instances itself does so here as well.
        let is_own = op == BinaryOp::Mul
            && matches!(a, Value::Instance(instance) if instance.class_ref().lookup_defined(spelling(op).1).is_some());
        if !is_own && self.change_in_place(op, a.base(), b)? {
            return Ok(a.clone());
        }
        match self.binary(op, a, b) {
            Err(Halt::Raise(mut exception)) if exception.is_native("TypeError") => {
                exception.edit_message(|m| {
                    let (symbol, ..) = spelling(op);
                    let plain = format!("unsupported operand type(s) for {symbol}:");
                    let short = symbol.split(' ').next().unwrap_or(symbol);
                    m.replace(&plain, &format!("unsupported operand type(s) for {short}=:"))
                });
                Err(Halt::Raise(exception))
            }
            result => result,
        }
    }

    /// Does `container op= b` where the container is changed by it; whether it was.
    fn change_in_place(self: &Rc<Self>, op: BinaryOp, container: &Value, b: &Value) -> Step<bool> {
        use BinaryOp::*;
        match (op, container, b.base()) {
            (Add, Value::List(list), _) => match b {
                Value::Unknown(unknown) => list.forget(unknown.why.clone()),
                _ => self.extend_list(list, b)?,
            },
            (Mul, Value::List(list), Value::Int(_) | Value::Bool(_)) if list.why_vague().is_none() => {
                let count = self.index(b)?.max(0) as usize;
                if let Value::List(new) = self.repeat(container, count)? {
                    match new.why_vague() {
                        Some(why) => list.forget(why),
                        None => list.set(new.read().clone()),
                    }
                }
            }
            (BitOr, Value::Dict(dict), _) => self.update_dict(dict, b)?,
            (BitOr, Value::Set(set), Value::Set(other) | Value::FrozenSet(other)) if other.why_vague().is_none() => {
                let items: Vec<Key> = other.read().iter().cloned().collect();
                set.write().extend(items);
            }
            (BitOr | BitAnd | Sub | BitXor, Value::Set(set), other @ (Value::Set(_) | Value::FrozenSet(_))) => {
                if let Value::Set(new) = self.binary(op, container, other)? {
                    match new.why_vague() {
                        Some(why) => set.forget(why),
                        None => set.set(new.read().clone()),
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
