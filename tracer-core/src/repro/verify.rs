//! Reproducers are run before they are handed over, and written otherwise where they do not do what they should.

use std::path::Path;

use super::data::Datum;
use super::{Level, Maps, Outcome, Reproducer, Request, Style, Target, TreeForm, minimize, own_text};
use crate::analysis::{Analysis, Problem, Wanted};
use crate::array::{Number, Tensor};
use crate::frameworks::is_framework;

/// Runs the program, or another text in its stead.
pub type Run<'a> = &'a mut dyn FnMut(Option<&str>, Wanted) -> Result<Analysis, String>;

/// A reproducer that has been run.
pub struct Verified {
    /// The reproducer.
    pub made: Reproducer,
    /// The run of the program that it is of.
    pub analysis: Analysis,
    /// In what it is not like the program.
    pub unlike: Option<String>,
    /// How much of the program it keeps.
    pub style: Style,
}

/// Writes a reproducer that does what the program does, or the first one where none does; `None` where there is nothing to reproduce.
///
/// # Errors
/// What hinders a run.
pub fn reproduce(request: &Request, script: &Path, run: Run) -> Result<Option<Verified>, String> {
    if request.maps != Maps::Alike {
        return of_calls(request, script, run);
    }
    // An error is closer to its leaf than to the map, and what is told of a run is told of all that it did.
    let is_whole = request.target != Target::Error && request.part.is_none() && request.level == Level::Api;
    if is_whole && !request.minimal && !request.log {
        let mut but = Vec::new();
        for _ in 0..MOST_UNALIKE {
            let maps = Maps::Whole(but.clone());
            let Some(found) = of_calls(&Request { maps, ..request.clone() }, script, run)? else { break };
            let is_good = found.unlike.is_none() && !found.made.approximate && !found.made.vague;
            if found.made.unalike.is_empty() && (is_good || !found.made.has_maps) {
                return Ok(Some(found));
            }
            if found.made.unalike.is_empty() {
                break;
            }
            but.extend(found.made.unalike);
        }
    }
    of_calls(&Request { maps: Maps::Leaves, ..request.clone() }, script, run)
}

/// A reproducer of what gives values that keeps all statements, without those that nothing needs, where that does the same.
fn without_idle(whole: Verified, request: &Request, run: Run) -> Result<Verified, String> {
    if !matches!(whole.made.outcome, Outcome::Values(_)) {
        return Ok(whole);
    }
    let request = Request { drops_idle: true, ..request.clone() };
    let unreached = request.target.function().is_some();
    let wanted = Wanted { unreached, reproducer: Some(request.clone()), ..Wanted::default() };
    let mut analysis = run(None, wanted)?;
    match analysis.reproducer.take() {
        Some(made) if made.text.len() < whole.made.text.len() && unlike(&made, &request, run).is_none() => {
            Ok(Verified { made, analysis, unlike: None, style: whole.style })
        }
        _ => Ok(whole),
    }
}

/// So often maps are written as such before all of them are written leaf by leaf.
const MOST_UNALIKE: usize = 4;

