"""`lax.map` over a plain and over a jitted function."""

import jax
import jax.numpy as jnp


def plain(x):  # traced: 2
    return x * 2


@jax.jit
def jitted(x):  # traced: 1
    return x * 2


for _ in range(2):
    jax.lax.map(plain, jnp.ones((3, 2)))
    jax.lax.map(jitted, jnp.ones((3, 2)))
jitted(jnp.ones(2))
