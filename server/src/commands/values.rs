//! `jitlens values FILE…`: what every array-valued expression is.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, FileFacts, Shown, Wanted};
use tracer_core::diagnostics::{Range, syntax};

use super::places::{self, Places};
use super::{Format, exit, output, program};

/// Arguments of `jitlens values`.
#[derive(Args)]
pub struct Arguments {
    /// Files to run as scripts.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Call the tests of files of tests, too: `test_*.py` and `*_test.py`.
    #[arg(long)]
    tests: bool,
    /// Run every file, and keep nothing of it for later.
    #[arg(long)]
    no_cache: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut runs = program::Runs::default();
    if !arguments.no_cache {
        runs.keep();
    }
    let (mut all, mut failed) = (Vec::new(), false);
    let is_json = arguments.format == Format::Json;
    for file in &arguments.files {
        let wanted = Wanted { unreached: false, tests: arguments.tests, ..Wanted::default() };
        let what = if is_json { "values as JSON" } else { "values as text" };
        match runs.outcome(file, what, wanted, |analysis| Outcome::of(analysis, is_json)) {
            Ok(outcome) => all.push(outcome),
            Err(message) => {
                output::complain(&message);
                failed = true;
            }
        }
    }
    match arguments.format {
        Format::Json => print_json(&all),
        Format::Text => print_text(&all),
    }
    ExitCode::from(match (failed, all.iter().all(|outcome| outcome.errors.is_empty())) {
        (true, _) => exit::FAILED,
        (false, true) => exit::CLEAN,
        (false, false) => exit::FOUND,
    })
}

/// What is printed of a run. Rows name files by their number in it.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// Files, and of notebooks each cell by its number.
    files: Vec<(PathBuf, Option<u32>)>,
    exprs: Vec<ExprRow>,
    errors: Vec<ErrorRow>,
    functions: Vec<FunctionRow>,
    unknowns: Vec<UnknownRow>,
}

/// What an expression was.
#[derive(Serialize, Deserialize)]
struct ExprRow {
    file: usize,
    range: [u32; 4],
    avals: Vec<String>,
}

/// An exception that would have ended the program.
#[derive(Serialize, Deserialize)]
struct ErrorRow {
    file: usize,
    line: u32,
    kind: String,
    message: String,
}

/// How often a function was traced.
#[derive(Serialize, Deserialize)]
struct FunctionRow {
    file: usize,
    line: u32,
    name: String,
    traced: Option<u32>,
}

/// Why an expression is not known.
#[derive(Serialize, Deserialize)]
struct UnknownRow {
    file: usize,
    range: [u32; 4],
    why: String,
}

impl Outcome {
    /// The rows of a run; functions and reasons where they are wanted.
    fn of(analysis: &Analysis, all: bool) -> Outcome {
        let mut files = Vec::new();
        let all_files: Vec<File> = analysis
            .files
            .iter()
            .map(|facts| {
                let places = Places::new(&facts.path, &facts.text);
                let first = files.len();
                files.extend(places.parts().into_iter().map(|cell| (facts.path.clone(), cell)));
                File { first, facts, places }
            })
            .collect();
        let mut outcome = Outcome {
            files,
            exprs: Vec::new(),
            errors: error_rows(analysis, &all_files),
            functions: Vec::new(),
            unknowns: Vec::new(),
        };
        for file in all_files {
            expr_rows(&file, &mut outcome.exprs);
            if all {
                function_rows(&file, &mut outcome.functions);
                unknown_rows(&file, &mut outcome.unknowns);
            }
        }
        outcome
    }
    /// The files as they are printed.
    fn names(&self) -> Vec<(String, Option<u32>)> {
        self.files.iter().map(|(path, cell)| (program::shown(path), *cell)).collect()
    }
}

/// A file of the analysis, with what rows say of places in it.
struct File<'a> {
    /// The number of its first part.
    first: usize,
    facts: &'a FileFacts,
    places: Places,
}

impl File<'_> {
    /// The number of the part around an offset.
    fn part(&self, at: u32) -> usize {
        self.first + self.places.part(at)
    }
}

