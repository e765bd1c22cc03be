//! `textDocument/hover`: what the expression under the cursor was, one line per distinct value.

use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tracer_core::analysis::Shown;
use tracer_core::text::LineIndex;

use crate::lsp::{State, convert};

/// The answer, from the last finished analysis.
pub fn answer(state: &State, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let utf8 = state.abilities().utf8;
    let documents = state.documents();
    let document = documents.get(&at.text_document.uri)?;
    let offset = convert::offset_in_rope(&document.text, at.position, utf8) as u32;
    let offset = document.to_analyzed(offset)?;
    let finished = document.finished.as_ref()?;
    let facts = &finished.analysis.files[finished.file?];
    // The smallest expression around the cursor.
    let fact = facts.exprs.iter().filter(|e| e.span.touches(offset)).min_by_key(|e| e.span.end - e.span.start)?;
    let span = document.to_current(fact.span)?;
    let lines: Vec<String> = fact.seen.iter().map(line).collect();
    let text = document.text.to_string();
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: lines.join("\n\n") }),
        range: Some(convert::range(&LineIndex::new(&text), &text, span, utf8)),
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
