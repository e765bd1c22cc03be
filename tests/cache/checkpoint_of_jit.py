"""A checkpointed jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def layer(x):  # traced: 1
    return jnp.sin(jnp.sin(x))


jax.checkpoint(layer)(jnp.ones(2))
jax.grad(lambda x: jax.checkpoint(layer)(x).sum())(jnp.ones(2))
layer(jnp.ones(2))
