"""Cases of products, gathers and scatters, sorts, convolutions and reductions of windows.

    python tests/primitives/products_and_windows.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import convolution, lax as laxi, slicing, windowed_reductions as windows
from record import Recorder, Weak

HERE = pathlib.Path(__file__).parent
S = jax.ShapeDtypeStruct
rng = np.random.default_rng(0)
r = Recorder()
FLOATS = [jnp.float32, jnp.float64, jnp.bfloat16, jnp.float16]
INTS = [jnp.int8, jnp.int16, jnp.int32, jnp.int64, jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64]


def arr(shape, dtype=jnp.float32, low=-9, high=10):
    dtype = jnp.dtype(dtype)
    if dtype == np.bool_:
        return np.asarray(rng.integers(0, 2, shape), bool)
    if jnp.issubdtype(dtype, jnp.unsignedinteger):
        return np.asarray(rng.integers(0, high, shape)).astype(dtype)
    if jnp.issubdtype(dtype, jnp.integer):
        return np.asarray(rng.integers(max(low, -7), min(high, 8), shape)).astype(dtype)
    x = np.round(rng.normal(size=shape), 2)
    if jnp.issubdtype(dtype, jnp.complexfloating):
        x = x + 1j * np.round(rng.normal(size=shape), 2)
    return np.asarray(x).astype(dtype)


# ------------------------------------------------------------------------------------------------------- dot_general
dot_p = laxi.dot_general_p


def dot(x, y, dims, precision=None, preferred=None, **kw):
    r.bind(dot_p, [x, y], dimension_numbers=dims, precision=laxi.canonicalize_precision(precision),
           preferred_element_type=None if preferred is None else jnp.dtype(preferred), out_sharding=None, **kw)


MM = (((1,), (0,)), ((), ()))
for t in [*FLOATS, *INTS, jnp.bool_, jnp.complex64, jnp.complex128]:
    dot(arr((3, 4), t), arr((4, 2), t), MM)
    dot(arr((4,), t), arr((4,), t), (((0,), (0,)), ((), ())))
    dot(arr((2, 3, 4), t), arr((4, 2, 2), t), (((2,), (0,)), ((0,), (1,))))
for t in [jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int4, jnp.uint4]:
    dot(arr((3, 4), t), arr((4, 2), t), MM, evaluate=t in (jnp.int4, jnp.uint4))
for dims, a, b in [
    ((((), ()), ((), ())), (2,), (3,)),
    ((((), ()), ((), ())), (), (3,)),
    ((((), ()), ((), ())), (), ()),
    ((((0, 2), (1, 0)), ((), ())), (2, 3, 4), (4, 2, 5)),
    ((((2, 0), (0, 1)), ((), ())), (2, 3, 4), (4, 2, 5)),
    ((((1,), (2,)), ((0, 3), (3, 0))), (2, 3, 4, 5), (5, 3, 3, 2)),
    ((((1,), (1,)), ((0, 3), (3, 0))), (2, 3, 4, 5), (5, 3, 1, 2)),
    ((((3,), (3,)), ((0, 2), (0, 2))), (2, 3, 4, 5), (2, 3, 4, 5)),
    ((((), ()), ((0,), (0,))), (3, 2), (3, 4)),
    ((((0,), (0,)), ((1,), (1,))), (4, 3), (4, 3)),
    (MM, (0, 3), (3, 2)), (MM, (2, 0), (0, 3)), (MM, (2, 3), (3, 0)),
    ((((1,), (1,)), ((0,), (0,))), (0, 3), (0, 3)),
    ((((0,), (0,)), ((), ())), (1,), (1,)),
    ((((1,), (0,)), ((), ())), (1, 1), (1, 5)),
]:
    for t in (jnp.float32, jnp.int32):
        dot(arr(a, t), arr(b, t), dims)
for t in (jnp.float32, jnp.float64, jnp.int32, jnp.complex64):
    dot(arr((37, 70), t), arr((70, 29), t), MM)
for a in [*FLOATS, jnp.int8, jnp.int32, jnp.uint8, jnp.uint32, jnp.bool_, jnp.complex64, jnp.float8_e4m3fn, jnp.int4]:
    for b in [*FLOATS, jnp.int8, jnp.int32, jnp.uint8, jnp.uint32, jnp.bool_, jnp.complex64]:
        if a != b:
            dot(S((2, 3), a), S((3, 2), b), MM)
for a, b in [(jnp.float32, jnp.bfloat16), (jnp.int8, jnp.float32), (jnp.int32, jnp.int8), (jnp.complex64, jnp.float32),
             (jnp.bfloat16, jnp.float16), (jnp.bool_, jnp.int32)]:
    dot(arr((2, 3), a), arr((3, 2), b), MM)
for a, p in [(jnp.int8, jnp.int32), (jnp.int8, jnp.float32), (jnp.bfloat16, jnp.float32), (jnp.float32, jnp.float64),
             (jnp.float32, jnp.bfloat16), (jnp.int32, jnp.int8), (jnp.int32, jnp.float32), (jnp.int32, jnp.bfloat16), (jnp.uint8, jnp.int32),
             (jnp.complex64, jnp.complex128), (jnp.complex128, jnp.complex64), (jnp.float32, jnp.complex64),
             (jnp.float32, jnp.float32), (jnp.float16, jnp.float32), (jnp.int64, jnp.float32), (jnp.bool_, jnp.int32)]:
    try:
        dot(arr((2, 3), a), arr((3, 2), a), MM, preferred=p)
    except Exception as error:
        print("not evaluated", a, p, str(error)[:80])
        dot(S((2, 3), a), S((3, 2), a), MM, preferred=p)
for precision in ["highest", ("highest", "default"), "F32_F32_F32", "high"]:
    dot(arr((2, 3)), arr((3, 2)), MM, precision=precision)
dot(S((2, 3), jnp.int32), S((3, 2), jnp.int32), MM, precision="F32_F32_F32", preferred=jnp.int8)
dot(Weak(arr((2, 3))), Weak(arr((3, 2))), MM)
dot(Weak(arr((2, 3))), arr((3, 2)), MM)
for dims, a, b in [
    (MM, (2, 3), (4, 2)), (MM, (2,), (2, 3)), (MM, (2, 3), ()), ((((1,), (0,)), ((0,), ())), (2, 3), (3, 2)),
    ((((1,), (-1,)), ((), ())), (2, 3), (3, 2)), ((((-1,), (0,)), ((), ())), (2, 3), (3, 2)),
    ((((), ()), ((0, 0), (0, 1))), (2, 3), (2, 2)), ((((), ()), ((0, 1), (0, 0))), (2, 2), (2, 2)),
    ((((1, 1), (0, 1)), ((), ())), (2, 3), (3, 3)), ((((0, 1), (0, 0)), ((), ())), (2, 3), (3, 3)),
    ((((0,), (0,)), ((0,), (1,))), (3, 3), (3, 3)), ((((1,), (0,)), ((0,), (0,))), (3, 3), (3, 3)),
    ((((1,), (1,)), ((0,), (0,))), (2, 3), (4, 3)), ((((5,), (0,)), ((), ())), (2, 3), (3, 3)),
    ((((2,), (1,)), ((0,), (0,))), (2, 3, 4), (2, 5, 6)),
]:
    dot(S(a, jnp.float32), S(b, jnp.float32), dims)
dot(S((2, 3), jnp.float32), S((3, 2), jnp.int32), MM, preferred=jnp.int32)
dot(S((3,), jnp.int8), S((3,), jnp.uint8), (((0,), (0,)), ((), ())))

# --------------------------------------------------------------------------------------------------- gather, scatter
GS = ["gather", "scatter", "scatter-add", "scatter-mul", "scatter-min", "scatter-max", "scatter-sub"]
x1, x2, x3 = arr((5,)), arr((4, 3)), arr((3, 4, 2))
i1 = np.array([0, -1, 4, 7, -9], np.int32)
i2 = np.array([[0, 1], [3, 2]], np.int32)
b1 = np.array([1, 0, 2], np.int32)
MODES = ["clip", "fill", "promise_in_bounds", None]
for mode in MODES:
    for neg in (True, False):
        get = lambda x, i: x.at[i].get(mode=mode, wrap_negative_indices=neg)  # noqa: E731
        r.harvest(GS, get, x1, i1)
        r.harvest(GS, get, x2, i1)
        r.harvest(GS, get, x3, i2)
    for op in ["set", "add", "multiply", "min", "max", "subtract"]:
        put = lambda x, i, y: getattr(x.at[i], op)(y, mode={"fill": "drop"}.get(mode, mode))  # noqa: E731
        r.harvest(GS, put, x1, i1, arr((5,)))
        r.harvest(GS, put, x2, i1, arr((5, 3)))
        r.harvest(GS, lambda x, i, y: put(x, (slice(None), i), y), x3, i2, arr((3, 2, 2, 2)))
r.harvest(GS, lambda x: x.at[jnp.array([0, 9])].get(mode="fill", fill_value=-3), x1)
for t in [*INTS, *FLOATS, jnp.bool_, jnp.complex64, jnp.int4, jnp.uint4]:
    r.harvest(GS, lambda x, i: x.at[i].get(mode="fill"), arr((3,), t), i1[2:])
    if t not in (jnp.int4, jnp.uint4):
        r.harvest(GS, lambda x, i: x.at[i].set(x[0]), arr((3,), t), b1)
        ops = ["min", "max"] + (["add", "subtract", "multiply"] if t != jnp.bool_ else [])
        for op in ops:
            r.harvest(GS, lambda x, i: getattr(x.at[i], op)(x[1]), arr((3,), t), b1)
for it in INTS:
    r.harvest(GS, lambda x, i: x[i], x2, np.array([1, 3], it))
r.harvest(GS, lambda x, i, j: x[i, :, j], x3, b1, np.array([1, 0, 1]))
r.harvest(GS, lambda x, i, j: x[i, j], x3, b1, np.array([1, 0, 1]))
r.harvest(GS, lambda x, i: x[:, i:i + 1] if isinstance(i, int) else x[:, i], x3, np.int32(2))
r.harvest(GS, lambda x, i: x[..., i, None], x3, np.int32(-1))
r.harvest(GS, lambda x: x[::-2, 1:3], x3)
r.harvest(GS, lambda x, m: jnp.take(x, m, axis=1), x3, i2)
r.harvest(GS, lambda x, m: jnp.take(x, m), x3, i2 + 20)
r.harvest(GS, lambda x, m: jnp.take_along_axis(x, m, axis=1), x2, np.array([[0], [2], [1], [0]]))
r.harvest(GS, lambda x, m: jnp.take_along_axis(x, m, axis=0), x2, np.array([[0, 3, 1]]))
r.harvest(GS, jax.vmap(lambda x, i: x[i]), x2, np.array([0, 2, 1, 1]))
r.harvest(GS, jax.vmap(lambda x, i: x[i], (1, 0)), x2, b1)
r.harvest(GS, jax.vmap(lambda x, i: x[i], (None, 0)), x2, i2)
r.harvest(GS, jax.vmap(jax.vmap(lambda x, i: x[i])), x3, i2[:1].repeat(3, 0) if False else rng.integers(0, 2, (3, 4)))
r.harvest(GS, jax.vmap(lambda x, i: x.at[i].set(1.)), x2, np.array([0, 2, 1, 1]))
r.harvest(GS, jax.vmap(lambda x, i: x.at[i].add(1.), (None, 0)), x2, b1)
r.harvest(GS, jax.vmap(lambda x, i: x.at[i].add(1.), (0, None)), x3, b1)
r.harvest(GS, jax.vmap(lambda x, i, y: x.at[i].max(y), (None, None, 0)), x2, b1, arr((2, 3, 3)))
r.harvest(GS, jax.vmap(jax.vmap(lambda x, i: x.at[i].mul(2.))), x3, rng.integers(0, 2, (3, 4)))
r.harvest(GS, jax.vmap(lambda x, i: lax.dynamic_slice(x, (i, jnp.int32(0)), (2, 2))), x3, b1)
r.harvest(GS, jax.vmap(lambda x, i: lax.dynamic_slice(x, (i, jnp.int32(0)), (2, 2)), (None, 0)), x2, b1)
r.harvest(GS, jax.vmap(lambda x, u, i: lax.dynamic_update_slice(x, u, (i, jnp.int32(1)))), x3, arr((3, 2, 1)), b1)
r.harvest(GS, jax.grad(lambda x, i: (x[i] ** 2).sum()), x1, np.array([0, 1, 1]))
r.harvest(GS, jax.grad(lambda x, i: (jnp.take_along_axis(x, i, 1) ** 2).sum()), x2, np.array([[0], [2], [1], [0]]))
r.harvest(GS, jax.grad(lambda x, i: (x.at[i].set(2 * x[0]) ** 2).sum()), x1, np.array([0, 1, 1]))
r.harvest(GS, jax.grad(lambda x, i: (x.at[i].max(x[1:4]) ** 2).sum()), x1, np.array([0, 1, 1]))
r.harvest(GS, jax.grad(lambda x, i: (x.at[i].mul(x[1:4], unique_indices=True) ** 2).sum()), x1, np.array([0, 1, 3]))
r.harvest(GS, lambda x, i: x[i], np.zeros((0, 3), np.float32), np.zeros((0,), np.int32))
r.harvest(GS, lambda x, i: x[i], x2, np.zeros((0,), np.int32))
r.harvest(GS, lambda x, i: x.at[i].add(1.), x2, np.zeros((0,), np.int32))
keys = jax.random.split(jax.random.key(7), 4)
r.harvest(GS, lambda k, i: k[i], keys, i2) if False else None

gather_p = slicing.gather_p


def gather(x, i, offset, collapsed, start, slices, ob=(), ib=(), mode="clip", fill=None):
    r.bind(gather_p, [x, i], slice_sizes=slices, mode=lax.GatherScatterMode.from_any(mode), fill_value=fill,
           indices_are_sorted=False, unique_indices=False,
           dimension_numbers=lax.GatherDimensionNumbers(offset, collapsed, start, ob, ib))


X, I = S((4, 3), jnp.float32), S((2, 1), jnp.int32)  # noqa: E741
ok = ((1,), (0,), (0,), (1, 3))
gather(arr((4, 3)), np.array([[1], [5]], np.int32), *ok)
gather(arr((4, 3)), np.array([[1], [5]], np.int32), (0,), (0,), (0,), (1, 2))
gather(arr((4, 3)), np.array([[1, 2], [3, 1]], np.int32), (0, 1), (), (0, 1), (2, 2))
gather(arr((4, 3)), np.array([[1, 2], [3, 1]], np.int32), (0, 2), (), (1, 0), (2, 2), mode="fill", fill=7)
gather(arr((4, 3), jnp.int32), np.array([[1, 2], [3, 1]], np.int32), (0, 2), (), (1, 0), (2, 2), mode="fill", fill=7)
gather(Weak(arr((4, 3))), np.array([[1]], np.int32), *ok)
gather(arr((4, 3)), Weak(np.array([[1]], np.int32)), *ok)
gather(arr((2, 4, 3)), np.array([[[1], [0]], [[2], [2]]], np.int32), (2,), (1,), (1,), (1, 1, 3), (0,), (1,))
gather(X, S((), jnp.int32), *ok)
gather(X, S((2, 1), jnp.float32), *ok)
gather(X, S((2, 1), jnp.bool_), *ok)
gather(X, I, (2, 1), (0,), (0,), (1, 3))
gather(X, I, (1, 1), (0,), (0,), (1, 3))
gather(X, I, (5,), (0,), (0,), (1, 3))
gather(X, I, (-1,), (0,), (0,), (1, 3))
gather(X, I, (1,), (0,), (0, 1), (1, 3))
gather(X, I, (1,), (0,), (2,), (1, 3))
gather(X, S((2, 2), jnp.int32), (1,), (0,), (0, 0), (1, 3))
gather(X, I, (), (1, 0), (0,), (1, 1))
gather(X, I, (1,), (2,), (0,), (1, 3))
gather(X, I, (1,), (-1,), (0,), (1, 3))
gather(X, I, (), (0, 0), (0,), (1, 1))
gather(X, I, (1,), (), (0,), (1, 3), (0, 0), (0, 0))
gather(X, I, (), (), (), (1, 1), (1, 0), (0, 1))
gather(X, S((2, 0), jnp.int32), (), (), (), (1, 1), (1, 0), (0, 1))
gather(X, I, (1,), (0,), (0,), (1, 3), (0,), (0,))
gather(X, I, (1,), (), (0,), (1, 3), (0,), (0,))
gather(X, I, (1,), (), (1,), (1, 3), (0,), (0, 0))
gather(X, I, (1,), (), (1,), (1, 3), (0,), (5,))
gather(X, I, (1,), (), (1,), (1, 3), (0,), (1,))
gather(X, I, (1,), (), (1,), (1, 3), (0,), ())
gather(X, I, (1,), (), (1,), (1, 3), (0,), (0,))
gather(X, I, (1,), (0,), (0,), (1, 3, 1))
gather(X, I, (1,), (), (0,), (1, 3))
gather(X, I, (1,), (0,), (0,), (1, 4))
gather(X, I, (1,), (0,), (0,), (2, 3))
gather(X, S((0, 1), jnp.int32), (1,), (0,), (0,), (1, 9))
gather(S((2, 3), jnp.float32), I, (1,), (), (1,), (2, 3), (0,), (0,))

SCATTERS = {p.name: p for p in (slicing.scatter_p, slicing.scatter_add_p, slicing.scatter_mul_p, slicing.scatter_min_p)}


def scatter(x, i, u, window, inserted, dims, ob=(), ib=(), name="scatter", mode="clip"):
    r.bind(SCATTERS[name], [x, i, u], mode=lax.GatherScatterMode.from_any(mode), indices_are_sorted=False, unique_indices=False,
           update_jaxpr=None, update_consts=(), evaluate=name == "scatter",
           dimension_numbers=lax.ScatterDimensionNumbers(window, inserted, dims, ob, ib))


U = S((2, 3), jnp.float32)
scatter(arr((4, 3)), np.array([[1], [5]], np.int32), arr((2, 3)), (1,), (0,), (0,))
scatter(arr((4, 3)), np.array([[1], [5]], np.int32), arr((2, 2, 2)), (1, 2), (), (0,))
scatter(arr((4, 3)), np.array([[1], [3]], np.int32), arr((2, 2, 2)), (1, 2), (), (0,), mode="fill")
scatter(Weak(arr((4, 3))), np.array([[1], [5]], np.int32), Weak(arr((2, 3))), (1,), (0,), (0,))
scatter(arr((4, 3)), np.array([[1], [5]], np.int32), Weak(arr((2, 3))), (1,), (0,), (0,))
for name in SCATTERS:
    scatter(X, I, S((2, 3), jnp.int32), (1,), (0,), (0,), name=name)
    scatter(X, I, S((2,), jnp.float32), (1,), (0,), (0,), name=name)
scatter(X, S((), jnp.int32), U, (1,), (0,), (0,))
scatter(X, S((2, 1), jnp.float32), U, (1,), (0,), (0,))
scatter(X, I, S((2, 3, 1), jnp.float32), (2, 1), (), (0,))
scatter(X, I, S((2, 3, 1), jnp.float32), (1, 1), (), (0,))
scatter(X, I, U, (2,), (0,), (0,))
scatter(X, I, U, (-1,), (0,), (0,))
scatter(X, I, U, (1,), (1, 0), (0,))
scatter(X, I, U, (1,), (0, 0), (0,))
scatter(X, I, U, (1,), (2,), (0,))
scatter(X, I, U, (1,), (), (0,), (1, 0), (0, 0))
scatter(X, I, U, (1,), (), (0,), (0, 0), (0, 0))
scatter(X, I, U, (1,), (), (0,), (7,), (0,))
scatter(X, I, U, (1,), (0,), (1,), (0,), (0,))
scatter(X, I, U, (1,), (), (0,), (0,), (0,))
scatter(X, I, U, (1,), (), (1,), (0,), (0, 0))
scatter(X, I, U, (1,), (), (1,), (0,), (4,))
scatter(X, I, U, (1,), (), (1,), (0,), (1,))
scatter(X, I, U, (1,), (), (1,), (0,), ())
scatter(X, I, U, (1,), (), (1,), (0,), (0,))
scatter(X, I, U, (1,), (), (0,))
scatter(X, I, U, (1,), (0,), (0, 1))
scatter(X, I, U, (1,), (0,), (3,))
scatter(X, S((2, 2), jnp.int32), U, (1,), (0,), (0, 0))
scatter(X, I, S((2, 4), jnp.float32), (1,), (0,), (0,))
scatter(X, I, S((3, 3), jnp.float32), (1,), (0,), (0,))

# ------------------------------------------------------------------------------------------------------------- sorts
sort_p = laxi.sort_p


def sort(*xs, dim=0, keys=1, stable=True):
    r.bind(sort_p, list(xs), dimension=dim, num_keys=keys, is_stable=stable)


special = np.array([3, -0., np.nan, 0., np.inf, -np.inf, -1, np.nan, 2.5, -0.], np.float32)
iota = np.arange(10, dtype=np.int32)
for t in FLOATS:
    sort(special.astype(t), iota)
    sort(special.astype(t), iota[::-1].copy(), keys=2)
for t in [*INTS, jnp.bool_]:
    sort(arr((12,), t), np.arange(12, dtype=np.int32))
sort(np.array([1 + 2j, 1 - 2j, np.nan + 0j, 0 + np.nan * 1j, -1 + 5j, 1 + 2j], np.complex64), iota[:6])
sort(arr((4, 5)), arr((4, 5), jnp.int32), dim=1)
sort(arr((4, 5), jnp.int32), arr((4, 5)), arr((4, 5)), dim=0, keys=2)
sort(arr((2, 3, 4)), dim=1)
sort(arr((3, 0)), dim=1)
sort(arr((1, 1)), dim=1)
sort(arr((300,)), np.arange(300, dtype=np.uint32))
sort(Weak(arr((3,))), arr((3,)))
sort(S((3,), jnp.float32), S((4,), jnp.float32))
sort(S((3,), jnp.float32), S((3, 1), jnp.int32))
top_k_p = laxi.top_k_p
for t in [*FLOATS, *INTS]:
    r.bind(top_k_p, [arr((3, 7), t)], k=3, axis=1)
r.bind(top_k_p, [special], k=10, axis=0)
r.bind(top_k_p, [arr((5, 4))], k=2, axis=0)
r.bind(top_k_p, [arr((5, 4))], k=0, axis=0)
r.bind(top_k_p, [Weak(arr((5,)))], k=2, axis=0)
r.bind(top_k_p, [S((5,), jnp.complex64)], k=2, axis=0)
r.bind(top_k_p, [S((5,), jnp.float32)], k=-2, axis=0)
r.bind(top_k_p, [S((), jnp.float32)], k=1, axis=0)
r.bind(top_k_p, [S((5,), jnp.float32)], k=2, axis=1)
r.bind(top_k_p, [S((5,), jnp.float32)], k=2, axis=-1)
r.bind(top_k_p, [S((5, 2), jnp.float32)], k=6, axis=0)
r.harvest(["approx_top_k"], lambda x: lax.approx_max_k(x, 3), arr((2, 9)))
r.harvest(["approx_top_k"], lambda x: lax.approx_min_k(x, 2, reduction_dimension=0), arr((6, 3)))

r.write(HERE / "cases/indexing.json")
r.derive_some(8).write(HERE / "derived/indexing.json")

# ------------------------------------------------------------------------------------------------------ convolutions
r = Recorder()
conv_p = convolution.conv_general_dilated_p


def conv(x, y, strides, padding, lhs_dilation=None, rhs_dilation=None, dims=None, groups=1, batch_groups=1, preferred=None,
         precision=None, raw=False, **kw):
    shapes = [(a.value if isinstance(a, Weak) else a).shape for a in (x, y)]
    n = len(shapes[0]) - 2
    dn = dims if raw else lax.conv_dimension_numbers(*shapes, dims)
    r.bind(conv_p, [x, y], window_strides=tuple(strides), padding=tuple(map(tuple, padding)),
           lhs_dilation=tuple(lhs_dilation or (1,) * n), rhs_dilation=tuple(rhs_dilation or (1,) * n), dimension_numbers=dn,
           feature_group_count=groups, batch_group_count=batch_groups, precision=laxi.canonicalize_precision(precision),
           preferred_element_type=preferred and jnp.dtype(preferred), out_sharding=None, **kw)


P2 = ((1, 1), (0, 2))
for t in [*FLOATS, jnp.int8, jnp.int32, jnp.uint8, jnp.complex64]:
    conv(arr((2, 3, 5, 6), t), arr((4, 3, 2, 3), t), (1, 2), P2, tol=2e-5 if t == jnp.complex64 else None)
conv(arr((2, 5, 6, 3)), arr((2, 3, 3, 4)), (1, 2), P2, dims=("NHWC", "HWIO", "NHWC"))
conv(arr((2, 5, 6, 3)), arr((2, 3, 3, 4)), (2, 1), P2, dims=("NHWC", "HWIO", "NCHW"))
conv(arr((6, 3, 5, 2)), arr((3, 4, 2, 3)), (2, 1), P2, dims=("WCHN", "WOHI", "HNWC"))
conv(arr((2, 3, 5, 6)), arr((4, 3, 2, 3)), (1, 2), P2, (2, 1), (1, 2))
conv(arr((2, 3, 5, 6)), arr((4, 3, 2, 3)), (2, 1), P2, (3, 2), (2, 1))
conv(arr((2, 3, 5, 6)), arr((4, 3, 2, 3)), (1, 1), ((-1, 0), (2, -1)))
conv(arr((2, 3, 5, 6)), arr((4, 3, 2, 3)), (1, 1), ((-1, -2), (0, 0)), (2, 1))
conv(arr((2, 4, 5, 6)), arr((6, 2, 2, 3)), (1, 2), P2, groups=2)
conv(arr((2, 4, 5, 6)), arr((8, 1, 3, 3)), (1, 1), ((1, 1), (1, 1)), groups=4)
conv(arr((4, 3, 5, 6)), arr((6, 3, 2, 3)), (1, 2), P2, batch_groups=2)
conv(arr((4, 3, 5, 6)), arr((4, 3, 2, 3)), (1, 2), P2, batch_groups=4)
conv(arr((2, 5, 8)), arr((3, 2, 4)), (1,), ((2, 0),), dims=("NHC", "HIO", "NHC"), groups=4)
conv(arr((2, 3, 9)), arr((4, 3, 3)), (2,), ((1, 1),))
conv(arr((2, 3, 4, 5, 3)), arr((2, 3, 2, 2, 2)), (1, 2, 1), ((0, 0), (1, 0), (0, 1)))
conv(arr((2, 3)), arr((4, 3)), (), ())
conv(arr((0, 3, 5)), arr((4, 3, 3)), (1,), ((0, 0),))
conv(arr((2, 3, 2)), arr((4, 3, 3)), (1,), ((0, 0),))
conv(arr((2, 0, 5)), arr((4, 0, 3)), (1,), ((0, 0),))
conv(arr((2, 3, 0)), arr((4, 3, 3)), (1,), ((2, 2),))
conv(arr((3, 12, 14, 16)), arr((24, 12, 3, 3)), (1, 1), ((1, 1), (1, 1)))
conv(arr((3, 14, 16, 12)), arr((3, 3, 12, 24)), (1, 1), ((1, 1), (1, 1)), dims=("NHWC", "HWIO", "NHWC"))
conv(arr((1, 3, 5), jnp.int8), arr((2, 3, 3), jnp.int8), (1,), ((0, 0),), preferred=jnp.int32)
conv(arr((1, 3, 5), jnp.bfloat16), arr((2, 3, 3), jnp.bfloat16), (1,), ((0, 0),), preferred=jnp.float32)
conv(arr((1, 3, 5)), arr((2, 3, 3)), (1,), ((0, 0),), precision="highest")
conv(Weak(arr((1, 3, 5))), Weak(arr((2, 3, 3))), (1,), ((0, 0),))
conv(Weak(arr((1, 3, 5))), arr((2, 3, 3)), (1,), ((0, 0),))
N = convolution.ConvDimensionNumbers
A, B, D3 = S((2, 4, 5), jnp.float32), S((6, 4, 3), jnp.float32), N((0, 1, 2), (0, 1, 2), (0, 1, 2))
Z = ((0, 0),)
for a, b, kw in [
    (A, S((6, 4), jnp.float32), {}), (A, B, {"groups": 0}), (A, B, {"groups": -1}), (A, B, {"groups": 3}), (A, B, {"groups": 2}),
    (A, S((5, 2, 3), jnp.float32), {"groups": 2}), (A, S((6, 3, 3), jnp.float32), {}), (A, B, {"batch_groups": 0}),
    (A, B, {"batch_groups": 4}), (S((4, 4, 5), jnp.float32), B, {"batch_groups": 4}),
    (A, S((6, 2, 3), jnp.float32), {"batch_groups": 2, "groups": 2}), (A, S((6, 4, 3), jnp.int32), {}),
    (A, S((6, 4, 3), jnp.bool_), {}), (S((2, 4, 5), jnp.bool_), S((6, 4, 3), jnp.bool_), {}),
    (A, B, {"strides": (1, 1)}), (A, B, {"padding": ((0, 0), (0, 0))}), (A, B, {"padding": ((-3, -3),)}),
    (A, B, {"lhs_dilation": (0,)}), (A, B, {"rhs_dilation": (-1,)}), (A, B, {"preferred": jnp.bfloat16}),
    (A, B, {"preferred": jnp.int32}), (A, B, {"preferred": jnp.float64}), (A, B, {"preferred": jnp.complex64}),
    (S((2, 4, 5), jnp.int32), S((6, 4, 3), jnp.int32), {"preferred": jnp.uint32}),
    (S((2, 4, 5), jnp.uint8), S((6, 4, 3), jnp.uint8), {"preferred": jnp.int32}),
    (S((2, 4, 5), jnp.int32), S((6, 4, 3), jnp.int32), {"preferred": jnp.float16}),
    (S((2, 4, 5), jnp.int32), S((6, 4, 3), jnp.int32), {"preferred": jnp.int8}),
    (S((2, 4, 5), jnp.float16), S((6, 4, 3), jnp.bfloat16), {}),
]:
    kw = {"strides": (1,), "padding": Z, **kw}
    conv(a, b, kw.pop("strides"), kw.pop("padding"), dims=D3, raw=True, **kw)
CONV = ["conv_general_dilated"]
f = lambda x, y: lax.conv_general_dilated(x, y, (2, 1), ((1, 2), (0, 3)), (1, 2), (2, 1))  # noqa: E731
r.harvest(CONV, jax.grad(lambda x, y: (f(x, y) ** 2).sum(), (0, 1)), arr((2, 3, 5, 6)), arr((4, 3, 2, 3)))
g = lambda x, y: lax.conv_general_dilated(x, y, (2,), "SAME", feature_group_count=2)  # noqa: E731
r.harvest(CONV, jax.grad(lambda x, y: (g(x, y) ** 2).sum(), (0, 1)), arr((2, 4, 6)), arr((6, 2, 3)))
h = lambda x, y: lax.conv_general_dilated(x, y, (2,), "SAME", batch_group_count=2)  # noqa: E731
r.harvest(CONV, jax.grad(lambda x, y: (h(x, y) ** 2).sum(), (0, 1)), arr((4, 2, 6)), arr((6, 2, 3)))
for fun, a, b in [(f, (2, 3, 5, 6), (4, 3, 2, 3)), (g, (2, 4, 6), (6, 2, 3)), (h, (4, 2, 6), (6, 2, 3))]:
    for axes in [(0, 0), (1, None), (None, 2), (2, 1)]:
        shape = lambda s, d: s if d is None else s[:d] + (2,) + s[d:]  # noqa: E731
        r.harvest(CONV, jax.vmap(fun, axes), arr(shape(a, axes[0])), arr(shape(b, axes[1])))

# ------------------------------------------------------------------------------------------------ reductions of windows
WIN = {p.name: p for p in (windows.reduce_window_sum_p, windows.reduce_window_max_p, windows.reduce_window_min_p)}


def win(name, x, dims, strides, padding, base=None, dilation=None, **kw):
    n = len(dims)
    r.bind(WIN[name], [x], window_dimensions=tuple(dims), window_strides=tuple(strides), padding=tuple(map(tuple, padding)),
           base_dilation=tuple(base or (1,) * n), window_dilation=tuple(dilation or (1,) * n), **kw)


for name in WIN:
    for t in [*FLOATS, *INTS, jnp.bool_]:
        if name == "reduce_window_sum" and t == jnp.bool_:
            win(name, S((5,), t), (2,), (1,), Z)
            continue
        win(name, arr((5, 4), t), (2, 3), (2, 1), ((0, 1), (1, 1)))
    win(name, arr((5, 4)), (2, 2), (1, 2), ((1, 0), (0, 0)), (2, 3), (2, 1))
    win(name, arr((7,)), (3,), (2,), ((-1, 2),), (1,), (2,))
    win(name, arr((2, 6, 6, 3)), (1, 2, 2, 1), (1, 2, 2, 1), ((0, 0),) * 4)
    win(name, arr((2, 3)), (3, 1), (1, 1), ((0, 0), (0, 0)))
    win(name, arr(()), (), (), ())
    win(name, arr((0, 3)), (1, 2), (1, 1), ((0, 0), (0, 0)))
    win(name, Weak(arr((4,))), (2,), (1,), Z)
    win(name, special, (2,), (1,), Z)
    for dims, strides, pad, base, dil in [((0,), (1,), Z, (1,), (1,)), ((2,), (0,), Z, (1,), (1,)), ((2,), (-1,), Z, (1,), (1,)),
                                          ((2,), (1,), Z, (-1,), (1,)), ((2,), (1,), Z, (1,), (-2,)), ((2,), (1,), Z, (0,), (1,)),
                                          ((2,), (1,), Z, (1,), (0,)), ((2, 2), (1,), Z, (1,), (1,)), ((2,), (1, 1), Z, (1,), (1,)),
                                          ((2,), (1,), Z, (1, 1), (1,)), ((2,), (1,), Z, (1,), (1, 1))]:
        win(name, S((5,), jnp.float32), dims, strides, pad, base, dil)
win("reduce_window_sum", arr((5,), jnp.complex64), (2,), (1,), Z)
ALL = ["reduce_window_sum", "reduce_window_max", "reduce_window_min", "reduce_window", "select_and_scatter_add",
       "select_and_gather_add"]
pool = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 3), (1, 2, 1), "SAME")  # noqa: E731
pool_min = lambda x: lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 3), (1, 2, 2), "VALID")  # noqa: E731
avg = lambda x: lax.reduce_window(x, 0., lax.add, (1, 2, 3), (1, 2, 1), "SAME", (1, 2, 1), (1, 1, 2))  # noqa: E731
dil = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 3), (1, 2, 1), ((0, 0), (1, 1), (0, 2)), (1, 2, 1))  # noqa: E731
for fun in (pool, pool_min, avg, dil):
    for t in (jnp.float32, jnp.float64, jnp.bfloat16):
        x = arr((2, 5, 4), t)
        loss = lambda x: (fun(x) ** 2).sum()  # noqa: E731
        r.harvest(ALL, jax.grad(loss), x, tol=1e-2 if t == jnp.bfloat16 else None)
    x = arr((2, 5, 4))
    r.harvest(ALL, lambda x: jax.jvp(fun, (x,), (x,)), x)
    r.harvest(ALL, jax.vmap(fun), arr((2, 2, 5, 4)))
    r.harvest(ALL, jax.vmap(fun, 2), arr((2, 5, 3, 4)))
    r.harvest(ALL, jax.vmap(jax.grad(loss)), arr((3, 2, 5, 4)))
ties = np.array([[1, 1, 0, 2, 2], [2, 2, 2, 2, 2], [0, 0, 0, 0, 0]], np.float32)
r.harvest(ALL, jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME") ** 2).sum()), ties)
r.harvest(ALL, lambda x: jax.jvp(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME"), (x,), (x * 3,)), ties)
sg = windows.select_and_gather_add_p
r.bind(sg, [S((3,), jnp.float32), S((4,), jnp.float32)], select_prim=laxi.ge_p, window_dimensions=(2,), window_strides=(1,),
       padding=Z, base_dilation=(1,), window_dilation=(1,))

r.write(HERE / "cases/windows.json")
r.derive_some(9).write(HERE / "derived/windows.json")
