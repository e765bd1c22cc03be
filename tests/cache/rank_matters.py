"""A row and a vector of as many numbers differ."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 4
    return x * 2


x = jnp.arange(6.0)
for shape in ((6,), (1, 6), (6, 1), (2, 3), (6,)):
    f(x.reshape(shape))
