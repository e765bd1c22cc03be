//! What is new about a call that no trace fits.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::arguments::leaf_names;
use super::differences::{differences, weight};
use super::traces::{Entry, Traces};
use super::wrapped::Wrapped;
use super::{Call, Leaf, Place};
use crate::frameworks::jax::core::introspection::{self};
use crate::frameworks::jax::core::tree::{self, Def};
use crate::interp::{Event, Interp, KeyDifference};
use crate::python::halt::Step;
use crate::python::{Function, Instance, Site, Value};
use crate::trace::{Config, Layout, MESH_OF_EQUATIONS};

/// Earlier traces that a new one is compared with, to say what is new about it.
const MOST_COMPARED: usize = 16;

/// Notes what differs from the nearest earlier trace.
pub(super) fn note_miss(it: &Rc<Interp>, cache: &Traces, fun: &Value, call: &Call, known: &[Rc<Entry>]) -> Step<()> {
    let Some((site, _)) = it.user_stack.borrow().last().copied() else { return Ok(()) };
    let Some(function) = introspection::unwrapped(it, fun)? else { return Ok(()) };
    if !function.module.unit.user {
        return note_wrapped(it, cache, call, known, site);
    }
    let defined = defined_at(&function);
    if known.is_empty() && !it.engine.is_staging() {
        note_first(it, cache, fun, &function, call, (site, defined))?;
    }
    let names = leaf_names(it, fun, call)?;
    let differences = known.iter().rev().take(MOST_COMPARED).map(|entry| differences(it, fun, entry, call, &names));
    // Of those that are as near the latest.
    let (_, differences) = differences.min_by_key(|(parts, found)| (*parts, weight(found))).unwrap_or_default();
    it.events.note(Event::CacheMiss {
        site,
        function: function.name(),
        defined,
        seen_before: known.len(),
        differences,
        key: key_lines(it, call, &names),
    });
    Ok(())
}

/// As [`note_miss`], of a compiled function of a library's: it is known by the function that it was given.
fn note_wrapped(it: &Rc<Interp>, cache: &Traces, call: &Call, known: &[Rc<Entry>], site: Site) -> Step<()> {
    // Each wrapper of such a library compiles anew.
    if known.is_empty()
        && !it.engine.is_staging()
        && let Some(given) = given_function(call)
    {
        note_first(it, cache, &Value::Function(given.clone()), &given, call, (site, defined_at(&given)))?;
    }
    let Some(new) = Wrapped::of_call(call) else { return Ok(()) };
    let before = of_function(known, &new.function);
    let mut nearest: Option<(usize, Vec<KeyDifference>)> = None;
    for old in before.iter().rev().take(MOST_COMPARED) {
        let found = new.differences(it, old)?;
        let distance = |of: &(usize, Vec<KeyDifference>)| (of.0, weight(&of.1));
        if nearest.as_ref().is_none_or(|nearest| distance(&found) < distance(nearest)) {
            nearest = Some(found);
        }
    }
    it.events.note(Event::CacheMiss {
        site,
        function: new.function.name(),
        defined: defined_at(&new.function),
        seen_before: before.len(),
        differences: nearest.unwrap_or_default().1,
        key: new.key(it)?,
    });
    Ok(())
}

/// The traces that were made for a function of the program by way of a library's.
fn of_function(known: &[Rc<Entry>], function: &Rc<Function>) -> Vec<Wrapped> {
    let all = known.iter().filter_map(|entry| Wrapped::of_entry(entry));
    all.filter(|old| Rc::ptr_eq(&old.function, function)).collect()
}

