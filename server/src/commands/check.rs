//! `jitlens check PATH…`: what tracing finds wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, FileFacts};
use tracer_core::diagnostics::{Diagnostic, Range, Severity, diagnose};
use tracer_core::text::LineIndex;

use super::{Color, Format, exit, output, program, render};

/// Arguments of `jitlens check`.
#[derive(Args)]
pub struct Arguments {
    /// Files to check, each run as a script; folders stand for the Python files in them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// When to colour, and to show code lines: on a terminal by default.
    #[arg(long, value_enum, default_value_t)]
    color: Color,
    /// The least severity that makes the exit code 1.
    #[arg(long, value_enum, default_value_t = Level::Warning, value_name = "SEVERITY")]
    fail_on: Level,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    Error,
    Warning,
    Information,
    Hint,
}

impl Level {
    fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Information => Severity::Information,
            Level::Hint => Severity::Hint,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    match checked(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            output::complain(&message);
            ExitCode::from(exit::FAILED)
        }
    }
}

fn checked(arguments: &Arguments) -> Result<u8, String> {
    let mut rows = Vec::new();
    let mut worst = None;
    let mut count = 0;
    let mut failed = false;
    let renderer = render::Renderer::new(arguments.color);
    for path in program::python_files(&arguments.paths)? {
        let analysis = match program::analyze_file(&path) {
            Ok(analysis) => analysis,
            // The others are still worth checking.
            Err(message) => {
                output::complain(&message);
                failed = true;
                continue;
            }
        };
        for diagnostic in diagnose(&analysis) {
            let row = row(&analysis, &diagnostic);
            // A module that several programs import is said to be wrong once.
            if rows.contains(&row) {
                continue;
            }
            rows.push(row);
            count += 1;
            worst = worst.max(Some(diagnostic.severity));
            if arguments.format == Format::Text {
                match &renderer {
                    Some(renderer) => renderer.show(&analysis, &diagnostic),
                    None => output::line(line(&analysis, &diagnostic)),
                }
            }
        }
    }
    match (arguments.format, &renderer) {
        (Format::Json, _) => output::line(json!({"version": 1, "diagnostics": rows})),
        (Format::Text, Some(renderer)) => renderer.summary(count),
        (Format::Text, None) => {}
    }
    if failed {
        return Ok(exit::FAILED);
    }
    let fails = worst.is_some_and(|worst| worst >= arguments.fail_on.severity());
    Ok(if fails { exit::FOUND } else { exit::CLEAN })
}

/// `p.py:3:4: TypeError: …`, for programs that read lines; the severity stands in front of all but errors.
fn line(analysis: &Analysis, diagnostic: &Diagnostic) -> String {
    let facts = &analysis.files[diagnostic.at.file];
    let range = program::range(&LineIndex::new(&facts.text), diagnostic.at.span);
    let severity = match diagnostic.severity {
        Severity::Error => String::new(),
        other => format!("{}[{}]: ", other.name(), diagnostic.rule),
    };
    format!("{}:{}:{}: {severity}{}", program::shown(&facts.path), range[0], range[1], diagnostic.message)
}

fn row(analysis: &Analysis, diagnostic: &Diagnostic) -> Value {
    let place = |at: Range| {
        let facts: &FileFacts = &analysis.files[at.file];
        (program::shown(&facts.path), program::range(&LineIndex::new(&facts.text), at.span))
    };
    let (file, range) = place(diagnostic.at);
    let related = diagnostic.related.iter().map(|related| {
        let (file, range) = place(related.at);
        json!({"file": file, "range": range, "message": related.message})
    });
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|(at, text)| {
            let (file, range) = place(*at);
            json!({"file": file, "range": range, "text": text})
        });
        json!({"title": fix.title, "edits": edits.collect::<Vec<_>>()})
    });
    json!({
        "file": file,
        "range": range,
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.name(),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "related": related.collect::<Vec<_>>(),
        "fixes": fixes.collect::<Vec<_>>(),
    })
}
