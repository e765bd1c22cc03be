"""Lowered for one type, called with another."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, n):  # traced: 3
    return x * n


compiled = f.lower(jnp.ones(2), 3).compile()
compiled(jnp.ones(2), 4)
f(jnp.ones(2), 4)
f(jnp.ones(2), jnp.int32(4))
f.lower(jnp.ones(2), 4.0)
