//! Which logical lines a tree with errors is to be blamed on.

use tree_sitter::{Node, Tree};

use super::parse;
use super::prepare::{Degree, Line, Prepared, Word};
use crate::module::Note;
use crate::text::Span;

/// How many lines of one error are tried by themselves.
const MAX_TRIALS: usize = 2_000;

/// Adds the lines that have to be simplified, and notes about them. Returns whether there was any that had not been.
pub(super) fn find(
    tree: &Tree,
    prepared: &Prepared,
    degraded: &mut Vec<(usize, Degree)>,
    notes: &mut Vec<Note>,
) -> bool {
    let mapper = prepared.mapper();
    let mut guilty: Vec<usize> = Vec::new();
    for error in errors(tree) {
        let span = Span {
            start: mapper.original(error.start_byte() as u32),
            end: mapper.original(error.end_byte() as u32),
        };
        let touched = touched(&prepared.lines, span);
        if touched.len() <= 1 {
            guilty.extend(touched);
            continue;
        }
        let before = guilty.len();
        guilty.extend(
            touched
                .clone()
                .take(MAX_TRIALS)
                .filter(|line| fails_alone(prepared, &prepared.lines[*line])),
        );
        if guilty.len() == before {
            guilty.extend(touched.take(1));
        }
    }
    guilty.sort_unstable();
    guilty.dedup();
    let mut found = false;
    for line in guilty {
        let line = &prepared.lines[line];
        match degraded.binary_search_by_key(&line.start, |(start, _)| *start) {
            Ok(known) => {
                found |= degraded[known].1 != Degree::Nothing;
                degraded[known].1 = Degree::Nothing;
            }
            Err(at) => {
                found = true;
                degraded.insert(at, (line.start, Degree::Bindings));
                let span = Span::new(line.start, line.end.max(line.start));
                let noted = notes
                    .iter()
                    .any(|note| note.span.start >= span.start && note.span.end <= span.end);
                if !noted {
                    notes.push(Note {
                        span,
                        message: "invalid syntax".into(),
                    });
                }
            }
        }
    }
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
            if !node
                .children(&mut children)
                .any(|child| child.has_error() || child.is_missing())
            {
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
    let first =
        lines.partition_point(|line| line.end < start || (line.end == start && start < end));
    let last = lines.partition_point(|line| line.start < end);
    if first >= last {
        // Between two lines, or behind the last: the line before is to blame.
        let before = lines.partition_point(|line| line.start <= start);
        return before.saturating_sub(1)..before;
    }
    first..last
}

/// Whether a line is an error by itself too.
fn fails_alone(prepared: &Prepared, line: &Line) -> bool {
    let from = prepared.offset(line.start);
    let to = prepared.offset_behind(line.end);
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
    parse(&alone, None).is_none_or(|tree| tree.root_node().has_error())
}
