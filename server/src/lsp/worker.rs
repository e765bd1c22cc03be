//! The thread that analyzes: one run at a time, the latest text wins, an edit cancels the run under way.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ropey::Rope;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::ls_types::Uri;
use tracer_core::analysis::{Disk, Entry, MOST_BYTES, Names, Vfs, Wanted, analyze_for};
use tracer_core::module::Module;
use tracer_core::python::Stopped;

use super::State;
use super::documents::Finished;
use super::lowered::Lowered;
use super::tell::News;
use crate::commands::program;
use crate::config::Projects;

/// After a cancelled run the next one waits until edits pause for so long: who types faster than a run takes is answered
/// at the pause, without a run per key.
const PAUSE: Duration = Duration::from_millis(8);

#[derive(Default)]
struct Queue {
    /// Documents to analyze, the next one first.
    waiting: Vec<Uri>,
    running: Option<(Uri, Arc<AtomicBool>)>,
    last_edit: Option<Instant>,
    /// Whether the last run was cancelled.
    hurried: bool,
    stopped: bool,
}

/// The worker, as handlers see it.
#[derive(Clone)]
pub struct Worker {
    shared: Arc<(Mutex<Queue>, Condvar)>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub fn start(state: Arc<State>, news: UnboundedSender<News>) -> std::io::Result<Worker> {
        let shared: Arc<(Mutex<Queue>, Condvar)> = Arc::default();
        let queue = shared.clone();
        std::thread::Builder::new().name("analysis".into()).spawn(move || work(&queue, &state, &news))?;
        Ok(Worker { shared })
    }
    /// Asks for the analysis of documents, the first one first. The run under way is cancelled, and made up for.
    pub fn submit(&self, uris: Vec<Uri>) {
        let mut queue = self.queue();
        if let Some((running, cancel)) = &queue.running {
            cancel.store(true, Ordering::Relaxed);
            let again = running.clone();
            if !queue.waiting.contains(&again) {
                queue.waiting.push(again);
            }
        }
        queue.last_edit = Some(Instant::now());
        queue.waiting.retain(|waiting| !uris.contains(waiting));
        queue.waiting.splice(..0, uris);
        self.shared.1.notify_one();
    }
    /// Ends the thread.
    pub fn stop(&self) {
        let mut queue = self.queue();
        queue.stopped = true;
        if let Some((_, cancel)) = &queue.running {
            cancel.store(true, Ordering::Relaxed);
        }
        self.shared.1.notify_one();
    }
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next document to analyze; `None` when the server stops.
fn next((queue, wake): &(Mutex<Queue>, Condvar)) -> Option<(Uri, Arc<AtomicBool>)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.stopped {
            return None;
        }
        let pause = queue.last_edit.filter(|_| queue.hurried).map_or(PAUSE, |at| at.elapsed());
        if pause < PAUSE {
            queue = wake.wait_timeout(queue, PAUSE - pause).unwrap_or_else(PoisonError::into_inner).0;
        } else if queue.waiting.is_empty() {
            queue = wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        } else {
            let uri = queue.waiting.remove(0);
            let cancel = Arc::new(AtomicBool::new(false));
            queue.running = Some((uri.clone(), cancel.clone()));
            return Some((uri, cancel));
        }
    }
}

fn work(shared: &(Mutex<Queue>, Condvar), state: &State, news: &UnboundedSender<News>) {
    while let Some((uri, cancel)) = next(shared) {
        // Dropped at the end of the run, which ends its progress.
        let (running, ended) = tokio::sync::oneshot::channel();
        let _ = news.send(News::Started(uri.clone(), ended, None));
        let revision = state.documents().revision();
        let begun = Instant::now();
        let outcome =
            std::panic::catch_unwind(AssertUnwindSafe(|| analyze_document(state, &uri, revision, &cancel, news)));
        drop(running);
        let (milliseconds, cancelled) = (begun.elapsed().as_secs_f64() * 1e3, cancel.load(Ordering::Relaxed));
        tracing::debug!(document = uri.as_str(), revision, milliseconds, cancelled, "analyzed");
        {
            let mut queue = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            queue.running = None;
            queue.hurried = cancel.load(Ordering::Relaxed);
        }
        if let Err(panic) = outcome {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned();
            tracing::error!(document = uri.as_str(), panic = text, "an analysis failed by a bug of jitlens");
            if let Some(document) = state.documents().get_mut(&uri) {
                document.failed = Some((revision, text.clone()));
            }
            let _ = news.send(News::Panicked(uri.clone(), text));
        }
        state.finished.send_modify(|n| *n += 1);
        let _ = news.send(News::Finished);
    }
}

