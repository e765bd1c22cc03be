"""Loops under disable_jit run their bodies for each element."""

import jax
import jax.numpy as jnp


def body(c, x):  # traced: 1
    return c + x, None


start = jnp.float32(0)
jax.lax.scan(body, start, jnp.ones(3))
with jax.disable_jit():
    jax.lax.scan(body, start, jnp.ones(3))
jax.lax.scan(body, start, jnp.ones(3))
