"""Reproducers in the editor: written from actions, never over a file, with lines that lead to the source and back."""

import asyncio
import json
import random
from urllib.parse import unquote, urlparse
from pathlib import Path

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

PROGRAM = """\
import jax
import jax.numpy as jnp


def scaled(x, é='😀'):
    low = jnp.sin(x) * 2.0
    high = jnp.cos(low) + 3.0
    return low @ high


@jax.jit
def fine(y):
    return jnp.tanh(y) + y.sum()


print(fine(jnp.ones(4)))
jax.jit(scaled)(jnp.ones((2, 3)))
"""


def editor(**more):
    return capabilities(actions=True, shows=True, **more)


async def actions(client, document, place, only=None):
    start = document.find(place)
    params = t.CodeActionParams(t.TextDocumentIdentifier(document.uri), document.span(start, start + len(place)),
                                t.CodeActionContext([], only=only))
    return list(await client.text_document_code_action_async(params))


async def run(client, command):
    return await client.workspace_execute_command_async(t.ExecuteCommandParams(command.command, command.arguments))


async def reproduced(client, document, place, title) -> Path:
    """What the action of this title at a place wrote: the file that the editor was asked to show."""
    [action] = [a for a in await actions(client, document, place) if a.title == title]
    shown = len(client.shown)
    answer = await run(client, action.command)
    assert answer is not None, client.said
    assert answer["verified"] and answer["unverified"] is None
    await client.until(lambda: len(client.shown) > shown)
    assert client.shown[-1].uri == answer["uri"] and client.shown[-1].take_focus
    return Path(unquote(urlparse(answer["uri"]).path))


async def definition(client, document, place) -> list[t.Location]:
    params = t.DefinitionParams(t.TextDocumentIdentifier(document.uri), document.position(document.find(place)))
    return list(await client.text_document_definition_async(params) or [])


