//! `textDocument/inlayHint`: shapes behind assigned names and parameters.

use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams};
use tracer_core::analysis::Shown;

use crate::lsp::{State, convert, facts};

/// The answer, from the last finished analyses.
pub fn answer(state: &State, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    let uri = &params.text_document.uri;
    let utf8 = state.abilities().utf8;
    let path = state.documents().get(uri)?.path.clone();
    if !state.settings().of_file(&path).inlay_hints {
        return Some(Vec::new());
    }
    let module = facts::module(state, uri)?;
    let documents = state.documents();
    let text = &documents.get(uri)?.text;
    let wanted = convert::span(text, params.range, utf8);
    let bindings = facts::bindings(&module);
    let shown = bindings.iter().filter(|b| !b.annotated && b.name.end >= wanted.start && b.name.start <= wanted.end);
    let hints = shown.filter_map(|binding| {
        let label = label(&facts::seen(&documents, uri, binding.source))?;
        Some(InlayHint {
            position: convert::position(text, binding.name.end, utf8),
            label: InlayHintLabel::String(format!(": {label}")),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        })
    });
    Some(hints.collect())
}

fn label(seen: &[Shown]) -> Option<String> {
    let mut avals: Vec<String> = seen
        .iter()
        .filter_map(|s| match s {
            Shown::Array { aval, .. } => Some(aval.to_string()),
            Shown::Other(text) => Some(text.trim_start_matches("np:").to_owned()),
            Shown::Unknown(_) => None,
        })
        .collect();
    avals.dedup();
    match avals.len() {
        0 => None,
        1..=3 => Some(avals.join(" | ")),
        n => Some(format!("{} | … {} more", avals[0], n - 1)),
    }
}
