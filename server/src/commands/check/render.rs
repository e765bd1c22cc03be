//! Diagnostics with the code that they speak of, for people.

use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Snippet};
use anstream::ColorChoice;
use tracer_core::diagnostics::{Diagnostic, Related, Severity};
use tracer_core::text::Span;

use crate::commands::report::Report;
use crate::commands::{Color, output, program};

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
    let own = diagnostic.at.file;
    let mut group = level.primary_title(title).id(diagnostic.rule).element(snippet(
        report,
        own,
        Some(diagnostic.at.span),
        diagnostic.related.iter().filter(|r| r.at.file == own),
    ));
    let mut files: Vec<usize> = diagnostic.related.iter().map(|r| r.at.file).filter(|f| *f != own).collect();
    files.dedup();
    for file in files {
        let there = diagnostic.related.iter().filter(|r| r.at.file == file);
        group = group.element(snippet(report, file, None, there));
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

/// A file's lines with one place and what is related to it.
fn snippet<'a>(
    report: &'a Report,
    file: usize,
    primary: Option<Span>,
    related: impl Iterator<Item = &'a Related>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = &report.files[file];
    let text = &*source.text;
    let mut snippet = Snippet::source(text).path(program::shown(&source.path)).fold(true);
    if let Some(span) = primary {
        snippet = snippet.annotation(AnnotationKind::Primary.span(first_line(text, span)));
    }
    snippet.annotations(
        related.map(|r| AnnotationKind::Context.span(first_line(text, r.at.span)).label(r.message.as_str())),
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
