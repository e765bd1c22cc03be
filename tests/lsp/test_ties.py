"""Lines of reproducers lead to the lines that they come from, before and behind edits: of all programs of `tests/repro/cases`.

Each array that a line of a program computes is handed through `checkpoint_name(…, "at 12")`, which changes nothing and says its line. The call
stands in the reproducer, so every line that is such a call has to lead to the line of its mark, and behind edits to it or nowhere. A line
with marks inside of its expression comes of several lines, and leads to that of the whole. In programs whose statements go over many lines
(`SPREAD`) every such line leads to the line of its mark alone.
`JITLENS_TIES=1` takes all programs, and not every sixteenth one only.
"""

import ast
import json
import os
import random
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from conftest import REPOSITORY, SERVER, Document, capabilities, session
from lsprotocol import types as t

CASES = REPOSITORY / "tests" / "repro" / "cases"
# What they do with their functions is not known.
UNKNOWN = ("pallas_", "export_", "minimize", "scatter_ops")
PROGRAMS = [path for path in sorted(CASES.glob("*.py")) if not path.stem.startswith(UNKNOWN)]
EDITS = 200
MARK = re.compile(r'"at (\d+)"')
WHOLE = re.compile(r'\s*(?:[\w, ]+ = |return )?(?:jax\.ad_checkpoint\.)?checkpoint_name\(.*"at (\d+)"\)|.*"at (\d+)",?')


def arrays(path: Path) -> set[tuple[int, int, int, int]]:
    """Ranges of a program whose values are arrays of numbers."""
    done = subprocess.run([SERVER, "values", path, "--format", "json"], capture_output=True, text=True)
    rows = json.loads(done.stdout)["exprs"]
    plain = re.compile(r"(f32|i32)~?\[[\d,]*\]!?")
    return {tuple(row["range"]) for row in rows if all(plain.fullmatch(aval) for aval in row["avals"])}


def marked(path: Path) -> str:
    """The program with a mark at the last array that each of its lines computes inside of functions."""
    text, known = path.read_text(), arrays(path)
    lines, taken = text.split("\n"), set()
    inside = [node for function in ast.walk(ast.parse(text)) if isinstance(function, (ast.FunctionDef, ast.Lambda)) for node in ast.walk(function)]
    for node in inside:
        if not isinstance(node, (ast.BinOp, ast.Call)) or node.lineno != node.end_lineno or node.lineno in taken:
            continue
        if (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) in known:
            taken.add(node.lineno)
            line = lines[node.lineno - 1]
            mark = f'checkpoint_name({line[node.col_offset : node.end_col_offset]}, "at {node.lineno + 1}")'
            lines[node.lineno - 1] = line[: node.col_offset] + mark + line[node.end_col_offset :]
    return "from jax.ad_checkpoint import checkpoint_name\n" + "\n".join(lines)


def marks(text: str) -> set[str]:
    return set(MARK.findall(text))


# Statements over many lines, which are written over many lines: each argument, item and operand leads to its own.
SPREAD = """\
import jax
import jax.numpy as jnp


@jax.jit
def case(params, hidden, target):
    total = (
        jnp.mean((jnp.tanh(hidden @ params["w"]) - target) ** 2)
        + 0.125 * jnp.sum(jnp.square(params["w"]))
        + jnp.where(
            jnp.any(jnp.isnan(hidden)),
            4.0 * jnp.max(jnp.abs(params["bias"])),
            jnp.minimum(jnp.sum(hidden), 4.0),
        )
    )
    return {
        "total": total,
        "rows": jax.vmap(
            lambda row: jnp.sum(
                row * jnp.arange(4.0) - jnp.sin(row),
            )
        )(hidden),
        "joined": jnp.concatenate(
            [
                jnp.sin(hidden * 2.0),
                jnp.cos(hidden * 3.0)[:1],
                jnp.sin(hidden * 2.0),
                jnp.exp(hidden) * jnp.linalg.norm(hidden),
            ],
            axis=0,
        ),
        "scaled": [
            jnp.logaddexp(hidden, 1.0),
            jnp.logaddexp(hidden, 2.0) + params["bias"],
            jnp.hypot(hidden, jnp.ones_like(hidden)),
        ],
    }


params = {"w": jnp.ones((4, 2)), "bias": jnp.zeros(4)}
case(params, jnp.ones((5, 4)), jnp.ones((5, 2)))
"""


