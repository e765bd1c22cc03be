"""Gradients by different arguments of one compiled loss."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w, b, x):  # traced: 1
    return jnp.mean((w * x + b) ** 2)


w, b, x = jnp.ones(2), jnp.zeros(2), jnp.ones(2)
jax.grad(loss)(w, b, x)
jax.grad(loss, argnums=1)(w, b, x)
jax.grad(loss, argnums=(0, 1))(w, b, x)
jax.value_and_grad(loss)(w, b, x)
loss(w, b, x)
