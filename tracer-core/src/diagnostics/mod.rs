//! What a run found wrong, as plain data that command line and editors show.
//!
//! Rules read facts and never run code. [`diagnose`] lists them.

mod alias_update;
mod argument_mutation;
mod causes;
mod discarded_update;
mod dropped_callback;
mod exceptions;
mod fixes;
mod formatted_tracer;
mod fresh_function;
mod growing_array;
mod isinstance_of_tracer;
mod iterated_tracer;
mod key_reuse;
pub(crate) mod kinds;
mod late_binding;
mod nan_gradient;
mod noted;
mod origins;
mod outer_broadcast;
mod parts;
pub(crate) mod reading;
mod retrace;
mod retraced_because;
mod side_effect;
mod signature;
mod stale_capture;
pub mod syntax;
mod transfer_in_loop;
mod transfer_in_trace;
mod unreachable_handler;
mod unseen_keys;
mod unstable_log;

pub use kinds::{KINDS, Kind};

use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::text::Span;

/// How bad it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Something to know.
    Hint,
    /// It costs time.
    Information,
    /// It runs, but not as it reads.
    Warning,
    /// The framework would raise.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Information => "information",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A range of a user's file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Range {
    /// The file: an index into [`Analysis::files`].
    pub file: usize,
    /// The range.
    pub span: Span,
}

/// A place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Where.
    pub at: Range,
    /// What stands there.
    pub message: String,
}

/// A change of the text that mends what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// What is replaced, and by what.
    pub edits: Vec<(Range, String)>,
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub at: Range,
    /// The rule's name.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong. The first line says it, further ones belong to the framework's own message.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Places that explain it, the most telling first.
    pub related: Vec<Related>,
    /// Changes that mend it.
    pub fixes: Vec<Fix>,
}

/// Everything that a run found, by file and place.
pub fn diagnose(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(syntax::check(analysis));
    found.extend(exceptions::check(analysis));
    found.extend(side_effect::check(analysis));
    found.extend(retrace::check(analysis));
    found.extend(fresh_function::check(analysis));
    found.extend(stale_capture::check(analysis));
    found.extend(noted::check(analysis));
    found.extend(discarded_update::check(analysis));
    found.extend(growing_array::check(analysis));
    found.extend(alias_update::check(analysis));
    found.extend(iterated_tracer::check(analysis));
    found.extend(isinstance_of_tracer::check(analysis));
    found.extend(key_reuse::check(analysis));
    found.extend(unseen_keys::check(analysis));
    found.extend(late_binding::check(analysis));
    found.extend(unreachable_handler::check(analysis));
    found.extend(nan_gradient::check(analysis));
    found.extend(formatted_tracer::check(analysis));
    found.extend(dropped_callback::check(analysis));
    found.extend(outer_broadcast::check(analysis));
    found.extend(unstable_log::check(analysis));
    found.extend(argument_mutation::check(analysis));
    found.extend(transfer_in_trace::check(analysis));
    found.extend(transfer_in_loop::check(analysis));
    found.extend(signature::check(analysis));
    found.retain(|diagnostic| diagnostic.rule == "syntax" || !syntax::is_within(analysis, diagnostic.at));
    found.retain(|diagnostic| !is_ignored(&analysis.files[diagnostic.at.file].text, diagnostic));
    for diagnostic in &mut found {
        if diagnostic.fixes.is_empty() && diagnostic.severity != Severity::Hint {
            diagnostic.fixes = fixes::of(analysis, diagnostic);
        }
    }
    found.sort_by_key(|d| (d.at.file, d.at.span.start, d.at.span.end, std::cmp::Reverse(d.severity)));
    found
}

/// Whether a comment in its first line, or in the line where it ends, says not to tell it: `# jitlens: ignore`, or
/// `# jitlens: ignore[rule, other]`.
fn is_ignored(text: &str, diagnostic: &Diagnostic) -> bool {
    let span = diagnostic.at.span;
    [span.start, span.end.max(span.start)].into_iter().any(|at| says_ignore(text, at as usize, diagnostic.rule))
}

/// Whether a comment in the line of this place says not to tell a rule.
fn says_ignore(text: &str, at: usize, rule: &str) -> bool {
    let at = at.min(text.len());
    let Some(rest) = text.get(at..) else { return false };
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = rest.find('\n').map_or(text.len(), |end| at + end);
    let Some((_, comment)) = text[start..end].split_once("# jitlens: ignore") else { return false };
    match comment.strip_prefix('[').and_then(|rules| rules.split_once(']')) {
        Some((rules, _)) => rules.split(',').any(|own| own.trim() == rule),
        None => true,
    }
}
