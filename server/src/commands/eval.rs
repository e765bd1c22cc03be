//! `jitlens eval FILE[::FUNCTION]`: traced functions on numbers.

mod dump;
mod printed;
mod progress;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, EvalFact, Evaluation, Given, Wanted};
use tracer_core::array::Tensor;
use tracer_core::array::npy::{self, Stored};
use tracer_core::diagnostics::syntax;

use super::places::Places;
use super::{Format, exit, output, program};
use crate::evaluated;

/// Arguments of `jitlens eval`.
#[derive(Args)]
pub struct Arguments {
    /// A file, run as a script, and a function of it (`Model.loss` for a method): all traced functions without.
    #[arg(value_name = "FILE[::FUNCTION]")]
    target: String,
    /// Name the first operation that makes an infinity or a NaN of finite numbers, or else a NaN of infinities.
    #[arg(long)]
    first_nonfinite: bool,
    /// Print what the program prints, as far as it is known, with its loops run to their end as long as the operations last.
    #[arg(long, conflicts_with_all = ["first_nonfinite", "args", "dump", "repeat"])]
    printed: bool,
    /// Take inputs from a file of `numpy.savez`, by the names of arguments (`x`, `params['w']`) or by place (`arr_0`).
    #[arg(long, value_name = "FILE.npz")]
    args: Option<PathBuf>,
    /// Write every array that is made on the way into this folder, as `.npy` files with an index.
    #[arg(long, value_name = "DIR")]
    dump: Option<PathBuf>,
    /// Write only what a regular expression is found in: in the name of a variable or primitive, the dtype (`f32`) or the shape
    /// (`8,128`); in one of them by `variable:…`, `primitive:…`, `dtype:…` or `shape:…`.
    #[arg(long, value_name = "[WHAT:]REGEX", requires = "dump")]
    only: Vec<String>,
    /// Scalar operations that the computation may take.
    #[arg(long, value_name = "N", default_value_t = tracer_core::analysis::OPERATIONS, value_parser = count)]
    operations: u64,
    /// Memory that its arrays may take at a time (`512MiB`, `8GiB`).
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = size)]
    memory: u64,
    /// Run it so many times more, and tell how long the fastest run took.
    #[arg(long, value_name = "N", default_value_t = 0)]
    repeat: u32,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    match evaluate(arguments) {
        Ok(code) => code,
        Err(message) => {
            output::complain(&message);
            ExitCode::from(exit::FAILED)
        }
    }
}

fn evaluate(arguments: &Arguments) -> Result<ExitCode, String> {
    let (file, function) = program::target(&arguments.target);
    if arguments.printed {
        return match function {
            Some(_) => Err("what is printed is that of the whole program: name no function".to_owned()),
            None => printed::run(&file, arguments.operations, arguments.format),
        };
    }
    // All calls of the program are looked at, and what it computes between them; functions by themselves where that finds nothing.
    let is_whole =
        arguments.first_nonfinite && function.is_none() && arguments.args.is_none() && arguments.dump.is_none();
    if is_whole && let Some(code) = nonfinite_of_program(&file, arguments)? {
        return Ok(code);
    }
    let given = arguments.args.as_deref().map(|path| given(path, arguments.memory)).transpose()?;
    let dump = match &arguments.dump {
        Some(folder) => Some(dump::Dump::new(folder, &arguments.only)?),
        None => None,
    };
    let progress = progress::Shown::start();
    let evaluation = Evaluation {
        fuel: arguments.operations,
        repeat: arguments.repeat,
        memory: arguments.memory,
        given,
        tap: dump.as_ref().map(dump::Dump::tap),
        progress: Some(progress.progress.clone()),
        values: false,
    };
    let evaluation = Some(evaluation);
    let wanted = Wanted { graphs: true, function: function.map(str::to_owned), evaluation, ..Wanted::default() };
    let analysis = evaluated::analyze(&mut program::Runs::default(), &file, &wanted)?;
    drop(progress);
    if let (Err(why), Some(_), []) = (crate::graphs::of(&analysis, function), function, &analysis.evaluated[..]) {
        return Err(why);
    }
    let facts = &analysis.evaluated;
    match arguments.format {
        Format::Json => {
            let rows: Vec<Value> = facts.iter().map(|fact| evaluated::json(&analysis, fact)).collect();
            output::line(json!({"version": 1, "program": null, "evaluated": rows}));
        }
        Format::Text if arguments.first_nonfinite => {
            let found: Vec<String> = facts.iter().filter_map(|fact| evaluated::nonfinite(&analysis, fact)).collect();
            output::page(&found.join("\n"));
            evaluated::not_evaluated(&analysis).iter().for_each(|line| output::complain(line));
        }
        Format::Text => {
            let texts: Vec<String> = facts.iter().map(|fact| evaluated::text(&analysis, fact)).collect();
            output::page(&texts.join("\n"));
        }
    }
    if let Some(dump) = dump {
        let written = dump.finish()?;
        output::complain(&written);
    }
    let has_errors = tell_errors(&analysis);
    // What is found for numbers that nobody has is no finding.
    let is_found = |fact: &EvalFact| fact.nonfinite.is_some() && !fact.made_up;
    let found = arguments.first_nonfinite && facts.iter().any(is_found) || has_errors;
    let failed = !facts.is_empty() && facts.iter().all(|fact| fact.outputs.is_err());
    Ok(ExitCode::from(match (found, failed) {
        (true, _) => exit::FOUND,
        (false, true) => exit::FAILED,
        (false, false) => exit::CLEAN,
    }))
}

