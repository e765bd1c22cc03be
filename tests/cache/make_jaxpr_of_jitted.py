"""The graph of a jitted function is its trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


jax.make_jaxpr(f)(1.0)
f(1.0)
jax.make_jaxpr(f)(jnp.ones(2))
jax.make_jaxpr(f)(jnp.ones(2))