fn expr_rows(file: &File, rows: &mut Vec<ExprRow>) {
    let mut by_range: BTreeMap<(usize, [u32; 4]), (Vec<String>, bool)> = BTreeMap::new();
    for fact in file.facts.exprs.iter().filter(|f| f.is_row) {
        let row = by_range.entry((file.part(fact.span.start), file.places.range(fact.span))).or_default();
        for shown in &fact.seen {
            match shown.row() {
                text if text == "?" => row.1 = true,
                text => row.0.push(text),
            }
        }
    }
    for ((part, range), (mut avals, unknown)) in by_range {
        // An unknown value alone adds no row.
        if avals.is_empty() {
            continue;
        }
        if unknown {
            avals.push("?".into());
        }
        avals.sort();
        avals.dedup();
        rows.push(ExprRow { file: part, range, avals });
    }
}

/// What is not known, and why: one row for each expression and reason.
fn unknown_rows(file: &File, rows: &mut Vec<UnknownRow>) {
    for fact in &file.facts.exprs {
        let mut reasons: Vec<&str> = fact.seen.iter().filter_map(Shown::why).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let (part, range) = (file.part(fact.span.start), file.places.range(fact.span));
        rows.extend(reasons.into_iter().map(|why| UnknownRow { file: part, range, why: why.to_owned() }));
    }
}

fn function_rows(file: &File, rows: &mut Vec<FunctionRow>) {
    for function in &file.facts.functions {
        let (part, line) = (file.part(function.span.start), file.places.line(function.span.start));
        rows.push(FunctionRow { file: part, line, name: function.name.clone(), traced: function.traced });
    }
}

fn error_rows(analysis: &Analysis, files: &[File]) -> Vec<ErrorRow> {
    let line = |at: Range| files[at.file].places.line(at.span.start);
    let part = |at: Range| files[at.file].part(at.span.start);
    let faults = syntax::check(analysis).into_iter().filter_map(|fault| {
        let (kind, message) = fault.message.split_once(": ")?;
        Some(ErrorRow { file: part(fault.at), line: line(fault.at), kind: kind.into(), message: message.into() })
    });
    let row = |problem: &tracer_core::analysis::Problem| {
        let (file, span, _) = problem.frames.first()?;
        let at = Range { file: *file, span: *span };
        if syntax::is_within(analysis, at) {
            return None;
        }
        Some(ErrorRow {
            file: part(at),
            line: line(at),
            kind: problem.class.rsplit('.').next().unwrap_or(&problem.class).to_owned(),
            message: problem.message.clone(),
        })
    };
    faults.chain(analysis.problems.iter().filter_map(row)).collect()
}

fn print_json(all: &[Outcome]) {
    let (mut exprs, mut errors) = (Vec::new(), Vec::new());
    let (mut functions, mut unknowns) = (Vec::new(), Vec::new());
    for outcome in all {
        let names = outcome.names();
        let in_file = |file: usize, mut row: Value| {
            let (name, cell) = &names[file];
            row["file"] = json!(name);
            if let Some(cell) = cell {
                row["cell"] = json!(cell);
            }
            row
        };
        let rows = outcome.exprs.iter();
        exprs.extend(rows.map(|r| in_file(r.file, json!({"range": r.range, "avals": r.avals}))));
        let rows = outcome.errors.iter();
        errors.extend(rows.map(|r| in_file(r.file, json!({"line": r.line, "type": r.kind, "message": r.message}))));
        let rows = outcome.functions.iter();
        functions.extend(rows.map(|r| in_file(r.file, json!({"line": r.line, "name": r.name, "traced": r.traced}))));
        let rows = outcome.unknowns.iter();
        unknowns.extend(rows.map(|r| in_file(r.file, json!({"range": r.range, "why": r.why}))));
    }
    let all: Value =
        json!({"version": 1, "exprs": exprs, "functions": functions, "errors": errors, "unknowns": unknowns});
    output::line(all);
}

fn print_text(all: &[Outcome]) {
    let mut page = String::new();
    let named = |(file, cell): (String, Option<u32>)| places::named(&file, cell);
    let names: Vec<Vec<String>> = all.iter().map(|outcome| outcome.names().into_iter().map(named).collect()).collect();
    for (outcome, names) in all.iter().zip(&names) {
        for ExprRow { file, range: [line, column, ..], avals } in &outcome.exprs {
            let _ = writeln!(page, "{}:{line}:{column}: {}", names[*file], avals.join(" | "));
        }
    }
    for (outcome, names) in all.iter().zip(&names) {
        for ErrorRow { file, line, kind, message } in &outcome.errors {
            let _ = writeln!(page, "{}:{line}: {kind}: {message}", names[*file]);
        }
    }
    output::page(&page);
}
