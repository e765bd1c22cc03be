"""Notebooks: cells that are one program, opened, edited, moved and closed by the notebook part of the protocol."""

import json

import pytest
from conftest import Document, capabilities, session
from lsprotocol import types as t

CELLS = [
    "%matplotlib inline\nimport jax\nimport jax.numpy as jnp\nx = jnp.ones((3, 4))",
    "é = '😀'; y = x @ x.T\n!ls -l\n",
    "@jax.jit\ndef f(a):\n    print(a)\n    return a * 2\n\nz = f(y)",
]


class Cell(Document):
    """A cell: its text goes out with its notebook."""

    def __init__(self, notebook, uri, text):
        self.client, self.uri, self.text, self.version, self.utf8 = notebook.client, uri, text, 1, notebook.utf8
        self.notebook = notebook

    def change(self, *edits):
        self.version += 1
        events = []
        for start, end, new in edits:
            events.append(t.TextDocumentContentChangePartial(range=self.span(start, end), text=new))
            self.text = self.text[:start] + new + self.text[end:]
        content = t.NotebookDocumentCellContentChanges(t.VersionedTextDocumentIdentifier(self.version, self.uri), events)
        self.notebook.changed(t.NotebookDocumentCellChanges(text_content=[content]))


class Notebook:
    """The client's own copy of a notebook of code cells."""

    def __init__(self, client, uri, texts, utf8=False):
        self.client, self.uri, self.version, self.utf8, self.made = client, uri, 1, utf8, 0
        self.cells = [self.cell(text) for text in texts]
        document = t.NotebookDocument(uri, "jupyter-notebook", 1, [self.listed(cell) for cell in self.cells])
        client.notebook_document_did_open(
            t.DidOpenNotebookDocumentParams(document, [self.item(cell) for cell in self.cells]))

    def cell(self, text):
        self.made += 1
        return Cell(self, self.uri.replace("file:", "vscode-notebook-cell:") + f"#W{self.made}", text)

    @staticmethod
    def listed(cell):
        return t.NotebookCell(t.NotebookCellKind.Code, cell.uri)

    @staticmethod
    def item(cell):
        return t.TextDocumentItem(cell.uri, "python", cell.version, cell.text)

    def changed(self, cells):
        self.version += 1
        self.client.notebook_document_did_change(t.DidChangeNotebookDocumentParams(
            t.VersionedNotebookDocumentIdentifier(self.version, self.uri), t.NotebookDocumentChangeEvent(cells=cells)))

    def splice(self, start, count, *texts):
        """Takes cells out and puts others in their place."""
        new, old = [self.cell(text) for text in texts], self.cells[start:start + count]
        self.cells[start:start + count] = new
        array = t.NotebookCellArrayChange(start, count, [self.listed(cell) for cell in new])
        self.changed(t.NotebookDocumentCellChanges(structure=t.NotebookDocumentCellChangeStructure(
            array, did_open=[self.item(cell) for cell in new],
            did_close=[t.TextDocumentIdentifier(cell.uri) for cell in old])))

    def close(self):
        self.client.notebook_document_did_close(t.DidCloseNotebookDocumentParams(
            t.NotebookDocumentIdentifier(self.uri), [t.TextDocumentIdentifier(cell.uri) for cell in self.cells]))


@pytest.mark.parametrize("utf8", [False, True])
async def test_cells_are_one_program(utf8, project):
    root = project({})
    async with session(capabilities(utf8=utf8, actions=True, notebooks=True), root=root) as client:
        assert client.initialized_with.capabilities.notebook_document_sync is not None
        notebook = Notebook(client, (root / "a.ipynb").as_uri(), CELLS, utf8=utf8)
        first, second, third = notebook.cells
        told = await client.pushed(third)
        assert [(d.code, third.at(d.range)) for d in told] == [("python-side-effect", "print(a)")]
        assert await client.pushed(first) == [] and await client.pushed(second) == []
        assert await second.hover(second.find("y = ")) == ("`f32[3,3]` concrete", "y")
        assert (await third.hover(third.find("a * 2")))[0] == "`f32[3,3]` traced"
        assert await first.hints() == ["3:1: f32[3,4]"]
        assert len(await third.hints()) == 2
        lenses = await client.text_document_code_lens_async(t.CodeLensParams(t.TextDocumentIdentifier(third.uri)))
        assert [third.at(lens.range) for lens in lenses] == ["f", "f", "f"]
        # A fix is made in its cell.
        start = third.find("print(a)")
        context = t.CodeActionContext([], only=["quickfix"])
        place = third.span(start, start + 5)
        actions = await client.text_document_code_action_async(
            t.CodeActionParams(t.TextDocumentIdentifier(third.uri), place, context))
        [change] = actions[0].edit.document_changes
        assert change.text_document.uri == third.uri
        assert [third.at(edit.range) for edit in change.edits] == ["print(a)"]


async def test_edits_are_followed(project):
    root = project({})
    async with session(capabilities(notebooks=True), root=root) as client:
        notebook = Notebook(client, (root / "a.ipynb").as_uri(), CELLS)
        first, second, third = notebook.cells
        await client.pushed(third)
        first.replace("(3, 4)", "(5, 4)")
        second.change((0, 0, "w = 1\n"))
        await client.pushed(second)
        assert await second.hover(second.find("y = ")) == ("`f32[5,5]` concrete", "y")
        # What cannot be parsed in one cell is nothing to the others.
        second.replace("w = 1", "w = (1")
        told = await client.pushed(second)
        assert [d.code for d in told] == ["syntax"]
        assert await client.pushed(first) == []
        assert await first.hints() == ["3:1: f32[5,4]"]
        second.replace("w = (1", "w = 1")
        assert await client.pushed(second) == []
        # Cells come and go.
        notebook.splice(1, 1, "y = jnp.ones(7)", "")
        new = notebook.cells[1]
        await client.pushed(new)
        await client.until(lambda: not client.published[second.uri].diagnostics)
        assert (await third.hover(third.find("a * 2")))[0] == "`f32[7]` traced"
        third.replace("z = f(y)", "z = f(y) @ x")
        told = await client.pushed(third)
        assert any(d.severity == t.DiagnosticSeverity.Error and "(7,)" in d.message for d in told)
        assert [third.at(d.range) for d in told if d.severity == t.DiagnosticSeverity.Error] == ["f(y) @ x"]
        notebook.close()
        await client.until(lambda: not client.published[third.uri].diagnostics)


async def test_a_notebook_that_is_opened_as_text_is_no_program(project):
    text = json.dumps({"cells": [{"cell_type": "code", "source": ["1 +"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    root = project({"a.ipynb": text})
    async with session(root=root) as client:
        Document(client, (root / "a.ipynb").as_uri(), text)
        other = Document(client, (root / "b.py").as_uri(), "x = 1 +\n")
        assert len(await client.pushed(other)) == 1
        assert (root / "a.ipynb").as_uri() not in client.published
