"""Runs what `jitlens repro` writes under real JAX, and compares with what the programs do.

    python3 tests/repro/run.py errors [NAME ...]     every program of tests/errors that raises
    python3 tests/repro/run.py functions [FILE ...]  every function of tests/projects that is traced
    python3 tests/repro/run.py exact [PROJECT[::FUNCTION] ...]   every function that the projects trace, with exact data: the numbers that it gave in the program
    python3 tests/repro/run.py cases [NAME ...]      every program of `cases`: its function, its last call, and what it raises with its fault
    python3 tests/repro/run.py apis                  whether `cases` has programs of all APIs that take functions, each nested three deep
    python3 tests/repro/run.py minimal               minimal reproducers of errors that `seeds.py` puts into tests/projects

`--level primitive` asks for primitives, `--sample N` takes every N-th only, `--floor PERCENT` fails below. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import seeds
from apis import apis
from cases import cases
from exact import exact
from shared import ROOT, is_same, jitlens, under_jax


def errors(options):
    index = json.loads((ROOT / "tests/errors/index.json").read_text())["programs"]
    wanted = {name: row for name, row in index.items() if row}
    if options.names:
        wanted = {name: row for name, row in wanted.items() if name.removesuffix(".py") in options.names}
    names = sorted(wanted)[:: options.sample]
    targets = {name: f"tests/errors/{name.removesuffix('.py')}.py" for name in names}
    rows = jitlens(options.jitlens, list(targets.values()), "--level", options.level)
    texts = {name: rows[path]["text"] for name, path in targets.items() if path in rows}
    found = under_jax(options.python, texts)
    same, verified, raised, bad = 0, 0, 0, []
    for name in names:
        row = rows.get(targets[name])
        verified += bool(row and row["verified"])
        raised += bool(row and "\nraise " in row["text"])
        truth = [wanted[name]["class"], wanted[name]["message"]]
        if is_same(found.get(name), truth):
            same += 1
        else:
            bad.append((name, truth, found.get(name), row and row["unverified"]))
    for name, truth, was, why in bad if options.list else []:
        print(f"{name}\n  wanted {truth[0]}: {truth[1][:150]}\n  found  {was}\n  jitlens {why}")
    total = len(names)
    print(f"{total} programs that raise: {len(texts)} reproducers, {same} the same under JAX ({100 * same / total:.1f} %),")
    print(f"{verified} the same under jitlens ({100 * verified / total:.1f} %), {raised} are a `raise` at the top")
    return 100 * same / total


def functions(options):
    files = options.names or sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tests/projects").rglob("*.py"))
    targets = []
    for file in files:
        done = subprocess.run(
            [options.jitlens, "trace", file, "--format", "json"], capture_output=True, text=True, cwd=ROOT, timeout=600
        )
        if done.stdout.strip():
            traced = json.loads(done.stdout)["traces"]
            targets += sorted({f"{file}::{t['function']}" for t in traced if t["file"] == file and "<" not in t["function"].replace(".<locals>", "")})
    targets = targets[:: options.sample]
    rows = jitlens(options.jitlens, targets, "--level", options.level)
    texts = {target: row["text"] for target, row in rows.items()}
    found = under_jax(options.python, texts)
    same, verified, bad = 0, 0, []
    for target in targets:
        row = rows.get(target)
        verified += bool(row and row["verified"])
        outcome = row and row["outcome"]
        was = found.get(target)
        if outcome and "values" in outcome and was and was[0] is None and was[1] == outcome["values"]:
            same += 1
        elif outcome and "error" in outcome and is_same(was, [outcome["error"]["type"].split(".")[-1], outcome["error"]["message"]]):
            same += 1
        else:
            bad.append((target, outcome, was, row and row["unverified"]))
    for target, row in rows.items() if options.list else []:
        if row["unverified"]:
            print(f"{target}\n  not verified: {row['unverified']}")
    for target, outcome, was, why in bad if options.list else []:
        print(f"{target}\n  wanted {str(outcome)[:300]}\n  found  {str(was)[:300]}\n  jitlens {why}")
    total = len(targets) or 1
    print(f"{len(targets)} functions: {len(rows)} reproducers, {same} the same types under JAX ({100 * same / total:.1f} %),")
    print(f"{verified} the same under jitlens ({100 * verified / total:.1f} %)")
    return 100 * same / total


def body(text):
    """The lines of a reproducer without comments, imports and empty lines."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith(("#", "import ", "from "))]
    return len(lines)


