"""`trace` is shared with calls, too."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f.trace(1.0)
f(1.0)
f.trace(jnp.ones(2))
f.trace(jnp.ones(2)).lower()
