//! Fixes together: which of them fit, and the text that they leave. For `jitlens check --fix` and editors.

use tracer_core::diagnostics::{Fix, Range};
use tracer_core::text::Span;

/// The fixes that can be made at once, in their order: none touches what one before it changes.
pub fn together<'a>(fixes: impl IntoIterator<Item = &'a Fix>) -> Vec<&'a Fix> {
    let mut taken: Vec<&Fix> = Vec::new();
    for fix in fixes {
        let touches = |(at, _): &(Range, String), (other, _): &(Range, String)| {
            at.file == other.file && at.span.start <= other.span.end && other.span.start <= at.span.end
        };
        let fits = taken.iter().all(|other| fix.edits.iter().all(|edit| !other.edits.iter().any(|o| touches(edit, o))));
        if fits {
            taken.push(fix);
        }
    }
    taken
}

/// A text after edits that do not touch each other. What is put in has the line ends of the text.
pub fn edited(text: &str, mut edits: Vec<(Span, &str)>) -> String {
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut new, mut done) = (String::with_capacity(text.len()), 0);
    for (span, put) in edits {
        new.push_str(&text[done..span.start as usize]);
        new.push_str(&with_line_ends_of(text, put));
        done = span.end as usize;
    }
    new.push_str(&text[done..]);
    new
}

/// What is put into a text, with that text's line ends.
pub fn with_line_ends_of(text: &str, put: &str) -> String {
    let put = put.replace("\r\n", "\n");
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => put.replace('\n', "\r\n"),
        _ => put,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(edits: &[(u32, u32, &str)]) -> Fix {
        let edit = |(start, end, text): &(u32, u32, &str)| {
            (Range { file: 0, span: Span { start: *start, end: *end } }, (*text).to_owned())
        };
        Fix { title: String::new(), edits: edits.iter().map(edit).collect() }
    }

    #[test]
    fn what_touches_waits() {
        let all = [fix(&[(0, 3, "a"), (8, 9, "")]), fix(&[(3, 3, "b")]), fix(&[(5, 6, "c")]), fix(&[(7, 10, "d")])];
        assert_eq!(together(&all), [&all[0], &all[2]]);
    }

    #[test]
    fn edits_keep_what_is_around_them() {
        let span = |start, end| Span { start, end };
        assert_eq!(edited("é = f()\nx\n", vec![(span(9, 10), "y"), (span(5, 6), "g\nh")]), "é = g\nh()\ny\n");
        assert_eq!(edited("a\r\nb", vec![(span(3, 3), "c\nd\r\n")]), "a\r\nc\r\nd\r\nb");
    }
}
