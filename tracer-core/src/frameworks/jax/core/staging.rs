//! Staging of functions for the control-flow operators.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::closed_value;
use super::identity::{Methods, function_key};
use super::introspection::{self, argument_names, signature};
use super::refs::{Frame, Used, captured_first};
use super::tree::{self, Def, def_of, def_value, leaf_paths};
use super::types::aval_value;
use super::{Members, conversion::aval_of};
use crate::array::{Aval, Dim};
use crate::frameworks::jax::jit::{Out, results};
use crate::interp::{How, Interp};
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Key, Site, Value};
use crate::trace::pytree::Kind;
use crate::trace::{ClosedJaxpr, Config, DebugInfo, Engine, Layout, Val};
use crate::transforms::{Flat, trace_to_jaxpr, trace_unknown_part};

struct Entry {
    def: Def,
    avals: Vec<Aval>,
    layouts: Vec<Layout>,
    api: Rc<str>,
    config: Rc<Config>,
    axes: Vec<(Rc<str>, Dim)>,
    graph: ClosedJaxpr,
    consts: Vec<Val>,
    out_def: Def,
    refs: Used,
}

/// Functions that were staged, by identity.
#[derive(Default)]
pub struct Staged {
    functions: RefCell<FxHashMap<Key, Vec<Rc<Entry>>>>,
    methods: Methods,
    /// The texts of functions that were staged: a function that is made anew has that of the one before.
    texts: RefCell<FxHashSet<Site>>,
}

impl Staged {
    /// Forgets all of them.
    pub fn clear(&self) {
        self.functions.borrow_mut().clear();
    }
}

/// The arguments of a call from the leaves of an argument tree.
///
/// # Errors
/// What unflattening raises.
pub fn call_args(it: &Rc<Interp>, def: &Def, leaves: Vec<Value>) -> Step<Args> {
    let mut leaves = leaves.into_iter();
    let mut args = Args::none();
    let [positional, keyword] = def.children() else { return Err(Halt::unknown("not the tree of arguments")) };
    let mut take = |def: &Def| -> Step<Value> {
        if def.is_leaf() {
            return Ok(leaves.next().unwrap_or(Value::None));
        }
        tree::unflatten_asking(it, def, leaves.by_ref().take(def.num_leaves()).collect::<Vec<_>>(), 1)
    };
    for child in positional.children() {
        args.positional.push(take(child)?);
    }
    if let Some(Kind::Dict(keys)) = keyword.kind() {
        for (key, child) in keys.iter().zip(keyword.children()) {
            args.keyword.push((Symbol::from(key.as_str().unwrap_or_default()), take(child)?));
        }
    }
    Ok(args)
}

/// The names of the leaves of an argument tree, for messages.
///
/// # Errors
/// What printing keys raises.
pub fn names_of(it: &Rc<Interp>, f: &Value, def: &Def) -> Step<Rc<[Rc<str>]>> {
    let [positional, keyword] = def.children() else { return Ok(Rc::from([])) };
    let keys = match keyword.kind() {
        Some(Kind::Dict(keys)) => keys.clone(),
        _ => Rc::from([]),
    };
    let params = signature(it, f)?;
    let kwargs: Vec<(Symbol, Value)> =
        keys.iter().map(|k| (Symbol::from(k.as_str().unwrap_or_default()), Value::None)).collect();
    let (by_position, by_name) =
        argument_names(params.as_deref(), &vec![Value::None; positional.children().len()], &kwargs);
    let mut found: Vec<Rc<str>> = Vec::with_capacity(def.num_leaves());
    for (base, child) in by_position.iter().zip(positional.children()).chain(by_name.iter().zip(keyword.children())) {
        match child.is_leaf() {
            true => found.push(base.as_str().into()),
            false => found.extend(leaf_paths(it, child)?.into_iter().map(|p| Rc::from(format!("{base}{p}")))),
        }
    }
    Ok(found.into())
}

fn avals_of(it: &Rc<Interp>, values: &Value) -> Step<Vec<Aval>> {
    it.to_vec(values)?.iter().map(|v| aval_of(it, v)).collect()
}

