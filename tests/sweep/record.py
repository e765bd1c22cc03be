"""Asks real JAX: for every public name, calls made of the signature, and what they give. Run by `run.py record`.

What to try next depends on what worked: first calls with the required arguments, then options on top of calls that gave
something, then the same under `jit`, `vmap` and `grad`. Of each kind only some are kept, different answers first.
"""
import inspect
import io
import json
import os
import random
import re
import signal
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import jax
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import names
import recipes
import wider

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_disable_most_optimizations", True)
warnings.simplefilter("ignore")
SPACE = {}
exec((HERE / "ask.py").read_text("utf-8"), SPACE)

KEPT = {"plain": 6, "error": 3, "option": 5, "option error": 2, "transform": 3}
SECONDS = 4
# What a call leaves behind is no part of the next one's answer: NumPy's arrays are made anew where one was changed.
FRESH = {name: value.copy() for name, value in SPACE.items() if isinstance(value, np.ndarray)}
UNSTABLE = re.compile(r"0x[0-9a-f]{6,}|<lambda>|object at|!_TooLong|!RecursionError")


class _TooLong(Exception):
    pass


def stop(*_):
    raise _TooLong


def ask(call):
    """The answer of real JAX; nothing for one that takes too long."""
    for name, value in FRESH.items():
        if SPACE[name].shape != value.shape or SPACE[name].tobytes() != value.tobytes():
            SPACE[name] = value.copy()
    signal.alarm(SECONDS)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            found = SPACE["answer"](eval("lambda: " + call, SPACE))
    except (_TooLong, SyntaxError):
        return None
    finally:
        signal.alarm(0)
    return None if UNSTABLE.search(found) or not found.isascii() or len(found) > 250 else found


def pool(parameter, module):
    """What to give for a parameter: by its name, or by its default."""
    name, default = parameter.name, parameter.default
    if name in ("a", "x", "b") and module in recipes.OF_MATRICES:
        return recipes.SQUARE
    if name in recipes.PARAMETERS:
        return recipes.PARAMETERS[name]
    if default is inspect.Parameter.empty:
        return recipes.ARRAYS
    if isinstance(default, bool):
        return recipes.FLAGS
    if isinstance(default, int):
        return recipes.COUNTS
    if isinstance(default, float):
        return ["0.5", "2", "S0", "F3"]
    if isinstance(default, str):
        return ["'no'"]
    return ["None", "1", "F3", "True"]


