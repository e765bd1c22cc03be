"""What a program showed while it ran: the probes' other end."""

import sys
from collections import defaultdict

from .instrument import Sites

SHORT_DTYPES = {
    "bool": "bool", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "int2": "i2", "int4": "i4", "uint2": "u2", "uint4": "u4", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "complex64": "c64", "complex128": "c128",
    "[('float0', 'V')]": "float0",
}

PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, tuple, list, dict, set, type, type(len),
                   type(lambda: 0), type(sys)})


def aval_of(value) -> str | None:
    """`f32[8,128]`, `~` after the dtype if weak, `!` at the end for a tracer, `np:` before NumPy's. None for all else."""
    if type(value) in PLAIN:
        return None
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(value, jax.Array):
        aval = getattr(value, "aval", None)
        if not hasattr(aval, "shape"):
            return None
        weak = "~" if getattr(aval, "weak_type", False) else ""
        traced = "!" if isinstance(value, jax.core.Tracer) else ""
        return f"{short(aval.dtype)}{weak}{dimensions(aval.shape)}{traced}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return f"np:{short(value.dtype)}{dimensions(value.shape)}"
    return None


def short(dtype) -> str:
    name = str(dtype)
    if name.startswith(("float4_", "float6_", "float8_")):
        return name.replace("float", "f", 1)
    return SHORT_DTYPES.get(name, name)


def dimensions(shape) -> str:
    return f"[{','.join(map(str, shape))}]"


def stages() -> tuple[bool, bool]:
    """Whether a framework is tracing, and whether one of the active traces stages a graph out (jit, scan, cond …)."""
    core = sys.modules.get("jax._src.core")
    if core is None or core.trace_ctx.is_top_level():
        return False, False
    trace = core.trace_ctx.trace
    while trace is not None:
        if type(trace).__name__ == "DynamicJaxprTrace":
            return True, True
        trace = getattr(trace, "parent_trace", None)
    return True, False


class Facts:
    """Collects what the probes see.

    `phase` is 0 until the program's first uncaught exception and 1 for what runs after it (see `execute.py`): a fact
    of phase 1 was not shown by the program as it is, but would be once the error is gone.
    """

    def __init__(self, sites: Sites):
        self.sites = sites
        self.phase = 0
        self.avals = defaultdict(dict)                                  # site -> aval -> phase first seen in
        self.entries = defaultdict(lambda: ([0, 0, 0], [0, 0, 0]))      # function -> per phase: eager, traced, staged
        self.traced_runs = 0
        self.values = defaultdict(list)                                 # watched site -> str of each value, in order
        self.keys = defaultdict(list)                                   # watched site -> "hit" | "miss", in order

    def saw(self, site, value):
        try:
            aval = aval_of(value)
        except Exception:  # a user's class may raise from any attribute; a probe must not
            aval = None
        if aval is not None:
            self.avals[site].setdefault(aval, self.phase)
        return value

    def enter(self, function):
        traced, staged = stages()
        counts = self.entries[function][self.phase]
        counts[1 if traced else 0] += 1
        counts[2] += staged
        self.traced_runs += traced

    def mark(self):
        return self.traced_runs

    def watch(self, site, traced_before, value):
        self.keys[site].append("miss" if self.traced_runs > traced_before else "hit")
        self.values[site].append(printed(value))
        return self.saw(site, value)


def printed(value) -> str | None:
    """The value as `print` shows it, None for what has no value yet."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(value, jax.core.Tracer):
        return None
    try:
        return str(value)
    except Exception:
        return None
