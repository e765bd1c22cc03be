"""A conditional inside of the body of a scan."""

import jax
import jax.numpy as jnp


def grow(c):  # traced: 1
    return c * 2


def shrink(c):  # traced: 1
    return c / 2


def body(c, x):  # traced: 1
    return jax.lax.cond(c < 10, grow, shrink, c), c


start = jnp.float32(1)
for _ in range(2):
    jax.lax.scan(body, start, jnp.ones(4))
jax.lax.scan(body, start, jnp.ones(5))
