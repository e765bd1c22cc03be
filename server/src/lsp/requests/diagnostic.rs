//! `textDocument/diagnostic`, and what is pushed where the client does not ask.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use ropey::Rope;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Location,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
    Uri,
};
use tracer_core::diagnostics::{self, Range, Severity};

use crate::lsp::documents::{Document, Documents, Finished, View};
use crate::lsp::{State, convert};

/// How long a request waits for the analysis of the text as it is now.
const PATIENCE: Duration = Duration::from_secs(5);

/// The diagnostics of a document.
pub struct Report {
    /// The diagnostics.
    pub items: Vec<Diagnostic>,
    /// The document's version.
    pub version: i32,
    /// Whether they come from an analysis of everything as it is now.
    pub fresh: bool,
    /// Differs where the diagnostics differ.
    pub digest: u64,
}

impl Report {
    /// Differs where the diagnostics or the version differ.
    pub fn digest_of_version(&self) -> u64 {
        digest(&(self.digest, self.version))
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The answer: of the current text if its analysis finishes in time, of the last analyzed one otherwise.
///
/// # Errors
/// If the analysis failed by a bug of ours.
pub async fn answer(state: &State, uri: &Uri, previous: Option<&str>) -> Result<DocumentDiagnosticReport> {
    let mut finished = state.finished.subscribe();
    let waiting = || state.documents().runner(uri).is_some_and(|d| !d.is_current() && failure(d).is_none());
    let wait = async { while waiting() && finished.changed().await.is_ok() {} };
    let _ = tokio::time::timeout(PATIENCE, wait).await;
    if let Some(failure) = state.documents().runner(uri).and_then(failure) {
        let mut error = Error::internal_error();
        error.message = format!("the analysis failed by a bug of jitlens: {failure}").into();
        return Err(error);
    }
    let Some(report) = current(state, uri) else {
        return Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport::default()));
    };
    state.tells(uri, report.digest);
    let id = report.digest.to_string();
    Ok(if previous == Some(&id) {
        let same = UnchangedDocumentDiagnosticReport { result_id: id };
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            unchanged_document_diagnostic_report: same,
            related_documents: None,
        })
    } else {
        let full = FullDocumentDiagnosticReport { result_id: Some(id), items: report.items };
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            full_document_diagnostic_report: full,
            ..Default::default()
        })
    })
}

/// How the analysis of the current text failed, if it did.
fn failure(document: &Document) -> Option<String> {
    document.failed.as_ref().filter(|(revision, _)| *revision >= document.needs).map(|(_, text)| text.clone())
}

/// The diagnostics of a document as the analyses of all open ones know them, positions moved with the edits since.
pub fn current(state: &State, uri: &Uri) -> Option<Report> {
    let abilities = state.abilities();
    let utf8 = abilities.utf8;
    let documents = state.documents();
    let document = documents.get(uri)?;
    let mut items: Vec<Diagnostic> = Vec::new();
    let kept = state.numbers.current(&documents);
    let numbers = kept.iter().filter_map(|finished| View::new(document, finished));
    for view in documents.views(uri).into_iter().chain(numbers) {
        let files = &view.finished.analysis.files;
        let is_open: Vec<bool> = files.iter().map(|f| documents.at_path(&f.path).is_some()).collect();
        for diagnostic in &view.finished.diagnostics {
            let Some(home) = home(diagnostic, |file| is_open[file]).filter(|home| home.file == view.file) else {
                continue;
            };
            let Some(now) = view.now(home.span) else { continue };
            let range = convert::range(&document.text, now, utf8);
            let mut item =
                convert::diagnostic(diagnostic, range, abilities, |at| locate(&documents, view.finished, at, utf8));
            if home != diagnostic.at
                && let Some(location) = locate(&documents, view.finished, diagnostic.at, utf8)
            {
                let raised = DiagnosticRelatedInformation { location, message: "it happens here".into() };
                item.related_information.get_or_insert_default().insert(0, raised);
            }
            if !items.iter().any(|i| i.range == item.range && i.message == item.message) {
                items.push(item);
            }
        }
    }
    items.sort_by_key(|i| (i.range.start, i.range.end));
    let digest = digest(&serde_json::to_string(&items).unwrap_or_default());
    Some(Report {
        items,
        version: document.version,
        fresh: documents.runner(uri).is_some_and(Document::is_current),
        digest,
    })
}

/// Where a diagnostic is shown: where it is, or, if that file is not open, where an open one leads to an error.
fn home(diagnostic: &diagnostics::Diagnostic, is_open: impl Fn(usize) -> bool) -> Option<Range> {
    let calls = diagnostic.related.iter().map(|r| r.at).filter(|_| diagnostic.severity == Severity::Error);
    std::iter::once(diagnostic.at).chain(calls).find(|at| is_open(at.file))
}

/// Where a range of an analyzed file is now.
fn locate(documents: &Documents, finished: &Finished, Range { file, span }: Range, utf8: bool) -> Option<Location> {
    let facts = finished.analysis.files.get(file)?;
    match documents.at_path(&facts.path) {
        Some(_) => {
            let (document, now) = documents.placed(finished, file, span)?;
            Some(Location { uri: document.uri.clone(), range: convert::range(&document.text, now, utf8) })
        }
        None => {
            let uri = Uri::from_file_path(&facts.path)?;
            Some(Location { uri, range: convert::range(&Rope::from_str(&facts.text), span, utf8) })
        }
    }
}
