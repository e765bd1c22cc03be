"""A scan in a scan."""

import jax
import jax.numpy as jnp


def inner(c, x):  # traced: 1
    return c + x, None


def outer(c, row):  # traced: 1
    c, _ = jax.lax.scan(inner, c, row)
    return c, None


start = jnp.float32(0)
jax.lax.scan(outer, start, jnp.ones((2, 3)))
jax.lax.scan(outer, start, jnp.ones((2, 3)))
jax.lax.scan(inner, start, jnp.ones(3))
