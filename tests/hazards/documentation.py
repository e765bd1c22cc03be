#!/usr/bin/env python3
"""Looks for false alarms in the documentation of JAX and of libraries for it: `python3 tests/hazards/documentation.py FOLDER...`.

Each folder is a checkout of a repository (`jax`, `flax`, `equinox`, `optax`), nothing of which is kept here. Its notebooks, its pages
with cells of Python and its examples are run under real JAX, one statement of the module after another: pages show errors on
purpose, and what stands behind one still runs. An error that jitlens tells in a statement that does not raise is a false alarm. What
runs clean from the first statement to the last is listed by name, and what jitlens says of it that is no error.

Needs an environment with the libraries, named by `VIRTUAL_ENV`, and runs in it.
"""

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "docs_nnx", "examples")
FENCE = re.compile(r"^```(?:\{code-cell\}|python|py)\b.*?\n((?:---\n.*?---\n|:[\w-]+:.*\n)*)(.*?)^```\s*$", re.M | re.S)
NO_PROGRAM = re.compile(r"(^|/)(conf\w*|_ext|ext|_script\w*|setup)(/|\.py$)|_test\.py$|(^|/)test_[^/]*\.py$|/autodidax2_part1\.md$")


def programs(folder):
    """The programs of a checkout: name, text of Python. A notebook stands for the page of the same name."""
    for path in sorted(path for top in FOLDERS for path in (folder / top).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if NO_PROGRAM.search(name):
            continue
        text = None
        if path.suffix == ".ipynb":
            cells = json.loads(path.read_text())["cells"]
            text = "\n\n".join(plain("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code")
        elif path.suffix == ".md" and not path.with_suffix(".ipynb").exists():
            text = "\n\n".join(plain(prompts(fence[2])) for fence in FENCE.finditer(path.read_text()))
        elif path.suffix == ".py" and not any(path.with_suffix(other).exists() for other in (".ipynb", ".md")):
            text = path.read_text() if name.startswith("examples/") else None
        if text and text.strip():
            yield name, text + "\n"


def plain(cell):
    """A cell without magics and commands of the shell."""
    if cell.lstrip().startswith("%%"):
        return ""
    return re.sub(r"^(\s*)[!%].*$", r"\1pass", cell, flags=re.M)


def prompts(cell):
    """What is typed in a session of the interpreter."""
    if not re.search(r"^>>> ", cell, re.M):
        return cell
    return "\n".join(line[4:] for line in cell.splitlines() if line.startswith((">>> ", "... ")) or line in (">>>", "..."))


def observe(path, seconds):
    """Runs a program, one statement after another: the first and last line of each that raises, and of the first that was not run."""
    def late(*_):
        raise SystemExit("late")

    text = Path(path).read_text()
    raised, names = [], {"__name__": "__main__", "__file__": path}
    sys.argv = [path]
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    left = None
    for stmt in ast.parse(text).body:
        code = compile(ast.Module([stmt], []), path, "exec")
        first = min([stmt.lineno, *(d.lineno for d in getattr(stmt, "decorator_list", []))])
        try:
            exec(code, names)
        except BaseException as error:  # noqa: BLE001
            if str(error) == "late":
                left = first
                break
            raised.append([first, stmt.end_lineno, type(error).__name__])
    return {"raised": raised, "left": left}


def seen_by_jax(path, beside, seconds):
    """What JAX says of a program: see `observe`."""
    env = {**os.environ, "MPLBACKEND": "agg", "JAX_PLATFORMS": "cpu"}
    try:
        ran = subprocess.run([sys.executable, __file__, "--observe", path, "--seconds", str(seconds)],
                             cwd=beside, env=env, capture_output=True, text=True, timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        return {"raised": [], "left": 1}
    answer = [line for line in ran.stdout.splitlines() if line.startswith("OBSERVED ")]
    return json.loads(answer[-1].split(" ", 1)[1]) if answer else {"raised": [[1, 10**9, "ended"]], "left": 1}


def examine(name, text, folder, options, seen):
    """What JAX and jitlens say of a program; `seen` is what JAX said before, if that is known."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {"name": name, "kind": "no program"}
    # Beside the files that it imports.
    beside = folder / Path(name).parent
    with tempfile.NamedTemporaryFile("w", suffix=".py", dir=beside, delete=False) as file:
        file.write(text)
    seen = seen or seen_by_jax(file.name, beside, options.seconds)
    try:
        checked = subprocess.run([options.jitlens, "check", file.name, "--format", "json"], cwd=beside, capture_output=True, text=True,
                                 timeout=options.seconds + 120)
        rows = json.loads(checked.stdout)["diagnostics"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        rows = None
    finally:
        os.unlink(file.name)
    if rows is None:
        return {"name": name, "kind": "not checked"}
    own = os.path.basename(file.name)
    false, unproved, told = [], [], []
    spans = [(min([s.lineno, *(d.lineno for d in getattr(s, "decorator_list", []))]), s.end_lineno) for s in tree.body]
    for row in rows:
        said = [row["range"][0], row["rule"], row["message"].splitlines()[0][:100]]
        if row["severity"] != "error":
            told.append(said)
            continue
        lines = [at["range"][0] for at in [row, *row["related"]] if at["file"].endswith(own)]
        tops = [span for line in lines for span in spans if span[0] <= line <= span[1]]
        if any(first <= line <= last for line in lines for first, last, _ in seen["raised"]):
            continue
        is_left = seen["left"] is not None and any(top[1] >= seen["left"] for top in tops)
        (unproved if is_left else false).append(said)
    kind = "clean" if not seen["raised"] and seen["left"] is None else "raises" if seen["left"] is None else "late"
    return {"name": name, "kind": kind, "raised": seen["raised"], "left": seen["left"], "false": false, "unproved": unproved, "told": told}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--seconds", type=int, default=40, help="that long may a program run under JAX")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    parser.add_argument("--keep", type=Path, help="a file of rows: what is in it is not looked at again")
    parser.add_argument("--again", action="store_true", help="with --keep: ask jitlens anew, and leave to JAX what is in the file")
    parser.add_argument("--names", action="store_true", help="print the names of the clean ones, folder by folder")
    parser.add_argument("--observe", help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    if options.observe:
        print("\nOBSERVED " + json.dumps(observe(options.observe, options.seconds)), flush=True)
        os._exit(0)
    kept = {}
    if options.keep and options.keep.exists():
        kept = {(row["folder"], row["name"]): row for row in map(json.loads, options.keep.read_text().splitlines())}
    wrong = 0
    for folder in options.folders:
        rows = []
        for name, text in programs(folder.resolve()):
            if options.only not in name:
                continue
            row = kept.get((folder.name, name))
            if row is None or options.again:
                before = {"raised": row["raised"], "left": row["left"]} if row and "raised" in row else None
                row = {"folder": folder.name, **examine(name, text, folder.resolve(), options, before)}
            rows.append(row)
            if options.keep and (folder.name, name) not in kept:
                with options.keep.open("a") as out:
                    out.write(json.dumps(row) + "\n")
            for line, rule, message in row.get("false", []):
                wrong += 1
                print(f"{folder.name}/{name}: {line}: {rule}: {message}", flush=True)
        kinds = Counter(row["kind"] for row in rows)
        clean = [row for row in rows if row["kind"] == "clean"]
        silent = [row for row in clean if not row["false"] and not row["told"]]
        print(f"{folder.name}: {len(rows)} programs ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}); of those that run "
              f"clean {len(silent)} are told nothing of, {len(clean) - len(silent)} something; "
              f"{sum(len(row.get('false', [])) for row in rows)} false errors, {sum(len(row.get('unproved', [])) for row in rows)} not reached",
              flush=True)
        if options.names:
            for top, group in grouped(clean):
                print(f"* {folder.name}, `{top}`: {', '.join(group)}")
    return 1 if wrong else 0


def grouped(rows):
    """Names by folder; what is told of them, but for errors, in parentheses."""
    groups = {}
    for row in rows:
        path = Path(row["name"])
        rules = sorted({rule for _, rule, _ in row["told"] + row["false"]})
        groups.setdefault(path.parent.as_posix(), []).append(path.stem + (f" ({', '.join(rules)})" if rules else ""))
    return sorted(groups.items())


if __name__ == "__main__":
    sys.exit(main())
