#!/usr/bin/env python3
"""How often JAX compiles each function, and how often jitlens says so: `python3 tests/compiled/run.py --jitlens PATH`.

The programs beside this file call compiled functions with arguments that lie in different places, and that are donated or not. JAX says
of each function that it compiles what its name is; jitlens lists a function's traces that are called outside of others, and those that are
compiled once more. The counts have to be the same.
"""

import argparse
import json
import logging
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILING = re.compile(r"Compiling jit\(([^)]+)\)")


def observed(path):
    """The names that JAX says it compiles, in this process."""
    import jax

    class Names(logging.Handler):
        def emit(self, record):
            if found := COMPILING.match(record.getMessage()):
                names[found[1]] += 1

    names = Counter()
    logging.getLogger("jax").addHandler(Names())
    jax.config.update("jax_log_compiles", True)
    runpy.run_path(path, run_name="__main__")
    return names


def by_jax(path, python):
    ran = subprocess.run([python, __file__, "--observe", path], capture_output=True, text=True, check=False,
                         env={**os.environ, "JAX_PLATFORMS": "cpu"})
    answer = [line for line in ran.stdout.splitlines() if line.startswith("COMPILED ")]
    return json.loads(answer[-1].split(" ", 1)[1]) if answer else {"": ran.stderr[-500:]}


def by_jitlens(path, jitlens):
    """Of each function: its traces, and how often one of them is compiled once more."""
    ran = subprocess.run([jitlens, "trace", "--cache", "--format", "json", path], capture_output=True, text=True, check=True)
    return {cache["function"]: (len(cache["traces"]), len(cache["compiled_again"])) for cache in json.loads(ran.stdout)["caches"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--python", default=os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle/venv/bin/python")))
    parser.add_argument("--observe", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.observe:
        print("COMPILED", json.dumps(observed(options.observe)))
        return 0
    programs = sorted(path for path in HERE.glob("*.py") if path != Path(__file__).resolve())
    with ThreadPoolExecutor(2) as pool:
        real = list(pool.map(lambda path: by_jax(str(path), options.python), programs))
    functions, wrong = 0, 0
    for path, jax in zip(programs, real):
        for name, (traces, again) in by_jitlens(str(path), options.jitlens).items():
            functions += 1
            if jax.get(name) != traces + again:
                wrong += 1
                print(f"{path.name}: {name}: JAX compiles it {jax.get(name)} times, jitlens says {traces} and {again} more")
    print(f"{len(programs)} programs: {functions - wrong} of {functions} functions compiled as often as JAX says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
