"""Hover, hints and diagnostics while the text changes."""

import asyncio

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pytest_lsp import client_capabilities

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def attend(q, k):
    # é😀
    scores = q @ k.T; text = "😀"; total = scores.sum()
    return scores / total

out = attend(jnp.ones((8, 64)), jnp.ones((128, 64)))
"""


@pytest.mark.parametrize("name", ["visual_studio_code", "neovim", "emacs"])
async def test_a_session_of_a_real_client(name, project):
    root = project({"a.py": PROGRAM})
    async with session(client_capabilities(name), root=root) as client:
        assert client.initialized_with.server_info.name == "jitlens"
        pushes = client.initialized_with.capabilities.diagnostic_provider is None
        document = Document(client, (root / "a.py").as_uri(), PROGRAM,
                            client.initialized_with.capabilities.position_encoding == "utf-8")

        async def messages():
            items = await client.pushed(document) if pushes else (await client.pull(document)).items
            return [(d.message.split("\n")[0], document.at(d.range), d.source) for d in items]

        assert await messages() == []
        assert await document.hover(document.find("scores / total")) == ("`f32[8,128]` traced", "scores")
        document.replace("64)))\n", "63)))\n")
        [(message, where, source)] = await messages()
        assert message.startswith("TypeError: dot_general requires contracting dimensions") and source == "jitlens"
        assert where == "q @ k.T"
        document.replace("63)))\n", "64)))\n")
        assert await messages() == []
        document.save()
        document.close()


@pytest.mark.parametrize("text", [PROGRAM, PROGRAM.replace("\n", "\r\n")], ids=["lf", "crlf"])
@pytest.mark.parametrize("utf8", [False, True], ids=["utf-16", "utf-8"])
async def test_hover_and_hints(utf8, text, project):
    root = project({"a.py": ""})
    async with session(capabilities(utf8=utf8), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text, utf8)
        assert await client.pushed(document) == []
        expected = {
            "q @": ("`f32[8,64]` traced", "q"),
            "@ k.T": ("`f32[8,128]` traced", "q @ k.T"),
            "k.T": ("`f32[128,64]` traced", "k"),
            "T; text": ("`f32[64,128]` traced", "k.T"),
            "total = ": ("`f32[]` traced", "total"),
            "sum()": ("`f32[]` traced", "scores.sum()"),
            "q, k": ("`f32[8,64]` traced", "q"),
            "out": ("`f32[8,128]` concrete", "out"),
            "attend(jnp": ("`f32[8,128]` concrete\n\ntraces `attend` (4 equations)", "attend(jnp.ones((8, 64)), jnp.ones((128, 64)))"),
            "# é": None,
            "return scores": None,
        }
        assert {where: await document.hover(document.find(where)) for where in expected} == expected
        column = document.position(document.find("total = ") + 5).character
        assert column == (42 if utf8 else 40)
        assert await document.hints() == [
            "4:12: f32[8,64]", "4:15: f32[128,64]", "6:10: f32[8,128]", f"6:{column}: f32[]", "9:3: f32[8,128]"]


async def test_hover_on_text_that_has_changed_is_never_about_another_expression(project):
    """Answers before the next analysis has finished: it is kept from finishing by a program that takes its time."""
    slow = PROGRAM + "\nn = 0\nwhile n >= 0:\n    n = (n + 1) % 1000\n"
    root = project({"a.py": ""})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert await client.pushed(document) == []
        document.change((len(PROGRAM), len(PROGRAM), slow[len(PROGRAM):]))

        async def at(where):
            return await document.hover(document.find(where))

        document.change((0, 0, "# a first line 😀\n"))
        assert await at("scores / total") == ("`f32[8,128]` traced", "scores")
        assert "7:10: f32[8,128]" in await document.hints()
        # A longer name is another one; the product around it is another product.
        document.replace("q @ k.T", "q2 @ k.T")
        assert await at("q2 @") is None
        assert await at("@ k.T") is None
        assert await at("k.T") == ("`f32[128,64]` traced", "k")
        assert not any(hint.startswith("7:10") for hint in await document.hints())
        assert await at("scores / total") == ("`f32[8,128]` traced", "scores")
        # What was a product is now a part of a sum that was not there.
        document.replace("q2 @ k.T", "q @ k.T + 1")
        assert await at("@ k.T") is None
        assert await at("T + 1") is None
        # An attribute of it is not it.
        document.replace("scores / total", "scores.T / total")
        assert await at("T / total") is None
        assert await at("/ total") is None
        # What now stands in a string or a comment is no expression.
        document.replace("return scores.T / total", "return 'scores / total'")
        assert await at("scores / total'") is None
        document.replace("out = ", "# out = ")
        assert await at("out = ") is None
        # A line that was moved is a new line; one that others were moved around is an old one.
        document.replace("    # é😀\n", "")
        document.replace("return", "    # é😀\n    return")
        assert client.published[document.uri].version == 1


async def test_the_last_good_answer_stays_while_the_text_does_not_parse(project):
    root = project({"a.py": ""})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert await client.pushed(document) == []
        document.replace("return scores / total", "return scores / total\n\ndef half(")
        await client.pushed(document)
        assert await document.hover(document.find("scores / total")) == ("`f32[8,128]` traced", "scores")


async def test_pulled_diagnostics(project):
    root = project({"a.py": ""})
    async with session(capabilities(pull=True), root=root) as client:
        provider = client.initialized_with.capabilities.diagnostic_provider
        assert provider.inter_file_dependencies and not provider.workspace_diagnostics
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        first = await client.pull(document)
        assert first.kind == "full" and list(first.items) == []
        again = await client.pull(document, first.result_id)
        assert again.kind == "unchanged" and again.result_id == first.result_id
        # Asked for at once: the answer is that of the new text.
        document.replace("64)))\n", "63)))\n")
        report = await client.pull(document, first.result_id)
        [d] = report.items
        assert document.at(d.range) == "q @ k.T" and d.code == "shape-mismatch" and d.severity == t.DiagnosticSeverity.Error
        related = [document.at(r.location.range) for r in d.related_information]
        assert any(text.startswith("attend(jnp.ones") for text in related), related
        assert client.published == {}


async def test_requests_can_be_cancelled_and_other_messages_pass_them(project):
    """Many diagnostics are asked for that wait for an analysis that lasts; they are cancelled while others are answered."""
    root = project({"a.py": ""})
    async with session(capabilities(pull=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), "n = 0\nwhile n >= 0:\n    n = (n + 1) % 1000\n")
        params = t.DocumentDiagnosticParams(t.TextDocumentIdentifier(document.uri))
        asked = [asyncio.ensure_future(client.protocol.send_request_async(t.TEXT_DOCUMENT_DIAGNOSTIC, params, msg_id=f"d{i}"))
                 for i in range(64)]
        await asyncio.sleep(0)
        document.change((0, 0, "x = 1\n"))
        assert await client.view(document) == document.text
        for i in range(64):
            client.cancel_request(t.CancelParams(f"d{i}"))
        answers = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        assert {getattr(a, "code", None) for a in answers} == {t.LSPErrorCodes.RequestCancelled.value}


async def test_a_long_run_shows_progress_and_an_edit_ends_it(project):
    root = project({"a.py": ""})
    async with session(capabilities(progress=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), "n = 0\nwhile n >= 0:\n    n = (n + 1) % 1000\n")

        def kinds():
            return [[report.kind for report in reports] for reports in client.progress_reports.values()]

        await client.until(lambda: ["begin"] in kinds())
        document.replace_all("x = 1\n")
        assert await client.pushed(document) == []
        await client.until(lambda: all(kind == ["begin", "end"] for kind in kinds()))
        [begin, _] = next(iter(client.progress_reports.values()))
        assert (begin.title, begin.message) == ("Tracing", "a.py")


async def test_a_short_run_shows_no_progress():
    async with session(capabilities(progress=True)) as client:
        document = Document(client, "untitled:a.py", "x = 1\n")
        await client.pushed(document)
        assert client.progress_reports == {}


@pytest.mark.parametrize("pull", [False, True], ids=["push", "pull"])
async def test_a_bug_of_ours_is_answered_as_an_error_and_the_server_goes_on(pull, project):
    root = project({"a.py": ""})
    async with session(capabilities(pull=pull), root=root, environment={"JITLENS_FAULT": "fall_over"}) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        if pull:
            assert list((await client.pull(document)).items) == []
        else:
            assert await client.pushed(document) == []
        document.change((len(document.text), len(document.text), "fall_over = 1\n"))
        if pull:
            with pytest.raises(JsonRpcException, match="bug of jitlens"):
                await client.pull(document)
        await client.until(lambda: any("bug of jitlens" in m.message for m in client.log_messages))
        # The last good answer stays.
        assert await document.hover(document.find("scores / total")) == ("`f32[8,128]` traced", "scores")
        document.replace("fall_over = 1\n", "out2 = out.T\n")
        assert list((await client.pull(document)).items) == [] if pull else await client.pushed(document) == []
        assert await document.hover(document.find("out2")) == ("`f32[128,8]` concrete", "out2")


async def test_an_untitled_document_is_analyzed():
    async with session() as client:
        document = Document(client, "untitled:Untitled-1", PROGRAM.replace("128, 64", "128, 63"))
        [d] = await client.pushed(document)
        assert document.at(d.range) == "q @ k.T"


async def test_a_closed_document_has_no_diagnostics(project):
    root = project({"a.py": PROGRAM})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM.replace("128, 64", "128, 63"))
        assert len(await client.pushed(document)) == 1
        document.close()
        await client.until(lambda: not client.published[document.uri].diagnostics)


CACHED = """\
import jax
import jax.numpy as jnp

