//! Variables, attributes, items and displays.

use std::rc::Rc;

use super::handlers::{attempt, fields, inside};
use super::op::{At, Flat, NONE, Op, Reg, Shape};
use crate::interp::function::Run;
use crate::interp::quick::item;
use crate::python::value::is_shown;
use crate::python::{Attrs, Dict, DictItems, Function, Key, List, Value};

pub(super) fn copy<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Copy { dst, src, .. });
    match run.reg(src) {
        Value::Int(value) => {
            let value = *value;
            run.done_int(at, dst, value)
        }
        Value::Float(value) => {
            let value = *value;
            run.done_float(at, dst, value)
        }
        Value::Function(function) => match run.holds(dst, function) {
            true => at + 1,
            false => {
                let function = Value::Function(function.clone());
                run.done(at, dst, function)
            }
        },
        _ => copy_any(run, flat, op, at),
    }
}

#[inline(never)]
fn copy_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Copy { dst, src, .. });
    match run.reg(src) {
        value if run.needs_door(value) => copy_other(run, flat, op, at),
        value => {
            let value = value.clone();
            run.done(at, dst, value)
        }
    }
}

#[inline(never)]
fn copy_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Copy { dst, expr, .. });
    let value = attempt!(run, at, run.eval(expr));
    run.done(at, dst, value)
}

pub(super) fn look<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Look { src, expr });
    if run.needs_door(run.reg(src)) {
        inside!(run, flat, at);
        attempt!(run, at, run.eval(expr));
    }
    at + 1
}

pub(super) fn cell<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Cell { dst, cell, .. });
    if run.keeps_reads() {
        return through_door(run, flat, op, at);
    }
    if let Value::Function(function) = &*run.cell(u32::from(cell)).read()
        && run.holds(dst, function)
    {
        return at + 1;
    }
    let known = read(run, Some(&run.cell(u32::from(cell)).read()));
    match known {
        Read::Int(number) => run.done_int(at, dst, number),
        Read::Float(number) => run.done_float(at, dst, number),
        Read::Value(value) => run.done(at, dst, value),
        Read::Door => through_door(run, flat, op, at),
    }
}

pub(super) fn global<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Global { dst, slot, .. });
    if run.keeps_reads() {
        return through_door(run, flat, op, at);
    }
    let known = {
        let slots = run.home.slots.read();
        match slots.get(slot as usize) {
            None | Some(Value::Unbound) => builtin(run, slot),
            Some(Value::Function(function)) if run.holds(dst, function) => return at + 1,
            Some(value) => (!run.needs_door(value)).then(|| value.clone()),
        }
    };
    match known {
        Some(value) => run.done(at, dst, value),
        None => through_door(run, flat, op, at),
    }
}

/// The builtin that a global name was found to mean before, where the module binds it in no way.
#[inline]
fn builtin(run: &Run<'_>, slot: u32) -> Option<Value> {
    let home = run.home;
    let hides = |extra: &Attrs| {
        !extra.is_empty() && run.module.globals.get(slot as usize).is_none_or(|name| extra.contains_key(name))
    };
    if home.names.get().is_some() || hides(&home.extra.read()) {
        return None;
    }
    let found = home.builtins.borrow();
    found.get(slot as usize).filter(|value| !run.needs_door(value)).cloned()
}

/// Reads a name as walking does.
#[inline(never)]
fn through_door<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    let (Op::Cell { dst, expr, .. } | Op::Global { dst, expr, .. }) = *op else { return at };
    let value = attempt!(run, at, run.eval(expr));
    run.done(at, dst, value)
}

pub(super) fn constant<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Constant { dst, index });
    match &flat.constants[index as usize] {
        Value::Int(value) => run.done_int(at, dst, *value),
        Value::Float(value) => run.done_float(at, dst, *value),
        value => run.done(at, dst, value.clone()),
    }
}

pub(super) fn take<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Take { dst, src });
    match *run.reg(src) {
        Value::Int(number) => return run.done_int(at, dst, number),
        Value::Float(number) => return run.done_float(at, dst, number),
        _ => {}
    }
    let value = run.taken_from(src);
    run.done(at, dst, value)
}

pub(super) fn eval<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Eval { dst, expr });
    let value = attempt!(run, at, run.eval(expr));
    run.done(at, dst, value)
}

