//! Pytrees of Python values: flattening, their structures, paths of their leaves.

mod host;
mod members;
mod object;

use std::rc::Rc;

pub use host::{Asks, Registry, Trees};
use host::{How, class_of};
pub use members::members;
pub use object::{TreeDefObject, def_of, def_value};

use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::pytree::{self, Host, Key, Kind, TreeDef};

/// The structure of a pytree of Python values.
pub type Def = TreeDef<Value>;

/// The leaves of a value and its structure.
///
/// # Errors
/// What flattening raises; unknown for containers whose items are not known.
pub fn flatten(it: &Rc<Interp>, value: &Value) -> Step<(Vec<Value>, Def)> {
    pytree::flatten(&Trees::new(it), value, None).map(surely)
}

/// The same where the framework asks classes so often for their parts.
///
/// # Errors
/// As [`flatten`].
pub fn flatten_asking(it: &Rc<Interp>, value: &Value, asks: Asks) -> Step<(Vec<Value>, Def)> {
    pytree::flatten(&Trees::asking(it, asks), value, None).map(surely)
}

/// Asks the classes in a value for their parts once more, to be counted alone.
///
/// # Errors
/// As [`flatten`].
pub fn ask_again(it: &Rc<Interp>, value: &Value, asks: Asks) -> Step<()> {
    counted_alone(it, || flatten_asking(it, value, asks).map(drop))
}

/// Runs what is to be counted alone: the values in it are not those that the framework asks with.
fn counted_alone<T>(it: &Rc<Interp>, run: impl FnOnce() -> T) -> T {
    let outer = it.recorder.is_mute.replace(true);
    let result = run();
    it.recorder.is_mute.set(outer);
    result
}

/// Whether a class of the program's own takes part in a structure.
pub fn asks_classes(def: &Def) -> bool {
    matches!(def.kind(), Some(Kind::Custom { dataclass: false, .. })) || def.children().iter().any(asks_classes)
}

/// An instance of a class of which not all bases are known may be a container: the leaf in its place is not known.
fn surely((mut leaves, def): (Vec<Value>, Def)) -> (Vec<Value>, Def) {
    leaves.iter_mut().for_each(lose_doubtful);
    (leaves, def)
}

fn lose_doubtful(leaf: &mut Value) {
    if let Value::Instance(instance) = leaf
        && instance.class().unknown_base
    {
        let why = format!("`{}` has an unknown base class", instance.class().name);
        *leaf = Value::unknown(why);
    }
}

/// A value of this structure with these leaves.
///
/// # Errors
/// What unflattening raises.
pub fn unflatten(it: &Rc<Interp>, def: &Def, leaves: impl IntoIterator<Item = Value>) -> Step<Value> {
    pytree::unflatten(&Trees::new(it), def, leaves)
}

/// The same where the framework makes it so often.
///
/// # Errors
/// As [`unflatten`].
pub fn unflatten_asking(
    it: &Rc<Interp>,
    def: &Def,
    leaves: impl IntoIterator<Item = Value>,
    times: u32,
) -> Step<Value> {
    pytree::unflatten(&Trees::asking(it, Asks { plain: times, keyed: 0 }), def, leaves)
}

/// Whether two structures are the same.
///
/// # Errors
/// What comparing raises.
pub fn same(it: &Rc<Interp>, a: &Def, b: &Def) -> Step<bool> {
    pytree::equal(&Trees::new(it), a, b)
}

/// Flattens with a Python function that says what is a leaf (unbound or `None`: nothing more than usual).
fn flatten_by(it: &Rc<Interp>, value: &Value, is_leaf: &Value, asks: Option<Asks>) -> Step<(Vec<Value>, Def)> {
    let trees = asks.map_or_else(|| Trees::new(it), |asks| Trees::asking(it, asks));
    if is_leaf.is_unbound() || is_leaf.is_none() {
        return pytree::flatten(&trees, value, None).map(surely);
    }
    let test = |value: &Value| it.truth(&it.call_with(is_leaf, [value.clone()])?);
    pytree::flatten(&trees, value, Some(&test)).map(surely)
}

