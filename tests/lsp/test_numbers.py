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
