"""Asking how many entries there are traces nothing."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


for x in (1.0, 2.0, jnp.ones(2)):
    f(x)
    print(f._cache_size())
