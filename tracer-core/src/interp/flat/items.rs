//! Items, and what is stored: into items and into attributes.

use super::handlers::{attempt, fields, inside};
use super::inline::After;
use super::op::{At, Flat, NONE, Op, Reg};
use super::places::{own_attribute, put};
use crate::interp::Interp;
use crate::interp::builtins::texts::character;
use crate::interp::function::Run;
use crate::interp::quick::{Number, item};
use crate::python::{List, Value};

/// Copies the item of a list or tuple at a position; whether it is there and needs no door.
#[inline(always)]
fn put_item(run: &mut Run<'_>, dst: Reg, object: Reg, at: i64) -> bool {
    let user = run.user;
    match run.frame.locals.get_disjoint_mut([object as usize, dst as usize]) {
        Ok([object, slot]) => put_item_of(object, slot, at, user),
        Err(_) => put_item_onto(run, dst, at),
    }
}

#[inline(always)]
fn put_item_of(object: &Value, slot: &mut Value, at: i64, user: bool) -> bool {
    match object {
        Value::List(list) => match list.known() {
            Some(known) => put(slot, item(&known.items, at), user),
            None => {
                let contents = list.contents();
                contents.vague.is_none() && put(slot, item(&contents.items, at), user)
            }
        },
        Value::Tuple(items) => put(slot, item(items, at), user),
        _ => false,
    }
}

/// The same, where the item takes the place of what it is of.
#[inline(never)]
fn put_item_onto(run: &mut Run<'_>, dst: Reg, at: i64) -> bool {
    let (object, user) = (run.reg(dst).clone(), run.user);
    put_item_of(&object, run.reg_mut(dst), at, user)
}

pub(super) fn subscript<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Subscript { dst, object, index, .. });
    if let Value::Int(index) = *run.reg(index)
        && put_item_light(&mut run.frame.locals, dst, object, index)
    {
        return at + 1;
    }
    subscript_any(run, flat, op, at)
}

/// Copies the item of a list or tuple at a position, where nothing is called for it; whether it did.
#[inline(always)]
fn put_item_light(locals: &mut [Value], dst: Reg, object: Reg, at: i64) -> bool {
    let Ok([object, slot]) = locals.get_disjoint_mut([object as usize, dst as usize]) else { return false };
    match object {
        Value::List(list) => match list.known() {
            Some(known) => put_light_at(slot, &known.items, at),
            None => false,
        },
        Value::Tuple(items) => put_light_at(slot, items, at),
        _ => false,
    }
}

#[inline(always)]
fn put_light_at(slot: &mut Value, items: &[Value], at: i64) -> bool {
    match item(items, at) {
        Some(item) => Value::put_light(slot, item),
        None => false,
    }
}

/// The number that a list, or a tuple, has at a position.
#[inline(always)]
pub(super) fn number_at(object: &Value, at: i64) -> Option<Number> {
    match object {
        Value::List(list) => Number::of(item(&list.known()?.items, at)?),
        Value::Tuple(items) => Number::of(item(items, at)?),
        _ => None,
    }
}

#[inline(never)]
fn subscript_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Subscript { dst, object, index, .. });
    if let Ok([Value::Dict(dict), key, slot]) =
        run.frame.locals.get_disjoint_mut([object as usize, index as usize, dst as usize])
        && dict.quick_show(key, |value| Value::put_light(slot, value)) == Some(true)
    {
        return at + 1;
    }
    if let Value::Int(index) = run.reg(index) {
        let index = *index;
        if put_item(run, dst, object, index) {
            return at + 1;
        }
    }
    if let Some(value) = held(run, object, index) {
        return run.done(at, dst, value);
    }
    subscript_other(run, flat, op, at)
}

/// What a dict, or an instance of a class of dicts, has under a plain key.
#[inline(always)]
fn held(run: &Run<'_>, object: Reg, index: Reg) -> Option<Value> {
    let found = match run.reg(object) {
        Value::Dict(dict) => dict.quick_find(run.reg(index))?,
        Value::Str(text) => return letter(text, run.reg(index)),
        Value::Instance(instance) => {
            let dict = run.it.dict_inside(instance, sym!("__getitem__"))?;
            match dict.quick_find(run.reg(index))? {
                None => run.it.short_missing(instance, run.reg(index)),
                found => found,
            }
        }
        _ => return None,
    };
    found.filter(|value| !run.needs_door(value))
}

