"""Static values and types multiply."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="n")
def f(x, n):  # traced: 4
    return x * n


for n in (1, 2):
    for x in (1.0, jnp.ones(2), jnp.ones(2), 3.0):
        f(x, n=n)
