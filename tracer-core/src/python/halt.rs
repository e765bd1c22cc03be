//! Why an evaluation gave no value.
//!
//! Three things end an evaluation early: a Python exception (an outcome of the program), not knowing (an outcome of the
//! analysis) and a stop (budget or cancellation: our own affair). They share one type so that `?` carries them; what
//! catches them tells them apart: `try` statements see only exceptions, the door of expressions turns not-knowing into
//! an unknown value, and a stop passes everything.

use std::rc::Rc;

use crate::module::Symbol;

/// The result of an evaluation.
pub type Step<T> = Result<T, Halt>;

/// Why an evaluation gave no value.
#[derive(Clone, Debug)]
pub enum Halt {
    /// A Python exception.
    Raise(Exception),
    /// The value cannot be known, and why.
    Unknown(Why),
    /// The analysis was stopped.
    Stop(Stopped),
}

/// Our own reason to stop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The budget is spent.
    Budget,
    /// An edit made the run pointless.
    Cancelled,
}

/// Why a value is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Why(pub Rc<str>);

/// A Python exception.
#[derive(Clone, Debug)]
pub enum Exception {
    /// Raised by the engine: the class by its name (`TypeError`, `jax.errors.TracerBoolConversionError`) and the message.
    Native {
        /// The class: a builtin's name, or the dotted name of a framework's class.
        class: Symbol,
        /// The message.
        message: Rc<str>,
    },
}

impl Halt {
    /// A Python exception of this class with this message.
    pub fn raise(class: &str, message: impl Into<String>) -> Halt {
        Halt::Raise(Exception::Native { class: Symbol::from(class), message: message.into().into() })
    }
    /// `TypeError(message)`
    pub fn type_error(message: impl Into<String>) -> Halt {
        Halt::raise("TypeError", message)
    }
    /// `ValueError(message)`
    pub fn value_error(message: impl Into<String>) -> Halt {
        Halt::raise("ValueError", message)
    }
    /// Not known, for this reason.
    pub fn unknown(why: impl Into<String>) -> Halt {
        Halt::Unknown(Why(why.into().into()))
    }
}
