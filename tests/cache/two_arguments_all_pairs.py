"""The key is of all arguments together."""

import itertools

import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):  # traced: 9
    return a + b


values = [1.0, jnp.float32(1), 1]
for a, b in itertools.product(values, values):
    f(a, b)
