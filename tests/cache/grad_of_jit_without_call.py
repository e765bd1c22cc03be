"""The gradient alone traces the jitted function once."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w):  # traced: 2
    return jnp.sum(jnp.sin(w))


for _ in range(3):
    jax.grad(loss)(jnp.ones(3))
jax.grad(loss)(jnp.ones(4))
