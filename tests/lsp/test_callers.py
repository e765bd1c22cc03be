"""Files that are not open, and call into those that are."""

import asyncio
import json
from pathlib import Path

import lsprotocol.types as t
from conftest import Document, session

LAYERS = "import jax.numpy as jnp\n\n\ndef dense(w, x):\n    return x @ w\n\n\nWIDTH = 64\n"
TRAIN = ("import jax.numpy as jnp\nfrom layers import WIDTH, dense\n\n"
         "if __name__ == '__main__':\n    dense(jnp.ones((WIDTH, 8)), jnp.ones((2, 64)))\n")


def opened(client, root: Path, name: str) -> Document:
    return Document(client, (root / name).as_uri(), (root / name).read_text())


async def told(document: Document, text: str, *, without: bool = False):
    """Waits until the hover of the first `x` in `x @ w` says a text."""
    for _ in range(200):
        answer = await document.hover(document.find("x @ w"))
        if answer and (text in answer[0]) != without:
            return answer[0]
        await asyncio.sleep(0.05)
    raise AssertionError(f"the hover says {answer}")


def changed(client, path: Path):
    client.workspace_did_change_watched_files(
        t.DidChangeWatchedFilesParams([t.FileEvent(path.as_uri(), t.FileChangeType.Changed)]))


async def test_a_module_shows_what_a_program_on_disk_gives_it(project):
    root = project({"layers.py": LAYERS, "train.py": TRAIN})
    async with session(root=root) as client:
        layers = opened(client, root, "layers.py")
        # Which file tells it is said.
        assert "as run by `train.py`" in await told(layers, "f32[2,64]")
        # What an edit breaks is told where it breaks, with the call in the other file.
        layers.replace("WIDTH = 64", "WIDTH = 32")
        await client.until(lambda: client.published[layers.uri].diagnostics)
        [d] = client.published[layers.uri].diagnostics
        assert layers.at(d.range) == "x @ w"
        [call] = [r for r in d.related_information if r.location.uri.endswith("/train.py")]
        assert call.location.range.start.line == 4
        layers.replace("WIDTH = 32", "WIDTH = 64")
        await client.until(lambda: not client.published[layers.uri].diagnostics)
        # The program changes on disk.
        (root / "train.py").write_text(TRAIN.replace("(2, 64)", "(3, 64)"))
        changed(client, root / "train.py")
        await told(layers, "f32[3,64]")
        await told(layers, "f32[2,64]", without=True)
        # Once it is open, it speaks for itself.
        train = opened(client, root, "train.py")
        await told(layers, "as run by", without=True)
        train.replace("(3, 64)", "(4, 64)")
        await told(layers, "f32[4,64]")
        train.replace("(4, 64)", "(3, 64)")
        await told(layers, "f32[3,64]")
        # Once it is closed, it is run for the other file's sake again.
        train.close()
        await told(layers, "as run by `train.py`")


async def test_programs_are_found_through_packages(project):
    cells = ["import jax.numpy as jnp\nfrom app.models import Dense\n", "Dense()(jnp.ones((5, 4)), jnp.ones((4, 2)))\n"]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}},
                "cells": [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None, "id": str(i)}
                          for i, cell in enumerate(cells)]}
    root = project({
        "pyproject.toml": "[project]\nname = 'app'\n",
        "src/app/__init__.py": "",
        "src/app/models/__init__.py": "from .dense import Dense\n",
        "src/app/models/dense.py": "class Dense:\n    def __call__(self, x, w):\n        return x @ w\n",
        "scripts/run.py": "import jax.numpy as jnp\nfrom app.models import Dense\n\nDense()(jnp.ones((7, 4)), jnp.ones((4, 2)))\n",
        "look.ipynb": json.dumps(notebook),
    })
    async with session(root=root) as client:
        dense = opened(client, root, "src/app/models/dense.py")
        await told(dense, "f32[7,4]")
        await told(dense, "f32[5,4]")
        # What is not open is not told of its own faults, and is let go of with the last file that it calls.
        assert not client.published[dense.uri].diagnostics
        dense.close()


async def test_it_can_be_switched_off(project):
    root = project({"layers.py": LAYERS, "train.py": TRAIN, "pyproject.toml": "[tool.jitlens]\ncallers = false\n"})
    async with session(root=root) as client:
        layers = opened(client, root, "layers.py")
        assert await client.pushed(layers) == []
        await asyncio.sleep(1)
        assert await layers.hover(layers.find("x @ w")) is None


async def test_a_program_that_is_broken_takes_nothing_away(project):
    broken = "import jax.numpy as jnp\nfrom layers import dense\n\nprint(undefined)\n"
    root = project({"layers.py": LAYERS + "y = dense(jnp.ones((3, 3)), jnp.ones((3, 3)))\n", "a.py": broken, "b.py": TRAIN})
    async with session(root=root) as client:
        layers = opened(client, root, "layers.py")
        assert "f32[3,3]" in await told(layers, "f32[2,64]")
        assert not client.published[layers.uri].diagnostics


async def test_tests_are_callers(project):
    test = ("import jax.numpy as jnp\nimport pytest\nfrom layers import dense\n\n\n@pytest.mark.parametrize('n', [3, 4])\n"
            "def test_rows(n):\n    assert dense(jnp.ones((5, 6)), jnp.ones((n, 5))).shape == (n, 7)\n")
    root = project({"layers.py": LAYERS, "pyproject.toml": "", "tests/test_layers.py": test})
    async with session(root=root) as client:
        layers = opened(client, root, "layers.py")
        said = await told(layers, "f32[4,5]")
        assert "f32[3,5]" in said and "as run by `test_layers.py`" in said
        # A test that fails is the test's affair.
        assert not client.published[layers.uri].diagnostics
