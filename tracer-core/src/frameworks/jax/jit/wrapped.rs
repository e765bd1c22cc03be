//! What a library hands to a compiled function of its own, told as the arguments of the function that it was given.
//!
//! Equinox's `filter_jit` compiles one function of its own. That gets the arrays among the leaves of the function, of its first argument
//! and of the other arguments (in dicts by `fun`, `first` and `rest`), and as static the other leaves and the structure of each.

use std::rc::Rc;

use super::differences::{only_weak, static_difference};
use super::misses::{leaf_text, static_text};
use super::structures::Walk;
use super::traces::{Entry, same_static};
use super::{Call, Leaf, Place, Static};
use crate::frameworks::jax::core::tree::{self, Def, leaf_paths};
use crate::interp::{Interp, KeyDifference, KeyPart};
use crate::python::halt::Step;
use crate::python::{Function, Value};
use crate::trace::pytree::Kind;

/// What stands for the function, its first argument, and the others, in the order of their static parts.
const PARTS: [&str; 3] = ["fun", "first", "rest"];

/// A call of a function by way of a library's wrapper.
pub(super) struct Wrapped {
    /// The function of the program.
    pub(super) function: Rc<Function>,
    parts: Vec<Part>,
}

/// The function, its first argument, or the others.
struct Part {
    def: Def,
    /// In the order of the structure.
    leaves: Vec<Given>,
}

/// A leaf: an array, or something static.
enum Given {
    Array(Leaf),
    Static(Value),
}

impl Wrapped {
    /// Of a call that may be one.
    pub(super) fn of_call(call: &Call) -> Option<Wrapped> {
        Wrapped::new(&call.statics, &call.def, &call.types)
    }
    /// Of a trace that may have been made for one.
    pub(super) fn of_entry(entry: &Entry) -> Option<Wrapped> {
        Wrapped::new(&entry.statics, &entry.def, &entry.types)
    }

    fn new(statics: &[Static], def: &Def, types: &[Leaf]) -> Option<Wrapped> {
        let [Static { value: Value::Tuple(statics), .. }] = statics else { return None };
        let arrays = arrays(def, types)?;
        if statics.len() != PARTS.len() {
            return None;
        }
        let parts: Vec<Part> =
            statics.iter().zip(arrays).map(|(of, arrays)| part(of, arrays)).collect::<Option<_>>()?;
        let mut functions = parts[0].leaves.iter().filter_map(|leaf| match leaf {
            Given::Static(Value::Function(function)) => Some(function.clone()),
            _ => None,
        });
        let function = functions.next().filter(|function| function.module.unit.user)?;
        functions.next().is_none().then_some(())?;
        drop(functions);
        Some(Wrapped { function, parts })
    }

    /// A line for each leaf of the arguments.
    pub(super) fn key(&self, it: &Rc<Interp>) -> Step<Vec<String>> {
        let mut lines = Vec::new();
        for (at, part) in self.parts.iter().enumerate().skip(1) {
            for (name, leaf) in self.names(it, at)?.iter().zip(&part.leaves) {
                lines.push(match leaf {
                    Given::Array(leaf) => format!("{name}: {}", leaf_text(leaf)),
                    Given::Static(value) => format!("{name}: static, {}", static_text(it, value)),
                });
            }
        }
        Ok(lines)
    }

    /// All that differs from an earlier call, and how much that is.
    pub(super) fn differences(&self, it: &Rc<Interp>, before: &Wrapped) -> Step<(usize, Vec<KeyDifference>)> {
        let mut found = Vec::new();
        let mut nodes = 0;
        for (at, (new, old)) in self.parts.iter().zip(&before.parts).enumerate() {
            if !tree::same(it, &new.def, &old.def)? {
                let (differ, texts) = self.structure(it, at, &new.def, &old.def)?;
                nodes += differ;
                found.extend(texts);
                continue;
            }
            for (name, (new, old)) in self.names(it, at)?.iter().zip(new.leaves.iter().zip(&old.leaves)) {
                found.extend(leaf_difference(it, name, new, old)?);
            }
        }
        Ok((nodes + found.len(), found))
    }

