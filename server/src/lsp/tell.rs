//! The task that tells the client of results: diagnostics, refreshes, failures. Handlers never wait for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::ls_types::{MessageType, ProgressToken, Uri};
use tracer_core::analysis::Progress;

use super::State;
use super::evaluations::Running;
use super::requests::diagnostic;

/// A run longer than this shows progress.
const SHOW_PROGRESS_AFTER: Duration = Duration::from_millis(500);

/// How far a run is is told so often.
const REPORT_EVERY: Duration = Duration::from_millis(250);

/// How far a run is, where that can be told, and what stops it.
pub type Far = (Option<Arc<Progress>>, Running);

/// What there is to tell.
pub enum News {
    /// A run has begun; the receiver ends with it. How far it is, where that is known, and what stops it.
    Started(Uri, oneshot::Receiver<()>, Option<Far>),
    /// A run is over.
    Finished,
    /// A run failed by a bug of ours.
    Panicked(Uri, String),
    /// Something is wrong with the settings.
    Warned(String),
    /// Something that the user wants to read.
    Said(MessageType, String),
    /// A document was closed.
    Closed(Uri),
}

/// Tells the client of all news until there are no more.
pub async fn tell(client: Client, state: Arc<State>, mut news: UnboundedReceiver<News>) {
    let mut runs = 0u64;
    while let Some(next) = news.recv().await {
        match next {
            News::Started(uri, ended, far) => {
                runs += 1;
                if state.abilities().progress {
                    tokio::spawn(progress(client.clone(), uri, runs, ended, far));
                }
            }
            News::Finished => finished(&client, &state).await,
            News::Panicked(uri, text) => {
                let text = format!("the analysis of {} failed by a bug of jitlens: {text}", uri.as_str());
                client.log_message(MessageType::ERROR, text).await;
            }
            News::Said(kind, text) => client.show_message(kind, text).await,
            News::Warned(text) => client.log_message(MessageType::WARNING, text).await,
            News::Closed(uri) => {
                if !state.abilities().pulls {
                    client.publish_diagnostics(uri, Vec::new(), None).await;
                }
            }
        }
    }
}

/// Tells of every document whose diagnostics are not those that the client has.
async fn finished(client: &Client, state: &State) {
    let abilities = state.abilities();
    let uris = state.documents().uris();
    let mut refresh = false;
    for uri in uris {
        let Some(report) = diagnostic::current(state, &uri).filter(|report| report.fresh) else { continue };
        if abilities.pulls {
            let told = state.documents().get(&uri).and_then(|d| d.told);
            refresh |= told.is_some_and(|told| told != report.digest);
        } else if state.tells(&uri, report.digest_of_version()) {
            client.publish_diagnostics(uri, report.items, Some(report.version)).await;
        }
    }
    // Asked on tasks of their own: a client may take its time to answer.
    if refresh && abilities.refreshes_diagnostics {
        let client = client.clone();
        tokio::spawn(async move { client.workspace_diagnostic_refresh().await });
    }
    if abilities.refreshes_hints {
        let client = client.clone();
        tokio::spawn(async move { client.inlay_hint_refresh().await });
    }
    if abilities.refreshes_lenses {
        let client = client.clone();
        tokio::spawn(async move { client.code_lens_refresh().await });
    }
    if abilities.refreshes_tokens {
        let client = client.clone();
        tokio::spawn(async move { client.semantic_tokens_refresh().await });
    }
}

/// Shows progress while a run lasts, if it lasts long.
async fn progress(client: Client, uri: Uri, run: u64, mut ended: oneshot::Receiver<()>, far: Option<Far>) {
    if tokio::time::timeout(SHOW_PROGRESS_AFTER, &mut ended).await.is_ok() {
        return;
    }
    let name = format!("jitlens/tracing/{run}");
    let token = ProgressToken::String(name.clone());
    if client.create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    let file = uri
        .path()
        .segments_if_absolute()
        .and_then(|mut all| all.next_back())
        .map(|last| last.decode().to_string_lossy());
    let file = file.unwrap_or_default().into_owned();
    let Some((far, running)) = far else {
        let shown = client.progress(token, "Tracing").with_message(file).begin().await;
        let _ = ended.await;
        return shown.finish().await;
    };
    // Whoever sees its beginning may stop it.
    running.shown_as(&name);
    let Some(far) = far else {
        let shown = client.progress(token, "Reproducing").with_message(file).with_cancel_button().begin().await;
        let _ = ended.await;
        return shown.finish().await;
    };
    let shown = client.progress(token, "Evaluating").with_message(file).with_percentage(percentage(&far));
    let shown = shown.with_cancel_button().begin().await;
    while tokio::time::timeout(REPORT_EVERY, &mut ended).await.is_err() {
        shown.report(percentage(&far), None).await;
    }
    shown.finish().await;
}

/// How far an evaluation is; loops of unknown length are counted once, so that it may stay at the end for long.
fn percentage(far: &Progress) -> u32 {
    let (done, total) = (far.done.load(Ordering::Relaxed), far.total.load(Ordering::Relaxed));
    if total == 0 { 0 } else { (done as f64 / total as f64 * 100.0).min(99.0) as u32 }
}
