"""A closure over the step's array, jitted at each step, is traced at each step."""

import jax
import jax.numpy as jnp


def loss(w, x):  # traced: 4
    return jnp.sum(w * x)


w = jnp.ones(3)
for i in range(4):
    def value(x):  # traced: 4
        return loss(w, x)

    w = w - 0.1 * jax.jit(value)(jnp.ones(3))
