"""Forward and backward Jacobians share the trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return jnp.outer(x, x)


jax.jacfwd(f)(jnp.ones(2))
jax.jacrev(f)(jnp.ones(2))
jax.jacfwd(f)(jnp.ones(3))
