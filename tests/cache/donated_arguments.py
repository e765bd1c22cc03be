"""A donated argument that is replaced at each step."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(state, x):  # traced: 1
    return state + x


state = jnp.zeros(3)
for i in range(4):
    state = step(state, float(i))
