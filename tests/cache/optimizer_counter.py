"""A counter that starts as a Python int stays weak."""

import jax
import jax.numpy as jnp


@jax.jit
def step(state):  # traced: 1
    count, w = state
    return count + 1, w * 0.9


state = (0, jnp.ones(3))
for _ in range(4):
    state = step(state)
