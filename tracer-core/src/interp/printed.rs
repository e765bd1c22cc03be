//! What the program prints, where somebody wants to see it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Site, Value, journal};

/// Longer output is not kept: so many bytes.
const MOST_TEXT: usize = 16 << 20;

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

    fn push(&self, site: Option<Site>, piece: Printed) {
        let mut pieces = self.pieces.borrow_mut();
        match (pieces.last_mut(), piece) {
            (Some((_, Printed::Cut)), _) => {}
            (Some((last, Printed::Perhaps)), Printed::Perhaps) if *last == site => {}
            (Some((last, Printed::Text(before))), Printed::Text(text)) if *last == site => {
                self.size.set(self.size.get() + text.len());
                before.push_str(&text);
            }
            (_, piece) => {
                let size = if let Printed::Text(text) = &piece { text.len() } else { 0 };
                self.size.set(self.size.get() + size + size_of::<(Option<Site>, Printed)>());
                pieces.push((site, piece));
            }
        }
        if self.size.get() > MOST_TEXT {
            pieces.push((None, Printed::Cut));
            self.size.set(0);
        }
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
    /// What its `__str__` raises.
    pub fn note_printed(self: &Rc<Self>, value: &Value) -> Step<()> {
        if !self.printing.is_read() || self.recorder.is_beside.get() {
            return Ok(());
        }
        let site = self.standing();
        if journal::branch() != self.engine.sure.get() || self.in_widened_loop.get() {
            self.printing.push(site, Printed::Perhaps);
            return Ok(());
        }
        let piece = match self.str_of(value) {
            Ok(Value::Str(text)) => Printed::Text(text.to_string()),
            Ok(Value::Unknown(unknown)) => Printed::Unknown(unknown.why.0.to_string()),
            Ok(other) => Printed::Unknown(format!("the text of {}", self.type_name(&other))),
            Err(Halt::Unknown(why)) => Printed::Unknown(why.0.to_string()),
            Err(halt) => return Err(halt),
        };
        self.printing.push(site, piece);
        Ok(())
    }
}
