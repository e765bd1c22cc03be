"""Shapes in another order are another key."""

import jax
import jax.numpy as jnp


@jax.jit
def outer(a, b):  # traced: 3
    return a[:, None] * b


u, v = jnp.ones(2), jnp.ones(3)
outer(u, v)
outer(v, u)
outer(u, v)
outer(u, u)
