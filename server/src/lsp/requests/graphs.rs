//! `jitlens/graphs`: what the function at a position is traced to, as a text to be shown and as plain data.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use tower_lsp::ls_types::{TextDocumentPositionParams, Uri};
use tracer_core::analysis::Wanted;
use tracer_core::text::Span;

use crate::graphs;
use crate::lsp::documents::View;
use crate::lsp::{State, aside, convert};

/// The answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The function, as its `__qualname__` says.
    pub function: String,
    /// Its graphs, as JAX prints them; why there is none otherwise.
    pub text: String,
    /// Its traces, as `jitlens trace --format json` prints them, with files by their URIs.
    pub traces: Vec<Value>,
}

/// The function at a position, and the program whose run is asked for it.
pub struct Asked {
    program: Uri,
    function: String,
}

/// The innermost function around a position: of the program that traces it, of its own file if none does.
pub fn asked(state: &State, params: &TextDocumentPositionParams) -> Option<Asked> {
    let documents = state.documents();
    let uri = &params.text_document.uri;
    let document = documents.get(uri)?;
    let at = convert::offset(&document.text, params.position, state.abilities().utf8);
    let views = documents.views(uri);
    let found: Vec<_> =
        views.iter().filter_map(|view| Some((view, innermost(view, Span { start: at, end: at })?))).collect();
    let (view, (name, _)) = found.iter().find(|(_, (_, traced))| *traced).or(found.first())?;
    Some(Asked { program: view.finished.script.clone(), function: name.clone() })
}

/// The innermost function around a range of the present text, and whether it is traced.
pub fn innermost(view: &View<'_>, asked: Span) -> Option<(String, bool)> {
    let around = view.facts.functions.iter().filter_map(|function| {
        let code = view.facts.module.codes.iter().find(|code| code.name_span == function.name_span)?;
        let now = view.around(code.span)?;
        let is_around = now.start <= asked.start && asked.end <= now.end;
        is_around.then(|| (now.end - now.start, code.qualname.to_string(), function.traced != Some(0)))
    });
    around.min_by_key(|(size, ..)| *size).map(|(_, name, traced)| (name, traced))
}

/// Runs the program, and answers.
pub fn answer(state: &State, asked: &Asked) -> Answer {
    let Asked { program, function } = asked;
    let made = aside::runs(state, program).and_then(|(script, mut runs)| {
        let wanted = Wanted { graphs: true, function: Some(function.clone()), ..Wanted::default() };
        let analysis = runs.analyze_for(&script, wanted)?;
        let traces = graphs::of(&analysis, Some(function))?;
        let named = |path: &Path| Uri::from_file_path(path).map(|uri| uri.to_string()).unwrap_or_default();
        let rows = traces.iter().map(|trace| graphs::json(&analysis, trace, &named)).collect();
        Ok((graphs::text(&analysis, &traces, true), rows))
    });
    let (text, traces) = made.unwrap_or_else(|why| (why, Vec::new()));
    Answer { function: function.clone(), text, traces }
}
