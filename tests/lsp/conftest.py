"""A session with the server, and a document as the client has it."""

import asyncio
import contextlib
import os
from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SERVER = os.environ.get("JITLENS", str(REPOSITORY / "target" / "debug" / "jitlens"))
# For what has to happen; never for what must not.
PATIENCE = float(os.environ.get("JITLENS_TEST_PATIENCE", "120"))


def converter():
    """pygls's converter, which takes every action that has a command for a command."""
    made = default_converter()

    def structure(value, _):
        is_command = isinstance(value.get("command"), str)
        return made.structure(value, t.Command if is_command else t.CodeAction)

    made.register_structure_hook(t.Command | t.CodeAction, structure)
    return made


class Client(LanguageClient):
    """pytest-lsp's client, which keeps no versions, and misses notifications that came before it waits for them."""

    def __init__(self, configuration=None):
        super().__init__(converter_factory=converter, configuration={"": configuration or {}})
        self.published: dict[str, t.PublishDiagnosticsParams] = {}
        self.registered: list[t.Registration] = []
        self.hint_refreshes = 0
        self.lens_refreshes = 0
        self.token_refreshes = 0
        self.silent = False
        self.shown: list[t.ShowDocumentParams] = []
        self.said: list[t.ShowMessageParams] = []
        self.changed = asyncio.Condition()

        async def publish(params: t.PublishDiagnosticsParams):
            self.published[params.uri] = params
            await self.tell()

        async def register(params: t.RegistrationParams):
            self.registered += params.registrations
            await self.tell()

        async def hints(params):
            self.hint_refreshes += 1
            await self.tell()

        async def lenses(params):
            self.lens_refreshes += 1
            await self.tell()

        async def tokens(params):
            self.token_refreshes += 1
            await self.tell()

        async def refresh(params):
            self.diagnostic_refresh_count += 1
            await self.tell()

        progress = DEFAULT_CLIENT_FEATURES[t.PROGRESS]

        async def report(params: t.ProgressParams):
            progress(self, params)
            await self.tell()

        def configure(params: t.ConfigurationParams):
            return [self.get_configuration(section=item.section, scope_uri=item.scope_uri) for item in params.items]

        def create(params: t.WorkDoneProgressCreateParams):
            assert params.token not in self.progress_reports
            self.progress_reports[params.token] = []

        async def show(params: t.ShowDocumentParams):
            self.shown.append(params)
            await self.tell()
            return t.ShowDocumentResult(True)

        async def say(params: t.ShowMessageParams):
            self.said.append(params)
            await self.tell()

        async def log(params: t.LogMessageParams):
            self.log_messages.append(params)
            await self.tell()

        register_lsp_features(self, {
            t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
            t.CLIENT_REGISTER_CAPABILITY: register,
            t.WORKSPACE_INLAY_HINT_REFRESH: hints,
            t.WORKSPACE_CODE_LENS_REFRESH: lenses,
            t.WORKSPACE_SEMANTIC_TOKENS_REFRESH: tokens,
            t.WORKSPACE_DIAGNOSTIC_REFRESH: refresh,
            t.PROGRESS: report,
            t.WORKSPACE_CONFIGURATION: configure,
            t.WINDOW_LOG_MESSAGE: log,
            t.WINDOW_SHOW_DOCUMENT: show,
            t.WINDOW_SHOW_MESSAGE: say,
            t.WINDOW_WORK_DONE_PROGRESS_CREATE: create,
        })

    async def tell(self):
        async with self.changed:
            self.changed.notify_all()

    async def until(self, condition):
        """Waits until something that the server sends makes the condition true."""
        async with asyncio.timeout(PATIENCE), self.changed:
            await self.changed.wait_for(condition)

    async def pushed(self, document) -> list[t.Diagnostic]:
        """What is pushed for the document's present version."""
        def there():
            return document.uri in self.published and self.published[document.uri].version == document.version
        await self.until(there)
        return list(self.published[document.uri].diagnostics)

    async def pull(self, document, previous=None):
        return await self.text_document_diagnostic_async(
            t.DocumentDiagnosticParams(t.TextDocumentIdentifier(document.uri), previous_result_id=previous))

    async def view(self, document) -> str:
        answer = await self.protocol.send_request_async("jitlens/viewText", {"textDocument": {"uri": document.uri}})
        assert answer.version == document.version
        return answer.text


