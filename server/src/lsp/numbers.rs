//! What functions gave when they were evaluated: kept until a text that the run has read is edited.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tower_lsp::ls_types::Uri;
use tracer_core::analysis::{Analysis, EvalFact};
use tracer_core::diagnostics::{Diagnostic, Range, Related, Severity};
use tracer_core::text::Span;

use super::documents::{Documents, Finished, View};
use crate::evaluated;

/// So many evaluations are kept.
const MOST: usize = 16;

/// The rule's name of the diagnostic.
pub const NON_FINITE: &str = "non-finite";

/// The revision of the documents that a run saw, and where the cells of its notebook were.
pub type Seen = (u64, Vec<(Uri, Span)>);

/// Evaluations, the latest last.
#[derive(Default)]
pub struct Kept(Mutex<Vec<(String, Arc<Finished>)>>);

impl Kept {
    fn all(&self) -> MutexGuard<'_, Vec<(String, Arc<Finished>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what a function of a program gave, for what it gave before.
    pub fn put(&self, script: Uri, function: &str, (revision, cells): Seen, analysis: Analysis) {
        let diagnostics = analysis.evaluated.iter().filter_map(|fact| diagnostic(&analysis, fact)).collect();
        let finished = Arc::new(Finished { analysis, diagnostics, revision, script, cells });
        let mut all = self.all();
        all.retain(|(name, other)| name != function || other.script != finished.script);
        all.push((function.to_owned(), finished));
        let many = all.len().saturating_sub(MOST);
        all.drain(..many);
    }

    /// The evaluations of which every text is still the one that was read.
    pub fn current(&self, documents: &Documents) -> Vec<Arc<Finished>> {
        let mut all = self.all();
        all.retain(|(_, finished)| {
            finished.analysis.files.iter().all(|file| match documents.at_path(&file.path) {
                Some((_, document)) if document.cells.is_some() => documents.program(document).text == *file.text,
                Some((_, document)) => View::new(document, finished).is_some_and(|view| view.is_exact()),
                None => true,
            })
        });
        all.iter().map(|(_, finished)| finished.clone()).collect()
    }
}

/// What makes the first number that is none, as a diagnostic at the user's expression.
fn diagnostic(analysis: &Analysis, fact: &EvalFact) -> Option<Diagnostic> {
    // Of numbers that nobody has nothing is said in the program's text.
    let found = fact.nonfinite.as_ref().filter(|_| !fact.made_up)?;
    let (file, span) = found.at?;
    let mut related: Vec<Related> = Vec::new();
    for step in &found.path {
        let Some((file, span)) = step.at.filter(|(file, _)| *file < analysis.files.len()) else { continue };
        let at = Range { file, span };
        // Of several equations of an expression the last one gives its value.
        if related.last().is_none_or(|last| last.at != at) {
            let message = format!(
                "the operand comes from here: `{}` gives {}",
                step.primitive,
                evaluated::short_line(&step.output)
            );
            related.push(Related { at, message });
        }
    }
    if let Some((file, span)) = fact.called {
        related.push(Related { at: Range { file, span }, message: format!("of this call of `{}`", fact.function) });
    }
    Some(Diagnostic {
        at: Range { file, span },
        rule: NON_FINITE,
        severity: Severity::Warning,
        message: evaluated::made(found),
        help: None,
        related,
        fixes: Vec::new(),
    })
}

/// What the expression at a range was, a line each time it differs.
pub fn at(kept: &[Arc<Finished>], documents: &Documents, uri: &Uri, span: Span) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for finished in kept {
        let Some(view) = documents.get(uri).and_then(|document| View::new(document, finished)) else { continue };
        let Some(span) = view.then(span) else { continue };
        for fact in &finished.analysis.evaluated {
            for numbers in fact.values.iter().filter(|numbers| numbers.at == (view.file, span)) {
                let times =
                    if numbers.times > 1 { format!(" (the last of {} times)", numbers.times) } else { String::new() };
                for summary in &numbers.last {
                    let line = format!("`{}`{times}", evaluated::short_line(summary));
                    if !lines.contains(&line) {
                        lines.push(line);
                    }
                }
            }
        }
    }
    lines
}
