//! `jitlens repro FILE[::FUNCTION]`: a small program that does what a large one does.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::repro::{Outcome, Request};

use super::{Format, exit, output, program};
use crate::reproduce::{self, Made};

/// Arguments of `jitlens repro`.
#[derive(Args)]
pub struct Arguments {
    /// Files, run as scripts, each with a function of it or without: the first error then.
    #[arg(value_name = "FILE[::FUNCTION]", required = true)]
    targets: Vec<String>,
    /// The folder that the reproducers are written to; they are printed without.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Arrays of so many elements are written out, larger ones become ones [default: 128, or the setting].
    #[arg(long, value_name = "ELEMENTS")]
    literals: Option<usize>,
    /// Make reproducers of errors as small as they can be.
    #[arg(long)]
    minimal: bool,
    /// Run what is written in this Python, too, and say whether it does the same there.
    #[arg(long, value_name = "PYTHON")]
    verify: Option<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
    /// How to say what was written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut rows = Vec::new();
    let mut code = exit::CLEAN;
    for target in &arguments.targets {
        match one(arguments, target) {
            Ok((verified, row)) => {
                if !verified {
                    code = code.max(exit::FOUND);
                }
                rows.push(row);
            }
            Err(message) => {
                output::complain(&message);
                code = exit::FAILED;
            }
        }
    }
    if arguments.format == Format::Json {
        output::line(json!({"version": 1, "reproducers": rows}));
    }
    ExitCode::from(code)
}

fn one(arguments: &Arguments, target: &str) -> Result<(bool, Value), String> {
    let (file, function) = program::target(target);
    let mut runs = program::Runs::default();
    let literals = arguments.literals.or_else(|| runs.settings(&file).ok()?.literals);
    let most_literal = literals.unwrap_or(Request::default().most_literal);
    let request = Request {
        function: function.map(str::to_owned),
        most_literal,
        minimal: arguments.minimal,
        ..Request::default()
    };
    let made = reproduce::make(&mut runs, &file, target, &request)?;
    let under_python = match &arguments.verify {
        Some(python) => reproduce::python::unlike(python, &made.text, &made.stem, &made.outcome)?,
        None => None,
    };
    if let (Some(why), Some(python)) = (&under_python, &arguments.verify) {
        output::complain(&format!("{target}: in {} the reproducer does something else: {why}", python.display()));
    }
    let mut path = None;
    match &arguments.folder {
        Some(folder) => {
            let at = write(folder, &made, arguments.force)?;
            if arguments.format == Format::Text {
                output::line(at.display());
            }
            path = Some(at);
        }
        None if arguments.format == Format::Text => output::page(&made.text),
        None => {}
    }
    let row = json!({
        "target": target,
        "path": path.map(|p| p.to_string_lossy().into_owned()),
        "text": made.text,
        "verified": made.unverified.is_none(),
        "unverified": made.unverified,
        "unlike_in_python": under_python,
        "approximate": made.approximate,
        "outcome": outcome_json(&made.outcome),
        "map": made.map.seen_from(&std::env::current_dir().unwrap_or_default()),
    });
    Ok((made.unverified.is_none() && under_python.is_none(), row))
}

/// Writes a reproducer and its map into a folder; the reproducer's path.
fn write(folder: &Path, made: &Made, force: bool) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let at = folder.join(format!("{}.py", made.stem));
    if at.exists() && !force {
        return Err(format!("{}: is there already; --force writes over it", at.display()));
    }
    reproduce::write(folder, made).map_err(|(path, e)| format!("{}: {e}", path.display()))
}

fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Error(class, message) => json!({"error": {"type": class, "message": message}}),
        Outcome::Values(types) => json!({"values": types}),
    }
}
