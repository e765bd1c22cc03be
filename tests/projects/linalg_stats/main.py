# %% [markdown]
# # Linear algebra and statistics scratchpad
# Mixing numpy for the data and jax.numpy for the computations.

# %%
import functools
import operator

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.tree_util import keystr

np.set_printoptions(precision=3, suppress=True)
rng = np.random.default_rng(12)
key = jax.random.key(12)

# %% A table: 40 days of 3 stations and 4 sensors, with gaps
n_days, n_stations, n_sensors = 40, 3, 4
trend = np.linspace(0.0, 2.0, n_days)[:, None, None]
season = np.sin(2 * np.pi * np.arange(n_days) / 7).reshape(-1, 1, 1)
raw = trend + season * np.array([1.0, 0.5, 2.0])[None, :, None] + rng.normal(0, 0.3, (n_days, n_stations, n_sensors))
raw[rng.random(raw.shape) < 0.05] = np.nan
table = jnp.asarray(raw)
print("table", table.shape, table.dtype, "from", raw.dtype)

missing = jnp.isnan(table)
print("missing per sensor:", missing.sum(axis=(0, 1)), "any per station:", missing.any(axis=(0, 2)))
station_mean = jnp.nanmean(table, axis=0, keepdims=True)
filled = jnp.where(missing, station_mean, table)
assert not jnp.isnan(filled).any()

# %% Indexing of all kinds
first_week = filled[:7]
last = filled[-1]
every_other = filled[::2, :, ::-1]
picked = filled[3, [0, 2]]  # an integer and a list
corner = filled[..., None, :2]
rows, cols = np.array([0, 5, 9]), np.array([2, 1, 0])
paired = filled[rows, cols]  # (3, 4)
outer = filled[rows[:, None], cols[None, :]]  # (3, 3, 4)
split_adv = filled[rows, :, 1:3]
weekend = np.arange(n_days) % 7 >= 5
weekend_rows = filled[weekend]  # boolean mask known at trace time
single = filled[0, 0, 0]
for name, x in [("first_week", first_week), ("last", last), ("every_other", every_other), ("picked", picked),
                ("corner", corner), ("paired", paired), ("outer", outer), ("split_adv", split_adv),
                ("weekend_rows", weekend_rows), ("single", single)]:
    print(f"  {name:<13}{x.shape}")

# %% Functional updates
x = jnp.arange(12.0).reshape(3, 4)
x = x.at[0].set(-1.0)
x = x.at[1, ::2].add(10.0)
x = x.at[:, -1].multiply(2.0)
x = x.at[[0, 2], [1, 1]].min(-5.0)
x = x.at[2].max(jnp.array([0.0, 20.0, 0.0, 0.0]))
x = x.at[jnp.array([0, 0, 1]), 0].add(1.0)  # duplicate indices accumulate
x = x.at[5, 0].set(99.0, mode="drop")  # out of bounds, ignored
x = x.at[x > 12.0].set(12.0)
x = x.at[1].apply(jnp.sqrt)
print(x, x.at[7].get(mode="fill", fill_value=0.0))
row, col = jnp.divmod(jnp.argmax(x), x.shape[1])
print("argmax at", (int(row), int(col)), np.unravel_index(int(x.argmax()), x.shape))


# %% Regression by normal equations, QR, SVD and lstsq
def design(t, period=7.0):
    """Columns: intercept, slope, and a seasonal pair."""
    w = 2 * jnp.pi / period
    return jnp.column_stack([jnp.ones_like(t), t / t.size, jnp.sin(w * t), jnp.cos(w * t)])


t = jnp.arange(n_days, dtype=jnp.float32)
X = design(t)
y = filled.mean(axis=2)  # (n_days, n_stations)

beta_normal = jnp.linalg.solve(X.T @ X, X.T @ y)
q, r = jnp.linalg.qr(X)
beta_qr = jax.scipy.linalg.solve_triangular(r, q.T @ y)
u, s, vt = jnp.linalg.svd(X, full_matrices=False)
beta_svd = vt.T @ ((u.T @ y) / s[:, None])
beta_lstsq, _, rank, _ = jnp.linalg.lstsq(X, y)
ridge = jnp.linalg.inv(X.T @ X + 0.1 * jnp.eye(X.shape[1])) @ X.T @ y
for b in (beta_qr, beta_svd, beta_lstsq):
    np.testing.assert_allclose(b, beta_normal, rtol=1e-2, atol=1e-3)
