//! `jitlens repro FILE[::FUNCTION | :LINE]`: a small program that does what a large one does.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use tracer_core::analysis::{Disk, Vfs};
use tracer_core::notebook;
use tracer_core::repro::{Data, Level, Outcome, Place, Request, Target};
use tracer_core::text::{LineIndex, Span};

use super::{Format, exit, output, program};
use crate::memory;
use crate::reproduce::{self, Made, translate};

/// Arguments of `jitlens repro`.
#[derive(Args)]
pub struct Arguments {
    /// Files, run as scripts, each with a function of it, or a line: the error there, or the function, or the call. The first error without.
    #[arg(value_name = "FILE[::FUNCTION|:LINE]", required_unless_present = "translate")]
    targets: Vec<String>,
    /// The folder that the reproducers are written to; they are printed without.
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Arrays of so many elements are written out, larger ones become ones [default: 128, or the setting].
    #[arg(long, value_name = "ELEMENTS")]
    literals: Option<usize>,
    /// What stands for arrays that are not written out [default: ones, or the setting].
    #[arg(long, value_enum)]
    data: Option<DataOption>,
    /// Scalar operations that each run of the program may take for exact data; loops are run to their end as long as they last.
    #[arg(long, value_name = "N", default_value_t = tracer_core::repro::OPERATIONS)]
    operations: u64,
    /// What stands for the calls of the program [default: api, or the setting].
    #[arg(long, value_enum)]
    level: Option<LevelOption>,
    /// Tell on standard error what was recorded, and why it is not in the reproducer [default: none, or the setting; calls without a value].
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "calls", require_equals = true)]
    log: Option<LogOption>,
    /// What becomes of a reproducer that does something else than the program [default: tell, or the setting].
    #[arg(long, value_enum)]
    unverified: Option<UnverifiedOption>,
    /// Make reproducers of errors as small as they can be.
    #[arg(long)]
    minimal: bool,
    /// Run what is written in this Python, too, and say whether it does the same there.
    #[arg(long, value_name = "PYTHON")]
    verify: Option<PathBuf>,
    /// Print a traceback of a run of a reproducer with the places of the program that it comes from; standard input without a file.
    #[arg(long, value_name = "TRACEBACK", num_args = 0..=1, default_missing_value = "-", conflicts_with = "targets")]
    translate: Option<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
    /// How to say what was written.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What stands for the calls of a program.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelOption {
    /// Functions of the public API.
    Api,
    /// Primitives, as functions of `jax.lax`.
    Primitive,
}

impl From<LevelOption> for Level {
    fn from(option: LevelOption) -> Level {
        match option {
            LevelOption::Api => Level::Api,
            LevelOption::Primitive => Level::Primitive,
        }
    }
}

/// What of a recorded run is told.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogOption {
    /// Nothing.
    #[default]
    None,
    /// Calls of the framework, and functions that they call.
    Calls,
    /// Operations of arrays, too.
    All,
}

/// What becomes of a reproducer that does something else than the program.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnverifiedOption {
    /// It says so at its top, and so do the command's exit code and the editor.
    #[default]
    Tell,
    /// It says so at its top.
    Ignore,
    /// It is not written.
    Refuse,
}

/// What stands for arrays that are not written out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataOption {
    /// Ones.
    Ones,
    /// Random numbers of the same range.
    Random,
    /// Their own numbers, in a `.npz` beside the file.
    Exact,
}

