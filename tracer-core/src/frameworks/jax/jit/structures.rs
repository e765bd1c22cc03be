//! How the arguments of a call are given and nested otherwise than those of an earlier trace.

use std::rc::Rc;

use super::misses::static_text;
use super::traces::Entry;
use super::{Call, Place, Static};
use crate::frameworks::jax::core::introspection::{argument_names, signature};
use crate::frameworks::jax::core::tree::{self, Def};
use crate::interp::{Interp, KeyChange};
use crate::module::Symbol;
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::pytree::{Key, Kind};

/// Differences that are told of one call.
const MOST: usize = 4;
/// Keys that are told of one dict.
const MOST_KEYS: usize = 3;

/// What is told of a difference, and the same as data where a change of the call could take it back.
pub(super) type Difference = (String, Option<KeyChange>);

/// One argument; a static one has no structure.
struct Argument {
    name: String,
    by_name: bool,
    def: Option<Def>,
}

/// A text for each difference, at least one, and what a call could take back of it; how much differs: the nodes of the parts that do not match.
pub(super) fn differences(it: &Rc<Interp>, fun: &Value, entry: &Entry, call: &Call) -> (usize, Vec<Difference>) {
    let mut walk = Walk::new(it);
    // What the program raises while it is asked for names is none of the call's business.
    let _ = walk.calls(fun, entry, call);
    walk.found()
}

/// The arguments of a call, by the names of the function's parameters.
fn arguments(it: &Rc<Interp>, fun: &Value, statics: &[Static], def: &Def) -> Step<Vec<Argument>> {
    let [positional, named] = def.children() else { return Ok(Vec::new()) };
    let Some(Kind::Dict(keys)) = named.kind() else { return Ok(Vec::new()) };
    let is_static = |i: usize| statics.iter().any(|s| s.place == Place::Position(i));
    let total = positional.children().len() + statics.iter().filter(|s| matches!(s.place, Place::Position(_))).count();
    let keywords: Vec<(Symbol, Value)> =
        keys.iter().map(|key| (Symbol::from(key.as_str().unwrap_or_default()), Value::None)).collect();
    let named_statics = statics.iter().filter_map(|s| match s.place {
        Place::Name(name) => Some((name, Value::None)),
        Place::Position(_) => None,
    });
    let all: Vec<(Symbol, Value)> = keywords.into_iter().chain(named_statics).collect();
    let params = signature(it, fun)?;
    let (by_position, by_name) = argument_names(params.as_deref(), &vec![Value::None; total], &all);
    let mut defs = positional.children().iter().cloned();
    let positions = by_position.into_iter().enumerate().map(|(i, name)| {
        let def = if is_static(i) { None } else { defs.next() };
        Argument { name, by_name: false, def }
    });
    let mut found: Vec<Argument> = positions.collect();
    let defs = named.children().iter().cloned().map(Some).chain(std::iter::repeat(None));
    found.extend(by_name.into_iter().zip(defs).map(|(name, def)| Argument { name, by_name: true, def }));
    Ok(found)
}

/// How a static argument is told of: `static argument cfg`.
pub(super) fn static_name(it: &Rc<Interp>, fun: &Value, call: &Call, place: Place) -> String {
    let named = match place {
        Place::Position(at) => {
            let all = arguments(it, fun, &call.statics, &call.def).ok();
            all.and_then(|all| all.get(at).filter(|argument| !argument.by_name).map(|argument| argument.name.clone()))
        }
        Place::Name(_) => None,
    };
    named.map_or_else(|| super::misses::place_text(place), |name| format!("static argument {name}"))
}

/// A walk through two structures.
pub(super) struct Walk<'a> {
    it: &'a Rc<Interp>,
    found: Vec<Difference>,
    nodes: usize,
}