resid = y - X @ beta_normal
r2 = 1 - (resid**2).sum(0) / ((y - y.mean(0)) ** 2).sum(0)
print("R^2 per station", np.asarray(r2), "ridge shrinks:", bool(jnp.linalg.norm(ridge) < jnp.linalg.norm(beta_normal)))

# %% Principal components and matrix functions
flat = filled.reshape(n_days, -1)
centered = flat - flat.mean(0)
cov = centered.T @ centered / (n_days - 1)
np.testing.assert_allclose(cov, np.cov(np.asarray(flat), rowvar=False), rtol=1e-3, atol=1e-4)
eigval, eigvec = jnp.linalg.eigh(cov)
order = jnp.argsort(-eigval)
explained = jnp.cumsum(eigval[order]) / eigval.sum()
print("explained variance", np.asarray(explained[:3]), "components for 90%:", int(jnp.searchsorted(explained, 0.9)) + 1)
scores = centered @ eigvec[:, order[:2]]
sqrtm = (eigvec * jnp.sqrt(jnp.maximum(eigval, 0))) @ eigvec.T
print("sqrtm ok", bool(jnp.allclose(sqrtm @ sqrtm, cov, atol=1e-3)), "rank", int(jnp.linalg.matrix_rank(cov)))
sign, logdet = jnp.linalg.slogdet(cov + 0.1 * jnp.eye(cov.shape[0]))
block = jnp.block([[jnp.eye(2), jnp.zeros((2, 1))], [jnp.ones((1, 2)), jnp.full((1, 1), 3.0)]])
print(f"logdet {sign * logdet:.2f}, block det {jnp.linalg.det(block):.1f}, kron {jnp.kron(jnp.eye(2), block).shape}")

# %% einsum in many forms
A = jax.random.normal(key, (5, 4, 3))
B = jax.random.normal(jax.random.fold_in(key, 1), (5, 3, 4))
v = jnp.arange(3)
results = {
    "batched matmul": jnp.einsum("bij,bjk->bik", A, B),
    "traces": jnp.einsum("bij,bji->b", A, B),
    "int vector": jnp.einsum("bij,j->bi", A, v),
    "outer": jnp.einsum("i,j->ij", v, v),
    "full sum": jnp.einsum("bij->", A),
    "implicit": jnp.einsum("bij,bjk", A, B),
    "ellipsis": jnp.einsum("...ij,...jk->...k", A, B),
    "three": jnp.einsum("bij,bjk,k->i", A, B, jnp.ones(4)),
    "transpose": jnp.einsum("bij->jib", A),
    "diagonal": jnp.einsum("ii->i", cov),
}
for name, val in results.items():
    print(f"  {name:<15}{val.shape!s:<12}{val.dtype}")
np.testing.assert_allclose(results["batched matmul"], A @ B, rtol=1e-5, atol=1e-5)
np.testing.assert_allclose(jnp.tensordot(A, B, axes=[[0, 2], [0, 1]]), jnp.einsum("bij,bjk->ik", A, B), rtol=1e-4, atol=1e-5)

# %% Sorting, ranking, grouping
scores_flat = jnp.array([3.0, 1.0, 2.0, 1.0, 5.0, 4.0])
team = jnp.array([0, 1, 0, 2, 1, 2])
order = jnp.argsort(scores_flat, descending=True)
ranks = jnp.zeros_like(team).at[order].set(jnp.arange(team.size))
totals = jax.ops.segment_sum(scores_flat, team, num_segments=3)
best = jax.ops.segment_max(scores_flat, team, num_segments=3)
counts = jnp.bincount(team, length=3)
top, where = lax.top_k(scores_flat, 2)
_, by_team, by_score = lax.sort((team, -scores_flat, jnp.arange(6)), num_keys=2)
values, inverse = np.unique(np.asarray(scores_flat), return_inverse=True)
print("ranks", ranks, "means", totals / counts, "best", best, "top", top, where, "order", by_score)
print("unique", values, inverse, jnp.unique(team, size=4, fill_value=-1), jnp.sort(scores_flat)[::-1][:3])
print("searchsorted", jnp.searchsorted(jnp.array(values), jnp.array([0.5, 2.5, 9.0])), "digitize",
      np.digitize(np.asarray(scores_flat), [2.0, 4.0]))
hist, edges = jnp.histogram(flat.ravel(), bins=5)
print("histogram", hist, "edges", edges.shape, "median", f"{jnp.median(flat):.3f}",
      "quantiles", jnp.quantile(flat, jnp.array([0.1, 0.9])))