/// What the types of arguments say of meshes; empty where none is named. A loop sees rows of what it goes over.
fn layouts_of(it: &Rc<Interp>, given: &Value, avals: &[Aval]) -> Step<Vec<Layout>> {
    if !it.engine.places.any_laid() || given.is_unbound() || given.is_none() {
        return Ok(Vec::new());
    }
    let values = it.to_vec(given)?;
    let layout = |(value, aval): (&Value, &Aval)| match value {
        Value::Array(array) if array.aval.rank() > aval.rank() => it.engine.places.layout(array).of_row(0),
        Value::Array(array) => it.engine.places.layout(array),
        _ => Layout::Plain,
    };
    let found: Vec<Layout> = values.iter().zip(avals).map(layout).collect();
    Ok(if found.iter().all(Layout::is_plain) { Vec::new() } else { found })
}

/// How a function becomes a graph: [`trace_to_jaxpr`], or [`trace_unknown_part`].
type Tracing = fn(&Engine, Flat<'_>, &[Aval], DebugInfo) -> Step<ClosedJaxpr>;

fn stage(
    it: &Rc<Interp>,
    (f, user): (&Value, &Value),
    def: &Def,
    (avals, layouts): (&[Aval], &[Layout]),
    api: &str,
    tracing: Tracing,
) -> Step<(ClosedJaxpr, Vec<Val>, Def, Used)> {
    let debug = DebugInfo {
        traced_for: api.into(),
        function: introspection::source(it, user)?.into(),
        arguments: names_of(it, user, def)?,
    };
    let about = RefCell::new(None);
    let trace = RefCell::new(None);
    let body = |tracers: &[Val]| {
        *trace.borrow_mut() = Some(it.engine.trace());
        tracers.iter().zip(layouts).for_each(|(tracer, layout)| it.engine.places.lay(tracer, layout.clone()));
        let frame = Frame::open(it)?;
        let leaves = tracers.iter().cloned().map(Value::Array).collect();
        let value = match it.in_trace(How::Staged, || it.call(f, call_args(it, def, leaves)?))? {
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            value => value,
        };
        let (out_def, outs, mut arrays) = results(it, &value, user, api)?;
        if let Some(Out::Unknown(Value::Unknown(unknown))) = outs.iter().find(|o| matches!(o, Out::Unknown(_))) {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        let mut used = Used::default();
        if let Some(frame) = frame {
            let (how, mut held) = frame.close(it)?;
            held.append(&mut arrays);
            (used, arrays) = (how, held);
        }
        *about.borrow_mut() = Some((out_def, used));
        Ok(arrays)
    };
    let closed = it.answered_by_cache(|| tracing(&it.engine, &body, avals, debug))?;
    let (out_def, refs) = about.into_inner().ok_or_else(|| Halt::unknown("a function that was not staged"))?;
    let closed = captured_first(closed, avals.len(), &refs);
    super::leaks::check(it, user, trace.take(), "DynamicJaxprTrace")?;
    let (graph, consts) = closed.separate();
    Ok((graph, consts, out_def, refs))
}

/// The graph of a function for argument types: a remembered one, or a new one.
fn staged(it: &Rc<Interp>, args: Args) -> Step<Rc<Entry>> {
    let names = ["f", "in_tree", "in_avals", "api", "user", "args", "leaves"];
    let [f, def, avals, api, user, _, given] = args.bind("trace_to_jaxpr", names, 4)?;
    let def = def_of(&def)?;
    let avals = avals_of(it, &avals)?;
    let api: Rc<str> = api.as_str().unwrap_or_default().into();
    let layouts = layouts_of(it, &given, &avals)?;
    let user = if user.is_unbound() || user.is_none() { f.clone() } else { user };
    let cache = it.extension::<Staged>();
    let key = function_key(it, &f)?;
    if cache.methods.is_gone(&key, &f) {
        cache.functions.borrow_mut().remove(&key);
    }
    let config = it.engine.config();
    let known = cache.functions.borrow().get(&key).cloned().unwrap_or_default();
    let mut found = None;
    for entry in known {
        if entry.avals == avals
            && entry.layouts == layouts
            && entry.api == api
            && entry.config.same_context(&config)
            && entry.axes == *it.engine.axes()
            && tree::same(it, &entry.def, &def)?
        {
            found = Some(entry);
            break;
        }
    }
    let entry = match found {
        Some(entry) => entry,
        None => {
            // What is made and staged anew in a round that stands for many may be so in each of them.
            let text = introspection::unwrapped(it, &user)?.map(|function| {
                let (unit, code) = function.body();
                Site { file: unit.file, span: unit.module.code(code).span }
            });
            let is_again = text.is_some_and(|text| !cache.texts.borrow_mut().insert(text));
            let doubts = it.doubtful_runs.replace(it.doubtful_runs.get() || is_again && it.in_widened_loop.get());
            let made = stage(it, (&f, &user), &def, (&avals, &layouts), &api, trace_to_jaxpr);
            it.doubtful_runs.set(doubts);
            let (graph, consts, out_def, refs) = made?;
            let axes = it.engine.axes().clone();
            let entry = Rc::new(Entry { def, avals, layouts, api, config, axes, graph, consts, out_def, refs });
            cache.functions.borrow_mut().entry(key).or_default().push(entry.clone());
            entry
        }
    };
    Ok(entry)
}

/// The graph, its constants, the structure and types of its results.
fn parts(it: &Rc<Interp>, entry: &Entry) -> Step<Vec<Value>> {
    let written = entry.refs.written();
    let out_avals = entry.graph.jaxpr.out_avals().skip(written).map(|a| aval_value(it, a)).collect::<Step<Vec<_>>>()?;
    Ok(vec![
        closed_value(entry.graph.clone()),
        super::graph::list(entry.consts.iter().cloned()),
        def_value(entry.out_def.clone()),
        Value::list(out_avals),
    ])
}

/// A graph whose caller does not know of mutable arrays has none.
fn known_to_none(refs: &Used) -> Step<()> {
    match refs.captured.is_empty() {
        true => Ok(()),
        false => Err(Halt::unknown("a mutable array of an outer function is not modelled here")),
    }
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `trace_to_jaxpr(f, in_tree, in_avals, api, user=None, args=None, leaves=None)`: Stages `f`: `(jaxpr, consts,
    // out_tree, out_avals)`; the first `len(consts)` inputs of `jaxpr` are the constants. `in_tree` is an argument tree,
    // `in_avals` its leaves; `api` is the name that errors of leaked or concretized tracers print (`scan`, `cond`, …)
    // and `user` the function they name when it is not `f`; `leaves` are the arrays it is called with, or arrays of
    // which these are rows. Cached by the identity of `f`, the tree and the avals with weak types: the same function
    // object is staged once. Outputs must be JAX types, else TypeError.
    members.function("trace_to_jaxpr", |it, args| {
        let entry = staged(it, args)?;
        known_to_none(&entry.refs)?;
        Ok(Value::tuple(parts(it, &entry)?))
    });
    // The same for those who know of mutable arrays: the captured ones follow, how many of them are only read, and the others.
    members.function("trace_with_refs", |it, args| {
        let entry = staged(it, args)?;
        let mut parts = parts(it, &entry)?;
        let (read, written) = entry.refs.captured.split_at(entry.refs.only_read);
        parts.extend([Value::list(read.to_vec()), Value::list(written.to_vec())]);
        Ok(Value::tuple(parts))
    });
    // `stage_linear(f, in_tree, in_avals)`: Stages a linear function for `linear_transpose`: `(jaxpr, consts, out_tree,
    // out_avals)`, dead code removed.
    members.function("stage_linear", |it, args| {
        let [f, def, avals] = args.exactly("stage_linear")?;
        let def = def_of(&def)?;
        let whole = Def::node(Kind::Tuple, vec![def, Def::node(Kind::Dict(Rc::from([])), Vec::new())]);
        let avals = avals_of(it, &avals)?;
        let (graph, consts, out_def, refs) =
            stage(it, (&f, &f), &whole, (&avals, &[]), "linear_transpose", trace_unknown_part)?;
        known_to_none(&refs)?;
        let out_avals = graph.jaxpr.out_avals().map(|a| aval_value(it, a)).collect::<Step<Vec<_>>>()?;
        Ok(Value::tuple([closed_value(graph), super::graph::list(consts), def_value(out_def), Value::list(out_avals)]))
    });
}
