"""Holds the prelude against real JAX: `python tests/prelude/check.py [FILTER…] [-v]`.

Every `cases_*.py` beside this file has `cases(C)`, a generator function that yields checks by calling the helpers of
`C` (a `Checker`). See README.md.
"""
import importlib
import importlib.util
import os
import re
import sys
import types
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
PRELUDE = os.path.join(HERE, "..", "..", "tracer-core", "src", "frameworks", "jax", "prelude", "jax")
sys.path.insert(0, os.path.join(HERE, "shim"))

import jax
import jax.numpy as jnp
import numpy as np

warnings.simplefilter("ignore")


def prelude(path=""):
    """The prelude's module `jax.<path>`, imported as `pjax.<path>`, so that the real `jax` stays what it is."""
    if "pjax" not in sys.modules:
        root = types.ModuleType("pjax")
        root.__path__ = [os.path.abspath(PRELUDE)]
        sys.modules["pjax"] = root
        if not os.path.exists(os.path.join(PRELUDE, "numpy", "__init__.py")):
            root.numpy = sys.modules["pjax.numpy"] = jnp
    return importlib.import_module("pjax" + ("." + path if path else ""))


def first_line(error):
    text = str(error).replace("pjax.", "jax.")
    return re.sub(r"0x[0-9a-f]+", "0x", text.split("\n")[0])


