"""A call that fails while tracing is traced again."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    if x.ndim != 1:
        raise ValueError("one axis")
    return x.sum()


for x in (jnp.ones(2), jnp.ones((2, 2)), jnp.ones((2, 2)), jnp.ones(2)):
    try:
        f(x)
    except ValueError:
        pass
