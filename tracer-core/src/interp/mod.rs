//! The interpreter: evaluates lowered Python.
//!
//! **Invariant:** it names no framework. What arrays can do is told to it through [`hooks::ArrayHooks`], what modules there
//! are through [`Loader`].

mod annotations;
mod any_of;
mod assign;
mod attr;
mod attr_cache;
mod bind;
mod bool_and_branch;
mod call;
mod call_names;
mod choices;
mod class_def;
mod clauses;
pub(crate) mod compare;
mod constructed;
mod coroutine;
mod doubt;
pub mod effects;
mod equal_keys;
pub mod events;
mod expr;
mod flat;
pub mod format;
mod frame;
mod function;
mod generator;
mod graphs;
mod handed;
mod hooks;
mod import;
mod index;
mod iterate;
mod loader;
mod long_texts;
mod loops;
mod lost_runs;
mod module_attr;
pub mod number;
mod open_call;
pub mod operator;
mod or_none;
mod pattern;
mod plainly_made;
mod printed;
mod quick;
mod raise;
mod recorder;
mod removed;
mod resting;
mod skipped;
mod spans;
mod stmt;
pub mod types;
pub(crate) mod used_up;
mod views;
mod watch;
mod written;

pub mod builtins;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

pub use class_def::super_getattr;
pub use effects::{How, KeyUsed, Reading};
pub use events::{Effect, Event, Events, KeyChange, KeyDifference, KeyPart};
pub use expr::constant_value;
pub use flat::{Flat, Flats, Translate};
pub use frame::Frame;
pub use function::Run;
pub use generator::{Generator, Given};
pub use graphs::{Calls, GraphNote, Graphs, Named, Untraced, is_meant};
pub use hooks::ArrayHooks;
pub use import::missing_module;
pub use loader::{Contents, Found, Loader};
pub use loops::Patience;
pub use lost_runs::LostRuns;
pub use printed::{Printed, Printing, not_known};
pub use quick::item;
pub use raise::Reported;
pub use recorder::{Recorder, Seen};
pub use types::Types;
pub use watch::{Watch, Watched};
pub use written::Written;

use crate::module::Symbol;
use crate::python::{Halt, Site, Step, Stopped, Value};
use crate::trace::Engine;
use long_texts::LongTexts;

