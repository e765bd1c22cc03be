"""Records of programs under real JAX, kept in `.oracle/cache` for as long as they are true."""

import hashlib
import json
import os
import subprocess
from collections import defaultdict
from pathlib import Path

from . import env
from .program import Program

CACHE = env.STATE / "cache"


class RecorderError(Exception):
    """The recorder itself did not work: nothing can be said about any program."""


def record(programs: list[Program], python: str | None = None, cache: Path = CACHE) -> dict[Program, dict]:
    """One record per program (their form: `README.md`). What was recorded before is read back."""
    python = python or env.interpreter()
    cache.mkdir(parents=True, exist_ok=True)
    places = {p: cache / f"{hashlib.sha256((seal(python) + p.digest()).encode()).hexdigest()[:32]}.json" for p in programs}
    batches = defaultdict(dict)
    for program, place in places.items():
        if not place.exists():
            batches[program.preload()][place] = program
    for preload, batch in batches.items():
        run_batch(python, preload, batch)
    records = {program: json.loads(place.read_text("utf-8")) for program, place in places.items()}
    for program, recorded in records.items():
        if "failure" in recorded:
            recorded["log"] = tail(log_of(places[program]))
            places[program].unlink(missing_ok=True)     # a failure may pass; it is not remembered
    return records


def run_batch(python: str, preload: tuple[str, ...], batch: dict[Path, Program]):
    if not preload and len(batch) > 1:
        for place, program in batch.items():    # each wants a process of its own
            run_batch(python, preload, {place: program})
        return
    jobs = [{**program.job(), "out": str(place)} for place, program in batch.items()]
    message = json.dumps({"preload": preload, "workers": os.cpu_count() or 1, "jobs": jobs})
    server = subprocess.run([python, "-m", "oracle.inside.server"], input=message, text=True, capture_output=True,
                            env=env.clean_environment())
    for place in batch:
        if not place.exists():
            raise RecorderError(f"the recorder left no record:\n{server.stderr[-2000:]}")
        if "failure" not in json.loads(place.read_text("utf-8")):
            log_of(place).unlink(missing_ok=True)


def seal(python: str) -> str:
    """What a record depends on besides the program: the framework's versions and the recorder itself."""
    own = sorted((env.HERE / "inside").glob("*.py"))
    return json.dumps(env.versions(python)) + "".join(hashlib.sha256(p.read_bytes()).hexdigest() for p in own)


def log_of(place: Path) -> Path:
    return place.with_name(place.name + ".log")


def tail(log: Path, lines=15) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-lines:]) if log.exists() else ""
