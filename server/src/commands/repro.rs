//! `jitlens repro FILE[::FUNCTION]`: a small program that does what a large one does.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, Wanted};
use tracer_core::repro::{Outcome, Reproducer, Request};
use tracer_core::text::LineIndex;

use super::{Format, exit, output, program};

/// Arguments of `jitlens repro`.
#[derive(Args)]
pub struct Arguments {
    /// Files, run as scripts, each with a function of it or without: the first error then.
    #[arg(value_name = "FILE[::FUNCTION]", required = true)]
    targets: Vec<String>,
    /// The folder that the reproducers are written to; they are printed without.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Arrays of so many elements are written out, larger ones become ones.
    #[arg(long, default_value_t = 128, value_name = "ELEMENTS")]
    literals: usize,
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
            Ok(made) => {
                if !made.verified {
                    code = code.max(exit::FOUND);
                }
                rows.push(made.row);
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

/// A reproducer that was made.
struct Made {
    verified: bool,
    row: Value,
}

fn one(arguments: &Arguments, target: &str) -> Result<Made, String> {
    let (file, function) = match target.split_once("::") {
        Some((file, function)) if !Path::new(target).exists() => (PathBuf::from(file), Some(function)),
        _ => (PathBuf::from(target), None),
    };
    let request = Request { function: function.map(str::to_owned), most_literal: arguments.literals };
    let wanted = Wanted { unreached: function.is_some(), reproducer: Some(request.clone()), ..Wanted::default() };
    let analysis = program::Runs::default().analyze_for(&file, wanted)?;
    let Some(made) = &analysis.reproducer else { return Err(nothing(&file, function)) };
    let why = unlike(&file, made, &request);
    let head = header(&analysis, target, made, why.as_deref());
    let text = format!("{head}{}", made.text);
    let shift = head.lines().count();
    let stem = file.file_stem().map_or_else(|| "program".into(), |stem| stem.to_string_lossy().into_owned());
    let stem = function.map_or(format!("{stem}_error"), |name| format!("{stem}_{}", name.replace('.', "_")));
    let map = map_json(&analysis, made, &format!("{stem}.py"), shift);
    let mut path = None;
    match &arguments.folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            let at = folder.join(format!("{stem}.py"));
            if at.exists() && !arguments.force {
                return Err(format!("{}: is there already; --force writes over it", at.display()));
            }
            let beside = folder.join(format!("{stem}.map.json"));
            std::fs::write(&at, &text).map_err(|e| format!("{}: {e}", at.display()))?;
            std::fs::write(&beside, format!("{map:#}\n")).map_err(|e| format!("{}: {e}", beside.display()))?;
            if arguments.format == Format::Text {
                output::line(at.display());
            }
            path = Some(at);
        }
        None if arguments.format == Format::Text => output::page(&text),
        None => {}
    }
    let row = json!({
        "target": target,
        "path": path.map(|p| p.to_string_lossy().into_owned()),
        "text": text,
        "verified": why.is_none(),
        "unverified": why,
        "approximate": made.approximate,
        "outcome": outcome_json(&made.outcome),
        "map": map,
    });
    Ok(Made { verified: why.is_none(), row })
}

fn nothing(file: &Path, function: Option<&str>) -> String {
    match function {
        Some(name) => format!("{}: nothing calls `{name}`", file.display()),
        None => format!("{}: no error to reproduce; name a function: FILE::FUNCTION", file.display()),
    }
}

/// In what a reproducer is not like the program, where it is run in its stead.
fn unlike(file: &Path, made: &Reproducer, request: &Request) -> Option<String> {
    let Ok(path) = file.canonicalize() else { return Some("the program is gone".into()) };
    let mut runs = program::Runs::default();
    // Its text stands over the program's: so it is found in the same environment, and nothing is written.
    runs.texts.insert(path, Arc::from(made.text.as_str()));
    let again = Request { function: made.function.clone(), ..request.clone() };
    let wanted = Wanted { unreached: false, reproducer: Some(again), ..Wanted::default() };
    let analysis = match runs.analyze_for(file, wanted) {
        Ok(analysis) => analysis,
        Err(message) => return Some(message),
    };
    let Some(found) = &analysis.reproducer else {
        return Some(match (&made.outcome, analysis.problems.first()) {
            (Outcome::Error(..), _) => "it raises nothing".into(),
            (_, Some(problem)) => format!("it raises {}: {}", problem.class, first_line(&problem.message)),
            _ => "it calls nothing".into(),
        });
    };
    match (&made.outcome, &found.outcome) {
        (Outcome::Error(class, message), Outcome::Error(other, said)) => {
            let same = class == other && first_line(message) == first_line(said);
            (!same).then(|| format!("it raises {other}: {}", first_line(said)))
        }
        (Outcome::Values(types), Outcome::Values(other)) => {
            (types != other).then(|| format!("it gives {} instead of {}", other.join(", "), types.join(", ")))
        }
        (Outcome::Values(_), Outcome::Error(class, message)) => {
            Some(format!("it raises {class}: {}", first_line(message)))
        }
        (Outcome::Error(..), Outcome::Values(_)) => Some("it raises nothing".into()),
    }
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

/// What stands above a reproducer.
fn header(analysis: &Analysis, target: &str, made: &Reproducer, why: Option<&str>) -> String {
    let _ = analysis;
    let mut lines =
        vec![format!("# Reproduces {target}; written by jitlens {} for JAX 0.10.2.", env!("CARGO_PKG_VERSION"))];
    if let Outcome::Error(class, message) = &made.outcome {
        lines.push(format!("# {class}: {}", first_line(message)));
    }
    if let Some(why) = why {
        lines.push(format!("# NOT VERIFIED: {why}"));
    } else if made.approximate {
        lines.push("# Some values could not be written as they were.".into());
    }
    lines.join("\n") + "\n"
}

fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Error(class, message) => json!({"error": {"type": class, "message": message}}),
        Outcome::Values(types) => json!({"values": types}),
    }
}

/// The map of a reproducer: see `docs/reproducers.md`.
fn map_json(analysis: &Analysis, made: &Reproducer, name: &str, shift: usize) -> Value {
    let mut sources: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for tie in &made.ties {
        let facts = &analysis.files[tie.file];
        let path = program::shown(&facts.path);
        let source = sources.iter().position(|s| *s == path).unwrap_or_else(|| {
            sources.push(path.clone());
            sources.len() - 1
        });
        let range = program::range(&LineIndex::new(&facts.text), tie.span);
        lines.push(json!({"line": tie.line + shift + 1, "source": source, "range": range}));
    }
    json!({"version": 1, "file": name, "sources": sources, "lines": lines})
}
