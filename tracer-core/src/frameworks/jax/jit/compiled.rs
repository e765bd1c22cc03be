//! What traces are compiled for: the same trace is compiled once more for arguments that lie elsewhere, and for others that are donated.

use std::cell::Cell;
use std::rc::Rc;

use super::Call;
use super::Traced;
use super::arguments::leaf_names;
use super::misses::{called, defined_at};
use crate::interp::{Event, Interp};
use crate::python::Value;
use crate::python::halt::Step;
use crate::trace::{Commit, layout};

/// So many are remembered of a trace.
const MOST: usize = 256;

/// How often a trace was compiled once more in this run.
#[derive(Default)]
struct Count(Cell<usize>);

/// What code is compiled for.
#[derive(PartialEq)]
pub struct Compiled {
    /// Of each argument that is an array, whether it may be overwritten.
    donated: Vec<bool>,
    /// Of each leaf of the arguments, where it was put.
    places: Vec<Commit>,
}

/// Notes a call of a trace outside of other traces: if the trace has to be compiled once more, and why.
///
/// # Errors
/// What the program raises while it is asked for names.
pub(super) fn note(it: &Rc<Interp>, fun: &Value, call: &Call, traced: &Traced, donated: Vec<bool>) -> Step<()> {
    let mut places = vec![Commit::No; call.leaves.len()];
    if it.engine.commits.any() {
        let first = traced.consts.len() + traced.refs.captured.len();
        let arrays = call.leaves.iter().zip(&call.types).enumerate().filter(|(_, (_, of))| of.aval().is_some());
        for (input, (at, (leaf, _))) in arrays.enumerate() {
            // What nothing is computed from is left out before it is compiled.
            if let Value::Array(array) = leaf
                && layout::is_used(&traced.graph.jaxpr, first + input)
            {
                places[at] = it.engine.commits.of(array);
            }
        }
    }
    if places.contains(&Commit::Unknown) {
        return Ok(());
    }
    let new = Compiled { donated, places };
    let known = traced.compiled.borrow();
    if known.len() >= MOST || known.contains(&new) {
        return Ok(());
    }
    if let Some(before) = known.last()
        && let Some((site, _)) = it.user_stack.borrow().last().copied()
        && let Some(function) = called(it, fun, call)?
    {
        let reason = match before.places.iter().zip(&new.places).position(|(before, now)| before != now) {
            Some(at) => {
                let name = leaf_names(it, fun, call)?
                    .get(at)
                    .map_or_else(|| "an argument".to_owned(), |name| format!("`{name}`"));
                format!("{name} {}, before it {}", text(&new.places[at]), text(&before.places[at]))
            }
            None => "other arguments are donated".to_owned(),
        };
        let defined = defined_at(&function);
        let count = it.extension::<Count>();
        let before = count.0.replace(count.0.get() + 1);
        it.events.note(Event::CompiledAgain { site, function: function.name(), defined, reason, before });
    }
    drop(known);
    traced.compiled.borrow_mut().push(new);
    Ok(())
}

fn text(place: &Commit) -> String {
    match place {
        Commit::At(sharding) => {
            let device =
                sharding.strip_prefix("SingleDeviceSharding(device=").and_then(|rest| rest.split_once(", memory"));
            format!("is committed to {}", device.map_or(&**sharding, |(device, _)| device))
        }
        Commit::No | Commit::Unknown => "was not committed to any device".to_owned(),
    }
}
