//! What a cache answers: the bodies that ran when what it gives was traced.

use crate::interp::Interp;
use crate::repro::tree::{Level, Recorder};

/// So many caches are asked for the bodies of one trace.
const MOST_BODIES: usize = 64;

impl Interp {
    /// Where the bodies begin that a trace which is about to be made runs, and those that caches answer it with; `None` where nothing is
    /// recorded.
    pub fn recorded_trace(&self) -> Option<(usize, usize)> {
        let state = self.repro.state.borrow();
        self.repro.on.get().then(|| (state.defs.len(), state.answered.len()))
    }

    /// A trace was made by the bodies from there on.
    pub fn recorded_traced(&self, from: Option<(usize, usize)>, trace: usize) {
        let Some((from, answered)) = from.filter(|_| self.repro.on.get()) else { return };
        let mut state = self.repro.state.borrow_mut();
        let own = from..state.defs.len();
        let mut bodies = vec![own];
        for answer in state.answered.get(answered..).unwrap_or_default() {
            if bodies.len() < MOST_BODIES && !bodies.contains(answer) {
                bodies.push(answer.clone());
            }
        }
        state.traces.insert(trace, bodies);
    }

    /// A trace that had been made answered what runs.
    pub fn recorded_answer(&self, trace: usize) {
        if self.repro.on.get() {
            self.repro.answer(trace);
        }
    }
}

impl Recorder {
    fn answer(&self, trace: usize) {
        let mut state = self.state.borrow_mut();
        let Some(bodies) = state.traces.get(&trace).cloned() else { return };
        state.answered.extend(bodies.iter().cloned());
        let statement = state.stack.iter().rev().find_map(|level| match level {
            Level::Statement(id) => Some(*id),
            _ => None,
        });
        if let Some(id) = statement {
            state.statements[id].answers.extend(bodies);
        }
    }
}
