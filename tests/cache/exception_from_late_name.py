"""A name that is defined later."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x * FACTOR


try:
    f(jnp.ones(2))
except NameError:
    FACTOR = 2.0
f(jnp.ones(2))
f(jnp.ones(2))
