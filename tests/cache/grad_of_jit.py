"""The gradient of a jitted function finds the trace of its call."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w):  # traced: 1
    return jnp.sum(w ** 2)


w = jnp.ones(3)
loss(w)
for _ in range(3):
    w = w - 0.1 * jax.grad(loss)(w)
