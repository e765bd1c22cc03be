"""Compares what `jitlens eval --printed` says that programs print with what they print under real JAX.

    python3 tests/eval/printed.py [--list] [NAME ...]     programs of tests/projects and of tests/eval/printed

Fails where a text differs. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROJECTS = ROOT / "tests" / "projects"
# Sums are added up in another order, and numbers come a long way.
CLOSE = 2e-3

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|\bnan\b|\binf\b)")
UNKNOWN = "<not known: "
# What a last bit decides about: chains of samples, games, when a loop has converged, errors that are rounding.
CHAOTIC = {
    "custom_derivatives": ["newton: converged", "gauss-newton: loss"],
    "mcmc": ["mala:", "hmc:", "    beta", "    log_tau", "    z["],
    "nbody_physics": ["  yoshida4", "disks:"],
    "ppo": ["update", "greedy evaluation"],
}


def last_digit(number):
    """What a step of the last digit that is shown is worth."""
    digits, _, exponent = number.lower().partition("e")
    behind = len(digits.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - behind)


def same_number(ours, theirs):
    a, b = float(ours), float(theirs)
    if not (math.isfinite(a) and math.isfinite(b)):
        return ours.strip("+") == theirs.strip("+")
    if re.fullmatch(r"[-+]?\d+", ours) and re.fullmatch(r"[-+]?\d+", theirs):
        return a == b
    return abs(a - b) <= max(CLOSE * max(abs(a), abs(b)), 1.5 * max(last_digit(ours), last_digit(theirs)))


def same_line(ours, theirs):
    if ours == theirs:
        return True
    numbers = NUMBER.findall(ours), NUMBER.findall(theirs)
    texts = ["".join(NUMBER.sub("#", line).split()) for line in (ours, theirs)]
    return texts[0] == texts[1] and all(map(same_number, *numbers))


def printed(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=900)
    return done.stdout.splitlines(), done.stderr


def programs():
    for project in sorted(p for p in PROJECTS.iterdir() if p.is_dir()):
        entry = re.search(r'^entry = "(.*)"', (project / "program.toml").read_text(), re.MULTILINE)
        yield project.name, project / entry.group(1)
    for file in sorted((HERE / "printed").glob("*.py")):
        yield file.stem, file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true", help="print what is not known, too")
    parser.add_argument("--jitlens", default=str(ROOT / "target" / "debug" / "jitlens"))
    options = parser.parse_args()
    python = os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle" / "venv" / "bin" / "python"))
    environment = {"JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1", "VIRTUAL_ENV": str(pathlib.Path(python).parents[1])}
    count = lines = equal = close = unknown = chaotic = differ = 0
    for name, file in programs():
        if options.names and name not in options.names:
            continue
        count += 1
        theirs, said = printed([python, file.name], file.parent, environment)
        ours, why = printed([options.jitlens, "eval", file.name, "--printed"], file.parent, environment)
        if len(ours) != len(theirs):
            differ += 1
            print(f"{name}: {len(ours)} lines, not {len(theirs)}\n{why}\n{said}")
            continue
        for a, b in zip(ours, theirs):
            lines += 1
            if a == b:
                equal += 1
            elif UNKNOWN in a:
                unknown += 1
                if options.list:
                    print(f"{name}: {a}")
            elif any(b.startswith(start) for start in CHAOTIC.get(name, [])):
                chaotic += 1
            elif same_line(a, b):
                close += 1
            else:
                differ += 1
                print(f"{name}: differs\n  {a}\n  {b}")
    print(f"{count} programs print {lines} lines: {equal} the same to the letter, {close} but for last digits, {unknown} not known, "
          f"{chaotic} go another way after a last bit, {differ} differ")
    return 1 if differ or not count else 0


if __name__ == "__main__":
    sys.exit(main())