def work_of_children():
    """The seconds of processors that programs run from here have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def without_sizes(message):
    """The first line of a message with all numbers alike, and without places of memory."""
    return re.sub(r"\d+", "0", re.sub(r"0x[0-9a-f…]+", "0x", message.split("\n")[0]))


def message_of_program(options, script):
    """The message of the error that a program ends in, as its whole reproducer has it."""
    done = subprocess.run([options.jitlens, "repro", "--format", "json", str(script)], capture_output=True, text=True, timeout=600)
    rows = json.loads(done.stdout)["reproducers"] if done.stdout.strip() else []
    return rows[0]["outcome"]["error"]["message"] if rows else ""


def minimal(options):
    texts, wanted, said, lengths, seconds, working, kinds, vain = {}, {}, {}, [], [], [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, project, script, file, text in list(seeds.seeds())[:: options.sample]:
            if options.names and not any(part in name for part in options.names):
                continue
            # One of each kind in each project is enough.
            kind = (project.name, name.split()[-1])
            if not options.all and kinds.get(kind, 0) >= 1:
                continue
            copy = pathlib.Path(folder) / project.name
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(project, copy)
            (copy / file).write_text(text)
            start, work = time.monotonic(), work_of_children()
            done = subprocess.run([options.jitlens, "repro", "--minimal", "--format", "json", str(copy / script)],
                                  capture_output=True, text=True, timeout=600)
            took, worked = time.monotonic() - start, work_of_children() - work
            rows = json.loads(done.stdout)["reproducers"] if done.stdout.strip() else []
            if not rows or "error" not in rows[0]["outcome"]:
                continue
            row, error = rows[0], rows[0]["outcome"]["error"]
            if "\nraise " in row["text"]:
                vain += 1
                continue
            kinds[kind] = kinds.get(kind, 0) + 1
            texts[name], wanted[name] = row["text"], error["type"].split(".")[-1]
            if options.all:
                said[name] = message_of_program(options, copy / script)
            lengths.append(body(row["text"]))
            seconds.append(took)
            working.append(worked)
            if options.show:
                print(f"{took:6.2f} s, {worked:6.2f} s of work: {name}", file=sys.stderr)
            if options.show:
                print(f"== {name}: {lengths[-1]} lines, {took:.2f} s\n{row['text']}")
    found = under_jax(options.python, texts)
    bad = [name for name in texts if found[name] is None or found[name][0] != wanted[name]]
    for name in bad if options.list else []:
        print(f"{name}\n  wanted {wanted[name]}\n  found  {str(found[name])[:200]}")
    others = [name for name in said if name not in bad and without_sizes(found[name][1]) != without_sizes(said[name])]
    for name in others if options.list else []:
        print(f"{name}\n  the program {said[name][:300]}\n  minimal     {found[name][1][:300]}\n{texts[name]}")
    if options.all:
        print(f"{len(said) - len(others)} of {len(said)} have the first line of the program's message up to numbers,")
    total = len(texts) or 1
    print(f"{len(texts)} seeded errors: {len(texts) - len(bad)} raise the same class under JAX, median {statistics.median(lengths):.0f} lines of body,")
    print(f"at most {max(lengths)}; {statistics.median(seconds):.2f} s for the median, {max(seconds):.2f} s at most")
    print(f"({statistics.median(working):.2f} s and {max(working):.2f} s of a processor's work); {vain} more are mistakes of plain Python")
    return 100 * (total - len(bad)) / total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["errors", "functions", "exact", "cases", "apis", "minimal"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--python", default=os.environ.get("JITLENS_ORACLE_PYTHON", sys.executable))
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--floor", type=float, default=0)
    parser.add_argument("--level", choices=["api", "primitive"], default="api", help="what stands for the calls of the programs")
    parser.add_argument("--list", action="store_true", help="list what is not the same")
    parser.add_argument("--all", action="store_true", help="all seeded errors of a kind and project, not one of them; and their messages")
    parser.add_argument("--show", action="store_true", help="print the minimal reproducers, and how long each takes")
    options = parser.parse_args()
    percent = {"errors": errors, "functions": functions, "exact": exact, "cases": cases, "apis": apis, "minimal": minimal}[options.what](options)
    sys.exit(percent < options.floor)


if __name__ == "__main__":
    main()
