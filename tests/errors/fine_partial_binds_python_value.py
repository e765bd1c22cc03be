from functools import partial

import jax
import jax.numpy as jnp


def power(x, n):
    out = x
    for _ in range(n - 1):
        out = out * x
    return out


cube = jax.jit(partial(power, n=3))
cube(jnp.ones(2))
