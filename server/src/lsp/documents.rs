//! Open documents: their text, edits in order, and the last finished analysis.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use ropey::Rope;
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, Uri};
use tracer_core::analysis::Analysis;
use tracer_core::text::{Edit, Span};

use super::convert;

/// A finished analysis with the place of the document in it.
pub struct Finished {
    /// The facts.
    pub analysis: Analysis,
    /// The document's own file in [`Analysis::files`].
    pub file: Option<usize>,
    /// The document's version that was analyzed.
    pub version: i32,
}

/// An open document.
pub struct Document {
    /// Where it is on disk, if it is.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: Rope,
    /// Its version.
    pub version: i32,
    /// Edits since the last finished analysis, oldest first.
    edits: Vec<Edit>,
    /// The last finished analysis.
    pub finished: Option<Arc<Finished>>,
}

impl Document {
    /// Where an offset of the current text is in the analyzed one; `None` inside of what was typed since.
    pub fn to_analyzed(&self, mut offset: u32) -> Option<u32> {
        for edit in self.edits.iter().rev() {
            let (start, new_end) = (edit.range.start, edit.range.start + edit.text.len() as u32);
            if offset > new_end || offset == new_end && !edit.text.is_empty() {
                offset = offset - new_end + edit.range.end;
            } else if offset > start {
                return None;
            }
        }
        Some(offset)
    }

    /// Where a range of the analyzed text is now; `None` if an edit touched it.
    pub fn to_current(&self, mut span: Span) -> Option<Span> {
        for edit in &self.edits {
            let touched = edit.range.start < span.end && edit.range.end > span.start;
            if touched {
                return None;
            }
            if edit.range.end <= span.start {
                let shift = |at: u32| at - edit.range.end + edit.range.start + edit.text.len() as u32;
                span = Span { start: shift(span.start), end: shift(span.end) };
            }
        }
        Some(span)
    }
}

/// The open documents.
#[derive(Default)]
pub struct Documents(HashMap<Uri, Document>);

impl Documents {
    /// A document was opened.
    pub fn open(&mut self, uri: Uri, version: i32, text: &str) {
        let path = uri.to_file_path().map(|p| p.into_owned());
        let document = Document { path, text: Rope::from_str(text), version, edits: Vec::new(), finished: None };
        self.0.insert(uri, document);
    }
    /// A document was closed.
    pub fn close(&mut self, uri: &Uri) {
        self.0.remove(uri);
    }
    /// A document was edited.
    pub fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>, utf8: bool) {
        let Some(document) = self.0.get_mut(uri) else { return };
        document.version = version;
        for change in changes {
            let range = match change.range {
                Some(range) => convert::span_in_rope(&document.text, range, utf8),
                None => Span::new(0, document.text.len_bytes()),
            };
            let (start, end) =
                (document.text.byte_to_char(range.start as usize), document.text.byte_to_char(range.end as usize));
            document.text.remove(start..end.max(start));
            document.text.insert(start, &change.text);
            document.edits.push(Edit { range, text: change.text });
        }
    }
    /// A document.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.0.get(uri)
    }
    /// The open documents' names.
    pub fn uris(&self) -> Vec<Uri> {
        self.0.keys().cloned().collect()
    }
    /// The open texts by path.
    pub fn texts(&self) -> HashMap<PathBuf, Arc<str>> {
        let open = self.0.values().filter_map(|d| Some((d.path.clone()?, Arc::from(d.text.to_string()))));
        open.collect()
    }
    /// An analysis has finished: `edits_then` is how many edits there were when it started.
    pub fn finish(&mut self, uri: &Uri, finished: Arc<Finished>, edits_then: usize) {
        if let Some(document) = self.0.get_mut(uri) {
            document.edits.drain(..edits_then.min(document.edits.len()));
            document.finished = Some(finished);
        }
    }
    /// How many edits a document has had since its last finished analysis.
    pub fn edits(&self, uri: &Uri) -> usize {
        self.0.get(uri).map_or(0, |d| d.edits.len())
    }
}
