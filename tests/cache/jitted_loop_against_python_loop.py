"""A Python loop calls; a loop of JAX traces its body."""

import jax
import jax.numpy as jnp


@jax.jit
def step(i, x):  # traced: 1
    return x + 1.0


x = jnp.float32(0)
for i in range(3):
    x = step(i, x)
x = jax.lax.fori_loop(0, 3, step, x)
