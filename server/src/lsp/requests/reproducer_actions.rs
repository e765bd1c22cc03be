//! Code actions of reproducers: writing one, and going from its lines to the source and back.

use tower_lsp::ls_types::{CodeAction, CodeActionKind, Command, Diagnostic, Location, Uri};
use tracer_core::analysis::Problem;
use tracer_core::diagnostics;
use tracer_core::text::Span;

use crate::config::Projects;
use crate::lsp::documents::{Documents, View};
use crate::lsp::reproducers::{self, Place, REPRODUCE, SHOW, Wish};
use crate::lsp::requests::graphs::innermost;
use crate::lsp::{State, convert};

/// What writes a reproducer of a function.
pub const EXTRACT: CodeActionKind = CodeActionKind::new("refactor.extract.jitlens");
/// What leads to another place.
pub const GO_TO: CodeActionKind = CodeActionKind::new("jitlens.goto");

/// The actions that write a reproducer of the exception that a diagnostic at a place of the present text says: as it is, and as small as it
/// can be.
pub fn of_diagnostic(
    view: &View<'_>,
    diagnostic: &diagnostics::Diagnostic,
    place: Location,
    meant: &[Diagnostic],
) -> Option<[CodeAction; 2]> {
    let mut problems = view.finished.analysis.problems.iter();
    let is_there = |problem: &Problem| {
        problem.frames.first().is_some_and(|(file, span, _)| (*file, *span) == (diagnostic.at.file, diagnostic.at.span))
    };
    let found = problems.position(is_there).filter(|_| diagnostic.severity == diagnostics::Severity::Error);
    // The first one is what the program ends in.
    let at = found.is_some_and(|at| at > 0).then_some(place);
    let is_it = found.is_some();
    let titles = [("generate a reproducer of this error", false), ("generate a minimal reproducer", true)];
    is_it.then(|| {
        titles.map(|(title, minimal)| {
            let wish =
                Wish { uri: view.finished.script.clone(), function: None, at: at.clone(), minimal, unasked: false };
            CodeAction {
                diagnostics: (!meant.is_empty()).then(|| meant.to_vec()),
                ..action(title, CodeActionKind::QUICKFIX, REPRODUCE, &wish)
            }
        })
    })
}

/// The actions that write a reproducer of the innermost function around a range, if it is traced: as it is, and with small arrays.
pub fn of_function(views: &[View<'_>], asked: Span) -> Vec<CodeAction> {
    let found = views.iter().find_map(|view| {
        let (function, _) = innermost(view, asked).filter(|(_, traced)| *traced)?;
        let what = format!("`{}`", function.rsplit('.').next().unwrap_or(&function));
        let wish = Wish {
            uri: view.finished.script.clone(),
            function: Some(function),
            at: None,
            minimal: false,
            unasked: false,
        };
        Some(both(&what, wish))
    });
    found.unwrap_or_default()
}

/// The actions that write a reproducer of the calls that are selected: of a program's top level, or of a traced function.
pub fn of_selection(views: &[View<'_>], asked: Span, selected: Location) -> Vec<CodeAction> {
    let is_run = |view: &&View<'_>| innermost(view, asked).is_none_or(|(_, traced)| traced);
    let Some(view) = views.iter().find(is_run).filter(|_| selected.range.start != selected.range.end) else {
        return Vec::new();
    };
    let wish =
        Wish { uri: view.finished.script.clone(), function: None, at: Some(selected), minimal: false, unasked: false };
    both("the selection", wish)
}

/// The actions that write a reproducer of something, as it is and as small as it can be.
fn both(what: &str, wish: Wish) -> Vec<CodeAction> {
    let small = Wish { minimal: true, ..wish.clone() };
    vec![
        action(&format!("generate a reproducer of {what}"), EXTRACT, REPRODUCE, &wish),
        action(&format!("generate a minimal reproducer of {what}"), EXTRACT, REPRODUCE, &small),
    ]
}

/// The actions that lead from a line of a reproducer to its source, and from a place of a source to lines of reproducers.
pub fn leading(state: &State, documents: &mut Documents, uri: &Uri, asked: Span) -> Vec<CodeAction> {
    let abilities = state.abilities();
    let Some(path) = documents.get(uri).map(|document| document.path.clone()).filter(|_| abilities.shows) else {
        return Vec::new();
    };
    let settings = Projects::new(state.settings()).of_file(&path);
    reproducers::know_all(documents, &reproducers::folder(&settings, &path));
    let start = documents.start(uri);
    let in_program = |span: Span| Span { start: span.start + start, end: span.end + start };
    let (sources, lines) = (in_program(line_of(documents, uri, asked)), in_program(asked));
    let sources = reproducers::sources(documents, &path, sources);
    let lines = reproducers::lines(documents, &path, lines);
    let mut actions = Vec::new();
    for (places, what) in [(sources, "the source"), (lines, "the reproducer")] {
        for place in places.iter().take(MOST_PLACES) {
            let Some(shown) = reproducers::shown(documents, place, abilities.utf8) else { continue };
            let title = format!("go to {what}: {}", named(documents, place));
            actions.push(action(&title, GO_TO, SHOW, &shown));
        }
    }
    actions
}

/// More places than this are not offered.
const MOST_PLACES: usize = 5;

/// A range, from the start of its first line.
fn line_of(documents: &Documents, uri: &Uri, asked: Span) -> Span {
    let start = documents.get(uri).map(|document| {
        let line = document.text.byte_to_line((asked.start as usize).min(document.text.len_bytes()));
        document.text.line_to_byte(line) as u32
    });
    Span { start: start.unwrap_or(asked.start), end: asked.end }
}

/// A place as it is named in a menu: `train.py:12`.
fn named(documents: &Documents, place: &Place) -> String {
    let name = place.path.file_name().unwrap_or_default().to_string_lossy();
    if let Some((cell, span)) = documents.part(&place.path, place.span).filter(|(part, _)| part.notebook.is_some()) {
        return format!("{name}, line {} of a cell", convert::position(&cell.text, span.start, true).line + 1);
    }
    let text = documents.text_of(&place.path).unwrap_or_default();
    format!("{name}:{}", convert::position(&text, place.span.start, true).line + 1)
}

fn action(title: &str, kind: CodeActionKind, command: &str, argument: &impl serde::Serialize) -> CodeAction {
    let arguments = serde_json::to_value(argument).ok().map(|argument| vec![argument]);
    CodeAction {
        title: title.to_owned(),
        kind: Some(kind),
        command: Some(Command { title: title.to_owned(), command: command.to_owned(), arguments }),
        ..CodeAction::default()
    }
}
