"""A float that becomes strong costs one trace more."""

import jax
import jax.numpy as jnp


@jax.jit
def step(total, x):  # traced: 2
    return total + x.sum()


total = 0.0
for _ in range(4):
    total = step(total, jnp.ones(3))
