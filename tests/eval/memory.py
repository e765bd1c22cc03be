"""Asks how much memory evaluations take beside what their graphs say that they need, and whether any of it stays.

    python3 tests/eval/memory.py [--jitlens PATH]

The need is what last reads leave alive, as `jitlens eval --memory 1` prints it; the peak is the process's, without that of the same
command when nothing is evaluated. Fails where a peak is above 1.3 of the need, or where 16,000 evaluations hold more than 6,000 do.
Linux and macOS: the system counts the peak.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATIO = 1.3
# Stacks, buffers of threads, and what was freed and lies between what was not.
SLACK = 8 << 20
# Evaluations that leave something leave it 10,000 times; the first ones fill the allocator's pages.
KEPT = 2 << 20

PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def elementwise(x, y):
    z = jnp.sin(x) * y + jnp.cos(y)
    return (z / (1 + z * z)).reshape(-1)[::2] + 1

@jax.jit
def layers(x, ws):
    def loss(ws):
        h = x
        for w in ws:
            h = jax.nn.relu(h @ w)
        return (h ** 2).mean()
    return jax.grad(loss)(ws)

@jax.jit
def stacked(x):
    def step(c, _):
        c = c * 0.9 + 1
        return c, c
    return jax.lax.scan(step, x, None, length=64)

@jax.jit
def convolved(x, w):
    def loss(w):
        y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()
    return jax.grad(loss)(w)

@jax.jit
def ordered(x):
    return jnp.cumsum(jnp.sort(x, axis=1), axis=0)[jnp.arange(1000, 0, -1)]

@jax.jit
def small(x):
    y = jnp.linalg.solve(x @ x.T + 4 * jnp.eye(3), x)
    return jax.lax.scan(lambda c, row: (c + row, c * row), y[0], y), jax.random.normal(jax.random.key(0), (3,)), jnp.sort(y)

elementwise(jnp.ones((4000, 4000)), jnp.ones((4000, 4000)))
layers(jnp.ones((1024, 1024)), [jnp.ones((1024, 1024))] * 6)
stacked(jnp.ones((512, 1024)))
convolved(jnp.ones((128, 64, 64, 16)), jnp.ones((3, 3, 16, 32)))
ordered(jnp.ones((4000, 4000)))
small(jnp.ones((3, 3)))
"""


def run(command, code=0):
    """The output and the peak of a command, in bytes, which has to end with this code."""
    read, write = os.pipe()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)])
    os.close(write)
    with os.fdopen(read) as pipe:
        output = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != code:
        sys.exit(f"{' '.join(command)} fails:\n{output}")
    return output, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitlens", type=pathlib.Path, default=ROOT / "target/debug/jitlens")
    options = parser.parse_args()
    wrong = 0
    units = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.py"
        program.write_text(PROGRAM)

        def evaluate(name, *more, code=0):
            return run([str(options.jitlens), "eval", f"{program}::{name}", *more], code)

        print(f"{'':12} {'need':>9} {'peak':>9}  ratio")
        for name in ["elementwise", "layers", "stacked", "convolved", "ordered"]:
            said, without = evaluate(name, "--memory", "1", code=2)
            number, unit = re.search(r"needs ([\d.]+) (\w+)", said).groups()
            need = float(number) * units[unit]
            _, whole = evaluate(name)
            peak = whole - without
            bad = peak > RATIO * need + SLACK
            wrong += bad
            print(f"{name:12} {need / 1e6:7.1f}MB {peak / 1e6:7.1f}MB  {peak / need:5.2f}{'  above the bar' if bad else ''}")
        # An allocator takes a few MB more in one run than in the next.
        few, many = (min(evaluate("small", "--repeat", str(count))[1] for _ in range(5)) for count in (6_000, 16_000))
        bad = many - few > KEPT
        wrong += bad
        print(f"16,000 evaluations hold {(many - few) / 1e3:.0f} kB more than 6,000{': they leave something' if bad else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
