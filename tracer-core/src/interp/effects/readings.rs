//! What a trace reads from outside, and whether it has changed when the trace is used again.

use std::hash::{Hash, Hasher};
use std::rc::{Rc, Weak};

use rustc_hash::FxHasher;

use super::writes::container;
use crate::interp::Interp;
use crate::interp::events::Event;
use crate::interp::function::Run;
use crate::module::{Const, Expr, ExprId, Place, Symbol};
use crate::python::halt::Site;
use crate::python::{CellRef, Class, Dict, Instance, Key, List, ModuleObject, Value, journal};
use crate::text::Span;
use crate::trace::{Val, marks};

/// Arrays of so many bytes are large for a constant.
const LARGE: u64 = 4 << 20;
/// So many readings are kept of a trace, and so many items of a dict looked at.
const MOST_READINGS: usize = 256;
const MOST_ITEMS: usize = 64;

/// A variable that a trace has read, from outside of it.
#[derive(Clone)]
pub enum Variable {
    /// A global of a module.
    Global(Rc<ModuleObject>, u32),
    /// A variable of a function around.
    Cell(CellRef),
    /// An attribute of an object, which goes when nobody else has it.
    Attribute(Weak<Instance>, Symbol),
    /// An attribute of a class.
    ClassAttribute(Rc<Class>, Symbol),
    /// An item of a dict.
    Entry(Dict, Key),
    /// An item of a list.
    Item(List, usize),
    /// None: a random key that was made from a constant, by an equation with this mark.
    FixedKey(u64),
}

impl Variable {
    fn is(&self, other: &Variable) -> bool {
        match (self, other) {
            (Variable::Global(a, slot), Variable::Global(b, other)) => Rc::ptr_eq(a, b) && slot == other,
            (Variable::Cell(a), Variable::Cell(b)) => Rc::ptr_eq(a, b),
            (Variable::Attribute(a, name), Variable::Attribute(b, other)) => a.ptr_eq(b) && name == other,
            (Variable::ClassAttribute(a, name), Variable::ClassAttribute(b, other)) => {
                Rc::ptr_eq(a, b) && name == other
            }
            (Variable::Entry(a, key), Variable::Entry(b, other)) => {
                Value::Dict(a.clone()).is(&Value::Dict(b.clone())) && key == other
            }
            (Variable::Item(a, at), Variable::Item(b, other)) => {
                at == other && Value::List(a.clone()).is(&Value::List(b.clone()))
            }
            _ => false,
        }
    }
    /// A number that is the same for the same variable, and seldom for others.
    fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        match self {
            Variable::Global(module, slot) => (Rc::as_ptr(module), slot).hash(&mut hasher),
            Variable::Cell(cell) => (Rc::as_ptr(cell), 1u8).hash(&mut hasher),
            Variable::Attribute(instance, name) => (instance.as_ptr(), name).hash(&mut hasher),
            Variable::ClassAttribute(class, name) => (Rc::as_ptr(class), name).hash(&mut hasher),
            Variable::Entry(dict, key) => (dict.address(), key).hash(&mut hasher),
            Variable::Item(list, at) => (list.address(), at).hash(&mut hasher),
            Variable::FixedKey(mark) => mark.hash(&mut hasher),
        }
        hasher.finish()
    }
    /// What it is now.
    fn value(&self) -> Option<Value> {
        self.held().map(|value| snapshot(&value))
    }
    fn held(&self) -> Option<Value> {
        match self {
            Variable::Global(module, slot) => module.slots.read().get(*slot as usize).cloned(),
            Variable::Cell(cell) => Some(cell.read().clone()),
            Variable::Attribute(instance, name) => instance.upgrade()?.attrs().get(name).cloned(),
            Variable::ClassAttribute(class, name) => class.attrs.read().get(name).cloned(),
            Variable::Entry(dict, key) => dict.read().get(key).cloned(),
            Variable::Item(list, at) => list.read().get(*at).cloned(),
            Variable::FixedKey(_) => None,
        }
    }
}

/// A trace has read a variable from outside of it.
#[derive(Clone)]
pub struct Reading {
    variable: Variable,
    /// That of the variable.
    digest: u64,
    value: Value,
    site: Site,
    name: Symbol,
    /// The call in the traced function itself that leads there, if there is one.
    by: Option<Site>,
}

impl Reading {
    /// The mark of the equation, if it stands for a random key that was made from a constant.
    pub fn fixed_key(&self) -> Option<u64> {
        match self.variable {
            Variable::FixedKey(mark) => Some(mark),
            _ => None,
        }
    }
}

