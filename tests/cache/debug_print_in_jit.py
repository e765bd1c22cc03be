"""A debugging print makes no trace more."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    jax.debug.print("x = {}", x)
    return x + 1


for x in (1.0, 2.0, 3.0):
    f(x)
jax.vmap(f)(jnp.ones(3))