/// As [`reproduce`], where it is said what becomes of maps.
fn of_calls(request: &Request, script: &Path, run: Run) -> Result<Option<Verified>, String> {
    let mut first = None;
    let mut tried = Vec::new();
    for style in Style::ALL {
        let request = Request { style, decorates: !request.minimal, ..request.clone() };
        let unreached = request.target.function().is_some();
        let wanted = Wanted { unreached, reproducer: Some(request.clone()), ..Wanted::default() };
        let mut analysis = run(None, wanted)?;
        let Some(made) = analysis.reproducer.take() else {
            // Nothing of the program's top level is there: the function around it may be called.
            let Target::Place(place) = &request.target else { return Ok(None) };
            let Some((name, is_whole)) = place.function(&analysis, script) else {
                // The line of a statement that reaches further means the whole of it.
                let Some(whole) = place.widened(&analysis, script) else { return Ok(None) };
                return reproduce(&Request { target: Target::Place(whole), ..request }, script, run);
            };
            let part = Some(place.clone()).filter(|_| !is_whole);
            return reproduce(&Request { target: Target::Function(name), part, ..request }, script, run);
        };
        let (made, analysis, request) = with_numbers(made, analysis, request, run)?;
        // What is written once more does what it did before.
        if tried.contains(&made.text) {
            continue;
        }
        tried.push(made.text.clone());
        if let Some(whole) = without_own(&made, &request, script, run)? {
            return Ok(Some(whole));
        }
        let unlike = unlike(&made, &request, run).map(|why| with_reason(&made, why));
        if unlike.is_some()
            && made.has_axes
            && !request.around
            && style == Style::default()
            && let Some(whole) = within_call(&request, script, run)?
        {
            return Ok(Some(whole));
        }
        let mut verified = Verified { made, analysis, unlike, style };
        if request.minimal {
            verified = minimize(verified, &request, run);
        }
        if verified.unlike.is_none() {
            return match style == Style::Whole && !request.minimal {
                true => Ok(Some(without_idle(verified, &request, run)?)),
                false => Ok(Some(verified)),
            };
        }
        first.get_or_insert(verified);
    }
    // Leaves in the order of the program's trees may do what those in the order of their names do not.
    if first.as_ref().is_some_and(|failed| failed.made.reordered) && request.trees == TreeForm::Named {
        let ordered = of_calls(&Request { trees: TreeForm::Ordered, ..request.clone() }, script, run)?;
        if let Some(ordered) = ordered.filter(|ordered| ordered.unlike.is_none()) {
            return Ok(Some(ordered));
        }
    }
    // Taken out of its call it does something else (it is given functions of the framework's making): with the call it may not.
    let is_alone = request.target.function().is_some() && !request.around;
    if let Some(failed) = first.as_ref().filter(|failed| is_alone && !failed.made.has_axes && !failed.made.unknown)
        && let Some(whole) = within_call(&Request { style: failed.style, ..request.clone() }, script, run)?
    {
        return Ok(Some(whole));
    }
    // Calls alone do not do it: the program's own text may.
    if let Some(failed) = first.as_mut()
        && request.target.function().is_none()
        && let Some(made) = own_text::of_program(failed, request, script, run)
    {
        failed.made = made;
        failed.unlike = None;
    }
    Ok(first)
}

/// Whether a function has raised what one raises that is taken out of a map whose axes it names: primitives say it in other words than what asks
/// for the size of the axis first (`all_gather`).
fn lacks_an_axis(why: &str) -> bool {
    why.strip_prefix("it raises NameError: ").is_some_and(|message| message.contains("unbound axis name"))
}

/// The reproducer of a function that needs what is around it (names of axes): of the whole call of the program; `None` where that does something
/// else.
fn within_call(request: &Request, script: &Path, run: Run) -> Result<Option<Verified>, String> {
    let whole = reproduce(&Request { around: true, ..request.clone() }, script, run)?;
    Ok(whole.filter(|whole| whole.unlike.is_none()))
}

/// How a primitive is made that a program has for itself.
const PRIMITIVE: &str = "core.Primitive(";

/// The reproducer that calls the functions which primitives of the program's own are compiled from; `None` where it makes none, or where that does
/// something else.
fn without_own(made: &Reproducer, request: &Request, script: &Path, run: Run) -> Result<Option<Verified>, String> {
    if made.own.is_empty() || !request.inlined.is_empty() || !made.text.contains(PRIMITIVE) {
        return Ok(None);
    }
    // What a transformation asks the primitive for is no function of what it is compiled from.
    let of = Again { target: made.target.clone(), data: made.data.clone() };
    let asked = again(&made.text, &of, request, run).map_or_else(|_| made.ruled.clone(), |(found, _)| found.ruled);
    let inlined: Vec<String> = made.own.iter().filter(|name| !asked.contains(name)).cloned().collect();
    if inlined.is_empty() {
        return Ok(None);
    }
    let whole = reproduce(&Request { inlined, told: Vec::new(), ..request.clone() }, script, run)?;
    Ok(whole.filter(|whole| whole.unlike.is_none()))
}

