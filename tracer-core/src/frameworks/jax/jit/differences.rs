//! How a call differs from an earlier trace.

use std::rc::Rc;

use super::misses::{IN_A_RULE, leaf_text};
use super::structures;
use super::traces::{Entry, same_static};
use super::{Call, Leaf};
use crate::frameworks::jax::core::introspection;
use crate::frameworks::jax::core::tree;
use crate::interp::{Interp, KeyChange, KeyDifference, KeyPart};
use crate::python::{Site, Value};
use crate::trace::{Layout, MESH_OF_EQUATIONS};

/// All that differs, and how much that is; `names` are those of the leaves of the call.
pub(super) fn differences(
    it: &Rc<Interp>,
    fun: &Value,
    entry: &Entry,
    call: &Call,
    names: &[Rc<str>],
) -> (usize, Vec<KeyDifference>) {
    let mut found = Vec::new();
    let mut nodes = 0;
    let same_places = entry.statics.len() == call.statics.len()
        && call.statics.iter().all(|new| entry.statics.iter().any(|old| old.place == new.place));
    if same_places && tree::same(it, &entry.def, &call.def).unwrap_or(false) {
        types(entry, call, names, &mut found);
    } else {
        let (differ, texts) = structures::differences(it, fun, entry, call);
        nodes = differ;
        found.extend(texts.into_iter().map(|(text, change)| KeyDifference {
            part: KeyPart::Structure,
            text,
            change,
            made: None,
        }));
    }
    let structural = found.len();
    statics(it, fun, entry, call, &mut found);
    settings(it, entry, &mut found);
    let parts = if nodes > 0 { nodes + found.len() - structural } else { found.len() };
    (parts, found)
}

/// How much differences of as many parts are: less where only weakness, an object or one side of a type is new than where the
/// arguments are given otherwise.
pub(super) fn weight(found: &[KeyDifference]) -> usize {
    let of = |difference: &KeyDifference| match (difference.part, &difference.change) {
        (KeyPart::WeakType, _) => 0,
        (KeyPart::Type, Some(KeyChange::Type { now, before, .. })) => {
            2 * usize::from(now.dtype != before.dtype)
                + 2 * usize::from(now.shape != before.shape)
                + usize::from(now.weak != before.weak)
        }
        (KeyPart::Flag | KeyPart::Identity, _) => 1,
        (KeyPart::Static, _) => 2,
        (KeyPart::Type | KeyPart::Setting, _) => 3,
        (KeyPart::Structure, _) => 5,
    };
    found.iter().map(of).sum()
}

fn types(entry: &Entry, call: &Call, names: &[Rc<str>], found: &mut Vec<KeyDifference>) {
    let laid = |all: &[Layout], i: usize| all.get(i).cloned().unwrap_or_default();
    for (i, ((old, new), name)) in entry.types.iter().zip(&call.types).zip(names).enumerate() {
        let (before, now) = (laid(&entry.layouts, i), laid(&call.layouts, i));
        if old == new && before == now {
            continue;
        }
        let of = |layout: &Layout| match layout.text() {
            text if text.is_empty() && before != now => " on one device".to_owned(),
            text => text,
        };
        let text = format!("{name}: now {}{}, before {}{}", leaf_text(new), of(&now), leaf_text(old), of(&before));
        let is_laid_alike = before == now;
        let part = if is_laid_alike && only_weak(old, new) { KeyPart::WeakType } else { KeyPart::Type };
        let change = match (old, new) {
            (Leaf::Array(before), Leaf::Array(now)) if is_laid_alike => {
                Some(KeyChange::Type { name: (**name).into(), now: now.clone(), before: before.clone() })
            }
            _ => None,
        };
        found.push(KeyDifference { part, text, change, made: None });
    }
}

/// Whether two types differ in nothing but weakness.
pub(super) fn only_weak(old: &Leaf, new: &Leaf) -> bool {
    match (old, new) {
        (Leaf::Array(old), Leaf::Array(new)) => {
            old.weak != new.weak && old.dtype == new.dtype && old.shape == new.shape
        }
        _ => false,
    }
}

fn statics(it: &Rc<Interp>, fun: &Value, entry: &Entry, call: &Call, found: &mut Vec<KeyDifference>) {
    for new in &call.statics {
        let Some(old) = entry.statics.iter().find(|old| old.place == new.place) else { continue };
        if same_static(it, old, new).unwrap_or(true) {
            continue;
        }
        let name = structures::static_name(it, fun, call, new.place);
        found.push(static_difference(it, &name, &old.value, &new.value));
    }
}

/// How a static value differs from the one before.
pub(super) fn static_difference(it: &Rc<Interp>, name: &str, before: &Value, now: &Value) -> KeyDifference {
    let shown = |value: &Value| introspection::shown(it, value);
    let (part, text) = match (before, now) {
        (Value::Bool(_), Value::Bool(_)) => {
            (KeyPart::Flag, format!("{name}: now {}, before {}", shown(now), shown(before)))
        }
        (before, now) if made_anew(before, now) => {
            let what = match now {
                Value::Instance(instance) => format!("`{}` object", instance.class().name),
                _ => "function".to_owned(),
            };
            (KeyPart::Identity, format!("{name} compares by identity, and this is another {what} than before"))
        }
        _ if shown(now) == shown(before) => {
            (KeyPart::Static, format!("{name}: another {} than before, which is not equal to it", shown(now)))
        }
        _ => (KeyPart::Static, format!("{name}: now {}, before {}", shown(now), shown(before))),
    };
    let made = if part == KeyPart::Identity { made(now) } else { None };
    KeyDifference { part, text, change: None, made }
}

/// Whether two values are made alike, and are equal to themselves alone: objects of one class, functions of one text.
fn made_anew(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(&a.unit, &b.unit) && a.code == b.code,
        (Value::Instance(a), Value::Instance(b)) => {
            let class = b.class();
            Rc::ptr_eq(&a.class(), &class)
                && class.lookup_where(sym!("__eq__")).is_none_or(|(_, owner)| owner.name.as_str() == "object")
        }
        _ => false,
    }
}

/// Where the program makes an object: the call of its class, the name in the `def` of a function, or its `lambda`.
fn made(value: &Value) -> Option<Site> {
    match value {
        Value::Instance(instance) => instance.made(),
        Value::Function(function) if function.module.unit.user => {
            Some(Site { file: function.module.unit.file, span: function.code().name_span })
        }
        _ => None,
    }
}

fn settings(it: &Rc<Interp>, entry: &Entry, found: &mut Vec<KeyDifference>) {
    let (old, new) = (entry.config.context(), it.engine.config().context());
    for (name, value) in &new {
        let before = old.iter().find(|(n, _)| n == name).map_or("default", |(_, v)| v);
        let text = match (before == value, value == MESH_OF_EQUATIONS, before == MESH_OF_EQUATIONS) {
            (true, ..) => continue,
            (_, true, _) => format!("now {IN_A_RULE}, before outside of one"),
            (.., true) => format!("before {IN_A_RULE}, now outside of one"),
            _ => format!("{name}: now {value}, before {before}"),
        };
        found.push(KeyDifference { part: KeyPart::Setting, text, change: None, made: None });
    }
}
