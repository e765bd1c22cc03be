//! What every expression of the user's files was seen to be.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::doubt::Doubt;
use super::lost_runs::LostRuns;
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

/// Runs of functions.
pub type Tally = FxHashMap<(FileId, CodeId), Count>;

/// Values by expression and parameter, and runs of functions.
#[derive(Debug, Default)]
struct Store {
    exprs: RefCell<FxHashMap<FileId, Slots>>,
    params: RefCell<FxHashMap<(FileId, Span), SmallVec<[Seen; 1]>>>,
    runs: RefCell<Tally>,
    /// What may have run where nobody saw it.
    lost: LostRuns,
}

/// What an expression was where it is not known whether the program comes to that.
#[derive(Debug)]
struct Perhaps {
    /// How much has to be so for the program to come to these values.
    doubt: u32,
    seen: SmallVec<[Seen; 1]>,
    /// Whether more had to be so for another value.
    other: bool,
}

/// Values of which it is not known whether the program comes to them, by expression and parameter.
#[derive(Debug)]
struct Doubtful<K>(RefCell<FxHashMap<K, Perhaps>>);

impl<K> Default for Doubtful<K> {
    fn default() -> Doubtful<K> {
        Doubtful(RefCell::default())
    }
}

impl<K: std::hash::Hash + Eq> Doubtful<K> {
    /// Notes a value: the ones that least has to be so for are kept. True if it is one of them, and new.
    #[cold]
    #[inline(never)]
    fn saw(&self, key: K, doubt: u32, new: Seen) -> bool {
        let mut all = self.0.borrow_mut();
        let kept = all.entry(key).or_insert_with(|| Perhaps { doubt, seen: SmallVec::new(), other: false });
        if doubt < kept.doubt {
            let further = std::mem::take(&mut kept.seen);
            *kept = Perhaps { doubt, other: kept.other || further.iter().any(|seen| *seen != new), seen: further };
            kept.seen.clear();
        }
        if doubt == kept.doubt {
            return add(&mut kept.seen, new);
        }
        kept.other |= !kept.seen.contains(&new);
        false
    }
    /// What is shown of an expression with these certain values.
    fn joined(&self, key: &K, certain: &[Seen]) -> Option<SmallVec<[Seen; 1]>> {
        let all = self.0.borrow();
        let Some(perhaps) = all.get(key) else { return (!certain.is_empty()).then(|| certain.into()) };
        let (mut seen, other) = match certain {
            [] if perhaps.other => (SmallVec::new(), true),
            [] => (perhaps.seen.clone(), false),
            certain => (certain.into(), perhaps.other || perhaps.seen.iter().any(|seen| !certain.contains(seen))),
        };
        if other {
            add(&mut seen, Seen::Unknown("other calls stand behind a condition that is not known".into()));
        }
        Some(seen)
    }
}

/// What the run of a program showed.
///
/// Behind an error that is reported, calls run on that the program has left: what they show is kept apart, and stands in
/// only for what nothing else showed. What runs only if a condition holds that is not known is kept apart too: it is shown
/// where nothing more certain is, and no other value depends on more conditions; one that differs from what is certain is
/// shown as not known.
#[derive(Debug, Default)]
pub struct Recorder {
    real: Store,
    beside: Store,
    maybe: Doubtful<(FileId, ExprId)>,
    maybe_params: Doubtful<(FileId, Span)>,
    /// What was known when an exception ended the program.
    ended: RefCell<Option<(Tally, LostRuns)>>,
    /// What ran in rounds that stand for others, of loops in loops.
    tallies: RefCell<Vec<Tally>>,
    /// Whether what runs now is what the program itself would not run.
    pub is_beside: Cell<bool>,
    /// Whether what runs now is run to be counted alone: its values are not those that the program comes to.
    pub is_mute: Cell<bool>,
    /// On how many unknown conditions it depends whether the program comes to what runs now.
    pub doubt: Rc<Doubt>,
}

