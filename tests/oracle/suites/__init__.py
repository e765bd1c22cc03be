"""Where programs come from: one file per suite, listed here."""

from dataclasses import dataclass
from typing import Callable

from ..compare import Finding
from ..program import Program


@dataclass(frozen=True)
class Case:
    """A program, and what its own text says about it: `verify` holds that against the record, without jitlens."""

    program: Program
    verify: Callable[[dict], "Verification"] = lambda record: Verification()


@dataclass
class Verification:
    checked: int = 0
    unchecked: int = 0          # written for jitlens in a way that execution cannot confirm
    findings: tuple[Finding, ...] = ()


def load(name: str) -> list[Case]:
    from . import cache, errors, literate, projects
    return {"projects": projects.cases, "errors": errors.cases, "cache": cache.cases, "suite": literate.cases}[name]()


NAMES = ("projects", "errors", "cache", "suite")
