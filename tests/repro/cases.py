"""Every API that takes functions, nested three deep: round trips of the programs of `cases`.

Each program calls `case` and keeps what it gives in `result`. A comment `# fault: …` stands for a statement that cannot be traced.
"""

import math
import pathlib
import tempfile

from shared import HERE, ROOT, is_same, jitlens, under_jax

CLOSE = 1e-3


def are_close(found, wanted):
    """Whether numbers are the same but for what rounding does to them."""
    if len(found) != len(wanted) or any(len(a) != len(b) for a, b in zip(found, wanted)):
        return False
    for a, b in zip(found, wanted):
        size = max([abs(n) for n in b if math.isfinite(n)], default=0.0)
        if not all(x == y or abs(x - y) <= CLOSE * size or x != x and y != y for x, y in zip(a, b)):
            return False
    return True


def cases(options):
    files = sorted((HERE / "cases").glob("*.py"))
    if options.names:
        files = [file for file in files if any(file.stem.startswith(name) for name in options.names)]
    files = files[:: options.sample]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        faulty = {}
        for file in files:
            text = file.read_text()
            assert "# fault: " in text, file
            faulty[file.stem] = folder / file.name
            faulty[file.stem].write_text(text.replace("# fault: ", ""))
        exact = ["--data", "exact", "--literals", "4", "--force", "--level", options.level]
        functions = {file.stem: f"{file.relative_to(ROOT)}::case" for file in files}
        last = {file.stem: f"{file.relative_to(ROOT)}:{len(file.read_text().splitlines())}" for file in files}
        made = {
            "function": jitlens(options.jitlens, list(functions.values()), *exact, "-o", str(folder / "function")),
            "call": jitlens(options.jitlens, list(last.values()), *exact, "-o", str(folder / "call")),
            "error": jitlens(options.jitlens, [str(path) for path in faulty.values()], "--level", options.level),
        }
        rows = {
            "function": {name: made["function"].get(target) for name, target in functions.items()},
            "call": {name: made["call"].get(target) for name, target in last.items()},
            "error": {name: made["error"].get(str(path)) for name, path in faulty.items()},
        }
        texts = {f"truth {file.stem}": {"text": file.read_text() + "\nresult\n", "path": str(file)} for file in files}
        texts |= {f"raises {name}": {"text": path.read_text(), "path": str(path)} for name, path in faulty.items()}
        for kind, found in rows.items():
            texts |= {f"{kind} {name}": {"text": row["text"], "path": row["path"] or "x.py"} for name, row in found.items() if row}
        did = under_jax(options.python, texts)
    good, percent = {}, []
    for kind, found in rows.items():
        bad = []
        for name, row in found.items():
            truth, was = did[f"raises {name}" if kind == "error" else f"truth {name}"], did.get(f"{kind} {name}")
            if kind == "error":
                same = is_same(was, truth)
            else:
                same = was is not None and was[:2] == truth[:2] and are_close(was[2], truth[2])
            if not same:
                bad.append((name, truth, was, row and row["unverified"]))
            elif row["unverified"]:
                bad.append((name, "the same under JAX", "not under jitlens", row["unverified"]))
        for name, truth, was, why in bad if options.list else []:
            print(f"{kind} {name}\n  wanted {str(truth)[:400]}\n  found  {str(was)[:400]}\n  jitlens {why}")
        good[kind] = len(found) - len(bad)
        percent.append(100 * good[kind] / len(found))
    print(f"{len(files)} programs: {good['function']} functions and {good['call']} calls give the same numbers, {good['error']} faults raise the same, under both")
    return min(percent)
