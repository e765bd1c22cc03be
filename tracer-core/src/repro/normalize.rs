//! Values as arguments and results keep them.

use std::rc::Rc;

use super::TreeForm;
use super::tree::Arg;
use super::write::with_arguments;
use crate::frameworks::dtypes::DTypeObject;
use crate::frameworks::is_framework;
use crate::frameworks::jax::core::tree::{Registry, Trees};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::{Guess, Instance, Key, Value};
use crate::trace::pytree::{Host, View};

/// So deep values are looked into, and so many items of a container are kept.
const MOST_DEPTH: usize = 40;
const MOST_ITEMS: usize = 2000;

/// So many axes a shape has at most.
const MOST_SIZES: usize = 32;

/// What an argument is.
pub(super) fn arg(it: &Rc<Interp>, value: &Value) -> Arg {
    within(it, value, Objects::Whole, 0)
}

/// What a function is given, or gives, that the framework does not call: objects of the program are their attributes there.
pub(super) fn opened(it: &Rc<Interp>, value: &Value) -> Arg {
    within(it, value, Objects::Opened, 0)
}

/// What becomes of objects that the framework cannot look into.
#[derive(Copy, Clone, PartialEq)]
enum Objects {
    Whole,
    Opened,
}

fn within(it: &Rc<Interp>, value: &Value, objects: Objects, depth: usize) -> Arg {
    if depth > MOST_DEPTH {
        return Arg::Lost;
    }
    let inner = |value: &Value| within(it, value, objects, depth + 1);
    match value {
        Value::Array(_) => Arg::Leaf(value.clone()),
        Value::Tuple(items) if items.len() <= MOST_ITEMS => Arg::Tuple(items.iter().map(inner).collect()),
        Value::List(list) if !list.is_vague() && list.read().len() <= MOST_ITEMS => {
            Arg::List(list.read().iter().map(inner).collect())
        }
        Value::Dict(dict) if !dict.is_vague() && dict.read().len() <= MOST_ITEMS => {
            note_keys(it, dict.read().iter());
            Arg::Dict(dict.read().iter().map(|(k, v)| (inner(&k.value), inner(v))).collect())
        }
        Value::List(list) if list.is_vague() => Arg::Vague("[]"),
        Value::Dict(dict) if dict.is_vague() => Arg::Vague("{}"),
        Value::Unknown(unknown) => Arg::Vague(of_guess(unknown.guess)),
        Value::Slice(parts) => Arg::Slice(Box::new([inner(&parts[0]), inner(&parts[1]), inner(&parts[2])])),
        Value::Function(_) | Value::Method(_) => Arg::Callable(value.clone()),
        Value::Class(class) if class.is_builtin() || is_framework(&class.module) => Arg::Leaf(value.clone()),
        Value::Class(class) => Arg::Class(class.name),
        Value::Iter(_) => Arg::Generator,
        Value::Set(set) if !set.is_vague() => Arg::Set(set.read().iter().map(|key| inner(&key.value)).collect()),
        Value::Native(_) | Value::Module(_) | Value::Set(_) | Value::FrozenSet(_) => Arg::Leaf(value.clone()),
        Value::Instance(instance) => of_instance(it, value, instance, objects, depth),
        Value::Object(object) if object.downcast::<DTypeObject>().is_some() => Arg::Plain(value.clone()),
        Value::Object(_) if is_numbers(it, value) => Arg::Plain(value.clone()),
        Value::Object(_) => Arg::Leaf(value.clone()),
        Value::None
        | Value::Ellipsis
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::BigInt(_)
        | Value::Complex(_)
        | Value::Str(_)
        | Value::Range(_)
        | Value::Bytes(_) => Arg::Plain(value.clone()),
        _ => Arg::Lost,
    }
}

/// What stands for a value of which no more than its type is known.
fn of_guess(guess: Guess) -> &'static str {
    match guess {
        Guess::Any => "None",
        Guess::Bool => "True",
        Guess::Int => "1",
        Guess::Float => "1.0",
        Guess::Complex => "1j",
        Guess::Str => "\"\"",
    }
}

