//! `jitlens record -- COMMAND`: starts the user's program, and notes the types of what its functions are traced with.
//!
//! The only command that runs the user's program. Python imports a module of ours as it starts (`hook.py`), which watches calls and changes
//! nothing; each process of the program leaves a file when it ends.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{exit, output, program};

/// Arguments of `jitlens record`.
#[derive(Args)]
pub struct Arguments {
    /// Where the signatures go; by default `.jitlens/signatures.json` at the top of the project around the working directory.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What starts the program, as in a shell: `python train.py --steps 3`.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const HOOK: &str = include_str!("hook.py");

/// The file's form.
#[derive(Serialize)]
struct Written {
    version: u32,
    functions: Vec<Row>,
}

/// A function, and what each of some calls gave.
#[derive(Debug, Deserialize, Serialize)]
struct Row {
    file: String,
    line: u32,
    function: String,
    arguments: Vec<String>,
}

/// Runs the command; the exit code is the program's.
pub fn run(arguments: &Arguments) -> ExitCode {
    match record(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            output::complain(&message);
            ExitCode::from(exit::FAILED)
        }
    }
}

fn record(arguments: &Arguments) -> Result<u8, String> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(|e| e.to_string())?;
    let root = program::project_folder(&here.join("program.py"));
    let folder = tempfile::tempdir().map_err(|e| format!("no folder for what is recorded: {e}"))?;
    let notes = folder.path().join("notes");
    let (path, written) = (folder.path().join("hook"), std::fs::create_dir(&notes));
    written
        .and_then(|()| std::fs::create_dir(&path))
        .and_then(|()| std::fs::write(path.join("sitecustomize.py"), HOOK))
        .map_err(|e| format!("{}: {e}", folder.path().display()))?;
    let mut paths = vec![path];
    paths.extend(std::env::var_os("PYTHONPATH").iter().flat_map(std::env::split_paths));
    let paths = std::env::join_paths(paths).map_err(|e| e.to_string())?;
    let (name, rest) = arguments.command.split_first().ok_or("no command")?;
    let mut command = Command::new(name);
    command.args(rest).env("PYTHONPATH", paths);
    command.env("JITLENS_RECORD_ROOT", &root).env("JITLENS_RECORD_FOLDER", &notes);
    let ended = command.status().map_err(|e| format!("{}: {e}", name.to_string_lossy()))?;
    let rows = merged(&notes);
    let file = arguments.output.clone().unwrap_or_else(|| root.join(".jitlens").join("signatures.json"));
    if rows.is_empty() {
        output::complain("no function of the project was called with a value that JAX traces; nothing is recorded");
    } else {
        let (functions, calls) = (rows.len(), rows.iter().map(|row| row.arguments.len()).sum::<usize>());
        write(&file, rows).map_err(|e| format!("{}: {e}", file.display()))?;
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let file = program::shown(&file.canonicalize().unwrap_or(file));
        output::complain(&format!(
            "{calls} signature{} of {functions} function{} in {file}",
            plural(calls),
            plural(functions)
        ));
    }
    // A program that a signal has ended has no code.
    Ok(ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::FAILED))
}

/// The rows of all processes, by file and line, each signature once.
fn merged(notes: &Path) -> Vec<Row> {
    let mut all: BTreeMap<(String, u32, String), Vec<String>> = BTreeMap::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(notes).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        let rows: Option<Vec<Row>> = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        for row in rows.into_iter().flatten() {
            let known = all.entry((row.file, row.line, row.function)).or_default();
            known.extend(row.arguments);
            let mut seen = std::collections::HashSet::new();
            known.retain(|arguments| seen.insert(arguments.clone()));
        }
    }
    let row = |((file, line, function), arguments)| Row { file, line, function, arguments };
    all.into_iter().map(row).collect()
}

/// Writes the file. A folder of our own is left out by Git.
fn write(file: &Path, functions: Vec<Row>) -> std::io::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
        if folder.file_name().is_some_and(|name| name == ".jitlens") && !folder.join(".gitignore").exists() {
            std::fs::write(folder.join(".gitignore"), "*\n")?;
        }
    }
    let text = serde_json::to_string_pretty(&Written { version: 1, functions }).map_err(std::io::Error::other)?;
    std::fs::write(file, text + "\n")
}
