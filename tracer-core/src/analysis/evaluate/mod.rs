//! Graphs of traced functions on numbers: what they give, and where the first number comes from that is none.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jitlens_kernels::pool::{self, Need};
use jitlens_kernels::work::Stop;

use super::Analysis;
use super::loader::ProjectLoader;
use crate::array::{Spoils, Tensor};
use crate::interp::{GraphNote, Interp, Untraced, is_meant};
use crate::primitives::Primitive;
use crate::python::{Halt, Site};
use crate::text::Span;
use crate::trace::{ClosedJaxpr, MOST_ONE_BY_ONE, Observer, marks};
use crate::transforms::dce::{live, prune, without_dead_constants};
use crate::transforms::eval::{self, TOO_LARGE, eval_tensors};
use values::Values;

mod inputs;
mod intermediates;
mod summary;
mod values;
mod whole;

pub use inputs::Given;
pub use intermediates::{Intermediate, Tap};
pub use summary::{BARS, Statistics, Summary};
pub use values::{Made, Numbers};
pub use whole::Watching;

/// What is to be evaluated.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Scalar operations that it may take.
    pub fuel: u64,
    /// How often it is run again, to tell how long that takes.
    pub repeat: u32,
    /// Bytes that arrays may take at a time.
    pub memory: u64,
    /// Arrays that stand in for what the program gives.
    pub given: Option<Given>,
    /// Is told of every array that is made on the way.
    pub tap: Option<Tap>,
    /// Scalar operations that are done and that are to be done, while it runs.
    pub progress: Option<Arc<Progress>>,
    /// Whether it is kept what every expression was.
    pub values: bool,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation {
            fuel: OPERATIONS,
            repeat: 0,
            memory: MEMORY,
            given: None,
            tap: None,
            progress: None,
            values: false,
        }
    }
}

/// Scalar operations that a computation may take, where nobody says otherwise.
pub const OPERATIONS: u64 = 100_000_000_000;

/// Bytes that arrays may take at a time, where nobody says otherwise.
pub const MEMORY: u64 = 2 << 30;

/// How far an evaluation is, for whoever looks from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// Scalar operations that are done.
    pub done: Arc<AtomicU64>,
    /// Those that it takes, loops of unknown length counted once; 0 where nothing is evaluated.
    pub total: AtomicU64,
}

/// A traced function on numbers.
#[derive(Clone, Debug)]
pub struct EvalFact {
    /// Its `__qualname__`.
    pub function: String,
    /// The file, an index into [`Analysis::files`], and its name in its `def` line.
    pub defined: Option<(usize, Span)>,
    /// The call that traced it.
    pub called: Option<(usize, Span)>,
    /// Whether the inputs are not those of a call of the program but made up.
    pub made_up: bool,
    /// Names of the inputs that stand in for what the program gives.
    pub given: Vec<String>,
    /// The inputs with their names, where these are known.
    pub inputs: Vec<(String, Summary)>,
    /// The results, each or why it is not known, or why there are none.
    pub outputs: Result<Vec<Result<Summary, String>>, String>,
    /// The first application of a primitive to finite numbers that gave others; where there is none, the first one that made what is
    /// no number of infinities.
    pub nonfinite: Option<NonFinite>,
    /// How long the fastest of the runs took that were asked for.
    pub fastest: Option<Duration>,
    /// What expressions were, in no order, where that is kept.
    pub values: Vec<Numbers>,
}

/// An application of a primitive that gives an infinity or what is no number.
#[derive(Clone, Debug)]
pub struct NonFinite {
    /// What it makes them of.
    pub spoils: Spoils,
    /// The primitive.
    pub primitive: String,
    /// The user's expression that wrote it.
    pub at: Option<(usize, Span)>,
    /// The rounds of the loops around it, outermost first, counted from 0.
    pub rounds: Vec<usize>,
    /// Its operands.
    pub inputs: Vec<Summary>,
    /// Its results.
    pub outputs: Vec<Summary>,
    /// Where its operands come from, backwards, where that is kept.
    pub path: Vec<Made>,
}

