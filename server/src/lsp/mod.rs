//! The language server: the only place that names protocol types.
//!
//! Handlers apply edits synchronously, before their first `await`, to one ordered state; analyses run on a thread of
//! their own ([`worker`]); requests are answered from the last finished analysis, positions mapped through the edits since.

mod aside;
mod callers;
mod convert;
mod documents;
mod evaluations;
mod facts;
mod frames;
mod log;
mod lowered;
mod numbers;
mod reproducers;
mod requests;
mod tell;
mod worker;

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer, LspService, Server};

use tracer_core::analysis::Progress;

use crate::config::Layer;
use callers::Callers;
use documents::Documents;
use lowered::Lowered;
use tell::News;
use worker::Worker;

/// Far above what a client sends at once: with the transport's default of 4, four busy handlers block edits and
/// cancellations.
const CONCURRENCY: usize = 1 << 20;

/// Serves over stdin and stdout until the client leaves; whether it took its leave.
///
/// # Errors
/// If the system has no threads.
pub fn serve() -> std::io::Result<bool> {
    log::begin();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let state = Arc::new(State::default());
    let (news, receiver) = tokio::sync::mpsc::unbounded_channel();
    let worker = Worker::start(state.clone(), news.clone())?;
    let shared = state.clone();
    runtime.block_on(async {
        let (service, socket) = LspService::build(|client: Client| {
            tokio::spawn(tell::tell(client.clone(), state.clone(), receiver));
            Backend { client, state, worker, news }
        })
        .custom_method("jitlens/viewText", Backend::view_text)
        .custom_method("jitlens/traceCache", Backend::trace_cache)
        .custom_method("jitlens/graphs", Backend::graphs)
        .custom_method("jitlens/traceTree", Backend::trace_tree)
        .custom_method("jitlens/evaluate", Backend::evaluate)
        // The interface of the protocol that is used has no place for it.
        .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress)
        .custom_method(frames::UNREADABLE, Backend::unreadable)
        .finish();
        let server = Server::new(frames::readable(tokio::io::stdin()), tokio::io::stdout(), socket);
        server.concurrency_level(CONCURRENCY).serve(service).await;
    });
    // A read of stdin may be under way that no client will end.
    runtime.shutdown_background();
    Ok(shared.left.load(Ordering::Relaxed))
}

/// What handlers and the worker share.
#[derive(Default)]
pub struct State {
    documents: Mutex<Documents>,
    settings: Mutex<ClientSettings>,
    client: Mutex<Abilities>,
    /// What the client was told to be wrong with the settings as they are.
    warned: Mutex<HashSet<String>>,
    /// Whether the client asked to shut down.
    left: AtomicBool,
    /// What evaluated functions gave.
    pub numbers: numbers::Kept,
    /// Evaluations under way.
    pub evaluations: evaluations::Evaluations,
    /// Lowered files.
    pub lowered: Arc<Lowered>,
    /// Which files call into others. The worker alone takes it: it may be held for long.
    callers: Mutex<Callers>,
    /// Whether files may have changed on disk since the worker looked at them.
    files_changed: AtomicBool,
    /// Told whenever an analysis has finished.
    pub finished: tokio::sync::watch::Sender<u64>,
}

/// What the client has set.
#[derive(Clone, Debug, Default)]
struct ClientSettings {
    /// With `initialize`.
    initial: Layer,
    /// Since then: stands over the initial ones.
    current: Layer,
}

/// What the client said it can do.
#[derive(Copy, Clone, Debug, Default)]
pub struct Abilities {
    /// Positions count UTF-8 bytes (else UTF-16 units).
    pub utf8: bool,
    /// It asks for diagnostics.
    pub pulls: bool,
    /// It asks again when told.
    pub refreshes_diagnostics: bool,
    /// It asks for inlay hints again when told.
    pub refreshes_hints: bool,
    /// It asks for code lenses again when told.
    pub refreshes_lenses: bool,
    /// It asks for semantic tokens again when told.
    pub refreshes_tokens: bool,
    /// It shows progress.
    pub progress: bool,
    /// It answers `workspace/configuration`.
    pub configuration: bool,
    /// It shows where a diagnostic's rule is described.
    pub describes_codes: bool,
    /// It greys out what never runs.
    pub greys_out: bool,
    /// It takes code actions that are no commands.
    pub acts: bool,
    /// It takes edits of a version of a document.
    pub versions_edits: bool,
    /// It tells of files that change on disk when asked to.
    pub watches: bool,
    /// It shows documents when asked to.
    pub shows: bool,
    /// It tells of notebooks.
    pub notebooks: bool,
}

