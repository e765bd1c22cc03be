"""An array as a default is a constant of the trace."""

import jax
import jax.numpy as jnp

OFFSET = jnp.ones(2)


@jax.jit
def f(x, offset=OFFSET):  # traced: 2
    return x + offset


f(1.0)
f(1.0, OFFSET)
f(1.0, OFFSET * 2)
f(1.0)
