//! Calls of the framework's functions with an argument that is one of a few values: each is asked for.

use std::rc::Rc;

use super::Interp;
use super::or_none::argument;
use crate::python::container::join_values;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Value};

/// The few values that a value may be.
pub(super) fn choices_of(value: &Value) -> Option<Rc<[Value]>> {
    match value {
        Value::Unknown(unknown) => unknown.choices.clone(),
        _ => None,
    }
}

impl Interp {
    /// What the framework's function gives for each of the few values that its one such argument may be. None where there is no such
    /// argument, or more, or where it gives nothing for one of them.
    pub(super) fn call_of_choices(self: &Rc<Self>, callee: &Value, args: &Args) -> Option<Step<Value>> {
        let given = || args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value));
        let mut places = given().enumerate().filter_map(|(at, value)| Some((at, choices_of(value)?)));
        let (at, choices) = places.next()?;
        if places.next().is_some() || self.repro.on.get() || !self.array_hooks().ok()?.can_ask(self, callee, false) {
            return None;
        }
        let mut joined: Option<Value> = None;
        for choice in choices.iter() {
            let mut meant = args.clone();
            *argument(&mut meant, at) = choice.clone();
            let value = match self.while_catching(|| self.call(callee, meant)) {
                Ok(value) if !value.is_unknown() => value,
                Err(Halt::Stop(stop)) => return Some(Err(Halt::Stop(stop))),
                _ => return None,
            };
            joined = Some(joined.map_or_else(|| value.clone(), |before| join_values(&before, &value)));
        }
        joined.map(Ok)
    }
}