/// A reproducer of a function with the numbers that it lacks, where a run that compiles nothing knows them.
fn with_numbers(
    made: Reproducer,
    analysis: Analysis,
    request: Request,
    run: Run,
) -> Result<(Reproducer, Analysis, Request), String> {
    if made.lacks.is_empty() || request.target.function().is_none() {
        return Ok((made, analysis, request));
    }
    let compiled = made.begun.saturating_sub(1);
    let ask = Request { ask: made.lacks.clone(), compiled, level: Level::Api, log: false, ..request.clone() };
    let wanted = |request: &Request| Wanted { unreached: true, reproducer: Some(request.clone()), ..Wanted::default() };
    let Some(asked) = run(None, wanted(&ask))?.reproducer.filter(|asked| !asked.told.is_empty()) else {
        return Ok((made, analysis, request));
    };
    let request = Request { told: asked.told, ..request };
    let mut again = run(None, wanted(&request))?;
    match again.reproducer.take() {
        Some(better) if better.lacks.len() < made.lacks.len() => Ok((better, again, request)),
        _ => Ok((made, analysis, Request { told: Vec::new(), ..request })),
    }
}

/// What a text does that stands for the program, and the text as it would be written.
///
/// # Errors
/// What it does not do.
pub fn again(text: &str, of: &Again, request: &Request, run: Run) -> Result<(Reproducer, Analysis), String> {
    // What is no Python runs here all the same, as far as it goes.
    if let Some(fault) = crate::lower::lower_text(text).notes.first() {
        return Err(format!("it raises SyntaxError: {}", fault.message));
    }
    let (target, told) = (of.target.clone(), Vec::new());
    let again = Request {
        target,
        within: None,
        part: None,
        minimal: false,
        log: false,
        told,
        compiled: 0,
        inlined: Vec::new(),
        maps: Maps::Leaves,
        ..request.clone()
    };
    let wanted =
        Wanted { unreached: false, reproducer: Some(again), again: true, data: of.data.clone(), ..Wanted::default() };
    let mut analysis = run(Some(text), wanted)?;
    match analysis.reproducer.take() {
        Some(found) => match analysis.problems.first() {
            // What is computed before it, or for the arguments, fails.
            Some(problem) if !is_outcome(problem, &found.outcome) => {
                Err(format!("it raises {}: {}", problem.class, first_line(&problem.message)))
            }
            _ => Ok((found, analysis)),
        },
        None => Err(match analysis.problems.first() {
            _ if of.target == Target::Error => "it raises nothing".into(),
            Some(problem) => format!("it raises {}: {}", problem.class, first_line(&problem.message)),
            None => "it calls nothing".into(),
        }),
    }
}

/// Whether an exception is what a text ends in.
fn is_outcome(problem: &Problem, outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Error(class, message) if *class == problem.class && *message == problem.message)
}

/// What a text is run for, with what.
#[derive(Default)]
pub struct Again {
    /// What of it matters.
    pub target: Target,
    /// The arrays in the file beside it.
    pub data: Vec<Datum>,
}

/// What is said of a reproducer of a part of a program whose results are not known.
const NOT_ALL: &str = "jitlens does not know all that the program gives there";

/// Why a reproducer is not like the program, where that is that not all of the program is known.
fn with_reason(made: &Reproducer, why: String) -> String {
    match made.vague || made.unknown {
        true if lacks_an_axis(&why) || why == NOT_ALL => why,
        true => format!("{why}; jitlens does not know all that the program computes there"),
        false => why,
    }
}

