"""jit between two maps."""

import jax
import jax.numpy as jnp


@jax.jit
def row(x):  # traced: 1
    return jax.vmap(cell)(x).sum()


def cell(v):  # traced: 1
    return v * v


jax.vmap(row)(jnp.ones((2, 3)))
row(jnp.ones(3))
jax.vmap(row)(jnp.ones((4, 3)))
