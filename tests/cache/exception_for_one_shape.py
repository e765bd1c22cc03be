"""A shape that fails, between shapes that do not."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 4
    return x + jnp.ones(3)


for n in (3, 2, 3, 2, 1):
    try:
        f(jnp.ones(n))
    except TypeError:
        pass
