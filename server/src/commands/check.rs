//! `jitlens check PATH…`: what tracing finds wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use tracer_core::text::LineIndex;

use super::{Format, exit, program};

/// Arguments of `jitlens check`.
#[derive(Args)]
pub struct Arguments {
    /// Files to check, each run as a script.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut diagnostics = Vec::new();
    for path in &arguments.paths {
        match program::analyze_file(path) {
            Ok(analysis) => {
                for problem in &analysis.problems {
                    let Some((file, span, _)) = problem.frames.first() else { continue };
                    let facts = &analysis.files[*file];
                    let range = program::range(&LineIndex::new(&facts.text), *span);
                    diagnostics.push(json!({
                        "file": program::shown(&facts.path),
                        "range": range,
                        "rule": "tracing-error",
                        "severity": "error",
                        "message": format!("{}: {}", problem.class, problem.message),
                        "help": problem.help,
                        "related": [],
                        "fixes": [],
                    }));
                }
            }
            Err(message) => {
                eprintln!("jitlens: {message}");
                return ExitCode::from(exit::FAILED);
            }
        }
    }
    match arguments.format {
        Format::Json => println!("{}", json!({"version": 1, "diagnostics": diagnostics})),
        Format::Text => {
            for d in &diagnostics {
                let text = |key: &str| d[key].as_str().unwrap_or_default().to_owned();
                println!("{}:{}:{}: {}", text("file"), d["range"][0], d["range"][1], text("message"));
            }
        }
    }
    ExitCode::from(if diagnostics.is_empty() { exit::CLEAN } else { exit::FOUND })
}
