//! Changes of the text that mend what was found: one file each, and a row in [`of`].
//!
//! A fix is offered where its text is right by what the run saw; what remains of the defect is what the rule says. The literate
//! tests apply every fix of every program: the text parses, the diagnostic is gone, and nothing else is found there.

mod applied;
mod as_array;
mod as_tuple;
mod bare_transfer;
mod batches;
mod bound_default;
mod branches;
mod call_types;
mod compiled;
mod condition;
mod debug_callback;
mod debug_print;
mod definitions;
mod explicit_update;
mod filled_list;
mod filter_jit;
mod first_carry;
mod followed;
mod fori_loop;
mod formats;
mod free;
mod given_out;
mod guarded_operand;
mod hoisted;
mod in_one;
mod indexed_update;
mod jax_numpy;
mod jnp_names;
mod joined_once;
mod kept_method;
mod local_name;
mod logged;
mod made_once;
mod masked;
mod moved_out;
mod narrow;
mod nnx_jit;
mod not_donated;
mod numpy_calls;
mod padded;
mod passed;
mod plain_def;
mod printed;
mod rebound;
mod registered;
mod renamed_static;
mod rounds;
mod same_type;
mod same_way;
mod scan_output;
mod split_key;
mod static_argument;
mod static_self;
mod types;
mod uncached;
mod where_choice;
mod while_loop;
mod whole_batches;

use super::reading::within;
use super::{Diagnostic, Fix, Range, exceptions};
use crate::analysis::{Analysis, FileFacts, Problem};
use crate::interp::{Effect, Event, KeyChange, KeyDifference};
use crate::module::{ExprId, Module, Stmt, StmtId};
use crate::python::{ArgumentLeaf, Site, Subject};
use crate::text::Span;

/// A diagnostic in its file.
struct Found<'a> {
    facts: &'a FileFacts,
    module: &'a Module,
    diagnostic: &'a Diagnostic,
    events: &'a [Event],
    /// What is new of the one argument that a call is traced again for.
    change: Option<&'a KeyChange>,
    /// The exception that it tells of.
    problem: Option<&'a Problem>,
}