impl Reading {
    /// The array that was read.
    pub fn array(&self) -> Option<&Val> {
        match &self.value {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
    /// A random key that numbers are drawn with at every call, and that stands there: a default value.
    pub fn of_fixed_key(mark: u64, site: Site, name: Symbol) -> Reading {
        let variable = Variable::FixedKey(mark);
        Reading { digest: variable.digest(), variable, value: Value::None, site, name, by: None }
    }
    /// The reading of a random key that numbers are drawn with at every call, by its mark.
    pub fn as_fixed_key(&self, mark: u64) -> Reading {
        Reading::of_fixed_key(mark, self.site, self.name)
    }
}

/// What a value holds now: of an array that can be written, its numbers.
fn snapshot(value: &Value) -> Value {
    match value {
        Value::Object(object) => object.numbers_now().map_or_else(|| value.clone(), Value::Array),
        value => value.clone(),
    }
}

/// Whether a trace keeps such a value as a constant of its own.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) | Value::None => true,
        Value::Array(array) => !array.is_tracer(),
        Value::Tuple(items) => items.iter().all(is_constant),
        Value::Object(object) => object.numbers_now().is_some(),
        // Weights, by name.
        Value::Dict(dict) => {
            let items = dict.read();
            !items.is_empty() && items.len() <= MOST_ITEMS && items.values().all(is_constant)
        }
        _ => false,
    }
}

/// Whether a constant is another one now, as far as that is known.
fn has_changed(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Int(a), Value::Int(b)) => a != b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() != b.to_bits(),
        (Value::Bool(a), Value::Bool(b)) => a != b,
        (Value::Str(a), Value::Str(b)) => a != b,
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() != b.len() || a.iter().zip(b.iter()).any(|(a, b)| has_changed(a, b))
        }
        (Value::Dict(a), Value::Dict(b)) if !before.is(now) => {
            let (a, b) = (a.read(), b.read());
            a.len() != b.len()
                || a.iter()
                    .any(|(key, before)| b.get(key).is_none_or(|now| has_changed(&snapshot(before), &snapshot(now))))
        }
        (_, now) if !is_constant(now) => false,
        (before, now) => !before.is(now),
    }
}

impl Interp {
    /// Runs a trace: what it gives, and what it has read from outside. The trace around it has read that as well.
    pub fn with_readings<R>(&self, body: impl FnOnce() -> R) -> (R, Vec<Reading>) {
        let around = self.effects.readings.take();
        let result = body();
        let mut own = self.effects.readings.replace(around);
        // What the trace itself changes is told as what it is.
        own.retain(|reading| reading.variable.value().is_none_or(|now| !has_changed(&reading.value, &now)));
        if self.effects.staged.get() {
            self.effects.readings.borrow_mut().extend(own.iter().take(MOST_READINGS).cloned());
        }
        self.effects.has_readings.set(self.effects.has_readings.get() || !own.is_empty());
        (result, own)
    }

    /// Which of the arrays that a trace has read are large constants of its graph.
    pub fn note_large_constants(&self, readings: &[Reading], constants: &[Val]) {
        for reading in readings {
            if let Value::Array(array) = &reading.value
                && let Some(bytes) = array.aval.bytes().filter(|bytes| *bytes >= LARGE)
                && constants.iter().any(|own| Rc::ptr_eq(own, array) || own.aval.shape == array.aval.shape)
            {
                self.events.note(Event::LargeConstant { site: reading.site, name: reading.name, bytes });
            }
        }
    }

    /// Which of the arrays that are bound to a compiled function (arguments of a `partial`, default values) are large constants
    /// of its graph.
    pub fn note_large_bound(&self, bound: &[(Symbol, Value)], constants: &[Val]) {
        let Some((site, _)) = self.user_stack.borrow().last().copied() else { return };
        for (name, value) in bound {
            if let Value::Array(array) = value
                && let Some(bytes) = array.aval.bytes().filter(|bytes| *bytes >= LARGE)
                && constants.iter().any(|own| Rc::ptr_eq(own, array))
            {
                self.events.note(Event::LargeConstant { site, name: *name, bytes });
            }
        }
    }

    /// A random key is made from a constant.
    pub fn note_fixed_key(&self) {
        self.events.count();
        if self.effects.staged.get()
            && !journal::speculating()
            && let Some((site, _)) = self.user_stack.borrow().last().copied()
        {
            let mut readings = self.effects.readings.borrow_mut();
            if readings.len() < MOST_READINGS {
                let mark = marks::without_calls(self.engine.source());
                readings.push(Reading::of_fixed_key(mark, site, sym!("key")));
            }
        }
    }

    /// A trace is used again: notes which of the variables that it has read have other values now.
    pub fn check_readings(self: &Rc<Self>, readings: &[Reading]) {
        if readings.is_empty() || self.effects.is_tracing() || journal::speculating() {
            return;
        }
        let Some((call, _)) = self.user_stack.borrow().last().copied() else { return };
        for reading in readings {
            if let Variable::FixedKey(_) = reading.variable {
                self.events.note(Event::FixedKey { site: reading.site, call });
                continue;
            }
            let Some(now) = reading.variable.value().filter(|now| has_changed(&reading.value, now)) else { continue };
            let text = |value: &Value| match value {
                Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) | Value::None => {
                    self.repr(value).ok()?.as_str().map(str::to_owned)
                }
                _ => None,
            };
            let bound = self.effects.bound.borrow();
            let bound = bound
                .get(&reading.digest)
                .filter(|(variable, _)| variable.is(&reading.variable))
                .map(|(_, site)| *site);
            self.events.note(Event::Stale {
                read: reading.site,
                name: reading.name,
                call,
                by: reading.by,
                bound,
                of_object: matches!(reading.variable, Variable::Attribute(..) | Variable::ClassAttribute(..)),
                before: text(&reading.value),
                now: text(&now),
            });
        }
    }
}

