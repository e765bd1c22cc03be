//! The settings of the files of a run or a command: each folder's are read once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tracer_core::analysis::Analysis;
use tracer_core::diagnostics::{Diagnostic, diagnose};

use super::{Layer, Settings};

/// Settings by folder.
#[derive(Default)]
pub struct Projects {
    over: Layer,
    known: HashMap<PathBuf, Rc<Settings>>,
    warnings: Vec<String>,
    told: HashSet<String>,
}

impl Projects {
    /// Those over which a layer stands.
    pub fn new(over: Layer) -> Projects {
        Projects { over, ..Projects::default() }
    }
    /// The settings of a file.
    pub fn of_file(&mut self, file: &Path) -> Rc<Settings> {
        let folder = file.parent().unwrap_or(file);
        if let Some(settings) = self.known.get(folder) {
            return settings.clone();
        }
        let settings = Rc::new(self.over.of_file(file));
        for warning in &settings.warnings {
            if self.told.insert(warning.clone()) {
                self.warnings.push(warning.clone());
            }
        }
        self.known.insert(folder.to_owned(), settings.clone());
        settings
    }
    /// What is wrong with settings that were read since the last time, each said once.
    pub fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
    /// What a run found wrong, as the settings of each file want it told.
    pub fn diagnose(&mut self, analysis: &Analysis) -> Vec<Diagnostic> {
        self.judge(diagnose(analysis), |file| &analysis.files[file].path)
    }
    /// What the settings of each file want told; `path` is where a file of the run is.
    pub fn judge<'a>(&mut self, mut found: Vec<Diagnostic>, path: impl Fn(usize) -> &'a Path) -> Vec<Diagnostic> {
        found.retain_mut(|diagnostic| {
            let file = path(diagnostic.at.file);
            let severity = self.of_file(file).rules.judge(diagnostic.rule, diagnostic.severity, file);
            diagnostic.severity = severity.unwrap_or(diagnostic.severity);
            severity.is_some()
        });
        found
    }
}
