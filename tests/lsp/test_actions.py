"""What the editor can do about diagnostics: fixes, all of them at once, comments that silence a rule, links to pages."""

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    'é😀'; print('x is', x); print(x)
    x.at[0].set(1.0)  # noqa
    return x

f(jnp.ones(3))
"""
MENDED = PROGRAM.replace("print('x is', x); print(x)", 'jax.debug.print("x is {}", x); jax.debug.print("{}", x)') \
    .replace("x.at[0]", "x = x.at[0]")


async def asked(client, document, place, only=None, diagnostics=()):
    """The actions at a text of the document, or at a range."""
    if isinstance(place, str):
        start = document.find(place)
        place = document.span(start, start + len(place))
    context = t.CodeActionContext(list(diagnostics), only=only)
    params = t.CodeActionParams(t.TextDocumentIdentifier(document.uri), place, context)
    return list(await client.text_document_code_action_async(params))


def applied(document, action) -> str:
    """The document's text after an action that changes it alone."""
    [change] = action.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (document.uri, document.version)
    text = document.text
    for edit in sorted(change.edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        text = text[:document.offset(edit.range.start)] + edit.new_text + text[document.offset(edit.range.end):]
    return text


def titles(actions) -> list[str]:
    return [action.title for action in actions]


@pytest.mark.parametrize("utf8", [False, True])
async def test_fixes(utf8, project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(actions=True, utf8=utf8), root=root) as client:
        options = client.initialized_with.capabilities.code_action_provider
        assert list(options.code_action_kinds) == ["quickfix", "source.fixAll.jitlens", "refactor.extract.jitlens", "jitlens.evaluate", "jitlens.goto"]
        document = Document(client, (root / "a.py").as_uri(), PROGRAM, utf8=utf8)
        told = await client.pushed(document)
        second = next(d for d in told if document.at(d.range) == "print(x)")
        fix, silence, fix_all, *others = await asked(client, document, "print(x)", diagnostics=[second])
        assert [action.kind for action in others] == [*["refactor.extract.jitlens"] * 4, *["jitlens.evaluate"] * 2]
        assert (fix.title, fix.kind, fix.is_preferred) == ("print with `jax.debug.print`", "quickfix", True)
        assert list(fix.diagnostics) == [second]
        assert applied(document, fix) == PROGRAM.replace("print(x)", 'jax.debug.print("{}", x)')
        assert (silence.title, silence.kind) == ("ignore `python-side-effect` in this line", "quickfix")
        assert fix_all.kind == "source.fixAll.jitlens"
        assert applied(document, fix_all) == MENDED
        # Where nothing is found there is nothing to do, unless everything is asked for.
        assert [action.title for action in await asked(client, document, "f(jnp.ones(3))")] == ["generate a reproducer of the selection", "generate a minimal reproducer of the selection"]
        assert [applied(document, a) for a in await asked(client, document, "f(jnp.ones(3))", only=["source.fixAll"])] == [MENDED]
        document.replace_all(MENDED)
        assert await client.pushed(document) == []
        assert await asked(client, document, "f(jnp.ones(3))", only=["source"]) == []


async def test_only_what_is_asked_for(project):
    root = project({"a.py": PROGRAM})
    async with session(capabilities(actions=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)

        async def kinds(*only):
            return {action.kind for action in await asked(client, document, "print(x)", only=list(only))}

        assert await kinds("quickfix") == {"quickfix"}
        assert await kinds("source.fixAll.jitlens") == await kinds("source") == {"source.fixAll.jitlens"}
        assert await kinds("") == {"quickfix", "source.fixAll.jitlens", "refactor.extract.jitlens", "jitlens.evaluate"}
        assert await kinds("source.fixAll.ruff") == await kinds("refactor.inline") == await kinds("quick") == set()
        assert await kinds("refactor") == {"refactor.extract.jitlens"}


async def test_silence(project):
    text = PROGRAM.replace("print('x is', x); print(x)", "print('x is', x)")
    root = project({"a.py": text})
    async with session(capabilities(actions=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)

        async def silence(place, rule):
            await client.pushed(document)
            actions = await asked(client, document, place, only=["quickfix"])
            [action] = [a for a in actions if a.title == f"ignore `{rule}` in this line"]
            document.replace_all(applied(document, action))
            return await client.pushed(document)

        left = await silence("print('x is', x)", "python-side-effect")
        assert [d.code for d in left] == ["discarded-update"]
        assert "print('x is', x)  # jitlens: ignore[python-side-effect]\n" in document.text
        # Behind the comment that is there.
        assert await silence("x.at[0].set(1.0)", "discarded-update") == []
        assert "x.at[0].set(1.0)  # noqa  # jitlens: ignore[discarded-update]\n" in document.text
        # Into the list that is there.
        document.replace("    x.at[0].set(1.0)  # noqa", "    print(x); x.at[0].set(1.0)")
        assert await silence("print(x)", "python-side-effect") == []
        assert "print(x); x.at[0].set(1.0)  # jitlens: ignore[discarded-update, python-side-effect]\n" in document.text


async def test_a_line_that_cannot_take_a_comment(project):
    text = "import jax\n\n@jax.jit\ndef f(x):\n    print('''a\n    b'''); print(x, \\\n        x)\n    return x\n\nf(1.0)\n"
    root = project({"a.py": text})
    async with session(capabilities(actions=True), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        assert len(await client.pushed(document)) == 2
        assert titles(await asked(client, document, "print('''a", only=["quickfix"])) == ["print with `jax.debug.print`"]
        assert titles(await asked(client, document, "print(x, \\", only=["quickfix"])) == ["print with `jax.debug.print`"]


async def test_edits_since_the_analysis(project):
    text = PROGRAM.replace("\n", "\r\n")
    root = project({"a.py": text})
    # What names the fault is not analyzed: what was found before stays as it was.
    async with session(capabilities(actions=True), root=root, environment={"JITLENS_FAULT": "STOP"}) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)
        # Elsewhere: positions and the version move along.
        document.change((0, 0, "# STOP é😀\r\n"))
        fix, *_ = await asked(client, document, "x.at[0].set(1.0)")
        assert applied(document, fix) == document.text.replace("x.at[0]", "x = x.at[0]")
        # In the line, before and behind what was found.
        for start, new in ((document.find("x.at[0]"), "y = "), (document.find("x.at[0].set(1.0)") + len("x.at[0].set(1.0)") + 4, ".sum()")):
            document.change((start, start, new))
            assert titles(await asked(client, document, ".at[0].set(1.0)", only=["quickfix"])) == []
        [fix_all] = await asked(client, document, ".at[0].set(1.0)", only=["source.fixAll"])
        assert "y = x.at[0]" in applied(document, fix_all) and 'jax.debug.print("{}", x)' in applied(document, fix_all)


async def test_clients_that_can_do_less(project):
    root = project({"a.py": PROGRAM})
    async with session(root=root) as client:
        assert client.initialized_with.capabilities.code_action_provider is None
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        assert all(d.code_description is None and d.tags is None for d in await client.pushed(document))
    abilities = capabilities(actions=True)
    abilities.workspace.workspace_edit = None
    async with session(abilities, root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PROGRAM)
        await client.pushed(document)
        [action] = await asked(client, document, "print(x)", only=["source.fixAll"])
        assert action.edit.document_changes is None
        assert [edit.new_text for edit in action.edit.changes[document.uri]][1] == 'jax.debug.print("{}", x)'


@pytest.mark.parametrize("pull", [False, True])
async def test_links_and_tags(pull, project):
    text = "import jax\n\n@jax.jit\ndef f(x):\n    try:\n        return 1 / x\n    except ZeroDivisionError:\n        return x\n\nf(2.0)\nf(jax.numpy.ones(3)) @ 1\n"
    root = project({"a.py": text})
    async with session(capabilities(actions=True, pull=pull), root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        told = list((await client.pull(document)).items) if pull else await client.pushed(document)
        by_rule = {d.code: d for d in told}
        dead = by_rule["unreachable-handler"]
        assert list(dead.tags) == [t.DiagnosticTag.Unnecessary]
        assert dead.code_description.href.endswith("/docs/rules/unreachable-handler.md")
        error = next(d for d in told if d.severity == t.DiagnosticSeverity.Error)
        assert error.tags is None
        assert error.code_description.href.endswith(f"/docs/rules/{error.code}.md")


async def test_a_fix_in_another_file(project):
    library = "import jax\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n"
    root = project({"library.py": library, "main.py": "import library\nlibrary.f(1.0)\n"})
    async with session(capabilities(actions=True), root=root) as client:
        main = Document(client, (root / "main.py").as_uri(), (root / "main.py").read_text())
        await client.pushed(main)
        document = Document(client, (root / "library.py").as_uri(), library)
        await client.pushed(document)
        # Both analyses have found it: it is offered once.
        actions = await asked(client, document, "print(x)", only=["quickfix"])
        assert titles(actions) == ["print with `jax.debug.print`", "ignore `python-side-effect` in this line"]
        assert applied(document, actions[0]) == library.replace("print(x)", 'jax.debug.print("{}", x)')
        assert [action.title for action in await asked(client, main, "library.f(1.0)")] == ["generate a reproducer of the selection", "generate a minimal reproducer of the selection"]
