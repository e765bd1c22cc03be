"""Numbers of evaluated functions: as hovers, as a diagnostic, with progress, and stopped."""

import asyncio

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def loss(x, y):
    d = x - y
    scaled = d * 2.0
    wide = jnp.zeros((4, 5)) + scaled.sum()
    r = jnp.log(scaled)
    return r.sum() + wide.sum()

loss(jnp.array([1.0, 2.0]), jnp.array([1.0, 0.5]))
"""

LONG = """\
import jax
import jax.numpy as jnp

@jax.jit
def long(x):
    for _ in range(40):
        x = x @ x
    return x

@jax.jit
def short(x):
    return x + 1.0

long(jnp.zeros((1024, 1024)))
short(1.0)
"""


async def evaluate(client, document, place, **options):
    where = t.TextDocumentPositionParams(t.TextDocumentIdentifier(document.uri), document.position(document.find(place)))
    return await client.protocol.send_request_async("jitlens/evaluate", where, **options)


async def test_hovers_show_numbers_until_an_edit(project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)
        assert await document.hover(document.find("d = x - y")) == ("`f32[2]` traced", "d")
        await evaluate(client, document, "d = x - y")
        assert await document.hover(document.find("d = x - y")) == ("`f32[2]` traced\n\n`f32[2] 0 1.5`", "d")
        assert await document.hover(document.find("- y\n")) == ("`f32[2]` traced\n\n`f32[2] 0 1.5`", "x - y")
        said, _ = await document.hover(document.find("wide = "))
        assert said.endswith("`f32[4,5] 3 3 3 3 3 3 … min 3 max 3 mean 3 std 0`"), said
        said, _ = await document.hover(document.find("r = jnp.log"))
        assert said.endswith("`f32[2] -inf 1.0986123, 1 infinite`"), said
        # They are those of a text that is no more.
        document.replace("2.0\n", "3.0\n")
        await client.pushed(document)
        assert await document.hover(document.find("d = x - y")) == ("`f32[2]` traced", "d")


async def test_the_first_number_that_is_none_is_a_diagnostic(project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert await client.pushed(document) == []
        await evaluate(client, document, "d = x - y")
        await client.until(lambda: client.published[document.uri].diagnostics)
        [found] = client.published[document.uri].diagnostics
        assert (document.at(found.range), found.code, found.severity) == ("jnp.log(scaled)", "non-finite", t.DiagnosticSeverity.Warning)
        assert found.message == "`log` makes an infinity of finite numbers"
        assert [(document.at(r.location.range), r.message) for r in found.related_information] == [
            ("d * 2.0", "the operand comes from here: `mul` gives f32[2] 0 3"),
            ("x - y", "the operand comes from here: `sub` gives f32[2] 0 1.5"),
            ("loss(jnp.array([1.0, 2.0]), jnp.array([1.0, 0.5]))", "of this call of `loss`"),
        ]
        # Where it is mended nothing is said any more.
        document.replace("jnp.log(scaled)", "jnp.log(scaled + 1)")
        assert await client.pushed(document) == []
        await evaluate(client, document, "d = x - y")
        assert await client.pushed(document) == []


async def test_a_client_that_asks_for_diagnostics_is_told_to_ask_again(project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(pull=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert list((await client.pull(document)).items) == []
        before = client.diagnostic_refresh_count
        await evaluate(client, document, "d = x - y")
        await client.until(lambda: client.diagnostic_refresh_count > before)
        assert [item.code for item in (await client.pull(document)).items] == ["non-finite"]


async def test_a_long_evaluation_tells_how_far_it_is_and_can_be_cancelled(project):
    root = project({"a.py": LONG})
    async with session(capabilities(progress=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), LONG)
        await client.pushed(document)
        running = asyncio.ensure_future(evaluate(client, document, "x @ x", msg_id="long"))

        def reports():
            return [report for all in client.progress_reports.values() for report in all]

        def begun():
            return any(r.kind == "begin" and r.title == "Evaluating" and r.message == "a.py" for r in reports())

        await client.until(begun)
        await client.until(lambda: any(r.kind == "report" and 0 <= r.percentage < 100 for r in reports()))
        client.cancel_request(t.CancelParams("long"))
        with pytest.raises(JsonRpcException) as stopped:
            await running
        assert stopped.value.code == t.LSPErrorCodes.RequestCancelled
        await client.until(lambda: any(r.kind == "end" for r in reports()))
        # The next one does not wait for it.
        answer = await evaluate(client, document, "x + 1.0")
        assert "result f32[]" in answer.text and answer.text.count("\n") == 3
        # What was not done to its end is shown nowhere.
        said, _ = await document.hover(document.find("x @ x"))
        assert said == "`f32[1024,1024]` traced"


async def lens_of(client, document, title):
    """The command that stands above a function."""
    lenses = await client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(document.uri)))
    return next(lens.command for lens in lenses if lens.command.title == title)


async def run(client, command, **options):
    """What a client does with a command that it does not know itself."""
    assert command.command in client.initialized_with.capabilities.execute_command_provider.commands
    return await client.protocol.send_request_async("workspace/executeCommand", t.ExecuteCommandParams(command.command, command.arguments), **options)


@pytest.mark.parametrize("shows", [False, True])
async def test_any_client_evaluates_by_the_commands_of_lenses(project, shows):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(shows=shows), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert await client.pushed(document) == []
        answer = await run(client, await lens_of(client, document, "Evaluate on CPU"))
        assert answer["function"] == "loss" and "result f32[]" in answer["text"]
        await client.until(lambda: client.said)
        [said] = client.said
        assert said.type == t.MessageType.Info and said.message == answer["text"].rstrip()
        assert await document.hover(document.find("d = x - y")) == ("`f32[2]` traced\n\n`f32[2] 0 1.5`", "d")
        assert client.shown == []
        await run(client, await lens_of(client, document, "Find first non-finite value"))
        await client.until(lambda: len(client.said) > 1)
        assert client.said[1].message == "In `loss` `log` makes an infinity of finite numbers, at a.py:9"
        await client.until(lambda: client.published[document.uri].diagnostics)
        assert [item.code for item in client.published[document.uri].diagnostics] == ["non-finite"]
        if shows:
            await client.until(lambda: client.shown)
        assert [(shown.uri, document.at(shown.selection)) for shown in client.shown] == [(document.uri, "jnp.log(scaled)")] * shows
        document.replace("jnp.log(scaled)", "jnp.log(scaled + 1)")
        await client.pushed(document)
        await run(client, await lens_of(client, document, "Find first non-finite value"))
        await client.until(lambda: len(client.said) > 2)
        assert client.said[2].message == "`loss` makes no infinity of finite numbers, and no NaN"


async def test_actions_evaluate_the_function_around(project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(actions=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)

        async def asked(place, only=None):
            at = document.position(document.find(place))
            params = t.CodeActionParams(t.TextDocumentIdentifier(document.uri), t.Range(at, at), t.CodeActionContext([], only=only))
            return [action for action in await client.text_document_code_action_async(params) if action.kind == "jitlens.evaluate"]

        actions = await asked("d * 2.0", ["jitlens"])
        assert [action.title for action in actions] == ["Evaluate on CPU", "Find first non-finite value"]
        answer = await run(client, actions[0].command)
        assert "result f32[]" in answer["text"]
        # Outside of functions, and where others are wanted, they are not offered.
        assert await asked("loss(jnp.array") == []
        assert await asked("d * 2.0", ["quickfix"]) == []


@pytest.mark.parametrize("how", ["edit", "button", "request"])
async def test_a_long_evaluation_ends_by_an_edit_by_its_button_and_with_its_request(project, how):
    root = project({"a.py": LONG, "b.py": "x = 1\n"})
    async with session(capabilities(progress=True), root=root) as client:
        document, other = Document(client, (root / "a.py").as_uri(), LONG), Document(client, (root / "b.py").as_uri(), "x = 1\n")
        await client.pushed(document)
        await client.pushed(other)
        command = await lens_of(client, document, "Evaluate on CPU")
        running = asyncio.ensure_future(run(client, command, msg_id="long"))

        def begun():
            return [token for token, all in client.progress_reports.items() for r in all if r.kind == "begin" and r.title == "Evaluating"]

        await client.until(begun)
        [token] = begun()
        assert client.progress_reports[token][0].cancellable is True
        # Another program's edit leaves it alone.
        other.replace("1", "2")
        await client.pushed(other)
        assert not running.done()
        if how == "edit":
            document.replace("range(40)", "range(41)")
        elif how == "button":
            client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
        else:
            client.cancel_request(t.CancelParams("long"))
        with pytest.raises(JsonRpcException) as stopped:
            await running
        assert stopped.value.code == (t.LSPErrorCodes.ContentModified if how == "edit" else t.LSPErrorCodes.RequestCancelled)
        await client.until(lambda: any(r.kind == "end" for r in client.progress_reports[token]))
