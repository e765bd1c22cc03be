"""The text as the server has it: every edit in order, in both encodings, whatever the text is made of."""

import random

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t

PIECES = ["x = 1\n", "\r\n", "\n", "é", "😀", "\u2028", "\x0c", "a", " ", "'''", "def f(x):\r\n    return x\n", "\t", "#", "(", "𝔘𝔫"]


@pytest.mark.parametrize("utf8", [False, True], ids=["utf-16", "utf-8"])
async def test_random_edits(utf8):
    rng = random.Random(7)
    async with session(capabilities(utf8=utf8)) as client:
        encoding = client.initialized_with.capabilities.position_encoding
        assert encoding == (t.PositionEncodingKind.Utf8 if utf8 else t.PositionEncodingKind.Utf16)
        document = Document(client, "untitled:random.py", "".join(rng.choices(PIECES, k=60)), utf8)
        for _ in range(60):
            edits, text = [], document.text
            for _ in range(rng.randint(1, 3)):
                start, end = inside(text, rng), inside(text, rng)
                start, end = min(start, end), max(start, end)
                end = end if end - start < 12 else start
                new = "".join(rng.choices(PIECES, k=rng.randint(0, 3)))
                edits.append((start, end, new))
                text = text[:start] + new + text[end:]
            document.change(*edits)
            assert await client.view(document) == document.text == text


def inside(text: str, rng) -> int:
    """An offset that has a position of its own: not between the two characters of a line break."""
    at = rng.randint(0, len(text))
    return at - 1 if text[at - 1:at + 1] == "\r\n" else at


async def test_five_thousand_edits_without_a_wait(project):
    """The edits write a program letter by letter, with mistakes taken back."""
    program = "import jax.numpy as jnp\n\n" + "".join(
        f"x{i} = jnp.ones(({i}, {i + 1}))  # é😀\ny{i} = x{i} @ x{i}.T\n" for i in range(1, 45))
    root = project({"a.py": ""})
    rng = random.Random(3)
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), "")
        sent = 0
        for character in program:
            if rng.random() < 0.45:
                document.change((len(document.text), len(document.text), rng.choice(["(", "'", "q", "\n", "😀"])))
                document.change((len(document.text) - 1, len(document.text), ""))
                sent += 2
            document.change((len(document.text), len(document.text), character))
            sent += 1
        assert sent >= 5000 - 1500
        while sent < 5000:
            at = rng.randint(0, len(document.text))
            document.change((at, at, "z"), (at, at + 1, ""))
            sent += 1
        assert document.text == program
        assert await client.view(document) == program
        assert await client.pushed(document) == []
        assert await document.hover(document.find("y40")) == ("`f32[40,40]` concrete", "y40")


async def test_a_whole_text_and_several_changes_at_once():
    async with session() as client:
        document = Document(client, "untitled:a.py", "one\ntwo\n")
        document.replace_all("first\r\nsecond é\r\n")
        document.change((0, 5, "1"), (document.find("first"), document.find("first"), "zero "))
        assert await client.view(document) == document.text == "zero 1\r\nsecond é\r\n"


async def test_edits_of_documents_that_are_not_open_are_ignored():
    async with session() as client:
        document = Document(client, "untitled:a.py", "x = 1\n")
        document.close()
        document.change((0, 1, "y"))
        other = Document(client, "untitled:b.py", "x = 2\n")
        assert await client.view(other) == "x = 2\n"
        assert await document.hover(0) is None


async def test_positions_that_are_not_there_are_the_nearest_ones():
    async with session() as client:
        document = Document(client, "untitled:a.py", "ab😀\ncd")
        client.text_document_did_change(t.DidChangeTextDocumentParams(
            t.VersionedTextDocumentIdentifier(2, document.uri),
            [t.TextDocumentContentChangePartial(range=t.Range(t.Position(0, 99), t.Position(0, 120)), text="!"),
             t.TextDocumentContentChangePartial(range=t.Range(t.Position(7, 0), t.Position(9, 3)), text="?"),
             # Inside of a surrogate pair, and backwards.
             t.TextDocumentContentChangePartial(range=t.Range(t.Position(0, 3), t.Position(0, 3)), text="-"),
             t.TextDocumentContentChangePartial(range=t.Range(t.Position(1, 1), t.Position(0, 0)), text="+")]))
        document.version = 2
        assert await client.view(document) == "ab-😀!\nc+d?"
