//! Variables and attributes.

use std::rc::Rc;

use super::handlers::{attempt, fields, inside};
use super::inline::After;
use super::op::{At, Flat, Held, Op, Reg, Shape};
use crate::interp::Interp;
use crate::interp::frame::Frame;
use crate::interp::function::Run;
use crate::module::{Place, Target};
use crate::python::value::is_shown;
use crate::python::{Attrs, CellRef, Instance, Value};

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
        _ => copy_any(run, flat, op, at),
    }
}

#[inline(never)]
fn copy_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Copy { dst, src, .. });
    if run.needs_door(run.reg(src)) {
        return copy_other(run, flat, op, at);
    }
    if let Ok([value, slot]) = run.frame.locals.get_disjoint_mut([src as usize, dst as usize])
        && !slot.is_same_object(value)
    {
        slot.copy_from(value);
    }
    at + 1
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
    if !run.keeps_reads() {
        let Frame { locals, cells, .. } = &mut run.frame;
        if let (Some(held), Some(slot)) = (held_in(cells, run.captured, cell), locals.get_mut(usize::from(dst))) {
            let held = held.read();
            if Value::put_light(slot, &held) {
                return at + 1;
            }
        }
    }
    cell_any(run, flat, op, at)
}

/// A cell by its number: the frame's own come first.
#[inline(always)]
fn held_in<'r>(own: &'r Option<Box<[CellRef]>>, captured: &'r [CellRef], cell: u16) -> Option<&'r CellRef> {
    let cell = usize::from(cell);
    let own = own.as_deref().unwrap_or_default();
    own.get(cell).or_else(|| captured.get(cell.wrapping_sub(own.len())))
}

#[inline(never)]
fn cell_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Cell { dst, cell, .. });
    if run.keeps_reads() {
        return through_door(run, flat, op, at);
    }
    let Frame { locals, cells, .. } = &mut run.frame;
    let is_put = held_in(cells, run.captured, cell)
        .is_some_and(|held| put(&mut locals[dst as usize], Some(&*held.read()), run.user));
    match is_put {
        true => at + 1,
        false => through_door(run, flat, op, at),
    }
}

pub(super) fn global<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Global { dst, slot, .. });
    let home = run.home;
    if run.keeps_reads() {
        return global_other(run, flat, op, at);
    }
    // What is called mostly stands there from the last time.
    let there = run.reg_mut(dst);
    let is_done = match home.slots.read().get(slot as usize) {
        // What has a slot is bound there or nowhere.
        Some(Value::Unbound) => match home.builtins.borrow().get(slot as usize) {
            Some(builtin) => home.names.get().is_none() && Value::put_light(there, builtin),
            None => false,
        },
        Some(held) => Value::put_light(there, held),
        None => false,
    };
    match is_done {
        true => at + 1,
        false => global_other(run, flat, op, at),
    }
}

#[inline(never)]
fn global_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Global { dst, slot, .. });
    if run.keeps_reads() {
        return through_door(run, flat, op, at);
    }
    let home = run.home;
    let known = home.slots.read();
    let done = match known.get(slot as usize) {
        None | Some(Value::Unbound) => {
            let user = run.user;
            means_builtin(run, slot) && put(run.reg_mut(dst), home.builtins.borrow().get(slot as usize), user)
        }
        value => put(&mut run.frame.locals[dst as usize], value, run.user),
    };
    drop(known);
    match done {
        true => at + 1,
        false => through_door(run, flat, op, at),
    }
}

/// Whether a global name means the builtin that it was found to mean before: the module binds it in no way.
#[inline]
fn means_builtin(run: &Run<'_>, slot: u32) -> bool {
    let home = run.home;
    let hides = |extra: &Attrs| {
        !extra.is_empty() && run.module.globals.get(slot as usize).is_none_or(|name| extra.contains_key(name))
    };
    home.names.get().is_none() && !hides(&home.extra.read())
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
    match Value::put_light(run.reg_mut(dst), &flat.constants[index as usize]) {
        true => at + 1,
        false => constant_any(run, flat, op, at),
    }
}

#[inline(never)]
fn constant_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Constant { dst, index });
    run.frame.locals[dst as usize].copy_from(&flat.constants[index as usize]);
    at + 1
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
    if let Some((name, found)) = flat.names.get(named as usize)
        && !run.keeps_reads()
        && let Ok([Value::Instance(instance), slot]) =
            run.frame.locals.get_disjoint_mut([object as usize, dst as usize])
        && Interp::with_own_at(instance, *name, found, |own| Value::put_light(slot, own)) == Some(true)
    {
        return at + 1;
    }
    attribute_any(run, flat, op, at)
}