/// Tells what ends the program, and what is no Python in it; whether there is such a thing.
fn tell_errors(analysis: &Analysis) -> bool {
    let faults = syntax::check(analysis);
    for fault in &faults {
        let facts = &analysis.files[fault.at.file];
        let [line, column, ..] = Places::new(&facts.path, &facts.text).range(fault.at.span);
        output::complain(&format!("{}:{line}:{}: {}", program::shown(&facts.path), column + 1, fault.message));
    }
    // What else is raised comes of these.
    for problem in analysis.problems.iter().filter(|_| faults.is_empty()) {
        output::complain(&format!("{}: {}", problem.class, problem.message));
    }
    !faults.is_empty() || !analysis.problems.is_empty()
}

/// Runs the program for its numbers, and tells what makes the first that is none; `None` where nothing does.
fn nonfinite_of_program(file: &Path, arguments: &Arguments) -> Result<Option<ExitCode>, String> {
    let patient = Some(arguments.operations);
    let wanted =
        Wanted { graphs: true, printed: true, nonfinite: true, unreached: false, patient, ..Wanted::default() };
    let analysis = program::Runs::default().analyze_for(file, wanted)?;
    let Some(text) = evaluated::nonfinite_of_program(&analysis) else {
        if analysis.used_up.is_some() || analysis.stopped.is_some() {
            output::complain("the program was not run to its end: only the beginning was looked at");
        }
        return Ok(None);
    };
    match arguments.format {
        Format::Json => {
            output::line(json!({"version": 1, "program": evaluated::program_json(&analysis), "evaluated": []}));
        }
        Format::Text => output::page(&text),
    }
    Ok(Some(ExitCode::from(exit::FOUND)))
}

/// Bytes of an element that is given, at most.
const WIDEST: u64 = 16;

/// The arrays of a file: of an archive by their names, of a `.npy` file as the first input. They fit into so many bytes.
fn given(path: &Path, memory: u64) -> Result<Given, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let file = File::open(path).map_err(|e| failed(&e))?;
    let most = usize::try_from(memory / WIDEST).unwrap_or(usize::MAX);
    let all = match path.extension().is_some_and(|ending| ending == "npy") {
        true => vec![("arr_0".to_owned(), npy::read(BufReader::new(file), most))],
        false => npy::read_archive(BufReader::new(file), most).map_err(|e| failed(&e))?,
    };
    let tensor = |(name, stored): (String, std::io::Result<Stored>)| -> Result<(String, Tensor), String> {
        let stored = stored.map_err(|e| failed(&format!("{name}: {e}")))?;
        let too_large =
            || failed(&format!("{name}: `{}` and what stands before it is too large for --memory", stored.aval));
        Ok((name.clone(), stored.tensor.ok_or_else(too_large)?))
    };
    Ok(Given(all.into_iter().map(tensor).collect::<Result<Arc<[_]>, _>>()?))
}

/// A whole number, as digits or as `1e9`.
fn count(text: &str) -> Result<u64, String> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let number: f64 = text.parse().map_err(|_| "not a number, as `1000000` or `1e6` is one".to_owned())?;
    let is_count = number >= 0.0 && number < u64::MAX as f64 && number.fract() == 0.0;
    if is_count { Ok(number as u64) } else { Err("not a whole number that may be counted to".to_owned()) }
}

/// Bytes as `2GiB`, `512 MiB` or a plain number.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => f64::from(1 << 10),
        "m" | "mb" | "mib" => f64::from(1 << 20),
        "g" | "gb" | "gib" => f64::from(1 << 30),
        unit => return Err(format!("no unit of memory: `{unit}`")),
    };
    let number: f64 = digits.parse().map_err(|_| "not a size, as `2GiB` is one".to_owned())?;
    if number.is_finite() && number >= 0.0 { Ok((number * unit) as u64) } else { Err("not a size".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_exponents() {
        assert_eq!(count("1e9"), Ok(1_000_000_000));
        assert_eq!(count("2.5e3"), Ok(2500));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        assert!(count("1e99").is_err() && count("0.5").is_err() && count("-1").is_err() && count("many").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("1.5 MiB"), Ok(3 << 19));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("2 cups").is_err() && size("GiB").is_err() && size("-1").is_err());
    }
}
