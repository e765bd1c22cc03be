//! Which logical lines a tree with errors is to be blamed on.

use tree_sitter::{Node, Parser, Tree};

use super::parse;
use super::prepare::{Degree, Line, Mapper, Prepared, Word};
use crate::module::Note;
use crate::text::Span;

/// How many lines of a text are tried by themselves.
const MAX_TRIALS: usize = 2_000;

/// How many notes about unreadable lines are taken.
const MAX_NOTES: usize = 500;

/// Adds the lines that have to be simplified, and notes about them. Returns whether there was any that
/// had not been.
pub(super) fn find(
    tree: &Tree,
    prepared: &Prepared,
    parser: &mut Parser,
    degraded: &mut Vec<(usize, Degree)>,
    notes: &mut Vec<Note>,
) -> bool {
    let mapper = prepared.mapper();
    let mut guilty: Vec<usize> = Vec::new();
    let mut trials = MAX_TRIALS;
    let mut tried = 0;
    for error in errors(tree) {
        let span =
            Span { start: mapper.original(error.start_byte() as u32), end: mapper.original(error.end_byte() as u32) };
        let touched = touched(&prepared.lines, span);
        if touched.len() <= 1 {
            guilty.extend(touched);
            continue;
        }
        // Errors come in order; a line is tried once.
        let untried = touched.start.max(tried)..touched.end.max(tried);
        tried = untried.end;
        let before = guilty.len();
        for line in untried {
            trials = trials.saturating_sub(1);
            if trials == 0 || fails_alone(prepared, &mapper, &prepared.lines[line], parser) {
                guilty.push(line);
            }
        }
        if guilty.len() == before {
            guilty.extend(touched.take(1));
        }
    }
    guilty.sort_unstable();
    guilty.dedup();
    let known = degraded.len();
    let mut found = false;
    for line in guilty {
        let line = &prepared.lines[line];
        match degraded[..known].binary_search_by_key(&line.start, |(start, _)| *start) {
            Ok(at) => {
                found |= degraded[at].1 != Degree::Nothing;
                degraded[at].1 = Degree::Nothing;
            }
            Err(_) => {
                found = true;
                degraded.push((line.start, Degree::Bindings));
                let span = Span::new(line.start, line.end.max(line.start));
                let inside = |note: &Note| note.span.start >= span.start && note.span.end <= span.end;
                if notes.len() < MAX_NOTES && !notes.iter().any(inside) {
                    notes.push(Note { span, message: "invalid syntax".into() });
                }
            }
        }
    }
    degraded.sort_unstable_by_key(|(start, _)| *start);
    found
}

/// The outermost errors and the made-up nodes.
fn errors(tree: &Tree) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let wrong = node.is_error() || node.is_missing();
        if wrong {
            found.push(node);
        }
        if !wrong && node.has_error() {
            // A made-up token may be hidden: then none of the children shows the error.
            let mut children = node.walk();
            if !node.children(&mut children).any(|child| child.has_error() || child.is_missing()) {
                found.push(node);
            } else if cursor.goto_first_child() {
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The logical lines that a range touches.
fn touched(lines: &[Line], span: Span) -> std::ops::Range<usize> {
    let (start, end) = (span.start as usize, span.end as usize);
    let first = lines.partition_point(|line| line.end < start || (line.end == start && start < end));
    let last = lines.partition_point(|line| line.start < end);
    if first >= last {
        // Between two lines, or behind the last: the line before is to blame.
        let before = lines.partition_point(|line| line.start <= start);
        return before.saturating_sub(1)..before;
    }
    first..last
}

/// Whether a line is an error by itself too.
fn fails_alone(prepared: &Prepared, mapper: &Mapper<'_>, line: &Line, parser: &mut Parser) -> bool {
    let from = mapper.prepared(line.start as u32) as usize;
    let to = mapper.prepared_behind(line.end as u32) as usize;
    let Some(text) = prepared.text.get(from..to) else {
        return true;
    };
    let before = match line.word {
        Word::Elif | Word::Else => "if _: pass\n",
        Word::Except | Word::Finally => "try: pass\n",
        Word::Case if line.opens => "match _:\n ",
        _ => "",
    };
    let body = if line.word == Word::Match && text.ends_with(':') {
        "\n case _: pass"
    } else if line.word == Word::At {
        "\ndef _(): pass"
    } else if line.opens && !text.trim_end().ends_with("pass") {
        " pass"
    } else {
        ""
    };
    let alone = format!("{before}{text}{body}\n");
    parse(parser, &alone, None).is_none_or(|tree| tree.root_node().has_error())
}
