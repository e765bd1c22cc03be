"""Records sums, products, windows and functions where every step is rounded, and complex numbers at the edges of their range.

    python tests/primitives/rounding.py

All of it has to agree to the bit, signs of zeros among it, but for what says `rel`.
"""
import pathlib
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lax import lax as laxi, linalg, special as special_math, windowed_reductions as windows
from jax._src.lax.control_flow import loops
from record import Recorder

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(23)
SHORT = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"]


class Rounded(Recorder):
    rel = 0
    abs = 0

    def show(self, primitive, params):
        return None

    def add(self, case):
        if "out" in case:
            case["rel"] = self.rel
            if self.abs:
                case["abs"] = self.abs
        super().add(case)


r = Rounded()


def drawn(shape, t, scale=3.0):
    return np.asarray(rng.normal(size=shape) * scale).astype(jnp.dtype(t))


def near_one(shape, t):
    return np.asarray(1 + rng.normal(size=shape) * 0.3).astype(jnp.dtype(t))


def whole(dimensions, **others):
    ones = (1,) * len(dimensions)
    given = {"window_dimensions": dimensions, "window_strides": ones, "padding": ((0, 0),) * len(dimensions), "base_dilation": ones,
             "window_dilation": ones}
    return {**given, **others}


for t in SHORT:
    for shape, axes in [((20,), (0,)), ((1000,), (0,)), ((70, 5), (0,)), ((5, 70), (1,)), ((40, 35), (0, 1)), ((3, 40, 2), (1,)), ((3, 1), (1,))]:
        r.bind(laxi.reduce_sum_p, [drawn(shape, t)], axes=axes, out_sharding=None)
        r.bind(laxi.reduce_prod_p, [near_one(shape, t)], axes=axes)
    # Running values that leave the range of the type on the way.
    r.bind(laxi.reduce_sum_p, [drawn((40, 20), t, 3e4)], axes=(1,), out_sharding=None)
    r.bind(laxi.reduce_sum_p, [np.ones(1000, jnp.dtype(t))], axes=(0,), out_sharding=None)
    r.bind(laxi.reduce_sum_p, [-np.zeros((2, 1), jnp.dtype(t))], axes=(1,), out_sharding=None)
    for shape, axis in [((10,), 0), ((100,), 0), ((300, 2), 0), ((2, 40), 1), ((3,), 0)]:
        for reverse in (False, True):
            r.bind(loops.cumsum_p, [drawn(shape, t)], axis=axis, reverse=reverse)
            r.bind(loops.cumsum_p, [drawn(shape, t, 3e4)], axis=axis, reverse=reverse)
            r.bind(loops.cumprod_p, [near_one(shape, t)], axis=axis, reverse=reverse)
            r.bind(loops.cumlogsumexp_p, [drawn(shape, t)], axis=axis, reverse=reverse)
    for shape, given in [((20,), whole((3,), padding=((1, 1),))), ((60,), whole((40,))), ((50,), whole((50,))), ((50,), whole((50,), padding=((49, 0),))),
                         ((50,), whole((50,), padding=((0, 49),))), ((9, 8), whole((3, 4), window_strides=(2, 1), padding=((1, 1), (2, 0)))),
                         ((40, 3), whole((40, 1))), ((4,), whole((1,)))]:
        r.bind(windows.reduce_window_sum_p, [drawn(shape, t)], **given)
    dims = (((1,), (0,)), ((), ()))
    # Sums of small whole numbers: in no order more than `float32` holds.
    few = rng.integers(-3, 4, (5, 60)).astype(jnp.dtype(t)), rng.integers(-3, 4, (60, 4)).astype(jnp.dtype(t))
    r.bind(laxi.dot_general_p, list(few), dimension_numbers=dims, precision=None, preferred_element_type=jnp.dtype(t), out_sharding=None)
for t in ("float32", "float64"):
    for reverse in (False, True):
        r.bind(loops.cumsum_p, [drawn((100,), t)], axis=0, reverse=reverse)
        r.bind(loops.cumprod_p, [near_one((100,), t)], axis=0, reverse=reverse)
    r.bind(laxi.reduce_sum_p, [-np.zeros((2, 1), jnp.dtype(t))], axes=(1,), out_sharding=None)
