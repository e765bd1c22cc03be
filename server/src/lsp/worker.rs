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
use tracer_core::text::Span;

use super::documents::Finished;
use super::lowered::Lowered;
use super::tell::News;
use super::{State, callers};
use crate::commands::environment;
use crate::config::{Projects, Settings};

/// Callers of documents are run when edits have paused for so long.
const CALM: Duration = Duration::from_millis(250);

/// After a cancelled run the next one waits until edits pause for so long: who types faster than a run takes is answered
/// at the pause, without a run per key.
const PAUSE: Duration = Duration::from_millis(8);

/// What is done at a time.
#[derive(Clone, PartialEq)]
enum Job {
    /// The analysis of a document.
    Document(Uri),
    /// The runs of the callers of one.
    Callers(Uri),
}

impl Job {
    fn uri(&self) -> &Uri {
        let (Job::Document(uri) | Job::Callers(uri)) = self;
        uri
    }
}

#[derive(Default)]
struct Queue {
    /// Documents to analyze, the next one first.
    waiting: Vec<Uri>,
    /// Documents whose callers are to be run once nothing else is to be done.
    called: Vec<Uri>,
    running: Option<(Job, Arc<AtomicBool>)>,
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
        let mut guard = self.queue();
        let queue = &mut *guard;
        if let Some((running, cancel)) = &queue.running {
            cancel.store(true, Ordering::Relaxed);
            let again = running.uri().clone();
            let of_its_kind = match running {
                Job::Document(_) => &mut queue.waiting,
                Job::Callers(_) => &mut queue.called,
            };
            if !of_its_kind.contains(&again) {
                of_its_kind.push(again);
            }
        }
        queue.last_edit = Some(Instant::now());
        queue.waiting.retain(|waiting| !uris.contains(waiting));
        queue.waiting.splice(..0, uris);
        self.shared.1.notify_one();
    }
    /// Asks for the runs of what calls into documents, once nothing else is to be done.
    pub fn look_for_callers(&self, uris: Vec<Uri>) {
        let mut queue = self.queue();
        let new: Vec<Uri> = uris.into_iter().filter(|uri| !queue.called.contains(uri)).collect();
        queue.called.extend(new);
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
fn next((queue, wake): &(Mutex<Queue>, Condvar)) -> Option<(Job, Arc<AtomicBool>)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.stopped {
            return None;
        }
        let since = queue.last_edit.map_or(CALM, |at| at.elapsed());
        let is_documents = !queue.waiting.is_empty();
        let pause = match (is_documents, queue.hurried) {
            (true, true) => PAUSE,
            (true, false) => Duration::ZERO,
            (false, _) => CALM,
        };
        if !is_documents && queue.called.is_empty() {
            queue = wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        } else if since < pause {
            queue = wake.wait_timeout(queue, pause - since).unwrap_or_else(PoisonError::into_inner).0;
        } else {
            let job = match is_documents {
                true => Job::Document(queue.waiting.remove(0)),
                false => Job::Callers(queue.called.remove(0)),
            };
            let cancel = Arc::new(AtomicBool::new(false));
            queue.running = Some((job.clone(), cancel.clone()));
            return Some((job, cancel));
        }
    }
}

fn work(shared: &(Mutex<Queue>, Condvar), state: &State, news: &UnboundedSender<News>) {
    while let Some((job, cancel)) = next(shared) {
        let uri = job.uri().clone();
        let revision = state.documents().revision();
        let begun = Instant::now();
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| match &job {
            Job::Document(_) => analyze_document(state, &uri, revision, &cancel, news),
            Job::Callers(_) => callers::run(state, &uri, &cancel, news),
        }));
        let (milliseconds, cancelled) = (begun.elapsed().as_secs_f64() * 1e3, cancel.load(Ordering::Relaxed));
        let of_callers = matches!(job, Job::Callers(_));
        tracing::debug!(document = uri.as_str(), revision, milliseconds, cancelled, of_callers, "analyzed");
        {
            let mut queue = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            queue.running = None;
            queue.hurried = cancel.load(Ordering::Relaxed);
            if !of_callers && !cancelled && outcome.is_ok() && !queue.called.contains(&uri) {
                queue.called.push(uri.clone());
            }
        }
        if let Err(panic) = outcome {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned();
            tracing::error!(document = uri.as_str(), panic = text, "an analysis failed by a bug of jitlens");
            // What went wrong in a run of another file takes nothing from the document.
            if let Some(document) = state.documents().get_mut(&uri).filter(|_| !of_callers) {
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
    // Dropped at the end of the run, which ends its progress.
    let (_running, ended) = tokio::sync::oneshot::channel();
    let _ = news.send(News::Started(uri.clone(), ended, None));
    let (path, cells) = {
        let documents = state.documents();
        let Some(document) = documents.get(uri) else { return };
        #[cfg(debug_assertions)]
        fault(&documents.texts()[&document.path]);
        (document.path.clone(), documents.seen(uri).1)
    };
    let run_of = Run { path, script: uri.clone(), revision, cells, beside: false };
    if let Some(finished) = run(state, run_of, cancel, news) {
        state.documents().finish(uri, Arc::new(finished));
    }
}

/// What is run.
pub struct Run {
    /// The file.
    pub path: PathBuf,
    /// Its name.
    pub script: Uri,
    /// The revision of the documents.
    pub revision: u64,
    /// If it is a notebook that is open: its cells.
    pub cells: Vec<(Uri, Span)>,
    /// Whether it is run between texts of a document that is edited.
    pub beside: bool,
}

/// The settings of a file.
pub fn settings(state: &State, file: &Path) -> Rc<Settings> {
    Projects::new(state.settings()).of_file(file)
}

/// Runs a file, open documents over the disk; `None` where that was cancelled.
pub fn run(state: &State, of: Run, cancel: &Arc<AtomicBool>, news: &UnboundedSender<News>) -> Option<Finished> {
    let Run { path, script, revision, cells, beside } = of;
    let mut projects = Projects::new(state.settings());
    let settings = projects.of_file(&path);
    let (environment, fallback) = environment::folders(&path, settings.environment.as_deref());
    let entry = Entry { script: path, roots: settings.source_roots.clone(), environment, fallback };
    state.lowered.begin_run();
    let overlay = Overlay { texts: state.documents().texts(), lowered: state.lowered.clone() };
    let wanted = Wanted { again: !beside, beside, tests: true, ..Wanted::default() };
    let vfs = move || Rc::new(overlay) as Rc<dyn Vfs>;
    let analysis = analyze_for(vfs, entry, crate::memory::limits(), wanted, cancel.clone());
    let done = analysis.stopped != Some(Stopped::Cancelled);
    let finished = done.then(|| {
        let diagnostics = projects.diagnose(&analysis);
        Finished { diagnostics, analysis, revision, script, cells }
    });
    for warning in projects.warnings() {
        if state.warns(&warning) {
            let _ = news.send(News::Warned(warning));
        }
    }
    finished
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
