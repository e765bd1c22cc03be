//! Traces by function: found again for a call that fits, made for one that does not.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arguments::{is_type_alone, leaf_names, or_none, put_together};
use super::misses::{First, note_hit, note_miss, note_traced};
use super::wrapped::Wrapped;
use super::{Call, JitObject, Leaf, Options, Out, Static, Traced};
use crate::array::{Aval, DType, Dim};
use crate::frameworks::jax::core::conversion::{class_text, to_array};
use crate::frameworks::jax::core::identity::{Methods, function_key};
use crate::frameworks::jax::core::introspection::{self};
use crate::frameworks::jax::core::refs::{self, Frame, Used, captured_first, is_ref, returned};
use crate::frameworks::jax::core::tree::{self, Asks, Def, leaf_paths};
use crate::frameworks::jax::recipes;
use crate::interp::effects::Reading;
use crate::interp::{How, Interp, Named};
use crate::module::CompareOp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Args, Function, Guess, Key, Site, Subject, Value};
use crate::trace::{Config, DebugInfo, Layout, Val};
use crate::transforms::fixed_keys::{fixed_keys, of_constant};
use crate::transforms::trace_to_jaxpr;

/// What a function did for the types of a call.
pub(super) struct Entry {
    pub(super) statics: SmallVec<[Static; 1]>,
    pub(super) def: Def,
    pub(super) types: Vec<Leaf>,
    pub(super) layouts: Vec<Layout>,
    pub(super) config: Rc<Config>,
    axes: Vec<(Rc<str>, Dim)>,
    outcome: Result<Rc<Traced>, Why>,
}

/// The traces of a run, by function.
#[derive(Default)]
pub struct Traces {
    pub(super) functions: RefCell<FxHashMap<Key, Vec<Rc<Entry>>>>,
    pending: RefCell<Vec<(Key, Rc<Entry>)>>,
    /// Functions that were traced for the first time, by where they were compiled and defined.
    pub(super) first: RefCell<FxHashMap<(Site, Site), Vec<First>>>,
    /// The bound methods among the functions: their traces go when they go.
    methods: Methods,
    /// Whether the call that was answered last was traced.
    pub(super) missed: Cell<bool>,
    /// How often all were forgotten.
    pub(super) cleared: Cell<u64>,
}

impl Traces {
    /// Forgets all traces.
    pub fn clear(&self) {
        self.cleared.set(self.cleared.get() + 1);
        self.functions.borrow_mut().clear();
        self.first.borrow_mut().clear();
    }
    /// Forgets those of one function.
    pub(super) fn forget(&self, it: &Rc<Interp>, fun: &Value) -> Step<()> {
        self.functions.borrow_mut().remove(&function_key(it, fun)?);
        if let Some(function) = introspection::unwrapped(it, fun)? {
            let span = function.code().name_span;
            let file = function.module.unit.file;
            self.first.borrow_mut().retain(|(_, defined), _| defined.file != file || defined.span != span);
        }
        Ok(())
    }
}

/// The results of a traced function as arrays, what is not known aside.
///
/// # Errors
/// `TypeError` for what is no array.
pub fn results(it: &Rc<Interp>, value: &Value, fun: &Value, api: &str) -> Step<(Def, Vec<Out>, Vec<Val>)> {
    let (leaves, def) = match api {
        "jit" | "scan" | "fori_loop" | "map" | "while_cond" | "while_body" | "while_loop" | "cond" | "switch"
        | "checkpoint / remat" => tree::flatten_asking(it, value, Asks::NAMED)?,
        _ => tree::flatten(it, value)?,
    };
    let mut outs = Vec::with_capacity(leaves.len());
    let mut arrays = Vec::with_capacity(leaves.len());
    for (i, leaf) in leaves.into_iter().enumerate() {
        let (leaf, known) = match or_none(&leaf) {
            Some(held) => (held, Out::Maybe),
            None => (leaf, Out::Array),
        };
        if let Value::Unknown(unknown) = &leaf
            && matches!(unknown.guess, Guess::Any | Guess::Str)
        {
            outs.push(Out::Unknown(leaf));
            continue;
        }
        let Some(array) = to_array(it, &leaf)? else {
            // A type among the results is its own type; it has no value.
            if api == "jit" && is_type_alone(&leaf) {
                outs.push(Out::Unknown(leaf));
                continue;
            }
            let path = leaf_paths(it, &def)?.swap_remove(i);
            if is_ref(it, &leaf) {
                return Err(returned(it, &leaf, &introspection::source(it, fun)?, api, &path)?);
            }
            let extra = if path.is_empty() { String::new() } else { format!(" at output component {path}") };
            return Err(Halt::type_error(format!(
                "function {} traced for {api} returned a value of type {}{extra}, which is not a valid JAX type",
                introspection::source(it, fun)?,
                class_text(it, &leaf),
            ))
            .about(Subject::Returned {
                function: introspection::unwrapped(it, fun)?
                    .map(|function| function.name().to_string())
                    .unwrap_or_default(),
                class: it.type_name(&leaf).to_string(),
            }));
        };
        outs.push(known);
        arrays.push(array);
    }
    Ok((def, outs, arrays))
}

