"""Functions of larger programs with exact data: what their reproducers give under JAX is what the functions gave in the program."""

import functools
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import seeds
from cases import are_close
from shared import HERE, ROOT, jitlens, under_jax


def scripts():
    """The scripts of the projects."""
    for project in sorted(path for path in seeds.PROJECTS.iterdir() if path.is_dir()):
        script = seeds.script_of(project)
        if script:
            yield project, script


def traced(options, script):
    """The functions that a script has traced, wherever they stand."""
    done = subprocess.run([options.jitlens, "trace", str(script.relative_to(ROOT)), "--format", "json"], capture_output=True, text=True, cwd=ROOT, timeout=600)
    rows = json.loads(done.stdout)["traces"] if done.stdout.strip() else []
    names = {row["function"] for row in rows}
    return sorted(name for name in names if "<lambda>" not in name)


def first_calls(options, project, script, names):
    command = [options.python, str(HERE / "first_calls.py"), str(script), str(project), *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=project, timeout=600)
    return json.loads(done.stdout) if done.stdout.strip() else {"found": {}, "why": done.stderr[-500:], "never": []}


def matched(found, wanted, goes):
    """For each of the found its own of the wanted that it goes with; None where there is no such choice for all."""
    taken = {}

    def take(at, seen):
        for i, other in enumerate(wanted):
            if i not in seen and goes(at, other):
                seen.add(i)
                if i not in taken or take(taken[i], seen):
                    taken[i] = at
                    return True
        return False

    return set(taken) if all(take(at, set()) for at in range(len(found))) else None


def same_numbers(found, wanted):
    """Whether arrays are the same ones in any order: containers of classes become dictionaries, which have an order of their own."""
    arrays, loose = wanted
    goes = lambda at, other: found[at][0] == other[0] and are_close([found[at][1]], [other[1]])
    taken = matched(found, arrays + loose, goes)
    if taken is None:
        return False
    # An object that holds an array twice gives it twice.
    again = {at for at, array in enumerate(arrays) if array in arrays[:at]}
    return taken.issuperset(set(range(len(arrays))) - again)


SHAKES = 3
MOST_APART = 10


def shaken(options, row):
    """What a reproducer gives where the last bits of its arguments are others."""
    texts = {str(seed): {"text": row["text"], "path": row["path"], "shake": seed} for seed in range(SHAKES)}
    did = under_jax(options.python, texts).values()
    return [list(zip(map(shape_of, was[1]), was[2])) for was in did if was[0] is None]


def as_far(found, wanted, others):
    """Whether arrays differ from those that are wanted by no more than what last bits of the arguments do to them."""
    apart = lambda a, b: max([abs(x - y) for x, y in zip(a, b) if x == x and y == y], default=0.0)
    far = [max([apart(numbers, other[at][1]) for other in others], default=0.0) for at, (_, numbers) in enumerate(found)]
    size = [max([abs(n) for n in numbers if math.isfinite(n)], default=0.0) for _, numbers in found]
    goes = lambda at, other: found[at][0] == other[0] and apart(other[1], found[at][1]) <= MOST_APART * far[at] + 1e-3 * size[at]
    return len(found) == len(wanted[0]) and matched(found, wanted[0], goes) is not None


def shape_of(aval):
    inner = aval[aval.index("[") + 1 : -1]
    return [int(size) for size in inner.split(",")] if inner else []


def chosen(options, project, names):
    """The functions of a project that are asked for: all of it, or those that are named (`vae::train_step`)."""
    if not options.names or project.name in options.names:
        return names
    return [name for name in names if f"{project.name}::{name}" in options.names]


class Tally:
    """What functions gave, by what became of them."""

    def __init__(self):
        self.total, self.good = 0, 0
        self.unknown, self.bad, self.stand_ins, self.loose, self.drawn = [], [], [], [], []

    def percent(self):
        return 100 * (self.good + len(self.unknown) + len(self.loose) + len(self.drawn)) / max(self.total, 1)

    def told(self):
        """What was not the same numbers, in lines."""
        for target, wanted, was, why in self.bad:
            yield f"{target}\n  wanted {str(wanted)[:400]}\n  found  {str(was)[:400]}\n  jitlens {why}"
        for target, why, *_ in self.unknown:
            yield f"{target}: only types are compared ({why})"
        for text in self.stand_ins:
            yield f"{text} (it says so)"
        for target in self.loose:
            yield f"{target}: differs by what last bits of its arguments do to its results"
        for target in self.drawn:
            yield f"{target}: only types are compared (its numbers are others at each run of the program)"


