"""Projects of several files, and the programs of `tests/projects` opened while they are edited."""

import ast
import asyncio
import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from conftest import REPOSITORY, SERVER, Document, capabilities, session

LAYERS = "import jax.numpy as jnp\n\n\ndef dense(w, x):\n    return x @ w\n\n\nWIDTH = 64\n"
TRAIN = "import jax.numpy as jnp\nfrom layers import WIDTH, dense\n\ny = dense(jnp.ones((WIDTH, 8)), jnp.ones((2, 64)))\n"


def opened(client, root: Path, name: str) -> Document:
    return Document(client, (root / name).as_uri(), (root / name).read_text())


async def test_an_edit_refreshes_the_files_that_import_it(project):
    root = project({"layers.py": LAYERS, "train.py": TRAIN})
    async with session(root=root) as client:
        train, layers = opened(client, root, "train.py"), opened(client, root, "layers.py")
        assert await client.pushed(train) == await client.pushed(layers) == []
        # The module is shown with the shapes that its caller gives it.
        assert await layers.hover(layers.find("x @ w")) == ("`f32[2,64]` traced", "x") or \
            await layers.hover(layers.find("x @ w")) == ("`f32[2,64]` concrete", "x")
        layers.replace("WIDTH = 64", "WIDTH = 32")
        # The error is where the two files meet: reported once, in the file where it is raised, with the call.
        await client.until(lambda: client.published[layers.uri].diagnostics)
        [d] = client.published[layers.uri].diagnostics
        assert layers.at(d.range) == "x @ w"
        [call] = [r for r in d.related_information if r.location.uri == train.uri]
        assert train.at(call.location.range).startswith("dense(jnp.ones")
        assert not client.published[train.uri].diagnostics
        layers.replace("WIDTH = 32", "WIDTH = 64")
        await client.until(lambda: not client.published[layers.uri].diagnostics)
        # An edit of the caller is told in the file that it calls.
        train.replace("(2, 64)", "(2, 63)")
        await client.until(lambda: client.published[layers.uri].diagnostics)
        # A file that is closed is that of the disk again, and its errors are shown where it is called.
        layers.replace("WIDTH = 64", "WIDTH = 3")
        train.replace("(2, 63)", "(2, 64)")
        await client.until(lambda: client.published[layers.uri].diagnostics)
        layers.close()
        await client.until(lambda: not client.published[layers.uri].diagnostics)
        assert await client.pushed(train) == []
        train.replace("(2, 64)", "(2, 62)")
        [d] = await client.pushed(train)
        assert train.at(d.range).startswith("dense(jnp.ones")
        raised = d.related_information[0]
        assert raised.location.uri == layers.uri and raised.location.range.start.line == 4


async def test_an_importer_that_is_pulled_waits_for_the_edit(project):
    root = project({"layers.py": LAYERS, "train.py": TRAIN.replace("y = ", "WIDTH.nothing\ny = ")})
    async with session(capabilities(pull=True), root=root) as client:
        train, layers = opened(client, root, "train.py"), opened(client, root, "layers.py")
        [d] = (await client.pull(train)).items
        assert "'int' object has no attribute 'nothing'" in d.message
        layers.replace("WIDTH = 64", "WIDTH = '64'")
        first = (await client.pull(train)).items[0]
        assert "'str' object has no attribute 'nothing'" in first.message
        # A caller's edit changes what is known of the other file: the client is asked to pull again.
        assert list((await client.pull(layers)).items) == []
        layers.replace("WIDTH = '64'", "WIDTH = 64")
        assert list((await client.pull(layers)).items) == []
        train.replace("(2, 64)", "(2, 63)")
        while True:
            # A refresh may still be that of the edit before.
            before = client.diagnostic_refresh_count
            found = list((await client.pull(layers)).items)
            if found:
                break
            await client.until(lambda: client.diagnostic_refresh_count > before)
        [d] = found
        assert layers.at(d.range) == "x @ w"


async def test_a_module_that_is_made_while_its_importer_is_open(project):
    root = project({"train.py": TRAIN})
    async with session(root=root) as client:
        train = opened(client, root, "train.py")
        await client.pushed(train)
        assert "f32" not in str(await train.hover(train.find("y = ")))
        layers = Document(client, (root / "layers.py").as_uri(), LAYERS)
        await client.pushed(layers)
        while True:
            # A refresh may come with the answer: it counts from before the question.
            before = client.hint_refreshes
            if "f32[2,8]" in str(await train.hover(train.find("y = "))):
                break
            await client.until(lambda: client.hint_refreshes > before)


