//! Open documents: their text, edits in order, and the last finished analyses.
//!
//! Everything that changes what an analysis would find gets a number from one counter, the revision. An analysis knows the
//! revision that it saw, a document the revision from which on an analysis is current.

mod callers;
mod notebook;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ropey::Rope;
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, Uri};
use tracer_core::analysis::{Analysis, Disk, FileFacts, Vfs};
use tracer_core::diagnostics::Diagnostic;
use tracer_core::notebook::is_notebook;
use tracer_core::text::{Edit, Span};

use self::callers::Callers;
use super::convert;
use super::reproducers::Ties;

/// A finished analysis of a document.
pub struct Finished {
    /// The facts.
    pub analysis: Analysis,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The revision that it saw.
    pub revision: u64,
    /// The document that was run.
    pub script: Uri,
    /// If that is a notebook: where its cells are in the text of its file.
    pub cells: Vec<(Uri, Span)>,
}

impl Finished {
    /// The place of a file in it.
    pub fn file(&self, path: &Path) -> Option<usize> {
        self.analysis.files.iter().position(|f| f.path == path)
    }
}

/// An open document.
pub struct Document {
    /// Its name.
    pub uri: Uri,
    /// Where it is on disk; a name of its own if it is nowhere. Of a cell that of its notebook.
    pub path: PathBuf,
    /// The notebook that it is a cell of.
    pub notebook: Option<Uri>,
    /// If it is a notebook: its cells, and which of them are of code. It has no text of its own.
    pub cells: Option<Vec<(Uri, bool)>>,
    /// Its text.
    pub text: Rope,
    /// Its version.
    pub version: i32,
    /// The text with which it was opened, and when that was.
    opened: (Arc<str>, u64),
    /// Edits since it was opened that some analysis has not seen, oldest first.
    edits: Vec<(u64, Edit)>,
    /// An analysis that saw this revision or a later one is current.
    pub needs: u64,
    /// The revision whose analysis failed, and how.
    pub failed: Option<(u64, String)>,
    /// The last finished analysis that started at this document.
    pub finished: Option<Arc<Finished>>,
    /// What the client was last told of it.
    pub told: Option<u64>,
}

impl Document {
    fn new(uri: Uri, version: i32, text: &str, revision: u64) -> Document {
        Document {
            path: path_of(&uri),
            uri,
            notebook: None,
            cells: None,
            text: Rope::from_str(text),
            version,
            opened: (text.into(), revision),
            edits: Vec::new(),
            needs: revision,
            failed: None,
            finished: None,
            told: None,
        }
    }
    /// Whether its last analysis saw all that it depends on as it is now.
    pub fn is_current(&self) -> bool {
        self.finished.as_ref().is_some_and(|f| f.revision >= self.needs)
    }
    /// The edits since a revision; `None` where what was analyzed then was another text.
    fn edits_since(&self, revision: u64, analyzed: &str) -> Option<&[(u64, Edit)]> {
        if self.opened.1 > revision && *analyzed != *self.opened.0 {
            return None;
        }
        Some(&self.edits[self.edits.partition_point(|(at, _)| *at <= revision)..])
    }
    fn edit(&mut self, revision: u64, mut range: Span, text: &str) -> &Edit {
        let (start, end) = (self.text.byte_to_char(range.start as usize), self.text.byte_to_char(range.end as usize));
        let old = self.text.slice(start..end).to_string();
        self.text.remove(start..end);
        self.text.insert(start, text);
        // What both have in common was not edited: clients send whole texts, or lines.
        let same = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
            a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
        };
        let front = same(&mut old.chars(), &mut text.chars());
        let back = same(&mut old[front..].chars().rev(), &mut text[front..].chars().rev());
        range = Span { start: range.start + front as u32, end: range.end - back as u32 };
        self.edits.push((revision, Edit { range, text: text[front..text.len() - back].to_owned() }));
        &self.edits[self.edits.len() - 1].1
    }
}

