#!/usr/bin/env python3
"""Holds the programs of docs/rules against real JAX, and jitlens against both: `python3 tests/hazards/run.py --help`.

Each page of a rule has pairs of sections, `What is found` and `Mended`. A pair is proved where the first program raises and the
second does not, or where both run and differ: in numbers (of a name that both bind, or in what they print), in how often JAX
traces, in what it warns of or logs, or where the first has a much larger program compiled. jitlens has to find the rule in the first program, and nothing in the second.

With `--titles`, the pairs that `titles.toml` names for each title of the catalogue are counted: a title is found where all of its bad programs
are, each on its line, and nothing is found in the good ones.

With `--fixes`, each fix that a program of `tests/hazards/pairs` (or a page, or a folder of files) is offered is applied: the program still has to
parse, what was found has to be gone, nothing new may be found, and JAX has to run it; where only time was lost, with the same numbers.

With `--pairs`, the programs of `tests/hazards/pairs` are taken instead: `Bad` ones have the line to mend marked by `# here`, where
anything has to be found, `Good` ones and `Right` ones (that look like bad ones, and are not) run clean, and nothing may be found in them.
"""

import argparse
import ast
import io
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^## (What is found|Mended)(.*)$", re.M)
PROGRAM = re.compile(r"^```py\n(.*?)^```$", re.M | re.S)


def pairs(page):
    """The pairs of programs of a page: bad, mended."""
    text = page.read_text()
    heads = list(SECTION.finditer(text))
    found = {}
    for head, after in zip(heads, heads[1:] + [None]):
        section = text[head.end():after.start() if after else None]
        program = PROGRAM.search(section.split("\n## ")[0])
        if program:
            found.setdefault(head[2].strip(": "), {}).setdefault(head[1], program[1])
    return [(title, both["What is found"], both["Mended"]) for title, both in found.items() if len(both) == 2]


HERE = re.compile(r"^## (Bad|Good|Right): (.*)$", re.M)
FILE = re.compile(r"^(?:`([\w/]+\.py)`:\n\n)?```py\n(.*?)^```$", re.M | re.S)
MAIN = "program.py"
# Constants of so many bytes are copied into programs at a price.
MANY_BYTES = 1_000_000
# A program so many times as long as another one takes longer to compile.
MUCH_MORE = 1.25
# What costs time gives the same numbers when it is mended, but for these rules.
MENDS_NUMBERS = ["unstable-log"]


def written(page):
    """The programs of a page of pairs: kind, title, texts by file; the block that names no file is the program that is run."""
    text = page.read_text()
    heads = list(HERE.finditer(text))
    for head, after in zip(heads, heads[1:] + [None]):
        section = text[head.end():after.start() if after else None]
        yield head[1], head[2], {file[1] or MAIN: file[2] for file in FILE.finditer(section)}


def check_pairs(options):
    """Counts what is found in the programs of `tests/hazards/pairs`; how many do not hold, apart from those that are known."""
    pages = sorted((ROOT / "tests/hazards/pairs").glob("*.md"))
    pages = [page for page in pages if not options.rules or page.stem in options.rules]
    known = {line.split(": ", 1)[1] for line in (ROOT / "tests/hazards/known.txt").read_text().splitlines() if line}
    bad, marked, clean, silent, wrong, proofs = 0, 0, 0, 0, 0, Counter()
    for page in pages:
        programs = list(written(page))
        good = {title: program for kind, title, program in programs if kind == "Good"}
        for kind, title, program in programs:
            rows = diagnostics(options.jitlens, program)
            if kind == "Bad":
                lines = {(name, i) for name, text in program.items() for i, line in enumerate(text.splitlines(), 1) if "# here" in line}
                holds = any((row["file"], row["range"][0]) in lines for row in rows)
                bad, marked = bad + 1, marked + holds
                if not options.quick:
                    how = proof(run(program), run(good[title]))
                    proofs[how] += 1
                    if options.list:
                        print(f"{page.stem}: {title}: {how or 'no difference in what it does'}")
            else:
                holds = not rows and (options.quick or not run(program)["raised"])
                clean, silent = clean + 1, silent + holds
            if not holds:
                wrong += title not in known
                print(f"{page.stem}: {title} ({kind}): {'known; ' if title in known else ''}"
                      + (", ".join(f"{'' if row['file'] == MAIN else row['file'] + ' '}line {row['range'][0]}: {row['rule']}" for row in rows)
                         or "nothing found"))
    if proofs:
        print(f"proved under JAX: {bad - proofs[None]} of {bad} (" + ", ".join(f"{n} {how}" for how, n in proofs.most_common() if how) + ")")
    print(f"{marked} of {bad} bad programs found on their line, nothing found in {silent} of {clean} right ones")
    return wrong


