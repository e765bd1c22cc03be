"""Strict promotion of dtypes is part of the key."""

import jax
import jax.numpy as jnp


@jax.jit
def add(a, b):  # traced: 4
    return a + b


a = jnp.ones(2)
add(a, a)
with jax.numpy_dtype_promotion("strict"):
    add(a, a)
    add(a, 1.0)
add(a, a)
add(a, 1.0)