/// The function of the program that a call is of: the one that is compiled, or that a library's wrapper was given.
pub(super) fn called(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Option<Rc<Function>>> {
    let function = introspection::unwrapped(it, fun)?;
    Ok(match function {
        Some(function) if !function.module.unit.user => Wrapped::of_call(call).map(|call| call.function),
        function => function,
    })
}

/// Where the name of a function stands.
pub(super) fn defined_at(function: &Function) -> Site {
    Site { file: function.module.unit.file, span: function.code().name_span }
}

/// How the mesh of equations is told of.
pub(super) const IN_A_RULE: &str = "inside of a derivative or batching rule that runs for an equation of a graph";

/// So many items of a static tuple are shown.
const MOST_ITEMS: usize = 12;

/// Lines of a key that are shown.
const MOST_LINES: usize = 100;

/// What a call is looked up by, beside the function: arguments by name, static ones, and settings that are not the usual ones.
fn key_lines(it: &Rc<Interp>, call: &Call, names: &[Rc<str>]) -> Vec<String> {
    let laid = |i: usize| call.layouts.get(i).map(Layout::text).unwrap_or_default();
    let typed = call.types.iter().zip(names).enumerate();
    let arguments = typed.map(|(i, (leaf, name))| format!("{name}: {}{}", leaf_text(leaf), laid(i)));
    let statics = call.statics.iter().map(|s| format!("{}: {}", place_text(s.place), static_text(it, &s.value)));
    let usual = Config::default().context();
    let settings = it.engine.config().context().into_iter().filter(|setting| !usual.contains(setting));
    let settings = settings
        .map(|(name, value)| if value == MESH_OF_EQUATIONS { IN_A_RULE.into() } else { format!("{name}: {value}") });
    let mut lines: Vec<String> = arguments.chain(statics).chain(settings).take(MOST_LINES + 1).collect();
    if lines.len() > MOST_LINES {
        lines[MOST_LINES] = format!("… (of {} arguments)", call.types.len() + call.statics.len());
    }
    lines
}

pub(super) fn leaf_text(leaf: &Leaf) -> String {
    match leaf {
        Leaf::Array(aval) => format!("{aval}{}", if aval.weak { " (weak)" } else { "" }),
        Leaf::Ref(aval) => format!("Ref{{{aval}}}"),
        Leaf::Unknown(_) => "unknown".into(),
    }
}

pub(super) fn place_text(place: Place) -> String {
    match place {
        Place::Position(i) => format!("static argument {i}"),
        Place::Name(name) => format!("static argument {name}"),
    }
}

/// A static argument; the program's own `__repr__` is not asked, for it may do anything.
pub(super) fn static_text(it: &Rc<Interp>, value: &Value) -> String {
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Function(_) => {
            introspection::shown(it, value)
        }
        // A scalar of NumPy's.
        Value::Object(object) if object.plain().is_some() => introspection::shown(it, value),
        Value::Tuple(items) => {
            let mut shown: Vec<String> = items.iter().take(MOST_ITEMS).map(|item| static_text(it, item)).collect();
            if items.len() > MOST_ITEMS {
                shown.push("…".into());
            }
            format!("({}{})", shown.join(", "), if items.len() == 1 { "," } else { "" })
        }
        _ => format!("<{} object>", it.type_name(value)),
    }
}

/// Notes that a trace that there was answers a call of a user's function.
pub(super) fn note_hit(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<()> {
    let Some((site, _)) = it.user_stack.borrow().last().copied() else { return Ok(()) };
    if let Some(function) = called(it, fun, call)? {
        let defined = defined_at(&function);
        it.events.note(Event::CacheHit { site, function: function.name(), defined });
        let often = it.extension::<Answered>();
        let mut counts = often.0.borrow_mut();
        let count = counts.entry(site).or_insert(0);
        *count += 1;
        if *count == OFTEN || it.in_widened_loop.get() {
            it.events.note(Event::AnsweredOften { site });
        }
    }
    Ok(())
}

/// So many answers at one place are many.
const OFTEN: u32 = 50;

/// How many calls at a place were answered by a trace that was there.
#[derive(Default)]
struct Answered(RefCell<FxHashMap<Site, u32>>);

/// Notes what a trace of a user's function came to.
pub(super) fn note_traced(
    it: &Rc<Interp>,
    fun: &Value,
    call: &Call,
    known: &[Rc<Entry>],
    equations: usize,
) -> Step<()> {
    let Some((site, _)) = it.user_stack.borrow().last().copied() else { return Ok(()) };
    let own = introspection::unwrapped(it, fun)?.is_some_and(|function| function.module.unit.user);
    if let Some(function) = called(it, fun, call)? {
        let seen_before = if own { known.len() } else { of_function(known, &function).len() };
        let defined = defined_at(&function);
        it.events.note(Event::Traced { site, defined, seen_before, equations });
    }
    Ok(())
}

/// What a function that was traced for the first time was made of.
pub(super) struct First {
    held: Vec<Value>,
    def: Def,
    types: Vec<Leaf>,
    alive: Alive,
}

/// Whether a function is still there, so that somebody may call it again.
enum Alive {
    Function(Weak<Function>),
    Instance(Weak<Instance>),
    Unknown,
}

impl Alive {
    fn of(fun: &Value) -> Alive {
        match fun {
            Value::Function(function) => Alive::Function(Rc::downgrade(function)),
            Value::Instance(instance) => Alive::Instance(Rc::downgrade(instance)),
            _ => Alive::Unknown,
        }
    }
    /// Whether it is this one: a trace that came to nothing known is not kept, and begins anew at the next call.
    fn is(&self, fun: &Value) -> bool {
        match (self, fun) {
            (Alive::Function(function), Value::Function(fun)) => std::ptr::eq(function.as_ptr(), Rc::as_ptr(fun)),
            (Alive::Instance(instance), Value::Instance(fun)) => std::ptr::eq(instance.as_ptr(), Rc::as_ptr(fun)),
            _ => false,
        }
    }
    /// Whether nobody can call it any more. Of a function the cache's own key is left.
    fn is_gone(&self) -> bool {
        match self {
            Alive::Function(function) => function.strong_count() <= 1,
            Alive::Instance(instance) => instance.strong_count() == 0,
            Alive::Unknown => false,
        }
    }
}

/// What distinguishes a function from others of the same text: what it captured, and what is bound to it.
fn held(it: &Rc<Interp>, fun: &Value) -> Step<Vec<Value>> {
    Ok(match fun {
        Value::Function(function) => {
            let captured = function.captured.iter().map(|cell| cell.read().clone());
            captured.chain(function.defaults.iter().chain(&function.kw_defaults).cloned()).collect()
        }
        Value::Method(method) => {
            let mut all = held(it, &method.function)?;
            all.push(method.receiver.clone());
            all
        }
        fun => match introspection::partial_parts(it, fun)? {
            Some((function, args, named)) => {
                let mut all = held(it, &function)?;
                all.extend(args);
                all.extend(named.into_iter().map(|(_, value)| value));
                all
            }
            // What it is known by: who keeps the text does not keep the object.
            None => vec![Value::from(format!("{:x}", fun.identity()))],
        },
    })
}

/// So many values in functions in functions are compared.
const MOST_ALIKE: u32 = 200;

/// Whether two values are the same for all that a trace sees of them, or (`loose`) differ in numbers and arrays of one type
/// alone, which could be arguments.
fn is_alike(it: &Rc<Interp>, a: &Value, b: &Value, loose: bool, left: &Cell<u32>) -> bool {
    if left.get() == 0 {
        return false;
    }
    left.set(left.get() - 1);
    let alike = |a: &Value, b: &Value| is_alike(it, a, b, loose, left);
    let all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b));
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => loose || a == b,
        (Value::Float(a), Value::Float(b)) => loose || a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Array(x), Value::Array(y)) => Rc::ptr_eq(x, y) || loose && x.aval == y.aval,
        (Value::Tuple(a), Value::Tuple(b)) => all(a, b),
        (Value::List(a), Value::List(b)) => a.read().len() == b.read().len() && all(&a.read(), &b.read()),
        // Functions that are made anew themselves.
        (Value::Function(a), Value::Function(b)) => {
            Rc::ptr_eq(&a.module, &b.module)
                && a.code().span == b.code().span
                && a.captured.iter().zip(&b.captured).all(|(a, b)| Rc::ptr_eq(a, b) || alike(&a.read(), &b.read()))
                && all(&a.defaults, &b.defaults)
                && all(&a.kw_defaults, &b.kw_defaults)
        }
        (Value::Method(a), Value::Method(b)) => a.receiver.is(&b.receiver) && alike(&a.function, &b.function),
        (Value::Instance(x), Value::Instance(y)) if !Rc::ptr_eq(x, y) => {
            let parts = |value| introspection::partial_parts(it, value).ok().flatten();
            match (parts(a), parts(b)) {
                (Some((f, args, named)), Some((g, others, named_too))) => {
                    alike(&f, &g)
                        && all(&args, &others)
                        && named.len() == named_too.len()
                        && named.iter().zip(&named_too).all(|((a, x), (b, y))| a == b && alike(x, y))
                }
                _ => false,
            }
        }
        (a, b) => a.is(b),
    }
}

