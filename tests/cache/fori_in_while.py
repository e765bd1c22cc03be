"""A counted loop in the body of a while loop."""

import jax
import jax.numpy as jnp


def inner(i, x):  # traced: 3
    return x + 1.0


def outer(x):  # traced: 3
    return jax.lax.fori_loop(0, 3, inner, x)


def running(x):  # traced: 3
    return x < 10


for start in (0.0, jnp.float32(0), 0):
    jax.lax.while_loop(running, outer, start)
