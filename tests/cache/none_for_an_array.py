"""None is structure, not a leaf."""

import jax
import jax.numpy as jnp


@jax.jit
def dense(x, bias):  # traced: 3
    return x if bias is None else x + bias


x = jnp.ones(2)
dense(x, None)
dense(x, jnp.ones(2))
dense(x, None)
dense(x, bias=None)