/// What mends a diagnostic.
pub fn of(analysis: &Analysis, diagnostic: &Diagnostic) -> Vec<Fix> {
    let facts = &analysis.files[diagnostic.at.file];
    let found = Found {
        facts,
        module: &facts.module,
        diagnostic,
        events: &analysis.events,
        change: change(analysis, diagnostic),
        problem: exceptions::problem(analysis, diagnostic),
    };
    let fix = match diagnostic.rule {
        "alias-update" => explicit_update::fix(&found),
        "python-side-effect" => {
            debug_print::fix(&found).or_else(|| logged::fix(&found)).or_else(|| moved_out::fix(&found))
        }
        "formatted-tracer" => debug_print::fix(&found),
        "traced-format" => debug_print::fix(&found).or_else(|| static_argument::of_repeated(&found)),
        "tracer-kept" => scan_output::fix(&found).or_else(|| moved_out::fix(&found)),
        "cached-tracer" => uncached::fix(&found),
        "immutable-array" => indexed_update::fix(&found),
        "traced-bool" => while_loop::fix(&found)
            .or_else(|| branches::called(&found))
            .or_else(|| where_choice::fix(&found))
            .or_else(|| branches::fix(&found))
            .or_else(|| static_argument::of_library(&found)),
        "boolean-mask" => masked::fix(&found),
        "carry-type" => first_carry::fix(&found),
        "retrace" => whole_batches::fix(&found)
            .or_else(|| same_way::fix(&found))
            .or_else(|| same_type::fix(&found))
            .or_else(|| made_once::fix(&found)),
        "traced-to-numpy" => jax_numpy::fix(&found).or_else(|| as_array::fix(&found)),
        "traced-to-python" => {
            jax_numpy::fix(&found).or_else(|| debug_print::fix(&found)).or_else(|| static_argument::fix(&found))
        }
        "traced-shape" => static_argument::fix(&found),
        "traced-index" => static_argument::fix(&found).or_else(|| as_array::fix(&found)),
        "not-an-array" => static_argument::fix(&found)
            .or_else(|| as_array::fix(&found))
            .or_else(|| static_self::fix(&found))
            .or_else(|| registered::fix(&found))
            .or_else(|| plain_def::fix(&found))
            .or_else(|| filter_jit::fix(&found)),
        "static-argument" => as_tuple::fix(&found)
            .or_else(|| renamed_static::fix(&found))
            .or_else(|| static_argument::of_library(&found)),
        "donated" => not_donated::fix(&found),
        "nan-gradient" => guarded_operand::fix(&found),
        "late-binding" => bound_default::fix(&found),
        "stale-capture" => passed::fix(&found),
        "large-constant" => passed::fix(&found),
        "key-reuse" => split_key::fix(&found),
        "x64-truncation" => narrow::fix(&found),
        "unstable-log" => in_one::fix(&found),
        "transfer-in-trace" => bare_transfer::fix(&found),
        "dropped-callback" => debug_callback::fix(&found),
        "fresh-function" => hoisted::fix(&found).or_else(|| kept_method::fix(&found)),
        "growing-array" => joined_once::fix(&found),
        "exception" => local_name::fix(&found).or_else(|| applied::fix(&found)).or_else(|| nnx_jit::fix(&found)),
        "unrolled-loop" => fori_loop::fix(&found).or_else(|| filled_list::fix(&found)),
        _ => None,
    };
    let mut all: Vec<Fix> = fix.into_iter().collect();
    if diagnostic.rule == "retrace"
        && let Some((padded, apart)) = padded::fix(&found)
    {
        // What gives the same numbers comes first.
        all.insert(if apart { 0 } else { all.len() }, padded);
    }
    all.iter_mut().for_each(|fix| fix.edits.sort_by_key(|(at, _)| (at.span.start, at.span.end)));
    all
}

/// The change of an argument that a `retrace` tells, if that is all that it tells.
fn change<'a>(analysis: &'a Analysis, diagnostic: &Diagnostic) -> Option<&'a KeyChange> {
    if diagnostic.rule != "retrace" {
        return None;
    }
    let mut reasons = analysis.events.iter().filter_map(|event| match event {
        Event::CacheMiss { site, seen_before: 1.., differences, .. } => {
            let is_here = site.span == diagnostic.at.span
                && analysis.file_index(site.file).is_some_and(|file| file == diagnostic.at.file);
            is_here.then_some(differences)
        }
        _ => None,
    });
    let first = reasons.next()?;
    match &first[..] {
        [KeyDifference { change: Some(change), .. }] if reasons.all(|other| other == first) => Some(change),
        _ => None,
    }
}