def outcome(function, args, kwargs):
    """(jaxpr text, out avals, error) of tracing `function` on `args`; leaves that are arrays become tracers, others stay."""
    leaves, tree = jax.tree_util.tree_flatten((args, kwargs), is_leaf=lambda x: x is None)
    traced = [i for i, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def run(*dynamic):
        full = list(leaves)
        for i, value in zip(traced, dynamic):
            full[i] = value
        a, k = jax.tree_util.tree_unflatten(tree, full)
        return function(*a, **k)

    try:
        jaxpr = jax.make_jaxpr(run)(*[leaves[i] for i in traced])
    except Exception as error:
        return None, None, error
    return jaxpr, [v.str_short() + ("~" if getattr(v, "weak_type", False) else "") for v in jaxpr.out_avals], None


def eager_outcome(function, args, kwargs):
    """(leaves, their avals, error) of calling `function` outside of any trace."""
    try:
        leaves = jax.tree_util.tree_leaves(function(*args, **kwargs))
        return leaves, [jax.typeof(v).str_short() if hasattr(v, "dtype") else repr(v) for v in leaves], None
    except Exception as error:
        return None, None, error


class Checker:
    def __init__(self, filters=(), verbose=False, eager=False):
        self.filters, self.verbose, self.eager = filters, verbose, eager
        self.total = self.same = self.avals_only = 0
        self.failures = []
        self.looser = {}

    def wants(self, name):
        return not self.filters or any(f in name for f in self.filters)

    def fail(self, name, args, kwargs, why):
        self.failures.append(f"{name}{describe(args, kwargs)}: {why}")
        if self.verbose:
            print("FAIL", self.failures[-1])

    def call(self, name, ours, theirs, *args, values=True, jaxpr=True, **kwargs):
        """One call under both: class and first line of the error, or avals (and jaxpr, and eager values) of the result."""
        if not self.wants(name):
            return
        self.total += 1
        run = eager_outcome if self.eager else outcome
        j_theirs, a_theirs, e_theirs = run(theirs, args, kwargs)
        j_ours, a_ours, e_ours = run(ours, args, kwargs)
        if e_theirs is not None or e_ours is not None:
            if e_theirs is None:
                return self.fail(name, args, kwargs, f"ours raised {type(e_ours).__name__}: {first_line(e_ours)}")
            if e_ours is None:
                return self.fail(name, args, kwargs,
                                 f"ours gave {a_ours}, theirs raised {type(e_theirs).__name__}: {first_line(e_theirs)}")
            if type(e_ours) is not type(e_theirs) or first_line(e_ours) != first_line(e_theirs):
                return self.fail(name, args, kwargs,
                                 f"\n   ours   {type(e_ours).__name__}: {first_line(e_ours)}"
                                 f"\n   theirs {type(e_theirs).__name__}: {first_line(e_theirs)}")
            self.same += 1
            return
        if a_ours != a_theirs:
            return self.fail(name, args, kwargs, f"avals: ours {a_ours}, theirs {a_theirs}")
        if self.eager:
            self.same += 1
            if values:
                self.compare_leaves(name, j_ours, j_theirs, args, kwargs)
        elif str(j_ours) == str(j_theirs):
            self.same += 1
        else:
            if jaxpr:
                self.avals_only += 1
                self.looser.setdefault(name, []).append((describe(args, kwargs), str(j_ours), str(j_theirs)))
            if values:
                self.compare_values(name, ours, theirs, args, kwargs)

    def expect(self, name, holds, why):
        """One fact that needs no call."""
        if not self.wants(name):
            return
        self.total += 1
        if holds:
            self.same += 1
        else:
            self.fail(name, (), {}, why)

    def compare_values(self, name, ours, theirs, args, kwargs):
        x = jax.tree_util.tree_leaves(theirs(*args, **kwargs))
        y = jax.tree_util.tree_leaves(ours(*args, **kwargs))
        self.compare_leaves(name, y, x, args, kwargs)

    def compare_leaves(self, name, ours, theirs, args, kwargs):
        for a, b in zip(theirs, ours):
            if not hasattr(a, "dtype"):
                continue
            a, b = np.asarray(a), np.asarray(b)
            if a.dtype.kind == "V" or not np.issubdtype(a.dtype, np.number):
                a, b = a.astype(np.float32), b.astype(np.float32)
            if not np.allclose(a, b, rtol=1e-3, atol=1e-4, equal_nan=True):
                return self.fail(name, args, kwargs, f"values: ours {b.ravel()[:8]}, theirs {a.ravel()[:8]}")

    def report(self):
        for text in self.failures:
            print("FAIL", text)
        if self.verbose:
            for name, cases in self.looser.items():
                print(f"\njaxpr differs: {name}{cases[0][0]} and {len(cases) - 1} more\n-- ours\n{cases[0][1]}\n-- theirs\n{cases[0][2]}")
        elif self.looser:
            print("same avals and values, other jaxpr:", ", ".join(f"{n}×{len(c)}" for n, c in self.looser.items()))
        print(f"{self.total} calls: {self.same} identical, {self.avals_only} same avals, {len(self.failures)} failed")
        return 1 if self.failures else 0


def show(x):
    if isinstance(x, jax.Array):
        return jax.typeof(x).str_short(short_dtypes=True) + ("~" if jax.typeof(x).weak_type else "")
    if isinstance(x, np.ndarray):
        return f"np:{x.dtype}{list(x.shape)}"
    if isinstance(x, (list, tuple)):
        inner = ", ".join(map(show, x))
        return f"[{inner}]" if isinstance(x, list) else f"({inner},)"
    return repr(x)


def describe(args, kwargs):
    return "(" + ", ".join([show(a) for a in args] + [f"{k}={show(v)}" for k, v in kwargs.items()]) + ")"


def array(dtype, *shape, seed=0):
    """An array of a dtype with varied values; floats include negatives, no special values."""
    count = int(np.prod(shape))
    values = (np.arange(count) * 7 + 3 + seed) % 11 - 4
    dtype = jnp.dtype(dtype)
    if dtype.kind == "b":
        values = values % 2 == 0
    elif dtype.kind == "u":
        values = abs(values)
    elif dtype.kind == "c":
        values = values + 1j * (values[::-1] % 5)
    elif dtype.kind not in "i":
        values = values / 4 + 0.1
    return jnp.asarray(np.asarray(values).reshape(shape), dtype=dtype)


def weak(value, *shape):
    """A weakly typed array."""
    return jax.lax.full(shape, value)


def main(argv):
    verbose = "-v" in argv
    filters = [a for a in argv if not a.startswith("-")]
    checker = Checker((), verbose, "--eager" in argv)
    for file in sorted(os.listdir(HERE)):
        if file.startswith("cases_") and file.endswith(".py"):
            room = file[6:-3]
            chosen = [f for f in filters if f != room]
            if filters and room not in filters and not chosen:
                continue
            if any(os.path.exists(os.path.join(HERE, f"cases_{f}.py")) for f in filters) and room not in filters:
                continue
            checker.filters = [f for f in chosen if not os.path.exists(os.path.join(HERE, f"cases_{f}.py"))]
            spec = importlib.util.spec_from_file_location(file[:-3], os.path.join(HERE, file))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.cases(checker)
    return checker.report()


if __name__ == "__main__":
    sys.modules.setdefault("check", sys.modules["__main__"])
    sys.exit(main(sys.argv[1:]))
