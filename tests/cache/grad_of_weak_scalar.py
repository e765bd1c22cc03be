"""Gradients are as weak as what they are taken by."""

import jax
import jax.numpy as jnp


@jax.jit
def update(w, g):  # traced: 2
    return w - 0.1 * g


loss = lambda w: (w - 1.0) ** 2
w = 3.0
for _ in range(3):
    w = update(w, jax.grad(loss)(w))
v = jnp.float32(3.0)
for _ in range(3):
    v = update(v, jax.grad(loss)(v))
