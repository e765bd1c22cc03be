//! What happened while running that rules may care about. Facts only: rules decide whether anyone should care.

use std::cell::{Cell, RefCell};

use crate::module::Symbol;
use crate::python::Site;

/// A fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A side effect of Python happened while tracing.
    SideEffect {
        /// Where.
        site: Site,
        /// What.
        effect: Effect,
    },
    /// A name that the framework has removed was used.
    Removed {
        /// Where.
        site: Site,
        /// The name.
        name: String,
        /// What the framework's own message says.
        message: String,
    },
    /// An `assert` whose outcome is not known.
    UnknownAssert {
        /// Where.
        site: Site,
        /// Why it is not known.
        why: String,
    },
    /// A module that is neither modelled nor found was imported.
    MissingModule {
        /// Where.
        site: Site,
        /// Its name.
        name: Symbol,
    },
    /// A traced function was traced: no earlier trace fits the call.
    CacheMiss {
        /// The call.
        site: Site,
        /// The function.
        function: Symbol,
        /// Where it is defined.
        defined: Site,
        /// How many traces of the same function object there were.
        seen_before: usize,
        /// What differs from the nearest of them.
        differences: Vec<String>,
    },
}

/// A side effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// `print(…)`
    Print,
    /// A container or attribute of an object from outside the trace was written.
    Write(String),
}

/// The facts of a run, each once.
#[derive(Debug, Default)]
pub struct Events(RefCell<Vec<Event>>, Cell<u64>);

impl Events {
    /// Notes a fact.
    pub fn note(&self, event: Event) {
        self.1.set(self.1.get() + 1);
        let mut events = self.0.borrow_mut();
        if !events.contains(&event) {
            events.push(event);
        }
    }
    /// How often facts were noted, also those that were known.
    pub fn noted(&self) -> u64 {
        self.1.get()
    }
    /// The facts so far.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}
