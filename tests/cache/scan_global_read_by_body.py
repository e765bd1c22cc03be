"""A body that reads a global keeps what it read."""

import jax
import jax.numpy as jnp

scale = 1.0


def body(c, x):  # traced: 1
    return c + scale * x, None


start = jnp.float32(0)
jax.lax.scan(body, start, jnp.ones(4))
scale = 2.0
jax.lax.scan(body, start, jnp.ones(4))
