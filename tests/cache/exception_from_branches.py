"""Branches of different types are traced once, and refused each time."""

import jax
import jax.numpy as jnp


def scalar(x):  # traced: 1
    return x.sum()


def vector(x):  # traced: 1
    return x


for _ in range(2):
    try:
        jax.lax.cond(True, scalar, vector, jnp.ones(2))
    except TypeError:
        pass
