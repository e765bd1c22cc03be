"""`tests/cache/*.py`: small programs, each about what makes JAX trace a function again and what does not.

Each `def` that ran while JAX traced says how often, in a comment at the end of its line: `# traced: 2`. `run.py index`
writes these comments; they must be true of JAX.
"""

import ast
import re

from ..compare import ASKED_BY_CACHES, Finding
from ..env import REPOSITORY
from ..program import Program
from . import Case, Verification

ROOT = REPOSITORY / "tests" / "cache"
COMMENT = re.compile(r"\s*# traced: (\d+)$")


def cases() -> list[Case]:
    return [Case(program, verifier(program)) for program in programs()]


def programs() -> list[Program]:
    return [Program(name=path.stem, root=ROOT, script=path.name) for path in sorted(ROOT.glob("*.py"))]


def verifier(program: Program):
    def verify(record: dict) -> Verification:
        lines = source(program).splitlines()
        real, written = counts(record), {}
        for line in definitions(program):
            found = COMMENT.search(lines[line - 1])
            if found or line in real:
                written[line] = int(found[1]) if found else None
        findings = [Finding("count untrue", program.script, line, lines[line - 1].strip(), real.get(line, 0), said)
                    for line, said in written.items() if real.get(line) != said]
        findings += [Finding("raises", program.script, e["line"], e["type"], e["message"], "runs clean")
                     for e in record["errors"]]
        return Verification(checked=len(written), findings=tuple(findings))
    return verify


def annotated(program: Program, record: dict) -> str:
    """The program with true comments."""
    lines, real = source(program).splitlines(), counts(record)
    for line in definitions(program):
        bare = COMMENT.sub("", lines[line - 1])
        lines[line - 1] = f"{bare}  # traced: {real[line]}" if line in real else bare
    return "\n".join(lines) + "\n"


def counts(record: dict) -> dict[int, int]:
    """How often the `def` of a line was traced; without those that were not."""
    return {row["line"]: row["traced"] for row in record["functions"] if row["traced"] and row["name"] not in ASKED_BY_CACHES}


def definitions(program: Program) -> list[int]:
    return [node.lineno for node in ast.walk(ast.parse(source(program))) if isinstance(node, ast.FunctionDef)]


def source(program: Program) -> str:
    return (program.root / program.script).read_text("utf-8")
