"""Cases of elementwise operations, shapes, windows, reductions, selection and random keys.

    python tests/primitives/basic.py
"""
import pathlib
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.random import prng, threefry2x32
from jax._src.lax import lax as laxi, slicing, special
from jax._src.lax.control_flow import loops
from record import Recorder, Weak

HERE = pathlib.Path(__file__).parent
S = jax.ShapeDtypeStruct
rng = np.random.default_rng(1)
FLOATS = ["float32", "float64", "bfloat16", "float16"]
SMALL_FLOATS = ["float8_e4m3fn", "float8_e5m2"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NARROW = ["int4", "uint4"]
COMPLEX = ["complex64", "complex128"]
ALL = ["bool", *INTS, *NARROW, *FLOATS, *SMALL_FLOATS, *COMPLEX]
ORDER = ["integer", "signedinteger", "floating", "complexfloating", "bool", "float32", "float64"]


class Basic(Recorder):
    """Elements are compared one by one: `rel` is their relative, `abs` their absolute tolerance; 0 compares signs of zeros too."""

    rel = None
    abs = None

    def add(self, case):
        if "error" in case:
            # JAX lists the members of a set, whose order changes from run to run.
            found = re.search(r"(.*subtypes of )([a-z0-9, ]+)\.$", case["error"][1], re.S)
            if found and ", " in found[2]:
                names = sorted(found[2].split(", "), key=ORDER.index)
                case["error"][1] = f"{found[1]}{', '.join(names)}."
        elif self.rel is not None:
            case["rel"] = self.rel
            if self.abs:
                case["abs"] = self.abs
        super().add(case)

    def show(self, primitive, params):
        shown = super().show(primitive, params)
        if shown is None:
            return None
        hidden = {"accuracy": "None", "out_dtype": "None"}
        if primitive.name in ("broadcast_in_dim", "convert_element_type"):
            hidden |= {"shape": shown.get("shape"), "sharding": "None", "broadcast_dimensions": "()"}
        return {k: v for k, v in shown.items() if hidden.get(k) != v}

    def bind(self, primitive, args, evaluate=True, **params):
        try:
            super().bind(primitive, args, evaluate=evaluate, **params)
        except Exception:  # what the CPU backend has no code for: types only
            super().bind(primitive, args, evaluate=False, **params)


r = Basic()
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -0.1, 10.0, 0.3, np.inf, -np.inf, np.nan]
FAR = [1e-3, -20.0, 88.8, -104.0, 1e10, -3e38, 0.999, 1e-20]
LIMITS = {"int4": (-8, 7), "uint4": (0, 15)}


def limits(t):
    return LIMITS.get(t) or (int(np.iinfo(t).min), int(np.iinfo(t).max))


def sample(t, n=None):
    """Elements with edges, of a type."""
    if t == "bool":
        x = np.array([True, False, True])
    elif t in INTS or t in NARROW:
        low, high = limits(t)
        x = np.array([v for v in [0, 1, 2, 3, 7, high, high - 1, -1, -2, -7, low, low + 1, 100, 5] if low <= v <= high])
    elif t in COMPLEX:
        x = np.array([0, 1, -1, 1j, -1j, 1 + 2j, -0.5 + 0.3j, -2 - 1j, 3 - 0.2j, 0.1 + 10j])
    elif t in SMALL_FLOATS:
        x = np.array([0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.5, 0.25])
    else:
        x = np.array(EDGES + ([v for v in FAR if abs(v) < 6e4] if t == "float16" else FAR))
    x = x.astype(jnp.dtype(t))
    return x if n is None else x[:n]


def pairs(t, n=400):
    x = sample(t)
    a, b = np.meshgrid(x, x, indexing="ij")
    a, b = a.ravel(), b.ravel()
    if len(a) > n:
        pick = rng.choice(len(a), n, replace=False)
        a, b = a[pick], b[pick]
    return a, b


