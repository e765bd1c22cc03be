//! `textDocument/inlayHint`: shapes behind assigned names and parameters.

use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams};
use tracer_core::analysis::{FileFacts, Shown};
use tracer_core::module::{Stmt, Target};
use tracer_core::text::{LineIndex, Span};

use crate::lsp::{State, convert};

/// The answer, from the last finished analysis.
pub fn answer(state: &State, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
    if !state.settings().inlay_hints {
        return Some(Vec::new());
    }
    let utf8 = state.abilities().utf8;
    let documents = state.documents();
    let document = documents.get(&params.text_document.uri)?;
    let finished = document.finished.as_ref()?;
    let facts = &finished.analysis.files[finished.file?];
    let text = document.text.to_string();
    let index = LineIndex::new(&text);
    let wanted = convert::span_in_rope(&document.text, params.range, utf8);
    let mut hints = Vec::new();
    for (name, label) in labels(facts) {
        let Some(now) = document.to_current(name) else { continue };
        if now.end < wanted.start || now.start > wanted.end {
            continue;
        }
        hints.push(InlayHint {
            position: convert::position(&index, &text, now.end, utf8),
            label: InlayHintLabel::String(format!(": {label}")),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        });
    }
    Some(hints)
}

/// Names with what they are bound to: targets of assignments by the value's type, parameters by their own.
fn labels(facts: &FileFacts) -> Vec<(Span, String)> {
    let mut labels = Vec::new();
    let at = |span: Span| facts.exprs.iter().filter(move |e| e.span == span).find_map(|e| label(&e.seen));
    for statement in &facts.module.stmts {
        if let Stmt::Assign(targets, value) = statement
            && let [Target::Name(_, _, name)] = &targets[..]
            && let Some(text) = at(facts.module.span(*value))
        {
            labels.push((*name, text));
        }
    }
    for code in &facts.module.codes {
        for param in &code.params.names {
            if param.annotation.is_none()
                && let Some(text) = at(param.span)
            {
                labels.push((param.span, text));
            }
        }
    }
    labels.sort();
    labels
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
