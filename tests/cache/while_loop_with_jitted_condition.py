"""Condition and body that are compiled functions."""

import jax
import jax.numpy as jnp


@jax.jit
def going(s):  # traced: 2
    return s[0] < 10


@jax.jit
def step(s):  # traced: 2
    i, x = s
    return i + 1, x * 1.1


jax.lax.while_loop(going, step, (0, 1.0))
jax.lax.while_loop(going, step, (jnp.int32(0), jnp.float32(1.0)))
step((0, 1.0))