/// What an analysis knows of a document, with positions as they are now.
pub struct View<'a> {
    /// The facts of the document's text as it was.
    pub facts: &'a FileFacts,
    /// The whole analysis.
    pub finished: &'a Finished,
    /// The document's place in it.
    pub file: usize,
    /// What of the file's text is the document's: the whole of it, or a cell of a notebook.
    part: Option<Span>,
    edits: &'a [(u64, Edit)],
}

impl<'a> View<'a> {
    /// What an analysis knows of a document, if it has read it.
    pub fn new(document: &'a Document, finished: &'a Finished) -> Option<View<'a>> {
        let file = finished.file(&document.path)?;
        let facts = &finished.analysis.files[file];
        let part = match document.notebook {
            Some(_) => Some(finished.cells.iter().find(|(uri, _)| *uri == document.uri)?.1),
            None => None,
        };
        let analyzed = part.map_or(&*facts.text, |part| &facts.text[part.start as usize..part.end as usize]);
        let edits = document.edits_since(finished.revision, analyzed)?;
        Some(View { facts, finished, file, part, edits })
    }
    /// Whether the text is the one that was analyzed, whole.
    pub fn is_exact(&self) -> bool {
        self.edits.is_empty() && self.part.is_none()
    }
    /// What of a range is in the document.
    pub fn clip(&self, span: Span) -> Span {
        self.part.map_or(span, |part| Span { start: span.start.max(part.start), end: span.end.min(part.end) })
    }
    /// Where a range of the current text was; `None` if an edit touched it.
    pub fn then(&self, mut span: Span) -> Option<Span> {
        for (_, edit) in self.edits.iter().rev() {
            let (start, end) = (edit.range.start, edit.range.start + edit.text.len() as u32);
            if start < span.end && end > span.start {
                return None;
            }
            if end <= span.start {
                let shift = |at: u32| at - end + edit.range.end;
                span = Span { start: shift(span.start), end: shift(span.end) };
            }
        }
        let start = self.part.map_or(0, |part| part.start);
        Some(Span { start: span.start + start, end: span.end + start })
    }
    /// Where a range of the analyzed text is now, with what was edited inside of it; `None` if an edit touched its ends.
    pub fn around(&self, span: Span) -> Option<Span> {
        let edge = |at: u32| self.now(Span { start: at, end: at + 1 });
        let last = span.end.checked_sub(1).filter(|last| *last >= span.start)?;
        Some(Span { start: edge(span.start)?.start, end: edge(last)?.end })
    }
    /// Where a range of the analyzed text is now; `None` if an edit touched it, or it is in another cell.
    pub fn now(&self, mut span: Span) -> Option<Span> {
        if let Some(part) = self.part {
            let end = span.end.checked_sub(part.start).filter(|_| span.end <= part.end)?;
            span = Span { start: span.start.checked_sub(part.start)?, end };
        }
        for (_, edit) in self.edits {
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
pub struct Documents {
    open: HashMap<Uri, Document>,
    revision: u64,
    /// Where the lines of reproducers come from.
    pub ties: Ties,
    /// Analyses of files that are not open, and call into those that are.
    callers: Callers,
}

impl Documents {
    /// A new revision.
    pub fn tick(&mut self) -> u64 {
        self.revision += 1;
        self.revision
    }
    /// The revision that an analysis that starts now sees.
    pub fn revision(&self) -> u64 {
        self.revision
    }
    /// A document was opened. True if its text is not the one on disk.
    pub fn open(&mut self, uri: Uri, version: i32, text: &str) -> bool {
        let revision = self.tick();
        let document = Document::new(uri.clone(), version, text, revision);
        // A notebook that is opened as the text that it is would be taken for a program.
        if is_notebook(&document.path) {
            return false;
        }
        let differs = std::fs::read_to_string(&document.path).ok().as_deref() != Some(text);
        self.callers.opened(&document.path);
        self.open.insert(uri, document);
        differs
    }
    /// A document was closed. True if its text is not the one on disk.
    pub fn close(&mut self, uri: &Uri) -> bool {
        self.tick();
        let Some(document) = self.open.remove(uri) else { return false };
        self.callers.closed(uri);
        std::fs::read_to_string(&document.path).ok().is_none_or(|text| document.text != text.as_str())
    }
    /// A document was edited.
    pub fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>, utf8: bool) {
        let revision = self.tick();
        let Some(document) = self.open.get_mut(uri) else { return };
        document.version = version;
        let mut edits = Vec::new();
        for change in changes {
            let range = match change.range {
                Some(range) => convert::span(&document.text, range, utf8),
                None => Span::new(0, document.text.len_bytes()),
            };
            edits.push((document.edit(revision, range, &change.text).clone(), document.text.clone()));
        }
        let path = document.path.clone();
        for (edit, text) in edits {
            let is_cell = self.open.get(uri).is_some_and(|document| document.notebook.is_some());
            let (edit, text) = if is_cell { self.in_program(uri, edit) } else { (edit, text) };
            self.ties.edited(&path, &edit, &text);
        }
    }
    /// A document.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri)
    }
    /// A document.
    pub fn get_mut(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }
    /// The open document of a file.
    pub fn at_path(&self, path: &Path) -> Option<(&Uri, &Document)> {
        self.open.iter().find(|(_, d)| d.path == path && d.notebook.is_none())
    }
    /// The names of the documents that are run, in order: all but the cells of notebooks.
    pub fn scripts(&self) -> Vec<Uri> {
        self.names(|document| document.notebook.is_none())
    }
    /// The names of the documents that are looked at, in order: all but notebooks, which have their cells.
    pub fn uris(&self) -> Vec<Uri> {
        self.names(|document| document.cells.is_none())
    }
    fn names(&self, wanted: impl Fn(&Document) -> bool) -> Vec<Uri> {
        let mut all: Vec<Uri> = self.open.values().filter(|d| wanted(d)).map(|d| d.uri.clone()).collect();
        all.sort();
        all
    }
    /// The present text of a file, open or not.
    pub fn text_of(&self, path: &Path) -> Option<Rope> {
        match self.at_path(path) {
            Some((_, document)) => Some(self.whole(document)),
            None => Some(Rope::from_str(&Disk.read(path)?)),
        }
    }
    /// The open texts by path.
    pub fn texts(&self) -> HashMap<PathBuf, Rope> {
        let scripts = self.open.values().filter(|d| d.notebook.is_none());
        scripts.map(|d| (d.path.clone(), self.whole(d))).collect()
    }
    /// The text that is run of a document.
    fn whole(&self, document: &Document) -> Rope {
        match document.cells {
            Some(_) => Rope::from_str(&self.program(document).text),
            None => document.text.clone(),
        }
    }
    /// The other open documents that an edit of a file may matter to: those whose last analysis has read it, or that have
    /// none.
    pub fn dependents(&self, path: &Path) -> Vec<Uri> {
        let reads = |d: &Document| d.finished.as_ref().is_none_or(|f| f.file(path).is_some());
        let mut all: Vec<Uri> = self
            .open
            .iter()
            .filter(|(_, d)| d.path != path && d.notebook.is_none() && reads(d))
            .map(|(uri, _)| uri.clone())
            .collect();
        all.sort();
        all
    }
    /// An analysis has finished.
    pub fn finish(&mut self, uri: &Uri, finished: Arc<Finished>) {
        if let Some(document) = self.open.get_mut(uri) {
            document.finished = Some(finished);
            document.failed = None;
        }
        // Edits that every analysis has seen are no longer needed.
        let finished = self.open.values().filter_map(|d| d.finished.as_ref()).chain(self.callers.finished());
        let seen = finished.map(|f| f.revision).min().unwrap_or(0);
        for document in self.open.values_mut().filter(|d| d.opened.1 <= seen) {
            let old = document.edits.partition_point(|(at, _)| *at <= seen);
            if let Some((last, _)) = old.checked_sub(1).map(|i| &document.edits[i]) {
                document.opened.1 = *last;
                document.opened.0 = "".into();
            }
            document.edits.drain(..old);
        }
    }
    /// What the analyses know of a document: its own first, those of its callers last.
    pub fn views(&self, uri: &Uri) -> Vec<View<'_>> {
        let Some(document) = self.open.get(uri) else { return Vec::new() };
        let Some(runner) = self.runner(uri) else { return Vec::new() };
        let mut others: Vec<(&Uri, &Document)> = self.open.iter().filter(|(u, _)| **u != runner.uri).collect();
        others.sort_by_key(|(u, _)| *u);
        let own = runner.finished.iter();
        let all = own.chain(others.into_iter().filter_map(|(_, d)| d.finished.as_ref())).chain(self.callers.finished());
        all.filter_map(|finished| View::new(document, finished)).collect()
    }
}

