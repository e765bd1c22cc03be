"""Branches that are lambdas in a loop are traced at each round."""

import jax
import jax.numpy as jnp


def up(x):  # traced: 3
    return x + 1


x = jnp.float32(1)
for _ in range(3):
    x = jax.lax.cond(x > 0, lambda v: up(v), lambda v: v, x)
