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
use tracer_core::text::LineIndex;

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
        let wanted = Wanted { unreached: false, ..Wanted::default() };
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
    files: Vec<PathBuf>,
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
        let files = analysis.files.iter().map(|facts| facts.path.clone()).collect();
        let mut outcome = Outcome {
            files,
            exprs: Vec::new(),
            errors: error_rows(analysis),
            functions: Vec::new(),
            unknowns: Vec::new(),
        };
        for (number, facts) in analysis.files.iter().enumerate() {
            let file = File { number, facts, index: LineIndex::new(&facts.text) };
            expr_rows(&file, &mut outcome.exprs);
            if all {
                function_rows(&file, &mut outcome.functions);
                unknown_rows(&file, &mut outcome.unknowns);
            }
        }
        outcome
    }
    /// The files as they are printed.
    fn names(&self) -> Vec<String> {
        self.files.iter().map(|path| program::shown(path)).collect()
    }
}

/// A file of the analysis, with what rows say of places in it.
struct File<'a> {
    number: usize,
    facts: &'a FileFacts,
    index: LineIndex,
}

fn expr_rows(file: &File, rows: &mut Vec<ExprRow>) {
    let File { number, facts, index } = file;
    let mut by_range: BTreeMap<[u32; 4], (Vec<String>, bool)> = BTreeMap::new();
    for fact in facts.exprs.iter().filter(|f| f.is_row) {
        let row = by_range.entry(program::range(index, fact.span)).or_default();
        for shown in &fact.seen {
            match shown.row() {
                text if text == "?" => row.1 = true,
                text => row.0.push(text),
            }
        }
    }
    for (range, (mut avals, unknown)) in by_range {
        // An unknown value alone adds no row.
        if avals.is_empty() {
            continue;
        }
        if unknown {
            avals.push("?".into());
        }
        avals.sort();
        avals.dedup();
        rows.push(ExprRow { file: *number, range, avals });
    }
}

/// What is not known, and why: one row for each expression and reason.
fn unknown_rows(file: &File, rows: &mut Vec<UnknownRow>) {
    let File { number, facts, index } = file;
    for fact in &facts.exprs {
        let mut reasons: Vec<&str> = fact.seen.iter().filter_map(Shown::why).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let range = program::range(index, fact.span);
        rows.extend(reasons.into_iter().map(|why| UnknownRow { file: *number, range, why: why.to_owned() }));
    }
}

fn function_rows(file: &File, rows: &mut Vec<FunctionRow>) {
    let File { number, facts, index } = file;
    for function in &facts.functions {
        let line = index.utf8(function.span.start).line + 1;
        rows.push(FunctionRow { file: *number, line, name: function.name.clone(), traced: function.traced });
    }
}

fn error_rows(analysis: &Analysis) -> Vec<ErrorRow> {
    let line = |at: Range| LineIndex::new(&analysis.files[at.file].text).utf8(at.span.start).line + 1;
    let faults = syntax::check(analysis).into_iter().map(|fault| ErrorRow {
        file: fault.at.file,
        line: line(fault.at),
        kind: "SyntaxError".into(),
        message: fault.message.trim_start_matches("SyntaxError: ").into(),
    });
    let row = |problem: &tracer_core::analysis::Problem| {
        let (file, span, _) = problem.frames.first()?;
        let at = Range { file: *file, span: *span };
        if syntax::is_within(analysis, at) {
            return None;
        }
        Some(ErrorRow {
            file: *file,
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
        let rows = outcome.exprs.iter();
        exprs.extend(rows.map(|r| json!({"file": names[r.file], "range": r.range, "avals": r.avals})));
        let rows = outcome.errors.iter();
        errors
            .extend(rows.map(|r| json!({"file": names[r.file], "line": r.line, "type": r.kind, "message": r.message})));
        let rows = outcome.functions.iter();
        functions
            .extend(rows.map(|r| json!({"file": names[r.file], "line": r.line, "name": r.name, "traced": r.traced})));
        let rows = outcome.unknowns.iter();
        unknowns.extend(rows.map(|r| json!({"file": names[r.file], "range": r.range, "why": r.why})));
    }
    let all: Value =
        json!({"version": 1, "exprs": exprs, "functions": functions, "errors": errors, "unknowns": unknowns});
    output::line(all);
}

fn print_text(all: &[Outcome]) {
    let mut page = String::new();
    let names: Vec<Vec<String>> = all.iter().map(Outcome::names).collect();
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
