//! `--baseline` and `--write-baseline`: old findings that are known and not told.
//!
//! A finding is known by its file, rule, message and the text of its line, so that it stays known where lines above it come and go;
//! what a line has several times is counted.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::found::Found;
use crate::commands::output;
use crate::commands::report::Source;

/// The file's form.
#[derive(Serialize, Deserialize)]
struct Written {
    version: u32,
    findings: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    key: Key,
    count: usize,
}

/// What a finding is known by; rows are in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    file: String,
    rule: String,
    line: String,
    message: String,
}

/// Findings by what they are known by.
pub struct Baseline {
    path: PathBuf,
    /// From here the names of files count.
    folder: PathBuf,
    counts: BTreeMap<Key, usize>,
    /// How many findings are known.
    known: usize,
    /// Files that were looked at.
    seen: HashSet<String>,
}

impl Baseline {
    /// An empty one, to be written to a file.
    pub fn new(path: &Path) -> Baseline {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Baseline { path: path.to_owned(), folder, counts: BTreeMap::new(), known: 0, seen: HashSet::new() }
    }
    /// The one in a file.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| format!("{}: {e}; `--write-baseline` makes a baseline", path.display()))?;
        let written: Written =
            serde_json::from_str(&text).map_err(|e| format!("{}: no baseline: {e}", path.display()))?;
        if written.version != 1 {
            return Err(format!("{}: a baseline of version {}, not 1", path.display(), written.version));
        }
        let mut baseline = Baseline::new(path);
        for row in written.findings {
            *baseline.counts.entry(row.key).or_default() += row.count;
        }
        Ok(baseline)
    }
    /// Notes that a file was looked at.
    pub fn sees(&mut self, source: &Source) {
        self.seen.insert(self.name(&source.path));
    }
    /// Takes a finding in.
    pub fn add(&mut self, source: &Source, found: &Found) {
        *self.counts.entry(self.key(source, found)).or_default() += 1;
        self.known += 1;
    }
    /// Whether a finding is known; each row knows as many as it counts.
    pub fn knows(&mut self, source: &Source, found: &Found) -> bool {
        let key = self.key(source, found);
        let Some(left) = self.counts.get_mut(&key).filter(|left| **left > 0) else { return false };
        *left -= 1;
        self.known += 1;
        true
    }
    /// Says how many findings were known, and how many of those that `counts` are there no more.
    pub fn sum_up(&self, counts: impl Fn(&str) -> bool) {
        let gone = |key: &Key| self.seen.contains(&key.file) || !self.folder.join(&key.file).exists();
        let stale = self.counts.iter().filter(|(key, _)| counts(&key.rule) && gone(key));
        let stale: usize = stale.map(|(_, left)| *left).sum();
        let file = self.path.display();
        if self.known > 0 {
            output::complain(&format!("{} known from {file}", findings(self.known)));
        }
        if stale > 0 {
            output::complain(&format!(
                "{} in {file} no more there: `--write-baseline {file}` takes them out",
                findings(stale)
            ));
        }
    }
    /// Writes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self) -> Result<(), String> {
        let rows = self.counts.iter().map(|(key, count)| Row { key: key.clone(), count: *count });
        let written = Written { version: 1, findings: rows.collect() };
        let text = serde_json::to_string_pretty(&written).map_err(|e| e.to_string())?;
        std::fs::write(&self.path, text + "\n").map_err(|e| format!("{}: {e}", self.path.display()))?;
        output::complain(&format!("{} written to {}", findings(self.known), self.path.display()));
        Ok(())
    }
    /// A file's path from the baseline's folder, the same on every machine.
    fn name(&self, path: &Path) -> String {
        let shared = self.folder.ancestors().position(|folder| path.starts_with(folder));
        let from = shared.and_then(|up| Some((up, self.folder.ancestors().nth(up)?)));
        let name = match from.and_then(|(up, folder)| Some((up, path.strip_prefix(folder).ok()?))) {
            Some((up, inside)) => "../".repeat(up) + &inside.to_string_lossy(),
            // Another drive.
            None => path.to_string_lossy().into_owned(),
        };
        name.replace('\\', "/")
    }
    fn key(&self, source: &Source, found: &Found) -> Key {
        Key {
            file: self.name(&source.path),
            rule: found.rule.to_owned(),
            line: found.line.clone(),
            message: found.message.clone(),
        }
    }
}

fn findings(count: usize) -> String {
    if count == 1 { "1 finding".into() } else { format!("{count} findings") }
}
