"""A jit made anew in a loop, of one function, traces once."""

import jax
import jax.numpy as jnp


def square(x):  # traced: 1
    return x * x


x = jnp.arange(4.0)
for _ in range(5):
    x = jax.jit(square)(x)
