"""Tracebacks of reproducers that fail under real JAX, translated back: each frame of a reproducer becomes the line of the program.

    python3 tests/repro/translate.py

Python's own form, with and without the frames of JAX, and the form that notebooks print (IPython's, from its own formatter where it is
installed, otherwise written as it prints them). The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from shared import ROOT

PROGRAM = """\
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, width):
        self.w = jnp.ones((3, width))

    def hidden(self, x):
        h = jnp.tanh(x @ self.w)
        return h @ jnp.ones((7, 2))  # here


def loss(model, x):
    return model.hidden(x).sum()


model = Model(4)
step = jax.jit(lambda x: loss(model, x) * 2.0)  # by
print(step(jnp.ones((2, 3))))  # from
"""

# A traceback as notebooks print it, of the exception of a program that is run.
NOTEBOOK = r"""
import runpy, sys, traceback, linecache
print("-" * 75)
try:
    runpy.run_path(sys.argv[1], run_name="__main__")
except Exception as error:
    print(f"{type(error).__name__:<42}Traceback (most recent call last)")
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename != sys.argv[1]:
            continue
        where = "" if frame.name == "<module>" else f", in {frame.name}()"
        print(f"File {frame.filename}:{frame.lineno}{where}")
        for number in range(max(1, frame.lineno - 2), frame.lineno + 3):
            line = linecache.getline(frame.filename, number).rstrip()
            mark = "---->" if number == frame.lineno else "     "
            print(f"{mark} {number} {line}")
        print()
    print(f"{type(error).__name__}: {error}")
"""


def line_of(mark):
    return next(number for number, line in enumerate(PROGRAM.split("\n"), 1) if line.endswith(f"# {mark}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jitlens", default=str(ROOT / "target/debug/jitlens"))
    parser.add_argument("--python", default=os.environ.get("JITLENS_ORACLE_PYTHON", sys.executable))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        program = folder / "train.py"
        program.write_text(PROGRAM)
        for level in ["api", "primitive"]:
            out = folder / level
            subprocess.run([options.jitlens, "repro", "--level", level, str(program), "-o", str(out)], check=True)
            reproducer = out / "train_error.py"
            runs = {
                "filtered": ([options.python, str(reproducer)], {}),
                "whole": ([options.python, str(reproducer)], {"JAX_TRACEBACK_FILTERING": "off"}),
                "notebook": ([options.python, "-c", NOTEBOOK, str(reproducer)], {}),
            }
            seen = {}
            for name, (command, more) in runs.items():
                ran = subprocess.run(command, capture_output=True, text=True, env=os.environ | more)
                said = ran.stdout + ran.stderr
                assert "dot_general requires contracting dimensions" in said, said
                assert str(reproducer) in said, said
                found = subprocess.run([options.jitlens, "repro", "--translate"], input=said, capture_output=True, text=True, check=True)
                translated = found.stdout
                # No line of the reproducer is left, what it said is, and so are the frames of JAX.
                assert str(reproducer) not in translated, f"{level}, {name}:\n{translated}"
                assert translated.rstrip().split("\n")[-1] == said.rstrip().split("\n")[-1]
                others = re.compile(r'File "[^"]*/jax/[^\n]*')
                assert others.findall(said) == others.findall(translated)
                seen[name] = len(others.findall(said))
                place = rf'File "?{re.escape(str(program))}"?(?:, line |:)(\d+)'
                lines = [int(number) for number in re.findall(place, translated)]
                assert lines, f"{level}, {name}:\n{translated}"
                assert lines[-1] == line_of("here"), f"{level}, {name}: {lines}\n{translated}"
                assert "return h @ jnp.ones((7, 2))  # here" in translated, translated
                assert set(lines) <= {line_of("here"), line_of("by"), line_of("from")}, f"{level}, {name}: {lines}\n{translated}"
            assert seen["whole"] > seen["filtered"] and seen["notebook"] == 0, seen
    print("tracebacks of 2 reproducers in 3 forms lead to the lines of the program")


if __name__ == "__main__":
    main()