impl NonFinite {
    /// Whether an application of a primitive comes before what was found.
    fn spoils(
        before: Option<Spoils>,
        primitive: &dyn Primitive,
        inputs: &[Tensor],
        outputs: &[Tensor],
    ) -> Option<Spoils> {
        match before {
            Some(Spoils::Finite) => None,
            _ if !primitive.graphs().is_empty() => None,
            _ => Spoils::of(inputs, outputs).filter(|spoils| before.is_none_or(|before| *spoils < before)),
        }
    }

    /// An application, without its place.
    fn of(
        spoils: Spoils,
        primitive: &dyn Primitive,
        rounds: Vec<usize>,
        inputs: &[Tensor],
        outputs: &[Tensor],
    ) -> NonFinite {
        NonFinite {
            spoils,
            primitive: primitive.name().to_owned(),
            at: None,
            rounds,
            inputs: inputs.iter().map(Summary::of).collect(),
            outputs: outputs.iter().map(Summary::of).collect(),
            path: Vec::new(),
        }
    }
}

/// The first number of a program as a whole that is none.
#[derive(Clone, Debug)]
pub struct FirstNonFinite {
    /// What makes it.
    pub what: NonFinite,
    /// The call of the program's top level that it belongs to.
    pub called: Option<(usize, Span)>,
}

/// A function on numbers, with places as the run knows them.
pub struct Evaluated {
    fact: EvalFact,
    defined: Site,
    called: Option<Site>,
    source: u64,
    /// The marks of the steps of [`NonFinite::path`].
    path: Vec<u64>,
    values: Vec<(u64, Vec<Summary>, usize)>,
}

/// Evaluates the graphs of a run: of one function, or of all.
pub fn run(it: &Rc<Interp>, loader: &ProjectLoader, evaluation: &Evaluation, function: Option<&str>) -> Vec<Evaluated> {
    let notes = it.graphs.notes.borrow().clone();
    let meant = notes.iter().filter(|note| function.is_none_or(|name| is_meant(&note.function, name)));
    // What a graph may hold is counted before it runs.
    let overdrawn = it.engine.overdrawn.replace(None);
    let stop = Stop::here();
    let meant = meant.take_while(|_| !stop.asked());
    let mut all: Vec<Evaluated> = meant.map(|note| one(it, loader, evaluation, note, &notes)).collect();
    it.engine.overdrawn.set(overdrawn);
    // What was called and has no graph is told as well, once.
    let mut told: Vec<Site> = notes.iter().map(|note| note.defined).collect();
    for lost in it.graphs.untraced.borrow().iter() {
        if function.is_none_or(|name| is_meant(&lost.function, name)) && !told.contains(&lost.defined) {
            told.push(lost.defined);
            all.push(untraced(lost));
        }
    }
    all
}

/// A function without a graph.
fn untraced(lost: &Untraced) -> Evaluated {
    let fact = EvalFact {
        function: lost.function.to_string(),
        defined: None,
        called: None,
        made_up: false,
        given: Vec::new(),
        inputs: Vec::new(),
        outputs: Err(lost.why.clone()),
        nonfinite: None,
        fastest: None,
        values: Vec::new(),
    };
    Evaluated { fact, defined: lost.defined, called: lost.called, source: 0, path: Vec::new(), values: Vec::new() }
}

/// Runs something while applications of primitives are told: all, or those that make infinities or what is no number.
fn observed<T>(it: &Interp, observer: &Observer, all: bool, run: impl FnOnce() -> T) -> T {
    let engine = &it.engine;
    *engine.observer.borrow_mut() = Some(observer.clone());
    engine.observed.set(true);
    engine.tells_all.set(all);
    let source = engine.source();
    let outcome = run();
    engine.set_source(source);
    engine.observed.set(false);
    *engine.observer.borrow_mut() = None;
    outcome
}

