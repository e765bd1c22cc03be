"""A default of None, given and not given."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, mask=None):  # traced: 4
    return x if mask is None else jnp.where(mask, x, 0.0)


x = jnp.ones(3)
f(x)
f(x, None)
f(x, mask=None)
f(x, x > 0)
f(x)
