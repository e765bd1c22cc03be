"""A body that raises is traced at each attempt."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 3
    return c + x @ x, None


for _ in range(2):
    try:
        jax.lax.scan(body, 0.0, jnp.ones(3))
    except ValueError:
        pass
jax.lax.scan(body, jnp.float32(0), jnp.ones((3, 2)))
