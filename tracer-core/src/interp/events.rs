//! What happened while running that rules may care about. Facts only: rules decide whether anyone should care.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::effects::How;
use crate::array::Aval;
use crate::module::Symbol;
use crate::python::Site;

/// A fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A side effect of Python happened while tracing.
    SideEffect {
        /// Where.
        site: Site,
        /// What.
        effect: Effect,
    },
    /// Text was made of what holds traced values and is none, while tracing.
    TextOfTraced {
        /// The call of `print`, or the part of an f-string.
        site: Site,
        /// Which argument of the call it was.
        argument: Option<usize>,
        /// Whether it is an object of the program's, whose text may be anything.
        is_object: bool,
    },
    /// A name that the framework has removed was used.
    Removed {
        /// Where.
        site: Site,
        /// The name.
        name: String,
        /// What the framework's own message says.
        message: String,
    },
    /// An `assert` whose outcome is not known.
    UnknownAssert {
        /// Where.
        site: Site,
        /// Why it is not known.
        why: String,
    },
    /// A constant index is out of bounds.
    OutOfBounds {
        /// Where.
        site: Site,
        /// The index.
        index: i64,
        /// The size of the axis.
        size: i64,
        /// Whether an element is updated there, not read.
        update: bool,
    },
    /// A type of 64 bits was asked for that the settings make one of 32.
    Truncated {
        /// Where.
        site: Site,
        /// What was asked for.
        wanted: &'static str,
        /// What it became.
        found: &'static str,
    },
    /// A trace was used again that makes a random key from a constant.
    FixedKey {
        /// Where it is made.
        site: Site,
        /// The call that used the trace.
        call: Site,
    },
    /// A trace keeps a large array.
    LargeConstant {
        /// Where it was read.
        site: Site,
        /// Its name.
        name: Symbol,
        /// Its bytes.
        bytes: u64,
    },
    /// A random key was used up for a second time.
    KeyReuse {
        /// Where it was used up first.
        first: Site,
        /// By which function.
        first_function: Symbol,
        /// Where it is used again.
        site: Site,
        /// By which function.
        function: Symbol,
        /// The calls that tell the two uses apart, in the function that has the key: the first one, and this one.
        calls: [Site; 2],
        /// The user's calls that are under way, innermost first.
        stack: Arc<[Site]>,
    },
    /// A function that runs for all elements of an axis draws with a key from outside.
    CapturedKey {
        /// Where.
        site: Site,
        /// By which function.
        function: Symbol,
    },
    /// A cache from outside of the trace keeps a traced value.
    CachedTracer {
        /// The function whose results are kept.
        function: Site,
        /// The call.
        call: Site,
    },
    /// A derivative is zero, whatever the arguments: nothing differentiable leads to the result.
    ZeroGradient {
        /// Where it is taken.
        site: Site,
    },
    /// A library warned.
    Warned {
        /// The user's line.
        site: Site,
        /// The class of the warning.
        category: String,
        /// What it says.
        message: String,
    },
    /// The derivative of a function was taken.
    Differentiated {
        /// The function.
        site: Site,
    },
    /// A cotangent went through a choice to a case of it.
    DifferentiatedChoice {
        /// The choice.
        site: Site,
    },
    /// A clock was read while compiled functions may still run.
    Unsynced {
        /// Where.
        site: Site,
    },
    /// A loop over a range became so many copies of its body in a graph.
    Unrolled {
        /// What it goes through.
        site: Site,
        /// The rounds.
        rounds: u64,
    },
    /// A trace was used again that keeps an older value of a variable.
    Stale {
        /// Where the trace read it.
        read: Site,
        /// Its name.
        name: Symbol,
        /// The call that used the trace.
        call: Site,
        /// The call in the traced function itself that has led to where it was read, if that is elsewhere.
        by: Option<Site>,
        /// Where it was bound last, if that is known.
        bound: Option<Site>,
        /// Whether it is an attribute.
        of_object: bool,
        /// The value that the trace keeps, where it is a plain one.
        before: Option<String>,
        /// The value now.
        now: Option<String>,
    },
    /// A function was traced for the first time, and others of the same text were before it.
    FreshFunction {
        /// Where it was compiled.
        made: Site,
        /// The call.
        call: Site,
        /// The function.
        function: Symbol,
        /// Where it is defined.
        defined: Site,
        /// How many there are with this one.
        times: usize,
        /// Whether they hold the same values; numbers that differ otherwise.
        same: bool,
    },
    /// A trace that there was answered a call of a user's function.
    CacheHit {
        /// The call.
        site: Site,
        /// The function.
        function: Symbol,
        /// Where it is defined.
        defined: Site,
    },
    /// A call of a user's function was answered by a trace many times: it stands in a loop of many rounds.
    AnsweredOften {
        /// The call.
        site: Site,
    },
    /// A trace of a function of the user's has ended.
    Traced {
        /// The call.
        site: Site,
        /// Where the function is defined.
        defined: Site,
        /// How many traces of the same function object there were before.
        seen_before: usize,
        /// The equations of its graph, and of the graphs in it.
        equations: usize,
    },
    /// A trace that there was is compiled once more.
    CompiledAgain {
        /// The call.
        site: Site,
        /// The function.
        function: Symbol,
        /// Where it is defined.
        defined: Site,
        /// What the compiled code that there is is not for.
        reason: String,
        /// How often that happened before in the run: one trace is not another.
        before: usize,
    },
    /// A traced function was traced: no earlier trace fits the call.
    CacheMiss {
        /// The call.
        site: Site,
        /// The function.
        function: Symbol,
        /// Where it is defined.
        defined: Site,
        /// How many traces of the same function object there were.
        seen_before: usize,
        /// What differs from the nearest of them.
        differences: Vec<KeyDifference>,
        /// What the new trace is for, a line for each argument and setting: `x: f32[3]`.
        key: Vec<String>,
    },
}

