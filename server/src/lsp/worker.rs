//! The thread that analyzes: one run at a time, the latest text wins, an edit cancels the run under way.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::{MessageType, ProgressToken, Uri};
use tracer_core::analysis::{Disk, Entry, Limits, Vfs, analyze};
use tracer_core::python::Stopped;

use super::State;
use super::documents::Finished;
use super::requests::diagnostic;
use crate::commands::program;

/// A run longer than this shows progress.
const SHOW_PROGRESS_AFTER: Duration = Duration::from_millis(500);

#[derive(Default)]
struct Queue {
    waiting: Vec<Uri>,
    running: Option<(Uri, Arc<AtomicBool>)>,
    stopped: bool,
}

/// The worker, as handlers see it.
pub struct Worker {
    shared: Arc<(Mutex<Queue>, Condvar)>,
}

/// What the worker tells the task that talks to the client.
enum News {
    Started,
    Finished(Uri),
    Panicked(String),
}

impl Worker {
    /// Starts the thread, and the task that tells the client of results.
    pub fn start(client: Client, state: Arc<State>) -> Worker {
        let shared: Arc<(Mutex<Queue>, Condvar)> = Arc::default();
        let (news, receiver) = unbounded_channel();
        tokio::spawn(tell(client, state.clone(), receiver));
        let queue = shared.clone();
        let spawned = std::thread::Builder::new().name("analysis".into()).spawn(move || run(&queue, &state, &news));
        debug_assert!(spawned.is_ok(), "one thread can be had");
        Worker { shared }
    }
    /// Asks for the analysis of a document; a run of the same document is cancelled.
    pub fn submit(&self, uri: Uri) {
        let (queue, wake) = &*self.shared;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((running, cancel)) = &queue.running
            && *running == uri
        {
            cancel.store(true, Ordering::Relaxed);
        }
        queue.waiting.retain(|waiting| *waiting != uri);
        queue.waiting.push(uri);
        wake.notify_one();
    }
    /// Ends the thread.
    pub fn stop(&self) {
        let (queue, wake) = &*self.shared;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.stopped = true;
        if let Some((_, cancel)) = &queue.running {
            cancel.store(true, Ordering::Relaxed);
        }
        wake.notify_one();
    }
}

fn run(shared: &(Mutex<Queue>, Condvar), state: &State, news: &UnboundedSender<News>) {
    let (queue, wake) = shared;
    loop {
        let (uri, cancel) = {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                if queue.stopped {
                    return;
                }
                if let Some(uri) = queue.waiting.pop() {
                    let cancel = Arc::new(AtomicBool::new(false));
                    queue.running = Some((uri.clone(), cancel.clone()));
                    break (uri, cancel);
                }
                queue = wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let _ = news.send(News::Started);
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| analyze_document(state, &uri, &cancel)));
        queue.lock().unwrap_or_else(PoisonError::into_inner).running = None;
        if let Err(panic) = &outcome {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            let _ = news.send(News::Panicked(text.unwrap_or_default()));
        }
        state.finished.send_modify(|n| *n += 1);
        let _ = news.send(News::Finished(uri));
    }
}

/// Analyzes a document and files the result, unless the run was cancelled.
fn analyze_document(state: &State, uri: &Uri, cancel: &Arc<AtomicBool>) {
    let (path, version, edits, texts) = {
        let documents = state.documents();
        let Some(document) = documents.get(uri) else { return };
        let Some(path) = document.path.clone() else { return };
        (path, document.version, documents.edits(uri), documents.texts())
    };
    let settings = state.settings();
    let environment = match &settings.environment {
        Some(folder) => program::site_packages(folder),
        None => program::environment(&path),
    };
    let fallback = program::project_folders(&path);
    let entry = Entry { script: path.clone(), roots: settings.roots(&path), environment, fallback };
    let analysis = analyze(move || Rc::new(Overlay { texts }) as Rc<dyn Vfs>, entry, Limits::default(), cancel.clone());
    if analysis.stopped == Some(Stopped::Cancelled) {
        return;
    }
    let file = analysis.files.iter().position(|f| f.path == path);
    let finished = Arc::new(Finished { analysis, file, version });
    state.documents().finish(uri, finished, edits);
}

/// Open documents over the disk.
struct Overlay {
    texts: HashMap<PathBuf, Arc<str>>,
}

impl Vfs for Overlay {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        self.texts.get(path).cloned().or_else(|| Disk.read(path))
    }
    fn is_dir(&self, path: &Path) -> bool {
        Disk.is_dir(path)
    }
}

/// Tells the client of results: diagnostics, refreshes, progress of long runs.
async fn tell(client: Client, state: Arc<State>, mut news: UnboundedReceiver<News>) {
    let mut shown = None;
    let mut running = false;
    loop {
        let next = if running && shown.is_none() && state.abilities().progress {
            match tokio::time::timeout(SHOW_PROGRESS_AFTER, news.recv()).await {
                Ok(next) => next,
                Err(_) => {
                    let token = ProgressToken::String("jitlens/tracing".into());
                    if client.create_work_done_progress(token.clone()).await.is_ok() {
                        shown = Some(client.progress(token, "Tracing").begin().await);
                    }
                    running = shown.is_some();
                    continue;
                }
            }
        } else {
            news.recv().await
        };
        match next {
            None => return,
            Some(News::Started) => running = true,
            Some(News::Panicked(text)) => {
                client.log_message(MessageType::ERROR, format!("an analysis failed (a bug of jitlens): {text}")).await;
            }
            Some(News::Finished(uri)) => {
                running = false;
                if let Some(progress) = shown.take() {
                    progress.finish().await;
                }
                let abilities = state.abilities();
                if !abilities.pulls {
                    let version = state.documents().get(&uri).map(|d| d.version);
                    if version.is_some() {
                        client.publish_diagnostics(uri.clone(), diagnostic::current(&state, &uri), version).await;
                    }
                } else if abilities.refreshes_diagnostics {
                    let client = client.clone();
                    tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
                }
                if abilities.refreshes_hints {
                    let client = client.clone();
                    tokio::spawn(async move { client.inlay_hint_refresh().await });
                }
            }
        }
    }
}