#[inline(never)]
fn attribute_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Attribute { dst, object, named, .. });
    if run.keeps_reads() {
        return attribute_other(run, flat, op, at);
    }
    match own_attribute(run, flat, dst, object, named) {
        true => at + 1,
        false => attribute_other(run, flat, op, at),
    }
}

#[inline(never)]
fn attribute_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Attribute { dst, object, named, site, expr });
    if let (Value::Instance(_), Some((name, _))) = (run.reg(object), flat.names.get(named as usize))
        && !run.keeps_reads()
    {
        let receiver = [run.reg(object).clone()];
        let find = |it: &Interp, instance: &Instance| it.getter_of(instance, *name);
        if let Some(next) = run.enter_special(flat, op, (at, site), receiver, After::Put(dst), find) {
            return next;
        }
    }
    if let (Value::Instance(instance), Some((name, _))) = (run.reg(object), flat.names.get(named as usize))
        && !run.keeps_reads()
        && let Some(getter) = run.it.getter_of(instance, *name)
    {
        inside!(run, flat, at);
        let receiver = run.reg(object).clone();
        return match run.marked(expr, |run| run.it.call_with(&Value::Function(getter), [receiver])) {
            Ok(value) => {
                let value = attempt!(run, at, run.finish(expr, Ok(value)));
                run.done(at, dst, value)
            }
            Err(halt) => run.copy_failed(flat, op, at, halt),
        };
    }
    inside!(run, flat, at);
    let value = attempt!(run, at, run.flat_attribute(object, expr));
    run.done(at, dst, value)
}

/// Copies the attribute that an instance holds itself; whether there is one that needs no door.
#[inline(always)]
pub(super) fn own_attribute(run: &mut Run<'_>, flat: &Flat, dst: Reg, object: Reg, named: u16) -> bool {
    let (it, user) = (run.it, run.user);
    let Some((name, found)) = flat.names.get(named as usize) else { return false };
    match run.frame.locals.get_disjoint_mut([object as usize, dst as usize]) {
        Ok([Value::Instance(instance), slot]) => {
            let attrs = instance.attrs();
            put(slot, it.own_among(&attrs, instance, *name, found), user)
        }
        Ok(_) => false,
        Err(_) => own_attribute_in_place(run, flat, dst, named),
    }
}

/// The same, into the register of the instance.
#[inline(never)]
fn own_attribute_in_place(run: &mut Run<'_>, flat: &Flat, dst: Reg, named: u16) -> bool {
    let (it, user) = (run.it, run.user);
    let Some((name, found)) = flat.names.get(named as usize) else { return false };
    let Value::Instance(instance) = run.reg(dst).clone() else { return false };
    let attrs = instance.attrs();
    put(run.reg_mut(dst), it.own_among(&attrs, &instance, *name, found), user)
}

/// Copies what was read to where it goes; whether that needs no door. What stands there already stays.
#[inline(always)]
pub(super) fn put(slot: &mut Value, item: Option<&Value>, user: bool) -> bool {
    match item {
        Some(Value::Int(number)) => match slot {
            Value::Int(old) => *old = *number,
            slot => Value::put(slot, Value::Int(*number)),
        },
        Some(Value::Float(number)) => match slot {
            Value::Float(old) => *old = *number,
            slot => Value::put(slot, Value::Float(*number)),
        },
        // What is called, mostly.
        Some(Value::Function(function)) => match slot {
            Value::Function(old) if Rc::ptr_eq(old, function) => {}
            slot => Value::put(slot, Value::Function(function.clone())),
        },
        None | Some(Value::Unbound | Value::Unknown(_)) => return false,
        Some(item) if user && is_shown(item) => return false,
        Some(item) if slot.is_same_object(item) => {}
        Some(item) => slot.copy_from(item),
    }
    true
}

pub(super) fn assign_to<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AssignTo { value, number });
    if !run.watches_writes()
        && !run.needs_door(run.reg(value))
        && let Some(Target::Name(Place::Local(slot), ..)) = run.target_of(flat, at, usize::from(number))
        && let Ok([value, slot]) = run.frame.locals.get_disjoint_mut([value as usize, *slot as usize])
    {
        slot.copy_from(value);
        return at + 1;
    }
    let value = run.reg(value).clone();
    attempt!(run, at, run.flat_assign_to(flat, at, usize::from(number), value));
    at + 1
}