/// The state of a run.
pub struct Interp {
    /// Tracing.
    pub engine: Engine,
    /// Builtin types.
    pub types: Types,
    /// Builtin names.
    pub builtins: RefCell<FxHashMap<Symbol, Value>>,
    /// `sys.modules`
    pub modules: RefCell<FxHashMap<Symbol, Value>>,
    /// Where modules come from.
    pub loader: Box<dyn Loader>,
    /// Files that the program may have written.
    pub written: Written,
    /// What arrays can do.
    pub hooks: RefCell<Option<Rc<dyn ArrayHooks>>>,
    /// Classes of framework exceptions and others that natives raise or return by dotted name.
    pub named_classes: RefCell<FxHashMap<Symbol, Value>>,
    /// What expressions were seen to be.
    pub recorder: Recorder,
    /// Exceptions that would have ended the program.
    pub reported: RefCell<Vec<Reported>>,
    /// What happened that rules may care about.
    pub events: Events,
    /// Expressions whose values somebody wants.
    pub watch: Watch,
    /// Graphs that somebody asked for.
    pub graphs: Graphs,
    /// What records calls of the framework, where a reproducer is wanted.
    pub repro: crate::repro::Recorder,
    /// When code is translated into its flat form.
    pub translate: Cell<Translate>,
    /// Budget left, in evaluated expressions.
    pub fuel: Cell<u64>,
    /// Tells whether the process holds more memory than a run may use.
    pub overdrawn: Cell<Option<fn() -> bool>>,
    /// Fuel that was left when memory was last asked for.
    memory_asked: Cell<u64>,
    /// Set from outside to stop the run.
    cancel: RefCell<Arc<AtomicBool>>,
    /// The name of the module that is looked at, where it is imported.
    pub program: Cell<Option<Symbol>>,
    /// Python frames on the stack.
    pub depth: Cell<u32>,
    /// Whether the native stack of the thread has become large.
    pub was_deep: Cell<bool>,
    /// Levels of nested values that natives on the stack are in: see [`Interp::nested`].
    nesting: Cell<u32>,
    /// Enclosing constructs that may catch an exception.
    pub catching: Cell<u32>,
    /// The lowest address that the native stack may reach.
    pub stack_limit: Cell<usize>,
    /// Where the native stack of the thread begins.
    pub stack_top: Cell<usize>,
    /// What traced code does beside computing.
    effects: effects::Effects,
    /// What the generator is resumed with that goes on now, where it is not just asked for its next item.
    sent: Cell<Option<Box<generator::Sent>>>,
    /// How many functions that may have been called are running in one another.
    perhaps_deep: Cell<u32>,
    /// Stacks of generators that ended, for the next ones.
    pub spare_stacks: RefCell<Vec<corosensei::stack::DefaultStack>>,
    /// What classes were asked for.
    attr_cache: attr_cache::AttrCache,
    /// Memory of a text that was made, for the next one.
    spare_text: Cell<String>,
    /// Slots of calls that ended, for the next ones.
    spare_slots: frame::SpareSlots,
    /// The exception that a handler is handling, innermost last.
    pub handled: RefCell<Vec<Box<crate::python::Exception>>>,
    /// The user's frames that are running, outermost first: where each one stands.
    pub user_stack: RefCell<Vec<(Site, Symbol)>>,
    /// Whether an argument of the command line that has no default was read: it is `None`, but who runs the program may give it.
    pub left_out: RefCell<Vec<Symbol>>,
    /// How a flat form ended that just ran.
    ended: Cell<Option<flat::Ended>>,
    /// Whether a model makes an exception: parts of its message that are not known are left out.
    pub vague_text: Cell<bool>,
    /// Counts things that a loop may learn from (new facts): see `loops`.
    pub novelty: Cell<u64>,
    /// Counts work on arrays.
    pub array_work: Cell<u64>,
    /// So many functions with rules of their own run that were given numbers of Python's: these know their types there.
    pub typed_numbers: Cell<usize>,
    /// Counts branches on what is not known.
    pub doubts: Cell<u64>,
    /// How often an expression of the program's was something that is not known.
    pub unknowns: Cell<u64>,
    /// Whether a loop whose rounds are not counted is running.
    pub in_widened_loop: Cell<bool>,
    /// Loops of unknown length that run inside each other: each runs its body twice.
    pub unknown_loops: Cell<u32>,
    /// The code, by address, of a function that nothing calls and that runs all the same: there may be more arguments than it is given.
    pub open_code: Cell<Option<usize>>,
    /// Modules that were imported and are not there.
    pub missing: RefCell<rustc_hash::FxHashSet<Symbol>>,
    /// Modules that have been made ready and that nobody has imported yet: their packages do not name them.
    pub unnamed: RefCell<rustc_hash::FxHashSet<Symbol>>,
    /// From so many frames on a function is entered the long way.
    deep: Cell<u32>,
    /// Whether a function of a package that is not there was called for what it does alone: it may have changed the environment.
    pub foreign_call: Cell<bool>,
    /// Expressions and statements of the user, and of libraries' modules, that ended as unknown.
    pub losses: Cell<u64>,
    /// Whether a function of a library ended as unknown since an expression or statement last did.
    pub leaving_library: Cell<bool>,
    /// Whether a function of a library that the program called ended as unknown: what it would have changed is as it was.
    pub library_lost: Cell<bool>,
    /// Counts operations of the program's in guarded blocks that ended as unknown: they may have raised.
    pub unsure: Cell<u64>,
    /// What sides of branches on unknown conditions have raised in guarded blocks.
    #[allow(clippy::vec_box, reason = "they are moved into the state of a halt")]
    pub perhaps_raised: RefCell<Vec<Box<crate::python::Exception>>>,
    /// Objects that a statement was to work on which ended with an exception: attributes that they lack may be those that it would
    /// have set.
    pub undone: RefCell<FxHashMap<usize, Value>>,
    /// Counts loops that were widened.
    pub widened: Cell<u64>,
    /// How long loops go on for their numbers.
    pub patience: Patience,
    /// The long text that was looked into last.
    pub long_texts: LongTexts,
    /// What the program prints, where that is wanted.
    pub printing: Printing,
    /// How many runs of functions are under way whose results a cache keeps: a widened loop does not hide their number.
    pub cached_runs: Cell<u32>,
    /// Whether runs of functions are under way of which it is not known that they would happen, or how often.
    pub doubtful_runs: Cell<bool>,
    /// For how many runs of bodies one stands that runs now.
    pub run_times: Cell<u32>,
    /// What frameworks keep for a run, by type: see [`Interp::extension`].
    extensions: RefCell<Vec<(std::any::TypeId, Rc<dyn std::any::Any>)>>,
}

