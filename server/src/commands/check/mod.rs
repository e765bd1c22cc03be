//! `jitlens check PATH…`: what tracing finds wrong.

mod found;
mod github;
mod json;
mod render;
mod sarif;
mod text;

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tracer_core::analysis::Analysis;
use tracer_core::diagnostics::{Diagnostic, Severity};

use super::{Color, exit, output, program};
use crate::config::{Layer, Rules};
use crate::rules;
use found::{Files, Found};

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
    /// Rules that are told, and no others.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name)]
    select: Vec<&'static str>,
    /// Rules that are not told.
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_name)]
    ignore: Vec<&'static str>,
}

fn rule_name(text: &str) -> Result<&'static str, String> {
    rules::get(text.trim()).map(|rule| rule.name).ok_or_else(|| rules::unknown(text.trim()))
}

/// How findings are printed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people on a terminal, lines elsewhere.
    #[default]
    Text,
    /// For programs: stable and documented.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// Commands of a GitHub workflow, which become annotations.
    #[value(name = "github")]
    GitHub,
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

/// A finding with the run that it comes from.
struct Shown<'a> {
    found: &'a Found,
    diagnostic: &'a Diagnostic,
    analysis: &'a Analysis,
}

/// A format of the output.
trait Writer {
    /// Something is found.
    fn found(&mut self, shown: &Shown<'_>);
    /// All files are checked, or all but some that cannot be.
    fn end(&mut self, complete: bool);
}

fn writer(arguments: &Arguments) -> Box<dyn Writer> {
    match arguments.format {
        Format::Text => text::writer(arguments.color),
        Format::Json => Box::new(json::Json::default()),
        Format::Sarif => Box::new(sarif::Sarif::default()),
        Format::GitHub => Box::new(github::GitHub),
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
    let mut writer = writer(arguments);
    let mut runs = program::Runs::new(Layer::of_rules(Rules::chosen(&arguments.select, &arguments.ignore)));
    let mut seen = HashSet::new();
    let mut worst = None;
    let mut failed = false;
    for path in program::python_files(&arguments.paths)? {
        let analysis = match runs.analyze(&path) {
            Ok(analysis) => analysis,
            // The others are still worth checking.
            Err(message) => {
                output::complain(&message);
                failed = true;
                continue;
            }
        };
        let files = Files::new(&analysis);
        for diagnostic in runs.diagnose(&analysis) {
            let found = files.found(&diagnostic);
            // A module that several programs import is said to be wrong once.
            if seen.contains(&found) {
                continue;
            }
            worst = worst.max(Some(diagnostic.severity));
            writer.found(&Shown { found: &found, diagnostic: &diagnostic, analysis: &analysis });
            seen.insert(found);
        }
    }
    writer.end(!failed);
    if failed {
        return Ok(exit::FAILED);
    }
    let fails = worst.is_some_and(|worst| worst >= arguments.fail_on.severity());
    Ok(if fails { exit::FOUND } else { exit::CLEAN })
}
