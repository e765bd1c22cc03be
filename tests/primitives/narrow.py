"""Records what becomes of all numbers of the floats of fewer than 16 bits and of the integers of fewer than 8: conversions both ways, functions,
arithmetic, comparisons, order, sums and bits.

    python tests/primitives/narrow.py

All of it has to agree to the bit, signs of zeros among it.
"""
import pathlib
import warnings

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import lax as laxi, special
from jax._src.lax.control_flow import loops
from record import Recorder

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(31)
FLOATS = ["float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu"]
INTS = ["int2", "uint2", "int4", "uint4"]
WIDE = ["bool", "int8", "uint8", "int32", "uint32", "int64", "float16", "bfloat16", "float32", "float64"]


class Narrow(Recorder):
    def show(self, primitive, params):
        return None

    def add(self, case):
        if "out" in case:
            case["rel"] = 0
        super().add(case)


    def bind(self, primitive, args, **params):
        try:
            super().bind(primitive, args, **params)
        except Exception as error:  # the compiler refuses it
            print("none", primitive.name, [str(a.dtype) for a in args], params.get("preferred_element_type") or params.get("new_dtype") or "",
                  str(error).split("\n")[0][:160])


r = Narrow()


def every(t):
    """All numbers of a type."""
    if t in INTS:
        limits = jnp.iinfo(t)
        return np.arange(limits.min, limits.max + 1).astype(t)
    return np.arange(16 if t.startswith("float4") else 256, dtype=np.uint8).view(t)


def convert(x, t):
    r.bind(laxi.convert_element_type_p, [x], new_dtype=jnp.dtype(t), weak_type=False, sharding=None)


def around(t):
    """The numbers of a type, those half way between them, and the neighbours of these, in `float32`."""
    all_of_them = every(t).astype(np.float32)
    finite = np.unique(all_of_them[np.isfinite(all_of_them)])
    between = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(np.float32)
    edges = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3e38, -3e38, 1e-30, finite[-1] * 1.05, finite[-1] * 1.2], np.float32)
    x = np.concatenate([all_of_them, between, edges])
    return np.concatenate([x, np.nextafter(x, np.float32(np.inf)), np.nextafter(x, np.float32(-np.inf))])


def pairs(t):
    x = every(t)
    if len(x) <= 16:
        return np.repeat(x, len(x)), np.tile(x, len(x))
    return rng.choice(x, 250), rng.choice(x, 250)


UNARY = ("neg abs sign floor ceil is_finite sqrt rsqrt cbrt exp exp2 expm1 log log1p sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh"
         " logistic square").split()
ACCURATE = "sqrt rsqrt cbrt exp exp2 expm1 log log1p sin cos tan tanh logistic asin acos atan sinh cosh asinh acosh atanh".split()
BINARY = "add sub mul div max min rem nextafter eq ne lt le gt ge".split()
for t in FLOATS:
    x = every(t)
    for u in [*WIDE, *INTS, *FLOATS]:
        convert(x, u)
    convert(around(t), t)
    convert(around(t)[:-24:3].astype(np.float64) if t != "float8_e8m0fnu" else x.astype(np.float64), t)
    convert(around(t)[::3].astype(jnp.bfloat16), t)
    convert(around(t)[1::3].astype(np.float16), t)
    convert(np.arange(-300, 300, dtype=np.int32), t)
    convert(np.asarray([2 ** 31 - 1, -2 ** 31, 465, 57345, 70000, 61440, 61439], np.int32), t)
    convert(np.asarray([True, False]), t)
    # The compiler flushes the least numbers of this type in some functions.
    x = x[2:] if t == "float8_e8m0fnu" else x
    for name in UNARY:
        primitive = getattr(laxi, f"{name}_p")
        try:
            r.bind(primitive, [x], **({"accuracy": None} if name in ACCURATE else {}))
        except TypeError:
            r.bind(primitive, [x])
    for name in ("erf", "erf_inv", "lgamma", "digamma", "bessel_i0e"):
        if name == "lgamma" and t == "float8_e8m0fnu":      # not zero of 1, but the last bits of what is near it
            continue
        r.bind(getattr(special, f"{name}_p"), [x])
    for method in lax.RoundingMethod:
        r.bind(laxi.round_p, [x], rounding_method=method)
    for y in (-2, -1, 2, 3, 5):
        r.bind(laxi.integer_pow_p, [x], y=y)
    r.bind(laxi.reduce_precision_p, [x], exponent_bits=3, mantissa_bits=1)
    a, b = pairs(t)
    for name in BINARY:
        r.bind(getattr(laxi, f"{name}_p"), [a, b])
    r.bind(laxi.clamp_p, [a, b, b[::-1].copy()])
    r.bind(laxi.select_n_p, [rng.integers(0, 2, a.shape).astype(bool), a, b])
    shuffled = rng.permutation(x)
    if t != "float8_e5m2fnuz":          # the compiler mixes its small numbers up
        r.bind(laxi.sort_p, [shuffled], dimension=0, is_stable=True, num_keys=1)
        r.bind(laxi.sort_p, [shuffled, np.arange(len(x), dtype=np.int32)], dimension=0, is_stable=True, num_keys=1)
    finite = rng.choice(x[np.isfinite(x.astype(np.float32))], 64)
    for some in (finite, shuffled[:8]):
        for name in ("sum", "prod", "max", "min"):
            r.bind(getattr(laxi, f"reduce_{name}_p"), [some], axes=(0,), out_sharding=None)
        for name in ("argmax", "argmin"):
            r.bind(getattr(laxi, f"{name}_p"), [some], axes=(0,), index_dtype=jnp.dtype("int32"))
        for name in ("cumsum", "cumprod", "cummax", "cummin"):
            r.bind(getattr(loops, f"{name}_p"), [some], axis=0, reverse=False)
        r.bind(laxi.top_k_p, [some], k=3, axis=0)
    small = rng.choice(np.asarray([1, 2, 0.5, 4]), (4, 6)).astype(t)
    for preferred in (t, "float16", "float32", "bfloat16"):
        try:
            r.bind(laxi.dot_general_p, [small, small.T.copy()], dimension_numbers=(((1,), (0,)), ((), ())), precision=None,
                   preferred_element_type=jnp.dtype(preferred), out_sharding=None)
        except Exception:  # the compiler refuses it
            pass
