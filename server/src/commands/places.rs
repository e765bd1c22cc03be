//! Places as they are printed: lines of a file, and of a notebook the lines of its cells.

use std::path::Path;

use tracer_core::notebook::{self, Cell};
use tracer_core::text::{LineIndex, Span};

use super::program;

/// Places of one file.
pub struct Places {
    file: String,
    index: LineIndex,
    cells: Vec<Cell>,
}

impl Places {
    /// Those of a file's text: of a notebook the program that its cells make.
    pub fn new(path: &Path, text: &str) -> Places {
        let cells = if notebook::is_notebook(path) { notebook::cells(text) } else { Vec::new() };
        Places { file: program::shown(path), index: LineIndex::new(text), cells }
    }
    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }
    /// The number of the cell around an offset, in a notebook.
    pub fn cell(&self, at: u32) -> Option<u32> {
        self.around(at).map(|cell| cell.number)
    }
    /// The numbers of the cells, in order; one of none for a file that is no notebook.
    pub fn parts(&self) -> Vec<Option<u32>> {
        match &self.cells[..] {
            [] => vec![None],
            cells => cells.iter().map(|cell| Some(cell.number)).collect(),
        }
    }
    /// The place of an offset's part in [`Places::parts`].
    pub fn part(&self, at: u32) -> usize {
        self.cells.partition_point(|cell| cell.span.start <= at).saturating_sub(1)
    }
    /// The line of an offset, from 1, in its cell.
    pub fn line(&self, at: u32) -> u32 {
        self.index.line(at) + 1 - self.above(at)
    }
    /// `[line, column, end line, end column]`: lines from 1, in the cell; columns in UTF-8 bytes from 0.
    pub fn range(&self, span: Span) -> [u32; 4] {
        let above = self.above(span.start);
        let [line, column, end, end_column] = program::range(&self.index, span);
        [line - above, column, end - above, end_column]
    }
    /// The columns of a range in UTF-16 units, from 0.
    pub fn units(&self, text: &str, span: Span) -> [u32; 2] {
        [span.start, span.end].map(|offset| self.index.utf16(text, offset).column)
    }
    /// The text of an offset's line, without its end.
    pub fn text<'a>(&self, text: &'a str, at: u32) -> &'a str {
        program::line(text, &self.index, self.index.line(at) + 1)
    }
    fn around(&self, at: u32) -> Option<&Cell> {
        self.cells.get(self.part(at))
    }
    /// How many lines of the text stand above the part of an offset.
    fn above(&self, at: u32) -> u32 {
        self.around(at).map_or(0, |cell| self.index.line(cell.span.start))
    }
}

/// `p.py`, `p.ipynb:cell 2`
pub fn named(file: &str, cell: Option<u32>) -> String {
    match cell {
        Some(number) => format!("{file}:cell {number}"),
        None => file.to_owned(),
    }
}

/// The same of a path, as seen from the working directory.
pub fn shown(path: &Path, cell: Option<u32>) -> String {
    named(&program::shown(path), cell)
}