def check_titles(options):
    """Counts the titles of the catalogue whose pairs are all found; which are not."""
    titles = tomllib.loads((ROOT / "tests/hazards/titles.toml").read_text())
    programs = {}
    for page in sorted((ROOT / "tests/hazards/pairs").glob("*.md")):
        for kind, title, program in written(page):
            if kind != "Right":
                programs[kind, title] = (page.stem, program)
    with ThreadPoolExecutor(2) as pool:
        judged = dict(zip(programs, pool.map(lambda key: judge(options.jitlens, key[0], programs[key][1]), programs)))
    rows, found = [], 0
    for name, entry in titles.items():
        misses = [f"{kind}: {pair}" for pair in entry["pairs"] for kind in ("Bad", "Good") if not judged[kind, pair][0]]
        rules = sorted({rule for pair in entry["pairs"] for rule in judged["Bad", pair][1]})
        found += not misses
        rows.append((name, entry["title"], rules, entry["pairs"], misses))
        if misses or options.list:
            print(f"{name} {entry['title']}: {', '.join(rules) or 'nothing'}" + "".join(f"; not right: {miss}" for miss in misses))
    total = f"{found} of {len(titles)} titles found on their line in all their pairs, their good programs clean"
    print(total)
    if options.write:
        write_titles(rows, total, {title: page for (_, title), (page, _) in programs.items()})
    return len(titles) - found


def judge(jitlens, kind, program):
    """Whether a program is judged right, and by which rules a bad one is found on its line."""
    rows = diagnostics(jitlens, program)
    if kind != "Bad":
        return not rows, []
    lines = {(name, i) for name, text in program.items() for i, line in enumerate(text.splitlines(), 1) if "# here" in line}
    rules = [row["rule"] for row in rows if (row["file"], row["range"][0]) in lines]
    return bool(rules), rules


def write_titles(rows, total, pages):
    """The table of titles in docs/hazards.md."""
    page = ROOT / "docs/hazards.md"
    head = page.read_text().split("```text\n")[0]
    table = ["| title | what | rules that tell it | programs |", "|---|---|---|---|"]
    for name, title, rules, pairs, misses in rows:
        links = ", ".join(f"[`{rule}`](rules/{rule}.md)" if rule != "exception" else "`exception`" for rule in rules) or "–"
        missed = {miss.split(": ", 1)[1] for miss in misses}
        programs = "; ".join(f"{pages[pair]}: {pair}" + (" (not found)" if pair in missed else "") for pair in pairs)
        table.append(f"| {name} | {title} | {links} | {programs} |")
    page.write_text(f"{head}```text\n{total}\n```\n\n" + "\n".join(table) + "\n")


