//! The state of tracing: the current trace, configuration, budget; and `bind`.

mod compute;

use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustc_hash::FxHashSet;

use super::config::MESH_OF_EQUATIONS;
use super::{Array, Axis, Commits, Config, Memo, Node, Places, Tag, Trace, TraceRef, Val, Vals, marks, staging};
use crate::array::{Dim, Tensor};
use crate::primitives::Primitive;
use crate::python::{Halt, Step, Stopped};

/// Eager results of at most so many elements are computed at once.
const SMALL: usize = 64;

/// Arrays of so many bytes fit into no machine's memory.
const MOST_MEMORY: usize = 1 << 41;

/// So many rounds of a loop that calls functions of the program's may take what a number may.
const ROUNDS_ON_HOST: u64 = 4;

/// How many equations are traced between two questions for memory.
const EQUATIONS_BETWEEN_MEMORY: u64 = 1 << 14;

/// Nodes that may wait at a time; past it, new eager arrays have no numbers.
const WAITING: usize = 1_000_000;

/// The state of tracing.
pub struct Engine {
    eval: TraceRef,
    trace: RefCell<TraceRef>,
    /// Whether that is the one outside of all transformations.
    top_level: Cell<bool>,
    /// Whether the framework is tracing what runs: within another trace, or aside of one.
    traced: Cell<bool>,
    config: RefCell<Rc<Config>>,
    axes: RefCell<Vec<(Rc<str>, Dim)>>,
    /// Whether types tell along which axes of a mesh values vary.
    tells_varying: Cell<bool>,
    tags: Cell<u64>,
    source: Cell<u64>,
    /// Marks of the choices whose cotangents went to a case.
    choices: RefCell<FxHashSet<u64>>,
    /// Whether nothing is noted of choices now.
    choices_silenced: Cell<bool>,
    /// What completes the marks of new equations, where somebody wants to know more of them.
    marker: RefCell<Option<Marker>>,
    /// Scalar operations that computing numbers may still take.
    pub fuel: Cell<u64>,
    /// Equations that may still be traced.
    pub equations: Cell<u64>,
    /// Tells whether the process holds more memory than a run may use.
    pub overdrawn: Cell<Option<fn() -> bool>>,
    cancelled: RefCell<Arc<AtomicBool>>,
    /// Graphs that were thinned out for the numbers of one of their results.
    pub(super) thinned: Cell<u32>,
    nodes: Rc<Cell<usize>>,
    pub(crate) memo: RefCell<Memo>,
    /// Numbers that took long to compute.
    pub computed: RefCell<super::Computed>,
    /// Whether the program has asked for numbers while tracing: they are worth more then.
    pub evaluates: Cell<bool>,
    /// Under `jax_debug_key_reuse`: the keys that were used.
    pub(crate) consumed: crate::transforms::key_reuse::Consumed,
    /// How many functions have been linearized so far, those in remembered traces counted at each use.
    pub linearized: Cell<u64>,
    /// Where only what needs a tracer is traced, the trace that this is done in.
    pub folds: RefCell<Option<TraceRef>>,
    /// What the compiler will not take of what was traced since the last call of a compiled function began.
    refused: RefCell<Option<(Halt, u64)>>,
    /// Whether numbers that are not there yet are not worth computing: see [`Engine::without_computing`].
    pub(super) idle: Cell<bool>,
    /// Whether what is bound outside of all transformations is computed at once.
    pub hasty: Cell<bool>,
    /// Whether numbers are what the run is for: what is left of the operations may be spent on each.
    pub generous: Cell<bool>,
    /// The branch that is undone only where numbers turn out not to be known: what happens in it happens. 0 where none is.
    pub sure: Cell<u64>,
    /// Whether something was not computed that takes more operations than are left.
    pub starved: Cell<bool>,
    /// How many eager computations had numbers to work with, and how many had not.
    pub eager_results: Cell<(u64, u64)>,
    /// What is bound, for those who want to do it again.
    pub(crate) recorder: super::recording::Recorder,
    /// Where arrays lie.
    pub places: Places,
    /// Which of them the program has put there.
    pub commits: Commits,
    /// The run of `vmap` whose rule is under way.
    pub(crate) batching: Cell<Tag>,
    /// Is told of every primitive that becomes an equation.
    pub(crate) watch: RefCell<Option<Watch>>,
    /// Whether callbacks in a graph that is computed are to be called.
    pub(crate) on_host: Cell<bool>,
    /// How often that has been done.
    pub(crate) host_calls: Cell<u64>,
    /// Is told of every application of a primitive to numbers.
    pub(crate) observer: RefCell<Option<Observer>>,
    /// Whether somebody is.
    pub(crate) observed: Cell<bool>,
    /// What runs is part of a compiled function.
    pub(crate) compiled: Cell<bool>,
    /// The computation that runs for a demand of numbers, where somebody looks on.
    pub(crate) forced: RefCell<Option<Rc<Node>>>,
    /// Whether somebody is told of each one, not only of those that make infinities or what is no number of finite numbers.
    pub(crate) tells_all: Cell<bool>,
    /// While somebody is told: the rounds of the loops around, outermost first.
    pub(crate) rounds: RefCell<Vec<usize>>,
    /// While somebody is told: whether the equation is the last one of its graph that its expression wrote.
    pub(crate) closes: Cell<bool>,
    /// Counts scalar operations that are done, for another thread to see.
    pub(crate) done: RefCell<Option<Arc<AtomicU64>>>,
}

