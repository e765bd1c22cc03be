//! What traced code writes that is older than the trace.

use std::rc::Rc;

use super::How;
use super::readings::Variable;
use crate::interp::Interp;
use crate::interp::events::{Effect, Event};
use crate::interp::function::Run;
use crate::interp::skipped::is_change;
use crate::module::{CodeKind, Place, Symbol};
use crate::python::halt::Site;
use crate::python::{Key, Value, journal};
use crate::text::Span;
use crate::trace::TraceRef;

/// So many writes are remembered until a trace ends, and so many items of an object looked at then.
const MOST_WRITES: usize = 256;
pub(super) const MOST_LOOKED_AT: usize = 1_000;

/// A write to something that is older than the trace.
pub(super) struct Write {
    object: Value,
    name: Option<Symbol>,
    site: Site,
    what: &'static str,
    born: u32,
    /// How many items a list had before: one that has as many when the trace ends was a stack.
    items: Option<usize>,
    /// What an attribute was before: one that is the same when the trace ends was set for a while.
    before: Option<Value>,
    /// How the function is traced that does not write again; `None` where it does.
    lost: Option<How>,
}

/// The container that an instance of a class made of one is, or keeps its items in; any other value as it is.
pub(in crate::interp) fn container(value: &Value) -> Value {
    let Value::Instance(instance) = value else { return value.clone() };
    if let Some(payload @ (Value::List(_) | Value::Dict(_) | Value::Set(_))) = instance.payload() {
        return payload.clone();
    }
    let class = instance.class();
    if class.name.as_str() == "deque" && class.module.as_str() == "collections" {
        return instance.attrs().get(&sym!("_items")).cloned().unwrap_or_else(|| value.clone());
    }
    value.clone()
}

/// When an object was made that can be written, and what it is called.
fn written(value: &Value) -> Option<(u32, &'static str)> {
    Some(match value {
        Value::Object(object) => return object.written(),
        Value::List(list) => (list.born(), "a list from outside"),
        Value::Dict(dict) => (dict.born(), "a dict from outside"),
        Value::Set(set) => (set.born(), "a set from outside"),
        Value::Instance(instance) => (instance.attrs_cell().born(), "an object from outside"),
        Value::Class(class) => (class.attrs.born(), "a class from outside"),
        _ => return None,
    })
}

/// An attribute of an object, or of a class itself.
fn attribute(object: &Value, name: Symbol) -> Option<Value> {
    match object {
        Value::Instance(instance) => instance.attrs().get(&name).cloned(),
        Value::Class(class) => class.attrs.read().get(&name).cloned(),
        _ => None,
    }
}

/// Whether a value is, or holds in a plain container, a tracer of a trace that ends.
fn is_of(value: &Value, alive: &[TraceRef], depth: u32) -> bool {
    if depth == 0 && !matches!(value, Value::Array(_)) {
        return false;
    }
    let within = |item: &Value| is_of(item, alive, depth - 1);
    match value {
        Value::Array(array) => {
            array.scalar_behind().is_none()
                && array.trace().is_some_and(|own| !alive.iter().any(|trace| Rc::ptr_eq(trace, own)))
        }
        Value::Tuple(items) => items.iter().take(MOST_LOOKED_AT).any(within),
        // What was added last.
        Value::List(list) => list.read().iter().rev().take(MOST_LOOKED_AT).any(within),
        Value::Dict(dict) => dict.read().values().rev().take(MOST_LOOKED_AT).any(within),
        Value::Instance(instance) => instance.attrs().values().take(MOST_LOOKED_AT).any(within),
        _ => false,
    }
}

/// Whether a value is another one, or holds it.
fn holds(value: &Value, object: &Value, depth: u32) -> bool {
    if value.is(object) {
        return true;
    }
    let within = |item: &Value| depth > 0 && holds(item, object, depth - 1);
    match value {
        Value::Tuple(items) => items.iter().take(MOST_LOOKED_AT).any(within),
        Value::List(list) => list.read().iter().take(MOST_LOOKED_AT).any(within),
        Value::Dict(dict) => dict.read().values().take(MOST_LOOKED_AT).any(within),
        Value::Instance(instance) => instance.attrs().values().take(MOST_LOOKED_AT).any(within),
        _ => false,
    }
}

