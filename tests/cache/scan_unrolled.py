"""Unrolling copies the graph, not the trace."""

import jax
import jax.numpy as jnp


def body(carry, x):  # traced: 1
    return carry + x, None


jax.lax.scan(body, 0.0, jnp.ones(6), unroll=3)
jax.lax.scan(body, 0.0, jnp.ones(6), unroll=True)
jax.lax.scan(body, 0.0, jnp.ones(6), length=6)
