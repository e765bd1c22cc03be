"""64 bits for a block, with Python numbers and arrays."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 5
    return x + 1


x = jnp.ones(2)
f(x)
f(1)
with jax.enable_x64(True):
    f(x)
    f(1)
    f(jnp.ones(2))
f(x)
f(1)
