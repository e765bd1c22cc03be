//! What was recorded for a reproducer, as lines.

use tracer_core::analysis::Analysis;
use tracer_core::repro::Logged;
use tracer_core::text::LineIndex;

use crate::commands::program;

/// A line of the log: whether it is of an operation, not of a call, and its text.
pub type LogLine = (bool, String);

/// A line for each call: its place, what it gave, and why it is not in the reproducer.
pub fn lines(analysis: &Analysis, log: &[Logged]) -> Vec<LogLine> {
    let mut indices: Vec<Option<LineIndex>> = analysis.files.iter().map(|_| None).collect();
    let mut line = |logged: &Logged| {
        let place = logged.place.map_or(String::new(), |(file, span)| {
            let facts = &analysis.files[file];
            let index = indices[file].get_or_insert_with(|| LineIndex::new(&facts.text));
            format!("{}:{}: ", program::shown(&facts.path), program::range(index, span)[0])
        });
        let why = logged.left_out.map_or(String::new(), |why| format!(" (left out: {why})"));
        (logged.is_operation, format!("{place}{}{}{why}", "  ".repeat(logged.depth), logged.text))
    };
    log.iter().map(&mut line).collect()
}
