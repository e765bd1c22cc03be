"""Notes on arrays: updates, sorting, dtypes, shapes, pytrees and transformations.

Exported from a notebook.
"""

# %%
import operator

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.tree_util import keystr

np.set_printoptions(precision=3, suppress=True)
key = jax.random.key(5)
A = jax.random.normal(key, (5, 4, 3))
y = A.mean(axis=2) - 0.25

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
hist, edges = jnp.histogram(A.ravel(), bins=5)
print("histogram", hist, "edges", edges.shape, "median", f"{jnp.median(A):.3f}",
      "quantiles", jnp.quantile(A, jnp.array([0.1, 0.9])))

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

