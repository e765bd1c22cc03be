"""Without a jit, each gradient runs the function."""

import jax
import jax.numpy as jnp


def loss(w):  # traced: 3
    return jnp.sum(w ** 2)


slope = jax.grad(loss)
for _ in range(3):
    slope(jnp.ones(3))
