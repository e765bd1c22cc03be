//! `jax.jit`: functions whose calls go through a cache of graphs.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::core::conversion::{aval_of, class_text, to_array};
use super::core::introspection::{self, Takes, argument_names, signature};
use super::core::tree::{self, Def, leaf_paths};
use crate::array::Aval;
use crate::interp::{Event, Interp};
use crate::module::{CompareOp, Symbol};
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Args, Attrs, Class, Guess, Key, Method, NativeFn, Object, Value};
use crate::trace::pytree::Kind;
use crate::trace::{ClosedJaxpr, Config, DebugInfo, Val};
use crate::transforms::jit::Jit;
use crate::transforms::trace_to_jaxpr;

/// What `jax.jit` was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    static_nums: Vec<i64>,
    static_names: Vec<Symbol>,
    donate_nums: Vec<i64>,
    donate_names: Vec<Symbol>,
    inline: bool,
}

/// A leaf of the arguments, as far as the key of a trace sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An array.
    Array(Aval),
    /// A value that is not known: it is passed through.
    Unknown(Guess),
}

/// A static argument: its place and value.
#[derive(Clone)]
struct Static {
    place: Place,
    value: Value,
}

/// A place among the arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    Position(usize),
    Name(Symbol),
}

/// The arguments of one call, taken apart.
pub struct Call {
    statics: SmallVec<[Static; 1]>,
    /// Dynamic arguments by place, with their structures.
    dynamic: Vec<(Place, Def)>,
    /// The structure of `(args, kwargs)` without static ones.
    pub def: Def,
    /// The leaves.
    pub leaves: Vec<Value>,
    /// Their types.
    pub types: Vec<Leaf>,
}

/// What a result of a traced function is.
#[derive(Clone)]
pub enum Out {
    /// The next result of the graph.
    Array,
    /// A value that is not known.
    Unknown(Value),
}

/// A function traced for some types.
pub struct Traced {
    /// The graph.
    pub graph: ClosedJaxpr,
    /// Constants that are tracers of outer traces: leading inputs of the graph.
    pub consts: Vec<Val>,
    /// The structure of the results.
    pub out_def: Def,
    /// The results.
    pub outs: Vec<Out>,
    /// How many functions were linearized while it was traced.
    pub linearized: u64,
}

impl Traced {
    /// The types of the results, those that are arrays.
    pub fn out_avals(&self) -> Vec<Aval> {
        self.graph.out_avals()
    }
}

struct Entry {
    statics: SmallVec<[Static; 1]>,
    def: Def,
    types: Vec<Leaf>,
    config: Rc<Config>,
    axes: Vec<(Rc<str>, usize)>,
    outcome: Result<Rc<Traced>, Why>,
}

/// The traces of a run, by function.
#[derive(Default)]
pub struct Traces {
    functions: RefCell<FxHashMap<Key, Vec<Rc<Entry>>>>,
    pending: RefCell<Vec<(Key, Rc<Entry>)>>,
    deleted: RefCell<FxHashMap<usize, Val>>,
    any_deleted: Cell<bool>,
}

impl Traces {
    /// Forgets all traces.
    pub fn clear(&self) {
        self.functions.borrow_mut().clear();
    }
    /// Raises for an array whose buffer was donated.
    ///
    /// # Errors
    /// `RuntimeError` as JAX words it.
    pub fn check_alive(&self, array: &Val) -> Step<()> {
        if self.any_deleted.get() && self.is_deleted(array) {
            return Err(deleted(array));
        }
        Ok(())
    }
    /// Whether the buffer of an array was donated or deleted.
    pub fn is_deleted(&self, array: &Val) -> bool {
        self.deleted.borrow().contains_key(&(Rc::as_ptr(array) as usize))
    }
    /// Marks the buffer of an array as gone.
    pub fn delete(&self, array: &Val) {
        self.any_deleted.set(true);
        self.deleted.borrow_mut().insert(Rc::as_ptr(array) as usize, array.clone());
    }
}

fn deleted(array: &Val) -> Halt {
    Halt::raise("RuntimeError", format!("Array has been deleted with shape={}.", array.aval.long()))
}

/// Raises for arrays whose buffers were donated.
///
/// # Errors
/// `RuntimeError` as JAX words it.
pub fn check_alive(it: &Rc<Interp>, arrays: &[Val]) -> Step<()> {
    let cache = it.extension::<Traces>();
    if cache.any_deleted.get() { arrays.iter().try_for_each(|array| cache.check_alive(array)) } else { Ok(()) }
}

/// Whether buffers of arrays were donated or deleted.
pub fn anything_deleted(it: &Rc<Interp>) -> bool {
    it.extension::<Traces>().any_deleted.get()
}

/// A compiled function.
pub struct JitObject {
    /// The function inside.
    pub fun: Value,
    options: Options,
    attrs: RefCell<Attrs>,
    calls: RefCell<FxHashSet<(usize, Vec<bool>)>>,
}

/// The key under which the traces of a function are filed.
fn function_key(it: &Rc<Interp>, fun: &Value) -> Step<Key> {
    match it.key(fun) {
        Ok(key) => Ok(key),
        Err(Halt::Raise(_)) => Ok(Key::hashed(fun.clone(), fun.identity() as i64)),
        Err(halt) => Err(halt),
    }
}

