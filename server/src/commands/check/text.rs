//! `--format text`: code lines for people, a line per finding for programs that read lines.

use tracer_core::diagnostics::Severity;

use super::render::Renderer;
use super::{Shown, Writer};
use crate::commands::{Color, output};

/// The writer that fits where the text goes.
pub fn writer(color: Color) -> Box<dyn Writer> {
    match Renderer::new(color) {
        Some(renderer) => Box::new(People { renderer, count: 0, fixable: 0 }),
        None => Box::new(Lines),
    }
}

struct People {
    renderer: Renderer,
    count: usize,
    /// How many have a fix.
    fixable: usize,
}

impl Writer for People {
    fn found(&mut self, shown: &Shown<'_>) {
        self.count += 1;
        self.fixable += usize::from(!shown.found.fixes.is_empty());
        self.renderer.show(shown.report, shown.diagnostic);
    }
    fn end(&mut self, _: bool) {
        self.renderer.summary(self.count, self.fixable);
    }
}

/// `p.py:3:4: TypeError: …`: the severity stands in front of all but errors.
struct Lines;

impl Writer for Lines {
    fn found(&mut self, shown: &Shown<'_>) {
        let found = shown.found;
        let severity = match found.severity {
            Severity::Error => String::new(),
            other => format!("{}[{}]: ", other.name(), found.rule),
        };
        let [line, column, ..] = found.at.range;
        output::line(format!("{}:{line}:{column}: {severity}{}", found.at.name(), found.message));
    }
    fn end(&mut self, _: bool) {}
}
