"""Sizes that do not fit are refused before the trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, y):  # traced: 1
    return x + y


for n in (3, 2, 3):
    try:
        jax.vmap(f)(jnp.ones(3), jnp.ones(n))
    except ValueError:
        pass