/// Takes the arguments of a call apart.
///
/// # Errors
/// What flattening raises; `ValueError` for static arguments without a hash.
pub fn take_apart(it: &Rc<Interp>, options: &Options, args: Args) -> Step<Call> {
    let count = args.positional.len() as i64;
    let is_static =
        |i: usize| options.static_nums.iter().any(|n| if *n < 0 { n + count == i as i64 } else { *n == i as i64 });
    let mut call =
        Call { statics: SmallVec::new(), dynamic: Vec::new(), def: Def::leaf(), leaves: Vec::new(), types: Vec::new() };
    let mut positional = Vec::with_capacity(args.positional.len());
    for (i, value) in args.positional.into_iter().enumerate() {
        if is_static(i) {
            check_static(it, &value)?;
            call.statics.push(Static { place: Place::Position(i), value });
            continue;
        }
        let def = flatten_into(it, value, &mut call.leaves)?;
        call.dynamic.push((Place::Position(i), def.clone()));
        positional.push(def);
    }
    let mut keyword = args.keyword;
    keyword.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
    let (mut names, mut named) = (Vec::new(), Vec::new());
    for (name, value) in keyword {
        if options.static_names.contains(&name) {
            check_static(it, &value)?;
            call.statics.push(Static { place: Place::Name(name), value });
            continue;
        }
        let def = flatten_into(it, value, &mut call.leaves)?;
        call.dynamic.push((Place::Name(name), def.clone()));
        names.push(Value::str(name.as_str()));
        named.push(def);
    }
    let children = vec![Def::node(Kind::Tuple, positional), Def::node(Kind::Dict(names.into()), named)];
    call.def = Def::node(Kind::Tuple, children);
    Ok(call)
}

fn flatten_into(it: &Rc<Interp>, value: Value, leaves: &mut Vec<Value>) -> Step<Def> {
    match value {
        Value::Array(_) | Value::Float(_) | Value::Int(_) | Value::Bool(_) | Value::Unknown(_) => {
            leaves.push(value);
            Ok(Def::leaf())
        }
        value => {
            let (mut found, def) = tree::flatten(it, &value)?;
            leaves.append(&mut found);
            Ok(def)
        }
    }
}

fn check_static(it: &Rc<Interp>, value: &Value) -> Step<()> {
    if value.is_unknown() {
        return Ok(());
    }
    match it.key(value) {
        Ok(_) | Err(Halt::Unknown(_)) => Ok(()),
        Err(Halt::Raise(exception)) => {
            let (class, message) = it.describe_exception(&exception);
            let text = it.while_catching(|| it.str_of(value)).ok().and_then(|t| t.as_str().map(str::to_owned));
            Err(Halt::value_error(format!(
                "Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type {}, \
                 {}. The error was:\n{class}: {message}\n",
                class_text(it, value),
                text.unwrap_or_else(|| introspection::shown(it, value)),
            )))
        }
        Err(halt) => Err(halt),
    }
}

/// The type of a leaf; `None` for what is no array. `loose` takes anything with a shape and a dtype.
fn leaf_type(it: &Rc<Interp>, value: &Value, loose: bool) -> Step<Option<Leaf>> {
    Ok(Some(match value {
        Value::Array(array) => Leaf::Array(array.aval.clone()),
        Value::Unknown(unknown) if matches!(unknown.guess, Guess::Any | Guess::Str) => Leaf::Unknown(unknown.guess),
        other => match to_array(it, other)? {
            Some(array) => Leaf::Array(array.aval.clone()),
            None if loose => match aval_of(it, other) {
                Ok(aval) => Leaf::Array(aval),
                Err(Halt::Raise(_)) => return Ok(None),
                Err(halt) => return Err(halt),
            },
            None => return Ok(None),
        },
    }))
}

/// Finds the types of the leaves.
fn type_leaves(it: &Rc<Interp>, fun: &Value, call: &mut Call, loose: bool) -> Step<()> {
    for i in 0..call.leaves.len() {
        let found = leaf_type(it, &call.leaves[i], loose);
        let leaf = match found {
            Ok(Some(leaf)) => leaf,
            Ok(None) => return Err(not_an_array(it, fun, call, i)?),
            Err(Halt::Raise(exception)) if it.is_exception(&exception, "OverflowError") => {
                return Err(overflow(it, fun, call, i)?);
            }
            Err(halt) => return Err(halt),
        };
        call.types.push(leaf);
    }
    Ok(())
}

#[cold]
fn not_an_array(it: &Rc<Interp>, fun: &Value, call: &Call, at: usize) -> Step<Halt> {
    let names = leaf_names(it, fun, call)?;
    Ok(Halt::type_error(format!(
        "Error interpreting argument to {} as an abstract array. The problematic value is of type {} and was passed to the \
         function at path {}.\nThis typically means that a jit-wrapped function was called with a non-array argument, and this \
         argument was not marked as static using the static_argnums or static_argnames parameters of jax.jit.",
        introspection::shown(it, fun),
        class_text(it, &call.leaves[at]),
        names.get(at).map_or("unknown", |n| n),
    )))
}

#[cold]
fn overflow(it: &Rc<Interp>, fun: &Value, call: &Call, at: usize) -> Step<Halt> {
    let names = leaf_names(it, fun, call)?;
    Ok(Halt::raise(
        "OverflowError",
        format!(
            "An overflow was encountered while parsing an argument to a jitted computation, whose argument path is {}. Got {} with \
             value {}",
            names.get(at).map_or("unknown", |n| n),
            class_text(it, &call.leaves[at]),
            introspection::shown(it, &call.leaves[at]),
        ),
    ))
}