def check_script(options, folder, project, script, names, tally):
    """Functions of one script: their reproducers go into the folder, what they do into the tally."""
    start = time.monotonic()
    truth = first_calls(options, project, script, names)
    known = time.monotonic()
    targets = {name: f"{script.relative_to(ROOT)}::{name}" for name in names}
    rows = jitlens(options.jitlens, list(targets.values()), "--data", "exact", "--literals", "4", "--force",
                   "--level", options.level, "-o", str(folder / project.name))
    texts = {t: {"text": row["text"], "path": row["path"]} for t, row in rows.items() if row["path"]}
    made = time.monotonic()
    again = functools.cache(lambda: first_calls(options, project, script, names)["found"])
    did = under_jax(options.python, texts)
    if options.show:
        ran = time.monotonic() - made
        print(f"{project.name}: {len(names)} functions; {known - start:.0f} s the program, {made - known:.0f} s jitlens, {ran:.0f} s what it wrote", file=sys.stderr)
    for name, target in targets.items():
        # An exception ends the program before it calls the function: there is nothing to be the same as.
        if name not in truth["never"]:
            tally.total += 1
            judge(options, tally, target, rows.get(target), did.get(target), truth["found"].get(name) or truth["why"], lambda: again().get(name))


def judge(options, tally, target, row, was, wanted, again):
    """What a reproducer did under JAX goes into the tally, beside what the function gave in the program, and in another run of it."""
    if row and row["stand_ins"]:
        tally.stand_ins.append(f"{target}: {row['stand_ins']}")
    if row is None or was is None:
        tally.bad.append((target, "a reproducer", None, row and row["unverified"]))
    elif isinstance(wanted, dict):
        if was[0] and first_lines(was) == first_lines(wanted["error"]):
            tally.good += 1
        else:
            tally.bad.append((target, wanted["error"], was, row["unverified"]))
    elif not isinstance(wanted, list):
        # It is not called without compilation, or by something that hides its numbers: types have to do.
        same = was[0] is None and was[1] == row["outcome"].get("values") and not row["unverified"]
        (tally.unknown if same else tally.bad).append((target, wanted, was[:2], row["unverified"]))
    else:
        found = [] if was[0] else list(zip(map(shape_of, was[1]), was[2]))
        if was[0] is None and same_numbers(found, wanted):
            tally.good += 1
        elif was[0] is None and as_far(found, wanted, shaken(options, row)):
            tally.loose.append(target)
        elif was[0] is None and same_shapes(found, wanted) and is_drawn(wanted, again()):
            tally.drawn.append(target)
        else:
            tally.bad.append((target, wanted, was, row["unverified"] or row["approximate"]))


def first_lines(error):
    return error[0], error[1].split("\n")[0]


def same_shapes(found, wanted):
    taken = matched(found, wanted[0] + wanted[1], lambda at, other: found[at][0] == other[0])
    return taken is not None and taken.issuperset(range(len(wanted[0])))


def is_drawn(wanted, again):
    """Whether another run of the program has given other numbers: it draws some unseeded."""
    return isinstance(again, list) and len(again[0]) == len(wanted[0]) and not same_numbers(again[0], wanted)


def exact(options):
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for number, (project, script) in enumerate(scripts()):
            if number % options.sample or options.names and project.name not in {name.split("::")[0] for name in options.names}:
                continue
            names = chosen(options, project, traced(options, script))
            if names:
                check_script(options, folder, project, script, names, tally)
    for line in tally.told() if options.list else []:
        print(line)
    print(f"{tally.total} traced functions with exact data: {tally.good} give the numbers that they gave in the program under JAX, {len(tally.unknown)} more the same types")
    print(f"(their first call shows no numbers), {len(tally.bad)} do not;")
    print(f"of {len(tally.drawn)} the program draws others at each run, and the types are the same;")
    print(f"{len(tally.loose)} differ by what last bits of their arguments do to them, {len(tally.stand_ins)} say that ones stand for numbers")
    return tally.percent()