# %% Rolling windows, cumulative operations, convolution
window = 7
idx = jnp.arange(n_days - window + 1)[:, None] + jnp.arange(window)[None, :]
rolling = y[idx].mean(axis=1)
csum = jnp.cumsum(jnp.pad(y, ((1, 0), (0, 0))), axis=0)
np.testing.assert_allclose(rolling, (csum[window:] - csum[:-window]) / window, rtol=1e-4, atol=1e-4)
smooth = jax.vmap(functools.partial(jnp.convolve, mode="valid"), in_axes=(1, None), out_axes=1)(y, jnp.ones(window) / window)
np.testing.assert_allclose(smooth, rolling, rtol=1e-4, atol=1e-4)
lagged = jnp.stack([jnp.roll(y, k, axis=0) for k in range(3)], axis=-1)
drawdown = y - lax.cummax(y, axis=0)
growth = jnp.cumprod(1 + 0.01 * jnp.diff(y, axis=0), axis=0)
print("rolling", rolling.shape, "lagged", lagged.shape, "max drawdown", drawdown.min(0), "growth", growth[-1])
corr = jnp.corrcoef(y.T)
upper = corr[jnp.triu_indices(n_stations, k=1)]
print("correlations", upper, "tril mask sum", int(jnp.tril(jnp.ones((4, 4), int)).sum()))

