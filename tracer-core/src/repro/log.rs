//! What was recorded of a run, and why it is not in the reproducer.

use std::rc::Rc;

use super::hierarchy::name;
use super::tree::{Arg, Op, State};
use super::write::Writer;
use crate::interp::Interp;
use crate::python::{FileId, Site, Value};
use crate::text::Span;

/// The index of a file of the program.
type Files<'a> = &'a dyn Fn(FileId) -> Option<usize>;

/// More calls than this are not told.
const MOST_TOLD: usize = 10_000;

/// A call that was recorded, or a function of the program that one has called.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// The file, an index into the analysis' files, and the range; nothing for what the program has not written itself.
    pub place: Option<(usize, Span)>,
    /// So many calls are around it.
    pub depth: usize,
    /// What was called, and the types of what it gave.
    pub text: String,
    /// Whether it is an operation of arrays or an attribute, not a call.
    pub is_operation: bool,
    /// Why it is not in the reproducer, if it is not.
    pub left_out: Option<&'static str>,
}

/// What was recorded, in the order in which it ran.
pub fn log(it: &Rc<Interp>, state: &State, writer: &Writer, files: Files) -> Vec<Logged> {
    let mut log = Log { it, state, writer, files, told: Vec::new() };
    log.body(0, 0);
    log.told
}

struct Log<'a> {
    it: &'a Rc<Interp>,
    state: &'a State,
    writer: &'a Writer<'a>,
    files: Files<'a>,
    told: Vec<Logged>,
}

impl Log<'_> {
    fn body(&mut self, def: usize, depth: usize) {
        for id in &self.state.defs[def].statements {
            if self.told.len() >= MOST_TOLD {
                return;
            }
            self.statement(*id, depth);
        }
    }

    fn statement(&mut self, id: usize, depth: usize) {
        let statement = &self.state.statements[id];
        let name = match &statement.op {
            Op::Call(callee) => name(self.state, callee).unwrap_or_else(|| self.it.callable_name(callee)),
            Op::Binary(op) => format!("{op:?}").to_lowercase(),
            Op::Compare(op) => format!("{op:?}").to_lowercase(),
            Op::Unary(op) => format!("{op:?}").to_lowercase(),
            Op::Attribute(name) | Op::Method(name) => format!(".{name}"),
            Op::SetAttribute(name) => format!(".{name} ="),
            Op::Item => "[…]".into(),
            Op::SetItem => "[…] =".into(),
            Op::DeleteItem => "del […]".into(),
            Op::Items | Op::Unpack(..) => "unpacking".into(),
            Op::Builtin(name) => (*name).to_owned(),
            Op::Apply => "call".into(),
            Op::Bind(primitive, _) => primitive.name().to_owned(),
        };
        let outcome = match (statement.errors.first(), &statement.result) {
            (Some(error), _) => format!(" raises {}", error.class),
            (None, Some((_, result))) => given(result),
            (None, None) => String::new(),
        };
        let is_operation = statement.errors.is_empty() && !matches!(statement.op, Op::Call(_) | Op::Bind(..));
        let left_out = self.why(id, def_is_written(self.writer, statement.parent));
        let place = self.place(statement.site);
        self.told.push(Logged { place, depth, text: format!("{name}{outcome}"), is_operation, left_out });
        for child in &statement.children {
            let def = &self.state.defs[*child];
            let name =
                def.function.as_ref().map_or("a function".to_owned(), |function| function.qualname().to_string());
            let left_out = (!def_is_written(self.writer, *child)).then(|| self.why_function(*child));
            let place = self.place(def.site);
            let text = format!("calls {name}");
            self.told.push(Logged { place, depth: depth + 1, text, is_operation: false, left_out });
            self.body(*child, depth + 2);
        }
    }

    fn place(&self, site: Option<Site>) -> Option<(usize, Span)> {
        site.and_then(|site| Some(((self.files)(site.file)?, site.span)))
    }

    /// Why a statement is not written, if it is not.
    fn why(&self, id: usize, in_written: bool) -> Option<&'static str> {
        let statement = &self.state.statements[id];
        if self.writer.emitted.contains(&id) {
            return None;
        }
        Some(match () {
            () if !in_written => "the function that it is in is left out",
            () if self.writer.numbered.contains(&id) => "what it gives is written as numbers",
            () if !statement.errors.is_empty() => "it raises another error than the one that is wanted",
            () if self.state.primitives && self.is_expanded(id) => "its primitives stand for it",
            () if matches!(statement.op, Op::Items) => "its items are written as subscripts",
            () if statement.result.as_ref().is_some_and(|(_, result)| !result.holds_array()) => {
                "it gives no array, and what it gives is written as it is where it is needed"
            }
            () => "nothing that is kept needs what it gives",
        })
    }

    fn is_expanded(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let later = self.state.defs[statement.parent].statements.iter().filter(|other| **other > id);
        later.clone().next().is_some_and(|next| matches!(self.state.statements[*next].op, Op::Bind(..)))
    }

    fn why_function(&self, id: usize) -> &'static str {
        let function = &self.state.defs[id].function;
        let is_it = |other: &usize| match (&self.state.defs[*other].function, function) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        match self.writer.bodies.iter().any(is_it) {
            true => "another call of it is written",
            false => "nothing that is kept calls it",
        }
    }
}

fn def_is_written(writer: &Writer, id: usize) -> bool {
    id == 0 || writer.bodies.contains(&id)
}

/// The types of the arrays in a result.
fn given(result: &Arg) -> String {
    let mut types = Vec::new();
    result.leaves(&mut Vec::new(), &mut |value, _| {
        if let Value::Array(array) = value {
            types.push(array.aval.to_string());
        }
    });
    match types.is_empty() {
        true => String::new(),
        false => format!(" -> {}", types.join(", ")),
    }
}
