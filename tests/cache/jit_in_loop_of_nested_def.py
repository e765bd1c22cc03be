"""A def inside a loop makes another function at each round."""

import jax
import jax.numpy as jnp

total = jnp.zeros(2)
for step in range(3):
    def update(t):  # traced: 3
        return t + 1.0

    total = jax.jit(update)(total)
