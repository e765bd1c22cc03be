#!/usr/bin/env python3
"""The sweep of public names: `run.py record` asks real JAX, `run.py check` holds jitlens against the answers. See README.md."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from oracle import env

ANSWERS = HERE / "answers.json"
KNOWN = HERE / "known.txt"
FREQUENCY = HERE / "frequency.txt"
PAGE = ROOT / "docs" / "coverage.md"
FLOOR = 90.0        # per cent of the calls that have to be exact
PART = 1500         # calls of one program
# Names under which whole calls stand, and what the page calls them.
WHOLE = {"arrays": "operators and indexing", "strangers": "calls as programs have them"}


def record(only, seed, answers_file):
    """Asks real JAX in two processes; with names of modules only those anew, with a seed other calls."""
    with tempfile.TemporaryDirectory() as place:
        parts = [Path(place) / f"{share}.json" for share in range(2)]

        def ask(share):
            command = [env.interpreter(), HERE / "record.py", parts[share], str(share), "2", seed, *only]
            return any(subprocess.run(command, env=env.clean_environment(), stderr=subprocess.DEVNULL).returncode == 0 for _ in range(40))

        with ThreadPoolExecutor(2) as workers:
            if not all(workers.map(ask, range(2))):
                raise SystemExit("real JAX could not be asked")
        answers = json.loads(answers_file.read_text("utf-8")) if only and answers_file.exists() else {}
        for part in parts:
            answers.update(json.loads(part.read_text("utf-8")))
    write_answers(answers, answers_file)


def write_answers(answers, file):
    """One line per name, so that a new record shows what has changed."""
    lines = [json.dumps(name) + ":" + json.dumps(answers[name], separators=(",", ":")) for name in sorted(answers)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def ours(jitlens, calls):
    """What jitlens answers to each call; nothing where it does not know."""
    head = (HERE / "ask.py").read_text("utf-8")
    parts = [calls[i:i + PART] for i in range(0, len(calls), PART)]
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as workers:
        def run(number):
            file = Path(place) / f"sweep{number}.py"
            file.write_text(head + "".join(f"say(lambda: {call})\n" for call in parts[number]), "utf-8")
            ran = subprocess.run([jitlens, "values", file.name, "--format", "json"], cwd=place, capture_output=True, text=True)
            if ran.returncode not in (0, 1):
                raise SystemExit(f"jitlens ended with {ran.returncode}: {ran.stderr[-500:]}")
            first, found = head.count("\n") + 1, [None] * len(parts[number])
            for row in json.loads(ran.stdout)["exprs"]:
                line, column = row["range"][:2]
                if column == 0 and line >= first and len(row["avals"]) == 1 and row["avals"][0].startswith("np:f64[0"):
                    found[line - first] = spelled(row["avals"][0])
            return found
        return [answer for found in workers.map(run, range(len(parts))) for answer in found]


def spelled(aval):
    """The text that the sizes of `say`'s array spell."""
    letters = []
    for size in map(int, aval[aval.index("[") + 1:-1].split(",")[1:]):
        group = []
        while size > 1:
            size, letter = divmod(size, 128)
            group.append(chr(letter))
        letters += reversed(group)
    return "".join(letters)


def verdict(real, found):
    if found is None:
        return "unknown"
    if found == real:
        return "exact"
    if found.startswith("!"):
        return "false error" if not real.startswith("!") else "other error"
    return "missed error" if real.startswith("!") else "wrong"


def compare(jitlens, only=(), file=ANSWERS):
    """Rows of name, call, what is real, what is said, and the verdict."""
    answers = json.loads(file.read_text("utf-8"))
    asked = [(name, call, real) for name, calls in answers.items() if not only or any(name.startswith(o) for o in only)
             for call, real in calls.items()]
    said = ours(jitlens, [call.replace("@", name) if name not in WHOLE else call for name, call, _ in asked])
    return [(name, call, real, found, verdict(real, found)) for (name, call, real), found in zip(asked, said)]


def known():
    """The calls whose answers are known to be wrong."""
    lines = KNOWN.read_text("utf-8").splitlines() if KNOWN.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def write_known(calls):
    head = "# Calls whose answers are known to be wrong: the name, and the call (`@` is the name). Written by `run.py check --accept`.\n"
    KNOWN.write_text(head + "".join(f"{call}\n" for call in sorted(calls)), "utf-8")


def place(name, call):
    return f"{name} {call}".replace("\n", " ")


def check(options):
    rows = compare(options.jitlens, options.only, options.answers)
    excused = known()
    bad = {place(*row[:2]): row for row in rows if row[4] not in ("exact", "unknown")}
    surprising = [row for key, row in bad.items() if key not in excused]
    shown = rows if options.all else bad.values() if options.list else surprising
    for name, call, real, found, what in shown:
        if what != "exact":
            print(f"{what:12} {call.replace('@', name) if name not in WHOLE else call}   real {short(real)}   ours {short(found)}")
    counts = Counter(row[4] for row in rows)
    exact = 100 * counts["exact"] / max(len(rows), 1)
    print(f"{len({row[0] for row in rows})} names, {len(rows)} calls: " + ", ".join(f"{what} {n}" for what, n in counts.most_common())
          + f"; exact {exact:.1f} %")
    print(weighted(rows))
    if options.only or options.answers != ANSWERS:
        return bool(surprising)
    if options.accept:
        write_known(bad)
        excused = set(bad)
    mended = excused - set(bad)
    if options.write:
        write_known(excused & set(bad))
        PAGE.write_text(coverage(rows), "utf-8")
        return bool(surprising)
    for line in sorted(mended):
        print(f"no longer wrong, `--write` takes it out of known.txt: {line}")
    stale = PAGE.read_text("utf-8") != coverage(rows)
    if stale:
        print("docs/coverage.md is not what this run found: `python3 tests/sweep/run.py check --write`")
    return not options.accept and (bool(surprising) or exact < FLOOR or bool(mended) or stale)


