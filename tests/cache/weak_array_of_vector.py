"""Weakness belongs to arrays of any rank."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(jnp.full(3, 2.0))
f(jnp.ones(3))
f(jnp.broadcast_to(jnp.asarray(2.0), (3,)))
f(jnp.broadcast_to(2.0, (3,)))
