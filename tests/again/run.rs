//! Runs that follow each other on one thread say the same: what a run leaves for the next one (modules of ours that are
//! there already, recipes of calls) changes nothing but the time.
//!
//! Every program of `tests/projects`, `tests/errors` and `tests/cache` is run as an editor does it, three times. `AGAIN=DIR`
//! takes each Python file of another folder as a program, `AGAIN_ENVIRONMENT=DIR` with the libraries of a folder (such runs are begun with
//! these libraries imported). The last run translates all code into its flat form before it runs,
//! the run before that none: these are two speeds of the same thing.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use libtest_mimic::{Arguments, Failed, Trial};
use tracer_core::analysis::{Analysis, Disk, Entry, Limits, Vfs, Wanted, analyze_for};
use tracer_core::interp::Translate;

fn main() {
    let arguments = Arguments::from_args();
    let trials = programs().into_iter().map(|(name, script)| Trial::test(name, move || check(&script)));
    let folders = ["errors", "cache"]
        .map(|folder| Trial::test(folder, move || python_files(folder).iter().try_for_each(|script| check(script))));
    libtest_mimic::run(&arguments, trials.chain(folders).collect()).exit();
}

/// The Python files of a folder of tests.
fn python_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder can be read").map(|e| e.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "py")).collect();
    assert!(!files.is_empty(), "no programs in {}", folder.display());
    files.sort();
    files
}

/// The programs, with names.
fn programs() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("projects");
    let other = std::env::var_os("AGAIN").map(PathBuf::from);
    let folder = other.clone().unwrap_or(root);
    let entries = std::fs::read_dir(&folder).expect("the folder can be read").map(|e| e.expect("an entry").path());
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let script = match other {
                Some(_) => path.extension().is_some_and(|e| e == "py").then(|| path.clone())?,
                None => path.join(entry_of(&path)?),
            };
            Some((name, script))
        })
        .collect();
    assert!(!found.is_empty(), "no programs in {}", folder.display());
    found.sort();
    found
}

/// The script that a project's `program.toml` names.
fn entry_of(project: &Path) -> Option<String> {
    let text = std::fs::read_to_string(project.join("program.toml")).ok()?;
    let settings: toml::Table = text.parse().expect("a table");
    Some(settings.get("entry").and_then(|e| e.as_str()).unwrap_or("main.py").to_owned())
}

fn check(script: &Path) -> Result<(), Failed> {
    let first = facts_of(&run(script, Translate::default()));
    let speeds = match environment() {
        Some(_) => [Translate::default(); 2],
        None => [Translate::NEVER, Translate::AT_ONCE],
    };
    for translate in speeds {
        let again = facts_of(&run(script, translate));
        if let Some((old, new)) = first.lines().zip(again.lines()).find(|(old, new)| old != new) {
            return Err(format!("{}\nfirst: {old}\nagain: {new} ({translate:?})", script.display()).into());
        }
        if first.lines().count() != again.lines().count() {
            return Err("a later run says more or less than the first".into());
        }
    }
    Ok(())
}

/// Where libraries are.
fn environment() -> Option<PathBuf> {
    std::env::var_os("AGAIN_ENVIRONMENT").map(PathBuf::from)
}

fn run(script: &Path, translate: Translate) -> Analysis {
    let environment = environment().into_iter().collect();
    let entry = Entry { script: script.to_owned(), roots: vec![], environment, fallback: vec![] };
    let wanted = Wanted { again: true, ..Wanted::default() };
    let cancel = Arc::new(AtomicBool::new(false));
    analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits { translate, ..Limits::default() }, wanted, cancel)
}

/// What a run says, a line for each thing.
fn facts_of(analysis: &Analysis) -> String {
    let mut text = String::new();
    for file in &analysis.files {
        for fact in &file.exprs {
            let _ = writeln!(text, "{} {fact:?}", file.path.display());
        }
        for fact in &file.functions {
            let _ = writeln!(text, "{} {fact:?}", file.path.display());
        }
    }
    for problem in &analysis.problems {
        let _ = writeln!(text, "{problem:?}");
    }
    for event in &analysis.events {
        let _ = writeln!(text, "{event:?}");
    }
    let _ = writeln!(text, "{:?}", analysis.stopped);
    // Libraries that are there before the script has begun have the first numbers.
    for file in &analysis.files {
        text = text.replace(&format!("{:?}", file.id), &file.path.display().to_string());
    }
    text
}
