"""Functions of larger programs with exact data: what their reproducers give under JAX is what the functions gave in the program."""

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
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return json.loads(done.stdout) if done.stdout.strip() else {"found": {}, "why": done.stderr[-500:]}


def same_numbers(found, wanted):
    """Whether arrays are the same ones in any order: containers of classes become dictionaries, which have an order of their own."""
    arrays, loose = wanted
    left = [(shape, numbers, True) for shape, numbers in arrays] + [(shape, numbers, False) for shape, numbers in loose]
    for shape, numbers in found:
        at = next((i for i, (other, same, _) in enumerate(left) if other == shape and are_close([numbers], [same])), None)
        if at is None:
            return False
        left.pop(at)
    return not any(is_array for *_, is_array in left)


def shape_of(aval):
    inner = aval[aval.index("[") + 1 : -1]
    return [int(size) for size in inner.split(",")] if inner else []


def chosen(options, project, names):
    """The functions of a project that are asked for: all of it, or those that are named (`vae::train_step`)."""
    if not options.names or project.name in options.names:
        return names
    return [name for name in names if f"{project.name}::{name}" in options.names]


def exact(options):
    good, unknown, bad, stand_ins = 0, [], [], []
    total = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for number, (project, script) in enumerate(scripts()):
            if number % options.sample or options.names and project.name not in {name.split("::")[0] for name in options.names}:
                continue
            names = chosen(options, project, traced(options, script))
            if not names:
                continue
            start = time.monotonic()
            truth = first_calls(options, project, script, names)
            known = time.monotonic()
            targets = {name: f"{script.relative_to(ROOT)}::{name}" for name in names}
            rows = jitlens(options.jitlens, list(targets.values()), "--data", "exact", "--literals", "4", "--force",
                           "--level", options.level, "-o", str(folder / project.name))
            texts = {t: {"text": row["text"], "path": row["path"]} for t, row in rows.items() if row["path"]}
            made = time.monotonic()
            did = under_jax(options.python, texts)
            if options.show:
                ran = time.monotonic() - made
                print(f"{project.name}: {len(names)} functions; {known - start:.0f} s the program, {made - known:.0f} s jitlens, {ran:.0f} s what it wrote", file=sys.stderr)
            for name, target in targets.items():
                total += 1
                row, was, wanted = rows.get(target), did.get(target), truth["found"].get(name)
                if row and row["stand_ins"]:
                    stand_ins.append(f"{target}: {row['stand_ins']}")
                if row is None or was is None:
                    bad.append((target, "a reproducer", None, None))
                    continue
                if not isinstance(wanted, list):
                    # It is not called without compilation, or by something that hides its numbers: types have to do.
                    same = was[0] is None and was[1] == row["outcome"].get("values") and not row["unverified"]
                    (unknown if same else bad).append((target, wanted or truth["why"], was[:2], row["unverified"]))
                    continue
                found = [] if was[0] else list(zip(map(shape_of, was[1]), was[2]))
                if was[0] is None and same_numbers(found, wanted):
                    good += 1
                else:
                    bad.append((target, wanted, was, row["unverified"] or row["approximate"]))
    for target, wanted, was, why in bad if options.list else []:
        print(f"{target}\n  wanted {str(wanted)[:400]}\n  found  {str(was)[:400]}\n  jitlens {why}")
    for target, why, *_ in unknown if options.list else []:
        print(f"{target}: only types are compared ({why})")
    for text in stand_ins if options.list else []:
        print(f"{text} (it says so)")
    print(f"{total} traced functions with exact data: {good} give the numbers that they gave in the program under JAX, {len(unknown)} more the same types")
    print(f"(their first call shows no numbers), {len(bad)} do not;")
    print(f"{len(stand_ins)} say that ones stand for numbers")
    return 100 * (good + len(unknown)) / max(total, 1)
