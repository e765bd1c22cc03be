//! What the program prints, where somebody wants to see it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Interp;
use crate::python::halt::{Halt, Step, Stopped};
use crate::python::{Site, Value, journal};

/// Longer output is not kept: so many bytes, where each piece counts for some more.
const MOST_TEXT: usize = 4 << 20;
const PIECE: usize = 16;

/// A piece of what the program prints.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// Text that is known.
    Text(String),
    /// Text that is not known, and why.
    Unknown(String),
    /// It is not known how often this is printed, or whether it is: by a loop that is summed up, or on a condition.
    Perhaps,
    /// More than is kept.
    Cut,
}

/// What stands in the output for text that is not known.
pub fn not_known(why: &str) -> String {
    format!("<not known: {why}>")
}

/// What the program prints.
#[derive(Default)]
pub struct Printing {
    on: Cell<bool>,
    /// An exception has ended the program.
    ended: Cell<bool>,
    size: Cell<usize>,
    pieces: RefCell<Vec<(Option<Site>, Printed)>>,
}

impl Printing {
    /// Whether texts that are printed are read by somebody.
    pub fn is_read(&self) -> bool {
        self.on.get()
    }

    /// The pieces with the expressions that print them.
    pub fn take(&self) -> Vec<(Option<Site>, Printed)> {
        self.pieces.take()
    }

    /// Keeps a piece; `false` once there is more than is kept.
    fn push(&self, site: Option<Site>, piece: Printed) -> bool {
        let mut pieces = self.pieces.borrow_mut();
        let text = if let Printed::Text(text) | Printed::Unknown(text) = &piece { text.len() } else { 0 };
        self.size.set(self.size.get() + text + PIECE);
        match (pieces.last_mut(), piece) {
            (Some((last, Printed::Perhaps)), Printed::Perhaps) if *last == site => {}
            (Some((last, Printed::Text(before))), Printed::Text(text)) if *last == site => before.push_str(&text),
            (_, piece) => pieces.push((site, piece)),
        }
        let is_too_long = self.size.get() > MOST_TEXT;
        if is_too_long {
            pieces.push((None, Printed::Cut));
        }
        !is_too_long
    }
}

impl Interp {
    /// What the program prints is kept from now on, or not; numbers are computed for it.
    pub fn keep_printed(&self, on: bool) {
        self.printing.on.set(on);
        self.engine.generous.set(on);
    }

    /// Notes that a value is written to the program's output.
    ///
    /// # Errors
    /// What its `__str__` raises. The run is over where there is more than is kept.
    pub fn note_printed(self: &Rc<Self>, value: &Value) -> Step<()> {
        if !self.printing.is_read() || self.recorder.is_beside.get() {
            return Ok(());
        }
        if self.printing.ended.get() {
            return Err(Halt::Stop(Stopped::Done));
        }
        let site = self.standing();
        if journal::branch() != self.engine.sure.get() || self.in_widened_loop.get() {
            return self.keep_piece(site, Printed::Perhaps);
        }
        let piece = match self.str_of(value) {
            Ok(Value::Str(text)) => Printed::Text(text.to_string()),
            Ok(Value::Unknown(unknown)) => Printed::Unknown(unknown.why.0.to_string()),
            Ok(other) => Printed::Unknown(format!("the text of {}", self.type_name(&other))),
            Err(Halt::Unknown(why)) => Printed::Unknown(why.0.to_string()),
            Err(halt) => return Err(halt),
        };
        self.keep_piece(site, piece)
    }

    /// Notes that an exception ends the program: what it would print behind it is not printed.
    pub fn note_ended(&self) {
        if !self.printing.is_read() || self.recorder.is_beside.get() {
            return;
        }
        if journal::branch() == self.engine.sure.get() && !self.in_widened_loop.get() {
            self.printing.ended.set(true);
        } else {
            _ = self.keep_piece(self.standing(), Printed::Perhaps);
        }
    }

    fn keep_piece(&self, site: Option<Site>, piece: Printed) -> Step<()> {
        if self.printing.push(site, piece) { Ok(()) } else { Err(Halt::Stop(Stopped::Done)) }
    }
}