impl<'a> Found<'a> {
    fn span(&self) -> Span {
        self.diagnostic.at.span
    }
    /// Whether a place of an event is the diagnostic's.
    fn is_at(&self, site: Site) -> bool {
        site.file == self.facts.id && site.span == self.span()
    }
    /// What the traced code at this place does beside computing.
    fn effects(&self) -> impl Iterator<Item = &'a Effect> {
        let here = Site { file: self.facts.id, span: self.span() };
        self.events.iter().filter_map(move |event| match event {
            Event::SideEffect { site, effect } if *site == here => Some(effect),
            _ => None,
        })
    }
    /// The part of an argument that a compiled function could not take.
    fn argument(&self) -> Option<&'a ArgumentLeaf> {
        match self.problem?.subject.as_ref()? {
            Subject::Argument(leaf) => Some(leaf),
            _ => None,
        }
    }
    fn text_at(&self, span: Span) -> &'a str {
        self.facts.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
    fn text(&self, expr: ExprId) -> &'a str {
        self.text_at(self.module.span(expr))
    }
    fn edit(&self, span: Span, text: String) -> (Range, String) {
        (Range { file: self.diagnostic.at.file, span }, text)
    }
    /// The fix that replaces this range.
    fn replace(&self, title: String, span: Span, text: String) -> Option<Fix> {
        Some(Fix { title, edits: vec![self.edit(span, text)] })
    }
    /// The expression of exactly the diagnostic's range.
    fn expr(&self) -> Option<ExprId> {
        self.module.expr_spans.iter().position(|span| *span == self.span()).map(|at| ExprId(at as u32))
    }
    /// The innermost statement around a range.
    fn statement(&self, span: Span) -> Option<(StmtId, Span)> {
        let spans = self.module.stmt_spans.iter().enumerate();
        let around = spans.filter(|(_, own)| within(span, **own));
        around.min_by_key(|(_, own)| own.end - own.start).map(|(i, own)| (StmtId(i as u32), *own))
    }
    /// What the program calls `jax.numpy`.
    fn jnp(&self) -> Option<&'static str> {
        let has = |name: &str| self.module.globals.iter().any(|own| own.as_str() == name);
        if has("jnp") { Some("jnp") } else { has("jax").then_some("jax.numpy") }
    }
    /// Whether the program has a name of its own like that.
    fn has_name(&self, name: &str) -> bool {
        let scopes = self.module.codes.iter().flat_map(|code| code.locals.iter().chain(&code.cells));
        self.module.globals.iter().chain(scopes).any(|own| own.as_str() == name)
    }
    /// Whether the program has imported `jax` by that name.
    fn has_jax(&self) -> bool {
        self.module.globals.iter().any(|own| own.as_str() == "jax")
    }
    /// The line that a range begins in: where it starts, and what it begins with, if that is nothing but blank space.
    fn line(&self, span: Span) -> Option<(u32, &'a str)> {
        let before = self.facts.text.get(..span.start as usize)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = &before[start..];
        indent.chars().all(|c| c == ' ' || c == '\t').then_some((start as u32, indent))
    }
    /// The text of statements that stand on lines of their own, moved to an indent: with the comments among them where it is theirs.
    fn lines(&self, block: &[StmtId], indent: &str) -> String {
        let spans = block.iter().map(|id| self.module.stmt_spans[id.index()]);
        let own = spans.clone().map(|span| self.line(span).filter(|(_, own)| *own == indent).map(|(start, _)| start));
        let (Some(starts), Some(last)) = (own.collect::<Option<Vec<u32>>>(), spans.clone().next_back()) else {
            return spans.map(|span| format!("{indent}{}\n", self.text_at(span))).collect();
        };
        // The comment behind the last statement of all stays where it is.
        let blocks = self.module.stmts.iter().zip(&self.module.stmt_spans);
        let is_last =
            blocks.filter(|(stmt, _)| matches!(stmt, Stmt::If { .. } | Stmt::For { .. } | Stmt::While { .. }));
        let is_last = is_last.into_iter().any(|(_, own)| own.end == last.end);
        let end = if is_last { last.end } else { self.next_line(last).unwrap_or(last.end) };
        let start = starts.first().map_or(last.start, |start| self.above(*start, indent));
        let text = self.facts.text.get(start as usize..end as usize).unwrap_or_default();
        format!("{}\n", text.trim_end_matches('\n'))
    }
    /// Where the comments above a line begin that have its indent.
    fn above(&self, line: u32, indent: &str) -> u32 {
        let mut start = line as usize;
        while let Some(before) = self.facts.text.get(..start.saturating_sub(1)) {
            let previous = before.rfind('\n').map_or(0, |at| at + 1);
            if start == 0 || !before[previous..].strip_prefix(indent).is_some_and(|text| text.starts_with('#')) {
                break;
            }
            start = previous;
        }
        start as u32
    }
    /// Where the line behind a range begins, if nothing but a comment stands between.
    fn next_line(&self, span: Span) -> Option<u32> {
        let rest = self.facts.text.get(span.end as usize..)?;
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let between = rest[..end].trim();
        (between.is_empty() || between.starts_with('#')).then_some(span.end + end as u32)
    }
}