/// Analyzes a document and files the result, unless the run was cancelled.
fn analyze_document(state: &State, uri: &Uri, revision: u64, cancel: &Arc<AtomicBool>, news: &UnboundedSender<News>) {
    let (path, texts, cells) = {
        let documents = state.documents();
        let Some(document) = documents.get(uri) else { return };
        (document.path.clone(), documents.texts(), documents.seen(uri).1)
    };
    #[cfg(debug_assertions)]
    fault(&texts[&path]);
    let mut projects = Projects::new(state.settings());
    let settings = projects.of_file(&path);
    let environment = match &settings.environment {
        Some(folder) => program::site_packages(folder),
        None => program::environment(&path),
    };
    let fallback = program::project_folders(&path);
    let entry = Entry { script: path, roots: settings.source_roots.clone(), environment, fallback };
    state.lowered.begin_run();
    let overlay = Overlay { texts, lowered: state.lowered.clone() };
    let wanted = Wanted { again: true, ..Wanted::default() };
    let vfs = move || Rc::new(overlay) as Rc<dyn Vfs>;
    let analysis = analyze_for(vfs, entry, crate::memory::limits(), wanted, cancel.clone());
    if analysis.stopped != Some(Stopped::Cancelled) {
        let diagnostics = projects.diagnose(&analysis);
        let finished = Finished { diagnostics, analysis, revision, script: uri.clone(), cells };
        state.documents().finish(uri, Arc::new(finished));
    }
    for warning in projects.warnings() {
        if state.warns(&warning) {
            let _ = news.send(News::Warned(warning));
        }
    }
}

/// For the tests of what happens on a bug of ours: fails on a document that names `JITLENS_FAULT`.
#[cfg(debug_assertions)]
fn fault(text: &Rope) {
    if let Some(fault) = std::env::var("JITLENS_FAULT").ok().filter(|fault| text.to_string().contains(fault.as_str())) {
        panic!("asked to fail by `{fault}`");
    }
}

/// Open documents over the disk.
struct Overlay {
    texts: HashMap<PathBuf, Rope>,
    lowered: Arc<Lowered>,
}

impl Vfs for Overlay {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        match self.texts.get(path) {
            Some(text) => (text.len_bytes() as u64 <= MOST_BYTES).then(|| text.to_string().into()),
            None => Disk.read(path),
        }
    }
    fn read_library(&self, path: &Path) -> Option<Arc<str>> {
        match self.texts.contains_key(path) {
            true => self.read(path),
            false => Disk.read_library(path),
        }
    }
    fn lowered(&self, path: &Path, text: &Arc<str>, user: bool) -> Arc<Module> {
        match user {
            true => self.lowered.get(path, text, self.texts.contains_key(path)),
            false => self.lowered.library(path, text),
        }
    }
    fn is_dir(&self, path: &Path) -> bool {
        // A document may be open that was not saved yet, in a folder that is not there.
        Disk.is_dir(path) || self.texts.keys().any(|file| file.starts_with(path) && file != path)
    }
    fn names(&self, folder: &Path) -> Option<Names> {
        let mut names = Disk.names(folder)?;
        let inside = self.texts.keys().filter_map(|file| file.strip_prefix(folder).ok()?.components().next());
        names.extend(inside.map(|name| name.as_os_str().to_owned()));
        Some(names)
    }
}