/// In what a reproducer is not like the program.
fn unlike(made: &Reproducer, request: &Request, run: Run) -> Option<String> {
    let of = Again { target: made.target.clone(), data: made.data.clone() };
    let found = match again(&made.text, &of, request, run) {
        Ok((found, _)) => found,
        Err(why) => return Some(why),
    };
    match (&made.outcome, &found.outcome) {
        (Outcome::Error(class, message), Outcome::Error(other, said)) => {
            let same = is_class(class, other) && says_the_same(message, said);
            (!same).then(|| format!("it raises {other}: {}", first_line(said)))
        }
        (Outcome::Values(_), Outcome::Values(_)) if made.unknown => Some(NOT_ALL.into()),
        (Outcome::Values(types), Outcome::Values(other)) if types != other => {
            Some(format!("it gives {} instead of {}", other.join(", "), types.join(", ")))
        }
        (Outcome::Values(_), Outcome::Values(_)) => {
            let pairs = made.numbers.iter().zip(&found.numbers).enumerate();
            let differs = |(a, b): (&Option<Tensor>, &Option<Tensor>)| {
                a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| !are_close(a, b))
            };
            let differs = pairs.filter(|(_, (a, b))| differs((a, b))).map(|(i, _)| i).next();
            // Where values could not be written as they were, other numbers are no surprise, and the header says it.
            differs.filter(|_| !made.approximate).map(|i| format!("it gives other numbers (result {i})"))
        }
        (Outcome::Values(_), Outcome::Error(class, message)) => {
            Some(format!("it raises {class}: {}", first_line(message)))
        }
        (Outcome::Error(..), Outcome::Values(_)) => Some("it raises nothing".into()),
    }
}

/// Whether an exception of the reproducer is of a class of the program: one of a library's own (`flax.errors.ScopeParamShapeError`) stands
/// in the reproducer under its name.
pub(super) fn is_class(class: &str, found: &str) -> bool {
    let is_made = |name: &str| {
        let (module, last) = class.rsplit_once('.').unwrap_or(("", class));
        name == last && !module.is_empty() && !is_framework(module)
    };
    class == found || found.strip_prefix("__main__.").is_some_and(is_made)
}

/// So far numbers may lie apart: what is computed in another order differs in its last bits.
const TOLERANCE: f64 = 1e-3;

/// Whether numbers are the same but for what rounding does to them.
fn are_close(a: &Tensor, b: &Tensor) -> bool {
    let size = a.numbers().map(magnitude).filter(|size| size.is_finite()).fold(0.0, f64::max);
    a.len() == b.len()
        && a.numbers()
            .zip(b.numbers())
            .all(|(a, b)| a == b || apart(a, b) <= TOLERANCE * size || is_nan(a) && is_nan(b))
}

fn magnitude(number: Number) -> f64 {
    match number {
        Number::Bool(value) => f64::from(u8::from(value)),
        Number::Int(value) => (value as f64).abs(),
        Number::Float(value) => value.abs(),
        Number::Complex(value) => value.norm(),
    }
}

fn apart(a: Number, b: Number) -> f64 {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => (a - b).abs(),
        (Number::Complex(a), Number::Complex(b)) => (a - b).norm(),
        _ => f64::INFINITY,
    }
}

fn is_nan(number: Number) -> bool {
    matches!(number, Number::Float(value) if value.is_nan())
        || matches!(number, Number::Complex(value) if value.is_nan())
}

/// Whether the first lines of messages say the same: a reproducer's places are others than the program's.
pub(super) fn says_the_same(message: &str, other: &str) -> bool {
    without_places(first_line(message)).eq(without_places(first_line(other)))
        && without_places(called_back(message)).eq(without_places(called_back(other)))
}

/// Where a first line only tells that what Python raised follows (in a callback): that, which is the last line.
pub(super) fn called_back(message: &str) -> &str {
    match first_line(message).ends_with("Traceback (most recent call last):") {
        true => message.trim_end().lines().last().unwrap_or_default(),
        false => "",
    }
}

/// The words of a line; of those that have a place in them (`models.py:12,`) what follows it.
fn without_places(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').map(|word| match word.split_once(".py:") {
        Some((_, rest)) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            rest.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => word,
    })
}

/// The first line of a message.
pub fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