class Document:
    """The client's own copy of a text; edits go out as incremental changes."""

    def __init__(self, client: Client, uri: str, text: str, utf8=False):
        self.client, self.uri, self.text, self.version, self.utf8 = client, uri, text, 1, utf8
        client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, text)))

    def position(self, offset: int) -> t.Position:
        before = self.text[:offset]
        line = before.replace("\r\n", "\n").replace("\r", "\n").rsplit("\n", 1)
        units = line[-1].encode("utf-8") if self.utf8 else line[-1].encode("utf-16-le")
        lines = before.replace("\r\n", "\n").replace("\r", "\n").count("\n")
        return t.Position(lines, len(units) if self.utf8 else len(units) // 2)

    def span(self, start: int, end: int) -> t.Range:
        return t.Range(self.position(start), self.position(end))

    def find(self, text: str, within: str | None = None) -> int:
        """The offset of a text, or of a text within the only place that has another around it."""
        if within is None:
            assert self.text.count(text) == 1, f"{text!r} is there {self.text.count(text)} times"
            return self.text.index(text)
        return self.find(within) + within.index(text)

    def change(self, *edits: tuple[int, int, str]):
        """Replaces; each edit counts from the text that the one before left."""
        self.version += 1
        events = []
        for start, end, new in edits:
            events.append(t.TextDocumentContentChangePartial(range=self.span(start, end), text=new))
            self.text = self.text[:start] + new + self.text[end:]
        self.client.text_document_did_change(
            t.DidChangeTextDocumentParams(t.VersionedTextDocumentIdentifier(self.version, self.uri), events))

    def replace(self, old: str, new: str, within: str | None = None):
        start = self.find(old, within)
        self.change((start, start + len(old), new))

    def replace_all(self, text: str):
        self.version += 1
        self.text = text
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(
            t.VersionedTextDocumentIdentifier(self.version, self.uri), [t.TextDocumentContentChangeWholeDocument(text)]))

    async def hover(self, offset: int) -> tuple[str, str] | None:
        """What is said at an offset, and the text that it is said about."""
        params = t.HoverParams(t.TextDocumentIdentifier(self.uri), self.position(offset))
        answer = await self.client.text_document_hover_async(params)
        return answer and (answer.contents.value, self.at(answer.range))

    def at(self, place: t.Range) -> str:
        """The text of a range."""
        return self.text[self.offset(place.start):self.offset(place.end)]

    def offset(self, place: t.Position) -> int:
        """The offset that has a position."""
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high) // 2
            at = self.position(middle)
            low, high = (middle + 1, high) if (at.line, at.character) < (place.line, place.character) else (low, middle)
        return low + 1 if self.text[low - 1:low + 1] == "\r\n" else low

    async def hints(self) -> list[str]:
        """The text with its hints written into it, line by line, where there are any."""
        everything = t.Range(t.Position(0, 0), t.Position(self.text.count("\n") + 1, 0))
        answer = await self.client.text_document_inlay_hint_async(
            t.InlayHintParams(t.TextDocumentIdentifier(self.uri), everything))
        return [f"{hint.position.line}:{hint.position.character}{hint.label}" for hint in answer or []]

    def close(self):
        self.client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(self.uri)))

    def save(self):
        self.client.text_document_did_save(t.DidSaveTextDocumentParams(t.TextDocumentIdentifier(self.uri)))



def capabilities(*, utf8=False, pull=False, configuration=False, progress=False, watch=False, actions=False, shows=False,
                 notebooks=False) -> t.ClientCapabilities:
    """What a client of today says that it can do."""
    encodings = [t.PositionEncodingKind.Utf8, t.PositionEncodingKind.Utf16] if utf8 else [t.PositionEncodingKind.Utf16]
    return t.ClientCapabilities(
        general=t.GeneralClientCapabilities(position_encodings=encodings),
        text_document=t.TextDocumentClientCapabilities(
            synchronization=t.TextDocumentSyncClientCapabilities(did_save=True),
            publish_diagnostics=t.PublishDiagnosticsClientCapabilities(
                version_support=True, related_information=True, code_description_support=actions or None,
                tag_support=t.ClientDiagnosticsTagOptions(list(t.DiagnosticTag)) if actions else None),
            code_action=t.CodeActionClientCapabilities(
                code_action_literal_support=t.ClientCodeActionLiteralOptions(t.ClientCodeActionKindOptions(["quickfix", "source"])),
                is_preferred_support=True) if actions else None,
            hover=t.HoverClientCapabilities(content_format=[t.MarkupKind.Markdown]),
            inlay_hint=t.InlayHintClientCapabilities(),
            diagnostic=t.DiagnosticClientCapabilities(related_document_support=False) if pull else None,
        ),
        workspace=t.WorkspaceClientCapabilities(
            workspace_edit=t.WorkspaceEditClientCapabilities(document_changes=True) if actions else None,
            configuration=configuration,
            did_change_configuration=t.DidChangeConfigurationClientCapabilities(),
            did_change_watched_files=t.DidChangeWatchedFilesClientCapabilities(dynamic_registration=watch),
            inlay_hint=t.InlayHintWorkspaceClientCapabilities(refresh_support=True),
            code_lens=t.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            semantic_tokens=t.SemanticTokensWorkspaceClientCapabilities(refresh_support=True),
            diagnostics=t.DiagnosticWorkspaceClientCapabilities(refresh_support=pull),
        ),
        notebook_document=t.NotebookDocumentClientCapabilities(t.NotebookDocumentSyncClientCapabilities()) if notebooks else None,
        window=t.WindowClientCapabilities(
            work_done_progress=progress, show_document=t.ShowDocumentClientCapabilities(True) if shows else None),
    )


@contextlib.asynccontextmanager
async def session(abilities=None, *, root: Path | None = None, options=None, configuration=None, environment=None):
    """A running server, shut down in the end: it has to leave with the exit code 0."""
    client = Client(configuration)
    variables = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    await client.start_io(SERVER, "server", env={**variables, **(environment or {})})
    try:
        client.initialized_with = await client.initialize_session(t.InitializeParams(
            capabilities=abilities or capabilities(), root_uri=root and root.as_uri(), initialization_options=options))
        yield client
        await client.shutdown_session()
        assert client._server.returncode == 0
    finally:
        if client._server.returncode is None:
            client._server.kill()
        await client.stop()


@pytest.fixture
def project(tmp_path):
    """Writes files of a project: `project(name=text)` gives their folder."""
    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return tmp_path
    return write