pub(super) fn seen<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Seen { value, .. });
    match is_shown(run.reg(value)) {
        true => seen_shown(run, flat, op, at),
        false => at + 1,
    }
}

#[inline(never)]
fn seen_shown<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Seen { value, expr });
    let value = run.reg(value).clone();
    run.saw(expr, &value);
    at + 1
}

pub(super) fn attribute<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Attribute { dst, object, named, .. });
    if run.keeps_reads() {
        return attribute_other(run, flat, op, at);
    }
    match own_attribute(run, flat, object, named) {
        Read::Int(number) => run.done_int(at, dst, number),
        Read::Float(number) => run.done_float(at, dst, number),
        Read::Value(value) => run.done(at, dst, value),
        Read::Door => attribute_other(run, flat, op, at),
    }
}

#[inline(never)]
fn attribute_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Attribute { dst, object, named, expr });
    if let (Value::Instance(instance), Some((name, _))) = (run.reg(object), flat.names.get(named as usize))
        && !run.keeps_reads()
        && let Some(getter) = run.it.getter_of(instance, *name)
    {
        let receiver = run.reg(object).clone();
        let result = run.marked(expr, |run| run.it.call_with(&Value::Function(getter), [receiver.clone()]));
        let result = match result {
            Err(halt) if run.user => run.removed_name(expr, &receiver, *name, halt).and_then(|found| found),
            result => result,
        };
        let value = attempt!(run, at, run.finish(expr, result));
        return run.done(at, dst, value);
    }
    let value = attempt!(run, at, run.flat_attribute(object, expr));
    run.done(at, dst, value)
}

/// The attribute that an instance holds itself.
#[inline(always)]
fn own_attribute(run: &Run<'_>, flat: &Flat, object: Reg, named: u16) -> Read {
    let (Value::Instance(instance), Some((name, found))) = (run.reg(object), flat.names.get(named as usize)) else {
        return Read::Door;
    };
    run.it.show_own(instance, *name, found, |own| Some(read(run, Some(own)))).unwrap_or(Read::Door)
}

/// What is read out of a container: plain numbers do not travel through memory.
pub(super) enum Read {
    Int(i64),
    Float(f64),
    Value(Value),
    /// It is not there, not known, or shown.
    Door,
}

#[inline(always)]
pub(super) fn read(run: &Run<'_>, item: Option<&Value>) -> Read {
    match item {
        None => Read::Door,
        Some(Value::Int(number)) => Read::Int(*number),
        Some(Value::Float(number)) => Read::Float(*number),
        Some(item) if run.needs_door(item) => Read::Door,
        Some(item) => Read::Value(item.clone()),
    }
}

/// The item of a list or tuple at a position.
#[inline(always)]
fn item_at(run: &Run<'_>, object: Reg, at: i64) -> Read {
    match run.reg(object) {
        Value::List(list) => {
            let contents = list.contents();
            match contents.vague {
                None => read(run, item(&contents.items, at)),
                Some(_) => Read::Door,
            }
        }
        Value::Tuple(items) => read(run, item(items, at)),
        _ => Read::Door,
    }
}

pub(super) fn subscript<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Subscript { dst, object, index, .. });
    if let Value::Int(index) = run.reg(index) {
        match item_at(run, object, *index) {
            Read::Int(number) => return run.done_int(at, dst, number),
            Read::Float(number) => return run.done_float(at, dst, number),
            Read::Value(value) => return run.done(at, dst, value),
            Read::Door => {}
        }
    }
    let dict = match run.reg(object) {
        Value::Dict(dict) => Some(dict),
        Value::Instance(instance) => run.it.dict_inside(instance, sym!("__getitem__")),
        _ => None,
    };
    if let Some(dict) = dict
        && let Some(Some(value)) = dict.quick_find(run.reg(index))
        && !run.needs_door(&value)
    {
        return run.done(at, dst, value);
    }
    subscript_other(run, flat, op, at)
}

#[inline(never)]
fn subscript_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Subscript { dst, object, index, expr });
    let value = attempt!(run, at, run.flat_subscript(object, Err(index), expr));
    run.done(at, dst, value)
}