/// Whether failures inside of libraries are told on stderr.
pub(crate) fn debugging() -> bool {
    static ON: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var_os("JITLENS_DEBUG").is_some())
}

/// Fuel of one run, in evaluated expressions.
pub const DEFAULT_FUEL: u64 = 400_000_000;

/// From so many Python frames on, it is asked at each call how large the native stack has become.
const DEEP: u32 = 150;
/// A native stack of so many bytes is large: a thread that waits for its next run should not hold it.
const LARGE_STACK: usize = 16 << 20;
/// Python's own recursion limit.
pub const RECURSION_LIMIT: u32 = 1000;

impl Interp {
    /// A fresh interpreter.
    pub fn new(loader: Box<dyn Loader>, cancel: Arc<AtomicBool>) -> Rc<Interp> {
        crate::python::journal::reset();
        let types = Types::new();
        let it = Rc::new(Interp {
            engine: Engine::new(cancel.clone()),
            builtins: RefCell::default(),
            modules: RefCell::default(),
            loader,
            written: Written::default(),
            hooks: RefCell::default(),
            named_classes: RefCell::default(),
            recorder: Recorder::default(),
            reported: RefCell::default(),
            events: Events::default(),
            watch: Watch::default(),
            graphs: Graphs::default(),
            repro: Default::default(),
            translate: Cell::default(),
            fuel: Cell::new(DEFAULT_FUEL),
            overdrawn: Cell::new(None),
            memory_asked: Cell::new(DEFAULT_FUEL),
            cancel: RefCell::new(cancel),
            program: Cell::new(None),
            depth: Cell::new(0),
            was_deep: Cell::new(false),
            nesting: Cell::new(0),
            catching: Cell::new(0),
            stack_limit: Cell::new(0),
            stack_top: Cell::new(0),
            effects: Default::default(),
            sent: Cell::default(),
            perhaps_deep: Cell::default(),
            spare_stacks: RefCell::default(),
            attr_cache: Default::default(),
            spare_text: Cell::default(),
            spare_slots: Default::default(),
            handled: RefCell::default(),
            user_stack: RefCell::default(),
            left_out: RefCell::default(),
            ended: Cell::default(),
            vague_text: Cell::new(false),
            novelty: Cell::new(0),
            array_work: Cell::new(0),
            typed_numbers: Cell::new(0),
            doubts: Cell::new(0),
            unknowns: Cell::new(0),
            in_widened_loop: Cell::new(false),
            unknown_loops: Cell::new(0),
            open_code: Cell::new(None),
            missing: RefCell::default(),
            unnamed: RefCell::default(),
            deep: Cell::new(DEEP),
            foreign_call: Cell::new(false),
            losses: Cell::new(0),
            leaving_library: Cell::new(false),
            library_lost: Cell::new(false),
            unsure: Cell::new(0),
            perhaps_raised: RefCell::default(),
            undone: RefCell::default(),
            widened: Cell::new(0),
            patience: Patience::default(),
            long_texts: LongTexts::default(),
            printing: Printing::default(),
            cached_runs: Cell::new(0),
            doubtful_runs: Cell::new(false),
            run_times: Cell::new(1),
            extensions: RefCell::default(),
            types,
        });
        builtins::install(&it);
        it
    }

    /// Lets go of all values of the run, also of those that refer to themselves: nothing of it can be used afterwards.
    pub fn let_go(&self) {
        crate::python::journal::reset();
        let modules: Vec<Value> = self.modules.take().into_values().collect();
        for module in &modules {
            if let Value::Module(module) = module {
                module.let_go();
            }
        }
        self.builtins.take();
        self.attr_cache.clear();
        self.named_classes.take();
        self.reported.take();
        self.handled.take();
        self.extensions.take();
        self.hooks.take();
        crate::python::cycles::let_go();
    }