/// Something that is new about a call that no trace fits.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDifference {
    /// What of the key it is.
    pub part: KeyPart,
    /// What is there now and what was before: `x: now f32[4], before f32[3]`.
    pub text: String,
    /// The same as data, where a change of the call could take it back.
    pub change: Option<KeyChange>,
    /// Of what compares by identity: where the user's program makes it.
    pub made: Option<Site>,
}

/// What is new of one argument.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyChange {
    /// An array or number of another type.
    Type {
        /// The argument, with the place in it: `x['w']`.
        name: Arc<str>,
        /// The type now.
        now: Aval,
        /// The type of the trace that there was.
        before: Aval,
    },
    /// Passed by name and by position in turn.
    Passed {
        /// The argument.
        name: Arc<str>,
        /// Whether it is passed by its name now.
        by_name: bool,
    },
}

/// The parts of the key that a trace is looked up by.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum KeyPart {
    /// The type of an array, or how it lies over devices.
    Type,
    /// Only whether the type is weak.
    WeakType,
    /// How the arguments are given and nested.
    Structure,
    /// The value of a static argument.
    Static,
    /// A static argument that is equal to itself alone.
    Identity,
    /// A static argument that is `True` or `False`: a trace for either is what such arguments are for.
    Flag,
    /// A setting of the framework.
    Setting,
}

impl Event {
    /// Whether it adds nothing to another one: what differs from call to call is told once of a place.
    fn says_the_same(&self, other: &Event) -> bool {
        match (self, other) {
            (Event::OutOfBounds { site, .. }, Event::OutOfBounds { site: known, .. }) => site == known,
            (Event::Stale { read, call, .. }, Event::Stale { read: known, call: before, .. }) => {
                read == known && call == before
            }
            (Event::Unrolled { site, .. }, Event::Unrolled { site: known, .. }) => site == known,
            (this, other) => this == other,
        }
    }
}

/// A side effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// `print(…)`
    Print,
    /// Something from outside of the trace was written, in a function that is traced so.
    Write(&'static str, How),
    /// Something from outside of the trace holds a tracer of it when it ends.
    Kept(&'static str),
    /// A copy of what the function was called with was changed.
    Argument,
    /// The text of a traced value was put into another text.
    Formatted,
    /// A clock was read.
    Clock,
    /// A random number was drawn from Python's or NumPy's generators.
    Random,
    /// The environment was read.
    Environment,
    /// Something was logged.
    Log,
    /// A file was opened.
    File,
    /// A file was written.
    Saved,
    /// Text was written to the standard output or the standard error.
    Output,
    /// Something was asked over the network.
    Network,
    /// Another program was started.
    Process,
    /// An iterator from outside of the trace was moved on.
    Iterator,
    /// Something that happens at every call, but once for all elements of the axis that the function is mapped over.
    ForAll(Box<Effect>),
}

impl Effect {
    /// Whether it is meant for each element of an axis that a function is mapped over: opening a file or asking for the time is not.
    pub fn is_for_one(&self) -> bool {
        matches!(self, Effect::Print | Effect::Log | Effect::Saved | Effect::Output | Effect::Random | Effect::Iterator)
    }
}

/// The facts of a run, each once.
#[derive(Debug, Default)]
pub struct Events(RefCell<Vec<Event>>, Cell<u64>);

impl Events {
    /// Notes a fact.
    pub fn note(&self, event: Event) {
        self.1.set(self.1.get() + 1);
        let mut events = self.0.borrow_mut();
        if !events.iter().any(|known| known.says_the_same(&event)) {
            events.push(event);
        }
    }
    /// Counts a fact that is kept elsewhere: what notes it has to run each time.
    pub fn count(&self) {
        self.1.set(self.1.get() + 1);
    }
    /// How often facts were noted, also those that were known.
    pub fn noted(&self) -> u64 {
        self.1.get()
    }
    /// What `run` gives; the facts that it notes are forgotten.
    pub fn unheard<T>(&self, run: impl FnOnce() -> T) -> T {
        let count = self.0.borrow().len();
        let result = run();
        self.0.borrow_mut().truncate(count);
        result
    }
    /// The facts so far.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}