pub(super) fn subscript_int<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, SubscriptInt { dst, object, index, .. });
    match item_at(run, object, i64::from(index)) {
        Read::Int(number) => run.done_int(at, dst, number),
        Read::Float(number) => run.done_float(at, dst, number),
        Read::Value(value) => run.done(at, dst, value),
        Read::Door => subscript_int_other(run, flat, op, at),
    }
}

#[inline(never)]
fn subscript_int_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, SubscriptInt { dst, object, index, expr });
    let value = attempt!(run, at, run.flat_subscript(object, Ok(i64::from(index)), expr));
    run.done(at, dst, value)
}

pub(super) fn tuple<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Tuple { dst, base, count });
    let items = run.taken(base, count).collect();
    run.done(at, dst, Value::Tuple(items))
}

pub(super) fn list<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, List { dst, base, count });
    let items = run.taken(base, count).collect();
    run.done(at, dst, Value::List(List::new(items)))
}

pub(super) fn dict<'a>(run: &mut Run<'a>, _: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Dict { dst, base, count });
    let mut items = DictItems::with_capacity_and_hasher(usize::from(count), Default::default());
    let mut registers = run.taken(base, 2 * count);
    while let (Some(key), Some(value)) = (registers.next(), registers.next()) {
        // Constants hash without running code.
        if let Some(key) = Key::of(&key) {
            items.insert(key, value);
        }
    }
    drop(registers);
    run.done(at, dst, Value::Dict(Dict::new(items)))
}

pub(super) fn assign_to<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AssignTo { value, number });
    let value = run.reg(value).clone();
    attempt!(run, at, run.flat_assign_to(flat, at, usize::from(number), value));
    at + 1
}

pub(super) fn load_name<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, LoadName { dst });
    let value = attempt!(run, at, run.flat_load_name(flat, at));
    run.done(at, dst, value)
}

pub(super) fn assign<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Assign { value });
    let value = run.taken_from(value);
    attempt!(run, at, run.flat_assign(flat, at, value, None));
    at + 1
}

pub(super) fn assign_part<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AssignPart { value, part });
    let value = run.taken_from(value);
    attempt!(run, at, run.flat_assign(flat, at, value, Some(part as usize)));
    at + 1
}

pub(super) fn unpack<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Unpack { value, slots });
    let value = run.taken_from(value);
    let slots = &flat.slots[slots as usize];
    match &value {
        Value::Tuple(items) if items.len() == slots.len() => {
            unpack_into(&mut run.frame.locals, slots, items);
        }
        Value::List(list) if let Some(known) = list.known().filter(|known| known.items.len() == slots.len()) => {
            unpack_into(&mut run.frame.locals, slots, &known.items);
        }
        _ => attempt!(run, at, run.flat_assign(flat, at, value, None)),
    }
    at + 1
}

pub(super) fn unpack_shape<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, UnpackShape { value, shape });
    let value = run.taken_from(value);
    let shape = &flat.shapes[shape as usize];
    match fits(&value, shape) {
        true => bind_parts(&mut run.frame.locals, &value, shape),
        false => attempt!(run, at, run.flat_assign(flat, at, value, None)),
    }
    at + 1
}

/// Whether a value is a tuple with such parts.
fn fits(value: &Value, shape: &Shape) -> bool {
    match (shape, value) {
        (Shape::Whole(_), _) => true,
        (Shape::Parts(parts), Value::Tuple(items)) => {
            items.len() == parts.len() && items.iter().zip(parts).all(|(item, part)| fits(item, part))
        }
        _ => false,
    }
}

/// Copies the parts of a value that fits into registers.
fn bind_parts(registers: &mut [Value], value: &Value, shape: &Shape) {
    match (shape, value) {
        (Shape::Whole(slot), value) => {
            if let Some(slot) = registers.get_mut(*slot as usize) {
                slot.copy_from(value);
            }
        }
        (Shape::Parts(parts), Value::Tuple(items)) => {
            for (item, part) in items.iter().zip(parts) {
                bind_parts(registers, item, part);
            }
        }
        _ => {}
    }
}

/// Copies as many items into registers as there are of these.
#[inline(always)]
pub(super) fn unpack_into(registers: &mut [Value], slots: &[Reg], items: &[Value]) {
    if let ([one, other], [first, second]) = (slots, items) {
        if let Some(slot) = registers.get_mut(*one as usize) {
            slot.copy_from(first);
        }
        if let Some(slot) = registers.get_mut(*other as usize) {
            slot.copy_from(second);
        }
        return;
    }
    for (slot, item) in slots.iter().zip(items) {
        if let Some(slot) = registers.get_mut(*slot as usize) {
            slot.copy_from(item);
        }
    }
}

