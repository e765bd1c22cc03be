//! Running the engine on a file of the command line.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tracer_core::analysis::{Analysis, Disk, Entry, MOST_BYTES, Names, Vfs, Wanted, analyze_for};
use tracer_core::diagnostics::Diagnostic;
use tracer_core::notebook;
use tracer_core::text::{LineIndex, Span, decode};

use super::kept::{Asking, Kept, Key};
use super::{environment, output};
use crate::config::{Layer, Projects, Settings};

/// Runs of one command, with the settings of its files.
#[derive(Default)]
pub struct Runs {
    projects: Projects,
    /// Texts that stand over those on disk.
    pub texts: HashMap<PathBuf, Arc<str>>,
    /// Whether the tests of files of tests are called.
    pub tests: bool,
    /// Stops the runs.
    pub cancel: Arc<AtomicBool>,
    /// Outcomes of earlier commands.
    kept: Kept,
}

impl Runs {
    /// Runs whose settings stand under a layer.
    pub fn new(over: Layer) -> Runs {
        Runs { projects: Projects::new(over), ..Runs::default() }
    }
    /// Takes outcomes of earlier commands where they still hold, and keeps those of this one.
    pub fn keep(&mut self) {
        self.kept = Kept::open();
    }
    /// Analyzes a file as a script, and what it does not call.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn analyze(&mut self, file: &Path) -> Result<Analysis, String> {
        self.analyze_for(file, Wanted::default())
    }
    /// Analyzes a file as a script for something.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn analyze_for(&mut self, file: &Path, wanted: Wanted) -> Result<Analysis, String> {
        let entry = self.entry(file)?;
        let files = Overlay(self.texts.clone());
        Ok(run(move || Rc::new(files), entry, wanted, self.cancel.clone()))
    }
    /// What `make` makes of the analysis of a file as a script: what it made before, where that is kept and still holds. `what` names
    /// what it makes.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn outcome<T: Serialize + DeserializeOwned>(
        &mut self,
        file: &Path,
        what: &str,
        wanted: Wanted,
        make: impl FnOnce(&Analysis) -> T,
    ) -> Result<T, String> {
        if !self.kept.is_on() || !self.texts.is_empty() {
            return Ok(make(&self.analyze_for(file, wanted)?));
        }
        let entry = self.entry(file)?;
        let folders = (&entry.roots, &entry.environment, &entry.fallback);
        let key =
            Key::of(&(what, &entry.script, folders, crate::memory::limits().fuel, wanted.unreached, wanted.tests));
        if let Some(outcome) = self.kept.get(&key) {
            return Ok(outcome);
        }
        let asking = Asking::default();
        let files = asking.clone();
        let outcome = make(&run(move || Rc::new(files), entry, wanted, self.cancel.clone()));
        // What was left undone for want of memory may be done the next time.
        if !crate::memory::was_short() {
            self.kept.put(&key, asking.take(), &outcome);
        }
        Ok(outcome)
    }
    /// How a file is run.
    fn entry(&mut self, file: &Path) -> Result<Entry, String> {
        let script = self.script(file)?;
        let settings = self.projects.of_file(&script);
        self.warn();
        let (environment, fallback) = environment::folders(&script, settings.environment.as_deref());
        Ok(Entry { environment, script, roots: settings.source_roots.clone(), fallback })
    }
    /// The settings of a script.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn settings(&mut self, file: &Path) -> Result<Rc<Settings>, String> {
        let script = self.script(file)?;
        Ok(self.projects.of_file(&script))
    }
    /// The whole path of a script that can be read.
    fn script(&self, file: &Path) -> Result<PathBuf, String> {
        if self.texts.contains_key(file) {
            return Ok(file.to_owned());
        }
        let script = file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?;
        check_text(&script).map_err(|why| format!("{}: {why}", file.display()))?;
        Ok(script)
    }
    /// Runs something with another text of a script.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn instead<T>(&mut self, file: &Path, text: &str, run: impl FnOnce(&mut Runs) -> T) -> Result<T, String> {
        let path = self.script(file)?;
        let before = self.texts.insert(path.clone(), Arc::from(text));
        let outcome = run(self);
        match before {
            Some(text) => self.texts.insert(path, text),
            None => self.texts.remove(&path),
        };
        Ok(outcome)
    }
    /// What the settings of the files want told of what a run found.
    pub fn judge<'a>(&mut self, found: Vec<Diagnostic>, file: impl Fn(usize) -> &'a Path) -> Vec<Diagnostic> {
        let found = self.projects.judge(found, file);
        self.warn();
        found
    }
    fn warn(&mut self) {
        self.projects.warnings().iter().for_each(|warning| output::complain(warning));
    }
}

fn run(
    files: impl FnOnce() -> Rc<dyn Vfs> + Send + 'static,
    entry: Entry,
    wanted: Wanted,
    cancel: Arc<AtomicBool>,
) -> Analysis {
    // A text that stands for the program needs little that the program's own run has not made ready.
    if !wanted.again {
        tracer_core::analysis::ahead::begin(&entry);
    }
    analyze_for(files, entry, crate::memory::limits(), wanted, cancel)
}

/// The file and the function of it that `FILE[::FUNCTION]` names; a file may have colons in its name.
pub fn target(text: &str) -> (PathBuf, Option<&str>) {
    match text.split_once("::") {
        Some((file, function)) if !Path::new(text).exists() => (PathBuf::from(file), Some(function)),
        _ => (PathBuf::from(text), None),
    }
}

