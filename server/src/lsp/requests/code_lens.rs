//! `textDocument/codeLens`: how often a function was traced, what a trace of it has, and what evaluates it.

use tower_lsp::ls_types::{
    CodeLens, CodeLensParams, Command, Location, TextDocumentIdentifier, TextDocumentPositionParams,
};

use crate::lsp::requests::evaluate_actions;
use crate::lsp::{State, convert};

/// The command of a lens: what the cache of the function holds, by the position of its name. Editors that have a view of it show it
/// there; to others the server tells it.
pub const TRACE_CACHE_AT: &str = "jitlens.traceCacheAt";

/// The answer, from the document's own last finished analysis.
pub fn answer(state: &State, params: &CodeLensParams) -> Option<Vec<CodeLens>> {
    let uri = &params.text_document.uri;
    let utf8 = state.abilities().utf8;
    let documents = state.documents();
    let document = documents.get(uri)?;
    let views = documents.views(uri);
    let Some(view) = views.first() else { return Some(Vec::new()) };
    let of_function = |function: &tracer_core::analysis::FunctionFact| {
        let traces = view.finished.analysis.traces_of(view.file, function.name_span);
        let name = view.now(function.name_span)?;
        let range = convert::range(&document.text, name, utf8);
        let text_document = TextDocumentIdentifier { uri: uri.clone() };
        let place = serde_json::to_value(TextDocumentPositionParams { text_document, position: range.start }).ok()?;
        let (title, arguments) = (title(&traces)?, Some(vec![place]));
        let cache = Command { title, command: TRACE_CACHE_AT.into(), arguments };
        let place = Location::new(uri.clone(), range);
        let commands: Vec<Command> = std::iter::once(cache).chain(evaluate_actions::commands(&place)).collect();
        Some(commands.into_iter().map(move |command| CodeLens { range, command: Some(command), data: None }))
    };
    Some(view.facts.functions.iter().filter_map(of_function).flatten().collect())
}

/// `2 traces · 34 equations`
fn title(traces: &[usize]) -> Option<String> {
    let (least, most) = (traces.iter().min()?, traces.iter().max()?);
    let times = if traces.len() == 1 { "1 trace".to_owned() } else { format!("{} traces", traces.len()) };
    Some(match (least, most) {
        (1, 1) => format!("{times} · 1 equation"),
        (least, most) if least == most => format!("{times} · {most} equations"),
        (least, most) => format!("{times} · {least} to {most} equations"),
    })
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn traces_are_counted() {
        assert_eq!(title(&[]), None);
        assert_eq!(title(&[1]).as_deref(), Some("1 trace · 1 equation"));
        assert_eq!(title(&[34, 34]).as_deref(), Some("2 traces · 34 equations"));
        assert_eq!(title(&[3, 9, 5]).as_deref(), Some("3 traces · 3 to 9 equations"));
    }
}
