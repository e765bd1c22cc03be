"""A Python float is weak, an array of one is not."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(1.0)
f(jnp.float32(1.0))
f(2.0)
f(jnp.float32(2.0))
