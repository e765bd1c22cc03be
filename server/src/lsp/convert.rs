//! Our plain data to protocol types, and back.

use ropey::Rope;
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position, Range, Uri,
};
use tracer_core::analysis::{Analysis, Problem};
use tracer_core::text::{LineCol, LineIndex, Span};

/// The byte offset of a position; past the end of a line is its end.
pub fn offset_in_rope(text: &Rope, position: Position, utf8: bool) -> usize {
    let lines = text.len_lines();
    if position.line as usize >= lines {
        return text.len_bytes();
    }
    let start = text.line_to_byte(position.line as usize);
    let line = text.line(position.line as usize);
    let mut left = position.character as usize;
    let mut bytes = 0;
    for c in line.chars() {
        let width = if utf8 { c.len_utf8() } else { c.len_utf16() };
        if left < width || c == '\n' || c == '\r' {
            break;
        }
        left -= width;
        bytes += c.len_utf8();
    }
    start + bytes
}

/// A range of an edit.
pub fn span_in_rope(text: &Rope, range: Range, utf8: bool) -> Span {
    let start = offset_in_rope(text, range.start, utf8);
    Span::new(start, offset_in_rope(text, range.end, utf8).max(start))
}

/// A position of a text.
pub fn position(index: &LineIndex, text: &str, offset: u32, utf8: bool) -> Position {
    let LineCol { line, column } = if utf8 { index.utf8(offset) } else { index.utf16(text, offset) };
    Position { line, character: column }
}

/// A range of a text.
pub fn range(index: &LineIndex, text: &str, span: Span, utf8: bool) -> Range {
    Range { start: position(index, text, span.start, utf8), end: position(index, text, span.end, utf8) }
}

/// The diagnostic of an exception, in the file where it stands.
pub fn problem(
    analysis: &Analysis,
    problem: &Problem,
    range_of: impl Fn(usize, Span) -> Option<Range>,
) -> Option<Diagnostic> {
    let (file, span, _) = problem.frames.first()?;
    let place = |file: usize, span: Span, text: &str| {
        let uri = Uri::from_file_path(&analysis.files.get(file)?.path)?;
        let location = Location { uri, range: range_of(file, span)? };
        Some(DiagnosticRelatedInformation { location, message: text.to_owned() })
    };
    let mut related: Vec<DiagnosticRelatedInformation> =
        problem.related.iter().filter_map(|(f, s, text)| place(*f, *s, text)).collect();
    let calls = problem.frames.iter().skip(1).filter(|(f, s, _)| (f, s) != (file, span));
    related.extend(calls.filter_map(|(f, s, name)| place(*f, *s, &format!("called from here, in `{name}`"))));
    let help = problem.help.as_ref().map(|h| format!("\nhelp: {h}")).unwrap_or_default();
    Some(Diagnostic {
        range: range_of(*file, *span)?,
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String("tracing-error".into())),
        source: Some("jitlens".into()),
        message: format!("{}: {}{help}", problem.class, problem.message),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    })
}
