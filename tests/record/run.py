"""Records what functions are traced with while a program runs under real JAX: the program must not notice, and shapes must be known from it.

    python3 tests/record/run.py [--jitlens PATH]

The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle" / "venv" / "bin" / "python"))

LIBRARY = '''\
import jax
import jax.numpy as jnp


@jax.jit
def loss(params, batch, scale, *, kind="mean"):
    hidden = jnp.tanh(batch["x"] @ params[0]["w"]) @ params[1]
    return helper(hidden, batch["y"]) * scale


def helper(a, b):
    difference = a - b
    return (difference ** 2).mean()


def never(a):
    return a + 1
'''
PROGRAM = '''\
import sys
import jax, jax.numpy as jnp
import library
params = [{"w": jnp.ones((4, 8))}, jnp.ones((8, 2))]
for size in (32, 32, 8):
    print(library.loss(params, {"x": jnp.ones((size, 4)), "y": jnp.zeros((size, 2))}, 0.5))
print(jax.jit(library.loss)._cache_size(), library.loss._cache_size(), sys.argv[1:])
sys.exit(3)
'''
EXPECTED = ["# library.py:6: loss(", ":f32[32,8] = dot_general[", ":f32[8,2] = sub "]


def run(command, folder):
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)
    return done.returncode, done.stdout, done.stderr


def check(what, holds, said=""):
    print(f"   {'ok' if holds else 'FAILED'}: {what}")
    if not holds:
        print(said)
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jitlens", type=pathlib.Path, default=ROOT / "target" / "debug" / "jitlens")
    jitlens = str(parser.parse_args().jitlens.resolve())
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made).resolve()
        (folder / "README.md").write_text("a project\n")
        (folder / "library.py").write_text(LIBRARY)
        (folder / "program.py").write_text(PROGRAM)
        plain = run([PYTHON, "program.py", "--steps", "3"], folder)
        recorded = run([jitlens, "record", "--", PYTHON, "program.py", "--steps", "3"], folder)
        check("the program ends as without it", plain[:2] == recorded[:2] and plain[0] == 3, f"{plain}\n{recorded}")
        check("what was recorded is said", "signatures of 2 functions in .jitlens/signatures.json" in recorded[2], recorded[2])
        written = json.loads((folder / ".jitlens" / "signatures.json").read_text())
        names = [row["function"] for row in written["functions"]]
        check("functions that were traced are in the file", names == ["loss", "helper"], str(written))
        first = written["functions"][0]["arguments"]
        expected = 'params: [{"w": float32[4,8]}, float32[8,2]], batch: {"x": float32[32,4], "y": float32[32,2]}, scale: float32~[], kind: "mean"'
        check("arguments are in it as types", first[0] == expected and len(first) == 2, str(first))
        traced = run([jitlens, "trace", "library.py"], folder)
        check("graphs of a module that calls nothing are known from it", all(text in traced[1] for text in EXPECTED), traced[1])
        checked = run([jitlens, "check", "--no-cache", "library.py"], folder)
        check("nothing is found wrong", checked[0] == 0, checked[1])
        (folder / "library.py").write_text(LIBRARY.replace("params[1]", "params[1].T"))
        checked = run([jitlens, "check", "--no-cache", "library.py"], folder)
        check("an error of what was recorded is", checked[0] == 1 and "library.py:7:13: TypeError: dot_general" in checked[1], checked[1])
        (folder / ".jitlens" / "signatures.json").write_text('{"version": 1, "functions": [{"file": 3}]}')
        check("a file that is broken is left out", run([jitlens, "check", "--no-cache", "library.py"], folder)[0] == 0)
        nothing = run([jitlens, "record", "--", PYTHON, "-c", "print(1)"], folder)
        check("a program that traces nothing leaves nothing", nothing[1] == "1\n" and "nothing is recorded" in nothing[2], str(nothing))
        missing = run([jitlens, "record", "--", "no-such-program"], folder)
        check("a program that is not there is said", missing[0] == 2 and "no-such-program" in missing[2], str(missing))
        project = folder / "mlp"
        shutil.copytree(ROOT / "tests" / "projects" / "mlp_scratch", project)
        plain = run([PYTHON, "main.py"], project)
        recorded = run([jitlens, "record", "-o", "seen.json", "--", PYTHON, "main.py"], project)
        check("a program of tests/projects prints the same", plain[:2] == recorded[:2] and plain[0] == 0, f"{plain}\n{recorded}")
        rows = {row["function"] for row in json.loads((project / "seen.json").read_text())["functions"]}
        check("its functions are recorded", {"update", "loss", "predict", "accuracy"} <= rows, str(rows))
    print("record: all is well")


if __name__ == "__main__":
    main()
