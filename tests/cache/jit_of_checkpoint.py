"""A checkpoint inside of a jit with a gradient."""

import jax
import jax.numpy as jnp


@jax.checkpoint
def layer(x):  # traced: 1
    return jnp.sin(jnp.sin(x))


@jax.jit
def loss(x):  # traced: 1
    return layer(layer(x)).sum()


jax.grad(loss)(jnp.ones(2))
jax.grad(loss)(jnp.ones(2))
loss(jnp.ones(2))
