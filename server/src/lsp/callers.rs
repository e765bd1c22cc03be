//! Runs of files that are not open, and call into those that are: a file of models shows what the script that trains them gives it.
//!
//! They run when nothing else is to be done and edits have paused, one at a time; an edit cancels the one under way.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::ls_types::Uri;

use super::State;
use super::tell::News;
use super::worker::{self, Run};
use crate::callers::{Index, Refreshed};

/// Callers of a document that tell something new of it.
const MOST: usize = 3;
/// Files that are run to find them.
const MOST_TRIED: usize = 32;
/// No caller of a document is begun after its callers took so long.
const LONGEST: Duration = Duration::from_secs(10);
/// So long what was listed of a project holds, where nothing says that it changed.
const FRESH: Duration = Duration::from_secs(30);

/// What is known of the projects of open documents.
#[derive(Default)]
pub struct Callers {
    /// By their tops, and when their files were looked at.
    projects: HashMap<PathBuf, (Index, Option<Instant>)>,
    /// Files that were run, and do not call into another one.
    in_vain: HashSet<(PathBuf, PathBuf)>,
}

impl Callers {
    /// Files that may call into one, the most promising first; none where that was stopped. `changed`: files may have changed on disk.
    fn of(&mut self, file: &Path, changed: bool, stop: impl Fn() -> bool) -> Vec<PathBuf> {
        if changed {
            self.projects.values_mut().for_each(|(_, looked)| *looked = None);
        }
        let new = Index::of_project(file);
        let (index, looked) = self.projects.entry(new.folder().to_owned()).or_insert((new, None));
        if looked.is_none_or(|at| at.elapsed() >= FRESH) {
            match index.refresh(stop) {
                Refreshed::Stopped => return Vec::new(),
                Refreshed::Same => {}
                Refreshed::Changed => self.in_vain.clear(),
            }
            *looked = Some(Instant::now());
        }
        let callers = index.callers(file);
        callers.into_iter().filter(|path| !self.in_vain.contains(&(path.clone(), file.to_owned()))).collect()
    }
}

/// Runs the callers of a document that were not run with all as it is now.
pub fn run(state: &State, uri: &Uri, cancel: &Arc<AtomicBool>, news: &UnboundedSender<News>) {
    let (file, own) = {
        let documents = state.documents();
        let Some(document) = documents.get(uri) else { return };
        (document.path.clone(), document.finished.clone())
    };
    let mut chosen: Vec<PathBuf> = Vec::new();
    let begun = Instant::now();
    let stop = || cancel.load(Ordering::Relaxed);
    let candidates = match worker::settings(state, &file).callers {
        true => state.callers().of(&file, state.files_changed.swap(false, Ordering::Relaxed), stop),
        false => Vec::new(),
    };
    if cancel.load(Ordering::Relaxed) {
        return;
    }
    for path in candidates.into_iter().take(MOST_TRIED) {
        if chosen.len() == MOST || begun.elapsed() > LONGEST {
            break;
        }
        let (is_open, fresh) = {
            let documents = state.documents();
            (documents.at_path(&path).is_some(), documents.caller(&path))
        };
        // One that is open is analyzed for its own sake.
        let Some(script) = Uri::from_file_path(&path).filter(|_| !is_open) else { continue };
        let finished = match fresh {
            Some(finished) => finished,
            None => {
                let (running, ended) = tokio::sync::oneshot::channel();
                let _ = news.send(News::Started(script.clone(), ended, None));
                let revision = state.documents().revision();
                let run = Run { path: path.clone(), script, revision, cells: Vec::new(), beside: true };
                let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| worker::run(state, run, cancel, news)));
                drop(running);
                match outcome {
                    Ok(Some(finished)) => Arc::new(finished),
                    Ok(None) => return,
                    Err(_) => {
                        tracing::error!(file = %path.display(), "the run of a caller failed by a bug of jitlens");
                        state.callers().in_vain.insert((path, file.clone()));
                        continue;
                    }
                }
            }
        };
        if cancel.load(Ordering::Relaxed) {
            return;
        }
        if finished.adds_to(own.as_deref(), &file) {
            state.documents().add_caller(uri, &path, &finished);
            let _ = news.send(News::Finished);
            chosen.push(path);
        } else {
            state.callers().in_vain.insert((path, file.clone()));
        }
    }
    state.documents().keep_callers(uri, &chosen);
}