impl Run<'_> {
    /// The user's traced code has read a variable, perhaps one from outside.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn reads(&self, expr: ExprId, value: &Value) {
        match self.module.expr(expr) {
            Expr::Name(Place::Global(slot), name) => {
                self.keep_reading(
                    Variable::Global(self.home.clone(), *slot),
                    self.home.slots.born(),
                    *name,
                    expr,
                    value,
                );
            }
            Expr::Name(Place::Cell(index), name) => {
                let cell = self.cell(*index);
                self.keep_reading(Variable::Cell(cell.clone()), cell.born(), *name, expr, value);
            }
            Expr::Attribute(object, name) => {
                if is_constant(value)
                    && let Some(object) = self.held_by(*object)
                {
                    self.reads_attribute(expr, &object, *name, value);
                }
            }
            Expr::Subscript(object, index) if is_constant(value) => {
                if let Some(held) = self.held_by(*object)
                    && let Some(index) = self.held_by(*index)
                    && let Expr::Name(_, name) | Expr::Attribute(_, name) = self.module.expr(*object)
                {
                    self.reads_item(expr, &container(&held), &index, *name, value);
                }
            }
            _ => {}
        }
    }

    /// The user's traced code has read an item of a container.
    fn reads_item(&self, expr: ExprId, object: &Value, index: &Value, name: Symbol, value: &Value) {
        let variable = match (object, index) {
            (Value::Dict(dict), index) => match Key::of(index) {
                Some(key) => (Variable::Entry(dict.clone(), key), dict.born()),
                None => return,
            },
            (Value::List(list), Value::Int(at)) => match usize::try_from(*at) {
                Ok(at) => (Variable::Item(list.clone(), at), list.born()),
                Err(_) => return,
            },
            _ => return,
        };
        self.keep_reading(variable.0, variable.1, name, expr, value);
    }

    /// The object of a variable, or of an attribute that an object has itself: found again without running anything.
    pub(in crate::interp) fn held_by(&self, expr: ExprId) -> Option<Value> {
        match self.module.expr(expr) {
            Expr::Name(place, name) => self.load(*place, *name).ok(),
            Expr::Constant(Const::Int(number)) => Some(Value::Int(*number)),
            Expr::Constant(Const::Str(text)) => Some(Value::str(text)),
            Expr::Attribute(object, name) => match self.held_by(*object)? {
                Value::Instance(instance) => instance.attrs().get(name).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The user's traced code has read an attribute.
    pub(in crate::interp) fn reads_attribute(&self, expr: ExprId, object: &Value, name: Symbol, value: &Value) {
        let class = match object {
            Value::Instance(instance) if instance.attrs().get(&name).is_some() => {
                let born = instance.attrs_cell().born();
                return self.keep_reading(Variable::Attribute(Rc::downgrade(instance), name), born, name, expr, value);
            }
            Value::Instance(instance) if is_constant(value) => instance.class(),
            Value::Class(class) if is_constant(value) => class.clone(),
            // `settings.scale`
            Value::Module(module) if module.unit.user => {
                if let Some(slot) = module.index.get(&name) {
                    let variable = Variable::Global(module.clone(), *slot);
                    self.keep_reading(variable, module.slots.born(), name, expr, value);
                }
                return;
            }
            _ => return,
        };
        // What a property gives is not what the class has.
        if let Some((held, owner)) = class.lookup_where(name)
            && held.is(value)
            && !owner.is_builtin()
        {
            let born = owner.attrs.born();
            self.keep_reading(Variable::ClassAttribute(owner, name), born, name, expr, value);
        }
    }

    fn keep_reading(&self, variable: Variable, born: u32, name: Symbol, expr: ExprId, value: &Value) {
        if !is_constant(value) || !self.it.is_older_than_trace(born) || journal::speculating() {
            return;
        }
        if let Value::Array(array) = value {
            self.it.captures(array);
        }
        if !self.it.effects.staged.get() {
            return;
        }
        let mut readings = self.it.effects.readings.borrow_mut();
        let digest = variable.digest();
        let is_same = |reading: &Reading| reading.digest == digest && reading.variable.is(&variable);
        if readings.len() < MOST_READINGS && !readings.iter().any(is_same) {
            self.it.effects.read.borrow_mut().insert(digest);
            let site = self.site(self.module.span(expr));
            let (stack, depth) = (self.it.user_stack.borrow(), self.it.effects.depth.get());
            let by = stack.get(depth).filter(|_| stack.len() > depth + 1).map(|(site, _)| *site);
            readings.push(Reading { variable, digest, value: snapshot(value), site, name, by });
        }
    }

    /// A variable is bound here that a trace may have read.
    pub(super) fn binds(&self, variable: Variable, span: Span) {
        let digest = variable.digest();
        if self.it.effects.read.borrow().contains(&digest) {
            self.it.effects.bound.borrow_mut().insert(digest, (variable, self.site(span)));
        }
    }
}
