"""Evaluates random functions, and compares every number with real JAX's: compiled, and run operation by operation.

    python3 tests/eval/random_graphs.py [--count N] [--seed N] [--only SEED] [--list]

`graphs.py` makes the functions: types of 8 to 64 bits, shapes, indices with every mode, products, windows, transforms, loops and branches, under `vmap`,
gradients and gradients of gradients. Integers, truths and what only moves data are equal; floats are near. Fails where one differs that neither way of running JAX gives,
and where more than a tenth is not evaluated. The Python with JAX is JITLENS_ORACLE_PYTHON.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = "import jax, jax.numpy as jnp, numpy as np\nfrom jax import lax\n"
BATCH = 50


def inside(path):
    """Runs cases under JAX, and writes their results, compiled and not, beside."""
    import warnings

    warnings.simplefilter("ignore")
    import jax
    import numpy as np

    cases = json.loads(pathlib.Path(path).read_text())
    found = []
    for case in cases:
        scope, outs, error = {}, [], None
        try:
            exec(HEADER + case["text"].rsplit("\n@jax.jit", 1)[0], scope)  # noqa: S102
            args = eval(f"({case['args']},)", scope)  # noqa: S307
            run = eval(f"lambda {case.get('names', '*args')}: {case['call']}", scope)  # noqa: S307
            for plain in case.get("plain", (False, True)):
                with jax.disable_jit(plain):
                    leaves = jax.tree.leaves((run if plain else jax.jit(run))(*args))
                outs.append([np.asarray(x) for x in leaves])
        except Exception as raised:  # noqa: BLE001
            error = f"{type(raised).__name__}: {(str(raised).splitlines() or [''])[0][:120]}"
        rows = []
        for leaves in zip(*outs):
            wide = np.complex128 if leaves[0].dtype.kind == "c" else np.float64
            rows.append({"dtype": leaves[0].dtype.name, "shape": list(leaves[0].shape),
                         "numbers": [np.asarray(x, wide).ravel().view(np.float64).tolist() if x.size else [] for x in leaves]})
        found.append({"error": error, "outs": rows})
        # What is compiled operation by operation serves the next cases too.
        if len(found) % 25 == 0:
            jax.clear_caches()
    pathlib.Path(path + ".out").write_text(json.dumps(found))


SHORT = {"f32": "float32", "bf16": "bfloat16", "f16": "float16", "i32": "int32", "i8": "int8", "u8": "uint8", "i16": "int16", "u32": "uint32", "c64": "complex64",
         "bool": "bool", "f8_e4m3fn": "float8_e4m3fn", "f8_e5m2": "float8_e5m2", "i64": "int64", "f64": "float64"}
CLOSE = {"float32": 2e-4, "complex64": 2e-4, "bfloat16": 6e-2, "float16": 1e-2, "float8_e4m3fn": 0.15, "float8_e5m2": 0.3}


def distance(ours, theirs):
    """How far numbers are apart, of the largest one."""
    size = max((abs(x) for x in theirs if x - x == 0), default=0.0) or 1.0
    worst = 0.0
    for a, b in zip(ours, theirs):
        if a == b or a != a and b != b:
            continue
        if a - a != 0 or b - b != 0:
            return float("inf")
        # What is all rounding errors (the derivative of a sum of a softmax) is near zero.
        worst = max(worst, abs(a - b) / max(size, 1e-4))
    return worst


def array(path, dtype):
    """The numbers of a file."""
    import numpy as np

    x = np.load(path)
    if dtype == "bfloat16" and x.dtype.kind in "Vu":
        x = (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if x.dtype.kind == "V":
        return None
    return np.asarray(x, np.complex128 if x.dtype.kind == "c" else np.float64).ravel().view(np.float64).tolist() if x.size else []


def ours(jitlens, folder, cases):
    """What jitlens gives for each case: rows of results, and why a case is not evaluated."""
    program = folder / "program.py"
    program.write_text(HEADER + "\n".join(case["text"] for case in cases))
    dump = folder / "dump"
    subprocess.run(["rm", "-rf", str(dump)], check=True)
    done = subprocess.run([jitlens, "eval", str(program), "--dump", str(dump), "--format", "json"], capture_output=True, text=True, timeout=900)
    whole = subprocess.run([jitlens, "eval", str(program), "--format", "json"], capture_output=True, text=True, timeout=900)
    try:
        first, again = (json.loads(text.stdout)["evaluated"] for text in (done, whole))
    except ValueError:
        sys.exit(f"jitlens fails:\n{done.stderr[-2000:]}")
    results = collections.defaultdict(list)
    for row in json.loads((dump / "index.json").read_text())["arrays"]:
        if row["primitive"] is None:
            results[row["function"]].append((row["dtype"], row["shape"], dump / row["file"]))
    why = {row["function"]: row["why"] for row in first}
    # Where nobody is told of what is made on the way, equations run in chains: the same bits.
    told = {row["function"]: row["outputs"] for row in first}
    chains = {row["function"]: row["outputs"] for row in again}
    return results, why, {name for name in told if told[name] != chains.get(name)}


def compare(results, real):
    """What differs, if something does."""
    if len(results) != len(real):
        return f"{len(results)} results, not {len(real)}"
    for i, ((dtype, shape, path), row) in enumerate(zip(results, real)):
        name = SHORT.get(dtype, dtype)
        if name != row["dtype"] or shape != row["shape"]:
            return f"result {i} is {dtype}{shape}, not {row['dtype']}{row['shape']}"
        numbers = array(path, name)
        if numbers is None:
            continue
        apart = min(distance(numbers, theirs) for theirs in row["numbers"])
        between = distance(*row["numbers"]) if len(row["numbers"]) == 2 else 0.0
        # What JAX itself gives differently compiled and not has no last bits to hold anyone to.
        if apart > max(CLOSE.get(name, 0.0), 4 * between if between < 0.02 else 0.0):
            at = next(j for j, (a, b) in enumerate(zip(numbers, row["numbers"][0])) if a != b and not (a != a and b != b))
            return f"result {i} ({dtype}{shape}) is {apart:.2g} away: element {at} is {numbers[at]!r}, not {row['numbers'][0][at]!r} (or {row['numbers'][-1][at]!r})"
    return None


def check(jitlens, python, cases):
    """For each case: what JAX raises, why it is not evaluated, what differs, and how many numbers were compared."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path = folder / "cases.json"
        path.write_text(json.dumps(cases))
        child = subprocess.Popen([python, __file__, "--inside", str(path)])
        try:
            results, why, chained = ours(jitlens, folder, cases)
        finally:
            code = child.wait()
        if code:
            sys.exit("JAX fails")
        for case, real in zip(cases, json.loads(pathlib.Path(f"{path}.out").read_text())):
            name = f"case_{case['seed']}"
            numbers = sum(len(row["numbers"][0]) for row in real["outs"])
            if real["error"]:
                yield case, real["error"], None, None, 0
            elif name not in results or why.get(name):
                yield case, None, why.get(name) or "is not evaluated", None, 0
            else:
                fault = compare(results[name], real["outs"]) or ("gives other bits in chains" if name in chained else None)
                yield case, None, None, fault, numbers