def parameters(function):
    """Those that have to be given, those that may, and whether further positional ones may."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        number = getattr(function, "nin", 1)
        found = [inspect.Parameter("x" + str(i + 1), inspect.Parameter.POSITIONAL_ONLY) for i in range(number)]
    rest = any(p.kind is p.VAR_POSITIONAL for p in found)
    if rest and getattr(function, "nin", None):
        found = [inspect.Parameter(f"x{i + 1}", inspect.Parameter.POSITIONAL_ONLY) for i in range(function.nin)] + found
    plain = [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    needed = [p for p in plain if p.default is p.empty]
    if rest and not needed:
        needed = [inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)]
    return needed, [p for p in plain if p not in needed], rest


def arguments(parts):
    return ", ".join(f"{p.name}={value}" if p.kind is p.KEYWORD_ONLY or i else value for p, value, i in parts)


class Name:
    """One public name: asks calls and keeps some."""

    def __init__(self, path, module, value, seed=""):
        self.path, self.module, self.value, self.seed = path, module, value, seed
        self.draw = random.Random(path + seed)
        self.kept, self.asked, self.counts = {}, {}, dict.fromkeys(KEPT, 0)
        self.worked = []

    def try_call(self, call, kind):
        """Asks one call (`@` is the name) and keeps it while there is room, more freely where the answer is new."""
        if call in self.asked:
            return None
        found = self.asked[call] = ask(call.replace("@", self.path))
        if found is None:
            return None
        if found.startswith("!") and kind in ("plain", "option"):
            kind = {"plain": "error", "option": "option error"}[kind]
        room = self.counts[kind] < KEPT[kind]
        if room and (found not in self.kept.values() or self.counts[kind] < KEPT[kind] / 2 or self.draw.random() < 0.2):
            self.counts[kind] += 1
            self.kept[call] = found
        return found

    def run(self):
        for call in recipes.CALLS.get(self.path, ()):
            found = ask(call.replace("@", self.path))
            if found is not None:
                self.kept[call] = found
        if not callable(self.value) or isinstance(self.value, type) and not self.path.startswith(("jnp", "np", "F34")) or "State" in type(self.value).__name__:
            self.try_call("@", "plain")
            return self.kept
        try:
            self.by_signature()
        except _TooLong:
            pass
        if self.path in recipes.EDGES:
            self.edges()
        return self.kept

    def more(self, left_out, begin):
        """The wider calls of a name that programs use often."""
        if not callable(self.value):
            return {}
        draw, (needed, optional, rest) = random.Random(self.path + " more" + self.seed), parameters(self.value)
        optional = [p for p in optional if p.name not in ("subok", "casting", "signature")]

        def asked(call):
            begin(call)
            return None if "ended: " + call in left_out else ask(call)

        kept, tried = wider.KEPT, wider.TRIED
        if self.path not in wider.OFTEN:
            kept, tried = wider.FEW
        return wider.ask_more(self, needed, optional, rest, lambda p: pool(p, self.module), draw, asked, kept, tried)

    def edges(self):
        """Kinds of arguments at the edge of what the function takes: all that real JAX says of them is kept."""
        needed, optional, _ = parameters(self.value)
        if not needed:
            needed = [inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY)]
        given = [pool(p, self.module) for p in needed]
        calls = []
        if needed[0].name in ("shape", "N"):
            rest = "".join(", " + values[0] for values in given[1:])
            calls += [f"@({shape}{rest})" for shape in recipes.EDGE_SHAPES]
        elif "key" in needed[0].name:
            rest = "".join(", " + values[0] for values in given[1:])
            calls += [f"@({key}{rest})" for key in ("KEYS", "F3", "I3", "None", "0", "KEY0", "KEY[None]")]
            if any(p.name == "shape" for p in needed + optional):
                others = "".join(f", {p.name}={values[0]}" for p, values in zip(needed[1:], given[1:]) if p.name != "shape")
                calls += [f"@(KEY, shape={shape}{others})" for shape in recipes.EDGE_SHAPES]
        else:
            like = [p.name not in recipes.PARAMETERS for p in needed]
            for value in recipes.EDGE_ARRAYS:
                calls.append(f"@({', '.join(value if i == 0 or same else values[0] for i, (same, values) in enumerate(zip(like, given)))})")
        first = given[0][0]
        rest = "".join(", " + values[0] for p, values in zip(needed[1:], given[1:]) if p.name not in ("axis", "axis1", "axis2"))
        for p in needed + optional:
            if p.name in ("axis", "axis1", "dimension"):
                calls += [f"@({first}{rest}, {p.name}={axis})" for axis in recipes.EDGE_AXES]
            if p.name == "dtype":
                calls += [f"@({first}{rest}, dtype={dtype})" for dtype in ("np.float16", "'int8'", "np.dtype('uint8')", "complex", "'f4'", "F3.dtype", "str")]
        if needed[0].kind is not inspect.Parameter.POSITIONAL_ONLY:
            calls.append(f"@({', '.join(f'{p.name}={values[0]}' for p, values in zip(needed, given))})")
        for call in calls:
            if call not in self.kept:
                found = ask(call.replace("@", self.path))
                if found is not None:
                    self.kept[call] = found

    def by_signature(self):
        needed, optional, rest = parameters(self.value)
        pools = [pool(p, self.module) for p in needed]
        longest = max(map(len, pools), default=1)
        choices = [[p[i % len(p)] for p in pools] for i in range(min(longest, 20))] if len(needed) < 4 else []
        if len(needed) > 1:
            choices += [[self.draw.choice(p[:10]) for p in pools] for _ in range(30)]
        if rest:
            choices += [choice + [self.draw.choice(recipes.ARRAYS)] for choice in choices[:3]]
        for number, values in enumerate(choices):
            if self.counts["plain"] >= KEPT["plain"] and (number >= 14 or self.counts["error"] >= KEPT["error"]):
                break
            extra = [inspect.Parameter("more", inspect.Parameter.POSITIONAL_ONLY)] * (len(values) - len(needed))
            parts = [(p, v, False) for p, v in zip(needed + extra, values)]
            found = self.try_call(f"@({arguments(parts)})", "plain")
            if found is not None and not found.startswith("!"):
                self.worked.append(parts)
        self.with_options([p for p in optional if p.name not in ("out", "subok", "casting", "signature")])
        self.transformed()

    def with_options(self, optional):
        if not self.worked or not optional:
            return
        for i in range(3 * min(len(optional), 4)):
            option = optional[i % len(optional)]
            value = self.draw.choice(pool(option, self.module))
            parts = self.draw.choice(self.worked[:8]) + [(option, value, True)]
            if i % 4 == 3 and len(optional) > 1:
                other = self.draw.choice([p for p in optional if p is not option])
                parts = parts + [(other, self.draw.choice(pool(other, self.module)), True)]
            keyword = all(p.kind is not p.POSITIONAL_ONLY for p, _, named in parts if named)
            if keyword:
                found = self.try_call(f"@({arguments(parts)})", "option")
                if found is not None and not found.startswith("!"):
                    self.worked.append(parts)

    def transformed(self):
        """The first array argument of calls that worked becomes a tracer."""
        if self.path.startswith(("jax.tree", "N34", "np.")):
            return
        for i in range(4):
            if not self.worked:
                return
            parts = self.draw.choice(self.worked)
            where = [j for j, (_, value, _) in enumerate(parts) if re.fullmatch(r"[A-Z]+\d+", value)]
            if not where:
                continue
            j = self.draw.choice(where)
            inner = arguments([(p, "v" if k == j else value, n) for k, (p, value, n) in enumerate(parts)])
            self.try_call(f"{('jit', 'vmap', 'grad', 'jit')[i % 4]}(lambda v: @({inner}), {parts[j][1]})", "transform")


def everything(seed=""):
    for module in names.modules():
        for name, value in names.public(module):
            path = f"{names.short(module)}.{name}"
            if path not in recipes.LEFT_OUT:
                yield Name(path, module, value, seed)
    for path, instance in names.CLASSES.items():
        holder = SPACE[instance]
        for name in sorted(dir(type(holder))):
            if not name.startswith("_") and name not in recipes.METHODS_LEFT_OUT:
                yield Name(f"{instance}.{name}", path, attribute(holder, name), seed)


def attribute(holder, name):
    """The value of an attribute; nothing of one that raises, which is then asked for all the same."""
    try:
        return getattr(holder, name)
    except Exception:
        return None


def by_hand(seed=""):
    """Operators, indexing and updates of arrays: calls that are no call of a public name."""
    draw = random.Random("1" + seed if seed else 1)
    several = "F34 F3 S0 I3 I34 B3 B34 C3 H34 N34 D3 L3 T3 U3 G3 W0 V0 2 1.5 True 1j M0 J0 E0 [1.,2.,3.] None 'no'".split()
    operators = "+ - * / // % ** @ & | ^ << >> == != < <= > >=".split()
    calls = [f"{draw.choice(several[:18])} {op} {draw.choice(several)}" for op in operators for _ in range(22)]
    calls += [f"{draw.choice(several[17:])} {op} {draw.choice(several[:9])}" for op in operators for _ in range(6)]
    calls += [f"{op}({x})" for op in ("-", "+", "~", "abs", "len", "bool", "int", "float", "complex", "round", "list", "operator.index", "hash", "iter") for x in several[:19]]
    indices = ("0 -1 5 : 1: ::2 ::-1 None ... I3 [0,1] B3 B34 T3 L3 (I3,I3) (0,1) (slice(None),0) (...,0) I34 S0 1.5 F3 'no' (0,1,2) True "
               "(None,0,None) jnp.array(1) np.int64(1) ([0,1],[1]) (I3,slice(0,2)) (slice(1),...,I3) []").split()
    calls += [f"{x}[{i}]" for x in ("F34", "I3", "N34", "F244", "S0") for i in indices]
    ats = [f"{x}.at[{i}].{m}" for x in ("F34", "I3", "F244") for i in indices for m in draw.sample(
        ["set(1)", "set(2.5)", "add(F3)", "mul(2)", "get()", "max(I0)", "min(0)", "divide(2)", "power(2)", "apply(jnp.sin)", "set(C3[0])",
         "get(mode='fill', fill_value=0)", "add(1, mode='drop')", "subtract(S0)", "set([1, 2])"], 4)]
    calls += ats
    calls += [f"jit(lambda v: {x.replace('F34', 'v')}, F34)" for x in draw.sample([c for c in calls if "F34" in c], 80)]
    calls += [f"np.ndarray.{m}(N34)" for m in "flatten sum mean copy ravel tolist transpose max astype".split()]
    calls += [f"jax.Array.{m}(F34)" for m in "flatten sum mean copy ravel tolist transpose max astype".split()]
    return {call: found for call in dict.fromkeys(calls) if (found := ask(call)) is not None}


def of_strangers():
    """Calls as programs have them, one a line in `strangers.txt`: written by hand, not drawn."""
    lines = Path(__file__).with_name("strangers.txt").read_text("utf-8").splitlines()
    return {call: found for call in dict.fromkeys(filter(None, lines)) if (found := ask(call)) is not None}


def main(place, share, shares, seed, only):
    """With a seed wider calls of every name are drawn, and nothing else. Some calls end the process (XLA aborts on a few types). It is then started again, and leaves out the name that it was at, or the
    one of its wider calls."""
    signal.signal(signal.SIGALRM, stop)
    place, begun = Path(place), Path(place + ".begun")
    found = json.loads(place.read_text()) if place.exists() else {}
    lines = begun.read_text().splitlines() if begun.exists() else []

    def begin(what):
        with begun.open("a") as file:
            file.write(what + "\n")

    if lines:
        begin("ended: " + lines[-1])
    ended = {*lines, "ended: " + lines[-1]} if lines else set()

    for number, name in enumerate(everything(seed)):
        if number % shares == share and (not only or any(name.path == o or name.path.rpartition(".")[0] == o for o in only)):
            if not seed and name.path not in ended:
                begin(name.path)
                found[name.path] = name.run()
                place.write_text(json.dumps(found))
            if (seed or name.path in wider.OFTEN) and name.path + " more" not in ended:
                name.kept = found.get(name.path, {})
                more = name.more(ended, begin)
                found[name.path] = {**name.kept, **more}
                place.write_text(json.dumps(found))
                begin(name.path + " more")
    if share == 0 and (not only or "arrays" in only):
        found["arrays"] = by_hand(seed)
    if share == shares - 1 and not seed and (not only or "strangers" in only):
        found["strangers"] = of_strangers()
    place.write_text(json.dumps(found))


if __name__ == "__main__":
    os.nice(10)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
