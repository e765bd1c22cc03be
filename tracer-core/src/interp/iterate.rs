//! Iteration.

use std::rc::Rc;

use super::Interp;
use super::builtins::texts::characters;
use crate::python::halt::{Halt, Raised, Step};
use crate::python::iterator::IterKind;
use crate::python::live::{Live, Walked};
use crate::python::set_order::{in_order, order_of};
use crate::python::{Dict, Iter, Value};

impl Interp {
    /// `iter(value)`
    ///
    /// # Errors
    /// `TypeError`, and what `__iter__` raises; unknown for an unknown value.
    pub fn iterate(self: &Rc<Self>, value: &Value) -> Step<Value> {
        let items = |name, items: Vec<Value>| Ok(Iter::items(name, items));
        match value {
            Value::Iter(_) => Ok(value.clone()),
            Value::List(list) => match list.why_vague() {
                Some(why) => Err(Halt::Unknown(why)),
                None => Ok(Value::Iter(Iter::new("list_iterator", IterKind::List(list.clone(), 0)))),
            },
            Value::Tuple(all) => Ok(Value::Iter(Iter::new("tuple_iterator", IterKind::Items(all.clone(), 0)))),
            Value::Range(range) => {
                let kind = IterKind::Range(range.start, range.step, range.len());
                Ok(Value::Iter(Iter::new("range_iterator", kind)))
            }
            Value::Str(text) => {
                self.spend_many(text.len())?;
                Ok(Iter::items("str_iterator", characters(text)))
            }
            Value::Bytes(bytes) => items("bytes_iterator", bytes.iter().map(|b| Value::Int(*b as i64)).collect()),
            Value::Dict(dict) => match dict.why_vague() {
                Some(why) => Err(Halt::Unknown(why)),
                None => {
                    let keys = dict.read().keys().map(|k| k.value.clone()).collect();
                    Ok(Iter::live("dict_keyiterator", Live::new(Walked::Keys(dict.clone()), keys, false)))
                }
            },
            Value::Set(set) | Value::FrozenSet(set) => match set.why_vague() {
                Some(why) => Err(Halt::Unknown(why)),
                None => {
                    let order = order_of(&set.read());
                    let keys = in_order(&set.read(), order.as_deref()).cloned().collect();
                    Ok(Iter::live("set_iterator", Live::new(Walked::Set(set.clone(), order), keys, false)))
                }
            },
            Value::Array(array) => {
                let all = self.array_hooks()?.items(self, array)?;
                items("generator", all)
            }
            Value::Object(object) => match object.clone().items(self)? {
                Some(all) => Ok(match object.clone().is_written() {
                    Some(is_written) => {
                        let walked = Walked::Numbers(value.clone(), is_written);
                        Iter::live("iterator", Live::new(walked, all.into(), false))
                    }
                    None => Iter::items("iterator", all),
                }),
                None => Err(self.not_iterable(value)),
            },
            Value::Unknown(unknown) => {
                self.walks_any_of(unknown)?;
                self.of_meant(unknown, |held| self.iterate(held))
            }
            Value::Instance(instance) => {
                if let Some(iterator) = self.iterate_view(value, false)? {
                    return Ok(iterator);
                }
                if let Some(iterator) = self.call_special(value, sym!("__iter__"), [])? {
                    return match iterator {
                        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                        iterator => Ok(iterator),
                    };
                }
                if let Some(payload) = instance.payload()
                    && !instance.class().derives(&self.types.base_exception)
                {
                    return self.iterate(&payload.clone());
                }
                if instance.class().lookup(sym!("__getitem__")).is_some() {
                    let value = value.clone();
                    let mut at = 0;
                    return Ok(Iter::native("iterator", move |it| {
                        at += 1;
                        let item = it.while_catching(|| it.getitem(&value, &Value::Int(at - 1)));
                        match item {
                            Err(Halt::Raise(e)) if it.is_exception(&e, "IndexError") => Ok(None),
                            result => result.map(Some),
                        }
                    }));
                }
                if instance.class().may_have_more() {
                    return Err(instance.class().of_unknown_base());
                }
                match self.call_special(value, sym!("__aiter__"), [])? {
                    Some(iterator) => Ok(self.awaiting(iterator)),
                    None => Err(self.not_iterable(value)),
                }
            }
            Value::Class(_) => match self.call_special(value, sym!("__iter__"), [])? {
                Some(iterator) => self.iterate(&iterator),
                None => Err(self.not_iterable(value)),
            },
            _ => Err(self.not_iterable(value)),
        }
    }

