"""A scalar and an array of one element."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    return x + x


f(jnp.float32(1))
f(jnp.ones(1))
f(jnp.ones(()))
f(jnp.ones((1, 1)))
