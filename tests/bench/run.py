#!/usr/bin/env python3
"""How fast jitlens is beside JAX and CPython, both measured in this run.

    python3 tests/bench/run.py                 all parts
    python3 tests/bench/run.py trace loops     some of: trace start unchanged loops algorithms rerun

Prints milliseconds and ratios; fails only when something does not run at all.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COPIES = 6  # traces in one program: the cost of one is the slope

TRACE = {
    "GPT, 12 layers: loss": ("gpt", "jax.make_jaxpr(lambda p, t: loss(p, t))(params, tokens)"),
    "GPT, 12 layers: loss and gradient": ("gpt", "jax.make_jaxpr(lambda p, t: jax.value_and_grad(loss)(p, t))(params, tokens)"),
    "GPT by scan: loss": ("gpt_scan", "jax.make_jaxpr(lambda p, t: loss(p, t))(params, tokens)"),
    "GPT by scan: loss and gradient": ("gpt_scan", "jax.make_jaxpr(lambda p, t: jax.value_and_grad(loss)(p, t))(params, tokens)"),
}

# Whole scripts behind one another: about 600 lines.
RERUN = ["cnn/main.py", "lstm/main.py", "image_restore/restore.py"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["trace", "start", "unchanged", "loops", "algorithms", "rerun"])
    parser.add_argument("--jitlens", default=str(ROOT / "target/release/jitlens"))
    parser.add_argument("--python", default=os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle/venv/bin/python")))
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for part in options.parts:
            PARTS[part](options, Path(folder))
    return 0


def warm(options, *files: Path, runs: int | None = None) -> list[list[float]]:
    """Milliseconds of each run of each file in one process of jitlens."""
    command = [options.jitlens, "bench", "--runs", str(runs or options.runs), *map(str, files)]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["files"]
    for row in rows:
        if row["problems"]:
            print(f"  ({row['file']}: {row['problems']} problems)")
    return [row["ms"] for row in rows]


def inside(options, code: str) -> list[float]:
    """The milliseconds that a Python program prints."""
    output = subprocess.run([options.python, "-c", code], check=True, capture_output=True, text=True, cwd=HERE).stdout
    return [float(word) for word in output.split()]


def table(title: str, peer: str, rows) -> None:
    print(f"\n{title}\n")
    print(f"| {'':34} | {peer:>12} | {'jitlens':>10} | {'ratio':>7} |")
    print(f"|{'-' * 36}|{'-' * 13}:|{'-' * 11}:|{'-' * 8}:|")
    for name, theirs, ours in rows:
        print(f"| {name:34} | {theirs:9.1f} ms | {ours:7.2f} ms | {theirs / ours:6.1f}x |", flush=True)


def trace(options, folder: Path) -> None:
    def rows():
        for name, (program, call) in TRACE.items():
            text = (HERE / "programs" / f"{program}.py").read_text()
            one, many = folder / "one.py", folder / "many.py"
            one.write_text(f"{text}\njaxpr = {call}\n")
            many.write_text(text + "".join(f"\njaxpr{i} = {call}" for i in range(COPIES)) + "\n")
            theirs = inside(
                options,
                f"import sys, time; sys.path.insert(0, 'programs'); from {program} import *\n{call}\n"
                f"for _ in range({options.runs}):\n"
                f"    start = time.perf_counter(); {call}; print((time.perf_counter() - start) * 1e3)\n",
            )
            first, rest = warm(options, one, many)
            yield name, min(theirs), (min(rest) - min(first)) / (COPIES - 1)

    table("Tracing in a warm process: `jax.make_jaxpr`, the best run", "JAX", rows())


def start(options, folder: Path) -> None:
    """Nothing is known of the file."""
    cold(options, folder, "From a cold start to the printed result", ["--no-cache"])


def unchanged(options, folder: Path) -> None:
    """The file was looked at by an earlier command, and nothing has changed since."""
    cold(options, folder, "From a cold start to the result of a file that has not changed", [])


def cold(options, folder: Path, what: str, arguments: list[str]) -> None:
    # jitlens reads libraries where the peer has them.
    environment = {
        **os.environ,
        "VIRTUAL_ENV": str(Path(options.python).parent.parent),
        "JITLENS_CACHE_DIR": str(folder / "cache"),
    }

    def seconds(command) -> float:
        begin = time.perf_counter()
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        return (time.perf_counter() - begin) * 1e3

    ratios = []

    def rows():
        gpt = folder / "gpt_train.py"
        text = (HERE / "programs" / "gpt.py").read_text()
        gpt.write_text(text + "\nvalue, gradient = jax.jit(jax.value_and_grad(loss))(params, tokens)\nprint(value)\n")
        tiny = folder / "tiny.py"
        tiny.write_text("import jax.numpy as jnp\nx = jnp.ones((2, 3))\ny = x @ x.T\n")
        scripts = sorted(p for p in (ROOT / "tests/projects").glob("*/*.py") if "__main__" in p.read_text())
        programs = [(str(p.relative_to(ROOT / "tests/projects")), p) for p in scripts]
        for name, file in [("three lines", tiny), *programs, ("GPT, 12 layers, value_and_grad", gpt)]:
            theirs, ours = [], []
            # What Python and jitlens keep on disk (`.pyc` files, outcomes) is there.
            seconds([options.jitlens, "values", str(file), *arguments])
            for _ in range(options.runs):
                theirs.append(seconds([options.python, "-c", "import jax"]))
                ours.append(seconds([options.jitlens, "values", str(file), *arguments]))
            yield name, statistics.median(theirs), statistics.median(ours)
            ratios.append(statistics.median(theirs) / statistics.median(ours))

    table(f"{what}: `python -c 'import jax'` alone beside `jitlens values {' '.join([*arguments, 'FILE'])}`, medians", "import jax", rows())
    above = sum(ratio >= 20 for ratio in ratios)
    print(f"\nmedian of the ratios {statistics.median(ratios):.1f}, {above} of {len(ratios)} at 20 or above")


def loops(options, folder: Path) -> None:
    n = 200_000
    plain(options, folder, "loops", inside_names("loops"), n, lambda name, n: f"{name}({n})", f"{n:,} rounds")


def algorithms(options, folder: Path) -> None:
    def text(name: str, n: int) -> str:
        return f"[{name}() for _ in range({n})]"

    plain(options, folder, "algorithms", inside_names("algorithms"), 10, text, "ten times")


def plain(options, folder: Path, module: str, names: list[str], n: int, call, rounds: str) -> None:
    """Functions of a module of Python beside CPython: what `n` rounds take more than none."""
    text = (HERE / f"{module}.py").read_text()

    def rows():
        for name in names:
            short, long = folder / "short.py", folder / "long.py"
            short.write_text(f"{text}\nresult = {call(name, 0)}\n")
            long.write_text(f"{text}\nresult = {call(name, n)}\n")
            theirs = inside(
                options,
                f"import time\nfrom {module} import *\nfor _ in range({options.runs}):\n"
                f"    start = time.perf_counter(); {call(name, n)}; print((time.perf_counter() - start) * 1e3)\n",
            )
            first, rest = warm(options, short, long)
            yield name, min(theirs), min(rest) - min(first)

    version = subprocess.run([options.python, "--version"], capture_output=True, text=True).stdout.strip()
    table(f"Plain Python, {rounds}, beside {version}, the best run", "CPython", rows())


def inside_names(module: str) -> list[str]:
    sys.path.insert(0, str(HERE))
    found = importlib.import_module(module)
    functions = [(name, value) for name, value in vars(found).items() if isinstance(value, types.FunctionType)]
    own = [name for name, function in functions if function.__module__ == found.__name__]
    return getattr(found, "__all__", own)


def rerun(options, folder: Path) -> None:
    file = folder / "long_program.py"
    file.write_text("\n".join((ROOT / "tests/projects" / name).read_text() for name in RERUN))
    lines = file.read_text().count("\n")
    (times,) = warm(options, file, runs=max(20, options.runs))
    times = sorted(times[1:])
    p95 = times[int(len(times) * 0.95) - 1]
    print(f"\nA whole program of {lines} lines again in a warm process: median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms")


PARTS = {"trace": trace, "start": start, "unchanged": unchanged, "loops": loops, "algorithms": algorithms, "rerun": rerun}

if __name__ == "__main__":
    sys.exit(main())
