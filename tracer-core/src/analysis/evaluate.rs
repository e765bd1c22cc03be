//! Graphs of traced functions on numbers: what they give, and where the first number comes from that is none.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::Analysis;
use crate::array::{Aval, Kind, Number, Tensor};
use crate::interp::{GraphNote, Interp, is_meant};
use crate::primitives::Primitive;
use crate::python::{Halt, Site};
use crate::text::Span;
use crate::trace::{Observer, Val, marks};
use crate::transforms::eval::{TOO_LARGE, eval_tensors};

/// Bars of a histogram.
pub const BARS: usize = 16;

/// What is to be evaluated.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Scalar operations that it may take.
    pub fuel: u64,
    /// How often it is run again, to tell how long that takes.
    pub repeat: u32,
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
    /// The inputs with their names, where these are known.
    pub inputs: Vec<(String, Summary)>,
    /// The results, or why there are none.
    pub outputs: Result<Vec<Summary>, String>,
    /// The first application of a primitive to finite numbers that gave others.
    pub nonfinite: Option<NonFinite>,
    /// How long the fastest of the runs took that were asked for.
    pub fastest: Option<Duration>,
}

/// An application of a primitive to finite numbers that gives an infinity or what is no number.
#[derive(Clone, Debug)]
pub struct NonFinite {
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
}

/// An array, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its type.
    pub aval: Aval,
    /// Its first numbers, in row-major order.
    pub first: Vec<String>,
    /// What its finite elements are, if there are any; complex ones by their absolute values.
    pub range: Option<Statistics>,
    /// Elements that are no number.
    pub nan: usize,
    /// Elements that are infinite.
    pub infinite: usize,
}

/// Statistics of the finite elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The least one.
    pub min: f64,
    /// The greatest one.
    pub max: f64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, of the population.
    pub std: f64,
    /// How many there are in each part of the range from the least to the greatest.
    pub histogram: [usize; BARS],
}

/// So many numbers of an array are shown.
const FIRST: usize = 6;

impl Summary {
    /// Sums an array up.
    pub fn of(tensor: &Tensor) -> Summary {
        let first = tensor.numbers().take(FIRST).map(text).collect();
        let value = |number: Number| match number {
            Number::Complex(z) => z.norm(),
            other => other.as_float(),
        };
        let (mut nan, mut infinite, mut count) = (0, 0, 0usize);
        let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for x in tensor.numbers().map(value) {
            match x {
                x if x.is_nan() => nan += 1,
                x if x.is_infinite() => infinite += 1,
                x => {
                    (min, max) = (min.min(x), max.max(x));
                    sum += x;
                    count += 1;
                }
            }
        }
        let mean = sum / count as f64;
        let range = (count > 0).then(|| {
            let mut squares = 0.0;
            let mut histogram = [0; BARS];
            for x in tensor.numbers().map(value).filter(|x| x.is_finite()) {
                squares += (x - mean).powi(2);
                let part = if max > min { ((x - min) / (max - min) * BARS as f64) as usize } else { 0 };
                histogram[part.min(BARS - 1)] += 1;
            }
            Statistics { min, max, mean, std: (squares / count as f64).sqrt(), histogram }
        });
        Summary { aval: tensor.aval(), first, range, nan, infinite }
    }
}

fn text(number: Number) -> String {
    match number {
        Number::Bool(value) => if value { "True" } else { "False" }.to_owned(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) => format!("{}", value as f32),
        Number::Complex(z) => format!("{}{:+}j", z.re as f32, z.im as f32),
    }
}

fn is_finite(tensor: &Tensor) -> bool {
    match tensor.view::<f32>() {
        Some(values) => values.iter().all(|x| x.is_finite()),
        None if tensor.dtype.is_inexact() => tensor.numbers().all(|n| {
            let z = n.as_complex();
            z.re.is_finite() && z.im.is_finite()
        }),
        None => true,
    }
}

/// A function on numbers, with places as the run knows them.
pub struct Evaluated {
    fact: EvalFact,
    defined: Site,
    called: Option<Site>,
    source: u64,
}

/// Evaluates the graphs of a run: of one function, or of all.
pub fn run(it: &Rc<Interp>, evaluation: &Evaluation, function: Option<&str>) -> Vec<Evaluated> {
    let notes = it.graphs.notes.borrow().clone();
    let meant = notes.iter().filter(|note| function.is_none_or(|name| is_meant(&note.function, name)));
    meant.map(|note| one(it, evaluation, note, &notes)).collect()
}

/// The numbers that a graph is given by the program.
fn given(it: &Interp, note: &GraphNote) -> Option<Vec<Tensor>> {
    note.inputs.as_ref()?.iter().map(|value: &Val| it.engine.force(value).ok()).collect()
}

/// The numbers that a graph is first given within another one that the program calls.
fn given_within(it: &Rc<Interp>, note: &GraphNote, all: &[GraphNote]) -> Option<Vec<Tensor>> {
    let found: Rc<RefCell<Option<Vec<Tensor>>>> = Rc::default();
    let (seen, wanted) = (found.clone(), note.graph.jaxpr.clone());
    let observer: Observer = Rc::new(move |primitive, inputs, _| {
        if seen.borrow().is_none() && primitive.graphs().iter().any(|graph| Rc::ptr_eq(graph, &wanted)) {
            *seen.borrow_mut() = Some(inputs.to_vec());
        }
    });
    for outer in all.iter().filter(|outer| !Rc::ptr_eq(&outer.graph.jaxpr, &note.graph.jaxpr)) {
        if let Some(inputs) = given(it, outer) {
            let _ = observed(it, &observer, || eval_tensors(&it.engine, &outer.graph, &inputs));
            if let Some(inputs) = found.borrow_mut().take() {
                return Some(inputs).filter(|inputs| inputs.len() == note.graph.jaxpr.invars.len());
            }
        }
    }
    None
}

