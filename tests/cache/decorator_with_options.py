"""`jax.jit(…)` without a function makes a decorator."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def repeat(x, n):  # traced: 2
    return jnp.tile(x, n)


repeat(jnp.ones(2), n=2)
repeat(jnp.ones(2), n=3)
repeat(jnp.ones(2), n=2)
