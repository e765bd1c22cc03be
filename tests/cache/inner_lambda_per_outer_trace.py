"""A jit made inside of a trace is made anew with each trace."""

import jax
import jax.numpy as jnp


def helper(x):  # traced: 2
    return x + 1


@jax.jit
def outer(x):  # traced: 2
    return jax.jit(lambda v: helper(v))(x) * 2


outer(1.0)
outer(2.0)
outer(jnp.ones(2))
