"""A kept value_and_grad, and the same made anew."""

import jax
import jax.numpy as jnp


def loss(w):  # traced: 3
    return jnp.sum(w ** 2)


both = jax.value_and_grad(loss)
for _ in range(3):
    jax.jit(both)(jnp.ones(2))
for _ in range(2):
    jax.jit(jax.value_and_grad(loss))(jnp.ones(2))
