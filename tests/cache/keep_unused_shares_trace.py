"""`keep_unused` is decided after tracing."""

import jax
import jax.numpy as jnp


def f(x, unused):  # traced: 2
    return x + 1


a = jax.jit(f)
b = jax.jit(f, keep_unused=True)
for g in (a, b, a, b):
    g(1.0, 2.0)
g(1.0, jnp.ones(2))