for t in SHORT[2:]:
    index, updates = jnp.asarray(rng.integers(0, 4, (60,)), np.int32), near_one((60,), t)
    r.harvest(["scatter-add"], lambda x, i, u: x.at[i].add(u), np.ones(4, jnp.dtype(t)), index, updates)
    r.harvest(["scatter-mul"], lambda x, i, u: x.at[i].multiply(u), np.ones(4, jnp.dtype(t)), index, updates)
    every = jax.lax.bitcast_convert_type(jnp.arange(256, dtype=jnp.uint8), jnp.dtype(t))
    r.bind(laxi.bitcast_convert_type_p, [np.arange(256, dtype=np.uint8)], new_dtype=jnp.dtype(t))
    for name in "exp log log1p tanh sin sqrt rsqrt cbrt square".split():
        r.bind(getattr(laxi, f"{name}_p"), [every], **({} if name == "square" else {"accuracy": None}))
    left, right = every[rng.integers(0, 256, 400)], every[rng.integers(0, 256, 400)]
    for name in "add sub mul div pow".split():
        r.bind(getattr(laxi, f"{name}_p"), [left, right])

EDGES = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-20, -1e30, 88.0, -100.0, 0.5]
for t, part, tiny, huge in (("complex64", "float32", [1e-38, -2e-39], [3e38]), ("complex128", "float64", [3e-308], [1.5e308])):
    parts = np.asarray([*EDGES, *tiny, *huge], part)
    z = np.empty((len(parts), len(parts)), t)
    z.real, z.imag = parts[:, None], parts[None, :]
    z = z.ravel()
    for name in "abs sign exp exp2 tanh logistic sin cos tan sqrt square sinh cosh log log1p expm1 rsqrt".split():
        # Functions of two precisions in one: the last bits are not XLA's.
        r.rel = 1e-5 if t == "complex64" and name in ("log", "log1p", "expm1", "rsqrt") or t == "complex128" and name not in ("abs", "sign", "square") else 0
        params = {} if name in ("abs", "sign", "square", "sinh", "cosh") else {"accuracy": None}
        if hasattr(laxi, f"{name}_p"):
            r.bind(getattr(laxi, f"{name}_p"), [z], **params)
    r.rel = 0
    for other in (np.roll(z, 37), rng.permutation(z)):
        for name in "add sub mul div max min eq ne".split():
            r.bind(getattr(laxi, f"{name}_p"), [z, other])
    r.bind(loops.cummax_p, [z[:60]], axis=0, reverse=True)
    r.bind(loops.cummin_p, [z[:60]], axis=0, reverse=False)

for t in ("float32", "float64", "complex64", "complex128"):
    r.rel = {"float32": 2e-5, "complex64": 2e-5}.get(t, 1e-12)
    r.abs = r.rel
    for m, n in ((4, 4), (5, 3), (3, 5), (1, 1)):
        a = drawn((2, m, n), t) + (1j * drawn((2, m, n), t) if "complex" in t else 0)
        a = a.astype(t)
        for full in (False, True):
            r.bind(linalg.qr_p, [a], pivoting=True, full_matrices=full, use_magma=None)
        r.bind(linalg.geqp3_p, [a, np.zeros((2, n), np.int32)], use_magma=None)
        if m == n:
            r.bind(linalg.hessenberg_p, [a])
            s = np.asarray(a @ np.conj(np.swapaxes(a, -1, -2)))
            for lower in (True, False):
                r.bind(linalg.tridiagonal_p, [s], lower=lower)
        reflections, taus = linalg.geqrf_p.bind(jnp.asarray(a))
        for left in (True, False):
            for transpose in (True, False):
                c = drawn((2, m, 3) if left else (2, 3, m), t)
                r.bind(linalg.ormqr_p, [reflections, taus, c], left=left, transpose=transpose)
    if "complex" not in t:
        a, c = drawn((3, 2), t), drawn((3, 3), t)
        r.bind(linalg.symmetric_product_p, [a, (c + c.T).astype(t)], alpha=0.5, beta=2.0)
        upper = np.linalg.cholesky(c @ c.T + 9 * np.eye(3)).T.astype(t)
        r.bind(linalg.cholesky_update_p, [upper, drawn((3,), t)])
# Inverse functions at the edges, and where there is no number at all.
for t, part, huge in (("complex64", "float32", [3e3, 1e30, -3e38]), ("complex128", "float64", [3e3, 1e160, -1.5e308])):
    parts = np.asarray([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan, 1e-6, -1e-30, *huge], part)
    z = np.empty((len(parts), len(parts)), t)
    z.real, z.imag = parts[:, None], parts[None, :]
    r.rel, r.abs = (2e-6 if t == "complex64" else 1e-13), 0
    for name in "asin acos atan asinh acosh atanh".split():
        r.bind(getattr(laxi, f"{name}_p"), [z.ravel()], accuracy=None)