impl State {
    /// The documents. A handler that panicked cannot have left them half changed.
    pub fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Which files call into others, for the worker.
    pub fn callers(&self) -> MutexGuard<'_, Callers> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The client's abilities.
    pub fn abilities(&self) -> Abilities {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What the client has set.
    pub fn settings(&self) -> Layer {
        let settings = self.client_settings();
        settings.initial.clone().under(&settings.current)
    }
    fn client_settings(&self) -> MutexGuard<'_, ClientSettings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Notes that the client is told what is wrong with the settings. True if that is news.
    pub fn warns(&self, warning: &str) -> bool {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).insert(warning.to_owned())
    }
    /// The settings may have changed: what is still wrong with them is told again.
    fn forget_warnings(&self) {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
    /// Notes what the client is told of a document. True if that is news.
    pub fn tells(&self, uri: &Uri, digest: u64) -> bool {
        let mut documents = self.documents();
        documents.get_mut(uri).is_some_and(|d| d.told.replace(digest) != Some(digest))
    }
}

#[derive(Clone)]
struct Backend {
    client: Client,
    state: Arc<State>,
    worker: Worker,
    news: UnboundedSender<News>,
}

/// What `jitlens/viewText` asks: the text of a document as the server has it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ViewTextParams {
    text_document: TextDocumentIdentifier,
}

/// What `jitlens/viewText` answers.
#[derive(Debug, Serialize)]
struct ViewedText {
    version: i32,
    text: String,
}

/// Runs the body of a handler; a panic in it is a bug of ours that ends the request, not the server.
fn guarded<T>(body: impl FnOnce() -> T) -> Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(body)).map_err(|_| Error::internal_error())
}

impl Backend {
    /// Asks for the analysis of documents; their diagnostics so far are those of another state.
    fn analyze(&self, mut uris: Vec<Uri>) {
        {
            let mut documents = self.state.documents();
            let revision = documents.tick();
            // A cell is run with its notebook.
            for uri in &mut uris {
                if let Some(runner) = documents.runner(uri) {
                    *uri = runner.uri.clone();
                }
            }
            self.state.evaluations.edited(&uris);
            let mut known = HashSet::new();
            uris.retain(|uri| known.insert(uri.clone()));
            for uri in &uris {
                if let Some(document) = documents.get_mut(uri) {
                    document.needs = revision;
                }
            }
        }
        self.worker.submit(uris);
    }
    /// Asks for the analysis of a document and of those that depend on its text.
    fn analyze_with_dependents(&self, uri: &Uri) {
        let uris = {
            let documents = self.state.documents();
            let Some(document) = documents.get(uri) else { return };
            let dependents = documents.dependents(&document.path);
            std::iter::once(uri.clone()).chain(dependents).collect()
        };
        self.analyze(uris);
    }
    fn analyze_all(&self) {
        let open = self.state.documents().scripts();
        self.analyze(open);
    }
    /// Asks the client for its settings, on a task of its own: a handler that awaits the client could wait for itself.
    fn ask_settings(&self) {
        let backend = self.clone();
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("jitlens".into()) };
            let Ok(values) = backend.client.configuration(vec![item]).await else { return };
            backend.set(values.first().unwrap_or(&serde_json::Value::Null));
        });
    }
    fn set(&self, value: &serde_json::Value) {
        let layer = Layer::from_json(value);
        if std::mem::replace(&mut self.state.client_settings().current, layer.clone()) != layer {
            self.state.forget_warnings();
            self.analyze_all();
        }
    }
    /// Asks the client to tell of files that change on disk.
    fn watch_files(&self) {
        let client = self.client.clone();
        let watcher =
            |pattern: &str| FileSystemWatcher { glob_pattern: GlobPattern::String(pattern.into()), kind: None };
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![watcher("**/*.py"), watcher("**/pyproject.toml"), watcher("**/.jitlens/signatures.json")],
        };
        let registration = Registration {
            id: "jitlens/files".into(),
            method: "workspace/didChangeWatchedFiles".into(),
            register_options: serde_json::to_value(options).ok(),
        };
        tokio::spawn(async move { client.register_capability(vec![registration]).await });
    }
    async fn view_text(&self, params: ViewTextParams) -> Result<Option<ViewedText>> {
        let documents = self.state.documents();
        let document = documents.get(&params.text_document.uri);
        Ok(document.map(|d| ViewedText { version: d.version, text: d.text.to_string() }))
    }
}

