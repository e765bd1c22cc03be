"""Reproducers of all functions that a program traces, with exact data: under JAX they give what the functions gave in the program.

How that is asked and compared is `tests/repro/exact.py`'s affair; here it is asked of a stranger's program.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from oracle.env import REPOSITORY
from oracle.program import Program

sys.path.append(str(REPOSITORY / "tests" / "repro"))

import exact  # noqa: E402


def reproducers(program: Program, python: str, options) -> tuple[int, int, list[str]]:
    """How many functions were asked for, how many are the same, and what is not."""
    asked = SimpleNamespace(jitlens=str(options.jitlens.resolve()), python=python, level=options.level, show=False)
    script = program.root / program.script
    names = traced(asked.jitlens, program)
    tally = exact.Tally()
    with tempfile.TemporaryDirectory() as folder:
        try:
            if names:
                exact.check_script(asked, Path(folder), program.root, script, names, tally)
        except subprocess.TimeoutExpired as late:
            tally.total = len(names)
            tally.bad = [(name, "an end", f"{late.cmd[:3]} did not end in {late.timeout:.0f} s", None) for name in names]
    return tally.total, tally.total - len(tally.bad), list(tally.told())


def traced(binary: str, program: Program) -> list[str]:
    """The functions of the program's own files that it has traced, wherever they stand; those without a name are left out."""
    done = subprocess.run([binary, "trace", program.script, "--format", "json"], capture_output=True, text=True, cwd=program.root, timeout=600)
    rows = json.loads(done.stdout)["traces"] if done.stdout.strip() else []
    own = lambda file: "site-packages" not in file and (program.root / file).resolve().is_relative_to(program.root)
    return sorted({row["function"] for row in rows if "<lambda>" not in row["function"] and own(row["file"])})
