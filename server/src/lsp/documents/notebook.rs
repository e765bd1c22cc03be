//! Notebooks: a document that is run, of which the cells are documents that are looked at.
//!
//! A cell is a document like others, with its own text and edits. What an analysis knows of it are the ranges of the notebook's program that
//! were the cell's when the program was made.

use std::path::Path;

use ropey::Rope;
use tower_lsp::ls_types::{
    NotebookCell, NotebookCellKind, NotebookDocument, NotebookDocumentCellChange, TextDocumentItem, Uri,
};
use tracer_core::notebook;
use tracer_core::text::{Edit, Span};

use super::{Document, Documents, Finished, View, path_of};

/// The program that a notebook's cells make.
pub struct Program {
    /// Its text.
    pub text: String,
    /// Where the cells are in it.
    pub cells: Vec<(Uri, Span)>,
}

impl Documents {
    /// A notebook was opened.
    pub fn open_notebook(&mut self, notebook: NotebookDocument, texts: Vec<TextDocumentItem>) {
        let revision = self.tick();
        let cells = notebook.cells.iter().map(known).collect();
        let mut document = Document::new(notebook.uri.clone(), notebook.version, "", revision);
        document.cells = Some(cells);
        self.open.insert(notebook.uri.clone(), document);
        self.open_cells(&notebook.uri, texts);
    }
    fn open_cells(&mut self, notebook: &Uri, texts: Vec<TextDocumentItem>) {
        let revision = self.revision;
        for text in texts {
            let mut document = Document::new(text.uri.clone(), text.version, &text.text, revision);
            document.path = path_of(notebook);
            document.opened.0 = as_part(&text.text).into();
            document.notebook = Some(notebook.clone());
            self.open.insert(text.uri, document);
        }
    }
    /// A notebook was edited: cells came, went or were moved, or their texts were edited.
    pub fn change_notebook(&mut self, uri: &Uri, version: i32, change: NotebookDocumentCellChange, utf8: bool) {
        self.tick();
        let Some(document) = self.open.get_mut(uri) else { return };
        document.version = version;
        if let Some(structure) = change.structure {
            if let Some(cells) = &mut document.cells {
                let start = (structure.array.start as usize).min(cells.len());
                let end = start.saturating_add(structure.array.delete_count as usize).min(cells.len());
                cells.splice(start..end, structure.array.cells.iter().flatten().map(known));
            }
            for closed in structure.did_close.into_iter().flatten() {
                self.open.remove(&closed.uri);
            }
            self.open_cells(uri, structure.did_open.unwrap_or_default());
        }
        for data in change.data.into_iter().flatten() {
            let cells = self.open.get_mut(uri).and_then(|document| document.cells.as_mut());
            if let Some(cell) = cells.into_iter().flatten().find(|(of, _)| *of == data.document) {
                *cell = known(&data);
            }
        }
        for content in change.text_content.into_iter().flatten() {
            self.change(&content.document.uri, content.document.version, content.changes, utf8);
        }
    }
    /// A notebook was closed: the documents that are closed with it.
    pub fn close_notebook(&mut self, uri: &Uri) -> Vec<Uri> {
        self.tick();
        self.open.remove(uri);
        let cells: Vec<Uri> =
            self.open.values().filter(|d| d.notebook.as_ref() == Some(uri)).map(|d| d.uri.clone()).collect();
        for cell in &cells {
            self.open.remove(cell);
        }
        cells
    }
    /// The program of a notebook as it is now.
    pub fn program(&self, notebook: &Document) -> Program {
        let code: Vec<(u32, &Document)> = (1..)
            .zip(notebook.cells.iter().flatten())
            .filter(|(_, (_, is_code))| *is_code)
            .filter_map(|(number, (uri, _))| Some((number, self.open.get(uri)?)))
            .collect();
        let texts: Vec<(u32, String)> = code.iter().map(|(number, cell)| (*number, cell.text.to_string())).collect();
        let text = notebook::program(texts.iter().map(|(number, text)| (*number, &**text)));
        let spans = notebook::cells(&text).into_iter().map(|cell| cell.span);
        Program { cells: code.iter().map(|(_, cell)| cell.uri.clone()).zip(spans).collect(), text }
    }
    /// The revision that a run of a document sees that starts now, and where the cells are in its text, if it is a notebook.
    pub fn seen(&self, uri: &Uri) -> (u64, Vec<(Uri, Span)>) {
        let notebook = self.open.get(uri).filter(|document| document.cells.is_some());
        (self.revision, notebook.map(|notebook| self.program(notebook).cells).unwrap_or_default())
    }
    /// The document that is run for a document: the notebook of a cell, and else itself.
    pub fn runner(&self, uri: &Uri) -> Option<&Document> {
        let document = self.open.get(uri)?;
        match &document.notebook {
            Some(notebook) => self.open.get(notebook),
            None => Some(document),
        }
    }
    /// Where the text of a cell begins in its notebook's program as it is now; nought for other documents.
    pub fn start(&self, uri: &Uri) -> u32 {
        let notebook = self.open.get(uri).and_then(|cell| self.open.get(cell.notebook.as_ref()?));
        let cells = notebook.map(|notebook| self.program(notebook).cells).unwrap_or_default();
        cells.iter().find(|(cell, _)| cell == uri).map_or(0, |(_, span)| span.start)
    }
    /// The document of a file where a range of its present text is, and the range in it: of a notebook's program the cell.
    pub fn part(&self, path: &Path, span: Span) -> Option<(&Document, Span)> {
        let (_, document) = self.at_path(path)?;
        if document.cells.is_none() {
            return Some((document, span));
        }
        let program = self.program(document);
        let (uri, around) =
            program.cells.into_iter().find(|(_, cell)| cell.start <= span.start && span.end <= cell.end)?;
        Some((self.open.get(&uri)?, Span { start: span.start - around.start, end: span.end - around.start }))
    }
    /// The document where a range of an analyzed file is now, and the range in it.
    pub fn placed(&self, finished: &Finished, file: usize, span: Span) -> Option<(&Document, Span)> {
        let path = &finished.analysis.files.get(file)?.path;
        let (uri, document) = self.at_path(path)?;
        if document.cells.is_none() {
            return Some((document, View::new(document, finished)?.now(span)?));
        }
        let mut cells = self.open.values().filter(|cell| cell.notebook.as_ref() == Some(uri));
        cells.find_map(|cell| Some((cell, View::new(cell, finished)?.now(span)?)))
    }
    /// The cell of a notebook by its number.
    pub fn cell(&self, path: &Path, number: u32) -> Option<&Uri> {
        let (_, document) = self.at_path(path)?;
        document.cells.as_ref()?.get((number as usize).checked_sub(1)?).map(|(uri, _)| uri)
    }
    /// An edit of a document as one of the text that is analyzed, and that text.
    pub(super) fn in_program(&self, uri: &Uri, edit: Edit) -> (Edit, Rope) {
        let text = || self.open.get(uri).map(|document| document.text.clone()).unwrap_or_default();
        match self.runner(uri).filter(|runner| runner.cells.is_some()) {
            Some(notebook) => {
                let start = self.start(uri);
                let range = Span { start: edit.range.start + start, end: edit.range.end + start };
                (Edit { range, ..edit }, Rope::from_str(&self.program(notebook).text))
            }
            None => (edit, text()),
        }
    }
}

/// A cell as it is kept: its document, and whether it is of code.
fn known(cell: &NotebookCell) -> (Uri, bool) {
    (cell.document.clone(), cell.kind == NotebookCellKind::CODE)
}

/// The text of a cell as it stands in a program.
fn as_part(text: &str) -> String {
    let program = notebook::program([(1, text)]);
    let cell = notebook::cells(&program).pop().map(|cell| cell.span.start as usize..cell.span.end as usize);
    cell.and_then(|part| program.get(part)).unwrap_or_default().to_owned()
}
