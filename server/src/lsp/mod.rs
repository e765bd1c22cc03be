//! The language server: the only place, with `dap`, that names protocol types.
//!
//! Handlers apply edits synchronously, before their first `await`, to one ordered state; analyses run on a thread of
//! their own ([`worker`]); requests are answered from the last finished analysis, positions mapped through the edits since.

mod convert;
mod documents;
mod requests;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer, LspService, Server};

use crate::config::Settings;
use documents::Documents;
use worker::Worker;

/// Far above what a client sends at once: with the transport's default of 4, four busy handlers block edits and
/// cancellations.
const CONCURRENCY: usize = 1 << 20;

/// Serves over stdin and stdout until the client leaves.
pub fn serve() -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let (service, socket) = LspService::new(Backend::new);
        let server = Server::new(tokio::io::stdin(), tokio::io::stdout(), socket);
        server.concurrency_level(CONCURRENCY).serve(service).await;
    });
    Ok(())
}

/// What handlers and the worker share.
pub struct State {
    /// Open documents.
    pub documents: Mutex<Documents>,
    /// Settings, as last told.
    pub settings: Mutex<Settings>,
    /// What the client can do.
    pub client: Mutex<Abilities>,
    /// Told whenever an analysis has finished.
    pub finished: tokio::sync::watch::Sender<u64>,
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
    /// It shows progress.
    pub progress: bool,
    /// It answers `workspace/configuration`.
    pub configuration: bool,
}

impl State {
    /// The documents. A handler that panicked cannot have left them half changed.
    pub fn documents(&self) -> std::sync::MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The client's abilities.
    pub fn abilities(&self) -> Abilities {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct Backend {
    client: Client,
    state: Arc<State>,
    worker: Worker,
}

impl Backend {
    fn new(client: Client) -> Backend {
        let state = Arc::new(State {
            documents: Mutex::default(),
            settings: Mutex::default(),
            client: Mutex::default(),
            finished: tokio::sync::watch::channel(0).0,
        });
        let worker = Worker::start(client.clone(), state.clone());
        Backend { client, state, worker }
    }

    fn analyze(&self, uri: &Uri) {
        self.worker.submit(uri.clone());
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let abilities = abilities(&params.capabilities);
        *self.state.client.lock().unwrap_or_else(PoisonError::into_inner) = abilities;
        let mut settings = Settings::default();
        if let Some(options) = &params.initialization_options {
            settings.merge_json(options);
        }
        *self.state.settings.lock().unwrap_or_else(PoisonError::into_inner) = settings;
        let encoding = if abilities.utf8 { PositionEncodingKind::UTF8 } else { PositionEncodingKind::UTF16 };
        let diagnostics = abilities.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("jitlens".into()),
                inter_file_dependencies: true,
                workspace_diagnostics: false,
                ..DiagnosticOptions::default()
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
                hover_provider: Some(HoverProviderCapability::Simple(true)),
                inlay_hint_provider: Some(OneOf::Left(true)),
                diagnostic_provider: diagnostics,
                ..ServerCapabilities::default()
            },
            ..InitializeResult::default()
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        if !self.state.abilities().configuration {
            return;
        }
        // Asked for on a task of its own: a handler that awaits the client could wait for itself.
        let (client, state) = (self.client.clone(), self.state.clone());
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("jitlens".into()) };
            if let Ok(values) = client.configuration(vec![item]).await
                && let Some(value) = values.first()
            {
                state.settings.lock().unwrap_or_else(PoisonError::into_inner).merge_json(value);
            }
        });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let value = params.settings.get("jitlens").cloned().unwrap_or(params.settings);
        self.state.settings.lock().unwrap_or_else(PoisonError::into_inner).merge_json(&value);
        let open = self.state.documents().uris();
        open.iter().for_each(|uri| self.analyze(uri));
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.state.documents().open(document.uri.clone(), document.version, &document.text);
        self.analyze(&document.uri);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let utf8 = self.state.abilities().utf8;
        self.state.documents().change(&uri, params.text_document.version, params.content_changes, utf8);
        self.analyze(&uri);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.analyze(&params.text_document.uri);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.state.documents().close(&uri);
        if !self.state.abilities().pulls {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        Ok(requests::hover::answer(&self.state, &params))
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        Ok(requests::inlay_hint::answer(&self.state, &params))
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let items = requests::diagnostic::answer(&self.state, &params.text_document.uri).await;
        let report = RelatedFullDocumentDiagnosticReport {
            full_document_diagnostic_report: FullDocumentDiagnosticReport { items, ..Default::default() },
            ..Default::default()
        };
        Ok(DocumentDiagnosticReportResult::Report(DocumentDiagnosticReport::Full(report)))
    }

    async fn shutdown(&self) -> Result<()> {
        self.worker.stop();
        Ok(())
    }
}

fn abilities(client: &ClientCapabilities) -> Abilities {
    let text = client.text_document.as_ref();
    let workspace = client.workspace.as_ref();
    let encodings = client.general.as_ref().and_then(|g| g.position_encodings.as_ref());
    Abilities {
        utf8: encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8)),
        pulls: text.is_some_and(|t| t.diagnostic.is_some()),
        refreshes_diagnostics: workspace
            .and_then(|w| w.diagnostics.as_ref())
            .and_then(|d| d.refresh_support)
            .unwrap_or(false),
        refreshes_hints: workspace.and_then(|w| w.inlay_hint.as_ref()).and_then(|h| h.refresh_support).unwrap_or(false),
        progress: client.window.as_ref().and_then(|w| w.work_done_progress).unwrap_or(false),
        configuration: workspace.and_then(|w| w.configuration).unwrap_or(false),
    }
}
