"""Caches that are cleared in each epoch."""

import jax
import jax.numpy as jnp


@jax.jit
def step(w):  # traced: 3
    return w * 0.5


w = jnp.ones(2)
for epoch in range(3):
    for _ in range(4):
        w = step(w)
    jax.clear_caches()
