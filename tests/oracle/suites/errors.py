"""`tests/errors/*.py`: small programs that raise, or look as if they would.

`tests/errors/index.json` says for each what real JAX does; it is written by `run.py index` and must be up to date.
"""

import json

from ..compare import Finding, first_line
from ..env import REPOSITORY
from ..program import Program
from . import Case, Verification

ROOT = REPOSITORY / "tests" / "errors"
INDEX = ROOT / "index.json"


def cases() -> list[Case]:
    index = json.loads(INDEX.read_text("utf-8"))["programs"] if INDEX.exists() else {}
    return [Case(program, verifier(program, index)) for program in programs()]


def programs() -> list[Program]:
    return [Program(name=path.stem, root=ROOT, script=path.name) for path in sorted(ROOT.glob("*.py"))]


def verifier(program: Program, index: dict):
    def verify(record: dict) -> Verification:
        real, written = entry(record), index.get(program.script, "nothing")
        stale = () if real == written else (
            Finding("index stale", program.script, 1, "run `run.py index`", str(real), str(written)),)
        return Verification(checked=1, findings=stale)
    return verify


def entry(record: dict) -> dict | None:
    """What the index says of a program: its first error, or null for one that runs clean."""
    if not record["errors"]:
        return None
    error = record["errors"][0]
    return {"class": error["type"], "line": error["line"], "message": first_line(error["message"])}


def index(records: dict[Program, dict], versions: dict[str, str]) -> str:
    entries = {program.script: entry(record) for program, record in records.items()}
    return json.dumps({"versions": versions, "programs": entries}, indent=1, ensure_ascii=False) + "\n"