# ----------------------------------------------------------------------------------------------------- one argument
EXACT = "neg sign floor ceil abs real imag not population_count clz is_finite square"
CLOSE = "exp exp2 log log1p expm1 tanh logistic sin cos tan asin acos atan sinh cosh asinh acosh atanh sqrt rsqrt cbrt"
ACCURACY = {"accuracy": None}
NO_ACCURACY = "asin acos atan sinh cosh asinh acosh atanh".split()
for name in (EXACT + " " + CLOSE).split():
    primitive = getattr(laxi, f"{name}_p")
    params = ACCURACY if name in CLOSE.split() and name not in NO_ACCURACY else {}
    for t in ALL:
        r.rel = 0 if name in EXACT.split() and t not in COMPLEX + ["float64"] else {"float64": 1e-13, "float32": 3e-6 if name in "sinh cosh" else 1.2e-6, "complex64": 3e-6, "complex128": 1e-12}.get(t, 1e-2)
        if t in SMALL_FLOATS + NARROW and name in CLOSE.split():
            r.bind(primitive, [S((3,), jnp.dtype(t))], **params)
        else:
            r.bind(primitive, [sample(t)], evaluate=t not in SMALL_FLOATS and (t not in NARROW or name in "neg not"), **params)
    r.rel = 2e-6
    r.bind(primitive, [Weak(np.float32(0.3))], **params)
    r.bind(primitive, [S((2, 0, 3), jnp.dtype("float32"))], **params)
    r.bind(primitive, [S((2,), jax.dtypes.float0)], **params)
    r.bind(primitive, [S((2,), jax.random.key(0).dtype)], **params)
    if name in CLOSE.split():
        r.rel = 1.2e-6
        r.bind(primitive, [np.linspace(-8, 8, 33, dtype=np.float32)], **params)
        r.bind(primitive, [np.linspace(0.01, 0.99, 33, dtype=np.float32)], **params)
        r.rel = 1e-13
        r.bind(primitive, [np.linspace(-3, 3, 17)], **params)
for name in "lgamma digamma erf erfc erf_inv bessel_i0e bessel_i1e".split():
    primitive = getattr(special, f"{name}_p")
    for t in ["int32", *FLOATS, *SMALL_FLOATS, "complex64"]:
        r.rel = {"float64": 1e-11, "float32": 1e-5}.get(t, 2e-2)
        r.abs = 1e-14 if t == "float64" else 2e-6
        r.bind(primitive, [sample(t)], evaluate=t in FLOATS)
    r.rel = 2e-5
    r.bind(primitive, [np.linspace(0.1, 20, 30, dtype=np.float32)])
    r.bind(primitive, [np.linspace(-0.95, 0.95, 20, dtype=np.float32)])
r.abs = None
for y in [0, 1, 2, 3, 4, 5, 7, 31, -1, -2, -3, -8]:
    for t in ["float32", "float64", "bfloat16", "int32", "uint8", "int8", "complex64", "bool", "int4"]:
        r.rel = {"float32": 1e-6, "float64": 1e-14, "bfloat16": 2e-2, "complex64": 1e-5}.get(t, 0)
        r.bind(laxi.integer_pow_p, [sample(t, 13)], y=y)
    r.bind(laxi.integer_pow_p, [Weak(np.int32(2))], y=y)
r.rel = 0
for method in [lax.RoundingMethod.AWAY_FROM_ZERO, lax.RoundingMethod.TO_NEAREST_EVEN]:
    for t in ["float32", "float64", "bfloat16", "float16", "int32", "complex64"]:
        r.bind(laxi.round_p, [sample(t)], rounding_method=method)
    r.bind(laxi.round_p, [np.array([0.49999997, 8388609.0, -0.2, 3.5, 4.5], np.float32)], rounding_method=method)
for t in ALL:
    r.bind(laxi.conj_p, [sample(t)], input_dtype=jnp.dtype(t))

# ----------------------------------------------------------------------------------------------------- two arguments
EXACT2 = "add sub mul div rem max min and or xor shift_left shift_right_arithmetic shift_right_logical eq ne lt le gt ge " \
         "eq_to lt_to le_to nextafter complex mulhi"
PARAMS2 = {"mul": {"out_dtype": None}}
for name in EXACT2.split():
    primitive = getattr(laxi, f"{name}_p")
    params = PARAMS2.get(name, {})
    for t in ALL:
        small = t in SMALL_FLOATS or t in NARROW
        r.rel = {"complex64": 2e-6, "complex128": 1e-14}.get(t, 0)
        if name == "div" and t in COMPLEX:
            r.rel = 1e-5 if t == "complex64" else 1e-13
        a, b = pairs(t, 100)
        if t in FLOATS and name in "max min eq ne lt le gt ge eq_to lt_to le_to nextafter rem":
            a, b = pairs(t, 250)
        r.bind(primitive, [a, b], evaluate=not small or name in "add sub mul", **params)
    for other in ["bool", "int32", "bfloat16", "complex64"]:
        r.bind(primitive, [S((3,), jnp.dtype("float32")), S((3,), jnp.dtype(other))], **params)
    f = jnp.dtype("int32" if name in "and or xor shift_left shift_right_arithmetic shift_right_logical mulhi" else "float32")
    r.bind(primitive, [S((3,), f), S((4,), f)], **params)
    r.bind(primitive, [S((2, 3), f), S((3,), f)], **params)
    r.bind(primitive, [S((2, 1), f), S((1, 3), f)], **params)
    r.bind(primitive, [S((2, 1), f), S((3, 3), f)], **params)
    r.bind(primitive, [S((2, 3), f), S((), f)], **params)
    r.bind(primitive, [np.arange(6).reshape(2, 3).astype(f), np.array(2, f)], **params)
    r.bind(primitive, [np.arange(1, 3).reshape(2, 1).astype(f), np.arange(1, 4).reshape(1, 3).astype(f)], **params)
    r.bind(primitive, [Weak(f.type(1)), Weak(f.type(2))], **params)
    r.bind(primitive, [Weak(f.type(1)), np.array([1, 2], f)], **params)
    r.bind(primitive, [S((2,), jax.dtypes.float0), S((2,), jax.dtypes.float0)], **params)
    r.bind(primitive, [S((2,), jax.random.key(0).dtype)] * 2, **params)
