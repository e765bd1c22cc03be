import jax
import jax.numpy as jnp

rows = []


def score(row):
    rows.append(row)
    return row.sum()


jax.vmap(score)(jnp.ones((2, 3)))
jax.jit(lambda: rows[0] * 2)()
