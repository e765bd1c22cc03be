# %% [markdown]
# # Linear algebra and statistics scratchpad
# Mixing numpy for the data and jax.numpy for the computations.

# %%
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

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
print("bootstrap of the spread", bootstrap(key, y, 50, stat=jnp.std)[1])
perm = jax.random.permutation(key, n_days)
shuffled = jax.random.permutation(key, y, axis=0, independent=True)
chosen = jax.random.choice(key, n_days, (5,), replace=False, p=jnp.ones(n_days) / n_days)
gap = jnp.abs(y[perm[:20]].mean(0) - y[perm[20:]].mean(0))
signs = jax.random.rademacher(key, (n_days, 1))
print("permutation gap", gap.shape, shuffled.shape, chosen.shape, "sign flip", jnp.abs((signs * resid).mean(0)).shape)

# %%
if __name__ == "__main__":
    final = jax.device_get({"r2": r2, "explained": explained[:2], "beta": beta_qr})
    print({k: type(v).__name__ for k, v in final.items()})
