//! `textDocument/definition`: from a line of a reproducer to the place that it comes from.

use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, Position, Range};

use crate::lsp::{State, convert, reproducers};

/// The answer; nothing in a file that is no reproducer.
pub fn answer(state: &State, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &params.text_document_position_params;
    let utf8 = state.abilities().utf8;
    let mut documents = state.documents();
    let document = documents.get(&at.text_document.uri)?;
    let line = Position { character: 0, ..at.position };
    let asked = convert::span(&document.text, Range { start: line, end: at.position }, utf8);
    let path = document.path.clone();
    let places = reproducers::sources(&mut documents, &path, asked);
    let location = |place| {
        let shown = reproducers::shown(&documents, place, utf8)?;
        Some(Location { uri: shown.uri, range: shown.range? })
    };
    let all: Vec<Location> = places.iter().filter_map(location).collect();
    (!all.is_empty()).then_some(GotoDefinitionResponse::Array(all))
}
