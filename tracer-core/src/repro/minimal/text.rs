//! Texts with parts of them replaced, and which part of the old text a part of the new one comes from.

use crate::repro::{Place, Target};
use crate::text::{Edit, Span};

/// Replaces a part of a text.
pub fn edit(range: Span, text: impl Into<String>) -> Edit {
    Edit { range, text: text.into() }
}

/// A text that others are made of.
pub struct Edited {
    /// The new text.
    pub text: String,
    edits: Vec<Edit>,
}

impl Edited {
    /// The text with parts replaced; of parts that overlap the first one is.
    pub fn new(old: &str, mut edits: Vec<Edit>) -> Edited {
        edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
        let mut last = 0;
        edits.retain(|edit| {
            let keep = edit.range.start >= last;
            if keep {
                last = edit.range.end;
            }
            keep
        });
        let (mut text, mut at) = (String::with_capacity(old.len()), 0);
        for edit in &edits {
            text.push_str(&old[at..edit.range.start as usize]);
            text.push_str(&edit.text);
            at = edit.range.end as usize;
        }
        text.push_str(&old[at..]);
        Edited { text, edits }
    }

    /// What the new text is a program for: where that is a place, it reaches to the end.
    pub fn target(&self, old: &Target) -> Target {
        let Target::Place(place) = old else { return old.clone() };
        let before = self.edits.iter().filter(|edit| edit.range.end <= place.span.start);
        let shift: i64 = before.map(|edit| edit.text.len() as i64 - i64::from(edit.range.end - edit.range.start)).sum();
        let start = (i64::from(place.span.start) + shift) as u32;
        Target::Place(Place { span: Span { start, end: self.text.len() as u32 }, ..place.clone() })
    }

    /// Where in the old text a place of the new one was, or what it stands for.
    pub fn before(&self, place: u32) -> u32 {
        let mut shift = 0i64;
        for edit in &self.edits {
            let start = i64::from(edit.range.start) + shift;
            let end = start + edit.text.len() as i64;
            if i64::from(place) < start {
                break;
            }
            if i64::from(place) < end {
                return edit.range.start;
            }
            shift += edit.text.len() as i64 - i64::from(edit.range.end - edit.range.start);
        }
        (i64::from(place) - shift) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_again() {
        let span = |start, end| Span { start, end };
        let edited = Edited::new("one two three", vec![edit(span(4, 7), "2"), edit(span(0, 0), "zero ")]);
        assert_eq!(edited.text, "zero one 2 three");
        assert_eq!(edited.before(5), 0);
        assert_eq!(edited.before(9), 4);
        assert_eq!(edited.before(11), 8);
    }

    #[test]
    fn of_edits_that_overlap_the_outer_one_counts() {
        let span = |start, end| Span { start, end };
        let edited = Edited::new("f(g(x))", vec![edit(span(4, 5), "y"), edit(span(2, 6), "z")]);
        assert_eq!(edited.text, "f(z)");
    }
}
