#!/usr/bin/env python3
"""Graphs and numbers of functions, beside what the sweep compares of their types.

`graphs.txt` has expressions that give graphs, whose texts have to be those of real JAX but for line breaks and `np.int64(1)` for `1`;
`values.txt` has expressions that give arrays, whose numbers have to be close to JAX's. `texts.py record` asks real JAX and writes
`graphs.json` and `values.json`; `texts.py check` compares, and fails for what differs and is not in `texts_known.txt`, or is there and
does not differ. `--accept` writes that list, `--diff` shows how graphs differ.
"""
import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import run
from oracle import env

HERE = Path(__file__).resolve().parent
KNOWN = HERE / "texts_known.txt"
PIECE, PIECES = 290, {"graphs": 60, "values": 3}
SHOWN = 40          # numbers of one expression
TEXTS = '''
def numbers(tree):
    found = []
    for leaf in jax.tree.leaves(tree):
        x = np.asarray(leaf)
        if np.iscomplexobj(x):
            found += np.ravel(x.real).tolist() + np.ravel(x.imag).tolist()
        else:
            found += np.ravel(x.astype(np.float64)).tolist()
    return " ".join(["%.6e" % one for one in found[:SHOWN]])


def shown(kind, call):
    try:
        return str(call()) if kind == "graphs" else numbers(call())
    except Exception as error:
        return "!" + type(error).__name__
'''.replace("SHOWN", str(SHOWN))


def expressions(kind):
    return [line for line in (HERE / f"{kind}.txt").read_text("utf-8").splitlines() if line.strip()]


def record():
    script = (HERE / "ask.py").read_text("utf-8") + TEXTS + '''
import json, sys
given = json.load(sys.stdin)
print(json.dumps({kind: {one: shown(kind, eval("lambda: " + one)) for one in of} for kind, of in given.items()}))
'''
    ran = subprocess.run([env.interpreter(), "-W", "ignore", "-c", script], input=json.dumps({kind: expressions(kind) for kind in PIECES}),
                         capture_output=True, text=True, env=env.clean_environment(), check=True)
    for kind, found in json.loads(ran.stdout.splitlines()[-1]).items():
        (HERE / f"{kind}.json").write_text(json.dumps(found, indent=0) + "\n", "utf-8")


def ours(jitlens, kind):
    """What jitlens shows: a text is taken apart, each piece spelled by the shape of an array."""
    head = (HERE / "ask.py").read_text("utf-8") + TEXTS
    given, pieces = expressions(kind), PIECES[kind]
    lines = []
    for one in given:
        lines.append(f"_text = shown({kind!r}, lambda: {one})")
        lines += [f"say(lambda: _text[{PIECE * i}:{PIECE * (i + 1)}])" for i in range(pieces)]
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "texts.py").write_text(head + "\n".join(lines) + "\n", "utf-8")
        ran = subprocess.run([jitlens, "values", "texts.py", "--format", "json"], cwd=place, capture_output=True, text=True)
    first, found = head.count("\n") + 1, {}
    for row in json.loads(ran.stdout)["exprs"]:
        line, column = row["range"][:2]
        if column == 0 and line >= first and len(row["avals"]) == 1 and row["avals"][0].startswith("np:f64[0"):
            found[line - first] = run.spelled(row["avals"][0])[1:-1]
    texts = {}
    for number, one in enumerate(given):
        parts = [found.get(number * (pieces + 1) + 1 + i) for i in range(pieces)]
        texts[one] = None if None in parts else "".join(parts)
    return texts


def alike(kind, real, found):
    if found is None or kind == "graphs":
        return found is not None and plain(real) == plain(found)
    if real.startswith("!") or found.startswith("!"):
        return real == found
    ones, others = [[float(x) for x in text.split()] for text in (real, found)]
    largest = max([abs(x) for x in ones if abs(x) < 1e30] + [1e-3])
    return len(ones) == len(others) and all(
        a == b or a != a and b != b or abs(a - b) <= 2e-4 * max(abs(a), abs(b)) + 2e-6 * largest for a, b in zip(ones, others))


def plain(text):
    return "".join(re.sub(r"np\.int64\((-?\d+)\)", r"\1", text).split())


def check(options):
    excused = {line for line in KNOWN.read_text("utf-8").splitlines() if line and not line.startswith("#")} if KNOWN.exists() else set()
    bad = set()
    for kind in PIECES:
        real, found = json.loads((HERE / f"{kind}.json").read_text("utf-8")), ours(options.jitlens, kind)
        differ = [one for one in real if not alike(kind, real[one], found.get(one))]
        same = sum(real[one] == found.get(one) for one in real)
        print(f"{kind}: {len(real)}, alike {len(real) - len(differ)}" + (f", letter for letter {same}" if kind == "graphs" else ""))
        for one in differ:
            bad.add(one)
            if one not in excused or options.diff:
                print(f"differs: {one}")
            if options.diff:
                print("\n".join(difflib.unified_diff((found.get(one) or "").split("\n"), real[one].split("\n"), "jitlens", "JAX", lineterm="", n=1)))
    if options.accept:
        KNOWN.write_text("# Expressions of graphs.txt and values.txt that differ from JAX. Written by `texts.py check --accept`.\n"
                         + "".join(f"{one}\n" for one in sorted(bad)), "utf-8")
        return False
    for one in sorted(excused - bad):
        print(f"differs no longer, take it out of texts_known.txt: {one}")
    return bad != excused


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["record", "check"])
    parser.add_argument("--jitlens", type=Path, default=run.ROOT / "target/debug/jitlens")
    parser.add_argument("--accept", action="store_true", help="write what differs now to texts_known.txt")
    parser.add_argument("--diff", action="store_true", help="show how graphs differ")
    options = parser.parse_args()
    if options.command == "record":
        return record()
    options.jitlens = options.jitlens.resolve()
    return 1 if check(options) else 0


if __name__ == "__main__":
    sys.exit(main())
