//! Traced functions on numbers, as text and as plain data: `jitlens eval`, and the editors' views of them.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, EvalFact, NonFinite, Statistics, Summary, Wanted};
use tracer_core::array::Spoils;
use tracer_core::text::Span;

use crate::commands::places::{self, Places};
use crate::commands::program::Runs;

/// Runs a program and evaluates what is wanted of it. Where loops were summed up behind which functions are given something, it is run
/// once more, with its loops run to their end as long as the operations of the evaluation last.
///
/// # Errors
/// What is wrong with the file.
pub fn analyze(runs: &mut Runs, file: &Path, wanted: &Wanted) -> Result<Analysis, String> {
    let analysis = runs.analyze_for(file, wanted.clone())?;
    let is_made_up = analysis.evaluated.iter().any(|fact| fact.made_up);
    match &wanted.evaluation {
        Some(evaluation) if is_made_up && analysis.summed_up && analysis.stopped.is_none() => {
            runs.analyze_for(file, Wanted { patient: Some(evaluation.fuel), ..wanted.clone() })
        }
        _ => Ok(analysis),
    }
}

/// Where something is, as `p.py:12:4`, columns from 1.
fn place(analysis: &Analysis, at: Option<(usize, Span)>) -> Option<String> {
    let (file, span) = at?;
    let facts = &analysis.files[file];
    let places = Places::new(&facts.path, &facts.text);
    let [line, column, ..] = places.range(span);
    Some(format!("{}:{line}:{}", places::named(places.file(), places.cell(span.start)), column + 1))
}

/// A function with its inputs and results, a line each.
pub fn text(analysis: &Analysis, fact: &EvalFact) -> String {
    let mut all = heading(analysis, fact);
    let width = fact.inputs.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(6);
    for (name, input) in &fact.inputs {
        let _ = writeln!(all, "  {name:width$} {}", line(input));
    }
    match &fact.outputs {
        Ok(outputs) => {
            for output in outputs {
                let shown = match output {
                    Ok(summary) => line(summary),
                    Err(why) => format!("not evaluated: {why}"),
                };
                let _ = writeln!(all, "  {:width$} {shown}", "result");
            }
        }
        Err(why) => {
            let _ = writeln!(all, "  not evaluated: {why}");
        }
    }
    if let Some(found) = nonfinite(analysis, fact) {
        all.push_str(&found);
    }
    if let Some(fastest) = fact.fastest {
        let _ = writeln!(all, "  fastest run: {:.3} ms", fastest.as_secs_f64() * 1e3);
    }
    all
}

/// `# p.py:4:5: loss, called at p.py:9:1`
fn heading(analysis: &Analysis, fact: &EvalFact) -> String {
    let defined = place(analysis, fact.defined).map_or_else(String::new, |at| format!("{at}: "));
    let called = match place(analysis, fact.called) {
        _ if fact.made_up => ", for inputs that are made up".to_owned(),
        Some(at) => format!(", called at {at}"),
        None => String::new(),
    };
    let given = match &fact.given[..] {
        [] => String::new(),
        given if given.len() == fact.inputs.len() => ", for the inputs of the file".to_owned(),
        given => format!("{called}, but for {} of the file", given.join(", ")),
    };
    let called = if given.is_empty() { called } else { given };
    format!("# {defined}{}{called}\n", fact.function)
}

/// `f32[3]  0.5 1 2  min 0.5  max 2  mean 1.17  std 0.62  ▁ ▂  ▇`
fn line(summary: &Summary) -> String {
    let count = summary.aval.shape.iter().filter_map(|d| d.known()).product::<usize>();
    let mut all = format!("{:14} {}", summary.aval.to_string(), summary.first.join(" "));
    if count > summary.first.len() {
        all.push_str(" …");
    }
    if let Some(range) = summary.range.as_ref().filter(|_| count > summary.first.len()) {
        let _ = write!(
            all,
            "  min {}  max {}  mean {}  std {}  {}",
            range.whole.map_or_else(|| short(range.min), |(min, _)| min.to_string()),
            range.whole.map_or_else(|| short(range.max), |(_, max)| max.to_string()),
            short(range.mean),
            short(range.std),
            bars(range)
        );
    }
    for (count, what) in [(summary.nan, "NaN"), (summary.infinite, "infinite")] {
        if count > 0 {
            let _ = write!(all, "  {count} {what}");
        }
    }
    all
}

