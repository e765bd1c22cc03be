"""A mean of integers is a float; the state settles."""

import jax
import jax.numpy as jnp


@jax.jit
def smooth(state, x):  # traced: 4
    return (state + x) / 2


state = 0
for x in (1, 2, 3):
    state = smooth(state, x)
state = jnp.int32(0)
for x in jnp.arange(3):
    state = smooth(state, x)
