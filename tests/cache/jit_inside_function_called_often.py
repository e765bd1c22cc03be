"""A decorated inner function is traced at every call of its maker."""

import jax
import jax.numpy as jnp


def normalize(v):
    @jax.jit
    def go(u):  # traced: 3
        return u / jnp.sum(u)

    return go(v)


for _ in range(3):
    normalize(jnp.ones(4))
