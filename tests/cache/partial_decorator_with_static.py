"""`partial(jax.jit, …)` as a decorator."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1,))
def power(x, n):  # traced: 2
    return x ** n


for n in (2, 3, 2, 3):
    power(jnp.ones(3), n)