fn one(
    it: &Rc<Interp>,
    loader: &ProjectLoader,
    evaluation: &Evaluation,
    note: &GraphNote,
    all: &[GraphNote],
) -> Evaluated {
    let engine = &it.engine;
    let before = engine.fuel.replace(evaluation.fuel);
    let chosen = inputs::choose(it, evaluation, note, all);
    engine.fuel.set(evaluation.fuel);
    let first: Rc<RefCell<Option<(NonFinite, u64, Vec<u64>)>>> = Rc::default();
    let found = first.clone();
    let values: Option<Rc<RefCell<Values>>> = evaluation.values.then(Rc::default);
    let noted = values.clone();
    let watched = it.clone();
    let names = evaluation.tap.as_ref().map(|tap| (tap.clone(), intermediates::Names::new(it, loader, note)));
    let observer: Observer = Rc::new(move |primitive: &dyn Primitive, inputs: &[Tensor], outputs: &[Tensor]| {
        if let Some((tap, names)) = &names {
            names.tell(tap, &watched.engine, primitive, outputs);
        }
        let before = found.borrow().as_ref().map(|(what, ..)| what.spoils);
        if let Some(spoils) = NonFinite::spoils(before, primitive, inputs, outputs) {
            let path = noted.as_ref().map(|values| values.borrow().path(inputs)).unwrap_or_default();
            let (sources, path) = path.into_iter().unzip();
            let rounds = watched.engine.rounds.borrow().clone();
            let what = NonFinite { path, ..NonFinite::of(spoils, primitive, rounds, inputs, outputs) };
            *found.borrow_mut() = Some((what, watched.engine.source(), sources));
        }
        if let Some(values) = &noted {
            values.borrow_mut().tell(&watched.engine, primitive, inputs, outputs);
        }
    });
    // What nobody reads is computed where all of it is wanted: a compiled program has none of it.
    let all_of_it = evaluation.tap.is_some() || evaluation.values;
    let graph = if all_of_it { note.graph.clone() } else { live(&note.graph) };
    let progress = evaluation.progress.clone().unwrap_or_default();
    progress.total.store(eval::cost(&note.graph), Ordering::Relaxed);
    progress.done.store(0, Ordering::Relaxed);
    *engine.done.borrow_mut() = evaluation.progress.as_ref().map(|progress| progress.done.clone());
    let (before_it, most) = (pool::need(), usize::try_from(eval::memory(&note.graph)).unwrap_or(usize::MAX));
    pool::set_need(Need { most, live: most.saturating_sub(eval::made(&note.graph)) });
    let mut one_by_one = None;
    let outcome = match &chosen {
        _ if let Some(lost) = &note.lost => Err(format!("not all of its results are known: {lost}")),
        Err(why) => Err(why.clone()),
        Ok(chosen) => match observed(it, &observer, all_of_it, || eval_tensors(engine, &graph, &chosen.tensors)) {
            Ok(results) => Ok(results),
            Err(halt) => {
                one_by_one = one_of_each(it, &graph, &chosen.tensors, &halt);
                Err(why(it, halt))
            }
        },
    };
    // What is looked on takes the equations as they are written, and gives what XLA makes of them.
    let outcome = match (&chosen, outcome) {
        (Ok(chosen), Ok(results)) if eval::is_run_otherwise(&graph.jaxpr) => {
            Ok(eval::eval_compiled(engine, &graph, &chosen.tensors).unwrap_or(results))
        }
        (_, outcome) => outcome,
    };
    *engine.done.borrow_mut() = None;
    if let (Some(tap), Ok(results)) = (&evaluation.tap, &outcome) {
        intermediates::tell_results(tap, &note.function, results);
    }
    progress.total.store(0, Ordering::Relaxed);
    let fastest = match (&chosen, &outcome) {
        (Ok(chosen), Ok(_)) => fastest(it, evaluation, note, &chosen.tensors),
        _ => None,
    };
    pool::set_need(before_it);
    engine.fuel.set(before);
    let (nonfinite, source, path) = match first.borrow_mut().take() {
        Some((what, source, path)) => (Some(what), source, path),
        None => (None, 0, Vec::new()),
    };
    let values = values.map(|values| values.take().expressions()).unwrap_or_default();
    let names = &note.graph.jaxpr.debug.arguments;
    let chosen = chosen.unwrap_or_default();
    let named = |(i, tensor): (usize, &Tensor)| {
        (names.get(i).map(ToString::to_string).unwrap_or_default(), Summary::of(tensor))
    };
    let fact = EvalFact {
        function: note.function.to_string(),
        defined: None,
        called: None,
        made_up: chosen.made_up,
        given: chosen.given,
        inputs: chosen.tensors.iter().enumerate().map(named).collect(),
        outputs: match one_by_one {
            Some(results) => Ok(results),
            None => outcome.map(|all| all.iter().map(|tensor| Ok(Summary::of(tensor))).collect()),
        },
        nonfinite,
        fastest,
        values: Vec::new(),
    };
    Evaluated { fact, defined: note.defined, called: note.called, source, path, values }
}

