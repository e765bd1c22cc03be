//! `jitlens values FILE…`: what every array-valued expression is.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, FileFacts, Shown, Wanted};
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
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let (mut exprs, mut errors) = (Vec::new(), Vec::new());
    let (mut functions, mut unknowns) = (Vec::new(), Vec::new());
    let mut failed = false;
    let mut program = program::Runs::default();
    for file in &arguments.files {
        match program.analyze_for(file, Wanted { unreached: false, ..Wanted::default() }) {
            Ok(analysis) => {
                for facts in &analysis.files {
                    let path: Rc<str> = program::shown(&facts.path).into();
                    let file = File { facts, index: LineIndex::new(&facts.text), path };
                    expr_rows(&file, &mut exprs);
                    if arguments.format == Format::Json {
                        function_rows(&file, &mut functions);
                        unknown_rows(&file, &mut unknowns);
                    }
                }
                error_rows(&analysis, &mut errors);
            }
            Err(message) => {
                output::complain(&message);
                failed = true;
            }
        }
    }
    match arguments.format {
        Format::Json => {
            let exprs: Vec<Value> = exprs.iter().map(ExprRow::json).collect();
            let errors: Vec<Value> = errors.iter().map(ErrorRow::json).collect();
            let all = json!({
                "version": 1, "exprs": exprs, "functions": functions, "errors": errors, "unknowns": unknowns,
            });
            output::line(all);
        }
        Format::Text => print_text(&exprs, &errors),
    }
    ExitCode::from(match (failed, errors.is_empty()) {
        (true, _) => exit::FAILED,
        (false, true) => exit::CLEAN,
        (false, false) => exit::FOUND,
    })
}

/// A file of the analysis, with what rows say of places in it.
struct File<'a> {
    facts: &'a FileFacts,
    index: LineIndex,
    path: Rc<str>,
}

/// What an expression was.
struct ExprRow {
    path: Rc<str>,
    range: [u32; 4],
    avals: Vec<String>,
}

impl ExprRow {
    fn json(&self) -> Value {
        json!({"file": *self.path, "range": self.range, "avals": self.avals})
    }
}

/// An exception that would have ended the program.
struct ErrorRow {
    path: String,
    line: u32,
    kind: String,
    message: String,
}

impl ErrorRow {
    fn json(&self) -> Value {
        json!({"file": self.path, "line": self.line, "type": self.kind, "message": self.message})
    }
}

fn expr_rows(file: &File, rows: &mut Vec<ExprRow>) {
    let File { facts, index, path } = file;
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
        rows.push(ExprRow { path: path.clone(), range, avals });
    }
}

/// What is not known, and why: one row for each expression and reason.
fn unknown_rows(file: &File, rows: &mut Vec<Value>) {
    let File { facts, index, path } = file;
    for fact in &facts.exprs {
        let mut reasons: Vec<&str> = fact.seen.iter().filter_map(Shown::why).collect();
        reasons.sort_unstable();
        reasons.dedup();
        for why in reasons {
            rows.push(json!({"file": **path, "range": program::range(index, fact.span), "why": why}));
        }
    }
}

fn function_rows(file: &File, rows: &mut Vec<Value>) {
    let File { facts, index, path } = file;
    for function in &facts.functions {
        let line = index.utf8(function.span.start).line + 1;
        rows.push(json!({"file": **path, "line": line, "name": function.name, "traced": function.traced}));
    }
}

fn error_rows(analysis: &Analysis, rows: &mut Vec<ErrorRow>) {
    for problem in &analysis.problems {
        let Some((file, span, _)) = problem.frames.first() else { continue };
        let facts = &analysis.files[*file];
        rows.push(ErrorRow {
            path: program::shown(&facts.path),
            line: LineIndex::new(&facts.text).utf8(span.start).line + 1,
            kind: problem.class.rsplit('.').next().unwrap_or(&problem.class).to_owned(),
            message: problem.message.clone(),
        });
    }
}

fn print_text(exprs: &[ExprRow], errors: &[ErrorRow]) {
    let mut page = String::new();
    for ExprRow { path, range: [line, column, ..], avals } in exprs {
        let _ = writeln!(page, "{path}:{line}:{column}: {}", avals.join(" | "));
    }
    for ErrorRow { path, line, kind, message } in errors {
        let _ = writeln!(page, "{path}:{line}: {kind}: {message}");
    }
    output::page(&page);
}