impl From<DataOption> for Data {
    fn from(option: DataOption) -> Data {
        match option {
            DataOption::Ones => Data::Ones,
            DataOption::Random => Data::Random,
            DataOption::Exact => Data::Exact,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    if let Some(traceback) = &arguments.translate {
        return translated(traceback);
    }
    let mut rows = Vec::new();
    let mut code = exit::CLEAN;
    let mut written = Vec::new();
    for target in &arguments.targets {
        memory::begin();
        match one(arguments, target, &mut written) {
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

fn one(arguments: &Arguments, target: &str, written: &mut Vec<PathBuf>) -> Result<(bool, Value), String> {
    let (file, wanted) = wanted(target)?;
    let mut runs = program::Runs::default();
    let settings = runs.settings(&file).ok();
    let literals = arguments.literals.or_else(|| settings.as_ref()?.literals);
    let told = arguments.log.or_else(|| Some(settings.as_ref()?.log_calls)).unwrap_or_default();
    let request = Request {
        target: wanted,
        most_literal: literals.unwrap_or(Request::default().most_literal),
        data: arguments.data.map(Data::from).or_else(|| settings.as_ref()?.data).unwrap_or_default(),
        minimal: arguments.minimal,
        level: arguments.level.map(Level::from).or_else(|| Some(settings.as_ref()?.level)).unwrap_or_default(),
        log: told != LogOption::None,
        operations: arguments.operations,
        ..Request::default()
    };
    let mut made = reproduce::make(&mut runs, &file, target, &request)?;
    let under_python = match &arguments.verify {
        Some(python) => reproduce::python::unlike(python, &made)?,
        None => None,
    };
    if let (Some(why), Some(python)) = (&under_python, &arguments.verify) {
        output::complain(&format!("{target}: in {} the reproducer does something else: {why}", python.display()));
    }
    if let Some(stand_ins) = &made.stand_ins {
        output::complain(&format!("{target}: {stand_ins}"));
    }
    for line in made.told(told) {
        output::complain(line);
    }
    let unverified = arguments.unverified.or_else(|| Some(settings.as_ref()?.unverified)).unwrap_or_default();
    refused(unverified, &made).map_err(|why| format!("{target}: {why}"))?;
    let mut path = None;
    match &arguments.folder {
        Some(folder) => {
            let at = write(folder, &mut made, arguments.force, written)?;
            if arguments.format == Format::Text {
                output::line(at.display());
            }
            path = Some(at);
        }
        None if arguments.format == Format::Text => {
            if !made.data.is_empty() {
                output::complain(&format!(
                    "{target}: the file with its arrays is written where --output names a folder"
                ));
            }
            output::page(&made.text);
        }
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
        "stand_ins": made.stand_ins,
        "log": made.told(told).collect::<Vec<_>>(),
        "outcome": outcome_json(&made.outcome),
        "data": made.data.iter().map(|datum| datum.name.as_str()).collect::<Vec<_>>(),
        "map": made.map.seen_from(&std::env::current_dir().unwrap_or_default()),
    });
    let is_fine = made.unverified.is_none() || unverified == UnverifiedOption::Ignore;
    Ok((is_fine && under_python.is_none(), row))
}

/// Refuses a reproducer that does something else than the program, where that is wanted.
///
/// # Errors
/// What it does instead.
pub fn refused(unverified: UnverifiedOption, made: &Made) -> Result<(), String> {
    match &made.unverified {
        Some(why) if unverified == UnverifiedOption::Refuse => {
            Err(format!("the reproducer does something else than the program, and is not written: {why}"))
        }
        _ => Ok(()),
    }
}

/// The file and what of it `FILE[::FUNCTION | :LINE]` names; a file may have colons in its name.
fn wanted(target: &str) -> Result<(PathBuf, Target), String> {
    let line = target.rsplit_once(':').filter(|_| !Path::new(target).exists());
    let Some((file, line)) = line.and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?))) else {
        let (file, function) = program::target(target);
        if function == Some("") {
            return Err(format!("{target}: name a function: FILE::FUNCTION"));
        }
        return Ok((file, Target::of_function(function)));
    };
    // `a.ipynb:cell 3:5`
    let cell = file.rsplit_once(":cell ").filter(|_| !Path::new(file).exists());
    let cell = cell.and_then(|(notebook, number)| Some((notebook, number.parse::<u32>().ok()?)));
    let path = cell.map_or(file, |(notebook, _)| notebook);
    let text = Disk.read(Path::new(path)).ok_or_else(|| format!("{path}: it cannot be read"))?;
    let whole = Span::new(0, text.len());
    let around = match cell {
        Some((_, number)) => {
            notebook::cells(&text).into_iter().find(|cell| cell.number == number).map(|cell| cell.span)
        }
        None => Some(whole).filter(|_| !notebook::is_program(&text)),
    };
    let around = around.ok_or_else(|| format!("{file}: name a cell of code, as in `{path}:cell 1:{line}`"))?;
    let lines = LineIndex::new(&text[around.start as usize..around.end as usize]);
    let span = line.checked_sub(1).and_then(|line| lines.line_span(line));
    let span = span.map(|span| Span { start: span.start + around.start, end: span.end + around.start });
    let span = span.ok_or_else(|| format!("{file}: there is no line {line}"))?;
    Ok((path.into(), Target::Place(Place { path: None, span })))
}

/// Prints a traceback with the places of the program in it.
fn translated(traceback: &Path) -> ExitCode {
    let read = match traceback.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(traceback),
    };
    match read {
        Ok(text) => {
            output::page(&translate::traceback(&text));
            ExitCode::from(exit::CLEAN)
        }
        Err(error) => {
            output::complain(&format!("{}: {error}", traceback.display()));
            ExitCode::from(exit::FAILED)
        }
    }
}

/// Writes a reproducer and its map into a folder; the reproducer's path. One of the name of another that this run has written gets a number.
fn write(folder: &Path, made: &mut Made, force: bool, written: &mut Vec<PathBuf>) -> Result<PathBuf, String> {
    if folder.is_file() {
        return Err(format!("{}: is a file; --output names a folder", folder.display()));
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut at = folder.join(format!("{}.py", made.stem));
    let mut number = 1;
    while written.contains(&at) {
        number += 1;
        made.map.file = format!("{}_{number}.py", made.stem);
        at = folder.join(&made.map.file);
    }
    if let Some(there) = made.files(&at).into_iter().find(|file| file.exists() && !force) {
        return Err(format!("{}: is there already; --force writes over it", there.display()));
    }
    let at = reproduce::write(folder, made).map_err(|(path, e)| format!("{}: {e}", path.display()))?;
    written.push(at.clone());
    Ok(at)
}

fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Error(class, message) => json!({"error": {"type": class, "message": message}}),
        Outcome::Values(types) => json!({"values": types}),
    }
}
