//! Functions and places that a file has, and does not run itself: as another program of its project runs them.

use std::path::{Path, PathBuf};

use tracer_core::repro::{Place, Request, Target, Verified};

use super::verified;
use crate::callers::{Index, Refreshed};
use crate::commands::program::Runs;

/// So many programs are run to find one that calls into the file.
const MOST_RUN: usize = 3;

/// A reproducer of what stands in a file, out of a run of a program that calls it, and that program: the first that is verified, or else
/// the first of which all is known.
pub fn reproducer(runs: &mut Runs, file: &Path, request: &Request) -> Option<(Verified, PathBuf)> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let request = of_file(&file, request)?;
    if !runs.settings(&file).is_ok_and(|settings| settings.callers) {
        return None;
    }
    let mut index = Index::of_project(&file);
    if index.refresh(|| false) == Refreshed::Stopped {
        return None;
    }
    let mut first = None;
    for caller in index.callers(&file).into_iter().take(MOST_RUN) {
        // A program that cannot be run calls nothing.
        let Ok(Some(found)) = verified(runs, &caller, &request) else { continue };
        if found.made.unknown {
            continue;
        }
        if found.unlike.is_none() {
            return Some((found, caller));
        }
        first.get_or_insert((found, caller));
    }
    first
}

/// What is wanted, of a run of another program; `None` for the error that the file itself ends in.
fn of_file(file: &Path, request: &Request) -> Option<Request> {
    let target = match &request.target {
        Target::Error => return None,
        Target::Function(name) => Target::Function(name.clone()),
        Target::Place(place) => Target::Place(Place { path: Some(file.to_owned()), span: place.span }),
    };
    Some(Request { target, within: Some(file.to_owned()), ..request.clone() })
}
