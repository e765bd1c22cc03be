"""None is a static value like any other."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("axis",))
def total(x, axis=None):  # traced: 5
    return x.sum(axis)


x = jnp.ones((2, 3))
for axis in (None, 0, 1, None, -1, 1):
    total(x, axis=axis)
total(x)
