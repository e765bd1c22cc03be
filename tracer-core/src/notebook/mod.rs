//! Jupyter notebooks as programs: the code cells one behind the other, each under a line that marks it.
//!
//! What is no Python in a cell (`%matplotlib inline`, `!pip install x`) is masked by something of the same length, so that an offset into
//! a cell is one into its part of the program.

mod lower;
mod magic;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde::Deserialize;

use crate::text::Span;

pub use lower::isolate;
pub use magic::mask;

/// What a line begins with that marks a cell; no line of a cell does.
const MARK: &str = "#\u{1e} ";

/// Whether a path is that of a notebook.
pub fn is_notebook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

/// Whether a text is the program of a notebook.
pub fn is_program(text: &str) -> bool {
    text.starts_with(MARK)
}

/// A code cell of a program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number in the notebook, where cells of text count as well, from 1.
    pub number: u32,
    /// Its text in the program, with the line break behind it.
    pub span: Span,
}

/// The program that cells make, by their numbers and texts.
pub fn program<'a>(cells: impl IntoIterator<Item = (u32, &'a str)>) -> String {
    let mut program = String::new();
    for (number, text) in cells {
        program.push_str(&format!("{MARK}{number}\n"));
        program.push_str(&mask(text).replace('\u{1e}', " "));
        if !program.ends_with('\n') {
            program.push('\n');
        }
    }
    program
}

/// The cells of a program; none where it is not made of a notebook.
pub fn cells(program: &str) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut at = 0;
    for line in program.split_inclusive('\n') {
        let number = line.strip_prefix(MARK).and_then(|number| number.trim_end().parse().ok());
        let end = at + line.len();
        match (number, cells.last_mut()) {
            (Some(number), _) => cells.push(Cell { number, span: Span::new(end, end) }),
            (None, Some(cell)) => cell.span.end = end as u32,
            // A program of a notebook begins with a mark.
            (None, None) => return Vec::new(),
        }
        at = end;
    }
    cells
}

/// The program that a notebook's file makes.
///
/// # Errors
/// Why the file is no notebook of Python: it is not JSON, has no cells, or its language is another one.
pub fn parse(file: &str) -> Result<String, String> {
    let notebook: Notebook = serde_json::from_str(file).map_err(|why| format!("not a notebook: {why}"))?;
    if let Some(language) = notebook.metadata.language().filter(|language| !is_python(language)) {
        return Err(format!("a notebook of {language}, not of Python"));
    }
    let sheets = notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells);
    let cells = notebook.cells.ok_or("not a notebook: it has no cells");
    let cells: Vec<JsonCell> = cells.or_else(|why| {
        let old: Vec<JsonCell> = sheets.collect();
        if old.is_empty() { Err(why) } else { Ok(old) }
    })?;
    let texts: Vec<(u32, String)> = (1..)
        .zip(cells)
        .filter(|(_, cell)| cell.cell_type == "code")
        .map(|(number, cell)| (number, cell.source.or(cell.input).unwrap_or_default().text()))
        .collect();
    Ok(program(texts.iter().map(|(number, text)| (*number, &**text))))
}

fn is_python(language: &str) -> bool {
    let language = language.to_ascii_lowercase();
    language.starts_with("python") || language.starts_with("ipython")
}

/// A notebook's file, as far as it is read: version 4 of the format, and 3, which has its cells in sheets.
#[derive(Deserialize)]
struct Notebook {
    cells: Option<Vec<JsonCell>>,
    #[serde(default)]
    worksheets: Vec<Sheet>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Sheet {
    #[serde(default)]
    cells: Vec<JsonCell>,
}

#[derive(Deserialize)]
struct JsonCell {
    cell_type: String,
    source: Option<Source>,
    input: Option<Source>,
}

/// The lines of a cell, or its text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Lines(Vec<String>),
    Text(String),
}

impl Default for Source {
    fn default() -> Source {
        Source::Text(String::new())
    }
}

impl Source {
    fn text(self) -> String {
        match self {
            Source::Lines(lines) => lines.concat(),
            Source::Text(text) => text,
        }
    }
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
    #[serde(default)]
    language_info: Language,
}

#[derive(Default, Deserialize)]
struct Kernel {
    language: Option<String>,
}

#[derive(Default, Deserialize)]
struct Language {
    name: Option<String>,
}

impl Metadata {
    fn language(&self) -> Option<&str> {
        self.language_info.name.as_deref().or(self.kernelspec.language.as_deref())
    }
}
