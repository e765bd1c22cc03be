//! Runs beside the worker's: of the texts as they are now, for what is asked for once.

use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp::ls_types::Uri;

use super::State;
use crate::commands::program::Runs;

/// The script of a document, and runs in which open documents stand over the disk.
///
/// # Errors
/// If the document is no file.
pub fn runs(state: &State, uri: &Uri) -> Result<(PathBuf, Runs), String> {
    let mut runs = Runs::new(state.settings());
    let documents = state.documents();
    let script = match documents.get(uri) {
        Some(document) => document.path.clone(),
        None => uri.to_file_path().map(|path| path.into_owned()).ok_or("the program is no file")?,
    };
    runs.texts = documents.texts().into_iter().map(|(path, text)| (path, Arc::from(text.to_string()))).collect();
    Ok((script, runs))
}