/// The function of the user's among the static arguments of a library's compiled function, as Equinox's wrappers give it, if there
/// is one alone.
fn given_function(call: &Call) -> Option<Rc<Function>> {
    let mut found = Vec::new();
    call.statics.iter().for_each(|given| functions_in(&given.value, &mut found));
    let function = found.pop().filter(|_| found.is_empty())?;
    function.module.unit.user.then_some(function)
}

/// The functions in a static argument.
fn functions_in(value: &Value, found: &mut Vec<Rc<Function>>) {
    match value {
        Value::Function(function) => found.push(function.clone()),
        Value::Tuple(items) => items.iter().for_each(|item| functions_in(item, found)),
        _ => {}
    }
}

/// A function is traced for the first time: notes whether others of the same text were, at the same place.
fn note_first(
    it: &Rc<Interp>,
    cache: &Traces,
    fun: &Value,
    function: &Rc<Function>,
    call: &Call,
    (site, defined): (Site, Site),
) -> Step<()> {
    let Some(made) = call.made else { return Ok(()) };
    let this = First { held: held(it, fun)?, def: call.def.clone(), types: call.types.clone(), alive: Alive::of(fun) };
    let mut first = cache.first.borrow_mut();
    let before = first.entry((made, defined)).or_default();
    if before.iter().any(|other| other.alive.is(fun)) {
        return Ok(());
    }
    let fits = |other: &&First| other.types == this.types && tree::same(it, &other.def, &this.def).unwrap_or(false);
    let all = |other: &First, loose: bool| {
        let left = Cell::new(MOST_ALIKE);
        other.held.len() == this.held.len()
            && other.held.iter().zip(&this.held).all(|(a, b)| is_alike(it, a, b, loose, &left))
    };
    let same = before.iter().filter(fits).filter(|other| all(other, false)).count();
    // Nobody keeps it for another call: what it holds could be given to it as well.
    let at_once = site.file == made.file && site.span.start == made.span.start && made.span.end < site.span.end;
    let numbers =
        before.iter().filter(fits).filter(|other| (at_once || other.alive.is_gone()) && all(other, true)).count();
    if same > 0 || numbers > 1 {
        let times = 1 + if same > 0 { same } else { numbers };
        let function = function.name();
        it.events.note(Event::FreshFunction { made, call: site, function, defined, times, same: same > 0 });
    }
    if before.len() < MOST_COMPARED {
        before.push(this);
    }
    Ok(())
}
