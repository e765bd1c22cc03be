"""A lambda made anew in a loop is another function each time."""

import jax
import jax.numpy as jnp


def square(x):  # traced: 4
    return x * x


for n in range(4):
    jax.jit(lambda x: square(x) + 1)(jnp.ones(3))
