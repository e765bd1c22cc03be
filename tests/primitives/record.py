"""Records what real JAX makes of primitives: the types, numbers or errors of results, as JSON for the Rust tests.

A case is an object: `p` the primitive, `params` its parameters, `in` the inputs, and either `out`, the results, or `error`,
class and message. An array is `{t: dtype, s: shape, w: weak type, v: elements}`; without `v` only the type is compared.
`show` has the parameters as jaxprs print them, once for each primitive. `tol` is the relative tolerance, 0 by default for
integers; where there are `steps`, the numbers are up to those that the compiler takes, and may be unknown. Parameters are null, bools, numbers, strings (also members of enums), lists (tuples), `{"dtype": …}`.
"""
import enum
import json
import math
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import core
from jax.extend import core as jex_core  # noqa: F401  (registers)

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

INLINED = {"jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call", "checkpoint"}


def short(dtype):
    return core.ShapedArray((), dtype).str_short(short_dtypes=True).split("[")[0]


def encode_param(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        value = float(value)
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, core.Primitive):
        return value.name
    if type(value).__name__ == "PRNGImpl":
        return value.tag
    if isinstance(value, (tuple, list)):
        return [encode_param(item) for item in value]
    try:
        return {"dtype": short(np.dtype(value))}
    except TypeError:
        return {"opaque": type(value).__name__}


def encode_number(x):
    x = float(x)
    if math.isfinite(x):
        return int(x) if x == int(x) and abs(x) < 1e9 and not (x == 0 and math.copysign(1, x) < 0) else x
    return repr(x)


def elements(x):
    if jnp.issubdtype(x.dtype, jax.dtypes.prng_key):
        x = jax.random.key_data(x)
    x = np.asarray(x)
    if x.dtype == np.bool_:
        return [int(v) for v in x.ravel()]
    if np.issubdtype(x.dtype, np.integer) or x.dtype.name in ("int2", "int4", "uint2", "uint4"):
        return [int(v) for v in x.ravel()]
    if np.issubdtype(x.dtype, np.complexfloating):
        flat = x.ravel()
        parts = np.stack([flat.real, flat.imag], -1).ravel()
    else:
        parts = x.ravel()
    if parts.dtype == np.float32:  # the shortest text that reads back as the same float32
        return [encode_number(v) if not math.isfinite(v) or float(v).is_integer() else float(str(v)) for v in parts]
    return [encode_number(v) for v in parts]


def encode(aval, value=None):
    out = {"t": short(aval.dtype), "s": list(aval.shape)}
    if getattr(aval, "weak_type", False):
        out["w"] = True
    if value is not None:
        out["v"] = elements(value)
    return out


class Weak:
    """An input of weak type."""

    def __init__(self, value):
        self.value = value


