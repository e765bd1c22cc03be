//! Arguments of a call, taken apart into static values, structures, leaves and their types.

use std::cell::OnceCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Call, Leaf, Options, Place, Static};
use crate::frameworks::jax::core::conversion::{aval_of, class_text, overflowing_argument, to_array};
use crate::frameworks::jax::core::introspection::{self, argument_names, signature};
use crate::frameworks::jax::core::refs;
use crate::frameworks::jax::core::tree::{self, Asks, Def, leaf_paths};
use crate::frameworks::numpy::array::numbers_of;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, ArgumentLeaf, Guess, LeafKind, Subject, Value};
use crate::trace::Layout;
use crate::trace::pytree::Kind;

/// Takes the arguments of a call apart, where the framework asks classes so often for their parts.
///
/// # Errors
/// What flattening raises.
pub fn take_apart(it: &Rc<Interp>, options: &Options, args: Args, asks: Asks) -> Step<Call> {
    let count = args.positional.len() as i64;
    let is_static =
        |i: usize| options.static_nums.iter().any(|n| if *n < 0 { n + count == i as i64 } else { *n == i as i64 });
    let mut call = Call {
        statics: SmallVec::new(),
        dynamic: Vec::new(),
        def: Def::leaf(),
        leaves: Vec::new(),
        maybe: SmallVec::new(),
        types: Vec::new(),
        layouts: Vec::new(),
        made: None,
        names: OnceCell::new(),
    };
    let mut positional = Vec::with_capacity(args.positional.len());
    for (i, value) in args.positional.into_iter().enumerate() {
        if is_static(i) {
            call.statics.push(Static { place: Place::Position(i), value });
            continue;
        }
        let def = flatten_into(it, value, asks, &mut call.leaves)?;
        call.dynamic.push((Place::Position(i), def.clone()));
        positional.push(def);
    }
    let mut keyword = args.keyword;
    keyword.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
    let (mut names, mut named) = (Vec::new(), Vec::new());
    for (name, value) in keyword {
        if options.static_names.contains(&name) {
            call.statics.push(Static { place: Place::Name(name), value });
            continue;
        }
        let def = flatten_into(it, value, asks, &mut call.leaves)?;
        call.dynamic.push((Place::Name(name), def.clone()));
        names.push(Value::str(name.as_str()));
        named.push(def);
    }
    let children = vec![Def::node(Kind::Tuple, positional), Def::node(Kind::Dict(names.into()), named)];
    call.def = Def::node(Kind::Tuple, children);
    for at in 0..call.leaves.len() {
        if let Some(held) = or_none(&call.leaves[at]) {
            call.leaves[at] = held;
            call.maybe.push(at);
        }
    }
    Ok(call)
}

/// What is asked of the classes of arguments once more where a call is traced: for their names too.
///
/// # Errors
/// What flattening raises.
pub(super) fn ask_for_names(it: &Rc<Interp>, call: &Call, args: &Args) -> Step<()> {
    for (place, _) in call.dynamic.iter().filter(|(_, def)| tree::asks_classes(def)) {
        let value = match place {
            Place::Position(i) => args.positional.get(*i),
            Place::Name(name) => args.keyword.iter().find(|(given, _)| given == name).map(|(_, value)| value),
        };
        if let Some(value) = value {
            tree::ask_again(it, value, Asks::NAMED)?;
        }
    }
    Ok(())
}

/// What a leaf is that is `None` or an array.
pub(super) fn or_none(leaf: &Value) -> Option<Value> {
    let held = leaf.unless_none()?;
    (matches!(held, Value::Array(_)) || numbers_of(held).is_some()).then(|| held.clone())
}

fn flatten_into(it: &Rc<Interp>, value: Value, asks: Asks, leaves: &mut Vec<Value>) -> Step<Def> {
    match value {
        Value::Array(_) | Value::Float(_) | Value::Int(_) | Value::Bool(_) | Value::Unknown(_) => {
            leaves.push(value);
            Ok(Def::leaf())
        }
        value => {
            let (mut found, def) = tree::flatten_asking(it, &value, asks)?;
            leaves.append(&mut found);
            Ok(def)
        }
    }
}

