#!/usr/bin/env python3
"""How fast numbers are computed, beside JAX (compiled, and operation by operation) and NumPy, in the same run.

    python3 tests/bench/evaluator.py [NAME…]

Runs the functions of `programs/evaluated.py`. Milliseconds of the fastest of several runs, and ratios: above 1, jitlens is faster.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = HERE / "programs/evaluated.py"

PEERS = r"""
import json, sys, time
import numpy as np
sys.path.insert(0, {folder!r})
import jax
import numbers_program as program

def fastest(run, least=0.3):
    run(); best, begun = 9e9, time.perf_counter()
    while time.perf_counter() - begun < least:
        start = time.perf_counter(); run(); best = min(best, time.perf_counter() - start)
    return best * 1e3

def softmax(a):
    e = np.exp(a - a.max(-1, keepdims=True)); return e / e.sum(-1, keepdims=True)

def layer_norm(x):
    mean = x.mean(-1, keepdims=True); return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)

def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x ** 3)))

def chain(a, b):
    y = a * b + a; y = np.maximum(y, np.float32(0.1)) - b; y = y * y + np.float32(0.5)
    return y / (1 + a * a) - b * np.float32(0.25)

def scatter(t, p, r):
    t = t.copy(); np.add.at(t, p, r); return t

generator = np.random.default_rng(0)
NUMPY = dict(product_256=np.matmul, product_1024=np.matmul, product_batched=np.matmul, add=np.add, exp=np.exp, chain=chain,
    gelu=gelu, softmax=softmax, layer_norm=layer_norm, sum_all=np.sum, sum_rows=lambda a: a.sum(0),
    sum_columns=lambda a: a.sum(1), sort=lambda a: np.sort(a.reshape(-1)), cumsum=lambda a: np.cumsum(a.reshape(-1)),
    transpose=lambda a: a.T + np.float32(0), normals=lambda key: generator.standard_normal((1000, 1000), dtype=np.float32),
    gather=lambda t, p: t[p], scatter=scatter)
for name, (function, *arguments) in program.CASES.items():
    if sys.argv[1:] and name not in sys.argv[1:]:
        continue
    row = {{"name": name}}
    row["compiled"] = fastest(lambda: jax.block_until_ready(function(*arguments)))
    with jax.disable_jit():
        once = lambda: jax.block_until_ready(function.__wrapped__(*arguments))
        row["eager"] = fastest(once, 0.3) if name != "scan" else None
    if name in NUMPY:
        plain = [a if name == "normals" else np.asarray(a) for a in arguments]
        row["numpy"] = fastest(lambda: NUMPY[name](*plain))
    print(json.dumps(row), flush=True)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jitlens", default=str(ROOT / "target/release/jitlens"))
    parser.add_argument("--python", default=os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle/venv/bin/python")))
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "numbers_program.py").write_text(PROGRAM.read_text())
        run = subprocess.run([options.python, "-c", PEERS.format(folder=folder), *options.names], capture_output=True, text=True)
    if run.returncode:
        print(run.stderr, file=sys.stderr)
        return 1
    peers = [json.loads(line) for line in run.stdout.splitlines()]
    print(f"{'':20} {'jitlens':>9} {'compiled':>9} {'eager':>9} {'NumPy':>9}   compiled  eager  NumPy")
    for row in peers:
        name = row["name"]
        command = [options.jitlens, "eval", f"{PROGRAM}::{name}", "--repeat", str(options.repeat), "--format", "json"]
        run = subprocess.run(command, capture_output=True, text=True)
        found = json.loads(run.stdout)["evaluated"] if run.returncode == 0 else []
        own = next((fact["milliseconds"] for fact in found if fact["function"] == name), None)
        if own is None:
            print(f"{name:20} not evaluated: {[fact['why'] for fact in found]} {run.stderr.strip()}")
            continue
        times = [row["compiled"], row.get("eager"), row.get("numpy")]
        shown = [f"{t:9.3f}" if t else f"{'–':>9}" for t in times]
        ratios = [f"{t / own:6.2f}" if t else f"{'–':>6}" for t in times]
        print(f"{name:20} {own:9.3f} {' '.join(shown)}     {' '.join(ratios)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
