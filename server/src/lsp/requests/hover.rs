//! `textDocument/hover`: what the expression under the cursor was, one line per distinct value; of a function's name in its `def` line, what its
//! cache holds. Where only a file that is not open tells it, that file is named.

use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tracer_core::analysis::{CallFact, Shown};
use tracer_core::module::{Code, CodeKind};

use crate::lsp::documents::Documents;
use crate::lsp::requests::trace_cache;
use crate::lsp::{State, convert, facts, numbers};

/// Longer caches are cut: the request for them shows them whole.
const MOST_LINES: usize = 40;
/// So many reasons for traces are shown.
const MOST_REASONS: usize = 3;

/// The answer, from the last finished analyses.
pub fn answer(state: &State, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let utf8 = state.abilities().utf8;
    let module = facts::module(state, &at.text_document.uri)?;
    let named = |documents: &Documents| {
        let document = documents.get(&at.text_document.uri)?;
        let offset = convert::offset(&document.text, at.position, utf8);
        let is_name = |code: &&Code| code.kind == CodeKind::Function && code.name_span.touches(offset);
        Some(convert::range(&document.text, module.codes.iter().find(is_name)?.name_span, utf8))
    };
    // In a statement of its own: the lock is let go of before the next one.
    let name = named(&state.documents());
    if let Some(range) = name {
        let text = fenced(&trace_cache::answer(state, at)?.text);
        return Some(Hover { contents: markdown(text), range: Some(range) });
    }
    let documents = state.documents();
    let document = documents.get(&at.text_document.uri)?;
    let offset = convert::offset(&document.text, at.position, utf8);
    let (span, source) = facts::under_cursor(&module, offset)?;
    let mut lines: Vec<String> = facts::seen(&documents, &at.text_document.uri, source).iter().map(line).collect();
    // Of a name that is bound to a call, the value alone is asked for.
    let of_calls = if span == source { documents.views(&at.text_document.uri) } else { Vec::new() };
    for view in of_calls {
        let call = view.then(source).and_then(|then| view.finished.analysis.cache_at(view.file, then));
        if let Some(said) = call.as_ref().map(cache).filter(|said| !lines.contains(said)) {
            lines.push(said);
        }
    }
    lines.extend(facts::told_by(&documents, &at.text_document.uri, source).map(|name| format!("as run by `{name}`")));
    // Of a name that is bound, the numbers of its value.
    let kept = state.numbers.current(&documents);
    lines.extend(numbers::at(&kept, &documents, &at.text_document.uri, source));
    if lines.is_empty() {
        return None;
    }
    Some(Hover { contents: markdown(lines.join("\n\n")), range: Some(convert::range(&document.text, span, utf8)) })
}

fn markdown(value: String) -> HoverContents {
    HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value })
}

/// A text as it is, as far as there is room for it.
fn fenced(text: &str) -> String {
    let all = text.trim_end().lines().count();
    let shown: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let rest = if all > MOST_LINES { format!("\n… {} more lines", all - MOST_LINES) } else { String::new() };
    format!("```text\n{}{rest}\n```", shown.join("\n"))
}

/// Whether a call traced the function, why, and whether the cache answered it.
fn cache(call: &CallFact) -> String {
    let mut said = Vec::new();
    if !call.traced.is_empty() {
        let equations = call.traced.iter().fold(0, |all: usize, one| all.saturating_add(*one));
        // The first trace of a function is none that was made again.
        let again = if call.reasons.len() < call.traced.len() { "" } else { " again" };
        let times = if call.traced.len() == 1 { String::new() } else { format!(" {} times", call.traced.len()) };
        let plural = if equations == 1 { "" } else { "s" };
        said.push(format!("traces `{}`{again}{times} ({equations} equation{plural})", call.function));
    }
    if call.hit {
        said.push(if said.is_empty() {
            format!("the cache has a trace of `{}`", call.function)
        } else {
            "then from the cache".into()
        });
    }
    let mut reasons: Vec<String> = call.reasons.iter().take(MOST_REASONS).map(|reason| format!("- {reason}")).collect();
    if call.reasons.len() > MOST_REASONS {
        reasons.push(format!("- … {} more", call.reasons.len() - MOST_REASONS));
    }
    // What is compiled is kept by where arguments lie as well.
    let again =
        call.compiled_again.iter().take(MOST_REASONS).map(|reason| format!("- compiled again, not traced: {reason}"));
    reasons.extend(again);
    [vec![said.join(", ")], reasons].concat().join("\n")
}

fn line(shown: &Shown) -> String {
    match shown {
        Shown::Array { aval, tracer } => {
            let weak = if aval.weak { ", weak type" } else { "" };
            let traced = if *tracer { "traced" } else { "concrete" };
            format!("`{aval}` {traced}{weak}")
        }
        Shown::Other(text) => match text.strip_prefix("np:") {
            Some(aval) => format!("`{aval}` NumPy array"),
            None => format!("`{text}`"),
        },
        Shown::Unknown(why) => format!("unknown: {why}"),
    }
}
