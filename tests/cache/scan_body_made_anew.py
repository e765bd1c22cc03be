"""A body that is made in the loop is traced each time."""

import jax
import jax.numpy as jnp


def add(carry, x):  # traced: 3
    return carry + x, carry


for _ in range(3):
    jax.lax.scan(lambda c, x: add(c, x), 0.0, jnp.ones(4))
