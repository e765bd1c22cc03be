//! `textDocument/hover`: what the expression under the cursor was, one line per distinct value.

use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tracer_core::analysis::{CallFact, Shown};

use crate::lsp::{State, convert, facts};

/// The answer, from the last finished analyses.
pub fn answer(state: &State, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let utf8 = state.abilities().utf8;
    let module = facts::module(state, &at.text_document.uri)?;
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
    if lines.is_empty() {
        return None;
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: lines.join("\n\n") }),
        range: Some(convert::range(&document.text, span, utf8)),
    })
}

/// Whether a call traced the function, why, and whether the cache answered it.
fn cache(call: &CallFact) -> String {
    let mut said = Vec::new();
    if !call.traced.is_empty() {
        let equations = call.traced.iter().fold(0, |all: usize, one| all.saturating_add(*one));
        let again = if call.reasons.is_empty() { "" } else { " again" };
        let times = if call.traced.len() == 1 { String::new() } else { format!(" {} times", call.traced.len()) };
        said.push(format!("traces `{}`{again}{times} ({equations} equations)", call.function));
    }
    if call.hit {
        said.push(if said.is_empty() {
            format!("the cache has a trace of `{}`", call.function)
        } else {
            "then from the cache".into()
        });
    }
    let reasons: Vec<String> = call.reasons.iter().take(3).map(|reason| format!("- {reason}")).collect();
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