impl Argument {
    fn nodes(&self) -> usize {
        self.def.as_ref().map_or(1, Def::num_nodes)
    }
    /// As it is told of.
    fn told(&self) -> String {
        match self.def {
            Some(_) => self.name.clone(),
            None => format!("static argument {}", self.name),
        }
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(it: &'a Rc<Interp>) -> Walk<'a> {
        Walk { it, found: Vec::new(), nodes: 0 }
    }

    /// What was found, at least one text, and the nodes of the parts that do not match.
    pub(super) fn found(self) -> (usize, Vec<Difference>) {
        let Walk { mut found, nodes, .. } = self;
        if found.is_empty() {
            found.push(("the structure of the arguments".into(), None));
        }
        if found.len() > MOST {
            found.truncate(MOST);
            found.push(("…".into(), None));
        }
        (nodes.max(1), found)
    }

    fn calls(&mut self, fun: &Value, entry: &Entry, call: &Call) -> Step<()> {
        let now = arguments(self.it, fun, &call.statics, &call.def)?;
        let mut before = arguments(self.it, fun, &entry.statics, &entry.def)?;
        for new in now {
            let Some(at) = before.iter().position(|old| old.name == new.name) else {
                self.push(new.nodes() + 1, format!("{}: now given, before left out", new.told()));
                continue;
            };
            let old = before.remove(at);
            let by = |by_name: bool| if by_name { "by name" } else { "by position" };
            if new.by_name != old.by_name {
                let (now, before) = (by(new.by_name), by(old.by_name));
                let text = format!("{}: now passed {now}, before {before}", new.told());
                let change = KeyChange::Passed { name: new.name.as_str().into(), by_name: new.by_name };
                self.nodes += 1;
                self.found.push((text, new.def.is_some().then_some(change)));
            }
            if let (Some(now), Some(before)) = (&new.def, &old.def) {
                self.trees(&new.name, &mut Vec::new(), now, before)?;
            }
        }
        for old in before {
            self.push(old.nodes() + 1, format!("{}: now left out, before given", old.told()));
        }
        Ok(())
    }

    pub(super) fn push(&mut self, nodes: usize, text: String) {
        self.nodes += nodes;
        self.found.push((text, None));
    }

    /// The differences of two structures of a name.
    ///
    /// # Errors
    /// What the program raises while it is asked for keys.
    pub(super) fn trees(&mut self, name: &str, path: &mut Vec<Key<Value>>, new: &Def, old: &Def) -> Step<()> {
        let whole = new.num_nodes().max(old.num_nodes());
        let (nodes, differ, ends) = match (new.kind(), old.kind()) {
            (None, None) => return Ok(()),
            // Under the keys of both there may be more, but the others are the first thing to look at.
            (Some(Kind::Dict(now)), Some(Kind::Dict(before))) => {
                let differ = self.keys(now, before);
                (now.len().abs_diff(before.len()).max(1), differ.clone(), differ.is_some())
            }
            (Some(now), Some(before))
                if self.same_class(now, before) && new.children().len() == old.children().len() =>
            {
                (1, self.data(now, before), false)
            }
            _ => (whole, Some((self.what(new), self.what(old))), true),
        };
        if let Some((now, before)) = differ {
            let at = tree::path_text(self.it, path)?;
            self.push(nodes, format!("{name}{at}: now {now}, before {before}"));
        }
        if ends {
            return Ok(());
        }
        let Some(kind) = new.kind() else { return Ok(()) };
        let keys = tree::child_keys(self.it, kind, new.children().len())?;
        for ((key, new), old) in keys.into_iter().zip(new.children()).zip(old.children()) {
            path.push(key);
            self.it.nested("", || self.trees(name, path, new, old))?;
            path.pop();
        }
        Ok(())
    }

    fn is_equal(&self, a: &Value, b: &Value) -> bool {
        matches!(self.it.items_equal(a, b), Ok(Ok(true)))
    }

    fn same_class(&self, now: &Kind<Value>, before: &Kind<Value>) -> bool {
        match (now, before) {
            (Kind::Named(a), Kind::Named(b)) | (Kind::Custom { class: a, .. }, Kind::Custom { class: b, .. }) => {
                a.is(b)
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// A node as it is told of: `a list of 3`.
    fn what(&self, def: &Def) -> String {
        let count = def.children().len();
        match def.kind() {
            None => "an array".into(),
            Some(Kind::None) => "None".into(),
            Some(Kind::Tuple) => format!("a tuple of {count}"),
            Some(Kind::List) => format!("a list of {count}"),
            Some(Kind::Dict(_)) => format!("a dict of {count}"),
            Some(Kind::Named(class) | Kind::Custom { class, .. }) => match class {
                Value::Class(class) => format!("a `{}` of {count}", class.name),
                _ => format!("an object of {count}"),
            },
        }
    }

    /// Two dicts whose keys differ: `with 'b'` and `without it`.
    fn keys(&self, now: &[Value], before: &[Value]) -> Option<(String, String)> {
        let only = |of: &[Value], not: &[Value]| -> Vec<String> {
            let new = of.iter().filter(|key| !not.iter().any(|other| self.is_equal(key, other)));
            new.map(|key| format!("[{}]", static_text(self.it, key))).collect()
        };
        let list = |keys: &[String]| match keys.len() > MOST_KEYS {
            true => format!("{} and {} more", keys[..MOST_KEYS].join(", "), keys.len() - MOST_KEYS),
            false => keys.join(", "),
        };
        let it_or_them = |keys: &[String]| if keys.len() == 1 { "without it" } else { "without them" };
        let (added, gone) = (only(now, before), only(before, now));
        Some(match (added.is_empty(), gone.is_empty()) {
            (true, true) => return None,
            (false, true) => (format!("with {}", list(&added)), it_or_them(&added).into()),
            (true, false) => {
                (format!("without {}", list(&gone)), if gone.len() == 1 { "with it" } else { "with them" }.into())
            }
            (false, false) => (format!("with {}", list(&added)), format!("with {}", list(&gone))),
        })
    }

    /// What nodes of one class keep beside their children, where that differs.
    fn data(&self, now: &Kind<Value>, before: &Kind<Value>) -> Option<(String, String)> {
        let (Kind::Custom { class, data: now, .. }, Kind::Custom { data: before, .. }) = (now, before) else {
            return None;
        };
        if self.is_equal(now, before) {
            return None;
        }
        let fields = tree::static_fields(self.it, class);
        if let (Value::Tuple(now), Value::Tuple(before)) = (now, before)
            && now.len() == before.len()
        {
            // The fields of a class that keeps its data otherwise have no names here.
            let name = |at: usize| match fields.len() == now.len() {
                true => format!("{}=", fields[at]),
                false => String::new(),
            };
            let pairs = now.iter().zip(before.iter()).enumerate();
            let differ = pairs.filter(|(_, (a, b))| !self.is_equal(a, b));
            let told: Vec<(String, String)> = differ
                .map(|(at, (a, b))| {
                    let told = |value: &Value| format!("{}{}", name(at), static_text(self.it, value));
                    (told(a), told(b))
                })
                .collect();
            let (now, before): (Vec<String>, Vec<String>) = told.into_iter().unzip();
            return Some((format!("with static {}", now.join(", ")), format!("with {}", before.join(", "))));
        }
        Some((format!("with static data {}", static_text(self.it, now)), static_text(self.it, before)))
    }
}
