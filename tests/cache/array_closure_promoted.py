"""Jitted closures that capture a loop's array and are kept."""

import jax
import jax.numpy as jnp


def make(w):
    def f(x):  # traced: 3
        return x @ w

    return jax.jit(f)


fs = [make(jnp.ones((2, n))) for n in (1, 2, 3)]
for _ in range(2):
    for f in fs:
        f(jnp.ones(2))
