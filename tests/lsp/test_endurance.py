"""What a long day brings: many edits, bursts of messages, files that go away, clients that die."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, Document, session
from lsprotocol import types as t
from test_lifecycle import Raw

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    y = jnp.sin(x) * 2
    return y.sum()

f(jnp.ones((3, 4)))
"""


def resident(pid: int) -> int:
    """What a process holds, in megabytes."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) // 1024


def seen(document: Document, name: str) -> int:
    return document.find(name, within=f"{name} = ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process holds is read from /proc")
async def test_memory_stays_flat_over_ten_thousand_edits_of_twenty_files(project):
    root = project({f"p{i}.py": PROGRAM for i in range(20)})
    async with session(root=root) as client:
        documents = [Document(client, (root / f"p{i}.py").as_uri(), PROGRAM) for i in range(20)]
        held = []
        for round in range(50):
            # Two hundred edits: ten of each file, as they are typed.
            for typed in range(10):
                for document in documents:
                    if typed % 2 == 0:
                        document.replace("* 2", f"* 2 + {round}.5")
                    else:
                        document.replace(f" + {round}.5", "")
            for document in (documents[0], documents[-1]):
                await client.pushed(document)
            held.append(resident(client._server.pid))
        assert documents[0].version == 501
        for document in (documents[0], documents[-1]):
            assert await client.view(document) == PROGRAM
            assert "f32[3,4]" in (await document.hover(seen(document, "y")))[0]
        print(f"\n10,000 edits of 20 files: {min(held)} to {max(held)} MB held, {held[-1]} at the end")
        # The first fifth fills what is kept on purpose.
        early, late = max(held[5:10]), min(held[-5:])
        assert late < early + 40, f"megabytes held, round by round: {held}"


async def test_five_thousand_messages_at_once(project):
    root = project({"a.py": PROGRAM})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)
        asked = []
        for i in range(2500):
            document.change((0, 0, f"# {i} 😀\n") if i % 2 == 0 else (0, document.text.index("\n") + 1, ""))
            at = document.position(seen(document, "y"))
            params = t.HoverParams(t.TextDocumentIdentifier(document.uri), at)
            asked.append(asyncio.wrap_future(client.text_document_hover(params)))
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(*asked)
        # Every one is answered for the text of its moment: none is stale, and none is about another line.
        assert document.text == await client.view(document) == PROGRAM
        assert {answer.contents.value.split("\n")[0] for answer in answers} == {"`f32[3,4]` traced"}
        assert [answer.range.start.line for answer in answers] == [6 if i % 2 == 0 else 5 for i in range(2500)]


async def test_the_folder_of_the_workspace_is_deleted(project):
    root = project({"work/a.py": PROGRAM, "work/b.py": "n = 3\n"}) / "work"
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)
        shutil.rmtree(root)
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(
            [t.FileEvent((root / name).as_uri(), t.FileChangeType.Deleted) for name in ("a.py", "b.py")]))
        document.replace("(3, 4)", "(5, 4)")
        assert await client.pushed(document) == []
        assert "f32[5,4]" in (await document.hover(seen(document, "y")))[0]


async def test_a_module_is_renamed(project):
    main = "import jax.numpy as jnp\nimport sizes\nx = jnp.ones(sizes.n)\n"
    root = project({"a.py": main, "sizes.py": "n = 3\n"})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), main)
        module = Document(client, (root / "sizes.py").as_uri(), "n = 3\n")
        assert await client.pushed(document) == []
        (root / "sizes.py").rename(root / "widths.py")
        module.close()
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([
            t.FileEvent((root / "sizes.py").as_uri(), t.FileChangeType.Deleted),
            t.FileEvent((root / "widths.py").as_uri(), t.FileChangeType.Created)]))
        Document(client, (root / "widths.py").as_uri(), "n = 4\n")
        document.change((document.find("sizes", "import sizes"), document.find("sizes", "import sizes") + 5, "widths"))
        document.replace("sizes.n", "widths.n")
        assert await client.pushed(document) == []
        # The open text stands over the one on disk.
        assert "f32[4]" in (await document.hover(document.find("x", "x = ")))[0]


async def test_files_of_another_encoding(project):
    main = "import jax.numpy as jnp\nimport declared\nx = jnp.ones(declared.n)\ny = jnp.zeros(2)\nz = jnp.ones(ord(declared.name[2]))\n"
    root = project({"a.py": main})
    (root / "declared.py").write_bytes('# -*- coding: latin-1 -*-\nname = "Grüße"\nn = len(name)\n'.encode("latin-1"))
    (root / "silent.py").write_bytes('name = "Grüße"\nn = len(name)\n'.encode("latin-1"))
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), main)
        assert await client.pushed(document) == []
        assert "f32[5]" in (await document.hover(document.find("x", "x = ")))[0]
        assert "f32[252]" in (await document.hover(document.find("z", "z = ")))[0]
        # Without a declaration Python does not read it; the server says so where it is opened, and goes on.
        document.replace("import declared", "import silent as declared")
        await client.pushed(document)
        assert "f32[2]" in (await document.hover(document.find("y", "y = ")))[0]
        # The editor has decoded what it opens.
        text = (root / "silent.py").read_bytes().decode("latin-1")
        opened = Document(client, (root / "silent.py").as_uri(), text)
        assert await client.pushed(opened) == []
        assert await client.view(opened) == text


async def test_it_leaves_when_the_client_dies_while_an_analysis_runs():
    client = await Raw.start()
    text = "n = 0\\nwhile n >= 0:\\n    n = (n + 1) % 1000\\n"
    client.send('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":'
                f'{{"uri":"untitled:a.py","languageId":"python","version":1,"text":"{text}"}}}}}}')
    await asyncio.sleep(0.3)
    client.server.stdin.close()
    client.server._transport.get_pipe_transport(1).close()
    assert await asyncio.wait_for(client.server.wait(), 20) in (0, 1)
