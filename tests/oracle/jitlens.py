"""Asks the `jitlens` binary about a program."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .inside.execute import normalized
from .program import Program

LIMIT = 600     # seconds; a busy machine is slow


def values_of(binary: Path, programs: list[Program]) -> dict[Program, dict]:
    """The answer of `jitlens values` per program; `{"failure": …}` where there is none."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(programs, pool.map(lambda p: values(binary, p), programs)))


def values(binary: Path, program: Program) -> dict:
    command = [binary, "values", program.script, "--format", "json"]
    try:
        ran = subprocess.run(command, cwd=program.root, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"failure": f"jitlens still running after {LIMIT} s"}
    except OSError as error:
        return {"failure": f"jitlens could not be started: {error}"}
    if ran.returncode not in (0, 1):
        return {"failure": f"jitlens ended with {ran.returncode}: {ran.stderr[-500:]}"}
    try:
        answer = json.loads(ran.stdout)
        # Folders and addresses are left out of what JAX said, too.
        for error in answer["errors"]:
            error["message"] = normalized(error["message"], f"{program.root}/")
        return {key: answer[key] for key in ("exprs", "functions", "errors")}
    except (ValueError, KeyError, TypeError) as error:
        return {"failure": f"not the JSON of `values`: {type(error).__name__}: {error}"}
