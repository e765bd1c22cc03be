"""A jitted loss with auxiliary results."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w):  # traced: 1
    return jnp.sum(w ** 2), {"norm": jnp.abs(w).max()}


for _ in range(2):
    (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(jnp.ones(2))
loss(jnp.ones(2))
