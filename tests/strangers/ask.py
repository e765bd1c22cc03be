"""Runs one program under JAX, asks jitlens about it, and compares."""

import os
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path

from oracle.compare import ASKED_BY_CACHES, Comparison, compare
from oracle.jitlens import values
from oracle.program import Program
from oracle.record import record

from .table import Stranger
from .trees import tidied


@dataclass
class Row:
    """What was found of one program."""

    stranger: Stranger
    comparison: Comparison = field(default_factory=Comparison)
    work: float = 0.0               # seconds of a processor that `jitlens values` took, from nothing
    wall: float = 0.0
    failure: str = ""
    lacking: list[str] = field(default_factory=list)
    reproducers: tuple[int, int, list[str]] | None = None      # how many, how many the same, what is not

    def known(self) -> float:
        return 100 * self.comparison.known / self.comparison.rows if self.comparison.rows else 100.0

    def is_wrong(self) -> bool:
        c = self.comparison
        return bool(self.failure or c.wrong or c.error_false or c.count_wrong)


def ask(stranger: Stranger, program: Program, python: str, cache: Path, options) -> Row:
    row = Row(stranger)
    tidied(program)
    recorded = record([program], python, cache)[program]
    tidied(program)
    if "failure" in recorded:
        row.failure = f"under JAX: {recorded['failure']}\n{recorded.get('log', '')}"
        return row
    before, start = work_of_children(), time.monotonic()
    answer = values(options.jitlens.resolve(), program)
    row.wall, row.work = time.monotonic() - start, work_of_children() - before
    if "failure" in answer:
        row.failure = answer["failure"]
        return row
    row.comparison = compare(recorded, answer)
    note_hidden(recorded, answer, row.comparison)
    if options.repro:
        from .reproducers import reproducers
        row.reproducers = reproducers(program, python, options)
    return row


def note_hidden(recorded: dict, answer: dict, comparison: Comparison):
    """Traced functions of which jitlens does not say how often: `compare` counts them, and here they are named."""
    said = {(os.path.normpath(row["file"]), row["line"]): row["traced"] for row in answer["functions"]}
    for row in recorded["functions"]:
        if row["traced"] and row["name"] not in ASKED_BY_CACHES and said.get((os.path.normpath(row["file"]), row["line"])) is None:
            comparison.note("count hidden", row["file"], row["line"], f"def {row['name']}", row["traced"], None)


def work_of_children() -> float:
    """The seconds of processors that programs run from here have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
