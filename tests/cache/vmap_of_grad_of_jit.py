"""Per-example gradients of a jitted loss."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w, x):  # traced: 1
    return jnp.sum(w * x) ** 2


w, xs = jnp.ones(3), jnp.ones((4, 3))
for _ in range(2):
    jax.vmap(jax.grad(loss), in_axes=(None, 0))(w, xs)
loss(w, xs[0])