/// The letter of a short text at a position.
fn letter(text: &str, at: &Value) -> Option<Value> {
    /// Longer texts are looked through by who takes the letter.
    const SHORT: usize = 1 << 10;
    let Value::Int(at) = *at else { return None };
    let at = usize::try_from(if at < 0 { at + text.len() as i64 } else { at }).ok()?;
    let letter = *text.as_bytes().get(at)?;
    (text.len() <= SHORT && text.is_ascii()).then(|| character(char::from(letter)))
}

#[inline(never)]
fn subscript_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    if let Some(next) = run.enter_item(flat, op, at) {
        return next;
    }
    inside!(run, flat, at);
    fields!(op, Subscript { dst, object, index, expr, .. });
    let value = attempt!(run, at, run.flat_subscript(object, Err(index), expr));
    run.done(at, dst, value)
}

pub(super) fn subscript_int<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, SubscriptInt { dst, object, index, .. });
    match put_item_light(&mut run.frame.locals, dst, object, i64::from(index)) {
        true => at + 1,
        false => subscript_int_any(run, flat, op, at),
    }
}

#[inline(never)]
fn subscript_int_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, SubscriptInt { dst, object, index, .. });
    match put_item(run, dst, object, i64::from(index)) {
        true => at + 1,
        false => subscript_int_other(run, flat, op, at),
    }
}

#[inline(never)]
fn subscript_int_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    if let Some(next) = run.enter_item(flat, op, at) {
        return next;
    }
    inside!(run, flat, at);
    fields!(op, SubscriptInt { dst, object, index, expr, .. });
    let value = attempt!(run, at, run.flat_subscript(object, Ok(i64::from(index)), expr));
    run.done(at, dst, value)
}

/// Sets an attribute.
pub(super) fn store_attribute<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, value, named, .. });
    if let (Value::Instance(instance), Some((name, found))) = (run.reg(object), flat.names.get(named as usize))
        && !run.watches_writes()
        && Interp::set_own_light_at(instance, *name, found, run.reg(value))
    {
        return at + 1;
    }
    store_attribute_any(run, flat, op, at)
}

#[inline(never)]
fn store_attribute_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, value, named, .. });
    if let (Value::Instance(instance), Some((name, found))) = (run.reg(object), flat.names.get(named as usize))
        && !run.needs_door(run.reg(value))
        && !run.watches_writes()
        && run.it.set_own_at(instance, *name, found, run.reg(value))
    {
        return at + 1;
    }
    store_other(run, flat, op, at)
}

/// Sets an item.
pub(super) fn store_item<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, index, value, .. });
    if let (Value::List(list), Value::Int(place)) = (run.reg(object), run.reg(index))
        && !run.watches_writes()
        && list.quick_set_light(*place, run.reg(value))
    {
        return at + 1;
    }
    store_listed(run, flat, op, at)
}

#[inline(never)]
fn store_listed<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, index, value, .. });
    if let (Value::List(list), Value::Int(place)) = (run.reg(object), run.reg(index))
        && !run.needs_door(run.reg(value))
        && !run.watches_writes()
        && list.quick_set(*place, run.reg(value))
    {
        return at + 1;
    }
    store_other(run, flat, op, at)
}

#[inline(never)]
fn store_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, index, value, .. });
    if run.watches_writes() || !run.stored(object, index, value) {
        if let Some(next) = run.enter_setter(flat, op, at) {
            return next;
        }
        inside!(run, flat, at);
        attempt!(run, at, run.flat_store(flat, at, object, index, value));
    }
    at + 1
}

pub(super) fn load<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Load { dst, object, index, named });
    let number = match (run.reg(object), flat.names.get(named as usize)) {
        (Value::Instance(instance), Some((name, found))) if index == NONE => {
            Interp::with_own_at(instance, *name, found, Number::of).flatten()
        }
        (object, _) if index != NONE => match run.reg(index) {
            Value::Int(place) => number_at(object, *place),
            _ => None,
        },
        _ => None,
    };
    match number {
        Some(number) => run.done_number(at, dst, number),
        None => load_any(run, flat, op, at),
    }
}

