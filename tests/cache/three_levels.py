"""Three levels, called in all orders."""

import jax
import jax.numpy as jnp


@jax.jit
def a(x):  # traced: 2
    return x + 1


@jax.jit
def b(x):  # traced: 2
    return a(x) * 2


@jax.jit
def c(x):  # traced: 2
    return b(x) - a(x)


c(1.0)
b(1.0)
a(1.0)
a(jnp.ones(2))
b(jnp.ones(2))
c(jnp.ones(2))
