"""A donated array that is used again fails without a trace."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=0)
def step(x):  # traced: 1
    return x + 1


x = jnp.zeros(3)
y = step(x)
try:
    step(x)
except (ValueError, RuntimeError):
    y = step(y)
