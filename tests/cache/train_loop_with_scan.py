"""Epochs of a jitted scan over batches."""

import jax
import jax.numpy as jnp


def update(w, batch):  # traced: 1
    grads = jax.grad(lambda w: jnp.mean((batch @ w) ** 2))(w)
    return w - 0.1 * grads, jnp.sum(w)


@jax.jit
def epoch(w, batches):  # traced: 1
    return jax.lax.scan(update, w, batches)


w = jnp.ones(2)
for _ in range(3):
    w, losses = epoch(w, jnp.ones((4, 3, 2)))
