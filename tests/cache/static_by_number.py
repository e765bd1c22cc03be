"""A static argument by its number."""

import jax
import jax.numpy as jnp


def power(x, n):  # traced: 3
    for _ in range(n - 1):
        x = x * x
    return x


jitted = jax.jit(power, static_argnums=1)
for n in (1, 2, 3, 2, 1):
    jitted(jnp.ones(2), n)
