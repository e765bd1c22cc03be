//! Finds the functions of a text whose bodies can be parsed later.
//!
//! A body can wait where the text around it means the same without it: it belongs to no other function, and holds nothing that
//! makes more of the function (`yield`), of the class around it (`super`, `__class__`) or of a global (`global`).

use super::prepare::bytes::{is_name_byte, name_end};
use super::prepare::{Line, Prepared, Word, prepare};
use crate::module::LaterPart;

/// Shorter bodies are parsed at once.
const FEWEST_BYTES: usize = 40;

/// Words that a body which waits must not hold.
const WORDS: &[&str] = &["yield", "super", "__class__", "global", "nonlocal", "await"];

/// A text whose functions' bodies can wait.
pub(super) struct Outline {
    /// The text, with its lines.
    pub(super) prepared: Prepared,
    /// The bodies that can wait, in order.
    pub(super) bodies: Vec<(usize, usize)>,
    /// The functions that they belong to.
    pub(super) parts: Vec<LaterPart>,
}

/// Finds the bodies that can wait; `None` where none can, or the text is not right.
pub(super) fn outline(text: &str) -> Option<Outline> {
    let prepared = prepare(text, &[]);
    if !prepared.is_clean() {
        return None;
    }
    let mut bodies = Vec::new();
    let mut parts = Vec::new();
    let mut around: Vec<&Line> = Vec::new();
    let lines = &prepared.lines;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        while around.last().is_some_and(|outer| outer.column >= line.column) {
            around.pop();
        }
        if !line.opens {
            continue;
        }
        let inside = lines[at..].iter().take_while(|inner| inner.column > line.column).count();
        let body = &lines[at..at + inside];
        if let (Some(first), Some(last)) = (body.first(), body.last())
            && may_wait(text, line, &around)
            && last.end >= first.start + FEWEST_BYTES
            && !WORDS.iter().any(|word| has_word(&text[first.start..last.end], word))
        {
            let class = around.iter().rev().find(|outer| outer.word == Word::Class);
            let class = class.map(|class| name_behind(text, class.start, "class").to_owned());
            parts.push(LaterPart { start: line.start as u32, end: last.end as u32, class, outer: None });
            bodies.push((first.start, last.end));
            at += inside;
        } else {
            around.push(line);
        }
    }
    (!parts.is_empty()).then_some(Outline { prepared, bodies, parts })
}

/// Whether a line is the header of a function whose body may wait, as far as headers tell.
fn may_wait(text: &str, line: &Line, around: &[&Line]) -> bool {
    let is_generic = |line: &Line, keyword: &str| {
        let name = name_behind(text, line.start, keyword);
        let behind = name.as_ptr() as usize - text.as_ptr() as usize + name.len();
        text[behind..].trim_start().starts_with('[')
    };
    line.word == Word::Def
        && text[line.start..].starts_with("def")
        && !is_generic(line, "def")
        && around.iter().all(|outer| match outer.word {
            Word::Def => false,
            Word::Class => !is_generic(outer, "class"),
            _ => true,
        })
}

/// The name that a definition binds.
fn name_behind<'t>(text: &'t str, start: usize, keyword: &str) -> &'t str {
    let rest = &text[start + keyword.len()..];
    let from = start + keyword.len() + (rest.len() - rest.trim_start().len());
    &text[from..name_end(text.as_bytes(), from)]
}

/// Whether an identifier stands in a text, be it in a string or comment.
fn has_word(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices(word).any(|(at, _)| {
        let end = at + word.len();
        (at == 0 || !is_name_byte(bytes[at - 1])) && bytes.get(end).is_none_or(|next| !is_name_byte(*next))
    })
}