def weighted(rows):
    """The same by how often programs call each name (`frequency.txt`), and how many of JAX's own names are exact in every call."""
    found, often = {}, {}
    for name, _, _, _, what in rows:
        found.setdefault(name, Counter())[what] += 1
    for line in FREQUENCY.read_text("utf-8").splitlines():
        name, _, calls = line.rpartition(" ")
        if name in found:
            often[name] = int(calls)
    total = sum(often.values()) or 1
    shares = {what: 100 * sum(calls * found[name][what] / found[name].total() for name, calls in often.items()) / total
              for what in ("exact", "unknown")}
    own = [c for name, c in found.items() if name not in WHOLE and not name.startswith(("np.", "N34."))]
    whole, right = sum(c["exact"] == c.total() for c in own), sum(c["exact"] + c["unknown"] == c.total() for c in own)
    return (f"weighted by {total} calls of programs: exact {shares['exact']:.2f} %, unknown {shares['unknown']:.2f} %; of {len(own)} names of JAX "
            f"{whole} ({100 * whole / max(len(own), 1):.1f} %) are exact in every call, {right} nowhere wrong")


def coverage(rows):
    """The page: a table of modules, and the names that are not wholly exact."""
    modules, order = {}, []
    for name, _, _, _, what in rows:
        module = WHOLE.get(name) or name.rpartition(".")[0]
        modules.setdefault(module, {}).setdefault(name, Counter())[what] += 1
    lines = ["# Coverage", "", "Every public name of these modules was called with arguments made from its signature (`tests/sweep`): arrays of several types and ranks,",
             "Python's and NumPy's values, options, and under `jit`, `vmap` and `grad`. The table counts names, and calls whose type (shape, dtype, weak type)",
             "or class of exception is the one of JAX 0.10.2 (*exact*), is not known to jitlens, or differs (*wrong*). It is printed by",
             "`python3 tests/sweep/run.py check --write`.", "",
             "| module | names | all calls exact | some exact | none | calls | exact | unknown | wrong |", "|---|---|---|---|---|---|---|---|---|"]
    totals = Counter()
    for module, found in sorted(modules.items()):
        calls = sum(found.values(), Counter())
        whole = sum(c["exact"] == c.total() for c in found.values())
        none = sum(not c["exact"] for c in found.values())
        row = {"names": len(found), "whole": whole, "some": len(found) - whole - none, "none": none, "calls": calls.total(), "exact": calls["exact"],
               "unknown": calls["unknown"], "wrong": calls.total() - calls["exact"] - calls["unknown"]}
        totals.update(row)
        lines.append(f"| `{shown(module)}` | " + " | ".join(f"{n:,}" for n in row.values()) + " |")
    lines += ["| **all** | " + " | ".join(f"{totals[k]:,}" for k in ("names", "whole", "some", "none", "calls", "exact", "unknown", "wrong")) + " |", "",
              "Names of which no call is known:", ""]
    for module, found in sorted(modules.items()):
        missing = [name.rpartition(".")[2] for name, c in found.items() if not c["exact"]]
        if missing:
            lines.append(f"- `{shown(module)}`: " + ", ".join(f"`{name}`" for name in missing))
    lines += ["", "Names of which some calls are not known:", ""]
    for module, found in sorted(modules.items()):
        partly = [f"`{name.rpartition('.')[2]}` {c['unknown']}" for name, c in found.items() if c["exact"] and c["unknown"]]
        if partly:
            lines.append(f"- `{shown(module)}`: " + ", ".join(partly))
    return "\n".join(lines) + "\n"


def shown(module):
    return {"F34": "jax.Array", "N34": "numpy.ndarray", "jnp": "jax.numpy", "np": "numpy", "lax": "jax.lax"}.get(module, module)


def short(answer):
    return "nothing" if answer is None else answer.replace("\n", "\\n")[:80]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="ask real JAX and write answers.json")
    recording.add_argument("only", nargs="*", help="modules, as the sweep's programs write them (`jnp.linalg`, `arrays`)")
    recording.add_argument("--seed", default="", help="draw other calls, which belong into another file")
    checking = commands.add_parser("check", help="hold jitlens against answers.json")
    checking.add_argument("only", nargs="*", help="beginnings of names")
    checking.add_argument("--jitlens", type=Path, default=ROOT / "target/debug/jitlens")
    checking.add_argument("--list", action="store_true", help="show what is known to be wrong, too")
    checking.add_argument("--all", action="store_true", help="show what is unknown, too")
    checking.add_argument("--accept", action="store_true", help="write what is wrong now to known.txt")
    checking.add_argument("--write", action="store_true", help="write docs/coverage.md, and take out of known.txt what is mended")
    for command in recording, checking:
        command.add_argument("--answers", type=Path, default=ANSWERS, help="the file of answers")
    options = parser.parse_args()
    os.nice(10)
    if options.command == "record":
        return record(options.only, options.seed, options.answers)
    options.jitlens = options.jitlens.resolve()
    return 1 if check(options) else 0


if __name__ == "__main__":
    sys.exit(main())