for t in INTS:
    x = every(t)
    for u in [*WIDE, *INTS, *FLOATS]:
        convert(x, u)
    convert(np.asarray([0, 1, 2, 3, 5, 8, 15, 16, 100, -1, -2, -3, -8, -9, -100], np.int32), t)
    convert(np.asarray([0.5, 1.5, 1.9, 2, 3.7, 9, 100, -0.5, -1.9, -2.1, -9, -100, np.inf, -np.inf, np.nan], np.float32), t)
    for name in ("neg", "sign", "not", "population_count", "clz"):
        try:
            r.bind(getattr(laxi, f"{name}_p"), [x])
        except Exception:  # unsigned numbers have no sign
            pass
    a, b = pairs(t)
    for name in "add sub mul div rem max min and or xor eq ne lt le gt ge shift_left shift_right_arithmetic shift_right_logical".split():
        r.bind(getattr(laxi, f"{name}_p"), [a, b])
    for y in (2, 3):
        r.bind(laxi.integer_pow_p, [x], y=y)
    shuffled = rng.permutation(x)
    if t not in ("int2", "uint2"):      # mixed up, too
        r.bind(laxi.sort_p, [shuffled], dimension=0, is_stable=True, num_keys=1)
    for name in ("sum", "prod", "max", "min"):
        r.bind(getattr(laxi, f"reduce_{name}_p"), [shuffled], axes=(0,), out_sharding=None)
    for name in ("argmax", "argmin"):
        r.bind(getattr(laxi, f"{name}_p"), [shuffled], axes=(0,), index_dtype=jnp.dtype("int32"))
    for name in ("cumsum", "cumprod", "cummax", "cummin"):
        try:
            r.bind(getattr(loops, f"{name}_p"), [shuffled], axis=0, reverse=False)
        except Exception:
            pass
    m = rng.choice(x, (3, 4))
    try:
        r.bind(laxi.dot_general_p, [m, m.T.copy()], dimension_numbers=(((1,), (0,)), ((), ())), precision=None,
               preferred_element_type=jnp.dtype(t), out_sharding=None)
    except Exception:
        pass
# Bits: as many in both types, parts of a wider one, and several in one.
for t in (*FLOATS, *INTS):
    x = every(t)
    x = x[~np.isnan(x.astype(np.float32))]
    x = x[:len(x) // 8 * 8] if len(x) > 8 else x
    bits = jnp.finfo(t).bits if t in FLOATS else jnp.iinfo(t).bits
    for u in [*FLOATS, *INTS, "int8", "uint8", "int16", "uint32", "float32"]:
        wide = jnp.dtype(u).itemsize * 8 if u not in (*FLOATS, *INTS) else jnp.finfo(u).bits if u in FLOATS else jnp.iinfo(u).bits
        given = x if wide <= bits else np.tile(x, 8)[:4 * (wide // bits)].reshape(4, -1)
        try:
            r.bind(laxi.bitcast_convert_type_p, [given], new_dtype=jnp.dtype(u))
        except Exception as error:
            print("no bits", t, u, str(error).split("\n")[0][:150])
for u in ("uint8", "int16", "uint32", "float32"):
    x = rng.integers(0, 112, 64).astype(np.uint8).view(u)
    for t in (*FLOATS, *INTS):
        try:
            r.bind(laxi.bitcast_convert_type_p, [x], new_dtype=jnp.dtype(t))
        except Exception as error:
            print("no bits", u, t, str(error).split("\n")[0][:150])
r.write(HERE / "cases" / "narrow.json")
