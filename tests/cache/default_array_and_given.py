"""A default that is an array, left out and given."""

import jax
import jax.numpy as jnp

ONES = jnp.ones(2)


@jax.jit
def f(x, y=ONES):  # traced: 3
    return x + y


f(jnp.zeros(2))
f(jnp.zeros(2), ONES)
f(jnp.zeros(2), jnp.zeros(2))
f(jnp.zeros(2), y=ONES)
f(jnp.zeros(2))
