//! Programs of one file whose error calls of the framework alone do not raise: it is about their classes, or about what Python does
//! between the calls. What stands for them is their own text, without the statements that the error does not need.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::names::mentions;
use super::tidy::{Placed, tidied};
use super::verify::{Again, Run, Verified, again, says_the_same};
use super::{Outcome, Reproducer, Request, Style, Target, Tie};
use crate::frameworks::is_framework;
use crate::frameworks::python::names;
use crate::lower::lower_text;
use crate::module::{self, Stmt, Symbol};
use crate::notebook;
use crate::syntax::{Kind, NodeId, SyntaxTree};
use crate::text::{LineIndex, Span};

/// So many texts are run at most, each once more for so many bytes.
const MOST_TRIES: usize = 400;
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
    let way: Vec<u32> = problem.frames.iter().filter(|(file, ..)| *file == of).map(|(_, at, _)| at.start).collect();
    let mut draft = Draft::new(text, &tree, at.start, &way)?;
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
    // What no name leads to goes at once, and again where less is left that leads to it: beside the way to the error.
    let mut is_changed = true;
    loop {
        let mut better = false;
        for at in 0..draft.statements.len() {
            if is_changed && !draft.statements[at].is_beside {
                is_changed = false;
                let fewer = [false, true].into_iter().find_map(|acts| {
                    let next = draft.reached(acts)?;
                    Some((raises(&next.text())?, next))
                });
                if let Some((raised, next)) = fewer {
                    (draft, found, better) = (next, raised, true);
                }
            }
            let next = draft.without(at).and_then(|next| Some((raises(&next.text())?, next)));
            if let Some((raised, next)) = next {
                (draft, found, better, is_changed) = (next, raised, true, true);
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
    /// Whether it stands beside a statement that leads to the error.
    is_beside: bool,
}

/// What a statement binds, what stands inside of it included.
#[derive(Default)]
struct Bound {
    names: Vec<Symbol>,
    /// Whether it imports them.
    imports: bool,
    /// Whether it may bind any name.
    is_open: bool,
}

impl Bound {
    fn by(text: &str) -> Bound {
        let mut bound = Bound::default();
        for statement in &lower_text(text).stmts {
            match statement {
                Stmt::FunctionDef(def) => bound.names.push(def.name),
                Stmt::ClassDef(def) => bound.names.push(def.name),
                Stmt::Assign(targets, _) => targets.iter().for_each(|target| bound.target(target)),
                Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } | Stmt::For { target, .. } => {
                    bound.target(target);
                }
                Stmt::With { items, .. } => {
                    items.iter().filter_map(|item| item.target.as_ref()).for_each(|target| bound.target(target));
                }
                Stmt::Import(names) | Stmt::ImportFrom { names, .. } => {
                    bound.imports = true;
                    let first = |name: Symbol| Symbol::from(name.split('.').next().unwrap_or_default());
                    bound.names.extend(names.iter().map(|alias| alias.asname.unwrap_or_else(|| first(alias.name))));
                }
                Stmt::ImportStar { .. } => bound.is_open = true,
                _ => {}
            }
        }
        bound
    }

    fn target(&mut self, target: &module::Target) {
        match target {
            module::Target::Name(_, name, _) => self.names.push(*name),
            module::Target::Tuple(parts, _) => parts.iter().for_each(|part| self.target(part)),
            module::Target::Starred(inner, _) => self.target(inner),
            _ => {}
        }
    }
}

/// The program with some of its lines.
#[derive(Clone)]
struct Draft<'a> {
    lines: Vec<(&'a str, Span)>,
    stands: Vec<Stands>,
    /// Those beside the way to the error first; then those that take most lines, and of those as long later ones.
    statements: Vec<Statement>,
}

impl<'a> Draft<'a> {
    /// The program up to the statement of its top level at a place, without comments. The way to the error are the places that its frames
    /// stand at.
    fn new(text: &'a str, tree: &SyntaxTree, at: u32, way: &[u32]) -> Option<Draft<'a>> {
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
                statements.extend(own.map(|(first, last)| Statement { first, last, block: blocks, is_beside: false }));
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
        let mut stands: Vec<Stands> = stands.collect();
        // What the program says of itself is nothing that the error needs.
        let first = statements.iter().filter(|s| s.block == 0).min_by_key(|s| s.first);
        if let Some(first) = first.filter(|s| lines[s.first].0.starts_with(['"', '\''])) {
            stands[first.first..=first.last].fill(Stands::Nothing);
        }
        let way: Vec<usize> = way.iter().map(|at| line(*at)).collect();
        let leads = |s: &Statement| way.iter().any(|line| s.first <= *line && *line <= s.last);
        let blocks: FxHashSet<usize> = statements.iter().filter(|s| leads(s)).map(|s| s.block).collect();
        for statement in &mut statements {
            statement.is_beside = statement.block != 0 && blocks.contains(&statement.block) && !leads(statement);
        }
        statements.sort_by_key(|s| (!s.is_beside, std::cmp::Reverse(s.last - s.first), std::cmp::Reverse(s.first)));
        Some(Draft { lines, stands, statements })
    }

    /// With those statements of its top level alone that names lead to from the last one, which fails; with `acts`, also those that do
    /// something else with such names than to bind one.
    /// `None` where these are all.
    fn reached(&self, acts: bool) -> Option<Draft<'a>> {
        let is_top = |s: &&Statement| s.block == 0 && self.stands[s.first] == Stands::Itself;
        let mut top: Vec<Statement> = self.statements.iter().filter(is_top).copied().collect();
        top.sort_by_key(|s| s.first);
        let text = |s: &Statement| self.lines[s.first..=s.last].iter().map(|(line, _)| format!("{line}\n")).collect();
        let texts: Vec<String> = top.iter().map(text).collect();
        let bound: Vec<Bound> = texts.iter().map(|text| Bound::by(text)).collect();
        let mut kept: Vec<bool> = (1..=top.len()).map(|nth| nth == top.len()).collect();
        loop {
            let leads = |from: usize, to: usize| bound[to].names.iter().any(|name| mentions(&texts[from], name));
            let wanted = |at: usize| {
                let mut others = (0..top.len()).filter(|other| kept[*other]);
                let acts = acts && (bound[at].names.is_empty() || texts[at].starts_with('@'));
                bound[at].is_open || others.any(|of| leads(of, at) || acts && !bound[of].imports && leads(at, of))
            };
            let Some(next) = (0..top.len()).find(|at| !kept[*at] && wanted(*at)) else { break };
            kept[next] = true;
        }
        if kept.iter().all(|kept| *kept) {
            return None;
        }
        let mut draft = self.clone();
        for (statement, _) in top.iter().zip(kept).filter(|(_, kept)| !kept) {
            draft.stands[statement.first..=statement.last].fill(Stands::Nothing);
        }
        Some(draft)
    }

    /// Without a statement; `None` where it is gone already.
    fn without(&self, at: usize) -> Option<Draft<'a>> {
        let Statement { first, last, block, .. } = self.statements[at];
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