@jax.jit
def step(x):
    return jnp.sin(x) * 2

for n in (3, 3, 4):
    y = step(jnp.ones(n))
z = step(jnp.ones(4))
"""


async def test_what_the_cache_did(project):
    root = project({"a.py": CACHED})
    async with session(capabilities(utf8=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), CACHED, True)
        await client.pushed(document)
        lenses = await client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(document.uri)))
        assert [(lens.command.title, document.at(lens.range)) for lens in lenses] == [
            ("2 traces · 2 equations", "step"), ("Evaluate on CPU", "step"), ("Find first non-finite value", "step")]
        said, where = await document.hover(document.find("(jnp.ones(n))"))
        assert where == "step(jnp.ones(n))"
        assert "traces `step` 2 times (4 equations), then from the cache\n- x: now f32[4], before f32[3]" in said
        # The name in the definition has it all; that of a function that is not traced has nothing.
        said, where = await document.hover(document.find("step", within="def step"))
        assert where == "step" and "a.py:5: step: 2 traces" in said.split("\n")[1] and "trace 2: " in said and "because of x: now f32[4]" in said
        [lens, *_] = lenses
        text = (await client.workspace_execute_command_async(t.ExecuteCommandParams(lens.command.command, lens.command.arguments)))
        assert text["function"] == "step" and text["text"].strip() in said
        said, _ = await document.hover(document.find("(jnp.ones(4))"))
        assert "the cache has a trace of `step`" in said


COMMITTED = """\
import jax
import jax.numpy as jnp

