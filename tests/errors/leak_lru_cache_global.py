import jax
import jax.numpy as jnp

import functools
@functools.lru_cache
def g(n):
    return jnp.ones(n) * z
z = 1.0
@jax.jit
def f(x):
    global z
    z = x
    return g(3)
f(1.0)
g(3) + 1
