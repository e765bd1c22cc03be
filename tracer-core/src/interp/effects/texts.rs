//! Containers of traced values that are made text of: what prints them when the compiled function runs takes them as they are.

use crate::interp::effects::writes::MOST_LOOKED_AT;
use crate::interp::{Event, Interp, Run};
use crate::module::ExprId;
use crate::python::{Site, Value};

/// What of a value is traced.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Holds {
    Nothing,
    /// In tuples, lists and dicts.
    InContainers,
    /// In an object, whose text may be anything.
    InObject,
}

fn holds(value: &Value, depth: u32) -> Holds {
    let within = |item: &Value| if depth > 0 { holds(item, depth - 1) } else { Holds::Nothing };
    let most = |all: &mut dyn Iterator<Item = Holds>| all.take(MOST_LOOKED_AT).max().unwrap_or(Holds::Nothing);
    match value {
        Value::Array(array) if array.is_tracer() => Holds::InContainers,
        Value::Tuple(items) => most(&mut items.iter().map(within)),
        Value::List(list) => most(&mut list.read().iter().map(within)),
        Value::Dict(dict) => most(&mut dict.read().values().map(within)),
        // Of a named tuple.
        Value::Instance(instance) if let Some(payload @ Value::Tuple(_)) = instance.payload() => within(payload),
        Value::Instance(instance) => match most(&mut instance.attrs().values().map(within)) {
            Holds::Nothing => Holds::Nothing,
            _ => Holds::InObject,
        },
        _ => Holds::Nothing,
    }
}

impl Interp {
    /// A `print` makes text of what it is given, in traced code.
    #[cold]
    pub(in crate::interp) fn note_texts(&self, values: &[Value]) {
        let Some(site) = self.standing().filter(|_| self.effects.is_tracing()) else { return };
        for (at, value) in values.iter().enumerate() {
            self.note_text(site, Some(at), value);
        }
    }

    fn note_text(&self, site: Site, argument: Option<usize>, value: &Value) {
        let held = match value {
            Value::Array(_) => Holds::Nothing,
            value => holds(value, 4),
        };
        if held != Holds::Nothing {
            self.events.note(Event::TextOfTraced { site, argument, is_object: held == Holds::InObject });
        }
    }
}

impl Run<'_> {
    /// A part of an f-string is made text of, in traced code.
    #[cold]
    pub(in crate::interp) fn note_text(&self, expr: ExprId, value: &Value) {
        self.it.note_text(self.site(self.module.span(expr)), None, value);
    }
}