impl Backend {
    /// Writes a reproducer, with progress where it takes long, and shows it.
    async fn reproduce(&self, wish: reproducers::Wish) -> Result<Option<LSPAny>> {
        let guard = self.state.evaluations.begin(None);
        let (flag, shown) = (guard.running.cancel.clone(), Some((None, guard.running.clone())));
        let run = self.beside_with(wish.uri.clone(), shown, move |state| reproducers::make(state, &wish, flag));
        let made = tokio::select! {
            made = run => made?,
            () = guard.running.stopped() => Err("it was stopped".into()),
        };
        match made {
            Ok(written) => {
                if let Some(stand_ins) = &written.stand_ins {
                    let text = format!("In the reproducer {stand_ins}.");
                    let _ = self.news.send(News::Said(MessageType::WARNING, text));
                }
                if let Some(why) = &written.unverified {
                    let text = format!("The reproducer does not do what the program does: {why}.");
                    let _ = self.news.send(News::Said(MessageType::WARNING, text));
                }
                if !written.log.is_empty() {
                    let (client, log) = (self.client.clone(), written.log.clone());
                    tokio::spawn(async move { client.log_message(MessageType::LOG, log).await });
                }
                if self.state.abilities().shows {
                    reproducers::show(&self.client, reproducers::Shown { uri: written.uri.clone(), range: None });
                }
                Ok(serde_json::to_value(written).ok())
            }
            Err(message) => {
                let _ = self.news.send(News::Said(MessageType::INFO, format!("No reproducer was written: {message}.")));
                Ok(None)
            }
        }
    }
    /// Runs something on a thread of its own, with progress for a document where it takes long.
    async fn beside<T: Send + 'static>(&self, uri: Uri, run: impl FnOnce(&State) -> T + Send + 'static) -> Result<T> {
        self.beside_with(uri, None, run).await
    }
    /// [`Backend::beside`], where how far it is may be looked at.
    async fn beside_with<T: Send + 'static>(
        &self,
        uri: Uri,
        progress: Option<tell::Far>,
        run: impl FnOnce(&State) -> T + Send + 'static,
    ) -> Result<T> {
        let (running, ended) = tokio::sync::oneshot::channel();
        let _ = self.news.send(News::Started(uri, ended, progress));
        let state = self.state.clone();
        let made = tokio::task::spawn_blocking(move || guarded(|| run(&state))).await;
        drop(running);
        made.unwrap_or_else(|_| Err(Error::internal_error()))
    }
    async fn graphs(&self, params: TextDocumentPositionParams) -> Result<Option<requests::graphs::Answer>> {
        let Some(asked) = guarded(|| requests::graphs::asked(&self.state, &params))? else { return Ok(None) };
        let uri = params.text_document.uri;
        self.beside(uri, move |state| Some(requests::graphs::answer(state, &asked))).await
    }
    async fn trace_tree(&self, params: TextDocumentPositionParams) -> Result<Option<requests::graphs::Tree>> {
        let Some(asked) = guarded(|| requests::graphs::asked(&self.state, &params))? else { return Ok(None) };
        let uri = params.text_document.uri;
        self.beside(uri, move |state| Some(requests::graphs::tree(state, &asked))).await
    }
    async fn evaluate(&self, params: TextDocumentPositionParams) -> Result<Option<requests::graphs::Numbers>> {
        let Some(asked) = guarded(|| requests::graphs::asked(&self.state, &params))? else { return Ok(None) };
        let uri = params.text_document.uri;
        // A request that the client cancels is dropped where it waits, and this with it.
        let guard = self.state.evaluations.begin(Some(asked.program.clone()));
        let (flag, progress) = (guard.running.cancel.clone(), Arc::<Progress>::default());
        let shown = Some((Some(progress.clone()), guard.running.clone()));
        let run = move |state: &State| Some(requests::graphs::numbers(state, &asked, flag, progress));
        // Whoever stops it waits no longer; the work ends at its next look, beside what is asked for then.
        let answer = tokio::select! {
            answer = self.beside_with(uri, shown, run) => answer,
            () = guard.running.stopped() => Ok(None),
        };
        guard.running.check()?;
        // What it gave may be told of at once.
        let _ = self.news.send(News::Finished);
        answer
    }
    /// Evaluates, and tells what came of it in ways that every client has.
    async fn evaluate_and_tell(&self, params: TextDocumentPositionParams, nonfinite: bool) -> Result<Option<LSPAny>> {
        let Some(numbers) = self.evaluate(params).await? else {
            let _ = self.news.send(News::Said(MessageType::INFO, "No function is here.".into()));
            return Ok(None);
        };
        use requests::evaluate_actions::{is_long, said, said_of_nonfinite};
        let text = if nonfinite { said_of_nonfinite(&numbers) } else { said(&numbers) };
        if !nonfinite && is_long(&numbers) {
            let (client, text) = (self.client.clone(), numbers.text.clone());
            tokio::spawn(async move { client.log_message(MessageType::LOG, text).await });
        }
        let _ = self.news.send(News::Said(MessageType::INFO, text));
        if let Some(place) = numbers.first_nonfinite.clone().filter(|_| nonfinite && self.state.abilities().shows) {
            reproducers::show(&self.client, reproducers::Shown { uri: place.uri, range: Some(place.range) });
        }
        Ok(serde_json::to_value(numbers).ok())
    }
    async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        if let ProgressToken::String(token) = &params.token {
            self.state.evaluations.cancel(token);
        }
    }
    async fn unreadable(&self, message: frames::Unreadable) -> Result<()> {
        frames::answer(&message)
    }
    async fn trace_cache(&self, params: TextDocumentPositionParams) -> Result<Option<requests::trace_cache::Answer>> {
        guarded(|| requests::trace_cache::answer(&self.state, &params))
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let abilities = abilities(&params.capabilities);
        let client = params.client_info.as_ref();
        let (name, version) = (client.map(|c| c.name.as_str()), client.and_then(|c| c.version.as_deref()));
        tracing::info!(client = name, version, ?abilities, "initialize");
        *self.state.client.lock().unwrap_or_else(PoisonError::into_inner) = abilities;
        if let Some(options) = &params.initialization_options {
            self.state.client_settings().initial = Layer::from_json(options);
        }
        let encoding = if abilities.utf8 { PositionEncodingKind::UTF8 } else { PositionEncodingKind::UTF16 };
        let diagnostics = abilities.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("jitlens".into()),
                inter_file_dependencies: true,
                workspace_diagnostics: false,
                ..DiagnosticOptions::default()
            })
        });
        let actions = abilities.acts.then(|| {
            CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(requests::code_action::KINDS.to_vec()),
                ..CodeActionOptions::default()
            })
        });
        Ok(InitializeResult {
            server_info: Some(ServerInfo { name: "jitlens".into(), version: Some(env!("CARGO_PKG_VERSION").into()) }),
            capabilities: ServerCapabilities {
                position_encoding: Some(encoding),
                text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::INCREMENTAL),
                    save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                    ..TextDocumentSyncOptions::default()
                })),
                notebook_document_sync: abilities.notebooks.then(notebooks),
                hover_provider: Some(HoverProviderCapability::Simple(true)),
                inlay_hint_provider: Some(OneOf::Left(true)),
                code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
                code_action_provider: actions,
                call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
                semantic_tokens_provider: Some(
                    SemanticTokensOptions {
                        legend: requests::semantic_tokens::legend(),
                        full: Some(SemanticTokensFullOptions::Bool(true)),
                        range: Some(true),
                        ..SemanticTokensOptions::default()
                    }
                    .into(),
                ),
                definition_provider: Some(OneOf::Left(true)),
                document_link_provider: Some(DocumentLinkOptions {
                    resolve_provider: Some(false),
                    work_done_progress_options: WorkDoneProgressOptions::default(),
                }),
                execute_command_provider: Some(ExecuteCommandOptions {
                    commands: [
                        reproducers::REPRODUCE,
                        reproducers::SHOW,
                        requests::code_lens::TRACE_CACHE_AT,
                        requests::evaluate_actions::EVALUATE_AT,
                        requests::evaluate_actions::FIRST_NONFINITE_AT,
                    ]
                    .map(String::from)
                    .to_vec(),
                    ..ExecuteCommandOptions::default()
                }),
                diagnostic_provider: diagnostics,
                ..ServerCapabilities::default()
            },
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        let abilities = self.state.abilities();
        if abilities.configuration {
            self.ask_settings();
        }
        if abilities.watches {
            self.watch_files();
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        // Who can be asked is asked: what comes along may be empty, or of other sections.
        if self.state.abilities().configuration {
            self.ask_settings();
        } else {
            self.set(params.settings.get("jitlens").unwrap_or(&params.settings));
        }
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        if params.changes.iter().any(|change| change.uri.path().as_str().ends_with("pyproject.toml")) {
            self.state.forget_warnings();
        }
        self.state.files_changed.store(true, Ordering::Relaxed);
        self.analyze_all();
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let _ = guarded(|| {
            let document = params.text_document;
            let differs = self.state.documents().open(document.uri.clone(), document.version, &document.text);
            let mut uris = vec![document.uri];
            if differs {
                // Others may have read it from disk, or not found it there.
                let open = self.state.documents().scripts();
                uris.extend(open.into_iter().filter(|uri| *uri != uris[0]).collect::<Vec<_>>());
            }
            self.analyze(uris);
        });
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let _ = guarded(|| {
            let uri = params.text_document.uri;
            let utf8 = self.state.abilities().utf8;
            self.state.documents().change(&uri, params.text_document.version, params.content_changes, utf8);
            self.analyze_with_dependents(&uri);
        });
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        // The text is known already; what was not found on disk may be there now.
        let uri = params.text_document.uri;
        self.state.files_changed.store(true, Ordering::Relaxed);
        let current = self.state.documents().get(&uri).is_some_and(documents::Document::is_current);
        if !current {
            self.analyze(vec![uri.clone()]);
        }
        // Where that is set, what the program ends in is written down; where it ends in nothing, there is nothing to say.
        let state = self.state.clone();
        tokio::task::spawn_blocking(move || guarded(|| reproducers::make_unasked(&state, uri)));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let _ = guarded(|| {
            let uri = params.text_document.uri;
            let differs = self.state.documents().close(&uri);
            if differs {
                self.analyze_all();
            } else {
                // It may call into files that are still open.
                self.worker.look_for_callers(self.state.documents().scripts());
            }
            let _ = self.news.send(News::Closed(uri));
        });
    }

    async fn notebook_did_open(&self, params: DidOpenNotebookDocumentParams) {
        let _ = guarded(|| {
            let uri = params.notebook_document.uri.clone();
            self.state.documents().open_notebook(params.notebook_document, params.cell_text_documents);
            self.analyze(vec![uri]);
        });
    }

    async fn notebook_did_change(&self, params: DidChangeNotebookDocumentParams) {
        let _ = guarded(|| {
            let uri = params.notebook_document.uri;
            // Outputs and what else is not text changes nothing.
            let Some(cells) = params.change.cells else { return };
            let closed = cells.structure.as_ref().and_then(|structure| structure.did_close.clone());
            let utf8 = self.state.abilities().utf8;
            self.state.documents().change_notebook(&uri, params.notebook_document.version, cells, utf8);
            for cell in closed.into_iter().flatten() {
                let _ = self.news.send(News::Closed(cell.uri));
            }
            self.analyze(vec![uri]);
        });
    }

    async fn notebook_did_save(&self, params: DidSaveNotebookDocumentParams) {
        let uri = params.notebook_document.uri;
        let state = self.state.clone();
        tokio::task::spawn_blocking(move || guarded(|| reproducers::make_unasked(&state, uri)));
    }

    async fn notebook_did_close(&self, params: DidCloseNotebookDocumentParams) {
        let _ = guarded(|| {
            let closed = self.state.documents().close_notebook(&params.notebook_document.uri);
            for cell in closed {
                let _ = self.news.send(News::Closed(cell));
            }
        });
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        guarded(|| requests::hover::answer(&self.state, &params))
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        guarded(|| requests::inlay_hint::answer(&self.state, &params))
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        guarded(|| requests::code_lens::answer(&self.state, &params))
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let answer = guarded(|| requests::semantic_tokens::answer(&self.state, &params.text_document.uri, None))?;
        Ok(answer.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let (uri, range) = (&params.text_document.uri, params.range);
        let answer = guarded(|| requests::semantic_tokens::answer(&self.state, uri, Some(range)))?;
        Ok(answer.map(SemanticTokensRangeResult::Tokens))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        guarded(|| requests::code_action::answer(&self.state, &params))
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let params = params.text_document_position_params;
        let uri = params.text_document.uri.clone();
        self.beside(uri, move |state| requests::call_hierarchy::prepare(state, &params)).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.beside(params.item.uri.clone(), move |state| requests::call_hierarchy::incoming(state, &params.item)).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.beside(params.item.uri.clone(), move |state| requests::call_hierarchy::outgoing(state, &params.item)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        guarded(|| requests::definition::answer(&self.state, &params))
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        guarded(|| requests::document_link::answer(&self.state, &params))
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        match params.command.as_str() {
            reproducers::REPRODUCE => self.reproduce(reproducers::argument(&params)?).await,
            reproducers::SHOW => {
                reproducers::show(&self.client, reproducers::argument(&params)?);
                Ok(None)
            }
            requests::code_lens::TRACE_CACHE_AT => {
                let asked = reproducers::argument(&params)?;
                let answer = guarded(|| requests::trace_cache::answer(&self.state, &asked))?;
                if let Some(answer) = &answer {
                    let _ = self.news.send(News::Said(MessageType::INFO, answer.text.clone()));
                }
                Ok(serde_json::to_value(answer).ok())
            }
            command @ (requests::evaluate_actions::EVALUATE_AT | requests::evaluate_actions::FIRST_NONFINITE_AT) => {
                let nonfinite = command == requests::evaluate_actions::FIRST_NONFINITE_AT;
                self.evaluate_and_tell(reproducers::argument(&params)?, nonfinite).await
            }
            other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
        }
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let previous = params.previous_result_id.as_deref();
        let report = requests::diagnostic::answer(&self.state, &params.text_document.uri, previous).await?;
        Ok(DocumentDiagnosticReportResult::Report(report))
    }

    async fn shutdown(&self) -> Result<()> {
        self.worker.stop();
        self.state.left.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The notebooks whose cells are wanted: those of Python, of whatever kind.
fn notebooks() -> OneOf<NotebookDocumentSyncOptions, NotebookDocumentSyncRegistrationOptions> {
    let cells = vec![NotebookCellSelector { language: "python".into() }];
    // Some clients do not understand that there is none.
    let notebook = Some(Notebook::String("*".into()));
    let notebook_selector = vec![NotebookSelector::ByCells { notebook, cells }];
    OneOf::Left(NotebookDocumentSyncOptions { notebook_selector, save: Some(true) })
}

fn abilities(client: &ClientCapabilities) -> Abilities {
    let text = client.text_document.as_ref();
    let workspace = client.workspace.as_ref();
    let encodings = client.general.as_ref().and_then(|g| g.position_encodings.as_ref());
    let published = text.and_then(|t| t.publish_diagnostics.as_ref());
    let pulled = text.and_then(|t| t.diagnostic.as_ref());
    Abilities {
        utf8: encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)),
        pulls: pulled.is_some(),
        describes_codes: published.and_then(|p| p.code_description_support).unwrap_or(false)
            || pulled.and_then(|p| p.code_description_support).unwrap_or(false),
        greys_out: published
            .and_then(|p| p.tag_support.as_ref())
            .is_some_and(|tags| tags.value_set.contains(&DiagnosticTag::UNNECESSARY)),
        acts: text.and_then(|t| t.code_action.as_ref()).is_some_and(|c| c.code_action_literal_support.is_some()),
        versions_edits: workspace
            .and_then(|w| w.workspace_edit.as_ref())
            .and_then(|e| e.document_changes)
            .unwrap_or(false),
        refreshes_diagnostics: workspace
            .and_then(|w| w.diagnostics.as_ref())
            .and_then(|d| d.refresh_support)
            .unwrap_or(false),
        refreshes_hints: workspace.and_then(|w| w.inlay_hint.as_ref()).and_then(|h| h.refresh_support).unwrap_or(false),
        refreshes_lenses: workspace.and_then(|w| w.code_lens.as_ref()).and_then(|c| c.refresh_support).unwrap_or(false),
        refreshes_tokens: workspace
            .and_then(|w| w.semantic_tokens.as_ref())
            .and_then(|s| s.refresh_support)
            .unwrap_or(false),
        shows: client.window.as_ref().and_then(|w| w.show_document.as_ref()).is_some_and(|s| s.support),
        notebooks: client.notebook_document.is_some(),
        progress: client.window.as_ref().and_then(|w| w.work_done_progress).unwrap_or(false),
        configuration: workspace.and_then(|w| w.configuration).unwrap_or(false),
        watches: workspace
            .and_then(|w| w.did_change_watched_files.as_ref())
            .and_then(|w| w.dynamic_registration)
            .unwrap_or(false),
    }
}