    /// Sets the flag that stops the run.
    pub fn set_cancel(&self, cancel: Arc<AtomicBool>) {
        self.engine.set_cancel(cancel.clone());
        *self.cancel.borrow_mut() = cancel;
    }

    /// Sets the budget of the run.
    pub fn set_fuel(&self, fuel: u64) {
        self.fuel.set(fuel);
        self.memory_asked.set(fuel);
    }

    /// What a framework keeps for this run: made empty when first asked for.
    pub fn extension<T: Default + 'static>(&self) -> Rc<T> {
        let wanted = std::any::TypeId::of::<T>();
        let mut all = self.extensions.borrow_mut();
        // There are a few dozen kinds at most.
        let at = all.iter().position(|(kind, _)| *kind == wanted).unwrap_or_else(|| {
            all.push((wanted, Rc::new(T::default())));
            all.len() - 1
        });
        all[at].1.clone().downcast().expect("entries are filed under their type")
    }

    /// Runs `body` for a cache that keeps what comes out.
    pub fn answered_by_cache<T>(&self, body: impl FnOnce() -> T) -> T {
        self.cached_runs.set(self.cached_runs.get() + 1);
        let result = body();
        self.cached_runs.set(self.cached_runs.get() - 1);
        result
    }

    /// Whether what runs now stands for rounds of a widened loop: what a cache keeps would not run again in them.
    pub fn stands_for_rounds(&self) -> bool {
        self.in_widened_loop.get() && self.cached_runs.get() == 0
    }

    /// Spends budget for one expression.
    ///
    /// # Errors
    /// [`Stopped`] when the budget is spent or the run was cancelled.
    #[inline]
    pub fn spend(&self) -> Step<()> {
        let left = self.fuel.get();
        if left & 0xfff == 0 {
            return self.check_stop(left);
        }
        self.fuel.set(left - 1);
        Ok(())
    }

    #[cold]
    fn check_stop(&self, left: u64) -> Step<()> {
        if left == 0 {
            return Err(Halt::Stop(Stopped::Budget));
        }
        if self.cancel.borrow().load(Ordering::Relaxed) {
            return Err(Halt::Stop(Stopped::Cancelled));
        }
        self.charge_memory(left)?;
        self.fuel.set(left - 1);
        Ok(())
    }

    /// As [`Interp::spend_several`], where nothing else is due; false, and nothing is spent, where something is.
    #[inline(always)]
    pub fn spends(&self, cost: u32) -> bool {
        let left = self.fuel.get();
        let rest = left.wrapping_sub(u64::from(cost));
        let goes = (left ^ rest) & !0xfff == 0;
        if goes {
            self.fuel.set(rest);
        }
        goes
    }

    /// Spends budget for a statement whose expressions cost so much.
    ///
    /// # Errors
    /// As [`Interp::spend`].
    #[inline]
    pub fn spend_several(&self, cost: u32) -> Step<()> {
        let left = self.fuel.get();
        let rest = left.wrapping_sub(u64::from(cost));
        if (left ^ rest) & !0xfff != 0 {
            self.check_stop(if left > u64::from(cost) { left } else { 0 })?;
        }
        self.fuel.set(rest);
        Ok(())
    }

    /// The one place where memory is charged: every so much fuel the process is asked what it holds.
    fn charge_memory(&self, left: u64) -> Step<()> {
        if self.memory_asked.get().abs_diff(left) < FUEL_BETWEEN_MEMORY {
            return Ok(());
        }
        self.memory_asked.set(left);
        if self.overdrawn.get().is_some_and(|overdrawn| overdrawn()) {
            self.fuel.set(0);
            return Err(Halt::Stop(Stopped::Budget));
        }
        Ok(())
    }

    /// Spends budget for work on many items at once (`[0] * n`, `list(range(n))`).
    ///
    /// # Errors
    /// As [`Interp::spend`].
    pub fn spend_many(&self, items: usize) -> Step<()> {
        let left = self.fuel.get();
        let items = items as u64;
        if items >= left || items > MOST_ITEMS {
            return Err(Halt::unknown(format!("a container of {items} items is past the budget")));
        }
        self.charge_memory(left - items)?;
        self.fuel.set(left - items);
        Ok(())
    }

    /// Spends budget for one thing that costs as much as many expressions.
    ///
    /// # Errors
    /// As [`Interp::spend`].
    pub fn spend_more(&self, cost: u64) -> Step<()> {
        let left = self.fuel.get().saturating_sub(cost);
        self.fuel.set(left);
        match left {
            0 => self.check_stop(0),
            _ => self.charge_memory(left),
        }
    }

    /// Spends budget for text of so many bytes that is read or made at once.
    ///
    /// # Errors
    /// Unknown for text past the budget; as [`Interp::spend`].
    pub fn spend_text(&self, bytes: usize) -> Step<()> {
        match bytes / BYTES_OF_TEXT {
            0 => Ok(()),
            items => self.spend_many(items),
        }
    }

    /// Runs `body`, which walks one level deeper into nested values.
    ///
    /// # Errors
    /// `RecursionError` where Python would go no deeper; what `body` gives.
    pub fn nested<T>(&self, what: &str, body: impl FnOnce() -> Step<T>) -> Step<T> {
        let nesting = self.nesting.get();
        if nesting + self.depth.get() >= RECURSION_LIMIT {
            return Err(Halt::raise("RecursionError", format!("maximum recursion depth exceeded{what}")));
        }
        self.spend()?;
        self.nesting.set(nesting + 1);
        let result = self.with_stack(body);
        self.nesting.set(nesting);
        result
    }

    /// Runs `body` with exceptions known to be looked at by a caller.
    pub fn while_catching<T>(&self, body: impl FnOnce() -> T) -> T {
        self.catching.set(self.catching.get() + 1);
        let result = body();
        self.catching.set(self.catching.get() - 1);
        result
    }

    /// Runs `body` on a larger stack where little of this one is left.
    #[inline]
    pub fn with_stack<T>(&self, body: impl FnOnce() -> T) -> T {
        match self.is_stack_low() {
            false => body(),
            true => self.on_new_stack(body),
        }
    }

    /// Whether little is left of the native stack.
    #[inline]
    pub(super) fn is_stack_low(&self) -> bool {
        let marker = 0u8;
        let here = std::ptr::from_ref(&marker) as usize;
        here.saturating_sub(self.stack_limit.get()) <= RED_ZONE
    }

    /// Notes whether the native stack of the thread has become large. On another stack, of a generator or a grown one, it can't tell
    /// and need not: those go when they end.
    #[cold]
    pub(super) fn note_stack(&self) {
        let marker = 0u8;
        let used = self.stack_top.get().wrapping_sub(std::ptr::from_ref(&marker) as usize);
        if (LARGE_STACK..=crate::analysis::STACK).contains(&used) {
            self.was_deep.set(true);
        }
    }

    #[cold]
    fn on_new_stack<T>(&self, body: impl FnOnce() -> T) -> T {
        let Ok(stack) = corosensei::stack::DefaultStack::new(GROWN_STACK) else { return body() };
        let limit = corosensei::stack::Stack::limit(&stack).get();
        let outer = self.stack_limit.replace(limit);
        let result = corosensei::on_stack(stack, body);
        self.stack_limit.set(outer);
        result
    }
}

/// How much fuel is spent between two questions for memory: tens of megabytes, for most programs.
const FUEL_BETWEEN_MEMORY: u64 = 1 << 17;
/// Bytes of text that cost as much as one expression.
const BYTES_OF_TEXT: usize = 64;
/// What an exception that is caught costs beside the expressions around it: it has a place and frames.
pub const COST_OF_EXCEPTION: u64 = 50;

/// What an exception costs that ends a statement of the program, with the words and frames that are made of it: an endless loop that
/// fails in each round should not take longer than another one.
pub const COST_OF_REPORT: u64 = 200;
/// What looking for a module in the file system costs.
const COST_OF_SEARCH: u64 = 2_000;
/// The largest container that is made.
pub const MOST_ITEMS: u64 = 4_000_000;
/// Native stack that one Python call may need.
const RED_ZONE: usize = 192 * 1024;
/// Size of an additional stack.
const GROWN_STACK: usize = 16 * 1024 * 1024;