/// Static arguments need a hash, which is asked for when all other arguments have types.
///
/// # Errors
/// `ValueError` for the first one without.
pub(super) fn check_statics(it: &Rc<Interp>, call: &Call) -> Step<()> {
    call.statics.iter().try_for_each(|given| check_static(it, &given.value))
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
            ))
            .about(Subject::Unhashable(it.type_name(value).to_string())))
        }
        Err(halt) => Err(halt),
    }
}

/// The type of a leaf; `None` for what is no array. `loose` takes anything with a shape and a dtype.
fn leaf_type(it: &Rc<Interp>, value: &Value, loose: bool) -> Step<Option<Leaf>> {
    Ok(Some(match value {
        Value::Array(array) => Leaf::Array(array.aval.clone()),
        value if refs::is_ref(it, value) => Leaf::Ref(refs::read(it, value)?.aval.clone()),
        Value::Unknown(unknown) if matches!(unknown.guess, Guess::Any | Guess::Str) => Leaf::Unknown(unknown.guess),
        other => match to_array(it, other)? {
            Some(array) => Leaf::Array(array.aval.clone()),
            // A type alone will do to trace with. Compiled code then runs if it does not use it.
            None if loose || is_type_alone(other) => match aval_of(it, other) {
                Ok(aval) => Leaf::Array(aval),
                Err(Halt::Raise(_)) => return Ok(None),
                Err(halt) => return Err(halt),
            },
            None => return Ok(None),
        },
    }))
}

/// An object that can become an array is none when types are asked for.
fn check_abstract(fun: &Value, leaf: &Value) -> Step<()> {
    let Value::Instance(instance) = leaf else { return Ok(()) };
    let is_models = matches!(fun, Value::Function(function) if function.body().0.ours);
    if is_models || instance.class_ref().lookup(sym!("__jax_array__")).is_none() {
        return Ok(());
    }
    Err(Halt::value_error(
        "Triggering __jax_array__() during abstractification is no longer supported. To avoid this error, either explicitly convert your \
         object using jax.numpy.array(), or register your object as a pytree.",
    ))
}

pub(super) fn is_type_alone(value: &Value) -> bool {
    matches!(value, Value::Instance(i) if i.class().name.as_str() == "ShapeDtypeStruct")
}

/// Finds the types of the leaves.
pub(super) fn type_leaves(it: &Rc<Interp>, fun: &Value, call: &mut Call, loose: bool) -> Step<()> {
    for i in 0..call.leaves.len() {
        check_abstract(fun, &call.leaves[i])?;
        let found = leaf_type(it, &call.leaves[i], loose);
        let leaf = match found {
            Ok(Some(leaf)) => leaf,
            Ok(None) => return Err(not_an_array(it, fun, call, i)?),
            Err(Halt::Raise(exception)) if it.is_exception(&exception, "OverflowError") => {
                // What is called, not only traced, is hashed before numbers are read, where all are of types that may be read.
                let rest = &call.leaves[i + 1..];
                if !loose && !rest.iter().any(|leaf| matches!(leaf_type(it, leaf, loose), Ok(None))) {
                    check_statics(it, call)?;
                }
                return Err(overflow(it, fun, call, i)?);
            }
            Err(halt) => return Err(halt),
        };
        call.types.push(leaf);
    }
    if it.engine.places.any_laid() {
        let layout = |leaf: &Value| match leaf {
            Value::Array(array) => it.engine.places.layout(array),
            leaf if is_type_alone(leaf) => Layout::Unknown,
            _ => Layout::Plain,
        };
        call.layouts = call.leaves.iter().map(layout).collect();
        if call.layouts.iter().all(Layout::is_plain) {
            call.layouts.clear();
        }
    }
    Ok(())
}