def oracle():
    """The Python with JAX, which this runs in from now on."""
    python = os.environ.get("JITLENS_ORACLE_PYTHON", str(ROOT / ".oracle" / "venv" / "bin" / "python"))
    if os.path.abspath(sys.executable) != os.path.abspath(python):
        os.execv(python, [python, *sys.argv])
    return python


def main():
    python = oracle()
    import graphs

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="print and compare one function")
    parser.add_argument("--list", action="store_true", help="print what is not evaluated, too")
    parser.add_argument("--jitlens", default=str(ROOT / "target" / "debug" / "jitlens"))
    options = parser.parse_args()
    seeds = [options.only] if options.only is not None else list(range(options.seed, options.seed + options.count))
    wrong, unknown, counts = [], [], collections.Counter()
    for start in range(0, len(seeds), BATCH):
        cases = []
        for seed in seeds[start:start + BATCH]:
            text, way, call, args = graphs.function(seed, seed)
            cases.append({"seed": seed, "text": text, "way": way, "call": call, "args": args})
        if options.only is not None:
            print(cases[0]["text"])
        for case, raised, why, fault, numbers in check(options.jitlens, python, cases):
            name = f"{case['seed']} ({case['way']})"
            if raised:
                counts["refused by JAX"] += 1
                if options.list:
                    print(f"{name}: JAX raises {raised}")
            elif why:
                unknown.append(f"{name}: {why}")
            else:
                counts[case["way"]] += 1
                counts["numbers"] += numbers
                if fault:
                    wrong.append(f"{name}: {fault}")
                    print(wrong[-1], flush=True)
    if options.list:
        print("\n".join(unknown))
    compared = sum(counts[way] for way in graphs.WAYS)
    print(f"{len(seeds)} random functions: {compared} compared ({counts['numbers']} numbers; " + ", ".join(f"{counts[way]} {way}" for way in graphs.WAYS)
          + f"), {len(wrong)} differ, {len(unknown)} not evaluated, {counts['refused by JAX']} refused by JAX")
    return 1 if wrong or len(unknown) * 10 > len(seeds) or compared * 2 < len(seeds) else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--inside":
        inside(sys.argv[2])
    else:
        sys.exit(main())
