//! Programs of one file whose error calls of the framework alone do not raise: it is about their classes, or about what Python does
//! between the calls. What stands for them is their own text, without the statements that the error does not need.

use std::path::Path;

use super::names::mentions;
use super::tidy::{Placed, tidied};
use super::verify::{Again, Run, Verified, again, says_the_same};
use super::{Outcome, Reproducer, Request, Style, Target, Tie};
use crate::frameworks::is_framework;
use crate::frameworks::python::names;
use crate::notebook;
use crate::syntax::{Kind, NodeId, SyntaxTree};
use crate::text::{LineIndex, Span};

/// So many texts are run at most, each once more for so many bytes.
const MOST_TRIES: usize = 150;
const BYTES_OF_TRY: usize = 2048;

/// Longer texts are no small programs whatever is left out of them.
const MOST_BYTES: usize = 16 << 10;

/// The text of a program that raises the error of a reproducer which does not; `None` where it needs more than JAX, NumPy and Python.
pub fn of_program(failed: &Verified, request: &Request, script: &Path, run: Run) -> Option<Reproducer> {
    let Outcome::Error(class, message) = &failed.made.outcome else { return None };
    let analysis = &failed.analysis;
    let of = analysis.files.iter().position(|file| file.path == script)?;
    let text = &analysis.files[of].text;
    let problem = analysis.problems.iter().find(|problem| problem.class == *class && problem.message == *message)?;
    let (outermost, at, _) = problem.frames.last()?;
    if *outermost != of || notebook::is_program(text) {
        return None;
    }
    let tree = SyntaxTree::parse(text);
    let mut draft = Draft::new(text, &tree, at.start)?;
    if draft.text().len() > MOST_BYTES || !draft.is_plain(false) {
        return None;
    }
    let request = Request { target: Target::Error, style: Style::default(), part: None, ..request.clone() };
    let is_it = |found: &Reproducer| matches!(&found.outcome, Outcome::Error(other, said) if class == other && says_the_same(message, said));
    let mut tries = 0;
    let mut raises = |text: &str| {
        tries += 1 + text.len() / BYTES_OF_TRY;
        if tries > MOST_TRIES {
            return None;
        }
        let (found, _) = again(text, &Again::default(), &request, run).ok()?;
        is_it(&found).then_some(found)
    };
    let mut found = raises(&draft.text())?;
    loop {
        let mut better = false;
        for at in 0..draft.statements.len() {
            let next = draft.without(at).and_then(|next| Some((raises(&next.text())?, next)));
            if let Some((raised, next)) = next {
                (draft, found, better) = (next, raised, true);
            }
        }
        if !better {
            break;
        }
    }
    if !draft.is_plain(true) {
        return None;
    }
    // Laid out anew it has to raise the same.
    let lines = Some(tidied(&draft.shown()))
        .filter(|lines| again(&joined(lines), &Again::default(), &request, run).is_ok_and(|(found, _)| is_it(&found)));
    let lines = lines.unwrap_or_else(|| draft.shown());
    let (text, ties) = (joined(&lines), ties(&lines, of));
    Some(Reproducer {
        text,
        ties,
        outcome: failed.made.outcome.clone(),
        target: Target::Error,
        data: Vec::new(),
        inner: Vec::new(),
        stand_ins: Vec::new(),
        approximate: false,
        is_own_text: true,
        ..found
    })
}

fn joined(lines: &[Placed]) -> String {
    lines.iter().map(|(line, _)| line.to_owned() + "\n").collect()
}

/// The lines that come from a place of the program.
fn ties(lines: &[Placed], file: usize) -> Vec<Tie> {
    let tie = |(line, (_, span)): (usize, &Placed)| Some(Tie { line, file, span: (*span)? });
    lines.iter().enumerate().filter_map(tie).collect()
}

/// What stands for a line of the program.
#[derive(Copy, Clone, PartialEq)]
enum Stands {
    Itself,
    Nothing,
    /// `pass`, where a block would be empty.
    Pass,
}

/// A statement: its lines, and the block that it is in.
#[derive(Copy, Clone)]
struct Statement {
    first: usize,
    last: usize,
    block: usize,
}

/// The program with some of its lines.
#[derive(Clone)]
struct Draft<'a> {
    lines: Vec<(&'a str, Span)>,
    stands: Vec<Stands>,
    /// Those that take most lines first, and of those as long later ones.
    statements: Vec<Statement>,
}

