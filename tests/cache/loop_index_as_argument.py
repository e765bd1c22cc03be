"""A Python int that changes is the same type."""

import jax
import jax.numpy as jnp


@jax.jit
def at(x, i):  # traced: 1
    return x[i]


x = jnp.arange(5)
for i in range(5):
    at(x, i)