async def test_an_error(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        told = await client.pushed(document)
        assert [document.at(d.range) for d in told] == ["low @ high"]
        path = await reproduced(client, document, "low @ high", "generate a reproducer of this error")
        assert path == root / ".jitlens" / "reproducers" / "train_error.py"
        assert (root / ".jitlens" / ".gitignore").read_text() == "*\n"
        text = path.read_text()
        assert text.startswith("# Reproduces train.py; ")
        assert "low @ high" in text and "fine" not in text
        # The same once more is the same file; another text gets another name, and nothing is written over.
        assert await reproduced(client, document, "low @ high", "generate a reproducer of this error") == path
        path.write_text(text + "# mine\n")
        other = await reproduced(client, document, "low @ high", "generate a reproducer of this error")
        assert other.name == "train_error_2.py" and path.read_text() == text + "# mine\n"
        assert json.loads(other.with_suffix(".map.json").read_text())["file"] == other.name


async def test_a_minimal_one(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        path = await reproduced(client, document, "low @ high", "generate a minimal reproducer")
        assert path.name == "train_error_minimal.py"
        body = path.read_text().split("import jax.numpy as jnp\n")[1]
        assert len(body.split()) < 12, body
        reproducer = Document(client, path.as_uri(), path.read_text())
        await client.pushed(reproducer)
        assert "dot_general requires contracting" in client.published[reproducer.uri].diagnostics[0].message
        lines = [line for line in reproducer.text.split("\n") if "@" in line]
        [there] = await definition(client, reproducer, lines[-1].strip())
        assert (there.uri, document.at(there.range)) == (document.uri, "low @ high")


async def test_a_function_that_is_not_saved(project):
    root = project({"train.py": "# another text\n", "pyproject.toml": "[tool.jitlens]\nreproducers = 'small'\n"})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        path = await reproduced(client, document, "jnp.tanh(y)", "generate a reproducer of `fine`")
        assert path == root / "small" / "train_fine.py"
        assert not (root / ".jitlens").exists() and not (root / ".gitignore").exists()
        assert "jnp.tanh(y) + y.sum()" in path.read_text()
        # Outside of traced functions a selection is what it computes, and kinds that are not asked for are left out.
        path = await reproduced(client, document, "fine(jnp.ones(4))", "generate a reproducer of the selection")
        assert path.name == "train_call.py" and path.read_text().endswith("jax.jit(fine)(jnp.ones(4))\n")
        # In a traced function it is what is computed there; small ones have small arrays.
        path = await reproduced(client, document, "jnp.tanh(y)", "generate a reproducer of the selection")
        assert path.name == "train_fine_2.py" and "return jnp.tanh(y)\n" in path.read_text()
        path = await reproduced(client, document, "jnp.tanh(y)", "generate a minimal reproducer of `fine`")
        assert path.name == "train_fine_minimal.py" and "jnp.ones((2,))" in path.read_text()
        kinds = {a.kind for a in await actions(client, document, "low @ high", only=["refactor"])}
        assert kinds == {"refactor.extract.jitlens"}


async def test_there_and_back(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(editor(), root=root) as client:
        source = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(source)
        path = await reproduced(client, source, "low @ high", "generate a reproducer of this error")
        reproducer = Document(client, path.as_uri(), path.read_text())
        [there] = await definition(client, reproducer, "low @ high")
        assert (there.uri, source.at(there.range)) == (source.uri, "low @ high")
        [leads] = await actions(client, reproducer, "low @ high", only=["jitlens.goto"])
        assert leads.title == "go to the source: train.py:8"
        await run(client, leads.command)
        await client.until(lambda: len(client.shown) == 2)
        assert (client.shown[1].uri, source.at(client.shown[1].selection)) == (source.uri, "low @ high")
        [back] = await actions(client, source, "jnp.cos(low) + 3.0", only=["jitlens.goto"])
        await run(client, back.command)
        await client.until(lambda: len(client.shown) == 3)
        assert client.shown[2].uri == reproducer.uri
        assert "jnp.cos(low)" in reproducer.at(client.shown[2].selection)
        # No reproducer, no places.
        assert await definition(client, source, "low @ high") == []
        # Behind edits of both they follow; what is edited itself leads nowhere.
        source.change((0, 0, "# a line\n"))
        reproducer.change((0, 0, "# two\n# lines\n"))
        [there] = await definition(client, reproducer, "low @ high")
        assert source.at(there.range) == "low @ high" and there.range.start.line == 8
        source.replace("low @ high", "low @ high.T")
        assert await definition(client, reproducer, "low @ high") == []
        [there] = await definition(client, reproducer, "jnp.cos(low)")
        assert "jnp.cos(low)" in source.at(there.range)


async def test_ties_outlive_the_server_and_edits_elsewhere(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(editor(), root=root) as client:
        source = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(source)
        path = await reproduced(client, source, "low @ high", "generate a reproducer of this error")
    changed = PROGRAM.replace("import jax\n", "import jax\nimport os\n", 1).replace("jnp.cos", "jnp.exp")
    (root / "train.py").write_text(changed)
    async with session(editor(), root=root) as client:
        reproducer = Document(client, path.as_uri(), path.read_text())
        [there] = await definition(client, reproducer, "low @ high")
        assert there.uri == source.uri and (there.range.start.line, there.range.start.character) == (8, 11)
        assert await definition(client, reproducer, "jnp.cos(low)") == []


async def test_ties_survive_edits(project):
    """Every line leads to the expression that it came from, or nowhere, whatever is edited."""
    lines = [f"    v{i} = jnp.sin(v{i - 1}) * {i}.5" for i in range(1, 40)]
    program = "\n".join(["import jax", "import jax.numpy as jnp", "", "@jax.jit", "def f(v0):", *lines, "    return v39", "",
                         "f(jnp.ones(3))", ""])
    marks = {f"jnp.sin(v{i - 1}) * {i}.5" for i in range(1, 40)}
    root = project({"train.py": program, "pyproject.toml": ""})
    chance = random.Random(7)
    async with session(editor(), root=root) as client:
        source = Document(client, (root / "train.py").as_uri(), program)
        await client.pushed(source)
        path = await reproduced(client, source, "v39 = jnp.sin(v38)", "generate a reproducer of `f`")
        reproducer = Document(client, path.as_uri(), path.read_text())

        async def led() -> int:
            right = 0
            for number, line in enumerate(reproducer.text.split("\n")):
                params = t.DefinitionParams(t.TextDocumentIdentifier(reproducer.uri), t.Position(number, len(line)))
                for there in await client.text_document_definition_async(params) or []:
                    said = source.at(there.range)
                    if any(mark in line for mark in marks):
                        assert any(mark in line and mark in said for mark in marks), (line, said)
                        right += 1
            return right

        assert await led() == 39
        for n in range(200):
            document = chance.choice([source, reproducer])
            at = chance.randrange(len(document.text) + 1)
            match chance.randrange(4):
                case 0:
                    at = document.text.rfind("\n", 0, at) + 1
                    document.change((at, at, "# new\n"))
                case 1:
                    at = document.text.rfind("\n", 0, at) + 1
                    document.change((at, at, lines[chance.randrange(39)].replace("v", "w") + "\n"))
                case 2:
                    end = document.text.find("\n", at)
                    if end > 0 and n % 7 == 0:
                        document.change((at, end, ""))
                case 3:
                    end = document.text.find("\n", at)
                    if end > 0:
                        document.change((end, end, "  # behind"))
            if n % 20 == 0:
                await led()
        assert await led() > 10


async def test_what_cannot_be_written(project):
    root = project({"train.py": PROGRAM, ".jitlens": "a file"})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        [action] = [a for a in await actions(client, document, "low @ high", only=["quickfix"]) if a.title == "generate a reproducer of this error"]
        assert await run(client, action.command) is None
        await client.until(lambda: client.said)
        assert client.said[0].message.startswith("No reproducer was written: ") and ".jitlens" in client.said[0].message
        assert client.shown == []


UNKNOWN = """\
import foreign
import jax
import jax.numpy as jnp


def f(x):
    return foreign.solve(x) + 1


jax.vmap(f)(jnp.ones(3))
"""


@pytest.mark.parametrize("wanted", ["tell", "ignore", "refuse"])
async def test_what_does_something_else(project, wanted):
    root = project({"train.py": UNKNOWN, "pyproject.toml": f"[tool.jitlens]\nunverified = '{wanted}'\n"})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), UNKNOWN)
        params = t.ExecuteCommandParams("jitlens.reproduce", [{"uri": document.uri, "function": "f"}])
        answer = await client.workspace_execute_command_async(params)
        written = list((root / ".jitlens").rglob("*.py"))
        assert (len(written), answer is None) == ((0, True) if wanted == "refuse" else (1, False))
        if written:
            assert "# NOT VERIFIED: " in written[0].read_text()
            assert answer["verified"] is False and bool(answer["unverified"]) == (wanted == "tell")


LATER = """\
import jax
import jax.numpy as jnp

jnp.ones(2) @ jnp.ones(3)


@jax.jit
def later(x):
    return jnp.sin(x) + jnp.arange(7.0)


later(jnp.linspace(0.0, 1.0, 500))
"""


async def test_an_error_behind_the_first_one(project):
    root = project({"train.py": LATER, "pyproject.toml": "[tool.jitlens]\ndata = 'exact'\n"})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), LATER)
        assert len(await client.pushed(document)) == 2
        path = await reproduced(client, document, "jnp.sin(x) + jnp.arange(7.0)", "generate a reproducer of this error")
        text = path.read_text()
        assert "@" not in text and "jnp.sin(x) + jnp.arange(7.0)" in text
        assert "jnp.linspace(0.0, 1.0, 500)" in text
        # Functions of a reproducer are links to the source.
        reproducer = Document(client, path.as_uri(), text)
        await client.pushed(reproducer)
        links = await client.text_document_document_link_async(t.DocumentLinkParams(t.TextDocumentIdentifier(reproducer.uri)))
        assert [reproducer.at(link.range) for link in links][0] == "later"
        assert links[0].target == f"{document.uri}#L8,5"