pub(super) fn load_name<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, LoadName { dst, held });
    if run.reads_held(flat, dst, held) {
        return at + 1;
    }
    inside!(run, flat, at);
    let value = attempt!(run, at, run.flat_load_name(flat, at));
    run.done(at, dst, value)
}

pub(super) fn assign<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Assign { value });
    let value = run.taken_from(value);
    attempt!(run, at, run.flat_assign(flat, at, value, None));
    at + 1
}

pub(super) fn assign_name<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, AssignName { value, held });
    if !run.watches_writes() && run.writes_held(flat, value, held) {
        return at + 1;
    }
    inside!(run, flat, at);
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
    let slots = &flat.slots[slots as usize];
    match run.reg(value) {
        Value::Tuple(items) if items.len() == slots.len() => {}
        Value::List(list) if list.known().is_some_and(|known| known.items.len() == slots.len()) => {}
        _ => {
            inside!(run, flat, at);
            let value = run.taken_from(value);
            attempt!(run, at, run.flat_assign(flat, at, value, None));
            return at + 1;
        }
    }
    match run.taken_from(value) {
        Value::Tuple(items) => unpack_into(&mut run.frame.locals, slots, &items),
        Value::List(list) => unpack_into(&mut run.frame.locals, slots, &list.contents().items),
        _ => {}
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

impl Run<'_> {
    /// The value in a register.
    #[inline(always)]
    pub(super) fn reg(&self, reg: Reg) -> &Value {
        &self.frame.locals[reg as usize]
    }

    /// A cell of the function whose form this is: that of a copy has captured it.
    #[inline(always)]
    fn cell_of(&self, flat: &Flat, cell: u16) -> Option<CellRef> {
        let cell = usize::from(cell);
        match &flat.window {
            None => {
                let own = self.frame.cells.as_deref().unwrap_or_default();
                own.get(cell).or_else(|| self.captured.get(cell - own.len())).cloned()
            }
            Some(window) => match self.reg(window.function()) {
                Value::Function(function) => function.captured.get(cell).cloned(),
                _ => None,
            },
        }
    }

    /// Copies a variable to a register; whether it is there and needs no door.
    #[inline(always)]
    fn reads_held(&mut self, flat: &Flat, dst: Reg, held: Held) -> bool {
        let user = self.user;
        match held {
            Held::Cell(cell) => match self.cell_of(flat, cell) {
                Some(cell) => put(self.reg_mut(dst), Some(&*cell.read()), user),
                None => false,
            },
            Held::Global(slot) => {
                let home = self.home;
                put(self.reg_mut(dst), home.slots.read().get(slot as usize), user)
            }
            Held::Elsewhere => false,
        }
    }

    /// Moves a temporary into a variable; whether that is where the place says.
    #[inline(always)]
    fn writes_held(&mut self, flat: &Flat, value: Reg, held: Held) -> bool {
        let old = match held {
            Held::Cell(cell) => match self.cell_of(flat, cell) {
                Some(cell) => std::mem::replace(&mut *cell.write(), self.taken_from(value)),
                None => return false,
            },
            Held::Global(slot) if self.home.names.get().is_none() => {
                let home = self.home;
                match home.slots.write().get_mut(slot as usize) {
                    Some(held) => std::mem::replace(held, self.taken_from(value)),
                    None => return false,
                }
            }
            _ => return false,
        };
        // What dies with it may look at the variable.
        drop(old);
        true
    }

    /// The slot of a register.
    #[inline(always)]
    pub(super) fn reg_mut(&mut self, reg: Reg) -> &mut Value {
        &mut self.frame.locals[reg as usize]
    }

    /// Runs something with what is in one register and the slot of another, which may be the same.
    #[inline(always)]
    pub(super) fn apart(&mut self, from: Reg, to: Reg, run: impl FnOnce(&Value, &mut Value) -> bool) -> bool {
        if from == to {
            let from = self.reg(from).clone();
            return run(&from, self.reg_mut(to));
        }
        match self.frame.locals.get_disjoint_mut([from as usize, to as usize]) {
            Ok([from, to]) => run(from, to),
            Err(_) => false,
        }
    }

    /// Moves a temporary out.
    #[inline(always)]
    pub(super) fn taken_from(&mut self, reg: Reg) -> Value {
        std::mem::replace(&mut self.frame.locals[reg as usize], Value::Unbound)
    }

    /// Whether reading a variable with this value needs the door: it is not there, not known, or shown.
    #[inline(always)]
    pub(super) fn needs_door(&self, value: &Value) -> bool {
        match is_shown(value) {
            true => self.user || value.is_unknown(),
            false => value.is_unbound(),
        }
    }
}
