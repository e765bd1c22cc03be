"""What runs of `jitlens repro` and of JAX have in common."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHILD = HERE / "inside.py"


def jitlens(binary, targets, *more):
    """One row for each target: what was written, or None."""
    rows = {}
    for start in range(0, len(targets), 50):
        chunk = targets[start : start + 50]
        done = subprocess.run(
            [binary, "repro", "--format", "json", *more, *chunk], capture_output=True, text=True, cwd=ROOT, timeout=600
        )
        if not done.stdout.strip():
            print(f"jitlens gave nothing: {done.stderr[-2000:]}", file=sys.stderr)
            continue
        for row in json.loads(done.stdout)["reproducers"]:
            rows[row["target"]] = row
    return rows


def under_jax(python, texts):
    """What each text does: its class and the first line of its message, or the types of its last value and the numbers of it. A text
    that needs a file beside it comes with the path that it lies at."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        done = subprocess.run([python, str(CHILD), file.name], capture_output=True, text=True, timeout=3600)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def plain(message):
    """The first line without what differs between files: addresses, names of files and numbers of lines."""
    first = message.split("\n")[0].strip()
    first = re.sub(r"\(\S*/jax/", "(…/jax/", first)
    first = re.sub(r"0x[0-9a-f…]+", "0x…", first)
    return re.sub(r"\S+\.py:\d+", "FILE", first)


def is_same(found, wanted):
    return found is not None and found[0] == wanted[0] and plain(found[1]) == plain(wanted[1])
