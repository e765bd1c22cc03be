"""A variable of the closure that changes is not seen by the trace."""

import jax
import jax.numpy as jnp

scale = 1.0


@jax.jit
def f(x):  # traced: 2
    return x * scale


f(1.0)
scale = 2.0
f(1.0)
f(jnp.ones(2))
