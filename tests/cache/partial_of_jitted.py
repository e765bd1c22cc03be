"""A partial over a jitted function passes its arguments to the same cache."""

from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def scaled(k, x):  # traced: 2
    return k * x


for k in (1.0, 2.0, 3.0):
    partial(scaled, k)(jnp.ones(2))
partial(scaled, x=jnp.ones(2))(4.0)