@jax.jit
def step(w, x):
    return w - 0.1 * x

w = jnp.ones(3)
for _ in range(3):
    w = step(w, jax.device_put(jnp.ones(3), jax.devices()[0]))
"""


async def test_what_is_compiled_again_without_a_trace(project):
    root = project({"a.py": COMMITTED})
    async with session(capabilities(utf8=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), COMMITTED, True)
        await client.pushed(document)
        said, _ = await document.hover(document.find("(w, jax.device_put"))
        assert "traces `step` (2 equations), then from the cache" in said
        assert "- compiled again, not traced: `w` is committed to CpuDevice(id=0), before it was not committed to any device" in said


async def test_lenses_are_asked_for_again_when_there_are_others(project):
    """A client asks with the opening, before anything is known, and on edits; what it has not is that an analysis has ended."""
    root = project({"a.py": CACHED})
    async with session(capabilities(utf8=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), CACHED, True)
        asked = t.CodeLensParams(t.TextDocumentIdentifier(document.uri))
        while True:
            # A refresh may come with the answer: it counts from before the question.
            before = client.lens_refreshes
            lenses = await client.text_document_code_lens_async(asked)
            if [lens.command.title for lens in lenses][:1] == ["2 traces · 2 equations"]:
                break
            await client.until(lambda: client.lens_refreshes > before)
        assert client.lens_refreshes > 0


RETRACED = """\
import jax
import jax.numpy as jnp