/// A step of a path as a Python object.
///
/// # Errors
/// Those of the prelude.
pub fn key_value(it: &Rc<Interp>, key: &Key<Value>) -> Step<Value> {
    let (class, argument) = match key {
        Key::Index(i) => ("SequenceKey", Value::size(*i)),
        Key::Item(key) => ("DictKey", key.clone()),
        Key::Attribute(name) => ("GetAttrKey", Value::Str(name.clone())),
        Key::Flat(i) => ("FlattenedIndexKey", Value::size(*i)),
        Key::Own(key) => return Ok(key.clone()),
    };
    let class = prelude_member(it, "jax._engine_keys", class)?;
    it.call_with(&class, [argument])
}

fn path_value(it: &Rc<Interp>, path: &[Key<Value>]) -> Step<Value> {
    Ok(Value::tuple(path.iter().map(|k| key_value(it, k)).collect::<Step<Vec<_>>>()?))
}

/// The paths of the leaves of a structure, as `keystr` prints them.
///
/// # Errors
/// What printing keys raises.
pub fn leaf_paths(it: &Rc<Interp>, def: &Def) -> Step<Vec<String>> {
    // What JAX asks for these names is counted where it does.
    let trees = Trees::asking(it, Asks { plain: 0, keyed: 0 });
    let mut found = Vec::new();
    paths_into(&trees, def, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn keys_without_object(trees: &Trees<'_>, kind: &Kind<Value>, count: usize) -> Step<Vec<Key<Value>>> {
    if let Kind::Custom { class, .. } = kind
        && let Some(How::Functions(_, _, with_keys)) = class_of(class).and_then(|c| trees.registry.find(c)).as_deref()
    {
        // A library's own functions (those of Equinox's modules) tell names of an object with nothing in it; the program's
        // are not run for that.
        let found = match with_keys {
            Some(Value::Function(function)) if !function.module.unit.user => {
                trees.build(kind, vec![Value::None; count]).and_then(|object| trees.keys(kind, &object))
            }
            _ => Ok(None),
        };
        return Ok(match found {
            Ok(Some(keys)) if keys.len() == count => keys,
            Ok(_) | Err(Halt::Raise(_) | Halt::Unknown(_)) => (0..count).map(Key::Flat).collect(),
            Err(stop) => return Err(stop),
        });
    }
    pytree::node_keys(trees, kind, &Value::None, count)
}

fn paths_into(trees: &Trees<'_>, def: &Def, path: &mut Vec<Key<Value>>, found: &mut Vec<String>) -> Step<()> {
    let Some(kind) = def.kind() else {
        found.push(pytree::key_text(trees, path)?);
        return Ok(());
    };
    let count = def.children().len();
    for (key, child) in keys_without_object(trees, kind, count)?.into_iter().zip(def.children()) {
        path.push(key);
        paths_into(trees, child, path, found)?;
        path.pop();
    }
    Ok(())
}

/// The names of the static fields of a class that is registered by its fields.
pub fn static_fields(it: &Rc<Interp>, class: &Value) -> Vec<Symbol> {
    let registry = it.extension::<Registry>();
    match class_of(class).and_then(|class| registry.find(class)).as_deref() {
        Some(How::Fields(_, fixed)) => fixed.to_vec(),
        _ => Vec::new(),
    }
}

/// The keys of the children of a node, as far as they are known without an object of its class.
///
/// # Errors
/// What reading the fields of a named tuple raises.
pub fn child_keys(it: &Rc<Interp>, kind: &Kind<Value>, count: usize) -> Step<Vec<Key<Value>>> {
    keys_without_object(&Trees::new(it), kind, count)
}

/// A path as `jax.tree_util.keystr` prints it.
///
/// # Errors
/// What printing keys raises.
pub fn path_text(it: &Rc<Interp>, path: &[Key<Value>]) -> Step<String> {
    pytree::key_text(&Trees::new(it), path)
}
