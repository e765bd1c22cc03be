//! `textDocument/diagnostic`, and what is pushed where the client does not ask.

use std::time::Duration;

use tower_lsp::ls_types::{Diagnostic, Uri};
use tracer_core::text::LineIndex;

use crate::lsp::{State, convert};

/// How long a request waits for the analysis of the text as it is now.
const PATIENCE: Duration = Duration::from_secs(5);

/// The answer: of the current text if its analysis finishes in time, of the last analyzed one otherwise.
pub async fn answer(state: &State, uri: &Uri) -> Vec<Diagnostic> {
    let mut finished = state.finished.subscribe();
    let fresh = || match state.documents().get(uri) {
        Some(document) => document.finished.as_ref().is_some_and(|f| f.version == document.version),
        None => true,
    };
    let wait = async { while !fresh() && finished.changed().await.is_ok() {} };
    let _ = tokio::time::timeout(PATIENCE, wait).await;
    current(state, uri)
}

/// The diagnostics of a document, positions mapped through the edits since its analysis.
pub fn current(state: &State, uri: &Uri) -> Vec<Diagnostic> {
    let utf8 = state.abilities().utf8;
    let documents = state.documents();
    let Some(document) = documents.get(uri) else { return Vec::new() };
    let Some(finished) = &document.finished else { return Vec::new() };
    let Some(own) = finished.file else { return Vec::new() };
    let analysis = &finished.analysis;
    let text = document.text.to_string();
    let index = LineIndex::new(&text);
    let range_of = |file: usize, span| {
        if file == own {
            return Some(convert::range(&index, &text, document.to_current(span)?, utf8));
        }
        let other = &analysis.files[file].text;
        Some(convert::range(&LineIndex::new(other), other, span, utf8))
    };
    let here = analysis.problems.iter().filter(|p| p.frames.first().is_some_and(|(f, ..)| *f == own));
    here.filter_map(|p| convert::problem(analysis, p, range_of)).collect()
}
