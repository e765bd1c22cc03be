//! What every expression of the user's files was seen to be.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::array::Aval;
use crate::module::{CodeId, ExprId};
use crate::python::{FileId, Guess, Value};
use crate::text::Span;

/// One distinct thing that an expression was.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seen {
    /// An array of the tracer (`tracer`: inside a trace).
    Array {
        /// Its abstract value.
        aval: SeenAval,
        /// Whether it was a tracer.
        tracer: bool,
    },
    /// Something of a framework, as it prints itself (`np:f32[3]`).
    Shown(Rc<str>),
    /// Not known, and why.
    Unknown(crate::python::halt::Reason),
}

/// An [`Aval`] that can be ordered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeenAval(pub Aval);

impl PartialOrd for SeenAval {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for SeenAval {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0.dtype, &self.0.shape, self.0.weak).cmp(&(other.0.dtype, &other.0.shape, other.0.weak))
    }
}

type Slots = Vec<SmallVec<[Seen; 1]>>;

/// Values by expression, and runs of functions.
#[derive(Debug, Default)]
pub struct Recorder {
    exprs: RefCell<FxHashMap<FileId, Slots>>,
    params: RefCell<FxHashMap<(FileId, Span), SmallVec<[Seen; 1]>>>,
    /// Runs of a function's body while tracing, by code; the flag says that a widened loop may hide some.
    pub runs: RefCell<FxHashMap<(FileId, CodeId), (u32, bool)>>,
}

/// What the recorder keeps of a value, if anything.
pub fn seen(value: &Value) -> Option<Seen> {
    match value {
        Value::Array(array) => Some(Seen::Array { aval: SeenAval(array.aval.clone()), tracer: array.is_tracer() }),
        Value::Object(object) => object.shown().map(|s| Seen::Shown(s.into())),
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Some(Seen::Unknown(unknown.why.0.clone())),
        _ => None,
    }
}

impl Recorder {
    /// Notes what an expression was. True if that is new.
    pub fn saw(&self, file: FileId, expr: ExprId, count: usize, value: &Value) -> bool {
        let Some(seen) = seen(value) else { return false };
        let mut files = self.exprs.borrow_mut();
        let slots = files.entry(file).or_default();
        if slots.len() < count {
            slots.resize(count, SmallVec::new());
        }
        add(&mut slots[expr.index()], seen)
    }
    /// Notes what a parameter was. True if that is new.
    pub fn saw_param(&self, file: FileId, span: Span, value: &Value) -> bool {
        let Some(seen) = seen(value) else { return false };
        add(self.params.borrow_mut().entry((file, span)).or_default(), seen)
    }
    /// What each expression of a file was.
    pub fn exprs(&self, file: FileId) -> Vec<(ExprId, Vec<Seen>)> {
        let files = self.exprs.borrow();
        let slots = files.get(&file).map(Vec::as_slice).unwrap_or_default();
        let known = slots.iter().enumerate().filter(|(_, s)| !s.is_empty());
        known.map(|(i, s)| (ExprId(i as u32), s.to_vec())).collect()
    }
    /// What each parameter of a file was.
    pub fn params(&self, file: FileId) -> Vec<(Span, Vec<Seen>)> {
        let params = self.params.borrow();
        params.iter().filter(|((f, _), _)| *f == file).map(|((_, span), s)| (*span, s.to_vec())).collect()
    }
}

/// At most so many distinct values are kept of one expression.
const MOST_SEEN: usize = 64;

fn add(seen: &mut SmallVec<[Seen; 1]>, new: Seen) -> bool {
    if seen.len() >= MOST_SEEN || seen.contains(&new) {
        return false;
    }
    // One unknown is enough: the first reason is the one closest to the cause.
    if matches!(new, Seen::Unknown(_)) && seen.iter().any(|s| matches!(s, Seen::Unknown(_))) {
        return false;
    }
    seen.push(new);
    true
}
