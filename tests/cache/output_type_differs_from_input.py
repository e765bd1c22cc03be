"""A step that returns a list for a tuple is traced twice."""

import jax
import jax.numpy as jnp


@jax.jit
def step(state):  # traced: 2
    return [s + 1 for s in state]


state = (jnp.zeros(2), jnp.zeros(2))
for _ in range(4):
    state = step(state)