    fn not_iterable(&self, value: &Value) -> Halt {
        Halt::type_error(format!("'{}' object is not iterable", self.operand_type_name(value)))
    }

    /// What Python says of a value behind a star that has no items; other exceptions as they are.
    #[cold]
    pub(super) fn not_iterable_behind(&self, what: &str, value: &Value, halt: Halt) -> Halt {
        let plain = format!("'{}' object is not iterable", self.operand_type_name(value));
        match &halt {
            Halt::Raise(exception) if matches!(&exception.what, Raised::Native(_, text) if **text == *plain) => {
                let name = self.operand_type_name(value);
                Halt::type_error(format!("{what} after * must be an iterable, not {name}"))
            }
            _ => halt,
        }
    }

    /// `next(iterator)`; `None` at its end.
    ///
    /// # Errors
    /// What the iterator raises.
    #[inline]
    pub fn next(self: &Rc<Self>, iterator: &Value) -> Step<Option<Value>> {
        match iterator {
            Value::Iter(iter) => iter.next(self),
            other => self.next_special(other),
        }
    }

    fn next_special(self: &Rc<Self>, iterator: &Value) -> Step<Option<Value>> {
        if let Value::Unknown(unknown) = iterator {
            self.walks_any_of(unknown)?;
        }
        let result = self.while_catching(|| self.call_special(iterator, sym!("__next__"), []));
        match result {
            Ok(Some(Value::Unknown(unknown))) if unknown.guess == crate::python::Guess::Any => {
                Err(Halt::Unknown(unknown.why.clone()))
            }
            Ok(Some(value)) => Ok(Some(value)),
            Ok(None) => match iterator {
                Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                _ => Err(Halt::type_error(format!("'{}' object is not an iterator", self.type_name(iterator)))),
            },
            Err(Halt::Raise(exception)) if self.is_exception(&exception, "StopIteration") => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    /// Goes on with an iterator, where it is not known whether the program does: see [`Interp::perhaps`].
    ///
    /// # Errors
    /// What ends the whole run.
    pub fn perhaps_on<T>(self: &Rc<Self>, iterator: &Value, body: impl FnOnce() -> Step<T>) -> Step<Option<T>> {
        self.perhaps(|| {
            if let Value::Iter(iter) = iterator {
                iter.goes_on_here();
            }
            body()
        })
    }

    /// It is not known how far the program goes on with an iterator.
    ///
    /// # Errors
    /// What ends the whole run.
    pub fn may_go_on(self: &Rc<Self>, iterator: &Value) -> Step<()> {
        match iterator {
            Value::Iter(iter) => self.perhaps(|| iter.lose_position(self)).map(drop),
            other => self.perhaps(|| self.next(other)).map(drop),
        }
    }

    /// What an ended generator returned.
    pub fn generator_result(&self, iter: &Rc<Iter>) -> Value {
        iter.with_result()
    }

    /// Appends the items of an iterable.
    ///
    /// # Errors
    /// What iterating raises.
    pub fn extend_vec(self: &Rc<Self>, out: &mut Vec<Value>, value: &Value) -> Step<()> {
        match value {
            Value::List(list) if list.why_vague().is_none() => {
                self.spend_many(list.read().len())?;
                out.extend(list.read().iter().cloned());
                return Ok(());
            }
            Value::Tuple(items) => {
                self.spend_many(items.len())?;
                out.extend(items.iter().cloned());
                return Ok(());
            }
            Value::Range(range) => {
                self.spend_many(range.len().max(0) as usize)?;
                out.extend((0..range.len()).map(|i| Value::Int(range.at(i))));
                return Ok(());
            }
            _ => {}
        }
        let iterator = self.iterate(value)?;
        if let Value::Iter(iter) = &iterator
            && let Some(rest) = iter.take_rest()
        {
            self.spend_many(rest.len())?;
            out.extend(rest);
            return Ok(());
        }
        let mut left = super::MOST_ITEMS;
        while let Some(item) = self.next(&iterator)? {
            self.spend()?;
            left -= 1;
            if left == 0 {
                return Err(Halt::unknown("an iterator past the budget"));
            }
            out.push(item);
        }
        Ok(())
    }

    /// The items of an iterable.
    ///
    /// # Errors
    /// What iterating raises.
    pub fn to_vec(self: &Rc<Self>, value: &Value) -> Step<Vec<Value>> {
        let mut items = Vec::new();
        self.extend_vec(&mut items, value)?;
        Ok(items)
    }

    /// `len(value)`
    ///
    /// # Errors
    /// `TypeError`, and what `__len__` raises; unknown for vague containers.
    pub fn len(self: &Rc<Self>, value: &Value) -> Step<usize> {
        let known = |why: Option<crate::python::Why>, n: usize| match why {
            Some(why) => Err(Halt::Unknown(why)),
            None => Ok(n),
        };
        match value {
            Value::Str(text) => Ok(self.long_texts.chars(text).map_or(text.len(), |chars| chars.len())),
            Value::Bytes(bytes) => Ok(bytes.len()),
            Value::Tuple(items) => Ok(items.len()),
            Value::List(list) => known(list.why_vague(), list.read().len()),
            Value::Dict(dict) => known(dict.why_vague(), dict.read().len()),
            Value::Set(set) | Value::FrozenSet(set) => known(set.why_vague(), set.read().len()),
            Value::Range(range) => Ok(range.len() as usize),
            Value::Array(array) => self.array_hooks()?.len(self, array),
            Value::Unknown(unknown) => self.of_meant(unknown, |held| self.len(held)),
            Value::Object(object) => match object.len(self)? {
                Some(len) => Ok(len),
                None => Err(self.no_len(value)),
            },
            Value::Instance(_) if let Some(view) = self.fresh_view(value)? => self.len(view.base()),
            Value::Instance(instance) => match self.call_special(value, sym!("__len__"), [])? {
                Some(len) => {
                    let len = self.index(&len)?;
                    usize::try_from(len).map_err(|_| Halt::value_error("__len__() should return >= 0"))
                }
                None => match instance.payload() {
                    Some(payload) => self.len(&payload.clone()),
                    None if instance.class().may_have_more() => Err(instance.class().of_unknown_base()),
                    None => Err(self.no_len(value)),
                },
            },
            Value::Class(_) => match self.call_special(value, sym!("__len__"), [])? {
                Some(len) => Ok(self.index(&len)?.max(0) as usize),
                None => Err(self.no_len(value)),
            },
            _ => Err(self.no_len(value)),
        }
    }

    fn no_len(&self, value: &Value) -> Halt {
        Halt::type_error(format!("object of type '{}' has no len()", self.operand_type_name(value)))
    }

    /// The items of a mapping, in order; `None` where the value is no mapping.
    ///
    /// # Errors
    /// What its methods raise; unknown for a vague dict.
    pub fn mapping_items(self: &Rc<Self>, value: &Value) -> Step<Option<Vec<(Value, Value)>>> {
        match value {
            Value::Dict(dict) => match dict.why_vague() {
                Some(why) => Err(Halt::Unknown(why)),
                None => Ok(Some(dict.read().iter().map(|(k, v)| (k.value.clone(), v.clone())).collect())),
            },
            Value::Unknown(unknown) => self.of_meant(unknown, |held| self.mapping_items(held)),
            Value::Instance(_) | Value::Object(_) => {
                if let Value::Instance(instance) = value
                    && let Some(payload @ Value::Dict(_)) = instance.payload()
                    && instance.class().lookup_where(sym!("keys")).is_none_or(|(_, owner)| owner.is_builtin())
                {
                    return self.mapping_items(&payload.clone());
                }
                let Some(keys) = self.find_attr(value, sym!("keys"))? else { return Ok(None) };
                let keys = self.call_with(&keys, [])?;
                let keys = self.to_vec(&keys)?;
                let mut items = Vec::with_capacity(keys.len());
                for key in keys {
                    let item = self.getitem(value, &key)?;
                    items.push((key, item));
                }
                Ok(Some(items))
            }
            _ => Ok(None),
        }
    }

    /// `dict.update(other)`
    ///
    /// # Errors
    /// What iterating raises; `TypeError`, `ValueError` for what is no mapping or pairs.
    pub fn update_dict(self: &Rc<Self>, dict: &Dict, other: &Value) -> Step<()> {
        let items = match self.mapping_items(other) {
            Ok(items) => items,
            Err(Halt::Unknown(why)) => {
                dict.forget(why);
                return Ok(());
            }
            Err(halt) => return Err(halt),
        };
        let items = match items {
            Some(items) => {
                self.spend_many(items.len())?;
                items
            }
            None => {
                let mut pairs = Vec::new();
                for (i, pair) in self.to_vec(other)?.into_iter().enumerate() {
                    let parts = match self.to_vec(&pair) {
                        Err(Halt::Raise(exception)) if exception.is_native("TypeError") => {
                            return Err(Halt::type_error(format!(
                                "cannot convert dictionary update sequence element #{i} to a sequence"
                            )));
                        }
                        parts => parts?,
                    };
                    let n = parts.len();
                    let [key, value] = <[Value; 2]>::try_from(parts).map_err(|_| {
                        Halt::value_error(format!(
                            "dictionary update sequence element #{i} has length {n}; 2 is required"
                        ))
                    })?;
                    pairs.push((key, value));
                }
                pairs
            }
        };
        for (key, value) in items {
            let key = self.key(&key)?;
            dict.write().insert(key, value);
        }
        Ok(())
    }

    /// The items that an asynchronous iterator gives when it is awaited for each.
    fn awaiting(&self, iterator: Value) -> Value {
        match iterator {
            Value::Iter(_) => iterator,
            iterator => Iter::native("async_iterator", move |it| {
                let next = || {
                    let next = it.call_method(&iterator, "__anext__", [])?;
                    it.awaited(&next)
                };
                match it.while_catching(next) {
                    Err(Halt::Raise(e)) if it.is_exception(&e, "StopAsyncIteration") => Ok(None),
                    result => result.map(Some),
                }
            }),
        }
    }

    /// `async with manager`: what `__aenter__` gives when it is awaited, and the bound `__aexit__`; `None` where it has none.
    ///
    /// # Errors
    /// What `__aenter__` raises.
    pub fn enter_async_context(self: &Rc<Self>, manager: &Value) -> Step<Option<(Value, Value)>> {
        if manager.is_unknown() {
            return Ok(None);
        }
        let Some(enter) = self.find_attr(manager, sym!("__aenter__"))? else { return Ok(None) };
        let Some(exit) = self.find_attr(manager, sym!("__aexit__"))? else { return Ok(None) };
        let entered = self.call_with(&enter, [])?;
        Ok(Some((self.awaited(&entered)?, exit)))
    }

    /// `with manager`: what `__enter__` gives, and the bound `__exit__` (`None` where there is nothing to leave).
    ///
    /// # Errors
    /// What `__enter__` raises.
    pub fn enter_context(self: &Rc<Self>, manager: &Value) -> Step<(Value, Option<Value>)> {
        if let Value::Unknown(unknown) = manager {
            return Ok((Value::Unknown(unknown.clone()), None));
        }
        let missing = || {
            Halt::type_error(format!(
                "'{}' object does not support the context manager protocol",
                self.type_name(manager)
            ))
        };
        let enter = self.find_attr(manager, sym!("__enter__"))?.ok_or_else(missing)?;
        let exit = self.find_attr(manager, sym!("__exit__"))?.ok_or_else(missing)?;
        Ok((self.call_with(&enter, [])?, Some(exit)))
    }
}
