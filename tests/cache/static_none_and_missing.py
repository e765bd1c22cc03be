"""None given and left out."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("axis",))
def total(x, axis=None):  # traced: 5
    return jnp.sum(x, axis=axis)


x = jnp.ones((2, 2))
total(x)
total(x, None)
total(x, axis=None)
total(x, axis=0)
total(x, axis=(0,))
total(x, axis=0)