#[inline(never)]
fn load_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Load { dst, object, index, named });
    if index == NONE {
        if own_attribute(run, flat, dst, object, named) {
            return at + 1;
        }
    } else if let (Value::List(_) | Value::Tuple(_), Value::Int(place)) = (run.reg(object), run.reg(index)) {
        let place = *place;
        if put_item(run, dst, object, place) {
            return at + 1;
        }
    } else if let Some(value) = held(run, object, index) {
        return run.done(at, dst, value);
    }
    inside!(run, flat, at);
    let value = attempt!(run, at, run.flat_load(flat, at, object, index));
    run.done(at, dst, value)
}

impl<'a> Run<'a> {
    /// Goes on in the copy of the `__getitem__` of an instance's class.
    #[inline(never)]
    fn enter_item(&mut self, flat: &'a Flat, op: &'a Op, at: At) -> Option<At> {
        let (object, dst, index, site) = match *op {
            Op::Subscript { object, dst, index, site, .. } => (object, dst, Err(index), site),
            Op::SubscriptInt { object, dst, index, site, .. } => (object, dst, Ok(index), site),
            _ => return None,
        };
        let Value::Instance(_) = self.reg(object) else { return None };
        // What a widened loop gives is looked at by who takes the item.
        if self.keeps_reads() || self.it.in_widened_loop.get() {
            return None;
        }
        let index = match index {
            Ok(index) => Value::Int(i64::from(index)),
            Err(index) => self.reg(index).clone(),
        };
        let args = [self.reg(object).clone(), index];
        let name = sym!("__getitem__");
        self.enter_special(flat, op, (at, site), args, After::Put(dst), |it, instance| {
            it.special_of(&instance.class_ref(), name)
        })
    }

    /// Goes on in the copy of a property's function that sets an attribute of an instance, or of a `__setitem__`.
    #[inline(never)]
    fn enter_setter(&mut self, flat: &'a Flat, op: &'a Op, at: At) -> Option<At> {
        fields!(op, Store { object, index, value, named, site, .. });
        let Value::Instance(_) = self.reg(object) else { return None };
        if self.watches_writes() {
            return None;
        }
        let (object, value) = (self.reg(object).clone(), self.reg(value).clone());
        if index != NONE {
            let args = [object, self.reg(index).clone(), value];
            let name = sym!("__setitem__");
            return self.enter_special(flat, op, (at, site), args, After::Nothing, |it, instance| {
                it.special_of(&instance.class_ref(), name)
            });
        }
        let (name, _) = flat.names.get(named as usize)?;
        self.enter_special(flat, op, (at, site), [object, value], After::Nothing, |it, instance| {
            it.setter_of(instance, *name)
        })
    }
}

impl Run<'_> {
    /// Sets as many items of a list as there are among the new ones, where that is all there is to do.
    #[inline(never)]
    fn stored_parts(&self, list: &List, parts: &[Value; 3], new: &Value) -> bool {
        if !parts.iter().all(|part| matches!(part, Value::None | Value::Int(_))) {
            return false;
        }
        match new {
            Value::List(new) if !new.same(list) => match new.known() {
                Some(known) => list.quick_set_parts(self.it, parts, &known.items),
                None => false,
            },
            Value::Tuple(new) => list.quick_set_parts(self.it, parts, new),
            _ => false,
        }
    }

    /// Sets an item of a container, where that is all there is to do and it is no item of a list with a number.
    fn stored(&self, object: Reg, index: Reg, value: Reg) -> bool {
        if index == NONE || self.needs_door(self.reg(value)) {
            return false;
        }
        let new = self.reg(value);
        match (self.reg(object), self.reg(index)) {
            (Value::Dict(dict), key) => dict.quick_put(key, new),
            (Value::List(list), Value::Slice(parts)) => self.stored_parts(list, parts, new),
            (Value::Instance(instance), key) => {
                let dict = self.it.dict_inside(instance, sym!("__setitem__"));
                dict.is_some_and(|dict| dict.quick_put(key, new))
            }
            _ => false,
        }
    }
}
