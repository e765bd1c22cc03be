//! `syntax`: text that Python cannot parse.

use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::module::Note;
use crate::notebook;

/// The first fault of each file, or of each cell of a notebook, as Python reports it.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let first = analysis.files.iter().enumerate().flat_map(|(file, facts)| {
        // Each cell of a notebook is parsed alone.
        let ends: Vec<u32> = notebook::cells(&facts.text).iter().map(|cell| cell.span.end).collect();
        let cell = move |note: &Note| ends.partition_point(|end| *end <= note.span.start);
        let mut notes: Vec<&Note> = facts.module.notes.iter().collect();
        notes.dedup_by_key(|note| cell(note));
        notes.into_iter().map(move |note| (file, note))
    });
    let found = first.map(|(file, note)| Diagnostic {
        at: Range { file, span: note.span },
        rule: "syntax",
        severity: Severity::Error,
        message: format!("{}: {}", class_of(note), note.message),
        help: None,
        related: Vec::new(),
        fixes: Vec::new(),
    });
    found.collect()
}

/// The class of the exception with which Python refuses a text.
pub fn class_of(note: &Note) -> &'static str {
    const INDENTATION: [&str; 4] = [
        "expected an indented block",
        "unexpected indent",
        "unindent does not match",
        "too many levels of indentation",
    ];
    match &note.message {
        message if INDENTATION.iter().any(|start| message.starts_with(start)) => "IndentationError",
        message if message.starts_with("inconsistent use of tabs") => "TabError",
        _ => "SyntaxError",
    }
}

/// Whether a place is in a statement that Python cannot parse: what was found there is of a text that nobody wrote.
pub fn is_within(analysis: &Analysis, at: Range) -> bool {
    let facts = &analysis.files[at.file];
    facts.module.notes.iter().any(|note| {
        let fault = note.span.start;
        let around = facts.module.stmt_spans.iter().filter(|span| span.start <= fault && fault <= span.end);
        let line = facts.text.get(..fault as usize).and_then(|text| text.rfind('\n')).map_or(0, |end| end as u32 + 1);
        let statement = around.min_by_key(|span| span.end - span.start).map_or(line, |span| span.start.min(line));
        let rest = facts.text.get(note.span.end as usize..).unwrap_or_default();
        let end_of_line = note.span.end + rest.find('\n').unwrap_or(rest.len()) as u32;
        (statement..=end_of_line).contains(&at.span.start)
    })
}
