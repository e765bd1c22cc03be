//! What traced code does beside computing: it happens while the function is traced, and not again when the trace is used.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Interp;
use super::events::{Effect, Event};
use super::function::Run;
use crate::module::{CodeKind, Expr, ExprId, Place, Symbol};
use crate::python::halt::Site;
use crate::python::{CellRef, Instance, ModuleObject, Value, journal};
use crate::text::Span;
use crate::trace::{Array, TraceRef, Val};

/// How a function is traced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Into a graph, which is used instead of it from then on.
    Staged,
    /// Once for all elements along an axis.
    Batched,
    /// With derivatives: it runs at every call.
    Differentiated,
}

/// A write to something that is older than the trace.
struct Write {
    object: Value,
    name: Option<Symbol>,
    site: Site,
    what: &'static str,
    born: u32,
    /// How the function is traced that does not write again; `None` where it does.
    lost: Option<How>,
}

/// A variable that a trace has read, from outside of it.
#[derive(Clone)]
pub enum Variable {
    /// A global of a module.
    Global(Rc<ModuleObject>, u32),
    /// A variable of a function around.
    Cell(CellRef),
    /// An attribute of an object.
    Attribute(Rc<Instance>, Symbol),
    /// None: a random key that was made from a constant.
    FixedKey,
}

impl Variable {
    fn is(&self, other: &Variable) -> bool {
        match (self, other) {
            (Variable::Global(a, slot), Variable::Global(b, other)) => Rc::ptr_eq(a, b) && slot == other,
            (Variable::Cell(a), Variable::Cell(b)) => Rc::ptr_eq(a, b),
            (Variable::Attribute(a, name), Variable::Attribute(b, other)) => Rc::ptr_eq(a, b) && name == other,
            _ => false,
        }
    }
    /// What it is now.
    fn value(&self) -> Option<Value> {
        match self {
            Variable::Global(module, slot) => module.slots.read().get(*slot as usize).cloned(),
            Variable::Cell(cell) => Some(cell.read().clone()),
            Variable::Attribute(instance, name) => instance.attrs().get(name).cloned(),
            Variable::FixedKey => None,
        }
    }
}

/// A trace has read a variable from outside of it.
#[derive(Clone)]
pub struct Reading {
    variable: Variable,
    value: Value,
    site: Site,
    name: Symbol,
}

impl Reading {
    /// Whether it stands for a random key that was made from a constant.
    pub fn is_fixed_key(&self) -> bool {
        matches!(self.variable, Variable::FixedKey)
    }
}

/// Whether a trace keeps such a value as a constant of its own.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) | Value::None => true,
        Value::Array(array) => !array.is_tracer(),
        Value::Tuple(items) => items.iter().all(is_constant),
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
        (_, now) if !is_constant(now) => false,
        (before, now) => !before.is(now),
    }
}

/// So many writes are remembered until a trace ends, and so many items of an object looked at then.
const MOST_WRITES: usize = 256;
const MOST_LOOKED_AT: usize = 1_000;
/// Of so many calls it is remembered that they led to a use of a random key.
const MOST_CALLS: usize = 8;
/// Arrays of so many bytes are large for a constant.
const LARGE: u64 = 4 << 20;
/// Loops of so many rounds are long for a graph.
const LONG_LOOP: u64 = 50;
/// So many readings are kept of a trace.
const MOST_READINGS: usize = 256;

/// What happens under the traces that are under way.
#[derive(Default)]
pub struct Effects {
    /// The age from which on objects belong to the innermost trace, and to the innermost one that is no derivative's; 0
    /// outside of all.
    since: Cell<u32>,
    since_lasting: Cell<u32>,
    lasting: Cell<Option<How>>,
    writes: RefCell<Vec<Write>>,
    /// Whether the function is traced into a graph.
    staged: Cell<bool>,
    readings: RefCell<Vec<Reading>>,
    /// Where variables were bound that a trace has read.
    bound: RefCell<Vec<(Variable, Site)>>,
    has_readings: Cell<bool>,
    /// Whether functions that were differentiated are noted, and which were.
    differentiated: Cell<bool>,
    derived: RefCell<FxHashSet<Site>>,
    /// What happened since a clock was read, once one was.
    since_clock: Cell<Option<SinceClock>>,
    /// Random keys that were used up.
    keys: RefCell<FxHashMap<*const Array, KeyUse>>,
}

/// How a random key was used up.
struct KeyUse {
    /// The key: its address stays taken.
    _key: Val,
    trace: TraceRef,
    /// The calls that led there, innermost first, and the function.
    calls: Vec<Site>,
    function: Symbol,
}