/// What completes the mark of a new equation.
pub(crate) type Marker = Rc<dyn Fn(u64) -> u64>;

/// What is told of an application of a primitive to numbers.
pub(crate) type Observer = Rc<dyn Fn(&dyn Primitive, &[Tensor], &[Tensor])>;

/// What is told of a primitive that becomes an equation, with its operands and results.
pub(crate) type Watch = Rc<dyn Fn(&dyn Primitive, &[Val], &[Val]) -> Step<()>>;

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Arc::new(AtomicBool::new(false)))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({:?})", self.trace.borrow())
    }
}

/// Sets a trace for a while; the one before comes back when it is dropped.
#[must_use]
pub struct TraceGuard<'a> {
    engine: &'a Engine,
    before: Option<TraceRef>,
    traced: bool,
}

impl Drop for TraceGuard<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            self.engine.replace_trace(before);
            self.engine.traced.set(self.traced);
        }
    }
}

impl Engine {
    /// A fresh engine that stops when the flag is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Engine {
        let eval = Rc::new(Trace::Eval);
        Engine {
            trace: RefCell::new(eval.clone()),
            top_level: Cell::new(true),
            traced: Cell::new(false),
            eval,
            config: RefCell::default(),
            axes: RefCell::default(),
            tells_varying: Cell::new(false),
            tags: Cell::new(0),
            source: Cell::new(0),
            choices: RefCell::default(),
            choices_silenced: Cell::new(false),
            marker: RefCell::default(),
            fuel: Cell::new(200_000_000),
            equations: Cell::new(50_000_000),
            overdrawn: Cell::new(None),
            cancelled: RefCell::new(cancelled),
            thinned: Cell::new(0),
            nodes: Rc::default(),
            memo: RefCell::default(),
            computed: RefCell::default(),
            host_calls: Cell::new(0),
            evaluates: Cell::new(false),
            consumed: Default::default(),
            linearized: Cell::new(0),
            folds: RefCell::default(),
            refused: RefCell::default(),
            idle: Cell::new(false),
            hasty: Cell::new(false),
            sure: Cell::new(0),
            generous: Cell::new(false),
            starved: Cell::new(false),
            eager_results: Cell::default(),
            recorder: Default::default(),
            places: Places::default(),
            commits: Commits::default(),
            batching: Cell::new(Tag(0)),
            watch: RefCell::default(),
            on_host: Cell::new(false),
            observer: RefCell::default(),
            observed: Cell::new(false),
            compiled: Cell::new(false),
            forced: RefCell::default(),
            tells_all: Cell::new(false),
            rounds: RefCell::default(),
            closes: Cell::new(false),
            done: RefCell::default(),
        }
    }

    /// The current trace.
    pub fn trace(&self) -> TraceRef {
        self.trace.borrow().clone()
    }
    /// The trace outside of all transformations.
    pub fn eval_trace(&self) -> TraceRef {
        self.eval.clone()
    }
    /// Whether no transformation is under way.
    #[inline]
    pub fn is_top_level(&self) -> bool {
        self.top_level.get()
    }
    /// Whether what runs is run by a transformation. Numbers may be computed at once nevertheless: see [`Engine::enter_aside`].
    #[inline]
    pub fn is_traced(&self) -> bool {
        self.traced.get()
    }
    /// Says whether a transformation runs what runs from now on, until a guard from before is dropped.
    pub fn set_traced(&self, traced: bool) {
        self.traced.set(traced);
    }
    /// Notes what the compiler will not take: tracing goes on, and the call of the compiled function raises it. The first one counts.
    pub fn refuse(&self, halt: Halt) {
        self.refused.borrow_mut().get_or_insert((halt, self.source()));
    }
    /// What the compiler will not take, for the last time, and the mark of the equations that it is about: dead ones it does not see.
    pub fn take_refused(&self) -> Option<(Halt, u64)> {
        self.refused.borrow_mut().take()
    }
    /// Whether a graph is being built: what runs now runs once per graph.
    pub fn is_staging(&self) -> bool {
        let mut trace = Some(self.trace());
        while let Some(current) = trace {
            if current.staging().is_some() {
                return true;
            }
            trace = current.parent().cloned();
        }
        false
    }
    /// Makes a trace the current one until the guard is dropped.
    pub fn enter(&self, trace: TraceRef) -> TraceGuard<'_> {
        let traced = self.traced.get();
        TraceGuard { before: Some(self.replace_trace(trace)), traced, engine: self }
    }
    /// Computes at once until the guard is dropped, where the framework itself stays in the trace that it is in: what NumPy
    /// calls, and what is evaluated while tracing, runs for that trace.
    pub fn enter_aside(&self) -> TraceGuard<'_> {
        let guard = self.enter(self.eval_trace());
        self.traced.set(guard.traced);
        guard
    }
    fn replace_trace(&self, trace: TraceRef) -> TraceRef {
        self.top_level.set(matches!(*trace, Trace::Eval));
        self.traced.set(!self.top_level.get());
        self.trace.replace(trace)
    }
    /// Runs with this trace as the current one.
    pub fn within<R>(&self, trace: &TraceRef, run: impl FnOnce() -> R) -> R {
        let _guard = self.enter(trace.clone());
        run()
    }
    /// Runs `body` for a result that nobody reads: numbers that would have to be computed for it are unknown.
    pub fn without_computing<R>(&self, body: impl FnOnce() -> R) -> R {
        let before = self.idle.replace(true);
        let result = body();
        self.idle.set(before);
        result
    }
    /// A constant as a value of the graph that is being built, if one is.
    pub fn staged(&self, value: &Val) -> Val {
        let mut trace = self.trace();
        loop {
            if let Trace::Jaxpr(_) = &*trace {
                return super::staging::lift(&trace, value);
            }
            match trace.parent().cloned() {
                Some(parent) => trace = parent,
                None => return value.clone(),
            }
        }
    }
    /// A tag that no other has.
    pub fn fresh_tag(&self) -> Tag {
        self.tags.set(self.tags.get() + 1);
        Tag(self.tags.get())
    }

    /// The settings.
    pub fn config(&self) -> Rc<Config> {
        self.config.borrow().clone()
    }
    /// Replaces the settings.
    pub fn set_config(&self, config: Config) {
        self.config.replace(Rc::new(config));
    }
    /// Runs a rule for an equation of a graph: with the mesh of equations, if the rule calls what the program wrote.
    pub(crate) fn within_equation<R>(&self, primitive: &dyn Primitive, rule: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a Engine, Rc<Config>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                let now = self.0.config();
                if now.mesh.as_deref() == Some(MESH_OF_EQUATIONS) {
                    self.0.set_config(Config { mesh: self.1.mesh.clone(), ..(*now).clone() });
                }
            }
        }
        let config = self.config();
        if config.mesh.is_some() || !primitive.calls_rules() {
            return rule();
        }
        self.set_config(Config { mesh: Some(MESH_OF_EQUATIONS.into()), ..(*config).clone() });
        let _back = Back(self, config);
        rule()
    }
    /// Whether 64-bit types are enabled.
    pub fn x64(&self) -> bool {
        self.config.borrow().enable_x64
    }

    /// The named axes, outermost first.
    pub fn axes(&self) -> Ref<'_, Vec<(Rc<str>, Dim)>> {
        self.axes.borrow()
    }
    /// The size of a named axis.
    pub fn axis_size(&self, name: &str) -> Option<Dim> {
        self.axes.borrow().iter().rev().find(|(n, _)| &**n == name).map(|(_, size)| *size)
    }
    /// Whether types tell along which axes of a mesh values vary: in a body of `shard_map` that checks it.
    pub fn tells_varying(&self) -> bool {
        self.tells_varying.get()
    }
    /// Runs where types tell along which axes values vary, or do not.
    pub fn with_varying<R>(&self, tells: bool, run: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a Engine, bool);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.tells_varying.set(self.1);
            }
        }
        let _back = Back(self, self.tells_varying.replace(tells));
        run()
    }
    /// Runs with one more named axis.
    pub fn with_axis<R>(&self, axis: &Axis, run: impl FnOnce() -> R) -> R {
        struct Pop<'a>(&'a Engine, usize);
        impl Drop for Pop<'_> {
            fn drop(&mut self) {
                self.0.axes.borrow_mut().truncate(self.1);
            }
        }
        let _pop = Pop(self, self.axes.borrow().len());
        if let Some(name) = &axis.name {
            self.axes.borrow_mut().push((name.clone(), axis.size));
        }
        run()
    }

    /// The mark that new equations get: where in the user's program they are written.
    pub fn source(&self) -> u64 {
        self.source.get()
    }
    /// Sets the mark of new equations and gives back the one before.
    #[inline]
    pub fn set_source(&self, source: u64) -> u64 {
        self.source.replace(source)
    }

    /// Notes that a cotangent of what a choice gives goes to a case of it.
    pub fn note_choice(&self) {
        if !self.choices_silenced.get() {
            self.choices.borrow_mut().insert(marks::without_calls(self.source()));
        }
    }
    /// Runs something of whose choices nothing is noted: their marks are those of other calls.
    pub fn without_noting_choices<R>(&self, run: impl FnOnce() -> R) -> R {
        let before = self.choices_silenced.replace(true);
        let result = run();
        self.choices_silenced.set(before);
        result
    }
    /// The marks of the choices that were noted.
    pub fn take_choices(&self) -> FxHashSet<u64> {
        self.choices.take()
    }

    /// Sets what completes the marks of new equations.
    pub fn set_marker(&self, marker: Option<Marker>) {
        *self.marker.borrow_mut() = marker;
    }
    /// The mark of an equation that is made now.
    pub(super) fn mark(&self) -> u64 {
        match &*self.marker.borrow() {
            Some(complete) => complete(self.source()),
            None => self.source(),
        }
    }

    /// Sets the flag that stops the engine.
    pub fn set_cancel(&self, cancelled: Arc<AtomicBool>) {
        *self.cancelled.borrow_mut() = cancelled;
    }

    /// Spends one equation.
    ///
    /// # Errors
    /// A stop when the budget is spent or an edit cancelled the run.
    pub fn tick(&self) -> Step<()> {
        let left = self.equations.get();
        if left == 0 {
            return Err(Halt::Stop(Stopped::Budget));
        }
        self.equations.set(left - 1);
        if left.is_multiple_of(64) && self.cancelled.borrow().load(Ordering::Relaxed) {
            return Err(Halt::Stop(Stopped::Cancelled));
        }
        if left.is_multiple_of(EQUATIONS_BETWEEN_MEMORY) && self.overdrawn.get().is_some_and(|overdrawn| overdrawn()) {
            self.equations.set(0);
            return Err(Halt::Stop(Stopped::Budget));
        }
        Ok(())
    }

    /// Asks whether the run goes on.
    ///
    /// # Errors
    /// A stop when an edit cancelled it.
    pub(crate) fn stop_if_cancelled(&self) -> Step<()> {
        if self.cancelled.borrow().load(Ordering::Relaxed) { Err(Halt::Stop(Stopped::Cancelled)) } else { Ok(()) }
    }

    /// Applies a primitive to arrays under the current trace.
    ///
    /// # Errors
    /// What the primitive's rules raise; unknown where a rule is missing.
    pub fn bind(&self, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        let trace = self.trace();
        self.bind_in(&trace, primitive, inputs)
    }

    /// Applies a primitive to arrays under this trace.
    ///
    /// # Errors
    /// As [`Engine::bind`].
    pub fn bind_in(&self, trace: &TraceRef, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        if !self.recorder.is_active() {
            return self.bind_unheard(trace, primitive, inputs);
        }
        let wanted = self.recorder.enter(trace);
        let result = self.bind_unheard(trace, primitive.clone(), inputs);
        self.recorder.leave(&wanted, &primitive, inputs, result.as_ref().ok());
        self.recorder.tell(trace, &primitive, inputs, &result);
        result
    }

    fn bind_unheard(&self, trace: &TraceRef, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        self.tick()?;
        let primitive = match self.config.borrow().numpy_promotion {
            true => primitive.in_numpy().unwrap_or(primitive),
            false => primitive,
        };
        match &**trace {
            Trace::Eval if self.places.any() || self.places.any_laid() || self.commits.any() => {
                let results = self.bind_eager(primitive.clone(), inputs)?;
                self.commits.follow(&*primitive, inputs, &results);
                self.places.follow(&*primitive, inputs, &results);
                self.places.lay_results(&*primitive, inputs, &results, true);
                Ok(results)
            }
            Trace::Eval => self.bind_eager(primitive, inputs),
            Trace::Jaxpr(_) if self.places.any_laid() => {
                let results = self.bind_staged(trace, primitive.clone(), inputs)?;
                self.places.lay_results(&*primitive, inputs, &results, false);
                Ok(results)
            }
            Trace::Jaxpr(_) => self.bind_staged(trace, primitive, inputs),
            Trace::Jvp { tag, parent } => crate::transforms::jvp::bind(self, trace, *tag, parent, primitive, inputs),
            Trace::Linearize { tag, parent, tape, partial } => {
                crate::transforms::linearize::bind(self, trace, (*tag, parent, tape, partial), primitive, inputs)
            }
            Trace::Partial { parent, tape } => {
                crate::transforms::linearize::bind_partial(self, parent, tape, primitive, inputs)
            }
            Trace::Batch { tag, parent, axis } => {
                crate::transforms::vmap::bind(self, trace, (*tag, parent, axis), primitive, inputs)
            }
        }
    }

    fn bind_staged(&self, trace: &TraceRef, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        let Some(watch) = self.watch.borrow().clone() else {
            return staging::bind(self, trace, primitive, inputs);
        };
        let results = staging::bind(self, trace, primitive.clone(), inputs)?;
        self.within(trace, || watch(&*primitive, inputs, &results))?;
        Ok(results)
    }

    fn bind_eager(&self, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
        let (debug_nans, debug_keys) = {
            let config = self.config.borrow();
            (config.debug_nans, config.debug_key_reuse)
        };
        if debug_keys {
            let run = || self.compute(primitive.clone(), inputs);
            return crate::transforms::key_reuse::checked(self, &primitive, inputs, run);
        }
        if !debug_nans {
            return self.compute(primitive, inputs);
        }
        let name = primitive.name();
        let results = self.compute(primitive, inputs)?;
        // The caller of a compiled function looks into it.
        match name == "jit" || !self.has_nan(&results) {
            true => Ok(results),
            false => Err(Halt::raise("FloatingPointError", format!("invalid value (nan) encountered in {name}"))),
        }
    }

    /// Whether some array is known to hold a NaN.
    pub fn has_nan(&self, arrays: &[Val]) -> bool {
        use crate::array::number;
        let nan = |tensor: Tensor| {
            (0..tensor.len()).any(|i| {
                number::read(&tensor, i).is_some_and(|n| {
                    let z = n.as_complex();
                    z.re.is_nan() || z.im.is_nan()
                })
            })
        };
        arrays.iter().any(|v| v.aval.dtype.is_inexact() && !v.is_tracer() && self.force(v).is_ok_and(nan))
    }

    /// Applies a primitive with one result.
    ///
    /// # Errors
    /// As [`Engine::bind`].
    pub fn bind1(&self, primitive: impl Primitive, inputs: &[Val]) -> Step<Val> {
        Ok(self.bind(Rc::new(primitive), inputs)?.swap_remove(0))
    }

    /// A constant with known numbers: a scalar is shown in place in graphs.
    pub fn constant(&self, tensor: Tensor) -> Val {
        Array::literal(tensor, false, None)
    }

    /// A constant of a weak type, as Python scalars give.
    pub fn weak_constant(&self, tensor: Tensor) -> Val {
        Array::literal(tensor, true, None)
    }
}
