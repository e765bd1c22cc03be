"""A counter that is a number of Python's, then an array."""

import jax
import jax.numpy as jnp


@jax.jit
def push(buffer, i, x):  # traced: 3
    return buffer.at[i % buffer.shape[0]].set(x), i + 1


buffer, i = jnp.zeros(4), 0
for k in range(6):
    buffer, i = push(buffer, i, float(k))
buffer, i = push(buffer, int(i), 1)
buffer, i = push(buffer, i, jnp.float32(1))