async def leads(client, source: Document, reproducer: Document) -> tuple[int, int]:
    """So many lines of a reproducer with marks lead to the line of one, and so many nowhere; none leads elsewhere."""
    right, nowhere = 0, 0
    for number, line in enumerate(reproducer.text.split("\n")):
        whole = WHOLE.fullmatch(line)
        if not whole:
            continue
        wanted = whole[1] or whole[2]
        params = t.DefinitionParams(t.TextDocumentIdentifier(reproducer.uri), t.Position(number, len(line)))
        found = list(await client.text_document_definition_async(params) or [])
        for there in found:
            lines = source.text.split("\n")[there.range.start.line : there.range.end.line + 1]
            assert wanted in marks("\n".join(lines)), (line, lines)
        right, nowhere = right + bool(found), nowhere + (not found)
    return right, nowhere


def edit(chance: random.Random, document: Document):
    """Puts a line or a comment somewhere, or takes a few characters away."""
    at = chance.randrange(len(document.text) + 1)
    start, end = document.text.rfind("\n", 0, at) + 1, document.text.find("\n", at)
    match chance.randrange(8):
        case 0 | 1 | 2:
            document.change((start, start, chance.choice(["# new\n", "\n", "    unused = 1\n"])))
        case 3 | 4 | 5:
            end = len(document.text) if end < 0 else end
            document.change((end, end, "\n\n"))
        case 6:
            document.change((at, min(at + chance.randrange(3), len(document.text)), "é😀"[: chance.randrange(3)]))
        case 7 if end > 0 and not marks(document.text[start:end]):
            document.change((start, end + 1, ""))


async def reproduced(client, root, text):
    """The program, and the reproducer of its `case`, as they are open in an editor."""
    source = Document(client, (root / "train.py").as_uri(), text)
    params = t.ExecuteCommandParams("jitlens.reproduce", [{"uri": source.uri, "function": "case"}])
    answer = await client.workspace_execute_command_async(params)
    path = Path(unquote(urlparse(answer["uri"]).path))
    return source, Document(client, path.as_uri(), path.read_text())


async def test_lines_of_long_statements_lead_to_their_own_lines(project, tmp_path):
    program = tmp_path / "spread.py"
    program.write_text(SPREAD)
    text = marked(program)
    root = project({"train.py": text, "pyproject.toml": "[tool.jitlens]\ncallers = false\n"})
    async with session(capabilities(actions=True, shows=True), root=root) as client:
        source, reproducer = await reproduced(client, root, text)
        seen = set()
        for number, line in enumerate(reproducer.text.split("\n")):
            if not WHOLE.fullmatch(line) or len(marks(line)) != 1:
                continue
            params = t.DefinitionParams(t.TextDocumentIdentifier(reproducer.uri), t.Position(number, len(line)))
            found = list(await client.text_document_definition_async(params) or [])
            lines = {str(at + 1) for there in found for at in range(there.range.start.line, there.range.end.line + 1)}
            assert marks(line) <= lines and len(lines) == 1, (line, lines, reproducer.text)
            seen |= marks(line)
        assert len(seen) > 8, reproducer.text
        chance = random.Random("spread")
        for _ in range(EDITS):
            edit(chance, chance.choice([source, reproducer]))
        await leads(client, source, reproducer)


@pytest.mark.parametrize("program", PROGRAMS[:: 1 if os.environ.get("JITLENS_TIES") else 16], ids=lambda path: path.stem)
async def test_lines_lead_to_their_marks(project, program):
    text = marked(program)
    root = project({"train.py": text, "pyproject.toml": "[tool.jitlens]\ncallers = false\n"})
    chance = random.Random(program.stem)
    async with session(capabilities(actions=True, shows=True), root=root) as client:
        source, reproducer = await reproduced(client, root, text)
        right, nowhere = await leads(client, source, reproducer)
        assert nowhere == 0 and (right or not any(map(WHOLE.fullmatch, reproducer.text.split("\n")))), reproducer.text
        for _ in range(EDITS):
            edit(chance, chance.choice([source, reproducer]))
        await leads(client, source, reproducer)