impl<'a> Draft<'a> {
    /// The program up to the statement of its top level at a place, without comments.
    fn new(text: &'a str, tree: &SyntaxTree, at: u32) -> Option<Draft<'a>> {
        let index = LineIndex::new(text);
        let line = |offset: u32| index.line(offset) as usize;
        let lines = (0..index.line_count()).filter_map(|line| {
            let span = index.line_span(line)?;
            let whole = text.get(span.start as usize..span.end as usize)?;
            Some((whole.trim_end_matches(['\n', '\r']), span))
        });
        let lines: Vec<_> = lines.collect();
        let last = tree.named(tree.root()).map(|id| tree.span(id)).find(|span| span.start <= at && at < span.end)?;
        let last = line(last.end.saturating_sub(1));
        let (mut statements, mut strings) = (Vec::new(), Vec::new());
        let (mut open, mut blocks) = (vec![tree.root()], 0);
        while let Some(id) = open.pop() {
            let children: Vec<NodeId> = tree.named(id).collect();
            if matches!(tree.kind(id), Kind::Module | Kind::Block) {
                let spans = children.iter().map(|child| tree.span(*child)).filter(|span| span.end > span.start);
                let own = spans.map(|span| (line(span.start), line(span.end - 1)));
                statements.extend(own.map(|(first, last)| Statement { first, last, block: blocks }));
                blocks += 1;
            }
            if tree.kind(id) == Kind::String {
                strings.push((line(tree.span(id).start), line(tree.span(id).end)));
            }
            open.extend(children);
        }
        let is_comment = |at: usize, text: &str| {
            text.trim_start().starts_with('#') && !strings.iter().any(|(first, last)| *first < at && at <= *last)
        };
        let stands = lines.iter().enumerate().map(|(at, (text, _))| match at > last || is_comment(at, text) {
            true => Stands::Nothing,
            false => Stands::Itself,
        });
        let stands = stands.collect();
        statements.sort_by_key(|s| (std::cmp::Reverse(s.last - s.first), std::cmp::Reverse(s.first)));
        Some(Draft { lines, stands, statements })
    }

    /// Without a statement; `None` where it is gone already.
    fn without(&self, at: usize) -> Option<Draft<'a>> {
        let Statement { first, last, block } = self.statements[at];
        if self.stands[first] != Stands::Itself {
            return None;
        }
        let mut next = self.clone();
        next.stands[first..=last].fill(Stands::Nothing);
        let is_left = |other: &Statement| other.block == block && next.stands[other.first] != Stands::Nothing;
        if !self.statements.iter().any(is_left) {
            let is_pass = self.lines[first].0.trim() == "pass";
            next.stands[first] = Stands::Pass;
            return (!is_pass).then_some(next);
        }
        Some(next)
    }

    /// Its lines, each with its place: that of what stands on it.
    fn shown(&self) -> Vec<Placed> {
        let mut all: Vec<Placed> = Vec::new();
        for ((text, span), stands) in self.lines.iter().zip(&self.stands) {
            let indent = &text[..text.len() - text.trim_start().len()];
            let shown = match stands {
                Stands::Nothing => continue,
                Stands::Pass => (format!("{indent}pass"), None),
                Stands::Itself => {
                    let start = span.start + indent.len() as u32;
                    let place = Span { start, end: span.start + text.trim_end().len() as u32 };
                    ((*text).to_owned(), Some(place).filter(|_| !text.trim().is_empty()))
                }
            };
            let blank = all.iter().rev().take_while(|(text, _)| text.is_empty()).count();
            let is_too_blank = shown.0.is_empty() && (all.is_empty() || blank == 2);
            if !is_too_blank {
                all.push(shown);
            }
        }
        while all.last().is_some_and(|(text, _)| text.is_empty()) {
            all.pop();
        }
        all
    }

    fn text(&self) -> String {
        joined(&self.shown())
    }

    /// Whether names that it imports from elsewhere than JAX, NumPy and Python stand nowhere else, or, `at_all`, whether there are none.
    fn is_plain(&self, at_all: bool) -> bool {
        let text = self.text();
        let kept = SyntaxTree::parse(&text);
        let mut open = vec![kept.root()];
        while let Some(id) = open.pop() {
            let span = kept.span(id);
            let of = &text[span.start as usize..span.end as usize];
            match kept.kind(id) {
                Kind::ImportStatement | Kind::ImportFromStatement => {
                    let rest = format!("{} {}", &text[..span.start as usize], &text[span.end as usize..]);
                    // `import a, b as c` names several modules.
                    let parts: Vec<&str> = match kept.kind(id) {
                        Kind::ImportStatement => of.trim_start_matches("import").split(',').collect(),
                        _ => vec![of.trim_start_matches("from")],
                    };
                    for part in parts {
                        let mut words = part.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
                        let module = words.find(|word| !word.is_empty()).unwrap_or_default();
                        if is_framework(module) || names::of(module.split('.').next().unwrap_or_default()).is_some() {
                            continue;
                        }
                        let mut names = part.split(|c: char| !c.is_alphanumeric() && c != '_');
                        if at_all || names.any(|name| !matches!(name, "" | "import" | "as") && mentions(&rest, name)) {
                            return false;
                        }
                    }
                }
                _ => open.extend(kept.named(id)),
            }
        }
        true
    }
}
