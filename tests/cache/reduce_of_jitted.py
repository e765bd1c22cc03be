"""`functools.reduce` over a jitted function."""

import functools

import jax
import jax.numpy as jnp


@jax.jit
def combine(a, b):  # traced: 4
    return a + b


functools.reduce(combine, [jnp.ones(2)] * 4)
functools.reduce(combine, [1.0, 2.0, 3.0])
functools.reduce(combine, [jnp.float32(1)] * 3, 0.0)