/// Each result for itself, or why it is not known, where the graph as a whole was not evaluated for this; `None` where that gives none.
fn one_of_each(
    it: &Rc<Interp>,
    graph: &ClosedJaxpr,
    inputs: &[Tensor],
    halt: &Halt,
) -> Option<Vec<Result<Summary, String>>> {
    let count = graph.jaxpr.outvars.len();
    if !(2..=MOST_ONE_BY_ONE).contains(&count) || !matches!(halt, Halt::Unknown(why) if *why.0 != *TOO_LARGE) {
        return None;
    }
    let keep = vec![true; graph.jaxpr.invars.len()];
    let results = (0..count).map(|index| {
        let used: Vec<bool> = (0..count).map(|i| i == index).collect();
        let part = without_dead_constants(prune(&graph.jaxpr, &used, &keep).0, &graph.consts);
        let found = eval_tensors(&it.engine, &part, inputs).map_err(|halt| why(it, halt))?;
        found.first().map(Summary::of).ok_or_else(|| "it has no results".to_owned())
    });
    let results: Vec<_> = results.collect();
    results.iter().any(Result::is_ok).then_some(results)
}

/// Why an evaluation came to no end.
fn why(it: &Rc<Interp>, halt: Halt) -> String {
    match halt {
        Halt::Unknown(why) if *why.0 == *TOO_LARGE => "it takes more operations than are allowed".to_owned(),
        Halt::Unknown(why) => why.0.to_string(),
        Halt::Raise(exception) => it.describe_exception(&exception).1,
        Halt::Stop(_) => "it was stopped".to_owned(),
    }
}

/// How long the fastest of several runs takes; inputs stay with who has them.
fn fastest(it: &Interp, evaluation: &Evaluation, note: &GraphNote, inputs: &[Tensor]) -> Option<Duration> {
    let times = (0..evaluation.repeat).map_while(|_| {
        it.engine.fuel.set(evaluation.fuel);
        let start = Instant::now();
        let results = eval_tensors(&it.engine, &note.graph, inputs).ok()?;
        let elapsed = start.elapsed();
        results.into_iter().for_each(Tensor::recycle);
        Some(elapsed)
    });
    times.min()
}

/// The place of an expression by its mark.
fn marked(analysis: &Analysis, mark: u64) -> Option<(usize, Span)> {
    let (file, expr) = marks::source(mark)?;
    let file = analysis.file_index(file)?;
    Some((file, *analysis.files[file].module.expr_spans.get(expr.index())?))
}

/// What was seen of a program as a whole.
pub(super) struct SeenOfAll(Option<whole::Seen>);

impl SeenOfAll {
    /// Ends what was begun.
    pub fn end(it: &Rc<Interp>, watching: Option<Watching>) -> SeenOfAll {
        SeenOfAll(watching.and_then(|watching| watching.end(it)))
    }
    /// The same as plain data.
    pub fn fact(self, analysis: &Analysis) -> Option<FirstNonFinite> {
        let whole::Seen { what, source, call } = self.0?;
        let what = NonFinite { at: marked(analysis, source), ..what };
        Some(FirstNonFinite { called: marked(analysis, call).filter(|called| Some(*called) != what.at), what })
    }
}

/// What was evaluated as plain data.
pub fn facts(analysis: &Analysis, evaluated: Vec<Evaluated>) -> Vec<EvalFact> {
    let place = |site: Site| Some((analysis.file_index(site.file)?, site.span));
    let marked = |mark: u64| marked(analysis, mark);
    let fact = |all: Evaluated| {
        let mut fact = EvalFact { defined: place(all.defined), called: all.called.and_then(place), ..all.fact };
        if let Some(nonfinite) = &mut fact.nonfinite {
            nonfinite.at = marked(all.source);
            nonfinite.path.iter_mut().zip(all.path).for_each(|(step, mark)| step.at = marked(mark));
        }
        let values = all.values.into_iter();
        fact.values =
            values.filter_map(|(mark, last, times)| Some(Numbers { at: marked(mark)?, last, times })).collect();
        fact
    };
    evaluated.into_iter().map(fact).collect()
}