fn is_numbers(it: &Rc<Interp>, value: &Value) -> bool {
    it.hooks.borrow().as_ref().is_some_and(|hooks| hooks.held(value).is_some())
}

/// Containers of the program's own become plain ones.
fn of_instance(it: &Rc<Interp>, value: &Value, instance: &Rc<Instance>, objects: Objects, depth: usize) -> Arg {
    let class = instance.class();
    if let Some(payload) = instance.payload() {
        if let (Value::Tuple(items), Some(Value::Tuple(fields))) = (payload, class.lookup(sym!("_fields"))) {
            let name = |field: &Value| match field {
                Value::Str(name) => Some(Symbol::from(&**name)),
                _ => None,
            };
            note_fields(it, fields.iter().filter_map(name).zip(items.iter()));
        }
        let inner = within(it, payload, objects, depth + 1);
        // Dimension numbers and the like are kept as the program has made them.
        return match is_framework(&class.module) {
            true if !inner.holds_array() => Arg::Leaf(value.clone()),
            true if it.extension::<Registry>().knows(&class) => Arg::Tree(value.clone(), Box::new(inner)),
            // One of the standard library's: an `OrderedDict` keeps its order as a tree, and a `defaultdict` does not.
            _ if class.lookup(sym!("move_to_end")).is_some() => as_tree(it, inner),
            _ => inner,
        };
    }
    if is_framework(&class.module) {
        let parts = with_arguments(value).filter(|_| it.extension::<Registry>().knows(&class));
        return match parts {
            Some((function, ..)) if !is_own_of_framework(&function) => partial(it, value, instance, objects, depth),
            _ => Arg::Leaf(value.clone()),
        };
    }
    let callable = class.module.as_str() == "functools" || class.lookup(sym!("__call__")).is_some();
    match (it.extension::<Registry>().knows(&class), callable) {
        (true, true) => Arg::Tree(value.clone(), Box::new(taken_apart(it, value, instance, depth))),
        (true, false) => taken_apart(it, value, instance, depth),
        (false, true) => Arg::Callable(value.clone()),
        (false, false) if objects == Objects::Opened => attributes(it, instance, depth),
        (false, false) => sizes(it, value, instance).unwrap_or(Arg::Object(class.name)),
    }
}

/// Whether a function is one that the framework has made for itself (what `jax.vjp` gives): it has no name that anybody could write.
fn is_own_of_framework(function: &Value) -> bool {
    match function {
        Value::Function(function) => function.module.unit.ours && function.qualname().contains("<locals>"),
        Value::Method(_) => false,
        Value::Instance(instance) => is_framework(&instance.class_ref().module),
        _ => false,
    }
}

/// A function with some of its arguments that is a tree: these are the parts that are traced.
fn partial(it: &Rc<Interp>, value: &Value, instance: &Rc<Instance>, objects: Objects, depth: usize) -> Arg {
    let names = [sym!("func"), sym!("args"), sym!("keywords")];
    let field = |name: Symbol| Some((name, within(it, &instance.get(name)?, objects, depth + 1)));
    let fields: Option<Vec<_>> = names.into_iter().map(field).collect();
    match fields {
        Some(fields) => Arg::Tree(value.clone(), Box::new(Arg::Fields(fields))),
        None => Arg::Leaf(value.clone()),
    }
}

/// The attributes of an object that are arrays, numbers, or hold some.
fn attributes(it: &Rc<Interp>, instance: &Rc<Instance>, depth: usize) -> Arg {
    let attrs = instance.attrs();
    let kept = attrs.iter().filter_map(|(name, value)| {
        let kept = within(it, value, Objects::Opened, depth + 1);
        let is_number = matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_));
        (is_number || kept.holds_array()).then(|| (Arg::Plain(Value::str(name.as_str())), kept))
    });
    let kept: Vec<_> = kept.collect();
    match kept.iter().any(|(_, kept)| kept.holds_array()) {
        true => Arg::Dict(kept),
        false => Arg::Object(instance.class().name),
    }
}

