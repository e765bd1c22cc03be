"""A compiled function runs without tracing."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return x + 1


compiled = f.lower(jnp.ones(2)).compile()
compiled(jnp.ones(2))
compiled(jnp.zeros(2))
f(jnp.ones(2))