/// What a program did since it read a clock.
#[derive(Copy, Clone, Default)]
struct SinceClock {
    dispatched: bool,
    waited: bool,
}

impl Effects {
    /// Whether a function is traced.
    #[inline(always)]
    pub fn is_tracing(&self) -> bool {
        self.since.get() != 0
    }
    /// Whether what the user's code reads is kept with the trace.
    #[inline(always)]
    pub fn keeps_reads(&self) -> bool {
        self.staged.get()
    }
}

/// Methods of containers that change them.
fn changes(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
        "discard",
        "appendleft",
        "extendleft",
        "popleft",
        "rotate",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
    ];
    NAMES.contains(&name)
}

/// When an object was made that can be written, and what it is called.
fn written(value: &Value) -> Option<(u32, &'static str)> {
    Some(match value {
        Value::List(list) => (list.born(), "a list from outside"),
        Value::Dict(dict) => (dict.born(), "a dict from outside"),
        Value::Set(set) => (set.born(), "a set from outside"),
        Value::Instance(instance) => (instance.attrs_cell().born(), "an object from outside"),
        _ => return None,
    })
}

/// Whether a value is, or holds in a plain container, a tracer of a trace that ends.
fn is_of(value: &Value, alive: &[TraceRef], depth: u32) -> bool {
    if depth == 0 && !matches!(value, Value::Array(_)) {
        return false;
    }
    let within = |item: &Value| is_of(item, alive, depth - 1);
    match value {
        Value::Array(array) => array.trace().is_some_and(|own| !alive.iter().any(|trace| Rc::ptr_eq(trace, own))),
        Value::Tuple(items) => items.iter().take(MOST_LOOKED_AT).any(within),
        // What was added last.
        Value::List(list) => list.read().iter().rev().take(MOST_LOOKED_AT).any(within),
        Value::Dict(dict) => dict.read().values().rev().take(MOST_LOOKED_AT).any(within),
        Value::Instance(instance) => instance.attrs().values().take(MOST_LOOKED_AT).any(within),
        _ => false,
    }
}

impl Interp {
    /// Runs a function that is traced: notes what it does beside computing.
    pub fn in_trace<R>(self: &Rc<Self>, how: How, body: impl FnOnce() -> R) -> R {
        let effects = &self.effects;
        let before = (effects.since.get(), effects.since_lasting.get(), effects.lasting.get());
        let differentiated = effects.differentiated.replace(effects.differentiated.get() || how == How::Differentiated);
        let staged = effects.staged.replace(effects.staged.get() || how == How::Staged);
        let since = journal::grow_older();
        effects.since.set(since);
        if how != How::Differentiated {
            effects.since_lasting.set(since);
            effects.lasting.set(Some(how));
        }
        let noted = effects.writes.borrow().len();
        let result = body();
        effects.staged.set(staged);
        effects.differentiated.set(differentiated);
        effects.since.set(before.0);
        effects.since_lasting.set(before.1);
        effects.lasting.set(before.2);
        if effects.writes.borrow().len() > noted {
            let writes = effects.writes.borrow_mut().split_off(noted);
            self.note_writes(writes);
        }
        result
    }