/// Results of a weak type are left out: whether they are weak in the end is not known.
fn forget_weak(outs: &mut [Out], arrays: &mut Vec<Val>) {
    let mut found = std::mem::take(arrays).into_iter();
    for out in outs.iter_mut().filter(|o| !matches!(o, Out::Unknown(_))) {
        match found.next() {
            Some(array) if array.aval.weak => {
                *out = Out::Unknown(Value::unknown("whether the type is weak after a mutable array of a weak type"));
            }
            Some(array) => arrays.push(array),
            None => {}
        }
    }
}

/// Whether an array may be a random key.
fn is_key(array: &Val) -> bool {
    let aval = &array.aval;
    aval.dtype.is_key() || aval.dtype == DType::U32 && aval.shape.last().and_then(|size| size.known()) == Some(2)
}

/// A random key that is the default value of a parameter.
fn default_key(function: &Function, key: &Val, mark: u64) -> Option<Reading> {
    let at =
        function.defaults.iter().position(|value| matches!(value, Value::Array(array) if Rc::ptr_eq(array, key)))?;
    let (unit, code) = function.body();
    let params = &unit.module.code(code).params;
    let param = params.names.get((params.positional as usize).checked_sub(function.defaults.len())? + at)?;
    Some(Reading::of_fixed_key(mark, Site { file: unit.file, span: param.span }, param.name))
}