/// The path of a document; what is not on disk gets one that no file has.
fn path_of(uri: &Uri) -> PathBuf {
    let on_disk = uri.scheme().as_str() == "file";
    let path = on_disk.then(|| uri.to_file_path()).flatten();
    path.map_or_else(|| PathBuf::from(uri.as_str()), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use tracer_core::python::FileId;

    use super::*;

    fn document(text: &str) -> (Documents, Uri) {
        let uri: Uri = "untitled:a.py".parse().unwrap();
        let mut documents = Documents::default();
        documents.open(uri.clone(), 1, text);
        (documents, uri)
    }

    fn view<'a>(documents: &'a Documents, uri: &Uri, facts: &'a FileFacts, finished: &'a Finished) -> View<'a> {
        let edits = documents.get(uri).unwrap().edits_since(finished.revision, &facts.text).unwrap();
        View { facts, finished, file: 0, part: None, edits }
    }

    #[test]
    fn ranges_move_with_edits_and_back() {
        let (mut documents, uri) = document("ab cd ef");
        let facts = FileFacts {
            id: FileId(0),
            path: PathBuf::new(),
            text: "ab cd ef".into(),
            module: Arc::default(),
            exprs: Vec::new(),
            functions: Vec::new(),
        };
        let finished = Finished {
            analysis: Analysis::default(),
            diagnostics: Vec::new(),
            revision: documents.revision(),
            script: uri.clone(),
            cells: Vec::new(),
        };
        let revision = documents.tick();
        documents.get_mut(&uri).unwrap().edit(revision, Span { start: 3, end: 5 }, "xyz");
        documents.get_mut(&uri).unwrap().edit(revision, Span { start: 0, end: 0 }, "__");
        let view = view(&documents, &uri, &facts, &finished);
        let span = |start, end| Span { start, end };
        assert_eq!(documents.get(&uri).unwrap().text, "__ab xyz ef");
        assert_eq!(view.now(span(0, 2)), Some(span(2, 4)));
        assert_eq!(view.now(span(3, 5)), None);
        assert_eq!(view.now(span(0, 5)), None);
        assert_eq!(view.now(span(6, 8)), Some(span(9, 11)));
        for range in [span(0, 2), span(6, 8)] {
            assert_eq!(view.then(view.now(range).unwrap()), Some(range));
        }
        assert_eq!(view.then(span(5, 8)), None);
    }

    #[test]
    fn a_whole_new_text_edits_only_what_differs() {
        let (mut documents, uri) = document("first\nsecond\nthird\n");
        let all =
            TextDocumentContentChangeEvent { range: None, range_length: None, text: "first\nsöcond\nthird\n".into() };
        documents.change(&uri, 2, vec![all], false);
        let document = documents.get(&uri).unwrap();
        assert_eq!(document.edits[0].1, Edit { range: Span { start: 7, end: 8 }, text: "ö".into() });
        assert_eq!(document.text, "first\nsöcond\nthird\n");
    }
}