# %% dtypes: promotion, weak types, casts
i8, f16, c64 = jnp.int8(3), jnp.ones(2, jnp.bfloat16), jnp.array(1 + 2j)
for expr, val in [("int8 + 1", i8 + 1), ("int8 * 2.0", i8 * 2.0), ("bf16 + f32", f16 + jnp.float32(1)),
                  ("bf16 * 2.5", f16 * 2.5), ("int / int", jnp.arange(3) / 2), ("int // int", jnp.arange(3) // 2),
                  ("bool + bool", jnp.array(True) + jnp.array(True)), ("bool sum", (y > 0).sum()),
                  ("mean of int", jnp.arange(4).mean()), ("np.float64 scalar", jnp.ones(2) * np.float64(2)),
                  ("u8 + i8", jnp.uint8(1) + i8), ("complex", jnp.abs(c64) + c64.real), ("where", jnp.where(team > 1, 1, 0.5)),
                  ("astype", y.astype(jnp.int32)), ("asarray", jnp.asarray([1, 2.5])), ("full", jnp.full((2,), 7)),
                  ("max of u8", jnp.array([250, 9], jnp.uint8).max()), ("round", jnp.round(2.5)),
                  ("power", jnp.arange(3) ** 2), ("neg power", jnp.arange(1, 3) ** -1.0)]:
    val = jnp.asarray(val)
    print(f"  {expr:<18}{val.dtype!s:<10}{'weak' if val.weak_type else ''}")
print(jnp.result_type(jnp.int16, jnp.bfloat16), jnp.promote_types("int32", "uint8"), jnp.finfo(jnp.float32).eps,
      jnp.iinfo(jnp.int8).max, jnp.issubdtype(y.dtype, jnp.floating), lax.convert_element_type(2.7, jnp.int32))

# %% Shapes: broadcasting, stacking, splitting
a, b = jnp.arange(3)[:, None], jnp.arange(4)
print((a * b).shape, jnp.broadcast_shapes((3, 1), (1, 4)), jnp.outer(jnp.arange(3), b).shape,
      jnp.expand_dims(b, (0, 2)).shape, jnp.squeeze(jnp.ones((1, 3, 1))).shape, jnp.moveaxis(A, 0, -1).shape,
      jnp.swapaxes(A, 1, 2).shape, A.transpose(2, 0, 1).shape, A.T.shape, A.mT.shape)
parts = jnp.split(jnp.arange(10), [3, 7])
thirds = jnp.array_split(jnp.arange(10), 3)
print([p.shape for p in parts], [p.tolist() for p in thirds], jnp.vstack([b, b]).shape, jnp.hstack([b, b]).shape,
      jnp.tile(b, (2, 3)).shape, jnp.repeat(b, 2, axis=0).shape, jnp.repeat(b, jnp.array([0, 1, 2, 1]), total_repeat_length=4))
gx, gy = jnp.meshgrid(jnp.linspace(0, 1, 3), jnp.linspace(0, 1, 5), indexing="ij")
mg = jnp.mgrid[0:2, 0:3]
print(gx.shape, mg.shape, jnp.flip(gx, 0).shape, jnp.rot90(gx).shape, jnp.take_along_axis(gx, jnp.argsort(-gx, axis=1), axis=1).shape)

# %% Pytrees
params = {"w": [jnp.ones((2, 3)), jnp.zeros(3)], "scale": 2.0, "extra": (None, jnp.arange(3))}
doubled = jax.tree.map(lambda p: p * 2, params)
leaves, treedef = jax.tree.flatten(params)
restored = jax.tree.unflatten(treedef, leaves)
shapes = jax.tree.map(jnp.shape, params)
total = jax.tree.reduce(operator.add, jax.tree.map(jnp.sum, params), initializer=0.0)
paths = [f"{keystr(p)}: {jnp.ndim(leaf)}" for p, leaf in jax.tree.leaves_with_path(params)]
stacked = jax.tree.map(lambda *xs: jnp.stack(xs), *[{"a": jnp.full(2, i), "b": float(i)} for i in range(3)])
print(total, paths, stacked["a"].shape, stacked["b"].dtype, jax.tree.structure(restored) == treedef, shapes["w"])
print(jax.tree.all(jax.tree.map(lambda p, q: jnp.allclose(2 * p, q), params, doubled)))


# %% Abstract evaluation and jaxprs
def summary(w, x):
    h = jnp.tanh(x @ w)
    return {"mean": h.mean(), "per_row": h.max(axis=-1), "index": jnp.argmin(h, axis=0)}


out = jax.eval_shape(summary, jax.ShapeDtypeStruct((3, 5), jnp.bfloat16), jax.ShapeDtypeStruct((10, 3), jnp.bfloat16))
print({k: (v.shape, str(v.dtype)) for k, v in out.items()})
jaxpr = jax.make_jaxpr(summary)(jnp.ones((3, 5)), jnp.ones((10, 3)))
print([eqn.primitive.name for eqn in jaxpr.jaxpr.eqns][:2], len(jaxpr.jaxpr.invars), "inputs")


# %% Derivatives: vjp, jvp, Jacobians and a Hessian-vector product
def whiten(m):
    """Cholesky factor of the regularised Gram matrix."""
    return jnp.linalg.cholesky(m.T @ m + jnp.eye(m.shape[1]))


m = jax.random.normal(key, (6, 3))
dm = jnp.zeros_like(m).at[2, 1].set(1.0)
primal, tangent = jax.jvp(whiten, (m,), (dm,))
_, pullback = jax.vjp(whiten, m)
cotangent = jnp.tril(jnp.ones((3, 3)))
(pulled,) = pullback(cotangent)
print("duality gap", bool(jnp.abs(jnp.vdot(cotangent, tangent) - jnp.vdot(pulled, dm)) < 1e-4))
primal, f_jvp = jax.linearize(whiten, m)
np.testing.assert_allclose(f_jvp(dm), tangent, rtol=1e-4, atol=1e-5)
f = lambda z: jnp.sum(jnp.log1p(jnp.exp(z))) + jnp.prod(z)
z = jnp.array([0.5, -1.0, 2.0])
hvp = jax.jvp(jax.grad(f), (z,), (jnp.ones(3),))[1]
print("hvp", hvp, "jacobian", jax.jacobian(jnp.cumsum)(z).shape)
g0, g1 = jax.grad(lambda a, b: (a**2 * b).sum(), argnums=(0, 1))(z, z)
print(g0, g1)

# %% A jitted bootstrap, with static sizes
@functools.partial(jax.jit, static_argnames=("num", "stat"))
def bootstrap(key, data, num, stat=jnp.mean):
    def resample(k):
        idx = jax.random.randint(k, (data.shape[0],), 0, data.shape[0])
        return stat(data[idx], axis=0)

    draws = lax.map(resample, jax.random.split(key, num), batch_size=25)
    return jnp.percentile(draws, jnp.array([2.5, 50, 97.5]), axis=0)


bands = bootstrap(key, y, 100)
print("bootstrap of the mean", bands.shape, bool((bands[0] < bands[2]).all()))
print("bootstrap of the median", bootstrap(key, y, 50, stat=jnp.median)[1])
perm = jax.random.permutation(key, n_days)
shuffled = jax.random.permutation(key, y, axis=0, independent=True)
chosen = jax.random.choice(key, n_days, (5,), replace=False, p=jnp.ones(n_days) / n_days)
gap = jnp.abs(y[perm[:20]].mean(0) - y[perm[20:]].mean(0))
print("permutation gap", gap.shape, shuffled.shape, chosen.shape, jax.random.gamma(key, 2.0, (2, 3)).shape,
      jax.random.dirichlet(key, jnp.ones(4)).sum().round(3))

# %%
if __name__ == "__main__":
    final = jax.device_get({"r2": r2, "explained": explained[:2], "top": top})
    print({k: type(v).__name__ for k, v in final.items()})
