//! Reproducers in an editor: they are written to a folder of the project and opened, and lines lead to the source and back.

mod make;
mod ties;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tower_lsp::Client;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{ExecuteCommandParams, Range, ShowDocumentParams, Uri};

pub use make::{Wish, make, make_unasked};
pub use ties::{Place, Ties};

use super::documents::Documents;
use crate::config::Settings;
use crate::reproduce::Map;

/// Writes a reproducer; takes a [`Wish`].
pub const REPRODUCE: &str = "jitlens.reproduce";
/// Shows a place; takes a [`Shown`].
pub const SHOW: &str = "jitlens.show";

/// What the command that shows a place takes.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Shown {
    /// The file.
    pub uri: Uri,
    /// The place in it.
    pub range: Option<Range>,
}

/// The argument of a command.
///
/// # Errors
/// If it has another form.
pub fn argument<T: serde::de::DeserializeOwned>(params: &ExecuteCommandParams) -> Result<T> {
    let given = params.arguments.first().cloned().unwrap_or_default();
    serde_json::from_value(given).map_err(|error| {
        let text = format!("the argument of `{}`: {error}", params.command);
        tower_lsp::jsonrpc::Error::invalid_params(text)
    })
}

/// Asks the client to show a place, on a task of its own: a handler that awaits the client could wait for itself.
pub fn show(client: &Client, shown: Shown) {
    let client = client.clone();
    let params =
        ShowDocumentParams { uri: shown.uri, external: Some(false), take_focus: Some(true), selection: shown.range };
    tokio::spawn(async move { client.show_document(params).await });
}

/// The folder of a project's reproducers.
pub fn folder(settings: &Settings, file: &Path) -> PathBuf {
    let project = crate::commands::program::project_folder(file);
    settings.reproducers.clone().unwrap_or_else(|| project.join(".jitlens").join("reproducers"))
}

/// Where the map of a reproducer lies.
fn map_of(reproducer: &Path) -> PathBuf {
    reproducer.with_extension("map.json")
}

/// Reads the map of a reproducer, unless its ties are known; where there is none, nothing.
pub fn know(documents: &mut Documents, reproducer: &Path) {
    let Some(written) = written(&map_of(reproducer)) else { return };
    if documents.ties.knows(reproducer, written) {
        return;
    }
    let map = std::fs::read(map_of(reproducer)).ok().and_then(|text| serde_json::from_slice::<Map>(&text).ok());
    let map = map.filter(|map| reproducer.file_name().is_some_and(|name| *name == *map.file)).unwrap_or_default();
    let mut ties = std::mem::take(&mut documents.ties);
    ties.add(reproducer, &map, written, &|path| documents.text_of(path));
    documents.ties = ties;
}

/// Reads the maps of a folder.
pub fn know_all(documents: &mut Documents, folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_REPRODUCERS) {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "py") {
            know(documents, &path);
        }
    }
}

/// Of a folder with more files than this some are not looked at.
const MOST_REPRODUCERS: usize = 1_000;

/// When a file was written.
fn written(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Where a place of a reproducer comes from; nothing in another file.
pub fn sources(documents: &mut Documents, path: &Path, asked: tracer_core::text::Span) -> Vec<Place> {
    know(documents, path);
    let mut ties = std::mem::take(&mut documents.ties);
    let places = ties.sources(path, asked, &|path| documents.text_of(path));
    documents.ties = ties;
    places
}

/// The lines of reproducers that come from a place of a file.
pub fn lines(documents: &mut Documents, path: &Path, asked: tracer_core::text::Span) -> Vec<Place> {
    let mut ties = std::mem::take(&mut documents.ties);
    let places = ties.lines(path, asked, &|path| documents.text_of(path));
    documents.ties = ties;
    places
}

/// A place as the client is told of it.
pub fn shown(documents: &Documents, place: &Place, utf8: bool) -> Option<Shown> {
    let uri = match documents.at_path(&place.path) {
        Some(_) => {
            let (document, span) = documents.part(&place.path, place.span)?;
            let range = super::convert::range(&document.text, span, utf8);
            return Some(Shown { uri: document.uri.clone(), range: Some(range) });
        }
        None => Uri::from_file_path(&place.path)?,
    };
    let range = super::convert::range(&documents.text_of(&place.path)?, place.span, utf8);
    Some(Shown { uri, range: Some(range) })
}