pub(super) fn store<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Store { object, index, value, named });
    if run.watches_writes() || !run.stored(flat, object, index, value, named) {
        inside!(run, flat, at);
        attempt!(run, at, run.flat_store(flat, at, object, index, value));
    }
    at + 1
}

pub(super) fn load<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Load { dst, object, index, named });
    if index == NONE {
        match own_attribute(run, flat, object, named) {
            Read::Int(number) => return run.done_int(at, dst, number),
            Read::Float(number) => return run.done_float(at, dst, number),
            Read::Value(value) => return run.done(at, dst, value),
            Read::Door => {}
        }
    } else {
        let known = match (run.reg(object), run.reg(index)) {
            (Value::Dict(dict), key) => match dict.quick_find(key) {
                Some(Some(value)) if !run.needs_door(&value) => Read::Value(value),
                _ => Read::Door,
            },
            (Value::Instance(instance), key) => match run.it.dict_inside(instance, sym!("__getitem__")) {
                Some(dict) => match dict.quick_find(key) {
                    Some(Some(value)) if !run.needs_door(&value) => Read::Value(value),
                    _ => Read::Door,
                },
                None => Read::Door,
            },
            (_, Value::Int(index)) => item_at(run, object, *index),
            _ => Read::Door,
        };
        match known {
            Read::Int(number) => return run.done_int(at, dst, number),
            Read::Float(number) => return run.done_float(at, dst, number),
            Read::Value(value) => return run.done(at, dst, value),
            Read::Door => {}
        }
    }
    inside!(run, flat, at);
    let value = attempt!(run, at, run.flat_load(flat, at, object, index));
    run.done(at, dst, value)
}

impl Run<'_> {
    /// The value in a register.
    #[inline(always)]
    pub(super) fn reg(&self, reg: Reg) -> &Value {
        &self.frame.locals[reg as usize]
    }

    /// Whether a register holds this function: mostly, what is called stands where it goes from the last time.
    #[inline(always)]
    pub(super) fn holds(&self, reg: Reg, function: &Rc<Function>) -> bool {
        matches!(self.reg(reg), Value::Function(held) if Rc::ptr_eq(held, function))
    }

    /// Moves a temporary out.
    #[inline(always)]
    pub(super) fn taken_from(&mut self, reg: Reg) -> Value {
        std::mem::replace(&mut self.frame.locals[reg as usize], Value::Unbound)
    }

    /// Moves temporaries out.
    fn taken(&mut self, base: Reg, count: u16) -> impl Iterator<Item = Value> {
        let base = base as usize;
        self.frame.locals[base..base + count as usize].iter_mut().map(|value| std::mem::replace(value, Value::Unbound))
    }

    /// Whether reading a variable with this value needs the door: it is not there, not known, or shown.
    #[inline(always)]
    pub(super) fn needs_door(&self, value: &Value) -> bool {
        match is_shown(value) {
            true => self.user || value.is_unknown(),
            false => value.is_unbound(),
        }
    }

    /// Sets an item of a list or dict, or an attribute, where that is all there is to do.
    #[inline]
    fn stored(&self, flat: &Flat, object: Reg, index: Reg, value: Reg, named: u16) -> bool {
        let locals = &self.frame.locals;
        let new = &locals[value as usize];
        if index == NONE {
            let (Value::Instance(instance), Some((name, found))) =
                (&locals[object as usize], flat.names.get(named as usize))
            else {
                return false;
            };
            return !self.needs_door(new) && self.it.set_own_at(instance, *name, found, new);
        }
        match (&locals[object as usize], &locals[index as usize]) {
            (Value::List(list), Value::Int(at)) => !self.needs_door(new) && list.quick_set(*at, new),
            (Value::Dict(dict), key) => !self.needs_door(new) && dict.quick_put(key, new),
            (Value::Instance(instance), key) if !self.needs_door(new) => {
                let dict = self.it.dict_inside(instance, sym!("__setitem__"));
                dict.is_some_and(|dict| dict.quick_put(key, new))
            }
            _ => false,
        }
    }
}
