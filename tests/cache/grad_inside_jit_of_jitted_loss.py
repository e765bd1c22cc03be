"""A jitted loss below a gradient below a jit."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):  # traced: 1
    return jnp.mean((x @ w) ** 2)


@jax.jit
def step(w, x):  # traced: 1
    value, grads = jax.value_and_grad(loss)(w, x)
    return w - 0.1 * grads, value


w, x = jnp.ones(3), jnp.ones((4, 3))
for _ in range(3):
    w, value = step(w, x)
loss(w, x)