class Recorder:
    def __init__(self, values=True, limit=4096):
        self.cases = []
        self.seen = set()
        self.shown = {}
        self.limit = limit
        self.values = values
        self.live = []

    def add(self, case):
        key = json.dumps(case, sort_keys=True)
        if key not in self.seen:
            self.seen.add(key)
            self.cases.append(case)

    def show(self, primitive, params):
        count = self.shown.get(primitive.name, 0)
        self.shown[primitive.name] = count + 1
        if count >= 6:
            return None
        if primitive.name == "dot_general":
            params = {k: v for k, v in params.items() if v is not None and k != "out_sharding"}
            (a, b), (c, d) = params["dimension_numbers"]
            params["dimension_numbers"] = ((list(a), list(b)), (list(c), list(d)))
        return {k: str(v) for k, v in params.items() if not isinstance(v, (core.Jaxpr, core.ClosedJaxpr)) and not callable(v)
                or isinstance(v, (enum.Enum, core.Primitive, np.dtype))}

    def eqn(self, primitive, params, avals, values, out_avals, outs, tol=None):
        case = {"p": primitive.name, "params": {k: encode_param(v) for k, v in params.items()}}
        if values is not None:
            self.live.append((primitive, params, values))
        case["in"] = [encode(a, v) for a, v in zip(avals, values or [None] * len(avals))]
        small = outs is not None and all(np.size(o) <= self.limit for o in outs if not hasattr(o, "_impl"))
        case["out"] = [encode(a, o) for a, o in zip(out_avals, outs if small else [None] * len(out_avals))]
        if tol is not None:
            case["tol"] = tol
        show = self.show(primitive, params)
        if show:
            case["show"] = show
        self.add(case)

    def bind(self, primitive, args, tol=None, evaluate=True, **params):
        """One primitive with these arguments (arrays, `Weak`, or `ShapeDtypeStruct`s: types only)."""
        weak = [isinstance(a, Weak) for a in args]
        args = [a.value if isinstance(a, Weak) else a for a in args]
        abstract = any(isinstance(a, jax.ShapeDtypeStruct) for a in args)
        avals = [core.ShapedArray(a.shape, a.dtype, weak_type=w) for a, w in zip(args, weak)]
        encoded = {k: encode_param(v) for k, v in params.items()}
        try:
            jaxpr = jax.make_jaxpr(lambda *xs: primitive.bind(*xs, **params))(
                *[jax.ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type) for a in avals])
        except Exception as error:
            self.add({"p": primitive.name, "params": encoded, "in": [encode(a) for a in avals],
                      "error": [type(error).__name__, str(error)]})
            return
        outs = values = None
        if evaluate and not abstract and self.values:
            outs = primitive.bind(*[jnp.asarray(a) if not hasattr(a, "_impl") else a for a in args], **params)
            outs = outs if primitive.multiple_results else [outs]
            values = args
        self.eqn(primitive, params, avals, values, jaxpr.out_avals, outs, tol)

    def harvest(self, names, fn, *args, tol=None):
        """Every equation of these primitives in the trace of `fn(*args)`, with the numbers that it sees."""
        flat, tree = jax.tree.flatten(args)
        closed = jax.make_jaxpr(lambda *xs: fn(*jax.tree.unflatten(tree, xs)))(*flat)
        self._run(set(names), closed.jaxpr, closed.consts, [jnp.asarray(x) for x in flat], tol)

    def _run(self, names, jaxpr, consts, args, tol):
        env = {}

        def read(atom):
            return atom.val if isinstance(atom, core.Literal) else env[atom]

        env.update(zip(jaxpr.constvars, consts))
        env.update(zip(jaxpr.invars, args))
        for eqn in jaxpr.eqns:
            values = [read(atom) for atom in eqn.invars]
            name = eqn.primitive.name
            if name in INLINED:
                inner = eqn.params.get("jaxpr") or eqn.params["call_jaxpr"]
                inner, inner_consts = (inner.jaxpr, inner.consts) if hasattr(inner, "consts") else (inner, ())
                outs = self._run(names, inner, inner_consts, values, tol)
            else:
                outs = eqn.primitive.bind(*values, **eqn.params)
                outs = outs if eqn.primitive.multiple_results else [outs]
                if name in names:
                    self.eqn(eqn.primitive, eqn.params, [atom.aval for atom in eqn.invars], values,
                             [var.aval for var in eqn.outvars], outs, tol)
            env.update(zip(eqn.outvars, outs))
        return [read(atom) for atom in jaxpr.outvars]

    def derive(self, primitive, params, values, rng, batches=True):
        """Cases of the same application under `jvp`, `vjp` and `vmap`: the jaxpr (NumPy's integers as plain ones) and the
        numbers of each."""
        values = [jnp.asarray(v) for v in values]
        floats = [i for i, v in enumerate(values) if jnp.issubdtype(v.dtype, jnp.inexact)]

        def base(*xs):
            outs = primitive.bind(*xs, **params)
            return list(outs) if primitive.multiple_results else [outs]

        def noise(shape, dtype):
            x = np.round(rng.normal(size=shape), 2)
            if jnp.issubdtype(dtype, jnp.complexfloating):
                x = x + 1j * np.round(rng.normal(size=shape), 2)
            return jnp.asarray(x, dtype)

        def merged(fixed, given):
            xs = list(fixed)
            for i, x in zip(floats, given):
                xs[i] = x
            return xs

        out_avals = jax.eval_shape(base, *values)
        inexact = [i for i, a in enumerate(out_avals) if jnp.issubdtype(a.dtype, jnp.inexact)]
        n = len(values)
        if floats and inexact:
            tangents = [noise(values[i].shape, values[i].dtype) for i in floats]

            def only(xs):
                def f(*fl):
                    outs = base(*merged(xs[:n], fl))
                    return [outs[i] for i in inexact]
                return f, [xs[i] for i in floats]

            def forward(*xs):
                f, primals = only(xs)
                outs, tangents = jax.jvp(f, primals, list(xs[n:]))
                return outs + tangents

            self._derived(primitive, params, "jvp", forward, [*values, *tangents], n)

            def backward(*xs):
                f, primals = only(xs)
                return jax.vjp(f, *primals)[1](list(xs[n:]))

            cotangents = [noise(out_avals[i].shape, out_avals[i].dtype) for i in inexact]
            self._derived(primitive, params, "vjp", backward, [*values, *cotangents], n)
        if not batches or not n:
            return
        choices = [tuple([0] * n)]
        for i in range(n):
            if n > 1:
                choices.append(tuple(0 if i == j else None for j in range(n)))
        choices.append(tuple(int(rng.integers(0, v.ndim + 1)) for v in values))
        choices = [choices[i] for i in sorted(rng.permutation(len(choices))[:3])]
        for dims in dict.fromkeys(choices):
            inputs = []
            for v, d in zip(values, dims):
                if d is None:
                    inputs.append(v)
                    continue
                other = v + noise(v.shape, v.dtype) if jnp.issubdtype(v.dtype, jnp.inexact) else jnp.flip(v)
                inputs.append(jnp.stack([v, other], d))
            self._derived(primitive, params, "vmap", jax.vmap(base, dims), inputs, n, list(dims))

    def _derived(self, primitive, params, what, fn, inputs, own, dims=None):
        case = {"p": primitive.name, "params": {k: encode_param(v) for k, v in params.items()}, "what": what, "own": own}
        case["in"] = [encode(core.typeof(x), x) for x in inputs]
        if dims:
            case["dims"] = dims
        try:
            case["jaxpr"] = re.sub(r"np\.int64\((\d+)\)", r"\1", str(jax.make_jaxpr(fn)(*inputs)))
        except Exception as error:
            case["error"] = [type(error).__name__, str(error)]
        else:
            outs = jax.tree.leaves(fn(*inputs))
            case["out"] = [encode(core.typeof(o), o) for o in outs]
        self.add(case)

    def derive_some(self, per_primitive, seed=0, largest=150):
        """`derive` of some of the recorded applications to numbers, spread evenly."""
        groups = {}
        for primitive, params, values in self.live:
            # XLA's expansion of a `select_and_scatter` of scalars crashes.
            scalar = primitive.name.startswith("reduce_window") and np.ndim(values[0]) == 0
            if all(np.size(v) <= largest for v in values) and not scalar:
                groups.setdefault(primitive.name, []).append((primitive, params, values))
        out = Recorder()
        rng = np.random.default_rng(seed)
        for group in groups.values():
            step = max(1, len(group) / per_primitive)
            for k in range(min(per_primitive, len(group))):
                out.derive(*group[int(k * step)], rng)
        return out

    def write(self, path):
        with open(path, "w") as file:
            file.write("[\n")
            file.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in self.cases))
            file.write("\n]\n")
        counts = {}
        for case in self.cases:
            kind = case["what"] if "what" in case else "error" if "error" in case else ("value" if all("v" in o for o in case.get("out", ())) else "type")
            counts.setdefault(case["p"], {}).setdefault(kind, 0)
            counts[case["p"]][kind] += 1
        for name in sorted(counts):
            print(f"{name:28} {counts[name]}", file=sys.stderr)