/// Traces a function for the types of a call.
fn stage(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Rc<Traced>> {
    let linearized = it.engine.linearized.get();
    let weak_writes = if it.engine.is_staging() { None } else { Some(refs::weak_writes(it)?) };
    let avals: Vec<Aval> = call.types.iter().filter_map(|t| t.aval().cloned()).collect();
    let arguments: Rc<[Rc<str>]> = leaf_names(it, fun, call)?
        .iter()
        .zip(&call.types)
        .filter(|(_, t)| t.aval().is_some())
        .map(|(name, _)| name.clone())
        .collect();
    let debug = DebugInfo { traced_for: "jit".into(), function: introspection::source(it, fun)?.into(), arguments };
    let about = RefCell::new(None);
    let trace = RefCell::new(None);
    let layouts = RefCell::new(Vec::new());
    let keys = RefCell::new(Vec::new());
    let body = |tracers: &[Val]| {
        *trace.borrow_mut() = Some(it.engine.trace());
        let laid = call.types.iter().zip(&call.layouts).filter(|(t, _)| t.aval().is_some()).map(|(_, layout)| layout);
        tracers.iter().zip(laid).for_each(|(tracer, layout)| it.engine.places.lay(tracer, layout.clone()));
        let frame = Frame::open(it)?;
        let mut tracers = tracers.iter();
        let mut leaves = Vec::with_capacity(call.leaves.len());
        for (t, given) in call.types.iter().zip(&call.leaves) {
            leaves.push(match (t, &frame) {
                (Leaf::Unknown(_), _) => given.clone(),
                (Leaf::Ref(_), Some(frame)) => match tracers.next() {
                    Some(tracer) => frame.argument(it, given, tracer)?,
                    None => Value::None,
                },
                _ => tracers.next().cloned().map_or(Value::None, Value::Array),
            });
        }
        for at in &call.maybe {
            leaves[*at] = Value::or_none(leaves[*at].clone(), "`None` or not, as the argument is");
        }
        let result = it.in_call(How::Staged, || put_together(it, call, leaves.clone()), |args| it.call(fun, args));
        let used = leaves.iter().enumerate().flat_map(|(at, leaf)| match leaf {
            Value::Array(key) => it.key_used_in_trace(key).into_iter().map(|used| (at, used)).collect(),
            _ => Vec::new(),
        });
        *keys.borrow_mut() = used.collect::<Vec<_>>();
        let value = match result? {
            Value::Unknown(unknown) if matches!(unknown.guess, Guess::Any) && unknown.or_none.is_none() => {
                return Err(Halt::Unknown(unknown.why.clone()));
            }
            value => value,
        };
        let (def, mut outs, mut arrays) = results(it, &value, fun, "jit")?;
        if weak_writes.is_some_and(|before| refs::weak_writes(it).is_ok_and(|now| now != before)) {
            forget_weak(&mut outs, &mut arrays);
        }
        if it.engine.places.any_laid() {
            *layouts.borrow_mut() = arrays.iter().map(|array| it.engine.places.layout(array)).collect();
        }
        let mut used = Used::default();
        if let Some(frame) = frame {
            let (how, mut held) = frame.close(it)?;
            held.append(&mut arrays);
            (used, arrays) = (how, held);
        }
        *about.borrow_mut() = Some((def, outs, used));
        Ok(arrays)
    };
    // A function of ours that captures no array reads numbers of constants alone: its arguments have none.
    let (closed, readings) = it.with_readings(|| match recipes::is_ours(fun, 0) {
        true => it.engine.recorder.unspoiled(|| trace_to_jaxpr(&it.engine, &body, &avals, debug)),
        false => trace_to_jaxpr(&it.engine, &body, &avals, debug),
    });
    let closed = closed?;
    it.note_large_constants(&readings, &closed.consts);
    let function = introspection::unwrapped(it, fun)?.filter(|function| function.module.unit.user);
    if let Some(function) = &function {
        it.note_large_bound(&bound(it, fun, function)?, &closed.consts);
    }
    let defaults = function.as_ref().map_or(&[][..], |function| &function.defaults[..]);
    let has_keys = readings.iter().any(|reading| reading.fixed_key().is_some() || reading.array().is_some_and(is_key))
        || defaults.iter().any(|value| matches!(value, Value::Array(array) if is_key(array)));
    let readings = match has_keys {
        true => {
            let told = fixed_keys(&closed.jaxpr);
            let constants = closed.consts.iter().enumerate().filter(|(at, _)| told.contains(&of_constant(*at)));
            let captured: Vec<_> = constants
                .filter_map(|(at, key)| {
                    let is_it = |reading: &&Reading| reading.array().is_some_and(|array| Rc::ptr_eq(array, key));
                    match readings.iter().find(is_it) {
                        Some(reading) => Some(reading.as_fixed_key(of_constant(at))),
                        None => default_key(function.as_deref()?, key, of_constant(at)),
                    }
                })
                .collect();
            let is_told = |reading: &Reading| reading.fixed_key().is_none_or(|mark| told.contains(&mark));
            readings.into_iter().filter(is_told).chain(captured).collect()
        }
        false => readings,
    };
    let (out_def, outs, refs) = about.into_inner().ok_or_else(|| Halt::unknown("a function that was not traced"))?;
    let closed = captured_first(closed, avals.len(), &refs);
    crate::frameworks::jax::core::leaks::check(it, fun, trace.take(), "DynamicJaxprTrace")?;
    if it.engine.config().debug_key_reuse {
        crate::transforms::key_reuse::check_graph(&closed)?;
    }
    let (graph, consts) = match closed.consts.iter().any(|c| c.is_tracer()) {
        true => closed.separate(),
        false => (closed, Vec::new()),
    };
    let linearized = it.engine.linearized.get() - linearized;
    let is_users = function.is_some() || Wrapped::of_call(call).is_some();
    let keys = if is_users { keys.into_inner() } else { Vec::new() };
    Ok(Rc::new(Traced {
        graph,
        consts,
        out_def,
        outs,
        layouts: layouts.into_inner(),
        linearized,
        refs,
        readings,
        keys,
        compiled: RefCell::default(),
    }))
}

pub(super) fn same_static(it: &Rc<Interp>, a: &Static, b: &Static) -> Step<bool> {
    if a.place != b.place {
        return Ok(false);
    }
    if let (Value::Unknown(a), Value::Unknown(b)) = (&a.value, &b.value) {
        return Ok(Rc::ptr_eq(a, b));
    }
    if !Rc::ptr_eq(&it.class_of(&a.value), &it.class_of(&b.value)) {
        return Ok(false);
    }
    // An object is the same argument as itself, whatever its `__eq__` says; floats that are no fresh NaN have no identity.
    let is_float = matches!(a.value, Value::Float(_));
    if a.value.is(&b.value) && !is_float || crate::python::key::same_nan(&a.value, &b.value) {
        return Ok(true);
    }
    match it.compare(CompareOp::Eq, &a.value, &b.value).and_then(|same| it.truth(&same)) {
        Ok(same) => Ok(same),
        Err(Halt::Unknown(_)) => Ok(a.value.is(&b.value)),
        Err(halt) => Err(halt),
    }
}

/// Whether types say the same of meshes, as far as it is known.
fn same_layouts(a: &[Layout], b: &[Layout]) -> bool {
    let of = |all: &[Layout], i: usize| all.get(i).cloned().unwrap_or_default();
    (0..a.len().max(b.len())).all(|i| match (of(a, i), of(b, i)) {
        (Layout::Unknown, _) | (_, Layout::Unknown) => true,
        (a, b) => a == b,
    })
}

fn fits(it: &Rc<Interp>, entry: &Entry, call: &Call, config: &Rc<Config>) -> Step<bool> {
    if entry.types != call.types
        || !same_layouts(&entry.layouts, &call.layouts)
        || entry.statics.len() != call.statics.len()
    {
        return Ok(false);
    }
    if !entry.config.same_context(config) {
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
    if cache.methods.is_gone(&key, fun) {
        cache.functions.borrow_mut().remove(&key);
    }
    let config = it.engine.config();
    let known = cache.functions.borrow().get(&key).cloned().unwrap_or_default();
    // Whether an unknown argument would really differ from the one before is not known either.
    let unknown = |statics: &[Static], types: &[Leaf]| {
        statics.iter().any(|s| s.value.is_unknown()) || types.iter().any(|t| matches!(t, Leaf::Unknown(_)))
    };
    for entry in &known {
        if fits(it, entry, call, &config)? {
            if unknown(&call.statics, &call.types) {
                it.lose_runs_of(fun);
            }
            let traced = entry.outcome.clone().map_err(Halt::Unknown)?;
            it.engine.linearized.set(it.engine.linearized.get() + traced.linearized);
            it.check_readings(&traced.readings);
            it.recorded_answer(Rc::as_ptr(entry) as usize);
            note_hit(it, fun, call)?;
            cache.missed.set(false);
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
    let doubtful = !known.is_empty()
        && (unknown(&call.statics, &call.types) || known.iter().any(|entry| unknown(&entry.statics, &entry.types)));
    if !doubtful {
        note_miss(it, &cache, fun, call, &known)?;
    }
    // What is traced anew in a round that stands for many may be traced anew in each of them.
    let doubtful = doubtful || !known.is_empty() && it.in_widened_loop.get();
    let entry = |outcome| Entry {
        statics: call.statics.clone(),
        def: call.def.clone(),
        types: call.types.clone(),
        layouts: call.layouts.clone(),
        config: config.clone(),
        axes: it.engine.axes().clone(),
        outcome,
    };
    cache.pending.borrow_mut().push((key.clone(), Rc::new(entry(Err(Why("it is being traced".into()))))));
    let doubts = it.doubtful_runs.replace(it.doubtful_runs.get() || doubtful);
    let bodies = it.recorded_trace();
    let result = it.answered_by_cache(|| stage(it, fun, call));
    it.doubtful_runs.set(doubts);
    cache.pending.borrow_mut().pop();
    let outcome = match result {
        Ok(traced) => Ok(traced),
        Err(Halt::Unknown(why)) => Err(why),
        Err(halt) => {
            if let Halt::Raise(exception) = &halt
                && it.graphs.wanted.get()
            {
                let (class, message) = it.describe_exception(exception);
                let message = message.lines().next().unwrap_or_default().to_owned();
                note_graph(it, fun, Err(format!("its trace raises {class}: {message}")))?;
            }
            return Err(halt);
        }
    };
    let found = outcome.as_ref().map_err(|why| format!("its trace comes to no end that is known: {}", why.0));
    note_graph(it, fun, found)?;
    if let Ok(traced) = &outcome {
        note_traced(it, fun, call, &known, traced.graph.jaxpr.equations())?;
    }
    let entry = Rc::new(entry(outcome.clone()));
    let id = Rc::as_ptr(&entry) as usize;
    it.recorded_traced(bodies, id);
    cache.functions.borrow_mut().entry(key).or_default().push(entry);
    cache.missed.set(true);
    Ok((outcome.map_err(Halt::Unknown)?, id))
}

/// Keeps the graph of a user's function, or why it has none, where somebody asked for it.
fn note_graph(it: &Rc<Interp>, fun: &Value, outcome: Result<&Rc<Traced>, String>) -> Step<()> {
    if !it.graphs.wanted.get() {
        return Ok(());
    }
    let called = it.user_stack.borrow().last().map(|(site, _)| *site);
    let named = match introspection::unwrapped(it, &mapped(fun))? {
        Some(function) if function.module.unit.user => Some(Named::of(&function)),
        _ => called.and_then(|site| name_called(it, fun, site)),
    };
    if let Some(function) = named {
        let traced = match outcome {
            Ok(traced) => traced,
            Err(why) => {
                it.graphs.note_untraced(function, called, why);
                return Ok(());
            }
        };
        let graph = crate::frameworks::jax::core::graph::with_constants(traced.graph.clone(), traced.consts.clone());
        let lost = lost(it, traced)?;
        it.graphs.note(function, called, graph, lost);
    }
    Ok(())
}

/// The user's function that a compiled function of the framework stands for (`pmap`), which says so in an attribute; any other one is itself.
fn mapped(fun: &Value) -> Value {
    let Value::Function(function) = fun else { return fun.clone() };
    let attributes = function.attrs.get();
    attributes.and_then(|all| all.read().get(&sym!("stands_for")).cloned()).unwrap_or_else(|| fun.clone())
}

/// How the user's code calls a compiled function that is not its own, if it stands at a call of one.
fn name_called(it: &Interp, fun: &Value, site: Site) -> Option<Named> {
    let called = it.graphs.called.borrow();
    let (callee, name) = called.as_ref()?;
    let Value::Object(object) = callee else { return None };
    let jitted = object.downcast::<JitObject>()?;
    // What is compiled where it is defined is the framework's own.
    let is_its_own = matches!(&jitted.fun, Value::Function(function) if function.module.unit.ours
        && function.module.get(function.code().name).is_some_and(|value| value.identity() == callee.identity()));
    (!is_its_own && jitted.fun.identity() == fun.identity()).then_some(Named { name: *name, defined: site })
}

/// Which results of a function are not known, and why the first of them is not.
fn lost(it: &Rc<Interp>, traced: &Traced) -> Step<Option<String>> {
    let mut lost = traced.outs.iter().enumerate().filter(|(_, out)| !matches!(out, Out::Array));
    let Some((first, out)) = lost.next() else { return Ok(None) };
    let path = leaf_paths(it, &traced.out_def)?.get(first).cloned().unwrap_or_default();
    let why = match out {
        Out::Unknown(Value::Unknown(unknown)) => unknown.why.0.to_string(),
        Out::Maybe => "it may be None".to_owned(),
        _ => "it is no array".to_owned(),
    };
    let more = match lost.count() {
        0 => String::new(),
        more => format!(", nor are {more} more"),
    };
    Ok(Some(format!("`result{path}` is not ({why}){more}")))
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

/// What is bound to a function before it is called, by the names of its parameters.
pub(in crate::frameworks::jax) fn bound(
    it: &Rc<Interp>,
    fun: &Value,
    function: &Function,
) -> Step<Vec<(Symbol, Value)>> {
    let params = &function.code().params;
    let names = || params.names.iter().map(|param| param.name);
    let positional = params.positional as usize;
    let mut found = Vec::new();
    if let Some((_, args, named)) = introspection::partial_parts(it, fun)? {
        found.extend(names().zip(args));
        found.extend(named);
    }
    let defaults = function.defaults.iter().cloned();
    found.extend(names().take(positional).skip(positional.saturating_sub(function.defaults.len())).zip(defaults));
    Ok(found)
}
