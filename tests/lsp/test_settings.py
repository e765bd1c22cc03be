"""Where settings come from, and which stand over which."""

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t

PROGRAM = "import jax.numpy as jnp\nimport shapes\nx = jnp.ones(shapes.N)\n"


async def settled(client, document):
    await client.until(lambda: document.uri in client.published and not pending(client, document))


def pending(client, document):
    return client.published[document.uri].version != document.version


async def until_hints(client, document, expected):
    """Settings are asked for on the side: the hints come to be what they should be, told by a refresh."""
    while True:
        # A refresh may come with the answer: it counts from before the question.
        before = client.hint_refreshes
        if (hints := await document.hints()) == expected:
            return hints
        await client.until(lambda: client.hint_refreshes > before)


@pytest.mark.parametrize("source", ["initialize", "configuration", "pyproject", "pyproject and src"])
async def test_source_roots(source, project):
    folder = "src" if source == "pyproject and src" else "lib"
    root = project({"app/a.py": PROGRAM, f"{folder}/shapes.py": "N = 3\n"})
    options = configuration = None
    if source == "initialize":
        options = {"sourceRoots": [str(root / "lib")]}
    elif source == "configuration":
        configuration = {"jitlens": {"sourceRoots": [str(root / "lib")]}}
    elif source == "pyproject":
        project({"pyproject.toml": "[tool.jitlens]\nsource-roots = ['lib']\n"})
    else:
        project({"pyproject.toml": "[project]\nname = 'p'\n"})
    abilities = capabilities(configuration=source == "configuration")
    async with session(abilities, root=root, options=options, configuration=configuration) as client:
        document = Document(client, (root / "app/a.py").as_uri(), PROGRAM)
        await until_hints(client, document, ["2:1: f32[3]"])


async def test_the_client_stands_over_the_project_and_configuration_over_options(project):
    root = project({"a.py": "", "pyproject.toml": "[tool.jitlens]\ninlay-hints = false\n"})
    text = "import jax.numpy as jnp\nx = jnp.ones(3)\n"
    shown = ["1:1: f32[3]"]
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)
        assert await document.hints() == []
    async with session(root=root, options={"inlayHints": True}) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)
        assert await document.hints() == shown
    configuration = {"jitlens": {"inlayHints": False}}
    abilities = capabilities(configuration=True)
    async with session(abilities, root=root, options={"inlayHints": True}, configuration=configuration) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await until_hints(client, document, [])
        # Who is asked for settings is asked again when they change, and one that is gone is the default again.
        client.set_configuration({"jitlens": {"inlayHints": None}})
        client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
        await until_hints(client, document, shown)


async def test_settings_that_are_pushed(project):
    root = project({"a.py": ""})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), "import jax.numpy as jnp\nx = jnp.ones(3)\n")
        await client.pushed(document)
        assert await document.hints() == ["1:1: f32[3]"]
        client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"jitlens": {"inlayHints": False}}))
        assert await document.hints() == []
        # What is misspelled or of another type is ignored.
        client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"jitlens": {"inlayHints": "no"}}))
        assert await document.hints() == ["1:1: f32[3]"]


async def test_an_environment_is_read(project):
    root = project({
        "a.py": "import jax.numpy as jnp\nimport libshapes\nx = jnp.ones(libshapes.N)\n",
        "env/lib/python3.12/site-packages/libshapes/__init__.py": "from .inner import N\n",
        "env/lib/python3.12/site-packages/libshapes/inner.py": "N = 5\n",
    })
    text = (root / "a.py").read_text()
    async with session(root=root, options={"environment": str(root / "env")}) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)
        assert await document.hints() == ["2:1: f32[5]"]
    project({"pyproject.toml": "[tool.jitlens]\nenvironment = 'env'\n"})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), text)
        await client.pushed(document)
        assert await document.hints() == ["2:1: f32[5]"]


PRINTS = "import jax\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n\nf(1.0)\n"


def told(diagnostics):
    return [(d.code, d.severity) for d in diagnostics]


async def test_rules_of_the_project_and_of_the_client(project):
    off = "[tool.jitlens.rules]\npython-side-effect = 'off'\n[tool.jitlens.per-file-ignores]\n'b.py' = ['python-side-effect']\n"
    root = project({"a.py": PRINTS, "b.py": PRINTS, "pyproject.toml": off})
    async with session(root=root) as client:
        document = Document(client, (root / "a.py").as_uri(), PRINTS)
        assert await client.pushed(document) == []
        # The file of settings is watched.
        project({"pyproject.toml": off.replace("'off'", "'hint'")})
        changed = t.FileEvent((root / "pyproject.toml").as_uri(), t.FileChangeType.Changed)
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([changed]))
        await client.until(lambda: client.published[document.uri].diagnostics)
        assert told(await client.pushed(document)) == [("python-side-effect", t.DiagnosticSeverity.Hint)]
        ignored = Document(client, (root / "b.py").as_uri(), PRINTS)
        assert await client.pushed(ignored) == []
    async with session(root=root, options={"rules": {"python-side-effect": "error"}}) as client:
        document = Document(client, (root / "a.py").as_uri(), PRINTS)
        assert told(await client.pushed(document)) == [("python-side-effect", t.DiagnosticSeverity.Error)]
        client.workspace_did_change_configuration(
            t.DidChangeConfigurationParams({"jitlens": {"rules": {"python-side-effect": "off"}}}))
        await client.until(lambda: not client.published[document.uri].diagnostics)
    async with session(root=root, options={"perFileIgnores": {"c*.py": ["python-side-effect"]}}) as client:
        for name, count in [("c.py", 0), ("d.py", 1)]:
            assert len(await client.pushed(Document(client, (root / name).as_uri(), PRINTS))) == count


async def test_what_is_wrong_with_settings_is_logged_once(project):
    root = project({"a.py": PRINTS, "pyproject.toml": "[tool.jitlens.rules]\nkey-resue = 'off'\n"})

    def logged():
        return [m.message for m in client.log_messages if m.type == t.MessageType.Warning]

    async with session(root=root, options={"rules": {"retrce": "off"}}) as client:
        document = Document(client, (root / "a.py").as_uri(), PRINTS)
        assert told(await client.pushed(document)) == [("python-side-effect", t.DiagnosticSeverity.Warning)]
        await client.until(lambda: len(logged()) == 2)
        assert logged()[0].endswith("pyproject.toml: there is no rule `key-resue`; did you mean `key-reuse`?")
        assert logged()[1] == "the setting `rules`: there is no rule `retrce`; did you mean `retrace`?"
        document.replace("print(x)", "print(x, x)")
        await client.pushed(document)
        project({"pyproject.toml": "[tool.jitlens"})
        changed = t.FileEvent((root / "pyproject.toml").as_uri(), t.FileChangeType.Changed)
        client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([changed]))
        await client.until(lambda: len(logged()) == 4)
        assert "pyproject.toml:1: no TOML, so that no setting is read" in logged()[2]
        assert logged()[3] == logged()[1]