/// Texts over the disk.
struct Overlay(HashMap<PathBuf, Arc<str>>);

impl Vfs for Overlay {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        self.0.get(path).cloned().or_else(|| Disk.read(path))
    }
    fn read_library(&self, path: &Path) -> Option<Arc<str>> {
        self.0.get(path).cloned().or_else(|| Disk.read_library(path))
    }
    fn is_dir(&self, path: &Path) -> bool {
        Disk.is_dir(path)
    }
    fn names(&self, folder: &Path) -> Option<Names> {
        let mut names = Disk.names(folder)?;
        let inside = self.0.keys().filter(|path| path.parent() == Some(folder));
        names.extend(inside.filter_map(|path| path.file_name().map(ToOwned::to_owned)));
        Some(names)
    }
}

/// Whether a file can be analyzed: what it is, how long, and whether it is text.
fn check_text(script: &Path) -> Result<(), String> {
    let meta = script.metadata().map_err(|e| e.to_string())?;
    if !meta.is_file() {
        return Err("not a file".into());
    }
    if meta.len() > MOST_BYTES {
        return Err(format!("longer than {} MB", MOST_BYTES >> 20));
    }
    match decode(std::fs::read(script).map_err(|e| e.to_string())?) {
        (text, None) if notebook::is_notebook(script) => notebook::parse(&text).map(drop),
        (_, None) => Ok(()),
        (_, Some(at)) => Err(format!("not UTF-8 text: the byte {at} is no part of it")),
    }
}

/// Files and folders that stand at the top of a project.
const TOPS: &[&str] =
    &[".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "README.md", "README.rst", "LICENSE"];
/// The first of them, which stand nowhere else.
const SURE: usize = 4;

/// The folders above a script up to the top of its project, nearest first: who runs it may do so from any of them.
pub fn project_folders(script: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in script.ancestors().skip(1).take(8) {
        folders.push(folder.to_owned());
        if TOPS.iter().any(|name| folder.join(name).exists()) {
            folders.push(folder.join("src"));
            return folders;
        }
    }
    // No project: the folder beside and the one above.
    folders.truncate(2);
    folders
}

/// The folder at the top of a file's project.
pub fn project_folder(file: &Path) -> PathBuf {
    marked(file, TOPS).unwrap_or_else(|| file.parent().unwrap_or(file).to_owned())
}

/// The folder that holds all of a file's project, where there is a sign of it: a part of a project may have a README of its own.
pub fn project_root(file: &Path) -> Option<PathBuf> {
    marked(file, &TOPS[..SURE]).or_else(|| marked(file, TOPS))
}

fn marked(file: &Path, signs: &[&str]) -> Option<PathBuf> {
    let is_top = |folder: &&Path| signs.iter().any(|name| folder.join(name).exists());
    file.ancestors().skip(1).take(8).find(is_top).map(Path::to_owned)
}

/// A path as it is printed: relative to the working directory where it lies below it.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|d| d.canonicalize()).unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// `[line, column, end line, end column]`: lines from 1, columns in UTF-8 bytes from 0.
pub fn range(index: &LineIndex, span: Span) -> [u32; 4] {
    let (start, end) = (index.utf8(span.start), index.utf8(span.end));
    [start.line + 1, start.column, end.line + 1, end.column]
}

/// A line of a text, counted from 1, without its end.
pub fn line<'a>(text: &'a str, index: &LineIndex, line: u32) -> &'a str {
    let span = index.line_span(line.saturating_sub(1)).unwrap_or_default();
    text.get(span.start as usize..span.end as usize).unwrap_or_default().trim_end_matches(['\n', '\r'])
}

/// Whether a file is a notebook of Python. In a folder there may be others, and what an editor keeps beside one.
fn is_python_notebook(path: &Path) -> bool {
    let hidden = path.components().any(|part| part.as_os_str() == ".ipynb_checkpoints");
    notebook::is_notebook(path)
        && !hidden
        && std::fs::read(path).is_ok_and(|bytes| notebook::parse(&decode(bytes).0).is_ok())
}

/// The files that paths stand for: files as they are, and the Python files and notebooks below folders, without those that `.gitignore`
/// leaves out.
///
/// # Errors
/// Which path is not there.
pub fn python_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in walk(path).build() {
            files.extend(python_file(entry.map_err(|e| e.to_string())?));
        }
    }
    Ok(files)
}

/// A walk through the files below a folder, in order, without those that `.gitignore` leaves out, and without what is installed there.
pub fn walk(folder: &Path) -> ignore::WalkBuilder {
    let inside = |entry: &ignore::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !matches!(&*name, "__pycache__" | "node_modules" | "site-packages" | "venv")
    };
    let mut walk = ignore::WalkBuilder::new(folder);
    walk.filter_entry(inside).sort_by_file_name(Ord::cmp);
    walk
}

/// What is met in a walk, if it is a Python file or a notebook of Python.
pub fn python_file(entry: ignore::DirEntry) -> Option<PathBuf> {
    let is_file = entry.file_type().is_some_and(|t| t.is_file());
    let path = entry.path();
    let is_python = is_file && (path.extension().is_some_and(|e| e == "py") || is_python_notebook(path));
    is_python.then(|| entry.into_path())
}
