//! `syntax`: text that Python cannot parse.

use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;

/// The first fault of each file, as Python reports it.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let first = analysis.files.iter().enumerate().filter_map(|(file, facts)| Some((file, facts.module.notes.first()?)));
    let found = first.map(|(file, note)| Diagnostic {
        at: Range { file, span: note.span },
        rule: "syntax",
        severity: Severity::Error,
        message: format!("SyntaxError: {}", note.message),
        help: None,
        related: Vec::new(),
        fixes: Vec::new(),
    });
    found.collect()
}