for name in "pow atan2".split():
    primitive = getattr(laxi, f"{name}_p")
    for t in ALL:
        r.rel = {"float64": 1e-12, "float32": 3e-6, "complex64": 1e-4, "complex128": 1e-11}.get(t, 2e-2)
        a, b = pairs(t, 200)
        r.bind(primitive, [a, b], evaluate=t in FLOATS or (t in COMPLEX and name == "pow"))
    for x, y in [("float32", "int32"), ("int32", "int32"), ("float32", "bfloat16"), ("complex64", "int8"), ("bool", "float32"),
                 ("float32", "bool"), ("int32", "float32"), ("bfloat16", "uint8")]:
        r.bind(primitive, [S((3,), jnp.dtype(x)), S((3,), jnp.dtype(y))])
    r.rel = 3e-6
    r.bind(laxi.pow_p, [np.array([2.0, -2.0, 0.0, -0.0, 0.0, np.nan], np.float32), np.array([3, 3, 0, -1, -2, 0], np.int32)])
    r.bind(laxi.pow_p, [Weak(np.float32(2)), np.array([2, 3], np.int32)])
    r.bind(laxi.pow_p, [np.array([2, 3], np.float32), Weak(np.int32(2))])
for name in "igamma igammac igamma_grad_a polygamma zeta".split():
    primitive = getattr(special, f"{name}_p")
    a = np.array([0.5, 1.0, 2.0, 3.5, 10.0, 0.1, 4.0, 100.0, -1.0, 0.0], np.float32)
    x = np.array([0.3, 2.0, 1.5, 3.5, 12.0, 0.01, 0.0, 90.0, 2.0, 1.0], np.float32)
    if name in ("polygamma", "zeta"):
        a = np.array([1, 2, 3, 4, 1.5, 2.5, 1, 0, 5, 2], np.float32) + (name == "zeta")
        x = np.array([0.3, 2.0, 1.5, 3.5, 12.0, 0.01, 20.0, 3.0, 1.0, 0.7], np.float32)
    for t in FLOATS:
        r.rel = {"float64": 1e-9, "float32": 5e-5, "bfloat16": 3e-2, "float16": 5e-3}[t]
        r.bind(primitive, [a.astype(t), x.astype(t)])
    r.bind(primitive, [S((3,), jnp.dtype("int32")), S((3,), jnp.dtype("int32"))])
    r.bind(primitive, [S((3,), jnp.dtype("float32")), S((4,), jnp.dtype("float32"))])
r.rel = 5e-5
beta = [np.array(v, np.float32) for v in ([0.5, 1, 2, 3, 10, 0.1], [0.5, 2, 3, 1, 4, 0.2], [0.3, 0.5, 0.9, 0.1, 0.7, 0.99])]
r.bind(special.regularized_incomplete_beta_p, beta)
r.bind(special.regularized_incomplete_beta_p, [beta[0], beta[1], np.float32(0.4)])
r.bind(special.regularized_incomplete_beta_p, [S((3,), jnp.dtype("int32"))] * 3)
r.rel = 0

# -------------------------------------------------------------------------------------------------------- conversion
CONVERT = np.array([0, 1, -1, 0.9, -0.9, 1.5, 2.5, 255.9, 256, 300, -129, 65520, 70000.5, 2147483648.0, 3e9, -3e9, 4294967296.0,
                    1e30, -1e30, 448, 465, 57344, 61440, 0.001953125, 0.0009, 1e-7, 3e-8, np.nan, np.inf, -np.inf])
WHOLE = [0, 1, -1, 7, 8, 127, 128, 255, 256, 257, 259, 33489, 65535, 65536, 16777217, 16777219, -129, -32769, 2**31 - 1, 2**31,
         2**32 - 1, 2**53 + 1, 2**62 + 2**37 + 1, -2**63]
