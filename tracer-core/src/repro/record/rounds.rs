//! Loops that go on for their numbers: what their rounds have recorded is forgotten when a later one has ended, or it would keep all arrays
//! alive that the loop ever made.

use rustc_hash::FxHashSet;

use super::new_def;
use crate::python::Value;
use crate::repro::tree::{Access, Recorder, Source, State};

/// What was recorded when the last rounds of a loop ended, the last one behind.
#[derive(Default)]
pub struct Noted([Option<Mark>; 2]);

/// How much was recorded at a moment.
#[derive(Copy, Clone)]
struct Mark {
    statements: usize,
    defs: usize,
    alive: usize,
    assigned: usize,
}

impl Recorder {
    /// Whether what the rounds of a loop do is a part of what is wanted: of a function that is traced, or of the wanted one.
    pub fn takes_rounds(&self, traced: bool) -> bool {
        self.on.get() && (traced || self.state.borrow().wanted_def.is_some()) && self.listens()
    }

    /// Notes that the body that runs lacks rounds of a loop.
    #[cold]
    pub fn leaves_rounds_out(&self) {
        let mut state = self.state.borrow_mut();
        if let Some(id) = state.body() {
            state.defs[id].lacks_rounds = true;
        }
    }

    /// A round of a loop has ended: what those before it have recorded is not needed any more, where a function is wanted that has not
    /// been called yet.
    pub fn round_ended(&self, noted: &mut Noted) {
        if !self.on.get() {
            return;
        }
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        if state.wanted.is_none() || state.wanted_def.is_some() {
            return;
        }
        let now = Mark {
            statements: state.statements.len(),
            defs: state.defs.len(),
            alive: state.alive.len(),
            assigned: state.assigned.len(),
        };
        let [from, to] = noted.0;
        noted.0 = [to, Some(now)];
        if let (Some(from), Some(to)) = (from, to) {
            let alive = state.forget(from, to);
            // What is gone from the lists moves the marks behind it.
            for mark in noted.0.iter_mut().flatten() {
                mark.alive = mark.alive.saturating_sub(alive);
                mark.assigned = mark.assigned.saturating_sub(to.assigned - from.assigned);
            }
        }
    }
}

impl State {
    /// Forgets what was recorded between two moments, but for calls in which functions ran for the first time; how many values it keeps
    /// alive no longer.
    fn forget(&mut self, from: Mark, to: Mark) -> usize {
        let code = |def: usize| self.defs[def].function.as_ref().map(|f| std::ptr::from_ref(f.code()));
        let is_new = |def: &usize| {
            let own = code(*def);
            own.is_some() && !(0..from.defs).any(|other| code(other) == own)
        };
        let kept: FxHashSet<usize> = (from.defs..to.defs)
            .filter(is_new)
            .filter_map(|def| Some(self.outermost(self.defs[def].parent?, from)))
            .collect();
        let gone: FxHashSet<usize> =
            (from.statements..to.statements).filter(|id| !kept.contains(&self.outermost(*id, from))).collect();
        let outside: FxHashSet<usize> =
            gone.iter().map(|id| self.statements[*id].parent).filter(|def| *def < from.defs).collect();
        for def in from.defs..to.defs {
            let is_gone = self.defs[def].parent.is_none_or(|call| gone.contains(&call));
            if is_gone {
                self.defs[def] = new_def();
            }
        }
        for def in outside {
            let def = &mut self.defs[def];
            def.statements.retain(|id| !gone.contains(id));
            let is_gone = |access: &Access| matches!(access.from, Source::Statement(id) if gone.contains(&id));
            def.bound.retain(|_, access| !is_gone(access));
        }
        for id in &gone {
            let statement = &mut self.statements[*id];
            statement.args.clear();
            statement.keywords.clear();
            statement.children.clear();
            statement.result = None;
            statement.gives = None;
        }
        self.assigned.drain(from.assigned.min(self.assigned.len())..to.assigned.min(self.assigned.len()));
        let (start, end) = (from.alive.min(self.alive.len()), to.alive.min(self.alive.len()));
        let noted: Vec<Value> = self.alive.drain(start..end).collect();
        let (named, others): (Vec<Value>, Vec<Value>) = noted
            .into_iter()
            .partition(|value| matches!(value, Value::Array(_) | Value::Tuple(_) | Value::List(_) | Value::Dict(_)));
        for value in &named {
            self.names.remove(&value.identity());
            self.named_in.remove(&value.identity());
        }
        self.alive.splice(start..start, others);
        named.len()
    }

    /// The statement around another one that was under way, or recorded, at a moment.
    fn outermost(&self, mut id: usize, from: Mark) -> usize {
        while self.statements[id].parent >= from.defs
            && let Some(call) = self.defs[self.statements[id].parent].parent
        {
            id = call;
        }
        id
    }
}