impl Interp {
    /// A trace ends: its tracers in objects from outside of it are of no use any more.
    #[cold]
    pub(super) fn note_writes(&self, writes: Vec<Write>) {
        let mut alive = Vec::new();
        let mut trace = self.engine.trace().parent().cloned();
        while let Some(current) = trace {
            trace = current.parent().cloned();
            alive.push(current);
        }
        let mut stacks: Vec<&Value> = Vec::new();
        for write in &writes {
            if let (Value::List(list), Some(before)) = (&write.object, write.items)
                && !stacks.iter().any(|known| known.is(&write.object))
                && list.read().len() == before
            {
                stacks.push(&write.object);
            }
        }
        let stacks: Vec<Value> = stacks.into_iter().cloned().collect();
        for write in writes {
            if write.items.is_some() && stacks.iter().any(|stack| stack.is(&write.object)) {
                continue;
            }
            let now = write.name.map(|name| attribute(&write.object, name));
            if let (Some(Some(now)), Some(before)) = (&now, &write.before)
                && now.is(before)
            {
                continue;
            }
            let kept = match now {
                Some(now) => now.is_some_and(|now| is_of(&now, &alive, 2)),
                None => is_of(&write.object, &alive, 3),
            };
            let effect = match (kept, write.lost) {
                (true, _) => Effect::Kept(write.what),
                // The trace around this one may be what it holds a tracer of.
                (false, _) if write.born < self.effects.since.get() => {
                    self.effects.writes.borrow_mut().push(write);
                    continue;
                }
                (false, Some(how)) => Effect::Write(write.what, how),
                (false, None) => continue,
            };
            self.events.note(Event::SideEffect { site: write.site, effect });
        }
    }

    /// A function ends that has written to what it was called with. What it gives back of that is its result.
    #[cold]
    pub(super) fn note_argument_writes(&self, writes: Vec<(Value, Site)>, result: Option<&Value>) {
        for (object, site) in writes {
            if !result.is_some_and(|result| holds(result, &object, 4)) {
                self.events.note(Event::SideEffect { site, effect: Effect::Argument });
            }
        }
    }

    /// A cache keeps the result of a function.
    pub fn note_cached(&self, cache: &Value, result: &Value, function: &Value) {
        let Some((born, _)) = written(cache) else { return };
        if born >= self.effects.since.get() || journal::speculating() {
            return;
        }
        let Value::Function(function) = function else { return };
        let mut around = Vec::new();
        let mut trace = self.engine.trace().parent().cloned();
        while let Some(current) = trace {
            trace = current.parent().cloned();
            around.push(current);
        }
        let Some((call, _)) = self.user_stack.borrow().last().copied() else { return };
        if function.module.unit.user && is_of(result, &around, 3) {
            let site = Site { file: function.module.unit.file, span: function.code().name_span };
            self.events.note(Event::CachedTracer { function: site, call });
        }
    }

    /// A function of ours writes to a container that it is given, or to one of its own that it keeps new things in (`once`).
    pub fn note_written(&self, object: &Value, once: bool) {
        let object = container(object);
        if self.effects.is_tracing()
            && let Some(written) = written(&object)
            && let Some((site, _)) = self.user_stack.borrow().last().copied()
        {
            self.note_write(object, None, written, (once, !once), site);
        }
    }

    fn note_write(
        &self,
        object: Value,
        name: Option<Symbol>,
        (born, what): (u32, &'static str),
        (once, resizes): (bool, bool),
        site: Site,
    ) {
        let effects = &self.effects;
        if born >= effects.since.get() || journal::speculating() {
            return;
        }
        if born != 0 && born == effects.given.get() {
            let mut writes = effects.argument_writes.borrow_mut();
            if writes.len() < MOST_WRITES {
                writes.push((object, site));
            }
            return;
        }
        let lost = if born < effects.since_lasting.get() && !once { effects.lasting.get() } else { None };
        let mut writes = effects.writes.borrow_mut();
        // A loop writes to the same object at the same place again and again.
        if writes.len() >= MOST_WRITES
            || writes.iter().any(|w| w.site == site && w.lost == lost && w.object.is(&object))
        {
            return;
        }
        let items = match &object {
            Value::List(list) if resizes => {
                // What it had when it was first written.
                let first = writes.iter().find(|w| w.object.is(&object) && w.items.is_some());
                Some(first.and_then(|w| w.items).unwrap_or_else(|| list.read().len()))
            }
            _ => None,
        };
        let before = name.and_then(|name| {
            let first = writes.iter().find(|w| w.name == Some(name) && w.object.is(&object));
            first.map_or_else(|| attribute(&object, name), |w| w.before.clone())
        });
        writes.push(Write { object, name, site, what, born, items, before, lost });
    }

    /// An iterator is asked for its next item.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn moves_on(&self, iterator: &Value) {
        if let Value::Iter(iter) = iterator
            && self.is_older_than_trace(iter.born())
        {
            self.note_effect(Effect::Iterator);
        }
    }
}