def check_fixes(options):
    """Applies each fix of each program, alone, and looks at what is left; how many do not hold."""
    if options.folder:
        files = sorted(Path(options.folder).glob("[JE]*_bad.py"))
        programs = [(path.stem, {MAIN: path.read_text()}) for path in files]
    else:
        pages = sorted((ROOT / "tests/hazards/pairs").glob("*.md"))
        pages = [page for page in pages if not options.rules or page.stem in options.rules]
        programs = [(f"{page.stem}: {title}", program) for page in pages for kind, title, program in written(page) if kind == "Bad"]
    offered, applied, wrong = 0, 0, 0
    for title, program in programs:
        rows = diagnostics(options.jitlens, program)
        before = Counter((row["file"], row["rule"]) for row in rows if row["severity"] != "hint")
        fixes = [(row, fix) for row in rows for fix in row["fixes"]]
        offered += bool(fixes)
        was = run(program) if fixes and not options.quick else None
        for row, fix in fixes:
            applied += 1
            new = edited(program, fix["edits"])
            says = []
            try:
                for name, text in new.items():
                    compile(text, name, "exec")
            except SyntaxError as error:
                says.append(f"does not parse: {error}")
            after = Counter((own["file"], own["rule"]) for own in diagnostics(options.jitlens, new) if own["severity"] != "hint")
            if after[row["file"], row["rule"]] >= before[row["file"], row["rule"]]:
                says.append("is told as before")
            says += [f"{rule} is new" for (_, rule), count in (after - before).items()]
            if was is not None and not says:
                now = run(new)
                if now["raised"] and not was["raised"]:
                    says.append(f"raises {now['raised']}")
                same = not was["raised"] and row["severity"] == "information" and row["rule"] not in MENDS_NUMBERS
                if same and was["printed"] != now["printed"]:
                    says.append("prints something else")
                if same:
                    both = (was["values"].keys() & now["values"].keys()) - left_over(program[MAIN])
                    says += [f"{name} is another" for name in sorted(both) if was["values"][name] != now["values"][name]]
                if now["raised"] and now["raised"] == was["raised"] and row["severity"] == "error" and not after:
                    says.append(f"still raises {now['raised']}")
            wrong += bool(says)
            if says or options.list:
                print(f"{title}: {row['rule']}: {fix['title']}" + "".join(f"; {text}" for text in says))
    print(f"{len(programs)} programs, {offered} are offered a fix; {applied} fixes applied, {applied - wrong} right")
    return wrong


def left_over(text):
    """Names of a module that its loops leave behind, and that nothing reads there: fewer rounds leave others."""
    tree, names = ast.parse(text), set()
    for loop in [node for node in tree.body if isinstance(node, ast.For)]:
        bound = {node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        carried = {node.id for own in loop.body for node in ast.walk(own) if isinstance(node, ast.Assign)
                   for node in ast.walk(node.value) if isinstance(node, ast.Name)}
        indices = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        read = {node.id for node in ast.walk(tree)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.lineno > loop.end_lineno}
        names |= ((bound - carried) | indices) - read
    return names


def edited(program, edits):
    """The texts of a program with the edits of a fix."""
    new = dict(program)
    for name in {edit["file"] for edit in edits}:
        data = new[name].encode()
        starts = [0]
        for line in data.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        own = [edit for edit in edits if edit["file"] == name]
        for edit in sorted(own, key=lambda edit: edit["range"], reverse=True):
            first, column, last, end = edit["range"]
            data = data[:starts[first - 1] + column] + edit["text"].encode() + data[starts[last - 1] + end:]
        new[name] = data.decode()
    return new


def run(program):
    """What a program (a text, or texts by file) does under JAX, in a process of its own."""
    files = {MAIN: program} if isinstance(program, str) else program
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out, folder_of(files) as folder:
            sys.path.insert(0, folder)
            json.dump(observe(files[MAIN]), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"raised": "the process ended"}


def observe(program):
    import jax
    import numpy

    # From here on JAX warns of constants that a compiled function holds.
    jax.config.update("jax_captured_constants_warn_bytes", MANY_BYTES)
    traces, logged, sizes = [], [], []
    kept = logging.Handler()
    kept.emit = lambda record: logged.append(record.getMessage()) if not record.name.startswith("jax") else None
    logging.getLogger().addHandler(kept)
    logging.getLogger().setLevel(logging.INFO)
    measure_programs(sizes)
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, duration, fun_name="", **_: traces.append(fun_name) if event.endswith("jaxpr_trace_duration") else None)
    out, raised, names = io.StringIO(), None, {"__name__": "__main__"}
    with redirect_stdout(out), redirect_stderr(out), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(compile(program, "program.py", "exec"), names)
            jax.effects_barrier()
        except BaseException as error:  # noqa: BLE001
            raised = type(error).__name__
    values = {}
    for name, value in names.items():
        if isinstance(value, (bool, int, float, str, numpy.ndarray, jax.Array)) and not name.startswith("__"):
            try:
                values[name] = repr(numpy.asarray(value).tolist())
            except Exception:  # noqa: BLE001
                values[name] = "no numbers"
    return {"raised": raised, "printed": out.getvalue(), "values": values, "traces": Counter(traces), "logged": logged, "size": sum(sizes),
            "warned": sorted({type(w.message).__name__ for w in warned})}


