//! `textDocument/documentLink`: from the functions of a reproducer, and from its last line, to the places that they come from.

use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams};
use tracer_core::text::Span;

use crate::lsp::{State, convert, reproducers};

/// The answer; nothing in a file that is no reproducer.
pub fn answer(state: &State, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let utf8 = state.abilities().utf8;
    let mut documents = state.documents();
    let document = documents.get(&params.text_document.uri)?;
    let (path, text) = (document.path.clone(), document.text.clone());
    let mut links = Vec::new();
    for (line, span) in linked(&text.to_string()) {
        let places = reproducers::sources(&mut documents, &path, line);
        let Some(shown) = places.first().and_then(|place| reproducers::shown(&documents, place, utf8)) else {
            continue;
        };
        let Some(start) = shown.range.map(|range| range.start) else { continue };
        // What opens a link reads such an end as a place.
        let target = format!("{}#L{},{}", shown.uri.as_str(), start.line + 1, start.character + 1);
        links.push(DocumentLink {
            range: convert::range(&text, span, utf8),
            target: target.parse().ok(),
            tooltip: None,
            data: None,
        });
    }
    (!links.is_empty()).then_some(links)
}

/// The lines that have links, each with the part that is one: names of functions, and the last line.
fn linked(text: &str) -> Vec<(Span, Span)> {
    let mut found = Vec::new();
    let (mut at, mut last) = (0, None);
    for line in text.split_inclusive('\n') {
        let code = line.trim_end();
        let indent = code.len() - code.trim_start().len();
        let whole = Span { start: at as u32, end: (at + code.len()) as u32 };
        if let Some(name) = code.trim_start().strip_prefix("def ").and_then(|rest| rest.split('(').next()) {
            let start = at + indent + "def ".len();
            found.push((whole, Span { start: start as u32, end: (start + name.len()) as u32 }));
        }
        if !code.is_empty() && indent == 0 && !code.starts_with(['#', ')', ']', '}']) {
            last = Some((whole, whole));
        }
        at += line.len();
    }
    found.extend(last.filter(|last| found.last().is_none_or(|found| found.0 != last.0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_the_last_line_are_linked() {
        let text = "import jax\n\n\ndef f(x):\n    return x\n\n\njax.jit(f)(\n    3\n)\n";
        let parts: Vec<&str> = linked(text).iter().map(|(_, s)| &text[s.start as usize..s.end as usize]).collect();
        assert_eq!(parts, ["f", "jax.jit(f)("]);
    }
}