#[cold]
fn not_an_array(it: &Rc<Interp>, fun: &Value, call: &Call, at: usize) -> Step<Halt> {
    let (places, leaf) = (leaf_places(it, fun, call)?, &call.leaves[at]);
    let name = places.get(at).map_or_else(|| "unknown".to_owned(), |(base, path)| format!("{base}{path}"));
    let halt = Halt::type_error(format!(
        "Error interpreting argument to {} as an abstract array. The problematic value is of type {} and was passed to the \
         function at path {}.\nThis typically means that a jit-wrapped function was called with a non-array argument, and this \
         argument was not marked as static using the static_argnums or static_argnames parameters of jax.jit.",
        introspection::shown(it, fun),
        class_text(it, leaf),
        name,
    ));
    let function = match fun {
        Value::Function(function) => function.qualname(),
        Value::Method(method) => match &method.function {
            Value::Function(function) => function.qualname(),
            _ => return Ok(halt),
        },
        _ => return Ok(halt),
    };
    let Some((parameter, path)) = places.into_iter().nth(at) else { return Ok(halt) };
    let class = it.class_of(leaf);
    Ok(halt.about(Subject::Argument(ArgumentLeaf {
        function: function.to_string(),
        parameter: parameter.to_string(),
        whole: path.is_empty(),
        class: (class.module, class.qualname.to_string()),
        kind: leaf_kind(it, leaf),
    })))
}

fn leaf_kind(it: &Rc<Interp>, leaf: &Value) -> LeafKind {
    match leaf {
        Value::Str(_) | Value::Bytes(_) => LeafKind::Text,
        // An object that the program can call holds more than code.
        Value::Instance(instance) if !instance.class().module.as_str().starts_with("jax") => LeafKind::Other,
        leaf if introspection::is_callable(it, leaf) => LeafKind::Function,
        _ => LeafKind::Other,
    }
}

#[cold]
fn overflow(it: &Rc<Interp>, fun: &Value, call: &Call, at: usize) -> Step<Halt> {
    let names = leaf_names(it, fun, call)?;
    Ok(overflowing_argument(it, names.get(at).map_or("unknown", |n| n), &call.leaves[at]))
}

/// The names of the leaves of the arguments, as messages print them: `x['a']`.
pub(super) fn leaf_names(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Rc<[Rc<str>]>> {
    if let Some(names) = call.names.get() {
        return Ok(names.clone());
    }
    let places = leaf_places(it, fun, call)?.into_iter();
    let name = |(base, path): (Rc<str>, Rc<str>)| match path.is_empty() {
        true => base,
        false => format!("{base}{path}").into(),
    };
    Ok(call.names.get_or_init(|| places.map(name).collect()).clone())
}

/// Where the leaves of the arguments are: the name of the argument, and the path in it.
fn leaf_places(it: &Rc<Interp>, fun: &Value, call: &Call) -> Step<Vec<(Rc<str>, Rc<str>)>> {
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
            found.push((base.into(), "".into()));
        } else {
            let base: Rc<str> = base.into();
            found.extend(leaf_paths(it, def)?.into_iter().map(|path| (base.clone(), path.to_string().into())));
        }
    }
    Ok(found)
}

/// Puts the arguments of a call together again with other leaves.
pub(super) fn put_together(it: &Rc<Interp>, call: &Call, leaves: Vec<Value>) -> Step<Args> {
    let mut args = Args::none();
    let mut leaves = leaves.into_iter();
    let mut places: Vec<(Place, Value)> = call.statics.iter().map(|s| (s.place, s.value.clone())).collect();
    for (place, def) in &call.dynamic {
        let value = match def.is_leaf() {
            true => leaves.next().unwrap_or(Value::None),
            false => tree::unflatten_asking(it, def, leaves.by_ref().take(def.num_leaves()).collect::<Vec<_>>(), 1)?,
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