/// The names of the leaves of the arguments, as messages print them: `x['a']`.
fn leaf_names(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Vec<Rc<str>>> {
    let params = signature(it, fun)?;
    let positional = call
        .statics
        .iter()
        .map(|s| s.place)
        .chain(call.dynamic.iter().map(|(p, _)| *p))
        .filter(|p| matches!(p, Place::Position(_)))
        .count();
    let keywords: Vec<(Symbol, Value)> = call
        .statics
        .iter()
        .map(|s| s.place)
        .chain(call.dynamic.iter().map(|(p, _)| *p))
        .filter_map(|p| match p {
            Place::Name(name) => Some((name, Value::None)),
            Place::Position(_) => None,
        })
        .collect();
    let (by_position, by_name) = argument_names(params.as_deref(), &vec![Value::None; positional], &keywords);
    let mut found = Vec::with_capacity(call.leaves.len());
    for (place, def) in &call.dynamic {
        let base = match place {
            Place::Position(i) => by_position.get(*i).cloned().unwrap_or_default(),
            Place::Name(name) => {
                let at = keywords.iter().position(|(n, _)| n == name);
                at.and_then(|i| by_name.get(i).cloned()).unwrap_or_default()
            }
        };
        if def.is_leaf() {
            found.push(base.into());
        } else {
            found.extend(leaf_paths(it, def)?.into_iter().map(|path| format!("{base}{path}").into()));
        }
    }
    Ok(found)
}

/// Puts the arguments of a call together again with other leaves.
fn put_together(it: &Rc<Interp>, call: &Call, leaves: Vec<Value>) -> Step<Args> {
    let mut args = Args::none();
    let mut leaves = leaves.into_iter();
    let mut places: Vec<(Place, Value)> = call.statics.iter().map(|s| (s.place, s.value.clone())).collect();
    for (place, def) in &call.dynamic {
        let value = match def.is_leaf() {
            true => leaves.next().unwrap_or(Value::None),
            false => tree::unflatten(it, def, leaves.by_ref().take(def.num_leaves()).collect::<Vec<_>>())?,
        };
        places.push((*place, value));
    }
    let mut positional: Vec<(usize, Value)> = Vec::new();
    for (place, value) in places {
        match place {
            Place::Position(i) => positional.push((i, value)),
            Place::Name(name) => args.keyword.push((name, value)),
        }
    }
    positional.sort_by_key(|(i, _)| *i);
    args.positional.extend(positional.into_iter().map(|(_, v)| v));
    args.keyword.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
    Ok(args)
}

/// The results of a traced function as arrays, what is not known aside.
///
/// # Errors
/// `TypeError` for what is no array.
pub fn results(it: &Rc<Interp>, value: &Value, fun: &Value, api: &str) -> Step<(Def, Vec<Out>, Vec<Val>)> {
    let (leaves, def) = tree::flatten(it, value)?;
    let mut outs = Vec::with_capacity(leaves.len());
    let mut arrays = Vec::with_capacity(leaves.len());
    for (i, leaf) in leaves.into_iter().enumerate() {
        if let Value::Unknown(unknown) = &leaf
            && matches!(unknown.guess, Guess::Any | Guess::Str)
        {
            outs.push(Out::Unknown(leaf));
            continue;
        }
        let Some(array) = to_array(it, &leaf)? else {
            let path = leaf_paths(it, &def)?.swap_remove(i);
            let extra = if path.is_empty() { String::new() } else { format!(" at output component {path}") };
            return Err(Halt::type_error(format!(
                "function {} traced for {api} returned a value of type {}{extra}, which is not a valid JAX type",
                introspection::source(it, fun)?,
                class_text(it, &leaf),
            )));
        };
        outs.push(Out::Array);
        arrays.push(array);
    }
    Ok((def, outs, arrays))
}

/// Traces a function for the types of a call.
fn stage(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Rc<Traced>> {
    let linearized = it.engine.linearized.get();
    let avals: Vec<Aval> =
        call.types.iter().filter_map(|t| if let Leaf::Array(a) = t { Some(a.clone()) } else { None }).collect();
    let arguments: Rc<[Rc<str>]> = leaf_names(it, fun, call)?
        .into_iter()
        .zip(&call.types)
        .filter(|(_, t)| matches!(t, Leaf::Array(_)))
        .map(|(n, _)| n)
        .collect();
    let debug = DebugInfo { traced_for: "jit".into(), function: introspection::source(it, fun)?.into(), arguments };
    let about = RefCell::new(None);
    let trace = RefCell::new(None);
    let body = |tracers: &[Val]| {
        *trace.borrow_mut() = Some(it.engine.trace());
        let mut tracers = tracers.iter();
        let leaves = call.types.iter().zip(&call.leaves).map(|(t, given)| match t {
            Leaf::Array(_) => tracers.next().cloned().map_or(Value::None, Value::Array),
            Leaf::Unknown(_) => given.clone(),
        });
        let args = put_together(it, call, leaves.collect())?;
        let value = match it.call(fun, args)? {
            Value::Unknown(unknown) if matches!(unknown.guess, Guess::Any) => {
                return Err(Halt::Unknown(unknown.why.clone()));
            }
            value => value,
        };
        let (def, outs, arrays) = results(it, &value, fun, "jit")?;
        *about.borrow_mut() = Some((def, outs));
        Ok(arrays)
    };
    let closed = trace_to_jaxpr(&it.engine, &body, &avals, debug)?;
    let (out_def, outs) = about.into_inner().ok_or_else(|| Halt::unknown("a function that was not traced"))?;
    super::core::leaks::check(it, fun, trace.take(), "DynamicJaxprTrace")?;
    if it.engine.config().debug_key_reuse {
        crate::transforms::key_reuse::check_graph(&closed)?;
    }
    let (graph, consts) = match closed.consts.iter().any(|c| c.is_tracer()) {
        true => closed.separate(),
        false => (closed, Vec::new()),
    };
    let linearized = it.engine.linearized.get() - linearized;
    Ok(Rc::new(Traced { graph, consts, out_def, outs, linearized }))
}

fn same_static(it: &Rc<Interp>, a: &Static, b: &Static) -> Step<bool> {
    if a.place != b.place {
        return Ok(false);
    }
    if let (Value::Unknown(a), Value::Unknown(b)) = (&a.value, &b.value) {
        return Ok(Rc::ptr_eq(a, b));
    }
    if !Rc::ptr_eq(&it.class_of(&a.value), &it.class_of(&b.value)) {
        return Ok(false);
    }
    match it.compare(CompareOp::Eq, &a.value, &b.value).and_then(|same| it.truth(&same)) {
        Ok(same) => Ok(same),
        Err(Halt::Unknown(_)) => Ok(a.value.is(&b.value)),
        Err(halt) => Err(halt),
    }
}

fn fits(it: &Rc<Interp>, entry: &Entry, call: &Call, config: &Rc<Config>) -> Step<bool> {
    if entry.types != call.types || entry.statics.len() != call.statics.len() {
        return Ok(false);
    }
    if !Rc::ptr_eq(&entry.config, config) && entry.config.context() != config.context() {
        return Ok(false);
    }
    if entry.axes != *it.engine.axes() || !tree::same(it, &entry.def, &call.def)? {
        return Ok(false);
    }
    for (a, b) in entry.statics.iter().zip(&call.statics) {
        if !same_static(it, a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The trace of a function for the types of a call: a remembered one, or a new one.
///
/// # Errors
/// What the function raises; unknown where its results are not known.
pub fn traced(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<(Rc<Traced>, usize)> {
    let cache = it.extension::<Traces>();
    let key = function_key(it, fun)?;
    let config = it.engine.config();
    let known = cache.functions.borrow().get(&key).cloned().unwrap_or_default();
    for entry in &known {
        if fits(it, entry, call, &config)? {
            let traced = entry.outcome.clone().map_err(Halt::Unknown)?;
            it.engine.linearized.set(it.engine.linearized.get() + traced.linearized);
            return Ok((traced, Rc::as_ptr(entry) as usize));
        }
    }
    let under_way = cache.pending.borrow().clone();
    for pending in &under_way {
        if pending.0 == key && fits(it, &pending.1, call, &config)? {
            let name = introspection::name(it, fun)?;
            let text =
                format!("Recursively calling <weakref at 0x7f0000000000; to 'function' at 0x7f0000000000 ({name})>");
            return Err(Halt::raise("RecursionError", text));
        }
    }
    // Whether an unknown argument would really differ from the one before is not known either.
    let unknown = |statics: &[Static], types: &[Leaf]| {
        statics.iter().any(|s| s.value.is_unknown()) || types.iter().any(|t| matches!(t, Leaf::Unknown(_)))
    };
    let doubtful = !known.is_empty()
        && (unknown(&call.statics, &call.types) || known.iter().any(|entry| unknown(&entry.statics, &entry.types)));
    if !doubtful {
        note_miss(it, fun, call, &known)?;
    }
    // What is traced anew in a round that stands for many may be traced anew in each of them.
    let doubtful = doubtful || !known.is_empty() && it.in_widened_loop.get();
    let entry = |outcome| Entry {
        statics: call.statics.clone(),
        def: call.def.clone(),
        types: call.types.clone(),
        config: config.clone(),
        axes: it.engine.axes().clone(),
        outcome,
    };
    cache.pending.borrow_mut().push((key.clone(), Rc::new(entry(Err(Why("it is being traced".into()))))));
    let doubts = it.doubtful_runs.replace(it.doubtful_runs.get() || doubtful);
    let result = it.answered_by_cache(|| stage(it, fun, call));
    it.doubtful_runs.set(doubts);
    cache.pending.borrow_mut().pop();
    let outcome = match result {
        Ok(traced) => Ok(traced),
        Err(Halt::Unknown(why)) => Err(why),
        Err(halt) => return Err(halt),
    };
    if let Ok(traced) = &outcome {
        note_graph(it, fun, traced)?;
    }
    let entry = Rc::new(entry(outcome.clone()));
    let id = Rc::as_ptr(&entry) as usize;
    cache.functions.borrow_mut().entry(key).or_default().push(entry);
    Ok((outcome.map_err(Halt::Unknown)?, id))
}

/// Keeps the graph of a user's function where somebody asked for it.
fn note_graph(it: &Rc<Interp>, fun: &Value, traced: &Traced) -> Step<()> {
    if !it.graphs.wanted.get() {
        return Ok(());
    }
    if let Some(function) = introspection::unwrapped(it, fun)?
        && function.module.unit.user
    {
        let called = it.user_stack.borrow().last().map(|(site, _)| *site);
        let graph = super::core::graph::with_constants(traced.graph.clone(), traced.consts.clone());
        it.graphs.note(&function, called, graph);
    }
    Ok(())
}

/// Traces a function by itself for the types of the arrays among these arguments; all others are static.
///
/// # Errors
/// What the function raises.
pub fn trace_alone(it: &Rc<Interp>, fun: &Value, args: Args) -> Step<()> {
    let mut options = Options::default();
    for (i, value) in args.positional.iter().enumerate() {
        if !all_arrays(it, value)? {
            options.static_nums.push(i as i64);
        }
    }
    for (name, value) in &args.keyword {
        if !all_arrays(it, value)? {
            options.static_names.push(*name);
        }
    }
    JitObject::new(fun.clone(), options).trace(it, args).map(drop)
}

/// Whether all leaves of a value are arrays (or not known), and there are some.
fn all_arrays(it: &Rc<Interp>, value: &Value) -> Step<bool> {
    let (leaves, _) = tree::flatten(it, value)?;
    Ok(!leaves.is_empty() && leaves.iter().all(|l| matches!(l, Value::Array(_) | Value::Object(_) | Value::Unknown(_))))
}

/// Whether it is a function whose calls are traced.
pub fn is_traced(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.downcast::<JitObject>().is_some())
}

/// Earlier traces that a new one is compared with, to say what is new about it.
const MOST_COMPARED: usize = 16;

/// Notes what differs from the nearest earlier trace.
fn note_miss(it: &Rc<Interp>, fun: &Value, call: &Call, known: &[Rc<Entry>]) -> Step<()> {
    let Some((site, _)) = it.user_stack.borrow().last().copied() else { return Ok(()) };
    let Some(function) = introspection::unwrapped(it, fun)? else { return Ok(()) };
    if !function.module.unit.user {
        return Ok(());
    }
    let names = leaf_names(it, fun, call)?;
    let differences = known.iter().rev().take(MOST_COMPARED).rev().map(|entry| differences(it, entry, call, &names));
    let differences = differences.min_by_key(Vec::len).unwrap_or_default();
    it.events.note(Event::CacheMiss {
        site,
        function: function.name(),
        defined: crate::python::Site { file: function.module.unit.file, span: function.code().name_span },
        seen_before: known.len(),
        differences,
    });
    Ok(())
}

fn differences(it: &Rc<Interp>, entry: &Entry, call: &Call, names: &[Rc<str>]) -> Vec<String> {
    let mut found = Vec::new();
    let text = |leaf: &Leaf| match leaf {
        Leaf::Array(aval) => format!("{aval}{}", if aval.weak { " (weak)" } else { "" }),
        Leaf::Unknown(_) => "unknown".into(),
    };
    if tree::same(it, &entry.def, &call.def).unwrap_or(false) {
        for ((old, new), name) in entry.types.iter().zip(&call.types).zip(names) {
            if old != new {
                found.push(format!("{name}: now {}, before {}", text(new), text(old)));
            }
        }
    } else {
        found.push("the structure of the arguments".into());
    }
    for new in &call.statics {
        let place = match new.place {
            Place::Position(i) => format!("static argument {i}"),
            Place::Name(name) => format!("static argument {name}"),
        };
        match entry.statics.iter().find(|old| old.place == new.place) {
            Some(old) if same_static(it, old, new).unwrap_or(true) => {}
            Some(old) => found.push(format!(
                "{place}: now {}, before {}",
                introspection::shown(it, &new.value),
                introspection::shown(it, &old.value)
            )),
            None => found.push(place),
        }
    }
    let (old, new) = (entry.config.context(), it.engine.config().context());
    for (name, value) in &new {
        let before = old.iter().find(|(n, _)| n == name).map_or("default", |(_, v)| v);
        if before != value {
            found.push(format!("{name}: now {value}, before {before}"));
        }
    }
    found
}

impl JitObject {
    /// What `jit` was told.
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// A compiled function.
    pub fn new(fun: Value, options: Options) -> JitObject {
        JitObject { fun, options, attrs: RefCell::default(), calls: RefCell::default() }
    }

    fn apply(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        if it.engine.config().disable_jit {
            return it.call(&self.fun, args);
        }
        if let Value::Unknown(unknown) = &self.fun {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        let again = it.engine.config().debug_nans.then(|| args.clone());
        let mut call = take_apart(it, &self.options, args)?;
        type_leaves(it, &self.fun, &mut call, false)?;
        let cache = it.extension::<Traces>();
        let gone = match cache.any_deleted.get() {
            true => call.leaves.iter().position(|l| matches!(l, Value::Array(array) if cache.is_deleted(array))),
            false => None,
        };
        let (traced, id) = traced(it, &self.fun, &call)?;
        let kinds: Vec<bool> = call.leaves.iter().map(|l| matches!(l, Value::Array(_))).collect();
        let compiled = it.engine.is_top_level() && self.calls.borrow().contains(&(id, kinds.clone()));
        if let Some(at) = gone
            && let Value::Array(array) = &call.leaves[at]
        {
            // What was compiled before is run at once: its runtime finds out.
            return Err(match compiled {
                true => Halt::value_error(format!(
                    "INVALID_ARGUMENT: Invalid buffer passed to Execute() as argument {at} to replica 0: INVALID_ARGUMENT: \
                     Buffer has been deleted or donated."
                )),
                false => deleted(array),
            });
        }
        if it.engine.is_top_level() {
            self.calls.borrow_mut().insert((id, kinds));
        }
        let mut inputs: Vec<Val> = Vec::with_capacity(traced.consts.len() + call.leaves.len());
        inputs.extend(traced.consts.iter().cloned());
        for (leaf, of) in call.leaves.iter().zip(&call.types) {
            if let Leaf::Array(_) = of {
                inputs.push(to_array(it, leaf)?.ok_or_else(|| Halt::unknown("an argument that is no array"))?);
            }
        }
        let mut primitive = Jit::new(introspection::name(it, &self.fun)?, traced.graph.clone(), self.options.inline);
        let donates = !(self.options.donate_nums.is_empty() && self.options.donate_names.is_empty());
        if donates {
            let flags = self.donated(&call);
            for (flag, donated) in primitive.donated.iter_mut().skip(traced.consts.len()).zip(&flags) {
                *flag = *donated;
            }
        }
        let donated = primitive.donated.clone();
        it.array_work.set(it.array_work.get() + 1);
        let found = it.engine.bind(Rc::new(primitive), &inputs)?;
        if let Some(args) = again
            && it.engine.is_top_level()
            && it.engine.has_nan(&found)
        {
            // Without being compiled, it shows where the first one comes from.
            it.call(&self.fun, args)?;
        }
        if donates && it.engine.is_top_level() && !it.engine.config().debug_nans {
            delete_donated(&cache, &inputs, &donated, &traced.out_avals(), compiled)?;
        }
        let mut found = found.into_iter();
        let outs = traced.outs.iter().map(|out| match out {
            Out::Array => found.next().map_or(Value::None, Value::Array),
            Out::Unknown(value) => value.clone(),
        });
        if traced.out_def.is_leaf() {
            return Ok(outs.into_iter().next().unwrap_or(Value::None));
        }
        tree::unflatten(it, &traced.out_def, outs.collect::<Vec<_>>())
    }

    /// Which array leaves are donated.
    fn donated(&self, call: &Call) -> Vec<bool> {
        let mut flags = Vec::with_capacity(call.types.len());
        let mut types = call.types.iter();
        for (place, def) in &call.dynamic {
            let donate = match place {
                // Numbers count all arguments, static ones too.
                Place::Position(i) => self.options.donate_nums.contains(&(*i as i64)),
                Place::Name(name) => self.options.donate_names.contains(name),
            };
            for of in types.by_ref().take(def.num_leaves()) {
                if let Leaf::Array(_) = of {
                    flags.push(donate);
                }
            }
        }
        flags
    }

    /// The trace for these arguments, which may be mere types.
    ///
    /// # Errors
    /// As a call.
    pub fn trace(&self, it: &Rc<Interp>, args: Args) -> Step<(Rc<Traced>, Call)> {
        let mut call = take_apart(it, &self.options, args)?;
        type_leaves(it, &self.fun, &mut call, true)?;
        let (traced, _) = traced(it, &self.fun, &call)?;
        Ok((traced, call))
    }

    /// The trace as what the prelude builds `Traced` from: the graph, results' types and structure, arguments' types and
    /// structure, names of the arguments, donated flags.
    fn trace_value(&self, it: &Rc<Interp>, args: Args) -> Step<Value> {
        let (traced, call) = self.trace(it, args)?;
        let out_avals = out_types(it, &traced)?;
        let in_avals = call.types.iter().map(|t| leaf_value(it, t)).collect::<Step<Vec<_>>>()?;
        let names = leaf_names(it, &self.fun, &call)?.into_iter().map(Value::Str).collect();
        let donated = self.donated(&call).into_iter().map(Value::Bool).collect();
        Ok(Value::tuple([
            super::core::graph::value(traced.graph.clone(), traced.consts.clone()),
            Value::list(out_avals),
            tree::def_value(traced.out_def.clone()),
            Value::list(in_avals),
            tree::def_value(call.def.clone()),
            Value::list(names),
            Value::list(donated),
            Value::Str(introspection::name(it, &self.fun)?),
        ]))
    }
}

fn leaf_value(it: &Rc<Interp>, leaf: &Leaf) -> Step<Value> {
    match leaf {
        Leaf::Array(aval) => super::core::types::aval_value(it, aval),
        Leaf::Unknown(_) => Ok(Value::unknown("the type of an unknown argument")),
    }
}

fn out_types(it: &Rc<Interp>, traced: &Traced) -> Step<Vec<Value>> {
    let mut avals = traced.out_avals().into_iter();
    let one = |out: &Out| match out {
        Out::Array => avals.next().map_or(Ok(Value::None), |a| super::core::types::aval_value(it, &a)),
        Out::Unknown(value) => Ok(value.clone()),
    };
    traced.outs.iter().map(one).collect()
}

/// Marks those donated inputs as gone whose buffers some result can take over.
fn delete_donated(cache: &Traces, inputs: &[Val], donated: &[bool], outs: &[Aval], compiled: bool) -> Step<()> {
    let mut free: Vec<&Aval> = outs.iter().collect();
    for (i, (input, donated)) in inputs.iter().zip(donated).enumerate() {
        if !donated || input.is_tracer() || input.is_literal() && input.aval.rank() == 0 {
            continue;
        }
        let bits = |a: &Aval| a.size().map(|n| n * a.dtype.bits() as usize);
        if let Some(at) = free.iter().position(|o| bits(o) == bits(&input.aval) && o.shape == input.aval.shape) {
            free.remove(at);
            if let Some(other) = inputs.iter().enumerate().position(|(j, other)| j != i && Rc::ptr_eq(input, other)) {
                return Err(Halt::raise(
                    if compiled { "ValueError" } else { "jax.errors.JaxRuntimeError" },
                    format!(
                        "INVALID_ARGUMENT: Attempt to use a buffer that was previously donated in the same call to Execute() \
                         (flattened argument {}, replica 0, partition 0, first use: {}). Toy example for this bug: \
                         `f(donate(a), a)`.",
                        i.max(other),
                        i.min(other)
                    ),
                ));
            }
            cache.delete(input);
        }
    }
    Ok(())
}

impl Object for JitObject {
    fn type_name(&self) -> String {
        "PjitFunction".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(sym!("jaxlib.PjitFunction")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn callable(&self) -> bool {
        true
    }
    fn call(self: Rc<Self>, it: &Rc<Interp>, args: Args) -> Step<Value> {
        self.apply(it, args)
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        if let Some(value) = self.attrs.borrow().get(&name) {
            return Ok(Some(value.clone()));
        }
        let method = |name: &'static str, body: fn(&Rc<Interp>, &Rc<JitObject>, Args) -> Step<Value>| {
            let this = self.clone();
            Ok(Some(NativeFn::value(name, move |it, args| body(it, &this, args))))
        };
        let stages = |it: &Rc<Interp>, this: &Rc<JitObject>, args: Args, member: &str| {
            let parts = this.trace_value(it, args)?;
            let make = super::prelude_member(it, "jax._engine", member)?;
            it.call_with(&make, [Value::Object(this.clone()), parts])
        };
        match name.as_str() {
            "__wrapped__" | "_fun" => Ok(Some(self.fun.clone())),
            "__get__" => method("__get__", |_, this, args| {
                let this = Value::Object(this.clone());
                Ok(match args.positional.into_iter().next() {
                    None | Some(Value::None) => this,
                    Some(receiver) => Value::Method(Rc::new(Method { receiver, function: this })),
                })
            }),
            "__call__" => Ok(Some(Value::Object(self))),
            "_cache_size" => method("_cache_size", |_, this, _| Ok(Value::size(this.calls.borrow().len()))),
            "clear_cache" | "_clear_cache" => method("clear_cache", |it, this, _| {
                this.calls.borrow_mut().clear();
                let key = function_key(it, &this.fun)?;
                it.extension::<Traces>().functions.borrow_mut().remove(&key);
                Ok(Value::None)
            }),
            "trace" => Ok(Some(NativeFn::value("trace", move |it, args| stages(it, &self, args, "Traced")))),
            "lower" => Ok(Some(NativeFn::value("lower", move |it, args| stages(it, &self, args, "lowered")))),
            "eval_shape" => {
                Ok(Some(NativeFn::value("eval_shape", move |it, args| stages(it, &self, args, "out_info"))))
            }
            "__name__" | "__qualname__" | "__module__" | "__doc__" | "__annotations__" => it.find_attr(&self.fun, name),
            _ => match &self.fun {
                Value::Function(function) => Ok(function.attrs.get().and_then(|a| a.read().get(&name).cloned())),
                _ => Ok(None),
            },
        }
    }
    fn setattr(&self, _: &Rc<Interp>, name: Symbol, value: Value) -> Step<bool> {
        self.attrs.borrow_mut().insert(name, value);
        Ok(true)
    }
    fn repr(self: Rc<Self>, it: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        let inner = it.repr(&self.fun)?;
        match inner.as_str() {
            Some(text) => Ok(Some(format!("<PjitFunction of {text}>"))),
            None => Err(Halt::unknown("the text of a compiled function")),
        }
    }
}

// ------------------------------------------------------------------------------------------------------ jax.jit itself

fn index_tuple(it: &Rc<Interp>, value: &Value) -> Step<Vec<i64>> {
    if let Some(one) = value.as_int() {
        return Ok(vec![one]);
    }
    match value {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        Value::Str(text) if !text.is_empty() => {
            Err(Halt::type_error("'str' object cannot be interpreted as an integer"))
        }
        other => it.to_vec(other)?.iter().map(|v| it.index(v)).collect(),
    }
}

fn name_tuple(it: &Rc<Interp>, value: &Value) -> Step<Vec<Symbol>> {
    if let Value::Str(name) = value {
        return Ok(vec![Symbol::from(name)]);
    }
    if let Value::Unknown(unknown) = value {
        return Err(Halt::Unknown(unknown.why.clone()));
    }
    it.to_vec(value)?
        .iter()
        .map(|v| match v.as_str() {
            Some(name) => Ok(Symbol::from(name)),
            None => Err(Halt::type_error(format!("argument {} is not a string", introspection::shown(it, v)))),
        })
        .collect()
}

fn tuple_text(items: &[i64]) -> String {
    match items {
        [one] => format!("({one},)"),
        _ => format!("({})", items.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn set_text(names: &[Symbol]) -> String {
    format!("{{{}}}", names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", "))
}

/// Completes numbers by names and names by numbers, and checks both against the function's parameters.
fn resolve(
    it: &Rc<Interp>,
    params: Option<&[introspection::Param]>,
    what: &str,
    nums: Option<&Value>,
    names: Option<&Value>,
) -> Step<(Vec<i64>, Vec<Symbol>)> {
    let given_nums = nums.map(|v| index_tuple(it, v)).transpose()?;
    let given_names = names.map(|v| name_tuple(it, v)).transpose()?;
    let Some(params) = params else {
        return Ok((given_nums.unwrap_or_default(), given_names.unwrap_or_default()));
    };
    let (nums, names) = match (given_nums, given_names) {
        (None, None) => return Ok((Vec::new(), Vec::new())),
        (Some(nums), Some(names)) => (nums, names),
        (None, Some(names)) => {
            let at = |(i, p): (usize, &introspection::Param)| {
                (p.takes == Takes::Either && names.contains(&p.name)).then_some(i as i64)
            };
            (params.iter().enumerate().filter_map(at).collect(), names)
        }
        (Some(nums), None) => {
            let named = |(i, p): (usize, &introspection::Param)| {
                (p.takes == Takes::Either && nums.contains(&(i as i64))).then_some(p.name)
            };
            let names = params.iter().enumerate().filter_map(named).collect();
            (nums, names)
        }
    };
    let plain = params.iter().filter(|p| matches!(p.takes, Takes::Position | Takes::Either)).count() as i64;
    let takes_rest = params.iter().any(|p| p.takes == Takes::Rest);
    if !takes_rest && nums.iter().any(|n| *n >= plain || -*n > plain) {
        return Err(Halt::value_error(format!(
            "Jitted function has {what}_argnums={}, but only accepts {plain} positional arguments.",
            tuple_text(&nums)
        )));
    }
    let of = |test: &dyn Fn(&Symbol) -> bool| names.iter().copied().filter(|n| test(n)).collect::<Vec<_>>();
    let wrong = of(&|n| params.iter().any(|p| p.name == *n && matches!(p.takes, Takes::Position | Takes::Rest)));
    if !wrong.is_empty() {
        return Err(Halt::value_error(format!(
            "Jitted function has invalid argnames {} in {what}_argnames. These are positional-only",
            set_text(&wrong)
        )));
    }
    let takes_names = params.iter().any(|p| p.takes == Takes::Names);
    let wrong = of(&|n| !params.iter().any(|p| p.name == *n && matches!(p.takes, Takes::Either | Takes::Name)));
    if !takes_names && !wrong.is_empty() {
        return Err(Halt::value_error(format!(
            "Jitted function has invalid argnames {} in {what}_argnames. Function does not take these args.",
            set_text(&wrong)
        )));
    }
    Ok((nums, names))
}

/// The keyword arguments of `jax.jit` that have no effect here.
const IGNORED: &[&str] =
    &["in_shardings", "out_shardings", "keep_unused", "device", "backend", "compiler_options", "abstracted_axes"];

fn jit(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let fun = match args.positional.len() {
        0 => args.take_keyword("fun").or_else(|| args.take_keyword("fn")),
        1 => args.positional.pop(),
        n => return Err(Halt::type_error(format!("jit() takes from 0 to 1 positional arguments but {n} were given"))),
    };
    for name in IGNORED {
        args.take_keyword(name);
    }
    for (name, _) in &args.keyword {
        if !matches!(
            name.as_str(),
            "static_argnums" | "static_argnames" | "donate_argnums" | "donate_argnames" | "inline"
        ) {
            return Err(Halt::type_error(format!("jit() got an unexpected keyword argument '{name}'")));
        }
    }
    let Some(fun) = fun.filter(|f| !f.is_unbound()) else {
        let args = args.clone();
        return Ok(NativeFn::value("jit", move |it, given| {
            let [fun] = given.exactly("jit")?;
            let mut call = args.clone();
            call.positional.push(fun);
            jit(it, call)
        }));
    };
    if fun.is_none() {
        return Err(Halt::type_error("Expected a callable value, got None"));
    }
    introspection::check_callable(it, &fun)?;
    let given = |args: &mut Args, name: &str| args.take_keyword(name).filter(|v| !v.is_none());
    let static_nums = given(&mut args, "static_argnums");
    let static_names = given(&mut args, "static_argnames");
    let donate_nums = given(&mut args, "donate_argnums");
    let donate_names = given(&mut args, "donate_argnames");
    let inline = match given(&mut args, "inline") {
        Some(flag) => it.truth(&flag)?,
        None => false,
    };
    let mut options = Options { inline, ..Options::default() };
    if static_nums.is_some() || static_names.is_some() || donate_nums.is_some() || donate_names.is_some() {
        let params = signature(it, &fun)?;
        let empty = |v: &Value| matches!(v, Value::Tuple(items) if items.is_empty());
        let params = params.as_deref();
        (options.static_nums, options.static_names) = resolve(
            it,
            params,
            "static",
            static_nums.as_ref(),
            static_names.as_ref().filter(|v| !(static_nums.is_some() && empty(v))),
        )?;
        (options.donate_nums, options.donate_names) =
            resolve(it, params, "donate", donate_nums.as_ref(), donate_names.as_ref())?;
        let both: Vec<Symbol> =
            options.static_names.iter().copied().filter(|n| options.donate_names.contains(n)).collect();
        if !both.is_empty() {
            return Err(Halt::value_error(format!(
                "static_argnames and donate_argnames cannot intersect. Argument names {} appear in both static_argnames and \
                 donate_argnames",
                set_text(&both)
            )));
        }
        if let Some(both) = options.static_nums.iter().find(|n| options.donate_nums.contains(n)) {
            return Err(Halt::value_error(format!(
                "static_argnums and donate_argnums cannot intersect. Argument positions {{{both}}} appear in both static_argnums \
                 and donate_argnums"
            )));
        }
    }
    Ok(Value::Object(Rc::new(JitObject::new(fun, options))))
}

/// The compiled function in a value.
pub fn jitted(value: &Value) -> Option<&JitObject> {
    match value {
        Value::Object(object) => object.downcast(),
        _ => None,
    }
}

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut super::core::Members) {
    let class = Class::new(
        sym!("PjitFunction"),
        sym!("jaxlib._jax"),
        vec![it.types.object.clone()],
        Attrs::default(),
        crate::python::class::Root::Other,
    )
    .expect("one base is always in order");
    it.named_classes.borrow_mut().insert(sym!("jaxlib.PjitFunction"), Value::Class(class));
    members.function("jit", jit);
    members.function("full_jit", jit);
    // What `jax.jit(f, static_argnums=…).trace(*args, **kwargs)` learns, in parts.
    members.function("trace_parts", |it, args| {
        let [f, nums, args, kwargs] = args.exactly("trace_parts")?;
        let call = introspection::call_parts(it, &args, &kwargs)?;
        if let Some(jitted) = jitted(&f) {
            return jitted.trace_value(it, call);
        }
        let params = signature(it, &f)?;
        let nums = (!nums.is_none()).then_some(&nums);
        let (static_nums, static_names) = resolve(it, params.as_deref(), "static", nums, None)?;
        introspection::check_callable(it, &f)?;
        JitObject::new(f, Options { static_nums, static_names, ..Options::default() }).trace_value(it, call)
    });
    members.function("is_jitted", |_, args| {
        let [f] = args.exactly("is_jitted")?;
        Ok(Value::Bool(jitted(&f).is_some()))
    });
    members.function("clear_caches", |it, _| {
        it.extension::<Traces>().clear();
        it.extension::<super::core::staging::Staged>().clear();
        Ok(Value::None)
    });
    members.function("is_deleted", |it, args| {
        let [x] = args.exactly("is_deleted")?;
        Ok(Value::Bool(matches!(&x, Value::Array(array) if it.extension::<Traces>().is_deleted(array))))
    });
    members.function("delete", |it, args| {
        let [x] = args.exactly("delete")?;
        if let Value::Array(array) = &x {
            it.extension::<Traces>().delete(array);
        }
        Ok(Value::None)
    });
}
