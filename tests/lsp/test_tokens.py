"""Semantic tokens: names whose values are arrays, and which of them are traced."""

import asyncio

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, scale):
    y = x * 2; name = "é😀"; z = jnp.sin(y)
    return z + scale

data = jnp.ones(3)
count = 4
f(data, 1.0)
"""


async def tokens(client, document, part: t.Range | None = None) -> list[str]:
    """The tokens, each as `line:name type modifiers`."""
    legend = client.initialized_with.capabilities.semantic_tokens_provider.legend
    which = t.TextDocumentIdentifier(document.uri)
    if part is None:
        answer = await client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(which))
    else:
        answer = await client.text_document_semantic_tokens_range_async(t.SemanticTokensRangeParams(which, part))
    data, rows, line, column = list(answer.data), [], 0, 0
    for at in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[at:at + 5]
        line, column = line + down, right if down else column + right
        place = t.Range(t.Position(line, column), t.Position(line, column + length))
        said = [name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1]
        rows.append(f"{line}:{document.at(place)} {legend.token_types[kind]} {' '.join(said)}")
    return rows


WANTED = [
    "4:x parameter declaration array traced", "4:scale parameter declaration array traced",
    "5:y variable declaration array traced", "5:x variable array traced",
    "5:z variable declaration array traced", "5:y variable array traced",
    "6:z variable array traced", "6:scale variable array traced",
    "8:data variable declaration array", "10:data variable array",
]


@pytest.mark.parametrize("utf8", [False, True])
async def test_names_of_arrays_are_told(project, utf8):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(utf8=utf8), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM, utf8)
        await client.pushed(document)
        assert await tokens(client, document) == WANTED
        part = t.Range(t.Position(5, 0), t.Position(6, 0))
        assert await tokens(client, document, part) == [row for row in WANTED if row.startswith("5:")]


async def test_tokens_follow_edits(project):
    root = project({"a.py": PROGRAM})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)
        await client.until(lambda: client.token_refreshes > 0)
        # At once: names that the edit has not touched, where they are now.
        document.change((0, 0, "\n"))
        moved = [f"{int(row.split(':')[0]) + 1}:{row.split(':', 1)[1]}" for row in WANTED]
        assert await tokens(client, document) == moved
        before = client.token_refreshes
        document.replace("@jax.jit\n", "")
        await client.until(lambda: client.token_refreshes > before)
        async with asyncio.timeout(60):
            while any("traced" in row for row in await tokens(client, document)):
                await asyncio.sleep(0.05)
        assert "5:y variable declaration array" in await tokens(client, document)


async def test_a_text_without_arrays_has_no_tokens(project):
    root = project({"a.py": "x = 1\n"})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), "x = 1\n")
        await client.pushed(document)
        assert await tokens(client, document) == []