for a in ALL:
    if a == "bool":
        x = np.array([True, False])
    elif a in INTS or a in NARROW:
        low, high = limits(a)
        x = np.array([v for v in [*WHOLE, low, high] if low <= v <= high]).astype(jnp.dtype(a))
    elif a in COMPLEX:
        x = np.array([0, 1 + 2j, -1.5 - 1j, 3j, 300, 1e10]).astype(a)
    else:
        with np.errstate(all="ignore"):
            x = np.asarray(jnp.asarray(CONVERT).astype(a))
    for b in ALL:
        r.bind(laxi.convert_element_type_p, [x], new_dtype=jnp.dtype(b), weak_type=False, sharding=None)
r.bind(laxi.convert_element_type_p, [Weak(np.float32(1.5))], new_dtype=jnp.dtype("int32"), weak_type=True, sharding=None)
r.bind(laxi.convert_element_type_p, [S((2,), jnp.dtype("int32"))], new_dtype=jnp.dtype("float32"), weak_type=True, sharding=None)
BITS = np.array([0x3F800000, 0x7F800001, 0xFFC12345, 0x01020304, 0, 0x80000000, 0xFFFFFFFF, 0x12345678], np.uint32)
for a in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bfloat16", "float16",
          "bool", "complex64"]:
    for b in ["int8", "uint16", "uint32", "float32", "int64", "float64", "bfloat16", "bool", "complex64"]:
        x = BITS.view(a) if a not in ("bool", "complex64") else sample(a)
        if a in ("float32", "float64", "bfloat16", "float16"):
            x = np.where(np.isnan(x), np.array(1, x.dtype), x)
        old, new = jnp.dtype(a).itemsize, jnp.dtype(b).itemsize
        if new > old and len(x) % (new // old) == 0:
            r.bind(laxi.bitcast_convert_type_p, [x.reshape(-1, new // old)], new_dtype=jnp.dtype(b))
        elif jnp.issubdtype(b, jnp.floating) and a != b:
            x = np.frombuffer(np.array([1.5, -2.0, 0.25, 3.0]).astype(b).tobytes(), a) if a not in ("bool", "complex64") else x
            r.bind(laxi.bitcast_convert_type_p, [x], new_dtype=jnp.dtype(b), evaluate=old == new)
        else:
            r.bind(laxi.bitcast_convert_type_p, [x], new_dtype=jnp.dtype(b))
r.bind(laxi.bitcast_convert_type_p, [S((3, 3), jnp.dtype("uint8"))], new_dtype=jnp.dtype("uint32"))
r.bind(laxi.bitcast_convert_type_p, [S((), jnp.dtype("uint8"))], new_dtype=jnp.dtype("uint32"))
for e, m in [(5, 10), (8, 7), (4, 3), (8, 23), (11, 52), (5, 2), (0, 3), (3, -1)]:
    for t in FLOATS:
        r.bind(laxi.reduce_precision_p, [sample(t)], exponent_bits=e, mantissa_bits=m)
    r.bind(laxi.reduce_precision_p, [np.array([1.0009765, 65520.0, 1e-8, 3.14159, 1e-5, 6e4], np.float32)], exponent_bits=e, mantissa_bits=m)
    r.bind(laxi.reduce_precision_p, [S((2,), jnp.dtype("int32"))], exponent_bits=e, mantissa_bits=m)


# ------------------------------------------------------------------------------------------------------------ shapes
def arr(shape, t="float32"):
    n = int(np.prod(shape))
    if t == "bool":
        return np.asarray(rng.integers(0, 2, shape), bool)
    if t in NARROW:
        return (np.arange(n) % 7).reshape(shape).astype(jnp.dtype(t))
    return (np.arange(n) % 100 - (0 if t.startswith("u") else 3)).reshape(shape).astype(jnp.dtype(t))


b_p = laxi.broadcast_in_dim_p
for shape, target, dims in [((), (2, 3), ()), ((3,), (2, 3), (1,)), ((2,), (2, 3), (0,)), ((1,), (2, 3), (1,)), ((2, 1), (2, 3), (0, 1)),
                            ((2, 3), (4, 2, 5, 3), (1, 3)), ((3, 2), (2, 3), (1, 0)), ((), (), ()), ((3,), (3,), (0,)), ((0,), (2, 0), (1,)),
                            ((2,), (3,), (0,)), ((2,), (2, 3), (0, 1)), ((2, 3), (3,), (0,)), ((2, 3), (3,), (0, 1)), ((2,), (2,), (1,)),
                            ((2, 2), (2, 2), (0, 0)), ((1, 1), (4, 4), (0, 1))]:
    r.bind(b_p, [arr(shape)], shape=target, broadcast_dimensions=dims, sharding=None)
for t in ALL:
    r.bind(b_p, [arr((2, 1), t)], shape=(2, 2, 2), broadcast_dimensions=(0, 1), sharding=None)
r.bind(b_p, [Weak(np.float32(1))], shape=(2,), broadcast_dimensions=(), sharding=None)
r.bind(b_p, [jax.random.split(jax.random.key(1), 2)], shape=(3, 2), broadcast_dimensions=(1,), sharding=None)
for shape, reps in [((2, 3), (2, 1)), ((2,), (3,)), ((), ()), ((2, 3), (1, 2)), ((2,), (0,)), ((2, 3), (2,)), ((1, 2, 1), (2, 2, 2))]:
    r.bind(laxi.tile_p, [arr(shape)], reps=reps)
for shape, new, dims in [((2, 3), (3, 2), None), ((2, 3), (6,), None), ((), (1, 1), None), ((2, 3), (6,), (1, 0)), ((2, 0), (0, 5), None),
                         ((2, 3), (6,), (0, 0)), ((2, 3, 2), (3, 4), (1, 2, 0)), ((3,), (2, 2), None), ((2, 3), (-1, 3), None)]:
    r.bind(laxi.reshape_p, [arr(shape) if np.prod(shape) == np.prod(new) else S(shape, np.float32)], new_sizes=new, dimensions=dims, sharding=None)
for shape, dims in [((1, 2, 1), (0,)), ((1, 2, 1), (0, 2)), ((1, 2, 1), ()), ((1, 2), (1,)), ((1, 2), (0, 0)), ((1, 2), (2,))]:
    r.bind(laxi.squeeze_p, [arr(shape)], dimensions=dims)
for shape, perm in [((2, 3), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((2, 3, 4), (0, 2, 1)), ((), ()), ((2, 3), (0, 0)), ((2, 3), (0,)), ((2, 0), (1, 0))]:
    r.bind(laxi.transpose_p, [arr(shape)], permutation=perm)
r.bind(laxi.transpose_p, [jax.random.split(jax.random.key(1), (2, 3))], permutation=(1, 0))
for shape, dims in [((3,), (0,)), ((2, 3), (1,)), ((2, 3), (0, 1)), ((2, 3), ()), ((2, 3), (0, 0)), ((2, 3), (2,)), ((0,), (0,))]:
    r.bind(laxi.rev_p, [arr(shape)], dimensions=dims)
for t in [*ALL, "bool"]:
    r.bind(laxi.iota_p, [], dtype=jnp.dtype(t), shape=(12,), dimension=0, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("int32"), shape=(2, 3), dimension=1, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("int32"), shape=(2, 3), dimension=0, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("uint8"), shape=(300,), dimension=0, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("bfloat16"), shape=(300,), dimension=0, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("int32"), shape=(2, 3), dimension=2, sharding=None)
r.bind(laxi.iota_p, [], dtype=jnp.dtype("int32"), shape=(), dimension=0, sharding=None)
for shape, config in [((4,), [(1, 2, 0)]), ((4,), [(-1, -1, 0)]), ((3,), [(-1, 2, 1)]), ((3,), [(2, -1, 2)]), ((2, 3), [(0, 1, 1), (1, 0, 0)]),
                      ((), []), ((3,), [(0, 0, 0)]), ((3,), [(-2, -2, 0)]), ((3,), [(-1, -2, 0)]), ((0,), [(2, 1, 3)]), ((3,), [(0, 0, -1)]),
                      ((3,), [(0, 0)] if False else [(0, 0, 0), (0, 0, 0)]), ((4,), [(-3, -3, 2)]), ((2, 2), [(-1, 0, 0), (0, -1, 1)]),
                      ((5,), [(-4, 3, 3)]), ((3,), [(4, -6, 1)])]:
    r.bind(laxi.pad_p, [arr(shape), np.float32(9)], padding_config=tuple(config))
r.bind(laxi.pad_p, [arr((3,)), np.int32(9)], padding_config=((1, 1, 0),))
r.bind(laxi.pad_p, [arr((3,)), arr((1,))], padding_config=((1, 1, 0),))
r.bind(laxi.pad_p, [arr((3,)), Weak(np.float32(9))], padding_config=((1, 1, 0),))
for t in ALL:
    r.bind(laxi.pad_p, [arr((3,), t), arr((), t)], padding_config=((1, 1, 1),))
s_p = slicing.slice_p
for shape, start, limit, strides in [((5,), (1,), (4,), None), ((5,), (0,), (5,), (2,)), ((5,), (1,), (5,), (3,)), ((2, 3), (0, 1), (2, 3), (1, 1)),
                                     ((2, 3), (0, 1), (2, 3), (1, 2)), ((5,), (2,), (2,), None), ((5,), (0,), (6,), None), ((5,), (3,), (2,), None),
                                     ((5,), (0, 0), (2,), None), ((5,), (0,), (2, 2), None), ((5,), (-1,), (2,), None), ((5,), (0,), (2,), (1, 1)),
                                     ((5,), (0,), (5,), (0,)), ((5,), (3,), (3,), (2,)), ((0,), (0,), (0,), (2,))]:
    r.bind(s_p, [arr(shape)], start_indices=start, limit_indices=limit, strides=strides)
r.bind(s_p, [jax.random.split(jax.random.key(1), 4)], start_indices=(1,), limit_indices=(3,), strides=None)
i32 = np.int32
for shape, starts, sizes in [((5,), [2], (3,)), ((5,), [4], (3,)), ((5,), [-1], (3,)), ((5,), [-100], (5,)), ((2, 3), [1, 1], (1, 2)),
                             ((5,), [0], (6,)), ((5,), [0], (-1,)), ((5,), [0], (0,))]:
    r.bind(slicing.dynamic_slice_p, [arr(shape), *[i32(s) for s in starts]], slice_sizes=sizes)
r.bind(slicing.dynamic_slice_p, [arr((5,)), np.float32(1)], slice_sizes=(2,))
r.bind(slicing.dynamic_slice_p, [arr((5, 5)), np.int32(1), np.int8(1)], slice_sizes=(2, 2))
r.bind(slicing.dynamic_slice_p, [arr((5,)), S((1,), np.int32)], slice_sizes=(2,))
r.bind(slicing.dynamic_slice_p, [arr((5,)), np.uint32(4294967295)], slice_sizes=(2,))
r.bind(slicing.dynamic_slice_p, [Weak(np.float32(5)), ], slice_sizes=())
for shape, update, starts in [((5,), (2,), [1]), ((5,), (2,), [4]), ((5,), (2,), [-3]), ((2, 3), (1, 3), [1, 0]), ((5,), (6,), [0]), ((5,), (1, 1), [0]),
                              ((5,), (2,), [0, 0]), ((5,), (0,), [3])]:
    r.bind(slicing.dynamic_update_slice_p, [arr(shape), arr(update) + 50, *[i32(s) for s in starts]])
r.bind(slicing.dynamic_update_slice_p, [arr((5,)), arr((2,), "int32"), i32(0)])
r.bind(slicing.dynamic_update_slice_p, [arr((5,)), arr((2,)), np.float32(0)])
r.bind(slicing.dynamic_update_slice_p, [arr((5,)), arr((2,)), S((1,), np.int32)])
for shapes, dim in [([(2,), (3,)], 0), ([(2, 3), (2, 1)], 1), ([(2, 3), (1, 3), (2, 3)], 0), ([(2,)], 0), ([(2,), (2, 3)], 0), ([(2, 3), (3, 3)], 1),
                    ([(2,), (3,)], 1), ([(0,), (3,)], 0), ([(2,), (2,)], -1), ([(2, 2, 2), (2, 3, 2)], 1)]:
    r.bind(laxi.concatenate_p, [arr(s) for s in shapes], dimension=dim)
r.bind(laxi.concatenate_p, [arr((2,)), arr((2,), "int32")], dimension=0)
r.bind(laxi.concatenate_p, [jax.random.split(jax.random.key(1), 2), jax.random.split(jax.random.key(2), 3)], dimension=0)
for t in ALL:
    r.bind(laxi.concatenate_p, [arr((2,), t), arr((3,), t)], dimension=0)
for shape, sizes, axis in [((5,), (2, 3), 0), ((2, 5), (2, 0, 3), 1), ((5,), (2, 2), 0), ((5,), (-1, 6), 0), ((2, 3, 2), (1, 2), 1)]:
    r.bind(laxi.split_p, [arr(shape)], sizes=sizes, axis=axis)
for shapes, axis in [([(2,), (2,)], 0), ([(2,), (2,)], 1), ([(2, 3), (2, 3), (2, 3)], 1), ([(), ()], 0), ([(2,), (3,)], 0), ([(2,), (2, 1)], 0)]:
    r.bind(laxi.stack_p, [arr(s) for s in shapes], axis=axis)
r.bind(laxi.stack_p, [arr((2,)), arr((2,), "int32")], axis=0)
for shape, axis in [((2, 3), 0), ((2, 3), 1), ((3,), 0), ((2, 3, 2), 1)]:
    r.bind(laxi.unstack_p, [arr(shape)], axis=axis)

# --------------------------------------------------------------------------------------------------------- selection
f32 = np.float32
for which, cases in [(np.array([True, False, True]), [(3,), (3,)]), (np.bool_(True), [(3,), (3,)]), (np.bool_(False), [(), ()]),
                     (np.array([0, 1, 2], i32), [(3,)] * 3), (np.array([3, -1, 9], i32), [(3,)] * 3), (np.array([3, -1, 0], i32), [(3,)] * 2),
                     (i32(2), [(2, 2)] * 4), (np.array([True] * 3), [(3,), (4,)]), (np.array([True] * 2), [(3,), (3,)]), (np.bool_(True), [(3,)] * 3),
                     (f32(1), [(3,), (3,)]), (np.array([True, False]), [(2,)]), (np.bool_(True), [(2, 0)] * 2), (np.array([5, -1, 0, 1], i32), [(4,)] * 5)]:
    r.bind(laxi.select_n_p, [which, *[arr(s) + 10 * i for i, s in enumerate(cases)]])
r.bind(laxi.select_n_p, [np.bool_(True), arr((2,)), arr((2,), "int32")])
r.bind(laxi.select_n_p, [np.bool_(True), Weak(f32(1)), Weak(f32(2))])
r.bind(laxi.select_n_p, [np.bool_(True), Weak(f32(1)), f32(2)])
r.bind(laxi.select_n_p, [np.array([True, False]), jax.random.split(jax.random.key(1), 2), jax.random.split(jax.random.key(2), 2)])
for t in ALL:
    r.bind(laxi.select_n_p, [np.array([True, False, True]), arr((3,), t), arr((3,), t)[::-1]])
    if t not in COMPLEX:
        low, high = arr((), t), arr((3,), t)[2]
        r.bind(laxi.clamp_p, [low, sample(t), high], evaluate=t not in SMALL_FLOATS)
a, b = pairs("float32", 120)
c = rng.permutation(b)
r.bind(laxi.clamp_p, [a, b, c])
r.bind(laxi.clamp_p, [arr((2,)), arr((3,)), f32(1)])
r.bind(laxi.clamp_p, [f32(0), arr((3,)), arr((2,))])
r.bind(laxi.clamp_p, [f32(0), arr((3,)), i32(1)])
r.bind(laxi.clamp_p, [Weak(f32(0)), Weak(f32(5)), Weak(f32(1))])
r.bind(laxi.clamp_p, [Weak(f32(0)), f32(5), Weak(f32(1))])
r.bind(laxi.clamp_p, [S((2,), np.complex64)] * 3)

# -------------------------------------------------------------------------------------------------------- reductions
REDUCE = "sum prod max min and or xor".split()
for name in REDUCE:
    primitive = getattr(laxi, f"reduce_{name}_p")
    extra = {"out_sharding": None} if name == "sum" else {}
    for t in ALL:
        r.rel = {"float32": 1e-6, "float64": 1e-14, "bfloat16": 1e-2, "float16": 2e-3, "complex64": 1e-6, "complex128": 1e-14}.get(t, 0)
        x = arr((2, 3, 2), t)
        r.bind(primitive, [x], axes=(1,), evaluate=t not in SMALL_FLOATS, **extra)
        r.bind(primitive, [x], axes=(0, 2), evaluate=t not in SMALL_FLOATS, **extra)
        r.bind(primitive, [x[:, :0]], axes=(1,), evaluate=t not in SMALL_FLOATS, **extra)
        if t in FLOATS:
            r.bind(primitive, [sample(t)], axes=(0,), **extra)
            r.bind(primitive, [sample(t, 13)], axes=(0,), **extra)
    for shape, axes in [((2, 3), ()), ((2, 3), (0, 1)), ((2, 3), (0, 0)), ((2, 3), (2,)), ((2, 3, 4), (2, 0)), ((), ())]:
        r.bind(primitive, [arr(shape, "int32")], axes=axes, **extra)
    r.bind(primitive, [Weak(i32(3))], axes=(), **extra)
r.rel = 1e-6
r.bind(laxi.reduce_sum_p, [np.array([1e8, 1, -1e8, 1], np.float32)], axes=(0,), out_sharding=None)
r.bind(laxi.reduce_sum_p, [np.ones(1000, jnp.bfloat16)], axes=(0,), out_sharding=None)
r.rel = 0
for name in ["argmax", "argmin"]:
    primitive = getattr(laxi, f"{name}_p")
    for t in ALL:
        r.bind(primitive, [sample(t)], axes=(0,), index_dtype=jnp.dtype("int32"), evaluate=t not in SMALL_FLOATS + COMPLEX)
        if t not in COMPLEX:
            r.bind(primitive, [arr((2, 3, 2), t)], axes=(1,), index_dtype=jnp.dtype("int32"), evaluate=t not in SMALL_FLOATS)
    for x, axis, index in [(np.array([1, 3, 3, 1], f32), 0, "int32"), (np.array([-0.0, 0.0], f32), 0, "int32"), (np.arange(300.0, dtype=f32), 0, "uint8"),
                           (np.array([1, np.nan, 3, np.nan], f32), 0, "int64"), (arr((2, 3)), 2, "int32"), (arr((0, 3)), 0, "int32"),
                           (arr((2, 3)), 0, "float32"), (arr((0, 3)), 1, "int32")]:
        r.bind(primitive, [x], axes=(axis,), index_dtype=jnp.dtype(index))
    r.bind(primitive, [S((2,), np.dtype("float32"), weak_type=True)], axes=(0,), index_dtype=jnp.dtype("int32"))
for name in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    primitive = getattr(loops, f"{name}_p")
    for t in ALL:
        r.rel = {"float32": 2e-6, "float64": 1e-13, "bfloat16": 1e-2, "float16": 3e-3, "complex64": 3e-6, "complex128": 1e-13}.get(t, 0)
        simple = t in INTS + FLOATS + (COMPLEX if name in ("cumsum", "cumprod") else [])
        if name == "cumlogsumexp":
            simple = t in FLOATS
        for reverse in [False, True]:
            r.bind(primitive, [arr((3, 4), t)], axis=1, reverse=reverse, evaluate=simple)
    r.rel = 2e-6
    r.bind(primitive, [np.array([1, np.nan, 3, 0], f32)], axis=0, reverse=False)
    r.bind(primitive, [np.array([-np.inf, 0, 1, 2], f32)], axis=0, reverse=False)
    r.bind(primitive, [arr((2, 3))], axis=2, reverse=False)
    r.bind(primitive, [arr((2, 3))], axis=-1, reverse=False)
    r.bind(primitive, [arr((0, 3))], axis=0, reverse=False)
r.rel = 0

# ------------------------------------------------------------------------------------------------------ random keys
k = jax.random.key
keys = jax.random.split(k(7), (2, 2))
impl = threefry2x32.threefry_prng_impl
for seed in [0, 1, 42, -1, 2**31 + 5, 2**40 + 5]:
    for t in ["int32", "int64", "uint32"]:
        if limits(t)[0] <= seed <= limits(t)[1]:
            r.bind(prng.random_seed_p, [np.array(seed, t)], impl=impl)
r.bind(prng.random_seed_p, [np.arange(3)], impl=impl)
r.bind(prng.random_wrap_p, [np.arange(2, dtype=np.uint32)], impl=impl)
r.bind(prng.random_wrap_p, [np.arange(6, dtype=np.uint32).reshape(3, 2)], impl=impl)
r.bind(prng.random_wrap_p, [np.arange(3, dtype=np.uint32)], impl=impl)
r.bind(prng.random_wrap_p, [np.arange(2, dtype=np.int32)], impl=impl)
for key in [k(0), k(42), keys]:
    r.bind(prng.random_unwrap_p, [key])
    r.bind(jax._src.random.core.random_clone_p, [key])
    for shape in [(), (2,), (3, 2), (0,)]:
        r.bind(prng.random_split_p, [key], shape=shape)
    for width in [8, 16, 32, 64]:
        for shape in [(), (5,), (2, 3), (0,)]:
            r.bind(prng.random_bits_p, [key], bit_width=width, shape=shape)
r.bind(prng.random_bits_p, [k(3)], bit_width=32, shape=(129,))
r.bind(prng.random_bits_p, [k(3)], bit_width=7, shape=(2,))
r.bind(prng.random_fold_in_p, [k(0), np.uint32(7)])
r.bind(prng.random_fold_in_p, [keys, np.uint32(7)])
r.bind(prng.random_fold_in_p, [keys, np.arange(2, dtype=np.uint32)])
r.bind(prng.random_fold_in_p, [k(1), np.arange(3, dtype=np.uint32)])
u = np.arange(1, 5, dtype=np.uint32)
r.bind(threefry2x32.threefry2x32_p, [u[:1], u[1:2], u, u + 9])
r.bind(threefry2x32.threefry2x32_p, [np.uint32(1), np.uint32(2), np.uint32(3), np.uint32(4)])
for key in [k(5), keys]:
    r.bind(laxi.eq_p, [key, jax.random.clone(key)])
    r.bind(laxi.ne_p, [key, jax.random.clone(key)])

# --------------------------------------------------------------------------------------------------------- identities
from jax._src import ad_util  # noqa: E402
from jax._src.ad_checkpoint import name_p  # noqa: E402

r.bind(laxi.copy_p, [arr((2,))])
r.bind(name_p, [arr((2,))], name="activations")
r.bind(ad_util.stop_gradient_p, [arr((2,))])
r.bind(ad_util.add_jaxvals_p, [arr((2,)), arr((2,))])
r.bind(laxi.optimization_barrier_p, [arr((2,)), arr((3,), "int32")])
r.bind(laxi.empty_p, [S((), np.float32)][:0], shape=(2, 3), dtype=jnp.dtype("float32"), out_sharding=None, evaluate=False)

r.write(HERE / "cases" / "basic.json")
