//! What a run found wrong, as plain data that can be kept: the files of the run, and diagnostics.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracer_core::analysis::{Analysis, Disk, Vfs, Wanted};
use tracer_core::diagnostics::{Diagnostic, Fix, Range, Related, Severity, diagnose};

use super::program::Runs;
use crate::rules;

/// A file of a run.
#[derive(Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// The text that was analyzed; empty where nothing is found in the file.
    pub text: Arc<str>,
}

/// What a run found wrong.
#[derive(Debug, Default)]
pub struct Report {
    /// The user's files that were loaded.
    pub files: Vec<Source>,
    /// What the settings want told.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is kept of a run: all that was found, whatever the settings say of it.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// Paths of the files, and how long the texts are.
    files: Vec<(PathBuf, usize)>,
    rows: Vec<Row>,
}

/// A diagnostic whose rule is text.
#[derive(Serialize, Deserialize)]
struct Row {
    at: Range,
    rule: String,
    severity: Severity,
    message: String,
    help: Option<String>,
    related: Vec<Related>,
    fixes: Vec<Fix>,
}

impl From<Diagnostic> for Row {
    fn from(it: Diagnostic) -> Row {
        let Diagnostic { at, rule, severity, message, help, related, fixes } = it;
        Row { at, rule: rule.to_owned(), severity, message, help, related, fixes }
    }
}

impl Row {
    fn diagnostic(self) -> Option<Diagnostic> {
        let Row { at, rule, severity, message, help, related, fixes } = self;
        Some(Diagnostic { at, rule: rules::get(&rule)?.name, severity, message, help, related, fixes })
    }
}

impl Report {
    /// What is wrong with a file that is run as a script, and with what it imports.
    ///
    /// # Errors
    /// What is wrong with the file itself.
    pub fn of(runs: &mut Runs, file: &Path) -> Result<Report, String> {
        let mut texts = None;
        let wanted = Wanted { tests: runs.tests, ..Wanted::default() };
        let outcome = runs.outcome(file, "check", wanted, |analysis: &Analysis| {
            texts = Some(analysis.files.iter().map(|facts| facts.text.clone()).collect::<Vec<_>>());
            let files = analysis.files.iter().map(|facts| (facts.path.clone(), facts.text.len()));
            Outcome { files: files.collect(), rows: diagnose(analysis).into_iter().map(Row::from).collect() }
        })?;
        let Outcome { files, rows } = outcome;
        let rows: Option<Vec<Diagnostic>> = rows.into_iter().map(Row::diagnostic).collect();
        let sources = match texts {
            Some(texts) => Some(texts),
            None => rows.as_ref().and_then(|rows| read(&files, rows)),
        };
        let (Some(found), Some(texts)) = (rows, sources) else {
            // A file that has changed since the outcome was found to hold.
            let analysis = runs.analyze(file)?;
            let source = |facts: &tracer_core::analysis::FileFacts| Source {
                path: facts.path.clone(),
                text: facts.text.clone(),
            };
            let sources = analysis.files.iter().map(source).collect();
            return Ok(Report::judged(runs, sources, diagnose(&analysis)));
        };
        let sources = files.into_iter().zip(texts).map(|((path, _), text)| Source { path, text });
        Ok(Report::judged(runs, sources.collect(), found))
    }
    fn judged(runs: &mut Runs, files: Vec<Source>, found: Vec<Diagnostic>) -> Report {
        let diagnostics = runs.judge(found, |file| &files[file].path);
        Report { files, diagnostics }
    }
}

/// The texts of files in which something was found.
fn read(files: &[(PathBuf, usize)], found: &[Diagnostic]) -> Option<Vec<Arc<str>>> {
    let mut texts: Vec<Arc<str>> = vec![Arc::from(""); files.len()];
    let places = found.iter().flat_map(|diagnostic| {
        let related = diagnostic.related.iter().map(|related| related.at);
        let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.iter().map(|(at, _)| *at));
        std::iter::once(diagnostic.at).chain(related).chain(edits)
    });
    for at in places {
        let (path, length) = files.get(at.file)?;
        if texts[at.file].is_empty() && *length > 0 {
            texts[at.file] = Disk.read(path).filter(|text| text.len() == *length)?;
        }
    }
    Some(texts)
}
