"""Without jit the function runs at each call, and the cache stays."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x * 3


f(1.0)
with jax.disable_jit():
    f(1.0)
    f(1.0)
f(2.0)
f(jnp.ones(2))
