//! `textDocument/hover`: what the expression under the cursor was, one line per distinct value.

use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tracer_core::analysis::Shown;

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
    let lines: Vec<String> = facts::seen(&documents, &at.text_document.uri, source).iter().map(line).collect();
    if lines.is_empty() {
        return None;
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: lines.join("\n\n") }),
        range: Some(convert::range(&document.text, span, utf8)),
    })
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
