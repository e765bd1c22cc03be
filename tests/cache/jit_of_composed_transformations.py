"""Composed transformations kept under one jit."""

import jax
import jax.numpy as jnp


def loss(w, x):  # traced: 2
    return jnp.sum((w * x) ** 2)


per_example = jax.jit(jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0)))
for n in (4, 4, 2, 4):
    per_example(jnp.ones(3), jnp.ones((n, 3)))
