//! What a stretch of code binds under one trace, written down as it happens.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::{TraceRef, Val, Vals};
use crate::primitives::Primitive;
use crate::python::Step;

/// One primitive that was applied.
pub struct Bound {
    /// The primitive.
    pub primitive: Rc<dyn Primitive>,
    /// Its operands.
    pub inputs: SmallVec<[Val; 3]>,
    /// Its results.
    pub outputs: Vals,
}

/// What was bound under a trace, in order.
pub struct Recording {
    trace: TraceRef,
    /// The primitives.
    pub bound: Vec<Bound>,
    /// Whether numbers were asked for: what was bound may depend on them.
    pub spoiled: bool,
    // What a primitive binds under the same trace while it is bound itself comes again with it.
    inside: bool,
}

/// Is told of every primitive that is bound under a trace, with its operands, and its results or what it raised.
pub type Listener = Rc<dyn Fn(&TraceRef, &Rc<dyn Primitive>, &[Val], &Step<Vals>)>;

/// Recordings under way, innermost last.
#[derive(Default)]
pub struct Recorder {
    active: Cell<bool>,
    listener: RefCell<Option<Listener>>,
    // So many primitives are being bound, one by the rule of the other.
    depth: Cell<usize>,
    stack: RefCell<Vec<Recording>>,
}

impl Recorder {
    /// Starts to write down what is bound under this trace.
    pub fn start(&self, trace: TraceRef) {
        self.active.set(true);
        self.stack.borrow_mut().push(Recording { trace, bound: Vec::new(), spoiled: false, inside: false });
    }
    /// Ends the recording that was started last.
    pub fn end(&self) -> Recording {
        let mut stack = self.stack.borrow_mut();
        let recording = stack.pop().expect("each recording is ended once");
        self.active.set(!stack.is_empty() || self.listener.borrow().is_some());
        recording
    }
    /// Has somebody told of every primitive from now on.
    pub fn listen(&self, listener: Listener) {
        self.active.set(true);
        *self.listener.borrow_mut() = Some(listener);
    }
    /// So many primitives are being bound, one by the rule of the other.
    pub fn depth(&self) -> usize {
        self.depth.get()
    }
    /// Tells who listens of a primitive that was bound.
    pub fn tell(&self, trace: &TraceRef, primitive: &Rc<dyn Primitive>, inputs: &[Val], outcome: &Step<Vals>) {
        let listener = self.listener.borrow().clone();
        if let Some(listener) = listener {
            listener(trace, primitive, inputs, outcome);
        }
    }
    /// Numbers were asked for.
    #[inline]
    pub fn spoil(&self) {
        if self.active.get() {
            self.stack.borrow_mut().iter_mut().for_each(|recording| recording.spoiled = true);
        }
    }
    /// Does something of which it is known that no number decides about it but what the recordings' own calls are told by.
    pub fn unspoiled<T>(&self, body: impl FnOnce() -> T) -> T {
        let before: SmallVec<[bool; 8]> = self.stack.borrow().iter().map(|recording| recording.spoiled).collect();
        let result = body();
        for (recording, spoiled) in self.stack.borrow_mut().iter_mut().zip(before) {
            recording.spoiled = spoiled;
        }
        result
    }
    /// Whether anything is written down.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.active.get()
    }
    /// A primitive is about to be bound; gives back how many recordings, from the outermost, want to hear of it.
    pub fn enter(&self, trace: &TraceRef) -> SmallVec<[usize; 2]> {
        self.depth.set(self.depth.get() + 1);
        let mut wanted = SmallVec::new();
        for (at, recording) in self.stack.borrow_mut().iter_mut().enumerate() {
            if !recording.inside && Rc::ptr_eq(&recording.trace, trace) {
                recording.inside = true;
                wanted.push(at);
            }
        }
        wanted
    }
    /// A primitive was bound, or raised.
    pub fn leave(&self, wanted: &[usize], primitive: &Rc<dyn Primitive>, inputs: &[Val], outputs: Option<&Vals>) {
        self.depth.set(self.depth.get().saturating_sub(1));
        let mut stack = self.stack.borrow_mut();
        for at in wanted {
            let Some(recording) = stack.get_mut(*at) else { continue };
            recording.inside = false;
            if let Some(outputs) = outputs {
                recording.bound.push(Bound {
                    primitive: primitive.clone(),
                    inputs: inputs.iter().cloned().collect(),
                    outputs: outputs.clone(),
                });
            }
        }
    }
}
