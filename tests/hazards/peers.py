#!/usr/bin/env python3
"""What jitlens and its peers find in a catalogue of hazards, by one measure: `python3 tests/hazards/peers.py CATALOGUE.json`.

The catalogue is a list of cases with `id`, `bad`, `good` (programs) and `line` (the lines to mend in the bad one). A tool finds a hazard
where it tells something of one of those lines that it does not tell of the good twin at all: what is said of the style of both is left out.
Where it tells the same code of the good twin too, in whatever line, that is counted as told of both.

A tool that is not on the PATH is left out. `pip install jaxlint ruff pylint pyright pyrefly jaxtyc` brings those that read programs (jaxtyc imports them), all but
jaxtyc without annotations that it wants. With `--python` (one that has JAX, Flax and Equinox) JAX itself runs the programs, without flags and with each of its debugging
flags in turn: what it finds is an error, a warning or an explained cache miss, in any line of the program that is under way there.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows_of_json(*keys):
    """Reads a list of objects: file, line, code."""
    file, line, code = keys
    return lambda out: [(row[file], at(row, line), str(row[code])) for row in found_list(out)]


def found_list(out):
    start = min((i for i in (out.find("["), out.find("{")) if i >= 0), default=None)
    parsed = json.loads(out[start:]) if start is not None else []
    if isinstance(parsed, dict):
        parsed = parsed.get("diagnostics") or parsed.get("generalDiagnostics") or parsed.get("errors") or []
    return parsed


def at(row, path):
    for part in path.split("."):
        row = row[int(part)] if part.isdigit() else row[part]
    return row


def of_pyright(out):
    rows = json.loads(out)["generalDiagnostics"]
    return [(row["file"], row["range"]["start"]["line"] + 1, row.get("rule") or "error") for row in rows]


# Name, command (the files follow), and how its output is read.
TOOLS = [
    ("jitlens", ["{jitlens}", "check", "--format", "json"], rows_of_json("file", "range.0", "rule")),
    ("jaxlint", ["jaxlint", "check", "--format", "json"], rows_of_json("path", "line", "rule_id")),
    ("ruff", ["ruff", "check", "--isolated", "--no-cache", "--output-format", "json"], rows_of_json("filename", "location.row", "code")),
    ("ruff, all rules", ["ruff", "check", "--isolated", "--no-cache", "--select", "ALL", "--output-format", "json"],
     rows_of_json("filename", "location.row", "code")),
    ("pylint", ["pylint", "--output-format=json", "--disable=import-error"], rows_of_json("path", "line", "symbol")),
    ("pyright", ["pyright", "--outputjson"], of_pyright),
    ("jaxtyc", ["jaxtyc", "check", "--format", "json"], rows_of_json("file", "line", "rule")),
    ("pyrefly", ["pyrefly", "check", "--output-format", "json"], rows_of_json("path", "line", "name")),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--family", default="JE", help="the first letters of the cases' names that are taken")
    parser.add_argument("--python", help="run the programs by JAX with it, too")
    parser.add_argument("--list", action="store_true", help="name what each tool finds")
    parser.add_argument("catalogue", type=Path)
    options = parser.parse_args()
    cases = [case for case in json.loads(options.catalogue.read_text()) if case["id"][0] in options.family]
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            for kind in ("bad", "good"):
                Path(folder, f"{case['id']}_{kind}.py").write_text(case[kind])
        print(f"{len(cases)} cases")
        for name, command, read in TOOLS:
            command = [part.format(jitlens=options.jitlens) for part in command]
            if shutil.which(command[0]) is None:
                print(f"{name}: not there")
                continue
            measure(name, command, read, cases, folder, options.list)
        if options.python:
            ran = subprocess.run([options.python, Path(__file__).with_name("running.py"), *files_in(folder)], cwd=folder,
                                 capture_output=True, text=True, env={**os.environ, "JAX_PLATFORMS": "cpu"})
            answer = [line for line in ran.stdout.splitlines() if line.startswith("TOLD ")]
            if not answer:
                sys.exit(ran.stderr[-1000:])
            for name, rows in json.loads(answer[-1].removeprefix("TOLD ")).items():
                count(name, rows, cases, options.list)
    return 0


def files_in(folder):
    return sorted(path.name for path in Path(folder).glob("*.py"))


def measure(name, command, read, cases, folder, listed):
    ran = subprocess.run(command + files_in(folder), cwd=folder, capture_output=True, text=True, timeout=1200)
    if not ran.stdout.strip() and ran.returncode:
        print(f"{name}: it did not run: {ran.stderr.strip()[-200:]}")
        return
    try:
        rows = read(ran.stdout)
    except (json.JSONDecodeError, KeyError) as error:
        print(f"{name}: its output is not understood: {error!r}: {(ran.stderr or ran.stdout)[:200]}")
        return
    count(name, rows, cases, listed)


def count(name, rows, cases, listed):
    told = {}
    for file, line, code in rows:
        told.setdefault(Path(file).name, []).append((line, code))
    found, both, elsewhere = [], [], []
    for case in cases:
        bad, good = (told.get(f"{case['id']}_{kind}.py", []) for kind in ("bad", "good"))
        of_good = {code for _, code in good}
        here = {code for line, code in bad if line in case["line"]}
        if here - of_good:
            found.append(case["id"])
        elif here:
            both.append(case["id"])
        elif {code for _, code in bad} - of_good:
            elsewhere.append(case["id"])
    quiet = sum(not told.get(f"{case['id']}_good.py") for case in cases)
    print(f"{name}: {len(found)} found on their line, {len(elsewhere)} on another one, {len(both)} told of both twins; "
          f"nothing told of {quiet} of {len(cases)} good twins")
    if listed:
        print("   " + " ".join(found))
        print("   elsewhere: " + " ".join(elsewhere))


if __name__ == "__main__":
    sys.exit(main())