async def test_errors_are_reproduced_on_saving_where_that_is_set(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": "[tool.jitlens]\nreproduce-errors = true\n"})
    async with session(editor(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        path = root / ".jitlens" / "reproducers" / "train_error.py"
        assert not path.exists()
        for wanted in ["2.0", "5.0"]:
            at = document.text.index("* ") + 2
            document.change((at, at + 3, wanted))
            client.text_document_did_save(t.DidSaveTextDocumentParams(t.TextDocumentIdentifier(document.uri)))
            for _ in range(600):
                if path.exists() and f"* {wanted}" in path.read_text():
                    break
                await asyncio.sleep(0.1)
            assert f"* {wanted}" in path.read_text()
        assert [file.name for file in path.parent.glob("*.py")] == ["train_error.py"]
        assert client.shown == [] and client.said == []


def long_program(steps=400):
    lines = [f"    x_{i + 1} = jnp.sin(x_{i}) * jnp.where(x_{i} > {i}, x_{i // 2}, {i}.0) @ jnp.eye(3)" for i in range(steps)]
    head = ["import jax", "import jax.numpy as jnp", "", "", "@jax.jit", "def long(x_0, w):"]
    end = [f"    return x_{steps} @ w", "", "", "long(jnp.ones((3, 3)), jnp.ones((4, 3)))", ""]
    return "\n".join(head + lines + end)


LONG = long_program()


@pytest.mark.parametrize("how", ["button", "request"])
async def test_one_that_takes_long_ends_by_its_button_and_with_its_request(project, how):
    root = project({"train.py": LONG, "pyproject.toml": ""})
    async with session(editor(progress=True), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), LONG)
        await client.pushed(document)
        [action] = [a for a in await actions(client, document, "x_400 @ w") if a.title == "generate a minimal reproducer"]
        before = set(client.progress_reports)
        params = t.ExecuteCommandParams(action.command.command, action.command.arguments)
        running = asyncio.ensure_future(client.protocol.send_request_async("workspace/executeCommand", params, msg_id="long"))

        def begun():
            return [token for token, all in client.progress_reports.items() if token not in before and any(r.kind == "begin" for r in all)]

        await client.until(begun)
        [token] = begun()
        assert client.progress_reports[token][0].cancellable is True
        assert not running.done()
        if how == "button":
            client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
            assert await running is None
            await client.until(lambda: client.said)
            assert client.said[0].message == "No reproducer was written: it was stopped."
        else:
            client.cancel_request(t.CancelParams("long"))
            with pytest.raises(JsonRpcException) as stopped:
                await running
            assert stopped.value.code == t.LSPErrorCodes.RequestCancelled
        await client.until(lambda: any(r.kind == "end" for r in client.progress_reports[token]))
        assert client.shown == [] and not list(root.glob("**/*_minimal.py"))