    /// A trace ends: its tracers in objects from outside of it are of no use any more.
    #[cold]
    fn note_writes(&self, writes: Vec<Write>) {
        let mut alive = Vec::new();
        let mut trace = self.engine.trace().parent().cloned();
        while let Some(current) = trace {
            trace = current.parent().cloned();
            alive.push(current);
        }
        for write in writes {
            let kept = match (&write.object, write.name) {
                (Value::Instance(instance), Some(name)) => {
                    instance.attrs().get(&name).is_some_and(|v| is_of(v, &alive, 2))
                }
                (object, _) => is_of(object, &alive, 3),
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

    fn note_write(
        &self,
        object: Value,
        name: Option<Symbol>,
        (born, what): (u32, &'static str),
        once: bool,
        site: Site,
    ) {
        let effects = &self.effects;
        if born >= effects.since.get() || journal::speculating() {
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
        writes.push(Write { object, name, site, what, born, lost });
    }

    /// Whether something that was made in this age is from outside of the trace.
    pub fn is_older_than_trace(&self, born: u32) -> bool {
        born < self.effects.since_lasting.get()
    }

    /// An iterator is asked for its next item.
    #[cold]
    #[inline(never)]
    pub(super) fn moves_on(&self, iterator: &Value) {
        if let Value::Iter(iter) = iterator
            && self.is_older_than_trace(iter.born())
        {
            self.note_effect(Effect::Iterator);
        }
    }

    /// Runs a trace: what it gives, and what it has read from outside. The trace around it has read that as well.
    pub fn with_readings<R>(&self, body: impl FnOnce() -> R) -> (R, Vec<Reading>) {
        let around = self.effects.readings.take();
        let result = body();
        let own = self.effects.readings.replace(around);
        if self.effects.keeps_reads() {
            self.effects.readings.borrow_mut().extend(own.iter().take(MOST_READINGS).cloned());
        }
        self.effects.has_readings.set(self.effects.has_readings.get() || !own.is_empty());
        for reading in &own {
            if let Value::Array(array) = &reading.value
                && let Some(bytes) = array.aval.bytes().filter(|bytes| *bytes >= LARGE)
            {
                self.events.note(Event::LargeConstant { site: reading.site, name: reading.name, bytes });
            }
        }
        (result, own)
    }

    /// A random key is made from a constant.
    pub fn note_fixed_key(&self) {
        self.events.count();
        if self.effects.keeps_reads()
            && !journal::speculating()
            && let Some((site, _)) = self.user_stack.borrow().last().copied()
        {
            let mut readings = self.effects.readings.borrow_mut();
            if readings.len() < MOST_READINGS {
                readings.push(Reading { variable: Variable::FixedKey, value: Value::None, site, name: sym!("key") });
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
            if let Variable::FixedKey = reading.variable {
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
            let bound = bound.iter().rev().find(|(variable, _)| variable.is(&reading.variable)).map(|(_, site)| *site);
            self.events.note(Event::Stale {
                read: reading.site,
                name: reading.name,
                call,
                bound,
                of_object: matches!(reading.variable, Variable::Attribute(..)),
                before: text(&reading.value),
                now: text(&now),
            });
        }
    }

    /// A function of the user's is entered: notes it where its derivative is taken.
    #[inline(always)]
    pub(super) fn note_entered(&self, site: Site) {
        if self.effects.differentiated.get() && self.effects.derived.borrow_mut().insert(site) {
            self.events.note(Event::Differentiated { site });
        }
    }

    /// A compiled function is called: it runs while the program goes on.
    pub fn note_dispatched(&self) {
        if let Some(since) = self.effects.since_clock.get()
            && !self.effects.is_tracing()
        {
            self.effects.since_clock.set(Some(SinceClock { dispatched: true, ..since }));
        }
    }

    /// The program waits for results.
    pub fn note_waited(&self) {
        if let Some(since) = self.effects.since_clock.get() {
            self.effects.since_clock.set(Some(SinceClock { waited: true, ..since }));
        }
    }

    /// A random key is used up: notes where that happens for a second time.
    pub fn note_key_use(&self, key: &Val, function: Symbol) {
        /// So many keys are remembered.
        const MOST: usize = 10_000;
        if journal::speculating() {
            return;
        }
        let calls: Vec<Site> = self.user_stack.borrow().iter().rev().take(MOST_CALLS).map(|(site, _)| *site).collect();
        let Some(site) = calls.first().copied() else { return };
        let trace = self.engine.trace();
        let mut keys = self.effects.keys.borrow_mut();
        match keys.get(&Rc::as_ptr(key)) {
            // Two branches may use the same key; and who calls a function twice with a key may mean to.
            Some(before) if Rc::ptr_eq(&before.trace, &trace) => {
                let first = before.calls[0];
                if first != site || before.calls == calls {
                    self.events.note(Event::KeyReuse { first, first_function: before.function, site, function });
                }
            }
            Some(_) => {}
            None if keys.len() < MOST => {
                keys.insert(Rc::as_ptr(key), KeyUse { _key: key.clone(), trace, calls, function });
            }
            None => {}
        }
    }

    /// A clock is read.
    fn note_clock(&self) {
        if let Some(SinceClock { dispatched: true, waited: false }) =
            self.effects.since_clock.replace(Some(SinceClock::default()))
            && !journal::speculating()
            && let Some((site, _)) = self.user_stack.borrow().last()
        {
            self.events.note(Event::Unsynced { site: *site });
        }
    }

    /// A loop over a range is over: notes whether it has become so many copies of its body in a graph.
    #[cold]
    #[inline(never)]
    pub(super) fn note_unrolled(&self, site: Site, rounds: u64, operations: u64) {
        if operations >= rounds && !journal::speculating() {
            self.events.note(Event::Unrolled { site, rounds });
        }
    }

    /// Something that traced code asks the machine for, or does to it: noted at the user's line.
    pub fn note_effect(&self, effect: Effect) {
        if effect == Effect::Clock && !self.effects.is_tracing() {
            return self.note_clock();
        }
        // Under eager `grad` and `vmap` it happens at every call.
        if self.engine.is_staging()
            && let Some((site, _)) = self.user_stack.borrow().last()
        {
            self.events.note(Event::SideEffect { site: *site, effect });
        }
    }
}

impl Run<'_> {
    /// Whether what this code writes is looked at.
    #[inline(always)]
    pub(super) fn watches_writes(&self) -> bool {
        self.user && (self.it.effects.is_tracing() || self.it.effects.has_readings.get())
    }

    /// Whether what this code reads is kept.
    #[inline(always)]
    pub(super) fn keeps_reads(&self) -> bool {
        self.user && self.it.effects.keeps_reads()
    }

    /// The user's traced code has read a variable, perhaps one from outside.
    #[cold]
    #[inline(never)]
    pub(super) fn reads(&self, expr: ExprId, value: &Value) {
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
                if let Some(object) = self.peek(*object) {
                    self.reads_attribute(expr, object, *name, value);
                }
            }
            _ => {}
        }
    }

    /// The user's traced code has read an attribute.
    pub(super) fn reads_attribute(&self, expr: ExprId, object: &Value, name: Symbol, value: &Value) {
        if let Value::Instance(instance) = object
            && instance.attrs().get(&name).is_some()
        {
            let born = instance.attrs_cell().born();
            self.keep_reading(Variable::Attribute(instance.clone(), name), born, name, expr, value);
        }
    }

    fn keep_reading(&self, variable: Variable, born: u32, name: Symbol, expr: ExprId, value: &Value) {
        if !is_constant(value) || !self.it.is_older_than_trace(born) || journal::speculating() {
            return;
        }
        let mut readings = self.it.effects.readings.borrow_mut();
        if readings.len() < MOST_READINGS && !readings.iter().any(|reading| reading.variable.is(&variable)) {
            let site = self.site(self.module.span(expr));
            readings.push(Reading { variable, value: value.clone(), site, name });
        }
    }

    /// A loop over a range of the user's is over.
    #[inline(always)]
    pub(super) fn range_over(&self, rounds: u64, work: u64, head: ExprId) {
        if rounds >= LONG_LOOP && self.keeps_reads() {
            let operations = self.it.array_work.get().saturating_sub(work);
            self.it.note_unrolled(self.site(self.module.span(head)), rounds, operations);
        }
    }

    /// The text of a traced value becomes a part of another.
    #[cold]
    #[inline(never)]
    pub(super) fn formats(&self, expr: ExprId) {
        let site = self.site(self.module.span(expr));
        self.it.events.note(Event::SideEffect { site, effect: Effect::Formatted });
    }

    /// A variable that a trace has read is bound here.
    fn binds(&self, variable: Variable, span: Span) {
        let mut bound = self.it.effects.bound.borrow_mut();
        let site = self.site(span);
        if let Some((_, last)) = bound.iter_mut().find(|(known, _)| known.is(&variable)) {
            *last = site;
        } else if bound.len() < MOST_READINGS {
            bound.push((variable, site));
        }
    }

    /// The user's code writes an attribute of an object. What it makes once, where there was nothing, is there from then on.
    #[cold]
    #[inline(never)]
    pub(super) fn writes_attribute(&self, object: &Value, name: Symbol, span: Span) {
        if let Value::Instance(instance) = object
            && self.it.effects.has_readings.get()
        {
            self.binds(Variable::Attribute(instance.clone(), name), span);
        }
        if let (Some(written), Value::Instance(instance)) = (written(object), object) {
            let once = instance.attrs().get(&name).is_none_or(Value::is_none);
            self.it.note_write(object.clone(), Some(name), written, once, self.site(span));
        }
    }

    /// The user's code writes an item of an object.
    #[cold]
    #[inline(never)]
    pub(super) fn writes_item(&self, object: &Value, index: &Value, span: Span) {
        if let (Some(written), Value::List(_) | Value::Dict(_)) = (written(object), object) {
            let once = match (object, self.it.key(index)) {
                (Value::Dict(dict), Ok(key)) => dict.read().get(&key).is_none_or(Value::is_none),
                _ => false,
            };
            self.it.note_write(object.clone(), None, written, once, self.site(span));
        }
    }

    /// The user's code calls a method.
    #[cold]
    #[inline(never)]
    pub(super) fn calls_on(&self, object: &Value, name: Symbol, span: Span) {
        if let (Some(written), Value::List(_) | Value::Dict(_) | Value::Set(_)) = (written(object), object)
            && changes(name.as_str())
        {
            self.it.note_write(object.clone(), None, written, name.as_str() == "setdefault", self.site(span));
        }
    }

    /// The user's code binds a variable that is not its own.
    #[cold]
    #[inline(never)]
    pub(super) fn rebinds(&self, place: Place, value: &Value, span: Span) {
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
        self.it.note_write(value.clone(), None, written, once, self.site(span));
    }
}
