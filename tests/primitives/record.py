"""Records what real JAX makes of primitives: the types, numbers or errors of results, as JSON for the Rust tests.

A case is an object: `p` the primitive, `params` its parameters, `in` the inputs, and either `out`, the results, or `error`,
class and message. An array is `{t: dtype, s: shape, w: weak type, v: elements}`; without `v` only the type is compared.
`show` has the parameters as jaxprs print them, once for each primitive. `tol` is the relative tolerance, 0 by default for
integers. Parameters are null, bools, numbers, strings (also members of enums), lists (tuples), `{"dtype": …}`.
"""
import enum
import json
import math
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
    if np.issubdtype(x.dtype, np.integer) or x.dtype.name in ("int4", "uint4"):
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

    def write(self, path):
        with open(path, "w") as file:
            file.write("[\n")
            file.write(",\n".join(json.dumps(case, separators=(",", ":")) for case in self.cases))
            file.write("\n]\n")
        counts = {}
        for case in self.cases:
            kind = "error" if "error" in case else ("value" if all("v" in o for o in case["out"]) else "type")
            counts.setdefault(case["p"], {}).setdefault(kind, 0)
            counts[case["p"]][kind] += 1
        for name in sorted(counts):
            print(f"{name:28} {counts[name]}", file=sys.stderr)
