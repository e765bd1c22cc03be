"""Jitted functions as branches share their traces with calls."""

import jax
import jax.numpy as jnp


@jax.jit
def up(x):  # traced: 1
    return x + 1


@jax.jit
def down(x):  # traced: 1
    return x - 1


up(jnp.float32(1))
jax.lax.cond(True, up, down, jnp.float32(1))
down(jnp.float32(1))
jax.lax.cond(False, down, up, jnp.float32(1))