async def test_files_that_change_on_disk(project):
    from lsprotocol import types as t
    root = project({"layers.py": LAYERS, "train.py": TRAIN})
    async with session(capabilities(watch=True), root=root) as client:
        train = opened(client, root, "train.py")
        assert await client.pushed(train) == []
        await client.until(lambda: client.registered)
        assert client.registered[0].method == t.WORKSPACE_DID_CHANGE_WATCHED_FILES
        project({"layers.py": LAYERS.replace("WIDTH = 64", "WIDTH = 32")})
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(
            [t.FileEvent((root / "layers.py").as_uri(), t.FileChangeType.Changed)]))
        await client.until(lambda: client.published[train.uri].diagnostics)


# A program is analyzed at each of its edits: a build without optimization takes its time over all of them.
FEW = ("array_notes", "mcmc", "cnn")
PROJECTS = sorted(p.parent for p in (REPOSITORY / "tests" / "projects").glob("*/program.toml")
                  if p.parent.name in FEW or os.environ.get("JITLENS_LSP_PROJECTS") == "all")


def environment():
    """Where libraries are that a program imports: those of the oracle."""
    venv = os.environ.get("VIRTUAL_ENV") or REPOSITORY / ".oracle" / "venv"
    return {"environment": str(venv)} if Path(venv).is_dir() else None


def command_line(script: Path, command: str) -> dict:
    variables = {**os.environ, **({"VIRTUAL_ENV": environment()["environment"]} if environment() else {})}
    out = subprocess.run([SERVER, command, script, "--format", "json"], capture_output=True, text=True, env=variables)
    return json.loads(out.stdout)


def offset_of(text: str, line: int, column: int) -> int:
    lines = text.splitlines(keepends=True)
    before = "".join(lines[:line - 1])
    return len(before) + len(lines[line - 1].encode()[:column].decode())


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda p: p.name)
async def test_a_program_while_it_is_edited(folder):
    """What the server says of names is what the command line says, in every file; and it still says so, at the new places,
    while the text is edited. Errors come and go with an edit."""
    script = folder / tomllib.loads((folder / "program.toml").read_text())["entry"]
    values = command_line(script, "values")
    async with session(root=folder, options=environment()) as client:
        document = opened(client, folder, script.name)
        pushed = await client.pushed(document)
        names = names_of(document.text)
        # Behind the end of `main` nothing may run.
        end = document.text.find("\nif __name__") % (len(document.text) + 1)
        last = document.text[:end].count("\n") + 1
        rows = [row for row in values["exprs"] if Path(row["file"]).name == script.name and tuple(row["range"]) in names]
        rows = [row for row in rows if row["range"][2] <= last]
        rows = rows[::max(1, len(rows) // 25)]
        assert rows

        async def compare():
            for row in rows:
                at = offset_of(original, *row["range"][:2]) + document.text.index(original[:end])
                answer = await document.hover(at)
                assert answer, row
                said, about = answer
                assert about == original[offset_of(original, *row["range"][:2]):offset_of(original, *row["range"][2:])]
                for aval in row["avals"]:
                    name = aval.removeprefix("np:").replace("~", "").removesuffix("!")
                    assert aval == "?" or name in said or "<" in aval, (row, said)

        original = document.text
        await compare()
        document.change((0, 0, "# é😀 a line above\n\n"))
        await compare()
        broken = "\nimport jax.numpy as jnp_of_this_test\njnp_of_this_test.ones((3,)) @ jnp_of_this_test.ones((4,))\n"
        at = document.text.index(original[:end]) + end
        document.change((at, at, broken))
        await compare()
        assert [d.message for d in await client.pushed(document) if "(3,)" in d.message and "(4,)" in d.message]
        await compare()
        document.replace("ones((4,))", "ones((3,))")
        assert len(await client.pushed(document)) == len(pushed)


def names_of(text: str) -> set[tuple[int, int, int, int]]:
    """Names that are read, but for those that are called."""
    tree = ast.parse(text)
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    return {(n.lineno, n.col_offset, n.end_lineno, n.end_col_offset) for n in ast.walk(tree)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in called}
