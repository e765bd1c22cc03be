//! `jitlens/traceCache`: what the cache of the function at a position holds, as a text to be shown.

use serde::Serialize;
use tower_lsp::ls_types::TextDocumentPositionParams;
use tracer_core::python::Site;
use tracer_core::text::Span;

use crate::lsp::{State, convert};
use crate::trace_cache;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The function's name.
    pub function: String,
    /// The keys of its traces, a paragraph each.
    pub text: String,
}

/// The cache of the function whose definition or call is at the position: the innermost one.
pub fn answer(state: &State, params: &TextDocumentPositionParams) -> Option<Answer> {
    let documents = state.documents();
    let document = documents.get(&params.text_document.uri)?;
    let at = convert::offset(&document.text, params.position, state.abilities().utf8);
    documents.views(&params.text_document.uri).iter().find_map(|view| {
        let analysis = &view.finished.analysis;
        let file = analysis.files[view.file].id;
        let caches = analysis.caches();
        let here = |site: Site| {
            let now = (site.file == file).then(|| view.now(site.span)).flatten()?;
            now.touches(at).then_some(now.end - now.start)
        };
        // A definition as a whole counts, too: the body of the function that one is in.
        let whole = |site: Site| {
            let function = view.facts.functions.iter().find(|f| site.file == file && f.name_span == site.span)?;
            let code = view.facts.module.codes.iter().find(|code| code.name_span == function.name_span)?;
            let now: Span = view.now(code.span)?;
            now.touches(at).then_some(now.end - now.start)
        };
        let nearest = caches.iter().filter_map(|cache| {
            let calls = cache.entries.iter().map(|entry| entry.call).chain(cache.answered.iter().copied());
            let size = calls.chain([cache.defined]).filter_map(here).min().or_else(|| whole(cache.defined))?;
            Some((size, cache))
        });
        let (_, cache) = nearest.min_by_key(|(size, _)| *size)?;
        Some(Answer { function: cache.function.clone(), text: trace_cache::text(analysis, cache) })
    })
}
