"""Bounds that are numbers of Python and arrays."""

import jax
import jax.numpy as jnp


def body(i, x):  # traced: 2
    return x + i


jax.lax.fori_loop(0, 3, body, 0)
jax.lax.fori_loop(0, 5, body, 0)
jax.lax.fori_loop(0, jnp.int32(3), body, 0)
jax.lax.fori_loop(0, 3, body, 0.0)
