//! `jitlens check PATH…`: what tracing finds wrong.

mod baseline;
mod fix;
mod found;
mod github;
mod json;
mod notebook;
mod render;
mod sarif;
mod text;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tracer_core::diagnostics::{Diagnostic, Severity};

use super::report::{Report, Source};
use super::{Color, exit, output, program};
use crate::config::{Layer, Rules};
use crate::rules;
use baseline::Baseline;
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
    /// Call the tests of files of tests, too: `test_*.py` and `*_test.py`.
    #[arg(long)]
    tests: bool,
    /// Make the fixes that findings have, in these files, and report what is left.
    #[arg(long)]
    fix: bool,
    /// Print what `--fix` would change, as a unified diff, instead of changing and reporting.
    #[arg(long)]
    diff: bool,
    /// Leave out findings that a file knows from before.
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    baseline: Option<PathBuf>,
    /// Write all findings to a file that `--baseline` reads, and report none.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Run every file, and keep nothing of it for later.
    #[arg(long)]
    no_cache: bool,
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

/// A finding with the report that it comes from.
struct Shown<'a> {
    found: &'a Found,
    diagnostic: &'a Diagnostic,
    report: &'a Report,
}

/// A format of the output.
trait Writer {
    /// Something is found.
    fn found(&mut self, shown: &Shown<'_>);
    /// All files are checked, or all but some that cannot be.
    fn end(&mut self, complete: bool);
}

/// Where only a diff is wanted.
struct Silent;

impl Writer for Silent {
    fn found(&mut self, _: &Shown<'_>) {}
    fn end(&mut self, _: bool) {}
}

fn writer(arguments: &Arguments) -> Box<dyn Writer> {
    match arguments.format {
        _ if arguments.diff => Box::new(Silent),
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
    let mut runs = program::Runs::new(Layer::of_rules(Rules::chosen(&arguments.select, &arguments.ignore)));
    runs.tests = arguments.tests;
    if !arguments.no_cache {
        runs.keep();
    }
    let paths = program::python_files(&arguments.paths)?;
    let mut known = Known::new(arguments)?;
    let mut failed = false;
    if arguments.diff {
        fix::mend(&mut runs, &paths).print();
    } else if arguments.fix {
        failed |= !fix::mend(&mut runs, &paths).write();
    }
    let mut writer = writer(arguments);
    let (mut seen, mut told) = (HashMap::new(), HashSet::new());
    let mut worst = None;
    for (program, path) in paths.into_iter().enumerate() {
        let report = match Report::of(&mut runs, &path) {
            Ok(report) => report,
            // The others are still worth checking.
            Err(message) => {
                output::complain(&message);
                failed = true;
                continue;
            }
        };
        let files = Files::new(&report);
        known.sees(&report);
        for diagnostic in &report.diagnostics {
            let found = files.found(diagnostic);
            // A module that several programs import is said to be wrong once, whichever way they come to it; and once what one of them
            // makes it do, which the next one does with other shapes. Errors are told as often as they are others.
            let error = (diagnostic.severity == Severity::Error).then(|| found.message.clone());
            if *seen.entry((found.at.clone(), found.rule, error)).or_insert(program) != program {
                continue;
            }
            if !told.insert((found.at.clone(), found.rule, found.message.clone())) {
                continue;
            }
            if !known.takes(&report.files[diagnostic.at.file], &found) {
                worst = worst.max(Some(diagnostic.severity));
                writer.found(&Shown { found: &found, diagnostic, report: &report });
            }
        }
    }
    writer.end(!failed);
    known.end(arguments)?;
    if failed {
        return Ok(exit::FAILED);
    }
    let fails = worst.is_some_and(|worst| worst >= arguments.fail_on.severity());
    Ok(if fails { exit::FOUND } else { exit::CLEAN })
}

/// Findings that are not told, since they are old.
enum Known {
    Nothing,
    From(Baseline),
    /// All are, from now on.
    To(Baseline),
}

impl Known {
    fn new(arguments: &Arguments) -> Result<Known, String> {
        Ok(match (&arguments.baseline, &arguments.write_baseline) {
            (Some(path), _) => Known::From(Baseline::read(path)?),
            (None, Some(path)) => Known::To(Baseline::new(path)),
            (None, None) => Known::Nothing,
        })
    }
    fn sees(&mut self, report: &Report) {
        if let Known::From(baseline) = self {
            report.files.iter().for_each(|source| baseline.sees(source));
        }
    }
    /// Whether a finding is one of them.
    fn takes(&mut self, source: &Source, found: &Found) -> bool {
        match self {
            Known::Nothing => false,
            Known::From(baseline) => baseline.knows(source, found),
            Known::To(baseline) => {
                baseline.add(source, found);
                true
            }
        }
    }
    fn end(&self, arguments: &Arguments) -> Result<(), String> {
        let is_told = |rule: &str| {
            !arguments.ignore.contains(&rule) && (arguments.select.is_empty() || arguments.select.contains(&rule))
        };
        match self {
            Known::Nothing => Ok(()),
            Known::From(baseline) => {
                baseline.sum_up(is_told);
                Ok(())
            }
            Known::To(baseline) => baseline.write(),
        }
    }
}