@jax.jit
def step(x):
    return x + 1

step(jnp.ones(3))
step(jnp.ones(4))
"""


async def test_the_cache_of_the_function_at_the_cursor(project):
    root = project({"a.py": RETRACED})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), RETRACED, True)
        await client.pushed(document)

        async def cache(text):
            where = {"textDocument": {"uri": document.uri}, "position": {"line": RETRACED[:RETRACED.index(text)].count("\n"), "character": 4}}
            return await client.protocol.send_request_async("jitlens/traceCache", where)

        for text in ("def step", "return", "step(jnp.ones(4))"):
            answer = await cache(text)
            assert answer.function == "step"
            assert "trace 2: " in answer.text and "because of x: now f32[4], before f32[3]" in answer.text
        assert await cache("import jax") is None


async def test_the_graphs_of_the_function_at_the_cursor(project):
    text = RETRACED + "\n\ndef other(y, z):\n    # jitlens: y: f32[2]\n    return y @ y\n"
    text = text.replace("def other", "# jitlens: y: f32[2], z: f32[3]\ndef other").replace("    # jitlens: y: f32[2]\n", "")
    root = project({"a.py": "# not saved yet\n"})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)

        async def graphs(place, request="jitlens/graphs"):
            where = document.position(document.find(place))
            params = t.TextDocumentPositionParams(t.TextDocumentIdentifier(document.uri), where)
            return await client.protocol.send_request_async(request, params)

        step = await graphs("return x + 1")
        assert step.function == "step" and step.text.count("{ lambda ; ") == 2
        assert "b:f32[4] = add a 1.0:f32[]" in step.text
        equation = step.traces[1].equations[0]
        assert (equation.primitive, equation.source.file, equation.source.range) == ("add", document.uri, [6, 11, 6, 16])
        # What nothing calls is traced with what its comment says.
        other = await graphs("y @ y")
        assert other.text.startswith("{ lambda ; a:f32[2] b:f32[3]. let") and "dot_general" in other.text
        # Where no function is there is no answer; a function that cannot be traced says why.
        assert await graphs("import jax.numpy") is None
        # The same as a tree: a row for each trace, in it the lines.
        tree = await graphs("return x + 1", "jitlens/traceTree")
        assert (tree.function, [row.kind for row in tree.rows]) == ("step", ["trace", "trace"])
        [line] = tree.rows[1].rows
        assert (line.kind, line.label, line.place.file, line.place.range) == ("line", "6: return x + 1", document.uri, [6, 11, 6, 16])
        assert "step(x: f32[4])  (1 equation, gives f32[4])\n  6: return x + 1  (add)\n" in tree.text
        assert await graphs("import jax.numpy", "jitlens/traceTree") is None


EVALUATED = """\
import jax
import jax.numpy as jnp

@jax.jit
def é(x):
    return '😀' and jnp.log(x) + 1

é(jnp.zeros(2))
"""


async def test_the_numbers_of_the_function_at_the_cursor(project):
    root = project({"a.py": EVALUATED})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), EVALUATED)
        await client.pushed(document)

        async def numbers(place):
            params = t.TextDocumentPositionParams(t.TextDocumentIdentifier(document.uri), document.position(document.find(place)))
            return await client.protocol.send_request_async("jitlens/evaluate", params)

        answer = await numbers("jnp.log(x) + 1")
        assert answer.function == "é" and "result f32[2]         -inf -inf  2 infinite" in answer.text
        place = answer.firstNonfinite.range
        assert document.at(t.Range(t.Position(place.start.line, place.start.character),
                                   t.Position(place.end.line, place.end.character))) == "jnp.log(x)"
        assert await numbers("import jax.numpy") is None
