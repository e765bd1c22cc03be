"""A jit around the gradient runs the function once per type."""

import jax
import jax.numpy as jnp


def loss(w):  # traced: 2
    return jnp.sum(w ** 2)


step = jax.jit(jax.grad(loss))
for _ in range(3):
    step(jnp.ones(3))
step(jnp.ones(4))