/// Four digits are enough to look at.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{x:.3e}"),
        _ => {
            let text = format!("{x:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// The histogram as a row of blocks.
fn bars(range: &Statistics) -> String {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = range.histogram.iter().max().copied().unwrap_or(0).max(1);
    range.histogram.iter().map(|n| BLOCKS[(n * 8).div_ceil(most)]).collect()
}

/// What makes the first number that is none, with what it was given.
pub fn nonfinite(analysis: &Analysis, fact: &EvalFact) -> Option<String> {
    let found = fact.nonfinite.as_ref()?;
    let mut all = nonfinite_at(analysis, found, &fact.function);
    if fact.made_up {
        let _ = writeln!(all, "  for    inputs that are made up: the program gives none that are known");
    }
    Some(all)
}

/// What makes the first number of a program as a whole that is none, with what it was given, and the call of the top level that it belongs to.
pub fn nonfinite_of_program(analysis: &Analysis) -> Option<String> {
    let found = analysis.nonfinite.as_ref()?;
    let mut all = nonfinite_at(analysis, &found.what, "the program");
    if let Some(called) = place(analysis, found.called) {
        let _ = writeln!(all, "  for    {called}");
    }
    Some(all)
}

fn nonfinite_at(analysis: &Analysis, found: &NonFinite, within: &str) -> String {
    let at = place(analysis, found.at).unwrap_or_else(|| within.to_owned());
    let mut all = format!("{at}: {}\n", made(found));
    for input in &found.inputs {
        let _ = writeln!(all, "  given  {}", line(input));
    }
    for output in &found.outputs {
        let _ = writeln!(all, "  makes  {}", line(output));
    }
    all
}

/// The functions that were not evaluated, and why, a line each.
pub fn not_evaluated(analysis: &Analysis) -> Vec<String> {
    let text = |fact: &EvalFact| {
        let why = fact.outputs.as_ref().err()?;
        let at = place(analysis, fact.defined).map_or_else(String::new, |at| format!("{at}: "));
        Some(format!("{at}{}: not evaluated: {why}", fact.function))
    };
    analysis.evaluated.iter().filter_map(text).collect()
}

/// `log` makes an infinity of finite numbers, in round 3 of its loop (from 0); `sub` makes NaN of infinities.
pub fn made(found: &NonFinite) -> String {
    let infinite = found.outputs.iter().any(|o| o.infinite > 0);
    let made = if found.outputs.iter().any(|o| o.nan > 0) { "NaN" } else { "an infinity" };
    let made = if infinite && made == "NaN" && found.spoils == Spoils::Finite { "NaN and infinities" } else { made };
    let of = match found.spoils {
        Spoils::Finite => "finite numbers",
        Spoils::Infinite => "infinities",
    };
    format!("`{}` makes {made} of {of}{}", found.primitive, rounds(found))
}

/// `f32[3] 0.5 1 2`, and of a larger array its first numbers and what they are together: what a line of the editor has room for.
pub fn short_line(summary: &Summary) -> String {
    let count = summary.aval.shape.iter().filter_map(|d| d.known()).product::<usize>();
    let mut all = format!("{} {}", summary.aval, summary.first.join(" "));
    if count > summary.first.len() {
        all.push_str(" …");
        if let Some(range) = &summary.range {
            let _ = write!(
                all,
                " min {} max {} mean {} std {}",
                short(range.min),
                short(range.max),
                short(range.mean),
                short(range.std)
            );
        }
    }
    for (count, what) in [(summary.nan, "NaN"), (summary.infinite, "infinite")] {
        if count > 0 {
            let _ = write!(all, ", {count} {what}");
        }
    }
    all
}

fn rounds(found: &NonFinite) -> String {
    match &found.rounds[..] {
        [] => String::new(),
        [one] => format!(", in round {one} of its loop (from 0)"),
        many => {
            let many: Vec<String> = many.iter().map(ToString::to_string).collect();
            format!(", in the rounds {} of the loops around it (from 0, outermost first)", many.join(", "))
        }
    }
}

/// A function on numbers as plain data.
pub fn json(analysis: &Analysis, fact: &EvalFact) -> Value {
    let (outputs, why) = match &fact.outputs {
        Ok(all) => {
            let row = |output: &Result<Summary, String>| match output {
                Ok(summary) => summary_json(summary),
                Err(why) => json!({"why": why}),
            };
            (all.iter().map(row).collect(), Value::Null)
        }
        Err(why) => (Value::Null, json!(why)),
    };
    let inputs = fact.inputs.iter().map(|(name, input)| {
        let mut row = summary_json(input);
        row["name"] = json!(name);
        row
    });
    let found = fact.nonfinite.as_ref().map(|found| nonfinite_json(analysis, found));
    json!({"function": fact.function, "defined": place_json(analysis, fact.defined),
           "called": place_json(analysis, fact.called), "made_up": fact.made_up, "given": fact.given,
           "inputs": inputs.collect::<Vec<_>>(), "outputs": outputs, "why": why, "first_nonfinite": found,
           "milliseconds": fact.fastest.map(|time| time.as_secs_f64() * 1e3)})
}

fn nonfinite_json(analysis: &Analysis, found: &NonFinite) -> Value {
    json!({"primitive": found.primitive, "at": place_json(analysis, found.at), "rounds": found.rounds,
           "inputs": found.inputs.iter().map(summary_json).collect::<Vec<_>>(),
           "outputs": found.outputs.iter().map(summary_json).collect::<Vec<_>>()})
}

/// What makes the first number of a program as a whole that is none, as plain data; `null` where none is known.
pub fn program_json(analysis: &Analysis) -> Value {
    analysis.nonfinite.as_ref().map_or(Value::Null, |found| {
        let mut row = nonfinite_json(analysis, &found.what);
        row["called"] = place_json(analysis, found.called);
        row
    })
}

fn place_json(analysis: &Analysis, at: Option<(usize, Span)>) -> Value {
    at.map_or(Value::Null, |(file, span)| {
        let facts = &analysis.files[file];
        let places = Places::new(&facts.path, &facts.text);
        json!({"file": places::named(places.file(), places.cell(span.start)), "range": places.range(span)})
    })
}

fn summary_json(summary: &Summary) -> Value {
    let range = summary.range.as_ref().map(|range| {
        let exact = |x: i128| i64::try_from(x).map_or_else(|_| json!(x as u64), |x| json!(x));
        let (min, max) = match range.whole {
            Some((min, max)) => (exact(min), exact(max)),
            None => (json!(range.min), json!(range.max)),
        };
        json!({"min": min, "max": max, "mean": range.mean, "std": range.std, "histogram": range.histogram})
    });
    json!({"aval": summary.aval.to_string(), "first": summary.first, "statistics": range, "nan": summary.nan,
           "infinite": summary.infinite})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let all: Vec<String> = [0.0, 1.0, -2.5, 0.000_12, 123_456.0, 3.25].into_iter().map(short).collect();
        assert_eq!(all, ["0", "1", "-2.5", "1.200e-4", "1.235e5", "3.25"]);
    }

    #[test]
    fn a_histogram_is_as_high_as_its_highest_bar() {
        let mut histogram = [0; tracer_core::analysis::BARS];
        (histogram[0], histogram[1], histogram[15]) = (8, 1, 4);
        let range = Statistics { min: 0.0, max: 1.0, whole: None, mean: 0.5, std: 0.1, histogram };
        assert_eq!(bars(&range), "█▁             ▄");
    }
}
