"""Lowering traces, and the call finds the trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f.lower(1.0)
f(1.0)
f.lower(2.0)
f.lower(jnp.ones(2))
f(jnp.ones(2))