def measure_programs(sizes):
    """Notes how long the text of each program is that is handed to the compiler, constants included."""
    from jax._src import compiler

    compiled = compiler.compile_or_get_cached

    def measured(backend, computation, *args, **kwargs):
        sizes.append(len(str(computation)))
        return compiled(backend, computation, *args, **kwargs)

    compiler.compile_or_get_cached = measured


def proof(bad, good):
    """What shows that the first program is bad and the second is not; None where nothing does."""
    if good["raised"]:
        return None
    if bad["raised"]:
        return "raises"
    both = bad["values"].keys() & good["values"].keys()
    if bad["printed"] != good["printed"] or any(bad["values"][name] != good["values"][name] for name in both):
        return "other numbers"
    if bad["warned"] != good["warned"]:
        return "warns"
    shared = bad["traces"].keys() & good["traces"].keys()
    if sum(bad["traces"].values()) > sum(good["traces"].values()) or any(bad["traces"][name] > good["traces"][name] for name in shared):
        return "traces more"
    if bad["logged"] != good["logged"]:
        return "logs other lines"
    if bad["size"] > MUCH_MORE * good["size"]:
        return "compiles a larger program"
    return None


def found(jitlens, program):
    return [row["rule"] for row in diagnostics(jitlens, program) if row["severity"] != "hint"]


def diagnostics(jitlens, program):
    files = {MAIN: program} if isinstance(program, str) else program
    with folder_of(files) as folder:
        ran = subprocess.run([jitlens, "check", MAIN, "--format", "json"], capture_output=True, text=True, cwd=folder)
        if not ran.stdout:
            sys.exit(f"jitlens ended with {ran.returncode}: {ran.stderr.strip()}")
        return json.loads(ran.stdout)["diagnostics"]


@contextmanager
def folder_of(files):
    """A folder with these files, without what their comments expect."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(re.sub(r"  # (raises|diag|hover|eval|key).*", "", text))
        yield folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--list", action="store_true", help="print how each pair is proved")
    parser.add_argument("--pairs", action="store_true", help="the programs of tests/hazards/pairs (Flax, Equinox and optax have to be there)")
    parser.add_argument("--titles", action="store_true", help="count the titles of the catalogue (the same packages have to be there)")
    parser.add_argument("--write", action="store_true", help="with --titles: write the table of docs/hazards.md")
    parser.add_argument("--fixes", action="store_true", help="apply the fixes that the pairs are offered")
    parser.add_argument("--folder", help="with --fixes: the `[JE]*_bad.py` of a folder in place of the pairs")
    parser.add_argument("--quick", action="store_true", help="with --pairs and --fixes: without real JAX")
    parser.add_argument("rules", nargs="*", help="these rules (or pages of pairs) alone")
    options = parser.parse_args()
    if options.titles:
        return 1 if check_titles(options) else 0
    if options.pairs or options.fixes:
        if not options.quick:
            import jax  # noqa: F401  (once, for all that are forked)
        return 1 if (check_fixes if options.fixes else check_pairs)(options) else 0
    import jax  # noqa: F401  (once, for all that are forked)

    pages = [page for page in sorted((ROOT / "docs/rules").glob("*.md")) if page.stem != "README"]
    pages = [page for page in pages if not options.rules or page.stem in options.rules]
    proofs, told, silent, wrong, count = Counter(), 0, 0, 0, 0
    for page in pages:
        for title, bad, good in pairs(page):
            count += 1
            before, after = run(bad), run(good)
            how = proof(before, after)
            finds = page.stem in found(options.jitlens, bad)
            clean = not found(options.jitlens, good)
            proofs[how] += 1
            told += finds
            silent += clean
            failed = bool(after["raised"]) or not finds or not clean
            wrong += failed
            if options.list or failed:
                name = page.stem + (f" ({title})" if title else "")
                says = [] if finds else ["not found"]
                says += [] if clean else ["something is found in the mended one"]
                says += [f"the mended one raises {after['raised']}"] if after["raised"] else []
                print(f"{name}: {how or 'no difference in what it does'}{'; ' if says else ''}{', '.join(says)}")
    kinds = ", ".join(f"{number} {how}" for how, number in proofs.most_common() if how)
    print(f"{len(pages)} rules, {count} pairs: {count - proofs[None]} proved by what JAX does ({kinds}), {proofs[None]} run alike")
    print(f"jitlens: {told} of {count} bad ones found, {silent} of {count} mended ones clean")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
