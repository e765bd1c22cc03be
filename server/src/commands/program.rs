//! Running the engine on a file of the command line.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Analysis, Disk, Entry, Limits, Vfs, analyze};
use tracer_core::text::{LineIndex, Span};

/// Analyzes a file as a script.
///
/// # Errors
/// What is wrong with the file.
pub fn analyze_file(file: &Path) -> Result<Analysis, String> {
    let script = file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?;
    if !script.is_file() {
        return Err(format!("{}: not a file", file.display()));
    }
    let entry = Entry { environment: environment(&script), script, roots: Vec::new() };
    Ok(analyze(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), Arc::new(AtomicBool::new(false))))
}

/// The `site-packages` folders of the user's environment, found by reading folders: `VIRTUAL_ENV`, a `.venv` at or above
/// the file, `CONDA_PREFIX`.
pub fn environment(script: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    if let Some(active) = std::env::var_os("VIRTUAL_ENV") {
        roots.push(PathBuf::from(active));
    }
    for folder in script.ancestors().skip(1) {
        roots.push(folder.join(".venv"));
        roots.push(folder.join("venv"));
    }
    if let Some(conda) = std::env::var_os("CONDA_PREFIX") {
        roots.push(PathBuf::from(conda));
    }
    roots.into_iter().flat_map(|root| site_packages(&root)).collect()
}

/// The `site-packages` of an environment.
pub fn site_packages(root: &Path) -> Vec<PathBuf> {
    let windows = root.join("Lib").join("site-packages");
    if windows.is_dir() {
        return vec![windows];
    }
    let Ok(versions) = std::fs::read_dir(root.join("lib")) else { return Vec::new() };
    let mut found: Vec<PathBuf> =
        versions.flatten().map(|v| v.path().join("site-packages")).filter(|p| p.is_dir()).collect();
    found.sort();
    found
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
