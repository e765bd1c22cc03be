"""A history that grows is a new type at each step."""

import jax
import jax.numpy as jnp


@jax.jit
def mean(history):  # traced: 4
    return sum(history) / len(history)


history = []
for i in range(4):
    history.append(jnp.float32(i))
    mean(history)
