//! What is new about a call that no trace fits.

use std::rc::Rc;

use super::arguments::leaf_names;
use super::traces::{Entry, same_static};
use super::{Call, Leaf, Place};
use crate::frameworks::jax::core::introspection::{self};
use crate::frameworks::jax::core::tree::{self};
use crate::interp::{Event, Interp};
use crate::python::Value;
use crate::python::halt::Step;

/// Earlier traces that a new one is compared with, to say what is new about it.
const MOST_COMPARED: usize = 16;

/// Notes what differs from the nearest earlier trace.
pub(super) fn note_miss(it: &Rc<Interp>, fun: &Value, call: &Call, known: &[Rc<Entry>]) -> Step<()> {
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
        Leaf::Ref(aval) => format!("Ref{{{aval}}}"),
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
