//! What every expression of the user's files was seen to be.

use std::cell::{Cell, RefCell};
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

/// How often a body ran while tracing; the flag says that a widened loop may hide some runs.
type Count = (u32, bool);

/// Values by expression and parameter, and runs of functions.
#[derive(Debug, Default)]
struct Store {
    exprs: RefCell<FxHashMap<FileId, Slots>>,
    params: RefCell<FxHashMap<(FileId, Span), SmallVec<[Seen; 1]>>>,
    runs: RefCell<FxHashMap<(FileId, CodeId), Count>>,
}

/// What the run of a program showed.
///
/// Behind an error that is reported, calls run on that the program has left: what they show is kept apart, and stands in
/// only for what nothing else showed.
#[derive(Debug, Default)]
pub struct Recorder {
    real: Store,
    beside: Store,
    /// Whether what runs now is what the program itself would not run.
    pub is_beside: Cell<bool>,
}

/// What the recorder keeps of a value, if anything.
pub fn seen(value: &Value) -> Option<Seen> {
    match value {
        Value::Array(array) => Some(Seen::Array { aval: SeenAval(array.aval.clone()), tracer: array.is_tracer() }),
        Value::Object(object) => object.shown().map(Seen::Shown),
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Some(Seen::Unknown(unknown.why.0.clone())),
        _ => None,
    }
}

impl Recorder {
    #[inline]
    fn store(&self) -> &Store {
        if self.is_beside.get() { &self.beside } else { &self.real }
    }
    /// Notes what an expression was. True if that is new.
    pub fn saw(&self, file: FileId, expr: ExprId, count: usize, value: &Value) -> bool {
        let Some(seen) = seen(value) else { return false };
        let mut files = self.store().exprs.borrow_mut();
        let slots = files.entry(file).or_default();
        if slots.len() < count {
            slots.resize(count, SmallVec::new());
        }
        add(&mut slots[expr.index()], seen)
    }
    /// Notes what a parameter was. True if that is new.
    pub fn saw_param(&self, file: FileId, span: Span, value: &Value) -> bool {
        let Some(seen) = seen(value) else { return false };
        add(self.store().params.borrow_mut().entry((file, span)).or_default(), seen)
    }
    /// Notes that a body runs while tracing; `hidden`: and may run more often than that.
    pub fn ran(&self, file: FileId, code: CodeId, hidden: bool) {
        let mut runs = self.store().runs.borrow_mut();
        let run = runs.entry((file, code)).or_default();
        run.0 += 1;
        run.1 |= hidden;
    }
    /// How often a body ran while tracing.
    pub fn runs(&self, file: FileId, code: CodeId) -> Option<Count> {
        let of = |store: &Store| store.runs.borrow().get(&(file, code)).copied();
        of(&self.real).or_else(|| of(&self.beside))
    }
    /// How often bodies ran while tracing, all together.
    pub fn all_runs(&self) -> u64 {
        self.real.runs.borrow().values().map(|(count, _)| u64::from(*count)).sum()
    }
    /// What each expression of a file was.
    pub fn exprs(&self, file: FileId) -> Vec<(ExprId, Vec<Seen>)> {
        let (real, beside) = (self.real.exprs.borrow(), self.beside.exprs.borrow());
        let (real, beside) = (real.get(&file), beside.get(&file));
        let of = |slots: Option<&Slots>, i: usize| {
            slots.and_then(|slots| slots.get(i)).filter(|seen| !seen.is_empty()).cloned()
        };
        let count = real.map_or(0, Vec::len).max(beside.map_or(0, Vec::len));
        let all =
            (0..count).filter_map(|i| Some((ExprId(i as u32), of(real, i).or_else(|| of(beside, i))?.into_vec())));
        all.collect()
    }
    /// What each parameter of a file was.
    pub fn params(&self, file: FileId) -> Vec<(Span, Vec<Seen>)> {
        let (real, beside) = (self.real.params.borrow(), self.beside.params.borrow());
        let only_beside = beside.iter().filter(|(at, _)| !real.contains_key(at));
        let all = real.iter().chain(only_beside);
        all.filter(|((f, _), _)| *f == file).map(|((_, span), s)| (*span, s.to_vec())).collect()
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
