"""A lambda written in the call is new at each call."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def apply(f, x):  # traced: 3
    return f(x)


for _ in range(3):
    apply(lambda v: v + 1, jnp.ones(2))
