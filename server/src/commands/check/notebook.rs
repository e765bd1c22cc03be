//! Fixes of notebooks: what was changed in the program that the cells make, put into the cells of the file.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use similar::{DiffOp, TextDiff};
use tracer_core::notebook::{self, Cell};

/// The file with the cells that differ between two programs, of which the first is its own; all else stays as it is, to the byte.
///
/// # Errors
/// Why the file cannot be changed: it is no notebook, or not the one of the program before.
pub fn changed(file: &str, before: &str, after: &str) -> Result<String, String> {
    if notebook::parse(file)? != before {
        return Err("it has changed meanwhile".into());
    }
    let notebook: Notebook<'_> = serde_json::from_str(file).map_err(|why| why.to_string())?;
    let (mut text, mut done) = (String::with_capacity(file.len()), 0);
    for (number, cell) in (1..).zip(&notebook.cells) {
        let Some((old, new)) = part(before, number).zip(part(after, number)).filter(|(old, new)| old != new) else {
            continue;
        };
        let lines = merged(&cell.text(), old, new);
        let start = cell.source.get().as_ptr() as usize - file.as_ptr() as usize;
        text.push_str(&file[done..start]);
        text.push_str(&cell.written(&lines));
        done = start + cell.source.get().len();
    }
    text.push_str(&file[done..]);
    Ok(text)
}

/// The cells that differ between two programs, by their numbers.
pub fn differing<'a>(before: &'a str, after: &'a str) -> Vec<(u32, &'a str, &'a str)> {
    let cells = notebook::cells(before).into_iter();
    let both = cells.filter_map(|cell| Some((cell.number, part(before, cell.number)?, part(after, cell.number)?)));
    both.filter(|(_, old, new)| old != new).collect()
}

/// The text of a cell of a program.
fn part(program: &str, number: u32) -> Option<&str> {
    let Cell { span, .. } = notebook::cells(program).into_iter().find(|cell| cell.number == number)?;
    program.get(span.start as usize..span.end as usize)
}

/// A cell's lines, with what differs between two programs of it: lines that are the same in both stand as they are in the cell, for they
/// may be magics.
fn merged(cell: &str, old: &str, new: &str) -> Vec<String> {
    let own: Vec<&str> = cell.split_inclusive('\n').collect();
    let (new_lines, diff) = (new.split_inclusive('\n').collect::<Vec<_>>(), TextDiff::from_lines(old, new));
    let mut lines: Vec<String> = Vec::new();
    for op in diff.ops() {
        match *op {
            DiffOp::Equal { old_index, len, .. } => {
                lines.extend(own.iter().skip(old_index).take(len).map(|line| (*line).to_owned()));
            }
            DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                lines.extend(new_lines[new_index..new_index + new_len].iter().map(|line| (*line).to_owned()));
            }
            DiffOp::Delete { .. } => {}
        }
    }
    // The last line of a cell has no line break, where it had none.
    let last = lines.len().saturating_sub(1);
    for (i, line) in lines.iter_mut().enumerate() {
        if i < last && !line.ends_with('\n') {
            line.push('\n');
        } else if i == last && !cell.ends_with('\n') && line.ends_with('\n') {
            line.pop();
        }
    }
    lines
}

#[derive(Deserialize)]
struct Notebook<'a> {
    #[serde(borrow)]
    cells: Vec<JsonCell<'a>>,
}

#[derive(Deserialize)]
struct JsonCell<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Source<'a> {
    Lines(#[serde(borrow)] Vec<Cow<'a, str>>),
    Text(#[serde(borrow)] Cow<'a, str>),
}

impl JsonCell<'_> {
    fn text(&self) -> String {
        match serde_json::from_str(self.source.get()) {
            Ok(Source::Lines(lines)) => lines.concat(),
            Ok(Source::Text(text)) => text.into_owned(),
            Err(_) => String::new(),
        }
    }
    /// Lines as JSON, laid out as the cell's are.
    fn written(&self, lines: &[String]) -> String {
        let raw = self.source.get();
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        if !raw.starts_with('[') {
            return quoted(&lines.concat());
        }
        let blank = |text: &str| text.chars().take_while(|c| c.is_whitespace()).collect::<String>();
        let first = blank(&raw[1..]);
        let tail = raw[..raw.len() - 1].trim_end().len();
        let last = if first.is_empty() { "" } else { &raw[tail..raw.len() - 1] };
        let between = if first.is_empty() { ", ".to_owned() } else { format!(",{first}") };
        format!("[{first}{}{last}]", lines.iter().map(|line| quoted(line)).collect::<Vec<_>>().join(&between))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\"# é\"]\n  },\n  {\n   \
        \"cell_type\": \"code\",\n   \"source\": [\n    \"%time x = 1\\n\",\n    \"y = 'ö'\\n\",\n    \"z = 2\"\n   ]\n  },\n  \
        {\"source\": \"a = 1\\nb = 2\", \"cell_type\": \"code\", \"outputs\": [{\"text\": \"\\u00e9\"}]}\n ],\n \"metadata\": {}\n}\n";

    #[test]
    fn only_the_lines_that_were_mended_change() {
        let before = notebook::parse(FILE).unwrap();
        let after = before.replace("z = 2\n", "z = 3\nw = 4\n").replace("b = 2", "b = 3");
        let expected = FILE.replace("\"z = 2\"", "\"z = 3\\n\",\n    \"w = 4\"").replace("b = 2", "b = 3");
        assert_eq!(changed(FILE, &before, &after).unwrap(), expected);
        assert_eq!(changed(FILE, &before, &before).unwrap(), FILE);
        assert_eq!(differing(&before, &after).iter().map(|(number, ..)| *number).collect::<Vec<_>>(), [2, 3]);
        assert!(changed(FILE, "x = 1\n", &after).is_err());
    }
}
