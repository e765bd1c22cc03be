"""`jnp.vectorize` over a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, y):  # traced: 2
    return x + y


g = jnp.vectorize(f)
g(jnp.ones(3), jnp.ones(3))
g(jnp.ones((2, 3)), jnp.ones(3))
g(1.0, jnp.ones(2))