    fn structure(&self, it: &Rc<Interp>, at: usize, new: &Def, old: &Def) -> Step<(usize, Vec<KeyDifference>)> {
        let mut walk = Walk::new(it);
        match (PARTS[at], new.children(), old.children()) {
            ("rest", [now, now_named], [before, before_named]) => {
                let (now, before) = (now.children(), before.children());
                let mut shared = now.len().min(before.len());
                if now.len() != before.len() {
                    // One of them, the last, is Equinox's own.
                    let texts = (now.len(), before.len());
                    walk.push(1, format!("now {} arguments by position, before {}", texts.0, texts.1));
                    shared = shared.saturating_sub(1);
                }
                for (i, (now, before)) in now.iter().zip(before).take(shared).enumerate() {
                    walk.trees(&self.parameter(i + 1), &mut Vec::new(), now, before)?;
                }
                walk.trees("arguments by name", &mut Vec::new(), now_named, before_named)?;
            }
            ("first", ..) => walk.trees(&self.parameter(0), &mut Vec::new(), new, old)?,
            _ => walk.trees("the function", &mut Vec::new(), new, old)?,
        }
        let (nodes, texts) = walk.found();
        Ok((nodes, texts.into_iter().map(|(text, _)| told(KeyPart::Structure, text)).collect()))
    }

    /// The names of the leaves of a part, as the function's parameters name them.
    fn names(&self, it: &Rc<Interp>, at: usize) -> Step<Vec<String>> {
        let paths = leaf_paths(it, &self.parts[at].def)?;
        Ok(paths
            .into_iter()
            .map(|path| match PARTS[at] {
                "first" => format!("{}{path}", self.parameter(0)),
                "rest" => self.other(&path).unwrap_or(path),
                _ => format!("the function{path}"),
            })
            .collect())
    }

    /// `[0][2].w`, of what follows the first argument: by position in the first item, by name in the second.
    fn other(&self, path: &str) -> Option<String> {
        if let Some(rest) = path.strip_prefix("[0][") {
            let (number, rest) = rest.split_once(']')?;
            return Some(format!("{}{rest}", self.parameter(number.parse::<usize>().ok()? + 1)));
        }
        let (name, rest) = path.strip_prefix("[1]['")?.split_once("']")?;
        Some(format!("{name}{rest}"))
    }

    fn parameter(&self, at: usize) -> String {
        let names = &self.function.code().params.names;
        names.get(at).map_or_else(|| format!("argument {at}"), |param| param.name.to_string())
    }
}

/// The types of the arrays of each part, in their order.
fn arrays(def: &Def, types: &[Leaf]) -> Option<[Vec<Leaf>; 3]> {
    let [positional, _] = def.children() else { return None };
    let mut found: [Vec<Leaf>; 3] = Default::default();
    let mut types = types.iter();
    for part in positional.children() {
        let Some(Kind::Dict(keys)) = part.kind() else { return None };
        for (key, child) in keys.iter().zip(part.children()) {
            let at = PARTS.iter().position(|name| key.as_str().is_some_and(|key| key == *name))?;
            found[at].extend(types.by_ref().take(child.num_leaves()).cloned());
        }
    }
    Some(found)
}

/// A part, of its static leaves with the structure, and its arrays.
fn part(of: &Value, arrays: Vec<Leaf>) -> Option<Part> {
    let Value::Tuple(of) = of else { return None };
    let [Value::Tuple(statics), def] = &of[..] else { return None };
    let mut arrays = arrays.into_iter();
    let leaves = statics.iter().map(|value| match value {
        Value::None => arrays.next().map(Given::Array),
        value => Some(Given::Static(value.clone())),
    });
    Some(Part { leaves: leaves.collect::<Option<_>>()?, def: tree::def_of(def).ok()? })
}

fn leaf_difference(it: &Rc<Interp>, name: &str, new: &Given, old: &Given) -> Step<Option<KeyDifference>> {
    Ok(match (new, old) {
        (Given::Array(new), Given::Array(old)) if new == old => None,
        (Given::Array(new), Given::Array(old)) => {
            let part = if only_weak(old, new) { KeyPart::WeakType } else { KeyPart::Type };
            Some(told(part, format!("{name}: now {}, before {}", leaf_text(new), leaf_text(old))))
        }
        (Given::Static(new), Given::Static(old)) => {
            let as_static = |value: &Value| Static { place: Place::Position(0), value: value.clone() };
            match same_static(it, &as_static(old), &as_static(new))? {
                true => None,
                false => Some(static_difference(it, name, old, new)),
            }
        }
        (Given::Array(new), Given::Static(old)) => {
            let text = format!("{name}: now {}, before {}, which is static", leaf_text(new), static_text(it, old));
            Some(told(KeyPart::Structure, text))
        }
        (Given::Static(new), Given::Array(old)) => {
            let text = format!("{name}: now {}, which is static, before {}", static_text(it, new), leaf_text(old));
            Some(told(KeyPart::Structure, text))
        }
    })
}

fn told(part: KeyPart, text: String) -> KeyDifference {
    KeyDifference { part, text, change: None, made: None }
}
