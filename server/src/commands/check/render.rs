//! Diagnostics with the code that they speak of, for people.

use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Snippet};
use anstream::ColorChoice;
use tracer_core::diagnostics::{self, Diagnostic, Related, Severity};
use tracer_core::notebook;
use tracer_core::text::Span;

use crate::commands::report::Report;
use crate::commands::{Color, output, places, program};

/// Prints diagnostics as rustc prints them.
pub struct Renderer {
    inner: annotate_snippets::Renderer,
    choice: ColorChoice,
}

/// Messages are cut after so many lines: a framework's own can be pages.
const MOST_LINES: usize = 12;

impl Renderer {
    /// A renderer, if people are reading: on a terminal, or where colour was asked for.
    pub fn new(color: Color) -> Option<Renderer> {
        let terminal = std::io::stdout().is_terminal();
        if !terminal && color != Color::Always {
            return None;
        }
        let choice = match color {
            Color::Auto => anstream::AutoStream::choice(&std::io::stdout()),
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let width = terminal_size::terminal_size().map_or(120, |(width, _)| usize::from(width.0));
        Some(Renderer { inner: annotate_snippets::Renderer::styled().term_width(width.clamp(60, 160)), choice })
    }

    fn print(&self, text: &str) {
        use std::io::Write;
        let mut out = anstream::AutoStream::new(std::io::stdout().lock(), self.choice);
        if let Err(error) = writeln!(out, "{text}") {
            output::ended(&error);
        }
    }

    /// Prints one diagnostic and an empty line.
    pub fn show(&self, report: &Report, diagnostic: &Diagnostic) {
        let groups = groups(report, diagnostic);
        self.print(&format!("{}\n", self.inner.render(&groups)));
    }

    /// Prints how many there were, and how many can be mended.
    pub fn summary(&self, count: usize, fixable: usize) {
        let found = match count {
            0 => "nothing found".to_owned(),
            1 => "1 diagnostic".to_owned(),
            n => format!("{n} diagnostics"),
        };
        let fixes = if fixable > 0 { format!("; `--fix` mends {fixable}") } else { String::new() };
        self.print(&format!("jitlens: {found}{fixes}"));
    }
}

fn groups<'a>(report: &'a Report, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE,
    };
    let (title, rest) = match diagnostic.message.split_once('\n') {
        Some((title, rest)) => (title, rest.trim()),
        None => (diagnostic.message.as_str(), ""),
    };
    let own = Part::of(report, diagnostic.at);
    let related: Vec<(Part, &Related)> = diagnostic.related.iter().map(|r| (Part::of(report, r.at), r)).collect();
    let mut group = level.primary_title(title).id(diagnostic.rule).element(snippet(
        report,
        &own,
        Some(diagnostic.at.span),
        related.iter().filter(|(part, _)| *part == own).map(|(_, r)| *r),
    ));
    let mut files: Vec<Part> = related.iter().map(|(part, _)| part.clone()).filter(|part| *part != own).collect();
    files.dedup();
    for file in files {
        let there = related.iter().filter(|(part, _)| *part == file).map(|(_, r)| *r);
        group = group.element(snippet(report, &file, None, there));
    }
    if !rest.is_empty() {
        let mut lines: Vec<&str> = rest.lines().collect();
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES);
            lines.push("…");
        }
        group = group.element(Level::NOTE.message(lines.join("\n")));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}

/// A file, or a cell of a notebook, and its text.
#[derive(Clone, PartialEq, Eq)]
struct Part {
    file: usize,
    cell: Option<u32>,
    text: Range<usize>,
}

impl Part {
    fn of(report: &Report, at: diagnostics::Range) -> Part {
        let source = &report.files[at.file];
        let cells = if notebook::is_notebook(&source.path) { notebook::cells(&source.text) } else { Vec::new() };
        match cells.iter().rfind(|cell| cell.span.start <= at.span.start) {
            Some(cell) => {
                let text = cell.span.start as usize..cell.span.end as usize;
                Part { file: at.file, cell: Some(cell.number), text }
            }
            None => Part { file: at.file, cell: None, text: 0..source.text.len() },
        }
    }
}

/// The lines of a part of a program with one place and what is related to it.
fn snippet<'a>(
    report: &'a Report,
    part: &Part,
    primary: Option<Span>,
    related: impl Iterator<Item = &'a Related>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = &report.files[part.file];
    let (text, start) = (&source.text[part.text.clone()], part.text.start as u32);
    let name = places::named(&program::shown(&source.path), part.cell);
    let mut snippet = Snippet::source(text).path(name).fold(true);
    let inside =
        move |span: Span| Span { start: span.start.saturating_sub(start), end: span.end.saturating_sub(start) };
    if let Some(span) = primary {
        snippet = snippet.annotation(AnnotationKind::Primary.span(first_line(text, inside(span))));
    }
    snippet.annotations(
        related.map(|r| AnnotationKind::Context.span(first_line(text, inside(r.at.span))).label(r.message.as_str())),
    )
}

/// The part of a range on its first line, on character boundaries: a caret under a whole function says nothing.
fn first_line(text: &str, span: Span) -> Range<usize> {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let (start, end) = (floor(span.start as usize), floor(span.end as usize));
    let inside = &text[start..end.max(start)];
    let line = inside.find(['\n', '\r']).unwrap_or(inside.len());
    start..start + line
}