impl Run<'_> {
    /// The user's code writes an attribute of an object. What it makes once, where there was nothing, is there from then on.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn writes_attribute(&self, object: &Value, name: Symbol, span: Span) {
        let variable = match object {
            Value::Instance(instance) => Variable::Attribute(Rc::downgrade(instance), name),
            Value::Class(class) => Variable::ClassAttribute(class.clone(), name),
            _ => return,
        };
        if self.it.effects.has_readings.get() {
            self.binds(variable, span);
        }
        if let Some(written) = written(object) {
            let once = attribute(object, name).is_none_or(|before| before.is_none());
            self.it.note_write(object.clone(), Some(name), written, (once, false), self.site(span));
        }
    }

    /// The user's code calls something that may write an attribute: `setattr(object, name, value)`, `object.__setattr__`. A
    /// class's own `__setattr__` does what the assignment says that led to it.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn sets_by_name(&self, callee: &Value, given: &[Value], span: Span) {
        if let Value::Native(native) = callee
            && matches!(native.name.as_str(), "setattr" | "__setattr__")
            && let [object, name, _] = given
            && let Some(name) = name.as_str()
            && self.code.name.as_str() != "__setattr__"
        {
            self.writes_attribute(object, Symbol::from(name), span);
        }
    }

    /// The user's code writes an item of an object.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn writes_item(&self, object: &Value, index: &Value, span: Span) {
        // What a counter has not counted yet is zero.
        let has_all =
            matches!(object, Value::Instance(instance) if instance.class().lookup(sym!("__missing__")).is_some());
        let object = &container(object);
        if self.it.effects.has_readings.get() {
            match (object, index) {
                (Value::Dict(dict), index) => {
                    if let Some(key) = Key::of(index) {
                        self.binds(Variable::Entry(dict.clone(), key), span);
                    }
                }
                (Value::List(list), Value::Int(at)) if *at >= 0 => {
                    self.binds(Variable::Item(list.clone(), *at as usize), span);
                }
                _ => {}
            }
        }
        if let (Some(written), Value::List(_) | Value::Dict(_) | Value::Object(_)) = (written(object), object) {
            let once = match (object, self.it.key(index)) {
                (Value::Dict(dict), Ok(key)) if !has_all => dict.read().get(&key).is_none_or(Value::is_none),
                _ => false,
            };
            self.it.note_write(object.clone(), None, written, (once, false), self.site(span));
        }
    }

    /// The user's code calls a method.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn calls_on(&self, object: &Value, name: Symbol, span: Span) {
        if !is_change(name) {
            return;
        }
        let object = &container(object);
        if let (Some(written), Value::List(_) | Value::Dict(_) | Value::Set(_)) = (written(object), object) {
            self.it.note_write(object.clone(), None, written, (name.as_str() == "setdefault", true), self.site(span));
        }
    }

    /// The user's code adds to a container in place: `self.seen += [x]`.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn extends(&self, object: &Value, span: Span) {
        let object = &container(object);
        if let (Some(written), Value::List(_) | Value::Dict(_) | Value::Set(_)) = (written(object), object) {
            self.it.note_write(object.clone(), None, written, (false, true), self.site(span));
        }
    }

    /// The user's code binds a variable that is not its own.
    #[cold]
    #[inline(never)]
    pub(in crate::interp) fn rebinds(&self, place: Place, value: &Value, span: Span) {
        if self.it.effects.has_readings.get() {
            match place {
                Place::Global(slot) => self.binds(Variable::Global(self.home.clone(), slot), span),
                Place::Cell(index) => self.binds(Variable::Cell(self.cell(index).clone()), span),
                _ => {}
            }
        }
        let (written, before) = match place {
            Place::Cell(index) => {
                let cell = self.cell(index);
                ((cell.born(), "a variable of the function around"), cell.read().clone())
            }
            // What a module's own body binds is made by it.
            Place::Global(slot) if self.code.kind != CodeKind::Module => {
                let before = self.home.slots.read().get(slot as usize).cloned().unwrap_or(Value::Unbound);
                ((self.home.slots.born(), "a global variable"), before)
            }
            _ => return,
        };
        let once = before.is_none() || before.is_unbound();
        self.it.note_write(value.clone(), None, written, (once, false), self.site(span));
    }
}