/// What the recorder keeps of a value, if anything.
pub fn seen(value: &Value) -> Option<Seen> {
    match value {
        Value::Array(array) => Some(Seen::Array { aval: SeenAval(array.aval.clone()), tracer: array.is_tracer() }),
        Value::Object(object) => object.shown().map(Seen::Shown),
        // What stands for an object of a library keeps how that is shown.
        Value::Instance(instance) if instance.is_shown() => match instance.get(sym!("__shown__")) {
            Some(Value::Str(text)) => Some(Seen::Shown(text)),
            _ => None,
        },
        // `None` is not shown anywhere.
        Value::Unknown(unknown) if let Some(held @ (Value::Array(_) | Value::Object(_))) = &unknown.or_none => {
            seen(held)
        }
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Some(Seen::Unknown(unknown.why.0.clone())),
        _ => None,
    }
}

fn note(runs: &mut Tally, code: (FileId, CodeId), (count, hidden): Count) {
    let run = runs.entry(code).or_default();
    run.0 = run.0.saturating_add(count);
    run.1 |= hidden;
}

impl Recorder {
    #[inline]
    fn store(&self) -> &Store {
        if self.is_beside.get() { &self.beside } else { &self.real }
    }
    #[inline]
    fn is_doubtful(&self) -> bool {
        self.doubt.level() > 0 && !self.is_beside.get()
    }
    /// Notes what an expression was. True if that is new.
    pub fn saw(&self, file: FileId, expr: ExprId, count: usize, value: &Value) -> bool {
        let Some(seen) = seen(value).filter(|_| !self.is_mute.get()) else { return false };
        if self.is_doubtful() {
            return self.maybe.saw((file, expr), self.doubt.level(), seen);
        }
        let mut files = self.store().exprs.borrow_mut();
        let slots = files.entry(file).or_default();
        if slots.len() < count {
            slots.resize(count, SmallVec::new());
        }
        add(&mut slots[expr.index()], seen)
    }
    /// Notes what a parameter was. True if that is new.
    pub fn saw_param(&self, file: FileId, span: Span, value: &Value) -> bool {
        let Some(seen) = seen(value).filter(|_| !self.is_mute.get()) else { return false };
        if self.is_doubtful() {
            return self.maybe_params.saw((file, span), self.doubt.level(), seen);
        }
        add(self.store().params.borrow_mut().entry((file, span)).or_default(), seen)
    }
    /// What an expression was seen to be the last time that this was something new, here and now.
    pub fn last_seen(&self, file: FileId, expr: ExprId) -> Option<Seen> {
        let files = self.store().exprs.borrow();
        files.get(&file)?.get(expr.index())?.last().cloned()
    }
    /// Notes that a body runs while tracing, and how often; `for_rounds`: in a round that stands for others; `doubtful`: or may not run,
    /// or more often.
    pub fn ran(&self, file: FileId, code: CodeId, times: u32, for_rounds: bool, doubtful: bool) {
        if for_rounds
            && !self.is_beside.get()
            && let Some(tally) = self.tallies.borrow_mut().last_mut()
        {
            return note(tally, (file, code), (times, doubtful));
        }
        note(&mut self.store().runs.borrow_mut(), (file, code), (times, for_rounds || doubtful));
    }
    /// Begins to tell apart what runs in rounds that stand for others.
    pub fn begin_tally(&self) {
        self.tallies.borrow_mut().push(Tally::default());
    }
    /// What has run in such rounds since.
    pub fn take_tally(&self) -> Tally {
        self.tallies.borrow_mut().last_mut().map(std::mem::take).unwrap_or_default()
    }
    /// There are no more of them. What ran in them ran so often in each; not known how often, where that is `None`. `for_rounds`: the
    /// loop itself runs in a round that stands for others.
    pub fn end_tally(&self, tally: Tally, times: Option<u32>, for_rounds: bool) {
        let mut tallies = self.tallies.borrow_mut();
        tallies.pop();
        let mut runs = self.store().runs.borrow_mut();
        let (into, hidden) = match tallies.last_mut() {
            Some(outer) if for_rounds && !self.is_beside.get() => (outer, false),
            _ => (&mut *runs, for_rounds),
        };
        for (code, (count, doubtful)) in tally {
            let all = (count.saturating_mul(times.unwrap_or(1)), doubtful || hidden || times.is_none());
            note(into, code, all);
        }
    }
    /// What may have run where nobody saw it, of what runs now.
    pub fn lost(&self) -> &LostRuns {
        &self.store().lost
    }
    /// The same of the program itself, and of what runs behind its end.
    pub fn all_lost(&self) -> [&LostRuns; 2] {
        [&self.real.lost, &self.beside.lost]
    }
    /// Whether a body ran while tracing before the program ended.
    pub fn really_ran(&self, file: FileId, code: CodeId) -> bool {
        self.real.runs.borrow().contains_key(&(file, code))
    }
    /// An exception ends the program: what runs now is beside it.
    pub fn end_program(&self) {
        self.ended.borrow_mut().get_or_insert_with(|| (self.real.runs.borrow().clone(), self.real.lost.clone()));
        self.is_beside.set(true);
    }
    /// What may have run where nobody saw it before an exception ended the program, if one did.
    pub fn lost_before_end(&self) -> Option<LostRuns> {
        self.ended.borrow().as_ref().map(|(_, lost)| lost.clone())
    }
    /// How often a body ran while tracing before an exception ended the program.
    pub fn runs_before_end(&self, file: FileId, code: CodeId) -> Option<Count> {
        self.ended.borrow().as_ref()?.0.get(&(file, code)).copied()
    }
    /// How often a body ran while tracing.
    pub fn runs(&self, file: FileId, code: CodeId) -> Option<Count> {
        let of = |store: &Store| store.runs.borrow().get(&(file, code)).copied();
        of(&self.real).or_else(|| of(&self.beside))
    }
    /// How often bodies ran while tracing, all together.
    pub fn all_runs(&self) -> u64 {
        let of = |runs: &Tally| -> u64 { runs.values().map(|(count, _)| u64::from(*count)).sum() };
        of(&self.real.runs.borrow()) + self.tallies.borrow().iter().map(of).sum::<u64>()
    }
    /// What each expression of a file was.
    pub fn exprs(&self, file: FileId) -> Vec<(ExprId, Vec<Seen>)> {
        let (real, beside) = (self.real.exprs.borrow(), self.beside.exprs.borrow());
        let (real, beside) = (real.get(&file), beside.get(&file));
        let of = |slots: Option<&Slots>, i: usize| slots.and_then(|slots| slots.get(i)).cloned().unwrap_or_default();
        let doubtful = self.maybe.0.borrow().keys().filter(|(f, _)| *f == file).map(|(_, e)| e.index() + 1).max();
        let count = real.map_or(0, Vec::len).max(beside.map_or(0, Vec::len)).max(doubtful.unwrap_or(0));
        let shown = |i: usize| {
            let expr = ExprId(i as u32);
            let seen = self.maybe.joined(&(file, expr), &of(real, i)).unwrap_or_else(|| of(beside, i));
            (!seen.is_empty()).then(|| (expr, seen.into_vec()))
        };
        (0..count).filter_map(shown).collect()
    }
    /// What each parameter of a file was.
    pub fn params(&self, file: FileId) -> Vec<(Span, Vec<Seen>)> {
        let (real, beside, maybe) =
            (self.real.params.borrow(), self.beside.params.borrow(), self.maybe_params.0.borrow());
        let all: FxHashSet<Span> =
            real.keys().chain(beside.keys()).chain(maybe.keys()).filter(|(f, _)| *f == file).map(|(_, s)| *s).collect();
        let shown = |span: Span| {
            let key = (file, span);
            let certain = real.get(&key).map_or(&[][..], |seen| seen);
            let seen = self.maybe_params.joined(&key, certain).or_else(|| beside.get(&key).cloned());
            (span, seen.unwrap_or_default().into_vec())
        };
        all.into_iter().map(shown).collect()
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
