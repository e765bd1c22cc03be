"""Compares what `jitlens eval` says of compiled functions with what they give under real JAX, at their first calls.

    python3 tests/eval/run.py [--list] [PROJECT ...]     programs of tests/projects

Fails where a result differs. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROJECTS = ROOT / "tests" / "projects"
# Sums are added up in another order, and what a function is given may have come a long way.
CLOSE = 2e-3

# What a last bit decides about: how many rounds a loop makes, which way a chain of samples or a game goes, noise around zero.
CHAOTIC = {"custom_derivatives: newton", "gnn: update", "mcmc: run", "nbody_physics: run_until_calm", "ppo: make_train.<locals>.train",
           "ppo: evaluate.<locals>.rollout", "state_space: hidden_markov.<locals>.fit"}


def is_close(a, b, size):
    return a is None and b is None or a is not None and b is not None and math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE * size)


def differs(ours, theirs):
    """What is not the same, if something is."""
    if theirs is None:
        return None
    shape = [int(n) for n in re.findall(r"\[(.*)\]", ours["aval"])[0].split(",") if n]
    if shape != theirs["shape"]:
        return f"shape {shape}, not {theirs['shape']}"
    for what in ("nan", "infinite"):
        if ours[what] != theirs[what]:
            return f"{ours[what]} {what}, not {theirs[what]}"
    numbers = ours["statistics"] or {}
    size = max(abs(theirs["min"] or 0), abs(theirs["max"] or 0), 1e-6)
    for what in ("min", "max", "mean", "std"):
        if not is_close(numbers.get(what), theirs[what], size):
            return f"{what} {numbers.get(what)}, not {theirs[what]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--list", action="store_true", help="print what was not evaluated, too")
    parser.add_argument("--jitlens", default=str(ROOT / "target" / "debug" / "jitlens"))
    options = parser.parse_args()
    python = os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle" / "venv" / "bin" / "python"))
    functions = same = results = unknown = chaotic = 0
    wrong = []
    for project in sorted(p for p in PROJECTS.iterdir() if p.is_dir()):
        if options.projects and project.name not in options.projects:
            continue
        program = (project / "program.toml").read_text()
        script = project / re.search(r'entry = "(.*)"', program)[1]
        real = subprocess.run([python, str(HERE / "inside.py"), str(script)], capture_output=True, text=True, cwd=project, timeout=600)
        if real.returncode:
            sys.exit(f"{project.name}: {real.stderr[-2000:]}")
        real = json.loads(real.stdout)
        ours = subprocess.run([options.jitlens, "eval", str(script), "--format", "json"], capture_output=True, text=True, timeout=900,
                              env=os.environ | {"VIRTUAL_ENV": str(pathlib.Path(python).parents[1])})
        first = {}
        for row in json.loads(ours.stdout)["evaluated"]:
            first.setdefault(row["function"], row)
        for name, given in real.items():
            row = first.get(name)
            functions += 1
            if row is None or row["outputs"] is None or row["made_up"]:
                unknown += 1
                if options.list:
                    why = "no graph" if row is None else "made up" if row["made_up"] else row["why"]
                    print(f"{project.name}: {name}: {why}")
                continue
            faults = [differs(a, b) for a, b in zip(row["outputs"], given, strict=False)]
            if len(row["outputs"]) != len(given):
                faults.append(f"{len(row['outputs'])} results, not {len(given)}")
            results += len(given)
            faults = [fault for fault in faults if fault]
            same += not faults
            if f"{project.name}: {name}" in CHAOTIC:
                chaotic += bool(faults)
                faults = []
            wrong += [f"{project.name}: {name}: {fault}" for fault in faults[:3]]
    print("\n".join(wrong))
    print(f"{functions} compiled functions: {same} give the same numbers as under JAX ({results} results), {unknown} not evaluated, "
          f"{chaotic} go another way after a last bit, {functions - same - unknown - chaotic} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