/// Runs something while every application of a primitive is told.
fn observed<T>(it: &Interp, observer: &Observer, run: impl FnOnce() -> T) -> T {
    let engine = &it.engine;
    *engine.observer.borrow_mut() = Some(observer.clone());
    engine.observed.set(true);
    let source = engine.source();
    let outcome = run();
    engine.set_source(source);
    engine.observed.set(false);
    *engine.observer.borrow_mut() = None;
    outcome
}

fn one(it: &Rc<Interp>, evaluation: &Evaluation, note: &GraphNote, all: &[GraphNote]) -> Evaluated {
    let engine = &it.engine;
    let before = engine.fuel.replace(evaluation.fuel);
    let given = given(it, note).or_else(|| given_within(it, note, all));
    engine.fuel.set(evaluation.fuel);
    let made_up = given.is_none();
    let in_avals = note.graph.in_avals();
    let inputs: Option<Vec<Tensor>> =
        given.or_else(|| in_avals.iter().enumerate().map(|(i, aval)| made(aval, i)).collect());
    let first: Rc<RefCell<Option<(NonFinite, u64)>>> = Rc::default();
    let found = first.clone();
    let watched = it.clone();
    let observer: Observer = Rc::new(move |primitive: &dyn Primitive, inputs: &[Tensor], outputs: &[Tensor]| {
        let is_first = found.borrow().is_none() && primitive.graphs().is_empty();
        if is_first && !outputs.iter().all(is_finite) && inputs.iter().all(is_finite) {
            let what = NonFinite {
                primitive: primitive.name().to_owned(),
                at: None,
                rounds: watched.engine.rounds.borrow().clone(),
                inputs: inputs.iter().map(Summary::of).collect(),
                outputs: outputs.iter().map(Summary::of).collect(),
            };
            *found.borrow_mut() = Some((what, watched.engine.source()));
        }
    });
    let outcome = match &inputs {
        _ if !note.is_whole => Err(Halt::unknown("not all of its results are known")),
        Some(inputs) => observed(it, &observer, || eval_tensors(engine, &note.graph, inputs)),
        None => Err(Halt::unknown("its arguments are of types that no numbers are made up for")),
    };
    let fastest = match (&inputs, &outcome) {
        (Some(inputs), Ok(_)) => fastest(it, evaluation, note, inputs),
        _ => None,
    };
    engine.fuel.set(before);
    let (nonfinite, source) = first.borrow_mut().take().unzip();
    let names = &note.graph.jaxpr.debug.arguments;
    let inputs = inputs.unwrap_or_default();
    let named = |(i, tensor): (usize, &Tensor)| {
        (names.get(i).map(ToString::to_string).unwrap_or_default(), Summary::of(tensor))
    };
    let outputs = outcome.map(|all| all.iter().map(Summary::of).collect()).map_err(|halt| match halt {
        Halt::Unknown(why) if *why.0 == *TOO_LARGE => "it takes more operations than are allowed".to_owned(),
        Halt::Unknown(why) => why.0.to_string(),
        Halt::Raise(exception) => it.describe_exception(&exception).1,
        Halt::Stop(_) => "it was stopped".to_owned(),
    });
    let fact = EvalFact {
        function: note.function.to_string(),
        defined: None,
        called: None,
        made_up,
        inputs: inputs.iter().enumerate().map(named).collect(),
        outputs,
        nonfinite,
        fastest,
    };
    Evaluated { fact, defined: note.defined, called: note.called, source: source.unwrap_or_default() }
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

/// Numbers for an input: the same at each run. Floats lie between -1 and 1, integers are 0 and 1 by turns.
fn made(aval: &Aval, input: usize) -> Option<Tensor> {
    let shape: Vec<usize> = aval.shape.iter().map(|d| d.known()).collect::<Option<_>>()?;
    let count: usize = shape.iter().product();
    if count > MOST_MADE_UP {
        return None;
    }
    let dtype = aval.dtype;
    if !matches!(dtype.kind(), Kind::Float | Kind::Complex | Kind::Signed | Kind::Unsigned | Kind::Bool) {
        return Some(Tensor::zeros(dtype, shape));
    }
    // Weyl's sequence: evenly spread, without a period that shapes share.
    let spread = |i: usize| ((i + 1) as f64 * 0.618_033_988_749_894_9 + input as f64 * 0.414_213_562_373_095).fract();
    let numbers = (0..count).map(|i| match dtype.is_inexact() {
        true => 2.0 * spread(i) - 1.0,
        false => (i % 2) as f64,
    });
    Some(Tensor::new(shape, numbers.collect::<Vec<f64>>()).convert(dtype))
}

/// Larger inputs are not made up.
const MOST_MADE_UP: usize = 1 << 24;

/// What was evaluated as plain data.
pub fn facts(analysis: &Analysis, evaluated: Vec<Evaluated>) -> Vec<EvalFact> {
    let place = |site: Site| Some((analysis.file_index(site.file)?, site.span));
    let fact = |all: Evaluated| {
        let mut fact = EvalFact { defined: place(all.defined), called: all.called.and_then(place), ..all.fact };
        if let Some(nonfinite) = &mut fact.nonfinite {
            nonfinite.at = marks::source(all.source).and_then(|(file, expr)| {
                let file = analysis.file_index(file)?;
                Some((file, *analysis.files[file].module.expr_spans.get(expr.index())?))
            });
        }
        fact
    };
    evaluated.into_iter().map(fact).collect()
}
