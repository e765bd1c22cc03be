"""A body whose carry changes its shape is traced once, and refused each time."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 1
    return jnp.stack([c, c]), None


for _ in range(3):
    try:
        jax.lax.scan(body, jnp.float32(0), jnp.ones(3))
    except TypeError:
        pass