/// An instance of a class that is registered as a tree: its children, by the names of its attributes where they are that.
fn taken_apart(it: &Rc<Interp>, value: &Value, instance: &Rc<Instance>, depth: usize) -> Arg {
    let class = instance.class();
    // It is taken apart as JAX does it; nothing of that is the program's doing.
    let was = it.repro.on.replace(false);
    let view = Trees::new(it).view(value);
    it.repro.on.set(was);
    let Ok(View::Node(_, children)) = view else { return Arg::Object(class.name) };
    let attrs = instance.attrs();
    let mut names: Vec<Symbol> = Vec::new();
    for child in &children {
        let is = |(name, attr): &(&Symbol, &Value)| attr.is(child) && !names.contains(name);
        if let Some((name, _)) = attrs.iter().find(is) {
            names.push(*name);
        }
    }
    if names.len() == children.len() {
        note_fields(it, names.iter().copied().zip(&children));
    }
    let kept = children.iter().map(|child| within(it, child, Objects::Whole, depth + 1));
    match names.len() == children.len() {
        // It has nothing that could be traced; what it is to a compiled function is an empty container.
        _ if children.is_empty() => Arg::Tuple(Vec::new()),
        true => as_tree(
            it,
            Arg::Dict(
                names.iter().zip(kept).map(|(name, kept)| (Arg::Plain(Value::str(name.as_str())), kept)).collect(),
            ),
        ),
        false => Arg::Tuple(kept.collect()),
    }
}

/// The fields of a tree by their names, or in their order, where the names are in another and that is asked for.
fn as_tree(it: &Rc<Interp>, fields: Arg) -> Arg {
    let Arg::Dict(items) = fields else { return fields };
    let name = |key: &Arg| match key {
        Arg::Plain(Value::Str(name)) => Some(name.clone()),
        _ => None,
    };
    if items.is_sorted_by(|(a, _), (b, _)| name(a).zip(name(b)).is_none_or(|(a, b)| a <= b)) {
        return Arg::Dict(items);
    }
    it.repro.reordered.set(true);
    match it.repro.trees.get() {
        TreeForm::Named => Arg::Dict(items),
        TreeForm::Ordered => Arg::Tuple(items.into_iter().map(|(_, item)| item).collect()),
    }
}

/// Notes what fields arrays are in: they are called so where the program has no other name for them.
fn note_fields<'a>(it: &Rc<Interp>, fields: impl Iterator<Item = (Symbol, &'a Value)>) {
    let mut noted = it.repro.fields.borrow_mut();
    for (name, value) in fields.filter(|(name, value)| matches!(value, Value::Array(_)) && !name.starts_with('_')) {
        noted.entry(value.identity()).or_insert_with(|| (name, value.clone()));
    }
}

/// The same of the keys of a dict that are names.
fn note_keys<'a>(it: &Rc<Interp>, items: impl Iterator<Item = (&'a Key, &'a Value)>) {
    let fields = items.filter_map(|(key, value)| match (&key.value, value) {
        (Value::Str(name), Value::Array(_)) if is_name(name) => Some((Symbol::from(&**name), value)),
        _ => None,
    });
    note_fields(it, fields);
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A sequence of whole numbers that is of a class of a library's own: the shape of an array (`TensorShape`).
fn sizes(it: &Rc<Interp>, value: &Value, instance: &Rc<Instance>) -> Option<Arg> {
    let class = instance.class();
    let has = |name| class.lookup(name).is_some();
    let is_sequence =
        has(sym!("__iter__")) && has(sym!("__len__")) && has(sym!("__getitem__")) && !has(sym!("__next__"));
    if !is_sequence {
        return None;
    }
    let was = it.repro.on.replace(false);
    let length = it.len(value).ok().filter(|length| *length <= MOST_SIZES);
    let items = length.and_then(|_| it.to_vec(value).ok());
    it.repro.on.set(was);
    let items = items?;
    let are_sizes = items.iter().all(|item| matches!(item, Value::Int(_)));
    are_sizes.then(|| Arg::Tuple(items.into_iter().map(Arg::Plain).collect()))
}
