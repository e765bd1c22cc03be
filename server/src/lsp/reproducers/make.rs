//! The command that writes a reproducer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Location, Uri};
use tracer_core::repro::{Place, Request, Target};
use tracer_core::text::Span;

use super::{folder, map_of, written};
use crate::commands::program;
use crate::commands::repro::{LogOption, UnverifiedOption, refused};
use crate::lsp::{State, aside, convert};
use crate::reproduce::{self, Made, Map, digests};

/// What is to be reproduced.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Wish {
    /// The program that is run.
    pub uri: Uri,
    /// The function whose first call is wanted; the first error without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The part of a file whose error, function or calls are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
    /// Whether it is to be as small as it can be.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub minimal: bool,
    /// Whether nobody has asked for it: then one that was written before and not edited is written over.
    #[serde(skip)]
    pub unasked: bool,
}

/// A reproducer that was written.
#[derive(Debug, Serialize)]
pub struct Written {
    /// Where it is.
    pub uri: Uri,
    /// Whether it does what the program does.
    pub verified: bool,
    /// What it does instead.
    pub unverified: Option<String>,
    /// Whether some values could not be written as they were.
    pub approximate: bool,
    /// Which arrays have ones in the stead of their numbers, where exact data are wanted.
    pub stand_ins: Option<String>,
    /// What was recorded, where that is to be told.
    #[serde(skip)]
    pub log: String,
}

/// Makes a reproducer and writes it, and its map, into the project's folder: beside others, never over one.
///
/// # Errors
/// What is wrong, as the user may read it.
pub fn make(state: &State, wish: &Wish, cancel: Arc<AtomicBool>) -> Result<Written, String> {
    let (script, mut runs) = aside::runs(state, &wish.uri)?;
    runs.cancel = cancel;
    let settings = runs.settings(&script)?;
    let project = program::project_folder(&script);
    let target = pathdiff::diff_paths(&script, &project).unwrap_or_else(|| script.clone());
    let target = target.to_string_lossy().replace('\\', "/");
    let target = wish.function.as_ref().map_or(target.clone(), |function| format!("{target}::{function}"));
    let wanted = match &wish.at {
        Some(at) => Target::Place(place_of(state, at)?),
        None => Target::of_function(wish.function.as_deref()),
    };
    let request = Request {
        target: wanted,
        data: settings.data.unwrap_or_default(),
        most_literal: settings.literals.unwrap_or(Request::default().most_literal),
        minimal: wish.minimal,
        level: settings.level,
        log: settings.log_calls != LogOption::None,
        // Nobody waits for loops to run for something that was not asked for.
        operations: if wish.unasked { 0 } else { Request::default().operations },
        ..Request::default()
    };
    let mut made = reproduce::make(&mut runs, &script, &target, &request)?;
    refused(settings.unverified, &made)?;
    if wish.minimal {
        made.stem.push_str("_minimal");
    }
    let folder = folder(&settings, &script);
    let at = place(&folder, &mut made, wish.unasked).map_err(|error| format!("{}: {error}", folder.display()))?;
    reproduce::write(&folder, &made).map_err(|(path, error)| format!("{}: {error}", path.display()))?;
    let mut documents = state.documents();
    let mut ties = std::mem::take(&mut documents.ties);
    if let Some(written) = written(&map_of(&at)) {
        ties.add(&at, &made.map, written, &|path| documents.text_of(path));
    }
    documents.ties = ties;
    let uri = Uri::from_file_path(&at).ok_or_else(|| format!("{}: cannot be shown", at.display()))?;
    let log = made.told(settings.log_calls).collect::<Vec<_>>().join("\n");
    Ok(Written {
        log,
        uri,
        verified: made.unverified.is_none(),
        unverified: made.unverified.filter(|_| settings.unverified != UnverifiedOption::Ignore),
        approximate: made.approximate,
        stand_ins: made.stand_ins,
    })
}

/// Writes a reproducer of the error that a saved program ends in, where the settings want that.
pub fn make_unasked(state: &State, uri: Uri) {
    let wanted = aside::runs(state, &uri)
        .and_then(|(script, mut runs)| runs.settings(&script))
        .is_ok_and(|settings| settings.reproduce_errors);
    if wanted {
        let wish = Wish { uri, function: None, at: None, minimal: false, unasked: true };
        if let Err(message) = make(state, &wish, Arc::default()) {
            tracing::debug!("no reproducer: {message}");
        }
    }
}

/// A part of a file.
fn place_of(state: &State, at: &Location) -> Result<Place, String> {
    let documents = state.documents();
    let utf8 = state.abilities().utf8;
    let path = match documents.get(&at.uri) {
        Some(cell) if cell.notebook.is_some() => {
            let (span, start) = (convert::span(&cell.text, at.range, utf8), documents.start(&at.uri));
            let span = Span { start: span.start + start, end: span.end + start };
            return Ok(Place { span, path: Some(cell.path.clone()) });
        }
        Some(document) => document.path.clone(),
        None => at.uri.to_file_path().map(|path| path.into_owned()).ok_or("the place is in no file")?,
    };
    let text = documents.text_of(&path).ok_or("the file cannot be read")?;
    Ok(Place { span: convert::span(&text, at.range, utf8), path: Some(path) })
}

/// The map beside a reproducer.
fn read_map(path: &Path) -> Option<Map> {
    std::fs::read(map_of(path)).ok().and_then(|text| serde_json::from_slice(&text).ok())
}

/// Whether a reproducer is as it was written.
fn is_untouched(path: &Path) -> bool {
    read_map(path).is_some_and(|map| std::fs::read_to_string(path).is_ok_and(|text| digests(&text) == map.digests))
}

/// A name that is free, or that the same text has already. The folder is made where it is not there; one of our own is left out by
/// Git.
fn place(folder: &Path, made: &mut Made, replaces: bool) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    if let Some(own) = folder.parent().filter(|parent| parent.file_name().is_some_and(|name| name == ".jitlens"))
        && !own.join(".gitignore").exists()
    {
        std::fs::write(own.join(".gitignore"), "*\n")?;
    }
    let mut number = 1;
    loop {
        let name = if number == 1 { format!("{}.py", made.stem) } else { format!("{}_{number}.py", made.stem) };
        let path = folder.join(&name);
        // A map of ours whose reproducer is gone says nothing to anybody.
        let is_left = |file: &Path| file == map_of(&path) && read_map(&path).is_some();
        let is_free = !made.files(&path).iter().any(|file| file.exists() && !is_left(file));
        let is_ours =
            |path: &Path| Ok::<_, std::io::Error>(path.exists() && std::fs::read_to_string(path)? == made.text);
        if is_free || is_ours(&path)? || replaces && is_untouched(&path) {
            made.map.file = name;
            return Ok(path);
        }
        number += 1;
    }
}
