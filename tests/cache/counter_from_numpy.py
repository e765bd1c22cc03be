"""A counter made by jnp.zeros is strong from the start."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(count):  # traced: 2
    return count + 1


count = jnp.zeros((), jnp.int32)
for _ in range(3):
    count = step(count)
step(0)
step(np.int32(0))