r.rel, r.abs = 1e-5, 0
poles = np.asarray([-np.inf, -3, -2, -1.5, -1, -0.0, 0.0, 0.5, 1, 1.5, 2, 3, np.inf, np.nan], np.float32)
x, q = (np.ascontiguousarray(one).ravel() for one in np.broadcast_arrays(poles[:, None], poles[None, :]))
r.bind(special_math.zeta_p, [x, q])
r.rel = 1e-6
for t in ("float32", "bfloat16"):
    bases = np.asarray([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, np.inf, -np.inf, np.nan] * 4, jnp.dtype(t))
    r.bind(laxi.pow_p, [bases, np.repeat(np.asarray([3e-39, -3e-39, 1e-40, 0.0], jnp.dtype(t)), 9)])
for t in ("bfloat16", "float16", "float32", "float64"):
    least = jnp.asarray([0, 1, 1 << (jnp.dtype(t).itemsize * 8 - 1)], f"uint{jnp.dtype(t).itemsize * 8}").view(jnp.dtype(t))
    r.bind(laxi.convert_element_type_p, [least], new_dtype=jnp.dtype("bool"), weak_type=False, sharding=None)
# What a NaN spoils of a factor, and what it leaves; zeros of orthogonal factors have signs.
r.rel, r.abs = 1e-6, 0
nan = np.nan
for rows in ([[1, nan, 0], [0, 1, 0], [2, 0, 1]], [[1, 0, 0], [0, nan, 0], [0, 0, 1]], [[2, 1, 0], [1, 2, nan], [0, nan, 2]],
             [[nan, 1, 2], [3, 4, 5], [6, 7, 9]], [[1, 2], [nan, 3]], [[0, nan], [0, 1]], [[4, 1, 0, 0], [1, 4, 1, 0], [0, 1, nan, 1], [0, 0, 1, 4]],
             [[1, 0, 0, 0, 2], [0, nan, 1, 0, 0], [0, 0, 1, 0, 0], [1, 1, 0, 3, 0], [0, 0, 0, 0, 1]]):
    for t in ("float32", "float64"):
        a = np.asarray(rows, t)
        r.bind(linalg.cholesky_p, [a])
        r.bind(linalg.lu_p, [a])
        r.bind(linalg.geqrf_p, [a])
        for full in (False, True):
            r.bind(linalg.qr_p, [a[:, :2] if full else a], pivoting=False, full_matrices=full, use_magma=None)
# Sums and fractions that are off as JAX's are: of 32 bits, terms in front of them are differences of large numbers.
r.rel, r.abs = 1e-6, 1e-7
x = np.concatenate([np.exp(rng.uniform(-3, 11, 60)), -np.exp(rng.uniform(-3, 3, 30)), [0, 1, 2, 3, 0.5, -1, np.inf, -np.inf, nan]]).astype(np.float32)
r.bind(special_math.lgamma_p, [x])
r.rel, r.abs = 1e-6, 1e-6
r.bind(special_math.digamma_p, [x[:60]])
a = np.concatenate([np.exp(rng.uniform(-3, 11, 60)), [300, 1e4, 3e4, 1e5, 0.5, 1e-6, 1e-3, 500]]).astype(np.float32)
x = np.concatenate([a[:60] * np.exp(rng.standard_normal(60) / np.sqrt(1 + a[:60])), [300, 1e4, 3e4, 1e5, 0.5, 0.3, 1e-3, 600]]).astype(np.float32)
r.rel, r.abs = 2e-6, 2e-7
for primitive in (special_math.igamma_p, special_math.igammac_p, special_math.igamma_grad_a_p):
    r.bind(primitive, [a, x])
for a, b, x in ((1e2, 1e2, 0.5), (1e3, 1e3, 0.5), (1e4, 1e4, 0.5), (1e5, 1e5, 0.5), (1e4, 2, 0.99), (2, 3, 0.3), (1e-38, 2, 0.4), (40, 7, 0.9)):
    r.bind(special_math.regularized_incomplete_beta_p, [np.asarray([one], np.float32) for one in (a, b, x)])
r.write(HERE / "cases" / "rounding.json")
