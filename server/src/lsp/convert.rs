//! Our plain data to protocol types, and back.

use ropey::Rope;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Range,
};
use tracer_core::diagnostics::{self, Severity};
use tracer_core::text::Span;

use super::Abilities;
use crate::rules;

/// The byte offset of a position; past the end of a line is its end, past the last line the end of the text.
pub fn offset(text: &Rope, position: Position, utf8: bool) -> u32 {
    let lines = text.len_lines();
    if position.line as usize >= lines {
        return text.len_bytes() as u32;
    }
    let start = text.line_to_byte(position.line as usize);
    let mut left = position.character as usize;
    let mut bytes = 0;
    for c in text.line(position.line as usize).chars() {
        let width = if utf8 { c.len_utf8() } else { c.len_utf16() };
        if left < width || c == '\n' || c == '\r' {
            break;
        }
        left -= width;
        bytes += c.len_utf8();
    }
    (start + bytes) as u32
}

/// The bytes of a range; a range that runs backwards is empty at its start.
pub fn span(text: &Rope, range: Range, utf8: bool) -> Span {
    let start = offset(text, range.start, utf8);
    Span { start, end: offset(text, range.end, utf8).max(start) }
}

/// The position of an offset; inside of a character it is the character's start.
pub fn position(text: &Rope, offset: u32, utf8: bool) -> Position {
    let offset = (offset as usize).min(text.len_bytes());
    let line = text.byte_to_line(offset);
    let (first, here) = (text.line_to_char(line), text.byte_to_char(offset));
    let character = if utf8 {
        text.char_to_byte(here) - text.char_to_byte(first)
    } else {
        text.char_to_utf16_cu(here) - text.char_to_utf16_cu(first)
    };
    Position { line: line as u32, character: character as u32 }
}

/// The range of some bytes.
pub fn range(text: &Rope, span: Span, utf8: bool) -> Range {
    Range { start: position(text, span.start, utf8), end: position(text, span.end, utf8) }
}

/// A diagnostic at `range`; `place` says where another range is now.
pub fn diagnostic(
    diagnostic: &diagnostics::Diagnostic,
    range: Range,
    abilities: Abilities,
    place: impl Fn(diagnostics::Range) -> Option<Location>,
) -> Diagnostic {
    let related = diagnostic.related.iter();
    let related: Vec<DiagnosticRelatedInformation> = related
        .filter_map(|r| Some(DiagnosticRelatedInformation { location: place(r.at)?, message: r.message.clone() }))
        .collect();
    let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let rule = rules::get(diagnostic.rule);
    let unnecessary = abilities.greys_out && rules::is_unnecessary(diagnostic.rule);
    Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Information => DiagnosticSeverity::INFORMATION,
            Severity::Hint => DiagnosticSeverity::HINT,
        }),
        code: Some(NumberOrString::String(diagnostic.rule.into())),
        code_description: rule
            .filter(|_| abilities.describes_codes)
            .and_then(|rule| Some(CodeDescription { href: rule.href().parse().ok()? })),
        tags: unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        source: Some("jitlens".into()),
        message: format!("{}{help}", diagnostic.message),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_inverse() {
        // Form feeds and Unicode's separators end no line; lone carriage returns do.
        let text = Rope::from_str("a😀é = 1\r\n# \u{c}\u{2028}x\rb\n\u{feff}");
        for utf8 in [false, true] {
            for (offset, _) in text.to_string().char_indices() {
                if text.byte(offset) == b'\n' && offset > 0 && text.byte(offset - 1) == b'\r' {
                    continue;
                }
                let at = position(&text, offset as u32, utf8);
                assert_eq!(super::offset(&text, at, utf8), offset as u32, "{at:?}");
            }
        }
        assert_eq!(position(&text, 5, false), Position { line: 0, character: 3 });
        assert_eq!(position(&text, 5, true), Position { line: 0, character: 5 });
        assert_eq!(text.len_lines(), 4);
    }

    #[test]
    fn positions_outside_of_the_text_are_its_ends() {
        let text = Rope::from_str("ab\r\nc");
        let at = |line, character| super::offset(&text, Position { line, character }, false);
        assert_eq!([at(0, 99), at(1, 99), at(9, 0)], [2, 5, 5]);
        let backwards = Range { start: Position::new(1, 1), end: Position::new(0, 0) };
        assert_eq!(span(&text, backwards, false), Span { start: 5, end: 5 });
    }
}
