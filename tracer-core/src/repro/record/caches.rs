//! What a cache answers: the bodies that ran when what it gives was traced.

use crate::interp::Interp;
use crate::repro::tree::{Level, Recorder};

impl Interp {
    /// Where the bodies begin that a trace which is about to be made runs; `None` where nothing is recorded.
    pub fn recorded_trace(&self) -> Option<usize> {
        self.repro.on.get().then(|| self.repro.state.borrow().defs.len())
    }

    /// A trace was made by the bodies from there on.
    pub fn recorded_traced(&self, from: Option<usize>, trace: usize) {
        let Some(from) = from.filter(|_| self.repro.on.get()) else { return };
        let mut state = self.repro.state.borrow_mut();
        let bodies = from..state.defs.len();
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
        let statement = state.stack.iter().rev().find_map(|level| match level {
            Level::Statement(id) => Some(*id),
            _ => None,
        });
        if let Some(id) = statement {
            state.statements[id].answers.push(bodies);
        }
    }
}
